/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The page of EgpuIP. */
#include "egpuip.h"

#include <math.h>

/* Figures that the paper prints. NaN: illegible */
static const struct
{
  const gchar *name, *key, *why;
  gdouble over_opencv, over_serial;
  const gchar *up_to;
  gboolean same;
} theirs[] = {
  {"equalization", "equalization", "theirs takes plain exclusive sums, ours OpenCV's formula", 6.07, 18.74,
      "19, perhaps over serial C", FALSE},
  {"Gaussian pyramid, 1 level", "pyramid-1", "their number of levels is not stated", 29.93, NAN, "88", FALSE},
  {"Gaussian pyramid, 4 levels", "pyramid-4", "their number of levels is not stated", 29.93, NAN, "88", FALSE},
  {"integral image", "integral", "sums of 8 bit grey", 2.21, 9.09, "3", TRUE}
};

#define BEST_GROUPS 256         /* best number of groups at 1920x1080, according to the paper */
#define SELECT_GAIN 1.10
#define SHIFT_GAIN 5.0
#define HARDWARE "Mali-G77 MC9"
#define MISSING "not measured"

/* Returns the time with a branch divided by the time with a select. */
static gdouble
gain_of (const PapersColumn * c, gint size, const gchar * before, const gchar * after)
{
  gint w = egpuip_sizes[size][0], h = egpuip_sizes[size][1];

  return papers_get (c, "egpuip/down/%dx%d/%s/wall", w, h, before) / papers_get (c, "egpuip/down/%dx%d/%s/wall", w, h,
      after);
}

static gdouble
get_size (const PapersColumn * c, const gchar * key, gint size, const gchar * what)
{
  return papers_get (c, "egpuip/%s/%dx%d/%s", key, egpuip_sizes[size][0], egpuip_sizes[size][1], what);
}

/* Returns: the first column that has a figure of OpenCV on one thread */
static const PapersColumn *
find_opencv (PapersPage * page)
{
  for (guint i = 0; i < page->columns->len; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, i);

    if (!isnan (get_size (c, "integral", 0, "opencv-1/wall")))
      return c;
  }
  return NULL;
}

/* Returns the factor by which this project is faster than @base, averaged over the sizes. */
static gdouble
mean_speedup (const PapersColumn * ours, const PapersColumn * base, const gchar * key, const gchar * what)
{
  gdouble sum = 0;
  guint n = 0;

  for (guint i = 0; i < EGPUIP_SIZES && base != NULL; i++) {
    gdouble ratio = get_size (base, key, i, what) / get_size (ours, key, i, "ours/wall");

    if (isnan (ratio))
      continue;
    sum += ratio;
    n++;
  }
  return n > 0 ? sum / n : NAN;
}

/* Returns: the number of groups with which a histogram of a size takes the least time; 0: not
 * measured */
static guint
find_best_groups (const PapersColumn * c, gint size, const gchar * way)
{
  gdouble least = G_MAXDOUBLE;
  guint best = 0;

  for (guint n = 1; n <= 4096; n *= 2) {
    gdouble time = papers_get (c, "egpuip/histogram/%dx%d/%u/%s/wall", egpuip_sizes[size][0], egpuip_sizes[size][1], n,
        way);

    if (time < least) {
      least = time;
      best = n;
    }
  }
  return best;
}

/* ---- Tables ----------------------------------------------------------------- */

static void
write_theirs (PapersPage * page)
{
  papers_text (page, "Mali-G77 MC9, OpenGL ES 3.2; OpenCV 4.5.5 on a CPU that is not named; 8 bit grey, 512x512 to "
      "3840x2160. Not stated: the other sizes, the levels of the pyramid, transfers, repetitions. Lost: figures 9 to "
      "12, and all times. What is left are mean speedups:\n");
  papers_table (page, "theirs, mean speedup", "over OpenCV", "over serial C", "\"up to\"", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (theirs); i++) {
    if (i == 2)
      continue;
    papers_cell (page, "%s", i == 1 ? "Gaussian pyramid" : theirs[i].name);
    papers_cell (page, "%.2f", theirs[i].over_opencv);
    papers_cell_number (page, theirs[i].over_serial, "lost");
    papers_cell (page, "%s", theirs[i].up_to);
    papers_row_end (page);
  }
  papers_text (page, "\nIt also says: borders by select instead of branch gain 10 %%; 256 groups are best for the "
      "histogram at 1920x1080; bit operations have 5 times the throughput of multiplication and division. Its groups "
      "have 128 work-items, its scans 256. It names no future work.\n");
}

static void
write_times (PapersPage * page, const PapersColumn * c)
{
  papers_text (page, "\n### %s\n\nMilliseconds. With transfers: the frame is copied to the device and the result "
      "back. Scalar: processor time.\n", c->name);
  papers_table (page, "ours", "size", "wall", "kernels", "with transfers", "OpenCV, 1 thread", "OpenCV, all threads",
      "scalar C", "over OpenCV, 1 thread", "over scalar C", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (theirs); i++)
    for (guint s = 0; s < EGPUIP_SIZES; s++) {
      const gchar *key = theirs[i].key;
      gdouble ours = get_size (c, key, s, "ours/wall");

      if (isnan (ours))
        continue;
      papers_cell (page, "%s", theirs[i].name);
      papers_cell (page, "%dx%d", egpuip_sizes[s][0], egpuip_sizes[s][1]);
      papers_cell_number (page, ours, MISSING);
      papers_cell_number (page, get_size (c, key, s, "ours/device"), "not told");
      papers_cell_number (page, get_size (c, key, s, "transfers/wall"), MISSING);
      papers_cell_number (page, get_size (c, key, s, "opencv-1/wall"), "not built in");
      papers_cell_number (page, get_size (c, key, s, "opencv-all/wall"), "not built in");
      papers_cell_number (page, get_size (c, key, s, "processor"), MISSING);
      papers_cell_number (page, get_size (c, key, s, "opencv-1/wall") / ours, "-");
      papers_cell_number (page, get_size (c, key, s, "processor") / ours, "-");
      papers_row_end (page);
    }
}

static void
write_speedups (PapersPage * page)
{
  const PapersColumn *opencv = find_opencv (page);
  PapersPlot *plot = papers_plot_new ("Mean speedup over OpenCV with one thread, logarithmic", "", "", FALSE, TRUE);

  papers_text (page, "\n## Mean speedups\n\nThe mean over the sizes, as the paper takes it.");
  if (opencv != NULL)
    papers_text (page, " A machine without OpenCV stands against OpenCV of the column \"%s\".", opencv->name);
  papers_text (page, "\n");
  papers_table (page, "speedup", "measured on", "over OpenCV, 1 thread", "over OpenCV, all threads", "over scalar C",
      "theirs over OpenCV", "theirs over serial C", "same work?", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (theirs); i++) {
    const gchar *names[8] = { "theirs" };
    gdouble values[8] = { theirs[i].over_opencv };
    guint n = 1;

    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);
      const PapersColumn *base = isnan (get_size (c, "integral", 0, "opencv-1/wall")) ? opencv : c;
      gdouble over_one = mean_speedup (c, base, theirs[i].key, "opencv-1/wall");

      papers_cell (page, "%s", theirs[i].name);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, over_one, "not built in");
      papers_cell_number (page, mean_speedup (c, base, theirs[i].key, "opencv-all/wall"), "not built in");
      papers_cell_number (page, mean_speedup (c, c, theirs[i].key, "processor"), MISSING);
      papers_cell (page, "%.2f", theirs[i].over_opencv);
      papers_cell_number (page, theirs[i].over_serial, "lost");
      papers_cell (page, "%s: %s", theirs[i].same ? "yes" : "no", theirs[i].why);
      papers_row_end (page);
      if (n < G_N_ELEMENTS (values) && !isnan (over_one)) {
        names[n] = c->name;
        values[n++] = over_one;
      }
    }
    if (n == 1 + page->columns->len)
      papers_plot_bars (plot, theirs[i].name, n, names, values);
  }
  papers_plot_end (plot, page, "speedup", "Mean speedup over OpenCV with one thread, theirs and ours");
}

static void
write_histogram (PapersPage * page, const PapersColumn * c, guint number)
{
  g_autofree gchar *title = g_strdup_printf ("Histogram over the number of groups: %s", c->name);
  g_autofree gchar *file = g_strdup_printf ("groups-%u", number);
  PapersPlot *plot = papers_plot_new (title, "groups of 128 work-items", "milliseconds", TRUE, TRUE);

  papers_text (page, "\n### %s\n", c->name);
  papers_table (page, "histogram", "best number of groups", "ms", "ms with 256", "best, one histogram for all", "ms",
      "all of their equalization, ms", "ours, ms", NULL);
  for (guint s = 0; s < EGPUIP_SIZES; s++) {
    guint best = find_best_groups (c, s, "group"), best_global = find_best_groups (c, s, "global"), n = 0;
    gint w = egpuip_sizes[s][0], h = egpuip_sizes[s][1];
    g_autofree gchar *name = g_strdup_printf ("%dx%d", w, h), *global = g_strdup_printf ("%dx%d, one for all", w, h);
    gdouble x[16], y[16], all[16];

    for (guint groups = 1; groups <= 4096; groups *= 2, n++) {
      x[n] = groups;
      y[n] = papers_get (c, "egpuip/histogram/%s/%u/group/wall", name, groups);
      all[n] = papers_get (c, "egpuip/histogram/%s/%u/global/wall", name, groups);
    }
    papers_plot_line (plot, name, n, x, y);
    papers_plot_line (plot, global, n, x, all);
    if (best > 0) {
      papers_cell (page, "%s", name);
      papers_cell (page, "%u", best);
      papers_cell_number (page, papers_get (c, "egpuip/histogram/%s/%u/group/wall", name, best), MISSING);
      papers_cell_number (page, papers_get (c, "egpuip/histogram/%s/%u/group/wall", name, BEST_GROUPS), MISSING);
      papers_cell (page, "%u", best_global);
      papers_cell_number (page, papers_get (c, "egpuip/histogram/%s/%u/global/wall", name, best_global), MISSING);
      papers_cell_number (page, get_size (c, "their-equalization", s, "theirs/wall"), MISSING);
      papers_cell_number (page, get_size (c, "equalization", s, "ours/wall"), MISSING);
      papers_row_end (page);
    }
  }
  papers_plot_end (plot, page, file, title);
}

static const gchar *const ways[] = { "dropped", "fused", "fused-branch", "separable", "separable-branch" };

static const gchar *const way_names[] = {
  "25 taps for all, then a quarter kept", "25 taps for what is kept", "25 taps, borders by branch",
  "rows and columns in local memory", "rows and columns, by branch"
};

static void
write_down (PapersPage * page)
{
  PapersPlot *plot = papers_plot_new ("One level of a pyramid at 1920x1080: times as fast as dropping", "", "", FALSE,
      FALSE);

  papers_text (page, "\n## Pyramid, step by step\n\nMilliseconds for one level. Borders are mirrored by selects where "
      "nothing else is said.\n");
  papers_table (page, "way", "measured on", "512x512", "1280x720", "1920x1080", "3840x2160", NULL);
  for (guint i = 0; i <= G_N_ELEMENTS (ways); i++) {
    const gchar *names[8];
    gdouble values[8];
    guint n = 0;

    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s", i < G_N_ELEMENTS (ways) ? way_names[i] : "ours");
      papers_cell (page, "%s", c->name);
      for (guint s = 0; s < EGPUIP_SIZES; s++) {
        g_autofree gchar *what = g_strdup_printf ("%s/wall", i < G_N_ELEMENTS (ways) ? ways[i] : "ours");

        papers_cell_number (page, get_size (c, i < G_N_ELEMENTS (ways) ? "down" : "pyramid-1", s, what), MISSING);
      }
      papers_row_end (page);
      if (i < G_N_ELEMENTS (ways) && n < G_N_ELEMENTS (values) && !isnan (gain_of (c, 2, "dropped", ways[i]))) {
        names[n] = c->name;
        values[n++] = gain_of (c, 2, "dropped", ways[i]);
      }
    }
    if (n > 0)
      papers_plot_bars (plot, way_names[i], n, names, values);
  }
  papers_plot_end (plot, page, "down", "How many times as fast each step is as dropping");
}

static void
write_scans (PapersPage * page)
{
  papers_text (page, "\n## Integral image, step by step\n\nMilliseconds. Serial: a work-item for each row, then for "
      "each column. Tree: a group of 256 for each row, a transposition, again, and back.\n");
  papers_table (page, "size", "measured on", "serial", "tree", "ours", NULL);
  for (guint s = 0; s < EGPUIP_SIZES; s++)
    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%dx%d", egpuip_sizes[s][0], egpuip_sizes[s][1]);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, get_size (c, "scan", s, "serial/wall"), MISSING);
      papers_cell_number (page, get_size (c, "scan", s, "tree/wall"), MISSING);
      papers_cell_number (page, get_size (c, "integral", s, "ours/wall"), MISSING);
      papers_row_end (page);
    }
  papers_text (page, "\n## Arithmetic\n\nA multiplication and a division by powers of two that only the host knows, or "
      "two shifts, 256 times in each of 65,536 work-items. Milliseconds of the kernels.\n");
  papers_table (page, "measured on", "`*` and `/`", "shifts", "times as fast", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    gdouble divide = papers_get (c, "egpuip/arithmetic/divide/device");
    gdouble shift = papers_get (c, "egpuip/arithmetic/shift/device");

    papers_cell (page, "%s", c->name);
    papers_cell_number (page, divide, MISSING);
    papers_cell_number (page, shift, MISSING);
    papers_cell_number (page, divide / shift, MISSING);
    papers_row_end (page);
  }
}

/* ---- Claims ----------------------------------------------------------------- */

static void
claim_speedup (PapersPage * page, const PapersColumn * c, const PapersColumn * opencv, guint i)
{
  gboolean own = !isnan (get_size (c, "integral", 0, "opencv-1/wall"));
  gdouble value = mean_speedup (c, own ? c : opencv, theirs[i].key, "opencv-1/wall");
  gdouble scalar = mean_speedup (c, c, theirs[i].key, "processor");
  gchar *claim = g_strdup_printf ("%s: %.2f times OpenCV", theirs[i].name, theirs[i].over_opencv);

  if (isnan (value))
    papers_claim (page, claim, c, PAPERS_CANNOT_BE_TESTED, "OpenCV was not built in");
  else
    papers_claim (page, claim, c, PAPERS_VERDICT (value >= theirs[i].over_opencv), "%s times OpenCV with one thread%s",
        papers_number (value), own ? "" : ", which is that of another machine");
  g_free (claim);
  if (isnan (theirs[i].over_serial) || isnan (scalar))
    return;
  claim = g_strdup_printf ("%s: %.2f times serial C", theirs[i].name, theirs[i].over_serial);
  papers_claim (page, claim, c, PAPERS_VERDICT (scalar >= theirs[i].over_serial), "%s times our scalar code",
      papers_number (scalar));
  g_free (claim);
}

static void
claim_groups (PapersPage * page, const PapersColumn * c)
{
  guint best[EGPUIP_SIZES];
  gdouble at = papers_get (c, "egpuip/histogram/1920x1080/%d/group/wall", BEST_GROUPS), least;

  for (guint i = 0; i < EGPUIP_SIZES; i++)
    best[i] = find_best_groups (c, i, "group");
  if (best[EGPUIP_SIZES - 1] == 0) {
    papers_claim (page, "256 groups are best at 1920x1080", c, PAPERS_CANNOT_BE_TESTED, "the quick run has one size");
    return;
  }
  least = papers_get (c, "egpuip/histogram/1920x1080/%u/group/wall", best[2]);
  papers_claim (page, "256 groups are best at 1920x1080", c, PAPERS_VERDICT (at <= 1.05 * least),
      "%u are best, with %s ms; 256 take %s ms", best[2], papers_number (least), papers_number (at));
  papers_claim (page, "The best number of groups grows with the frame", c,
      PAPERS_VERDICT (best[3] > best[0] && best[2] >= best[0]), "%u, %u, %u and %u, from the smallest frame to the "
      "largest", best[0], best[1], best[2], best[3]);
}

static void
claim_steps (PapersPage * page, const PapersColumn * c)
{
  gint size = isnan (get_size (c, "down", 2, "fused/wall")) ? 0 : 2;
  gdouble select = gain_of (c, size, "fused-branch", "fused");
  gdouble fused = gain_of (c, size, "dropped", "fused"), separable = gain_of (c, size, "fused", "separable");
  gdouble tree = get_size (c, "scan", size, "serial/wall") / get_size (c, "scan", size, "tree/wall");
  gdouble shift = papers_get (c, "egpuip/arithmetic/divide/device")
      / papers_get (c, "egpuip/arithmetic/shift/device");

  papers_claim (page, "Borders by select gain 10 %", c, PAPERS_VERDICT (select >= SELECT_GAIN),
      "%s times as fast, with 25 taps", papers_number (select));
  papers_claim (page, "To filter only what is kept gains", c, PAPERS_VERDICT (fused > 1.05), "%s times as fast",
      papers_number (fused));
  papers_claim (page, "Separable filters in local memory gain", c, PAPERS_VERDICT (separable > 1.05),
      "%s times as fast as 25 taps", papers_number (separable));
  papers_claim (page, "Scans as a tree, with transposition, gain", c, PAPERS_VERDICT (tree > 1.05),
      "%s times as fast as serial ones", papers_number (tree));
  if (isnan (shift))
    papers_claim (page, "Bit operations have 5 times the throughput", c, PAPERS_CANNOT_BE_TESTED,
        "the device does not tell its time");
  else
    papers_claim (page, "Bit operations have 5 times the throughput", c, PAPERS_VERDICT (shift >= SHIFT_GAIN),
        "%s times as fast", papers_number (shift));
}

static void
summarize (PapersPage * page)
{
  const PapersColumn *opencv = find_opencv (page);

  for (guint i = 0; i < G_N_ELEMENTS (theirs); i++) {
    g_autofree gchar *what = g_strdup_printf ("%s, mean speedup over OpenCV with one thread", theirs[i].name);
    g_autofree gchar *printed = g_strdup_printf ("%.2f", theirs[i].over_opencv);
    gdouble ours[8] = { 0 };

    for (guint j = 0; j < MIN (page->columns->len, 8); j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);
      gboolean own = !isnan (get_size (c, "integral", 0, "opencv-1/wall"));

      ours[j] = mean_speedup (c, own ? c : opencv, theirs[i].key, "opencv-1/wall");
    }
    papers_summarize (page, what, HARDWARE, printed, theirs[i].over_opencv, ours, FALSE, theirs[i].same,
        theirs[i].why);
  }
}

static void
write_page (PapersPage * page)
{
  write_theirs (page);
  papers_text (page, "\n## Times\n\nOurs are the kernels of [mgpuhisteq](../algorithms/histeq.md), "
      "[mgpupyramid](../algorithms/pyramid.md) and [mgpuintegral](../algorithms/integral.md). Equalization is other "
      "work: theirs takes plain exclusive sums, ours OpenCV's formula. The library's resize, filter, transposition and "
      "sharpening have no figures left; ours are in [performance](../performance.md), under mgpuconvert and "
      "mgpusharpen.\n");
  for (guint i = 0; i < page->columns->len; i++)
    write_times (page, g_ptr_array_index (page->columns, i));
  write_speedups (page);
  papers_text (page, "\n## Histogram\n\nTheir way: each group counts its pixels in local memory and adds what it "
      "counted to the histogram of the frame. Beside it, one histogram in global memory for all, and our whole "
      "equalization.\n");
  for (guint i = 0; i < page->columns->len; i++)
    write_histogram (page, g_ptr_array_index (page->columns, i), i + 1);
  write_down (page);
  write_scans (page);
  for (guint i = 0; i < page->columns->len; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, i);

    for (guint j = 0; j < G_N_ELEMENTS (theirs); j++)
      claim_speedup (page, c, find_opencv (page), j);
    claim_groups (page, c);
    claim_steps (page, c);
  }
  summarize (page);
}

/* Checks that speedups over serial C are above those over OpenCV, and means below the values after
 * "up to". Nothing else in the paper can be computed from what else it prints. */
static void
check (void)
{
  papers_check (theirs[0].over_serial > theirs[0].over_opencv && theirs[3].over_serial > theirs[3].over_opencv,
      "egpuip: serial C is faster than OpenCV");
  papers_check (theirs[0].over_serial <= 19 && theirs[1].over_opencv <= 88 && theirs[3].over_opencv <= 3,
      "egpuip: a mean is above its maximum");
}

const Paper papers_egpuip = {
  "egpuip", "EgpuIP",
  "Wang, Jia, Zhang, Li, Wei: EgpuIP: An Embedded GPU Accelerated Library for Image Processing (2022)",
  check, egpuip_measure, write_page
};

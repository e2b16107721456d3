/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the page about the inpainting paper of Wang, Xiong, Yun and Cavallaro (2013). */
#include "wang.h"

#include <math.h>

/* Times that the paper prints: total seconds. The column of factors is illegible, but the text
 * gives their order. NULL: illegible */
static const struct
{
  const gchar *searched;
  gint width, height;           /* size as it is used; 481 is read as 381 */
  gdouble times[WANG_PATCHES];
} theirs[WANG_FACTORS] = {
  {"512x384", 512, 384, {96.652, 96.394, 96.110}},
  {"481x384, probably 381x384", 381, 384, {73.367, 70.723, 72.296}},
  {"234x311", 234, 311, {37.107, 37.156, 37.114}},
  {"lost", 0, 0, {19.975, 19.024, 18.658}},
  {"108x176", 108, 176, {10.539, 8.925, 8.117}},
  {"84x138", 84, 138, {7.528, 5.233, 4.266}}
};

static const gchar *const stage_names[WANG_STAGES] = {
  "grey", "border", "marking sources", "priorities", "confidence", "best patch", "colour", "grey update"
};

static const gdouble cycles[WANG_STAGES] = { 0.05, 0.08, 1.16, 0.45, 0.03, 98.20, 0.02, 0.02 };

#define CPU_SECONDS 393.8
#define OVER_CPU 4.07           /* [c] */
#define FRAME_SECONDS 96.0      /* computed [c] from a line through the printed times: the time of a
                                 * whole frame; REST_SECONDS is the part that does not depend on
                                 * area */
#define REST_SECONDS 1.5        /* [c] */
#define LOCAL_KB 1.63
#define PATIENCE 5.0            /* seconds that users are willing to wait */
#define MISSING "not measured"

static gdouble
get (const PapersColumn * c, const gchar * name, guint patch, guint factor)
{
  return papers_get (c, "wang/%s/%d/%g", name, wang_patches[patch], wang_factors[factor]);
}

static gchar *
name_factor (guint f)
{
  return f == 0 ? g_strdup ("full") : g_strdup_printf ("%g", wang_factors[f]);
}

static gdouble
get_area (guint f)
{
  WangBox box = wang_get_window (wang_factors[f]);

  return (gdouble) (box.x1 - box.x0) * (box.y1 - box.y0);
}

/* ---- Tables ----------------------------------------------------------------- */

static void
write_theirs (PapersPage * page)
{
  papers_text (page, "Snapdragon S4 (Krait, Adreno), a picture of 512x384, an object of 76x128. Total seconds; "
      "repetitions and transfers are not stated. The column of factors is lost, the text gives their order:\n");
  papers_table (page, "factor (lost)", "searched", "9x9, s", "13x13, s", "17x17, s", "13x13 over 9x9 [c]",
      "17x17 over 9x9 [c]", NULL);
  for (guint f = 0; f < WANG_FACTORS; f++) {
    g_autofree gchar *name = name_factor (f);

    papers_cell (page, "%s", name);
    papers_cell (page, "%s", theirs[f].searched);
    for (guint p = 0; p < WANG_PATCHES; p++)
      papers_cell (page, "%.3f", theirs[f].times[p]);
    for (guint p = 1; p < WANG_PATCHES; p++)
      papers_cell (page, "%.3f", theirs[f].times[p] / theirs[f].times[0]);
    papers_row_end (page);
  }
  papers_text (page, "\nThe same OpenCL on the CPU alone takes 393.8 s, for which the GPU is 4.07 times as fast [c]. "
      "Local memory at 9x9 is 1.63 KB. Figure 3, each column over that of 9x9, is lost; the last two columns above are "
      "it, computed. The times of 9x9 lie on a line over the searched area: 96 s for the frame, and 1.5 s that do not "
      "depend on it [c]. 481 columns are probably 381: five times 76 are 380, and the time fits. A faster S4 takes less "
      "than 2 s; users put up with 5. The paper names no future work.\n");
}

/* Writes a time in milliseconds; the time of a fill that was not finished is scaled. */
static void
add_time (PapersPage * page, const PapersColumn * c, const gchar * name, guint patch, guint factor)
{
  gdouble time = get (c, name, patch, factor);
  gboolean scaled = !isnan (papers_get (c, "wang/%s/%d/%g/scaled", name, wang_patches[patch], wang_factors[factor]));

  if (isnan (time))
    papers_cell (page, MISSING);
  else
    papers_cell (page, "%s%s", scaled ? "~ " : "", papers_number (time));
}

static void
write_cells (PapersPage * page, const PapersColumn * c)
{
  papers_text (page, "\n### %s\n\nMilliseconds. `~`: the fill was ended after 3 seconds, and its time is scaled by the "
      "part of the hole that it had filled.\n", c->name);
  papers_table (page, "factor", "patch", "searched", "theirs, printed", "their way, local memory",
      "their way, global memory", "ours without shortcuts", "ours", "`vtest`, without shortcuts", "`vtest`, ours",
      NULL);
  for (guint f = 0; f < WANG_FACTORS; f++)
    for (guint p = 0; p < WANG_PATCHES; p++) {
      WangBox box = wang_get_window (wang_factors[f]);
      g_autofree gchar *name = name_factor (f);

      if (!isnan (get (c, "local", p, f))) {
        papers_cell (page, "%s", name);
        papers_cell (page, "%dx%d", wang_patches[p], wang_patches[p]);
        papers_cell (page, "%dx%d", box.x1 - box.x0, box.y1 - box.y0);
        papers_cell (page, "%.0f", 1e3 * theirs[f].times[p]);
        add_time (page, c, "local", p, f);
        add_time (page, c, "global", p, f);
        add_time (page, c, "fruits/none", p, f);
        add_time (page, c, "fruits/all", p, f);
        add_time (page, c, "vtest/none", p, f);
        add_time (page, c, "vtest/all", p, f);
        papers_row_end (page);
      }
    }
}

static void
write_area (PapersPage * page)
{
  PapersPlot *plot = papers_plot_new ("Time over the area that is searched, patches of 9x9", "pixels of the window",
      "milliseconds", TRUE, TRUE);
  gdouble x[WANG_FACTORS], y[WANG_FACTORS];

  for (guint f = 0; f < WANG_FACTORS; f++) {
    x[f] = theirs[f].width > 0 ? (gdouble) theirs[f].width * theirs[f].height : get_area (f);
    y[f] = theirs[f].width > 0 ? 1e3 * theirs[f].times[0] : NAN;
  }
  papers_plot_line (plot, "theirs, printed", WANG_FACTORS, x, y);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    static const gchar *const keys[] = { "local", "fruits/none", "fruits/all" };
    static const gchar *const names[] = { "their way", "ours, no shortcuts", "ours" };

    for (guint k = 0; k < G_N_ELEMENTS (keys); k++) {
      g_autofree gchar *name = g_strdup_printf ("%s: %s", names[k], c->name);

      for (guint f = 0; f < WANG_FACTORS; f++) {
        x[f] = get_area (f);
        y[f] = get (c, keys[k], 0, f);
      }
      papers_plot_line (plot, name, WANG_FACTORS, x, y);
    }
  }
  papers_plot_end (plot, page, "area", "Time over the area that is searched");
}

static void
write_shares (PapersPage * page)
{
  papers_text (page, "\n## Shares\n\nPercent of the kernels' time in their way, with patches of 9x9 and the full search; "
      "theirs are of cycles. Choosing the target counts for priorities, choosing the source for the best patch.\n");
  papers_table (page, "kernel", "theirs, %", "measured on", "here, %", NULL);
  for (guint i = 0; i < WANG_STAGES; i++)
    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s", stage_names[i]);
      papers_cell (page, "%.2f", cycles[i]);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, papers_get (c, "wang/share/%s", wang_stages[i]), MISSING);
      papers_row_end (page);
    }
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    gdouble sum = 0;

    for (guint i = 0; i < WANG_STAGES; i++)
      sum += papers_get (c, "wang/share/%s", wang_stages[i]);
    papers_check (isnan (sum) || (sum >= 98 && sum <= 102), "wang: shares add up to %g %%", sum);
  }
}

/* Returns: the first column that has counts for the largest number of cells; counts are the same on
 * all machines */
static const PapersColumn *
find_counts (PapersPage * page)
{
  const PapersColumn *best = g_ptr_array_index (page->columns, 0);
  guint most = 0;

  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    guint n = 0;

    for (guint f = 0; f < WANG_FACTORS; f++)
      for (guint p = 0; p < WANG_PATCHES; p++)
        n += !isnan (get (c, "steps", p, f));
    if (n > most) {
      most = n;
      best = c;
    }
  }
  return best;
}

static void
write_counts (PapersPage * page)
{
  const PapersColumn *c = find_counts (page);

  papers_text (page, "\n## Why larger patches help\n\nThe paper says: because fewer pixels are compared. Counted in "
      "their way, where the fill was finished: steps; candidates of all steps; pixels, of the target's patch, that are "
      "compared with all candidates. Counts are the same on all devices.\n");
  papers_table (page, "factor", "patch", "steps", "candidates, millions", "pixels, billions", NULL);
  for (guint f = 0; f < WANG_FACTORS; f++)
    for (guint p = 0; p < WANG_PATCHES; p++) {
      gdouble steps = get (c, "steps", p, f);
      g_autofree gchar *name = name_factor (f);

      if (!isnan (steps)) {
        papers_cell (page, "%s", name);
        papers_cell (page, "%dx%d", wang_patches[p], wang_patches[p]);
        papers_cell (page, "%.0f", steps);
        papers_cell_number (page, steps * get_area (f) / 1e6, MISSING);
        papers_cell_number (page, get (c, "pixels", p, f), MISSING);
        papers_row_end (page);
      }
    }
}

/* Draws where the sources of the full search lie. */
static void
draw_map (PapersPage * page, const PapersColumn * c)
{
  static const gchar *const maps[] = { "theirs", "whole" };
  g_autoptr (GString) svg = g_string_new (NULL);
  g_autofree gchar *path = g_build_filename (page->folder, "images/wang-map.svg", NULL);
  GError *error = NULL;

  g_string_append_printf (svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
      "%d\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"%d\" height=\"%d\" fill=\"#f4f4f4\"/>\n",
      WANG_WIDTH, WANG_HEIGHT, WANG_WIDTH, WANG_HEIGHT, WANG_WIDTH, WANG_HEIGHT);
  for (guint f = 1; f < WANG_FACTORS; f++) {
    WangBox b = wang_get_window (wang_factors[f]);

    g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888888\"/>\n",
        b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
  }
  g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#d08a2e\" "
      "fill-opacity=\"0.5\"/>\n", (WANG_WIDTH - WANG_HOLE_WIDTH) / 2, (WANG_HEIGHT - WANG_HOLE_HEIGHT) / 2,
      WANG_HOLE_WIDTH, WANG_HOLE_HEIGHT);
  for (guint k = 0; k < 2; k++)
    for (guint i = 0; !isnan (papers_get (c, "wang/map-%s/%03u", maps[k], i)); i++) {
      gint place = papers_get (c, "wang/map-%s/%03u", maps[k], i);

      g_string_append_printf (svg, "<circle cx=\"%d\" cy=\"%d\" r=\"2.5\" fill=\"%s\"/>\n", place % WANG_WIDTH,
          place / WANG_WIDTH, k == 0 ? "#b04a5a" : "#3566a8");
    }
  for (guint f = 1; f < WANG_FACTORS; f++) {
    WangBox b = wang_get_window (wang_factors[f]);
    /* The smallest window is hardly larger than the hole, in which there are no sources. */
    gint inset = f == WANG_FACTORS - 1 ? 12 : 2;

    g_string_append_printf (svg, "<text x=\"%d\" y=\"%d\">%g</text>\n", b.x0 + inset, b.y0 + inset + 10,
        wang_factors[f]);
  }
  g_string_append (svg, "</svg>\n");
  if (!g_file_set_contents (path, svg->str, svg->len, &error)) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
  }
  papers_text (page, "\n![Sources of the full search around the hole, and the windows of smaller factors]("
      "images/wang-map.svg)\n");
}

static void
write_map (PapersPage * page)
{
  const PapersColumn *c = NULL;

  for (guint j = 0; j < page->columns->len && c == NULL; j++)
    if (!isnan (papers_get (g_ptr_array_index (page->columns, j), "wang/map-whole/000")))
      c = g_ptr_array_index (page->columns, j);
  papers_text (page, "\n## Where best patches lie\n\nTheir figure 2 shows that they lie near the hole. ");
  if (c == NULL) {
    papers_text (page, "The quick run does not search the whole frame.\n");
    return;
  }
  papers_text (page, "Sources of the full search with patches of 9x9 on `fruits`; the hole, and the windows of the other "
      "factors. Blue: sources are whole known patches, as ours. Red: patches may overlap the hole, and then fewer pixels "
      "are compared, so that many lie at its edge.\n");
  draw_map (page, c);
  papers_table (page, "factor", "area of the window, % of the frame", "sources in it, %: whole known patches",
      "patches that may overlap the hole", NULL);
  for (guint f = 1; f < WANG_FACTORS; f++) {
    papers_cell (page, "%g", wang_factors[f]);
    papers_cell_number (page, 100 * get_area (f) / (WANG_WIDTH * WANG_HEIGHT), MISSING);
    papers_cell_number (page, papers_get (c, "wang/near-whole/%g", wang_factors[f]), MISSING);
    papers_cell_number (page, papers_get (c, "wang/near-theirs/%g", wang_factors[f]), MISSING);
    papers_row_end (page);
  }
}

static void
write_quality (PapersPage * page)
{
  const PapersColumn *c = g_ptr_array_index (page->columns, 0);
  gboolean has_pictures = FALSE;

  papers_text (page, "\n## Does a small window look as good?\n\nMeans over the four scenes of "
      "[inpainting](../algorithms/inpaint.md), filled by ours. Seam: error of gradients at the edge of the hole, in "
      "levels, best 0. Texture: gradients inside, best 1. PSNR: of the hole, in dB.\n");
  papers_table (page, "factor", "seam, 9x9", "13x13", "17x17", "texture, 9x9", "13x13", "17x17", "PSNR, 9x9", "13x13",
      "17x17", NULL);
  for (guint f = 0; f < WANG_FACTORS; f++) {
    static const gchar *const what[] = { "seam", "texture", "psnr" };
    g_autofree gchar *name = name_factor (f);

    papers_cell (page, "%s", name);
    for (guint k = 0; k < 3; k++)
      for (guint p = 0; p < WANG_PATCHES; p++)
        papers_cell_number (page, papers_get (c, "wang/quality/%d/%g/%s", wang_patches[p], wang_factors[f], what[k]),
            MISSING);
    papers_row_end (page);
  }
  for (guint i = 0; i < 2; i++) {
    const gchar *name = i == 0 ? "fruits" : "vtest";

    /* Shows the pictures, which only a run that is not quick writes. */
    if (!isnan (papers_get (c, "wang/%s/all/17/-1", name))) {
      if (!has_pictures)
        papers_text (page, "\nOurs, from the left to the right: the full search, factors 2, 1, 0.5, 0.2 and 0.05; from "
            "the top: patches of 9x9, 13x13 and 17x17.\n");
      has_pictures = TRUE;
      papers_text (page, "\n![%s, filled with each factor and patch](images/wang-%s.png)\n", name, name);
    }
  }
}

/* ---- Claims ----------------------------------------------------------------- */

/* Returns how well the times of a method lie on a line over the area: the square of the
 * correlation. */
static gdouble
correlate (const PapersColumn * c, const gchar * name)
{
  gdouble sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, n = WANG_FACTORS, d;

  for (guint f = 0; f < WANG_FACTORS; f++) {
    gdouble x = get_area (f), y = get (c, name, 0, f);

    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  d = (n * sxx - sx * sx) * (n * syy - sy * sy);
  return (n * sxy - sx * sy) * (n * sxy - sx * sy) / d;
}

static void
claim_search (PapersPage * page, const PapersColumn * c)
{
  gdouble share = papers_get (c, "wang/share/best-patch"), line = correlate (c, "local");
  gdouble area = 100 * get_area (3) / (WANG_WIDTH * WANG_HEIGHT);
  gdouble ours = get (c, "fruits/all", 0, 0), near = papers_get (c, "wang/near-whole/0.5");

  papers_claim (page, "The search takes 98.2 % of the time", c, PAPERS_VERDICT (share >= 90), "%s %%",
      papers_number (share));
  if (isnan (line)) {
    papers_claim (page, "Time is linear in the area that is searched", c, PAPERS_CANNOT_BE_TESTED,
        "the quick run has one window");
    return;
  }
  papers_claim (page, "Time is linear in the area that is searched", c, PAPERS_VERDICT (line > 0.98),
      "squared correlation of their way %s, of ours %s", papers_number (line), papers_number (correlate (c,
              "fruits/all")));
  papers_claim (page, "A picture takes less than 5 s", c, PAPERS_VERDICT (ours < 1e3 * PATIENCE
          && get (c, "local", 0, 0) < 1e3 * PATIENCE), "their way takes %s s, ours %s s, full search",
      papers_number (get (c, "local", 0, 0) / 1e3), papers_number (ours / 1e3));
  if (isnan (near))
    papers_claim (page, "Best patches lie near the hole", c, PAPERS_CANNOT_BE_TESTED, "no full search was finished");
  else
    papers_claim (page, "Best patches lie near the hole", c, PAPERS_VERDICT (near > 2 * area),
        "%s %% within factor 0.5, which is %s %% of the frame; %s %% within 1; patches that may overlap the hole: %s %% "
        "and %s %%", papers_number (near), papers_number (area), papers_number (papers_get (c, "wang/near-whole/1")),
        papers_number (papers_get (c, "wang/near-theirs/0.5")), papers_number (papers_get (c, "wang/near-theirs/1")));
}

static void
claim_patches (PapersPage * page, const PapersColumn * c)
{
  gdouble nine = get (c, "local", 0, 5), large = get (c, "local", 2, 5), small = get (c, "pixels", 0, 5);
  gdouble most = get (c, "pixels", 2, 5), tile = get (c, "global", 0, 5) / get (c, "local", 0, 5);
  gdouble seam = papers_get (c, "wang/quality/9/0.05/seam"), full = papers_get (c, "wang/quality/9/-1/seam");
  gdouble psnr = papers_get (c, "wang/quality/9/0.05/psnr"), psnr_full = papers_get (c, "wang/quality/9/-1/psnr");

  papers_claim (page, "Local memory gains in the search", c, PAPERS_VERDICT (tile > 1.05), "%s times as fast at 0.05",
      papers_number (tile));
  if (isnan (large)) {
    papers_claim (page, "Larger patches are faster in small windows", c, PAPERS_CANNOT_BE_TESTED,
        "the quick run has one size");
  } else {
    papers_claim (page, "Larger patches are faster in small windows", c, PAPERS_VERDICT (large < nine),
        "17x17 takes %s of the time of 9x9 at 0.05, in their way (theirs 0.567 [c]); in ours %s",
        papers_number (large / nine), papers_number (get (c, "fruits/all", 2, 5) / get (c, "fruits/all", 0, 5)));
    papers_claim (page, "That is because fewer pixels are compared", c, PAPERS_VERDICT (most < small),
        "%s billion pixels with 9x9 and %s with 17x17; but %.0f and %.0f steps", papers_number (small),
        papers_number (most), get (c, "steps", 0, 5), get (c, "steps", 2, 5));
  }
  papers_claim (page, "A small window looks as good", c, PAPERS_VERDICT (seam < 1.1 * full && psnr > psnr_full - 0.5),
      "seam %s at 0.05 and %s with the full search, PSNR %s and %s dB", papers_number (seam), papers_number (full),
      papers_number (psnr), papers_number (psnr_full));
}

/* Compares a graphics card with the CPU of another column. */
static void
claim_card (PapersPage * page, const PapersColumn * c)
{
  const PapersColumn *base = g_ptr_array_index (page->columns, 0);
  gdouble ratio = get (base, "local", 0, 0) / get (c, "local", 0, 0);

  if (base == c || isnan (ratio) || !g_str_has_prefix (base->name, "PoCL"))
    papers_claim (page, "The GPU is 4.07 times as fast as the CPU [c]", c, PAPERS_CANNOT_BE_TESTED, "%s",
        base == c ? "this is the processor" : "not measured");
  else
    papers_claim (page, "The GPU is 4.07 times as fast as the CPU [c]", c, PAPERS_VERDICT (ratio >= OVER_CPU),
        "%s times as fast as %s, in their way with the full search", papers_number (ratio), base->name);
}

static void
write_page (PapersPage * page)
{
  gdouble way[8] = { 0 }, ours[8] = { 0 }, small[8] = { 0 };

  write_theirs (page);
  papers_text (page, "\n## Times\n\n`fruits` and a frame of `vtest.avi`, a hole of 76x128 in the middle. Their way, as we "
      "understand it: eight kernels and two that choose, a work-item for each candidate in groups of 8x8, windows "
      "without the radius of a patch, candidates whose patches lie in the frame but may overlap the hole (at 0.05 and "
      "13x13 there are no others), and costs that are means over the pixels that both patches know. With local memory a group has its "
      "pixels and the target's patch there, 1.63 KB at 9x9. It gives the bytes of scalar code.\n\n"
      "[Ours](../algorithms/inpaint.md) is other work: comparisons stop early, sources are whole known patches. Without "
      "shortcuts all candidates are compared; the bytes are the same.\n");
  for (guint j = 0; j < page->columns->len; j++)
    write_cells (page, g_ptr_array_index (page->columns, j));
  write_area (page);
  write_shares (page);
  write_counts (page);
  write_map (page);
  write_quality (page);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);

    claim_search (page, c);
    claim_patches (page, c);
    claim_card (page, c);
    if (j < G_N_ELEMENTS (way)) {
      way[j] = get (c, "local", 0, 0) / 1e3;
      ours[j] = get (c, "fruits/all", 0, 0) / 1e3;
      small[j] = get (c, "fruits/all", 2, 5) / 1e3;
    }
  }
  papers_summarize (page, "inpainting, full search, 9x9, their way, s", "Snapdragon S4", "96.652", 96.652, way, TRUE,
      TRUE, "other pictures; details of their kernels are not stated");
  papers_summarize (page, "the same, ours, s", "Snapdragon S4", "96.652", 96.652, ours, TRUE, FALSE,
      "comparisons stop early, sources are whole known patches");
  papers_summarize (page, "factor 0.05, 17x17, ours, s", "Snapdragon S4", "4.266", 4.266, small, TRUE, FALSE,
      "as above");
}

static void
check (void)
{
  gdouble sum = 0, time = FRAME_SECONDS * theirs[5].width * theirs[5].height / (WANG_WIDTH * WANG_HEIGHT) +
      REST_SECONDS;

  for (guint i = 0; i < WANG_STAGES; i++)
    sum += cycles[i];
  papers_check (sum >= 98 && sum <= 102, "wang: cycles add up to %g %%", sum);
  papers_check (fabs (CPU_SECONDS / theirs[0].times[0] - OVER_CPU) < 0.005, "wang: GPU over CPU");
  papers_check (fabs (time / theirs[5].times[0] - 1) < 0.06, "wang: the line gives %g s for the smallest window", time);
  papers_check (fabs (FRAME_SECONDS * theirs[2].width * theirs[2].height / (WANG_WIDTH * WANG_HEIGHT) + REST_SECONDS
          - theirs[2].times[0]) < 0.06 * theirs[2].times[0], "wang: the line");
  papers_check (fabs ((16 * 16 * 4 + 9 * 9 * 8) / 1024.0 - LOCAL_KB) < 0.005, "wang: local memory");
}

const Paper papers_wang = {
  "wang", "Wang",
  "Wang, Xiong, Yun, Cavallaro: Accelerating Computer Vision Algorithms Using OpenCL Framework on the Mobile GPU - a "
      "Case Study (2013)",
  check, wang_measure, write_page
};

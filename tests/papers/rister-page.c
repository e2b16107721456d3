/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the page about the paper of Rister and others. */
#include "rister.h"

#include <math.h>

/* Figures that the paper prints: milliseconds on a Nexus 7. NaN: not printed */
static const struct
{
  const gchar *stage;
  gdouble cpu, gpu;
} nexus[] = {
  {"pyramid", 734.3, 28.2}, {"differences", 3.6, 4.5}, {"extrema", 5.1, 32.8}, {"refinement", 0.8, NAN},
  {"gradient", 45.0, 33.2}
};

/* Times of the whole algorithm with the GPU, in milliseconds. The last row is their sum, which the
 * paper does not print [c]. */
static const gchar *const phones[] = { "S4", "Nexus 7", "Note II", "Tegra 250" };

static const struct
{
  const gchar *stage;
  gdouble times[4];
} in_use[] = {
  {"pyramid", {43.5, 28.2, 38.7, 52.8}}, {"readback", {8.4, 23.5, 43.1, 5.0}},
  {"orientation", {43.6, 58.0, 49.5, 67.4}}, {"other", {5.8, 8.3, 0.8, 1.3}},
  {"sum [c]", {101.3, 118.0, 132.1, 126.5}}
};

#define SPEEDUP_LOW 4.7
#define SPEEDUP_HIGH 7.0
#define IMAGES_PER_SECOND 9.9
#define CPU_MILLIWATTS 3186.0
#define CPU_MILLIJOULES 3161.0
#define BOTH_MILLIWATTS 3383.0
#define BOTH_MILLIJOULES 430.0
#define ENERGY_SAVED 86.4       /* computed from the paper's figures [c]; the paper prints 87 */
#define ENERGY_SPEEDUP 7.8      /* [c] */
#define SMALL 148.0             /* milliseconds for 224x224 doubled, up to refinement */
#define KAYOMBYA 952.0
#define SMALL_SPEEDUP 6.4
#define LOST 64.0
#define MISSING "not measured"

static void
write_theirs (PapersPage * page)
{
  papers_text (page, "OpenGL ES 2.0; pictures of 320x280 (one caption says 320x240), three octaves, not doubled, with "
      "directions, 88 keypoints on average. The CPU has optimized code of one thread. Milliseconds:\n");
  papers_table (page, "Nexus 7", "CPU", "GPU", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (nexus); i++) {
    papers_cell (page, "%s", nexus[i].stage);
    papers_cell (page, "%.1f", nexus[i].cpu);
    if (isnan (nexus[i].gpu))
      papers_cell (page, "none");
    else
      papers_cell (page, "%.1f", nexus[i].gpu);
    papers_row_end (page);
  }
  papers_table (page, "in use", phones[0], phones[1], phones[2], phones[3], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (in_use); i++) {
    papers_cell (page, "%s", in_use[i].stage);
    for (guint j = 0; j < 4; j++)
      papers_cell (page, "%.1f", in_use[i].times[j]);
    papers_row_end (page);
  }
  papers_text (page, "\nUpload takes 0.5 ms, readback of the pyramid 23.5, of keypoints 0.8, of gradients 21.7; so the "
      "GPU keeps the pyramid only. The speedup is 4.7 (Note II) to 7.0 (Nexus 7); the S4 makes 9.9 images a second. "
      "Energy on a Tegra 250 board over 50 s: the CPU takes 3186 mW and 3161 mJ an image, both processors 3383 mW and "
      "430 mJ: 87 %% less (86.4 [c]). Energy by power makes 7.8 times in time [c], outside of the range of speedups. "
      "224x224 doubled, up to refinement: 148 ms, and 952 ms in Kayombya's work (6.4 times). Pictures that are not "
      "doubled lose 64 %% of the features. Packing 2x2 samples needs a quarter of the fetches. Figure 5 is lost.\n");
}

/* Writes the figures of both sets of keypoints. */
static void
write_times (PapersPage * page)
{
  static const gchar *const sets[] = { "default", "few" };

  papers_text (page, "\n## Times\n\n[Ours](../algorithms/sift.md) with `upsample=false octaves=3 descriptor=none`, on "
      "`graf1`, `building`, `box_in_scene`, `home`, `messi5`, `baboon`, `fruits` and `leuvenA` of opencv-doc, "
      "stretched to 320x280; milliseconds for one picture. OpenCV always doubles, VLFeat is called so, too, and both "
      "compute directions: they do four times the work.\n");
  papers_table (page, "keypoints", "measured on", "contrast", "wall", "kernels", "with transfers", "scalar C",
      "OpenCV, 1 thread, doubled", "VLFeat, doubled", "over scalar C", NULL);
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);
      guint n = papers_get (c, "rister/pictures");
      g_autofree gchar *key = g_strdup_printf ("rister/set-of-%u/%s", n, sets[i]);
      gdouble wall = papers_get (c, "%s/ours/wall", key) / n;

      papers_cell_number (page, papers_get (c, i == 0 ? "rister/points" : "rister/points-few"), MISSING);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, i == 0 ? 0.04 : papers_get (c, "rister/contrast"), MISSING);
      papers_cell_number (page, wall, MISSING);
      papers_cell_number (page, papers_get (c, "%s/ours/device", key) / n, "not told");
      papers_cell_number (page, papers_get (c, "%s/transfers/wall", key) / n, MISSING);
      papers_cell_number (page, papers_get (c, "%s/processor", key) / n, MISSING);
      papers_cell_number (page, papers_get (c, "%s/opencv/wall", key) / n, "not built in");
      papers_cell_number (page, papers_get (c, "%s/vlfeat/wall", key) / n, "not built in");
      papers_cell_number (page, papers_get (c, "%s/processor", key) / n / wall, MISSING);
      papers_row_end (page);
    }
}

static gdouble
sum_stages (const PapersColumn * c, const gchar * set)
{
  gdouble sum = 0;

  for (guint i = 0; i < RISTER_STAGES; i++)
    sum += papers_get (c, "rister/%s/%s", set, rister_stages[i]);
  return sum;
}

static void
write_stages (PapersPage * page)
{
  static const gchar *const names[RISTER_STAGES] = {
    "pyramid: loading and blurs", "differences, extrema, refinement", "sorting", "directions"
  };
  PapersPlot *plot = papers_plot_new ("Shares of the kernels, percent, as many keypoints as theirs", "", "", FALSE,
      FALSE);

  papers_text (page, "\n## Stages\n\nMilliseconds of the kernels, each timed by itself, and shares. Differences, "
      "extrema and refinement are one kernel here; sorting has no counterpart there.\n");
  papers_table (page, "stage", "measured on", "default contrast", "share", "as many as theirs", "share", NULL);
  for (guint i = 0; i < RISTER_STAGES; i++) {
    const gchar *bars[8];
    gdouble values[8];
    guint n = 0;

    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s", names[i]);
      papers_cell (page, "%s", c->name);
      for (guint k = 0; k < 2; k++) {
        const gchar *set = k == 0 ? "default" : "few";
        gdouble time = papers_get (c, "rister/%s/%s", set, rister_stages[i]);
        gdouble share = 100 * time / sum_stages (c, set);

        papers_cell_number (page, time, MISSING);
        papers_cell (page, "%s %%", papers_number (share));
        if (k == 1 && n < 8) {
          bars[n] = c->name;
          values[n++] = share;
        }
      }
      papers_row_end (page);
    }
    papers_plot_bars (plot, names[i], n, bars, values);
  }
  papers_plot_end (plot, page, "stages", "Shares of the stages");
  papers_text (page, "\nTheirs, in use, on the Nexus 7 [c]: pyramid %.1f %%, readback %.1f %%, orientation %.1f %%, "
      "other %.1f %%.\n", 100 * 28.2 / 118.0, 100 * 23.5 / 118.0, 100 * 58.0 / 118.0, 100 * 8.3 / 118.0);
}

static void
write_lost (PapersPage * page)
{
  papers_text (page, "\n## Features lost without doubling\n\nThe same bytes on all devices. The paper loses 64 %%.\n");
  papers_table (page, "picture", "keypoints", "doubled", "lost", NULL);
  for (guint i = 0; i <= RISTER_PICTURES; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, 0);
    const gchar *name = i < RISTER_PICTURES ? rister_pictures[i] : "";
    gdouble points = i < RISTER_PICTURES ? papers_get (c, "rister/points/%s", name) : NAN;
    gdouble doubled = papers_get (c, "rister/points-doubled/%s", name);

    if (i < RISTER_PICTURES && isnan (points))
      continue;
    papers_cell (page, "%s", i < RISTER_PICTURES ? name : "all");
    papers_cell_number (page, i < RISTER_PICTURES ? points : papers_get (c, "rister/points"), MISSING);
    papers_cell_number (page, i < RISTER_PICTURES ? doubled : papers_get (c, "rister/points") / (1
            - papers_get (c, "rister/lost") / 100), MISSING);
    papers_cell (page, "%s %%", papers_number (i < RISTER_PICTURES ? 100 - 100 * points / doubled
            : papers_get (c, "rister/lost")));
    papers_row_end (page);
  }
}

static void
write_sizes (PapersPage * page)
{
  PapersPlot *plot = papers_plot_new ("Time over size, not doubled, three octaves", "pixels of the picture",
      "milliseconds", TRUE, TRUE);

  papers_text (page, "\n## Time over size\n\n`fruits`, default contrast, milliseconds.\n");
  papers_table (page, "size", "measured on", "keypoints", "wall", "kernels", "with transfers", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    gdouble x[RISTER_SIZES], y[RISTER_SIZES];

    for (guint i = 0; i < RISTER_SIZES; i++) {
      g_autofree gchar *key = g_strdup_printf ("rister/size/%dx%d", rister_sizes[i][0], rister_sizes[i][1]);

      x[i] = rister_sizes[i][0] * rister_sizes[i][1];
      y[i] = papers_get (c, "%s/ours/wall", key);
      if (!isnan (y[i])) {
        papers_cell (page, "%dx%d", rister_sizes[i][0], rister_sizes[i][1]);
        papers_cell (page, "%s", c->name);
        papers_cell_number (page, papers_get (c, "%s/points", key), MISSING);
        papers_cell_number (page, y[i], MISSING);
        papers_cell_number (page, papers_get (c, "%s/ours/device", key), "not told");
        papers_cell_number (page, papers_get (c, "%s/transfers/wall", key), MISSING);
        papers_row_end (page);
      }
    }
    papers_plot_line (plot, c->name, RISTER_SIZES, x, y);
  }
  papers_plot_end (plot, page, "sizes", "Time over the size of the picture");
  papers_text (page, "\n### 224x224, doubled\n\nTheirs: 148 ms up to refinement, Kayombya's 952. Milliseconds; scalar C "
      "has directions, too.\n");
  papers_table (page, "measured on", "kernels up to refinement", "all, wall", "scalar C", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);

    papers_cell (page, "%s", c->name);
    papers_cell_number (page, papers_get (c, "rister/224/refined"), MISSING);
    papers_cell_number (page, papers_get (c, "rister/224/ours/wall"), MISSING);
    papers_cell_number (page, papers_get (c, "rister/224/processor"), MISSING);
    papers_row_end (page);
  }
}

static void
write_transfers (PapersPage * page)
{
  papers_text (page, "\n## Reading back\n\nA copy to host memory, milliseconds. The pyramid has six levels of three "
      "octaves in float, 2.8 MB; gradients are two floats for each sample of three levels.\n");
  papers_table (page, "measured on", "pyramid", "gradients", "88 keypoints", "pyramid over keypoints",
      "pyramid over our kernels", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    gdouble pyramid = papers_get (c, "rister/readback/pyramid/wall");
    gdouble points = papers_get (c, "rister/readback/keypoints/wall");

    papers_cell (page, "%s", c->name);
    papers_cell_number (page, pyramid, MISSING);
    papers_cell_number (page, papers_get (c, "rister/readback/gradients/wall"), MISSING);
    papers_cell_number (page, points, MISSING);
    papers_cell_number (page, pyramid / points, MISSING);
    papers_cell_number (page, pyramid / sum_stages (c, "few"), MISSING);
    papers_row_end (page);
  }
  papers_text (page, "\nTheirs, Nexus 7: pyramid 23.5, gradients 21.7, keypoints 0.8.\n");
}

static gdouble
get_blur (const PapersColumn * c, guint size, guint way)
{
  return papers_get (c, "rister/blur/%dx%d/%s/wall", rister_sizes[size][0], rister_sizes[size][1],
      rister_blurs[way]);
}

static void
write_blurs (PapersPage * page)
{
  static const gchar *const names[RISTER_BLURS] = {
    "2D", "separable", "2D, 2x2 samples packed", "separable, 2x2 samples packed"
  };

  papers_text (page, "\n## Blurs\n\nOne blur of radius 6 in float, milliseconds: 169 fetches of a sample in 2D, 26 "
      "separable, 12.25 and 3.5 packed.\n");
  papers_table (page, "way", "measured on", "320x280", "640x480", "1280x720", "1920x1080", NULL);
  for (guint i = 0; i < RISTER_BLURS; i++)
    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s", names[i]);
      papers_cell (page, "%s", c->name);
      for (guint s = 0; s < RISTER_SIZES; s++)
        papers_cell_number (page, get_blur (c, s, i), MISSING);
      papers_row_end (page);
    }
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    g_autofree gchar *title = g_strdup_printf ("A blur of radius 6: %s", c->name), *file = g_strdup_printf ("blurs-%u", j + 1);
    PapersPlot *plot = papers_plot_new (title, "pixels of the picture", "milliseconds", TRUE, TRUE);

    for (guint i = 0; i < RISTER_BLURS; i++) {
      gdouble x[RISTER_SIZES], y[RISTER_SIZES];

      for (guint s = 0; s < RISTER_SIZES; s++) {
        x[s] = rister_sizes[s][0] * rister_sizes[s][1];
        y[s] = get_blur (c, s, i);
      }
      papers_plot_line (plot, names[i], RISTER_SIZES, x, y);
    }
    papers_plot_end (plot, page, file, title);
  }
}

/* ---- Energy and claims ------------------------------------------------------ */

static void
write_energy (PapersPage * page)
{
  papers_text (page, "\n## Energy\n\nOne picture again and again, with copies. Energy is that of the card or, where "
      "there is a counter, of the processor; less idle: without what it takes when it does nothing. Elsewhere "
      "processor time stands in its place: it is no energy.\n");
  papers_table (page, "measured on", "images per second", "power, W", "idle, W", "energy of an image, mJ",
      "less idle, mJ", "processor time of an image, ms", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);

    papers_cell (page, "%s", c->name);
    papers_cell_number (page, papers_get (c, "rister/energy/images-per-second"), MISSING);
    papers_cell_number (page, papers_get (c, "rister/energy/watts"), "no meter");
    papers_cell_number (page, papers_get (c, "rister/energy/idle-watts"), "no meter");
    papers_cell_number (page, papers_get (c, "rister/energy/millijoules"), "no meter");
    papers_cell_number (page, papers_get (c, "rister/energy/millijoules-less-idle"), "no meter");
    papers_cell_number (page, papers_get (c, "rister/energy/processor"), "not counted");
    papers_row_end (page);
  }
}

static void
claim_speed (PapersPage * page, const PapersColumn * c)
{
  guint n = papers_get (c, "rister/pictures");
  gdouble speedup = papers_get (c, "rister/set-of-%u/few/processor", n)
      / papers_get (c, "rister/set-of-%u/few/ours/wall", n);
  gdouble small = papers_get (c, "rister/224/refined"), rate = papers_get (c, "rister/energy/images-per-second");
  gdouble energy = papers_get (c, "rister/energy/millijoules");

  papers_claim (page, "4.7 to 7.0 times as fast as a CPU", c, PAPERS_VERDICT (speedup >= SPEEDUP_LOW),
      "%s times our scalar code", papers_number (speedup));
  if (isnan (rate))
    papers_claim (page, "9.9 images a second", c, PAPERS_CANNOT_BE_TESTED, "no counter of the card could be read");
  else
    papers_claim (page, "9.9 images a second", c, PAPERS_VERDICT (rate >= IMAGES_PER_SECOND), "%s images a second",
        papers_number (rate));
  papers_claim (page, "224x224 doubled, up to refinement, takes 148 ms", c, PAPERS_VERDICT (small <= SMALL),
      "%s ms of kernels", papers_number (small));
  if (isnan (energy))
    papers_claim (page, "An image takes 87 % less energy than on the CPU", c, PAPERS_CANNOT_BE_TESTED,
        "there is no meter of energy");
  else
    papers_claim (page, "An image takes 87 % less energy than on the CPU", c, PAPERS_CANNOT_BE_TESTED,
        "%s mJ here; the CPU beside it has no meter", papers_number (energy));
}

static void
claim_ways (PapersPage * page, const PapersColumn * c)
{
  gdouble lost = papers_get (c, "rister/lost"), pyramid = papers_get (c, "rister/readback/pyramid/wall");
  gdouble points = papers_get (c, "rister/readback/keypoints/wall"), kernels = sum_stages (c, "few");
  guint size = isnan (get_blur (c, RISTER_SIZES - 1, 0)) ? 0 : RISTER_SIZES - 1;
  gdouble separable = get_blur (c, size, 0) / get_blur (c, size, 1);
  gdouble packed = get_blur (c, size, 0) / get_blur (c, size, 2);
  gdouble packed_separable = get_blur (c, size, 1) / get_blur (c, size, 3);
  gdouble share = 100 * papers_get (c, "rister/few/pyramid") / kernels;
  gdouble directions = 100 * papers_get (c, "rister/few/orient") / kernels;

  papers_claim (page, "Not doubling loses 64 % of the features", c, PAPERS_VERDICT (fabs (lost - LOST) <= 10),
      "%s %%", papers_number (lost));
  papers_claim (page, "Reading the pyramid back is dear, keypoints are cheap", c,
      PAPERS_VERDICT (pyramid > 5 * points && pyramid > 0.1 * kernels), "%s ms and %s ms; the kernels take %s ms",
      papers_number (pyramid), papers_number (points), papers_number (kernels));
  papers_claim (page, "Packing 2x2 samples gains", c, PAPERS_VERDICT (packed > 1.05 && packed_separable > 1.05),
      "%s times as fast in 2D, %s separable", papers_number (packed), papers_number (packed_separable));
  papers_claim (page, "Separable blurs gain", c, PAPERS_VERDICT (separable > 1.05), "%s times as fast",
      papers_number (separable));
  papers_claim (page, "Directions take half of the time (49.2 % [c]), the pyramid a quarter (23.9 % [c])", c,
      PAPERS_VERDICT (fabs (share - 23.9) < 10 && fabs (directions - 49.2) < 10),
      "the pyramid takes %s %% of the kernels, directions %s %%", papers_number (share), papers_number (directions));
}

static void
summarize (PapersPage * page)
{
  gdouble times[8] = { 0 }, rates[8] = { 0 }, small[8] = { 0 }, lost[8] = { 0 };

  for (guint j = 0; j < MIN (page->columns->len, 8); j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    guint n = papers_get (c, "rister/pictures");

    times[j] = papers_get (c, "rister/set-of-%u/few/transfers/wall", n) / n;
    rates[j] = papers_get (c, "rister/energy/images-per-second");
    small[j] = papers_get (c, "rister/224/refined");
    lost[j] = papers_get (c, "rister/lost");
  }
  papers_summarize (page, "SIFT of 320x280, ms", "S4, best of four", "101.3 [c]", 101.3, times, TRUE, TRUE,
      "other pictures, as many keypoints, with transfers; refinement on the device");
  papers_summarize (page, "images a second", "S4", "9.9", IMAGES_PER_SECOND, rates, FALSE, TRUE,
      "one picture again and again, default contrast");
  papers_summarize (page, "224x224 doubled, up to refinement, ms", "not stated", "148", SMALL, small, TRUE, TRUE,
      "kernels alone here");
  papers_summarize (page, "features lost without doubling, %", "any", "64", NAN, lost, TRUE, FALSE,
      "other pictures");
}

static void
write_page (PapersPage * page)
{
  write_theirs (page);
  write_times (page);
  write_stages (page);
  write_lost (page);
  write_sizes (page);
  write_transfers (page);
  write_blurs (page);
  write_energy (page);
  papers_text (page, "\n## Their future work\n\nMore threads on the CPU, and OpenCL: both are done here. PoCL uses all "
      "cores.\n");
  for (guint j = 0; j < page->columns->len; j++) {
    claim_speed (page, g_ptr_array_index (page->columns, j));
    claim_ways (page, g_ptr_array_index (page->columns, j));
  }
  summarize (page);
}

/* Computes the sums of columns, and values that follow from power and energy. */
static void
check (void)
{
  gdouble cpu_seconds = CPU_MILLIJOULES / CPU_MILLIWATTS, both_seconds = BOTH_MILLIJOULES / BOTH_MILLIWATTS;

  for (guint j = 0; j < 4; j++) {
    gdouble sum = 0;

    for (guint i = 0; i < 4; i++)
      sum += in_use[i].times[j];
    papers_check (fabs (sum - in_use[4].times[j]) < 0.051, "rister: the column %s adds up to %g", phones[j], sum);
  }
  papers_check (fabs (1000 / in_use[4].times[0] - IMAGES_PER_SECOND) < 0.05, "rister: images per second");
  papers_check (fabs (100 - 100 * BOTH_MILLIJOULES / CPU_MILLIJOULES - ENERGY_SAVED) < 0.05, "rister: energy saved");
  papers_check (fabs (cpu_seconds / both_seconds - ENERGY_SPEEDUP) < 0.05, "rister: energy by power");
  papers_check (cpu_seconds / both_seconds > SPEEDUP_HIGH, "rister: energy by power lies in the range");
  papers_check (fabs (KAYOMBYA / SMALL - SMALL_SPEEDUP) < 0.05, "rister: Kayombya");
}

const Paper papers_rister = {
  "rister", "Rister",
  "Rister, Wang, Wu, Cavallaro: A Fast and Efficient SIFT Detector Using the Mobile GPU (2013)",
  check, rister_measure, write_page
};

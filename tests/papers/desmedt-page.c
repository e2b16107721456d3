/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the page about the paper of De Smedt and others. */
#include "desmedt.h"

#include <math.h>

/* Fractions that the paper prints, in percent, for its implementations A to D. NaN: not printed */
static const struct
{
  const gchar *stage;
  gdouble shares[4];
} theirs[] = {
  {"transform", {0.31, 0.823, 0.431, 0.576}},
  {"rescale", {20.05, 88.99, 48.41, 44.397}},
  {"histogram", {69.39, NAN, 48.28, 45.55}},
  {"adding them", {NAN, NAN, 1.164, 1.374}},
  {"energy", {0.52, NAN, NAN, 0.443}},
  {"features", {9.73, NAN, NAN, NAN}},
  {"contrast", {NAN, NAN, NAN, 2.48}},
  {"texture", {NAN, NAN, NAN, 0.443}},
  {"sum", {NAN, NAN, NAN, 0.266}},
  {"copies", {NAN, 10.19, 1.72, 3.90}}
};

#define D_SUM 99.43
#define AMDAHL_B 1.25           /* [c] */
#define AMDAHL_C 9.5            /* [c] */
#define CPU_SECONDS 0.60
#define GPU_SECONDS 0.15
#define MISSING "not measured"

static const gchar *const ways[] = { "A: all in C", "B: rescaling on the device", "C: histograms too",
  "D: all on the device"
};

static gdouble
get_copy (const PapersColumn * c, const gchar * what)
{
  return papers_get (c, "desmedt/copies/%s/wall", what);
}

/* Returns the milliseconds of the implementations A to D; B and C are sums of measured parts. */
static gdouble
get_way (const PapersColumn * c, guint way)
{
  gdouble cpu[DESMEDT_STAGES], kernels[DESMEDT_KERNELS];

  for (guint i = 0; i < DESMEDT_STAGES; i++)
    cpu[i] = papers_get (c, "desmedt/cpu/%s", desmedt_stages[i]);
  for (guint i = 0; i < DESMEDT_KERNELS; i++)
    kernels[i] = papers_get (c, "desmedt/kernels/%s", desmedt_kernels[i]);
  switch (way) {
    case 0:
      return papers_get (c, "desmedt/cpu/processor");
    case 1:
      return get_copy (c, "upload") + kernels[0] + get_copy (c, "pictures") + cpu[1] + cpu[2] + cpu[3];
    case 2:
      return get_copy (c, "upload") + kernels[0] + kernels[1] + get_copy (c, "histograms") + cpu[2] + cpu[3];
    default:
      return papers_get (c, "desmedt/pyramid/transfers/wall");
  }
}

static void
write_theirs (PapersPage * page)
{
  papers_text (page, "Core i7 965 at 3.2 GHz, gcc -O3, and one of the two devices of a GTX 295. 795 pictures of 600x480 "
      "(\"PETS2010\"), three times; profiles are of 30 pictures, seven times, on the GPU and of callgrind on the CPU. "
      "Features as in voc-dpm release 4: cells of 4 and 8 pixels, 18 + 9 + 4 + 1 features. How many levels there are "
      "is not stated. The pyramid of a picture takes circa 0.60 s on the CPU and 0.15 s on the GPU. Figure 9, the "
      "times of A to D, is lost; the year is not printed. A: all in C. B: the device rescales, pictures are read back. "
      "C: histograms too, read back. D: all, features read back. Percent:\n");
  papers_table (page, "%", "A, CPU", "B", "C", "D", NULL);
  for (guint i = 0; i <= G_N_ELEMENTS (theirs); i++) {
    papers_cell (page, "%s", i < G_N_ELEMENTS (theirs) ? theirs[i].stage : "added up [c]");
    for (guint j = 0; j < 4; j++) {
      gdouble sum = 0;

      for (guint k = 0; k < G_N_ELEMENTS (theirs); k++)
        sum += isnan (theirs[k].shares[j]) ? 0 : theirs[k].shares[j];
      if (i == G_N_ELEMENTS (theirs))
        papers_cell (page, "%.2f", sum);
      else if (isnan (theirs[i].shares[j]))
        papers_cell (page, "-");
      else
        papers_cell (page, "%g", theirs[i].shares[j]);
    }
    papers_row_end (page);
  }
  papers_text (page, "\nBounds by Amdahl's law from the shares of A, where the device takes no time: B 1.25 times [c], "
      "C 9.5 times [c].\n");
}

static void
write_ways (PapersPage * page)
{
  PapersPlot *plot = papers_plot_new ("A to D: milliseconds for a picture, logarithmic", "", "", FALSE, TRUE);

  papers_text (page, "\n## Implementations A to D\n\nOurs: [fhog](../algorithms/fhog.md) with `resize=linear`, RGB of "
      "600x480, 10 levels an octave. The pictures are frames of opencv-doc's `vtest.avi`, which has 795 of 768x576 and "
      "shows the scene of PETS 2009 S2.L1, view 1: probably theirs, not proven. A is our scalar code, in processor "
      "time. B and C do not exist: their parts were measured one by one and are added up here, with the kernels of a "
      "graphics card. D is measured, with the "
      "copy of the picture and of the features. Milliseconds:\n");
  papers_table (page, "way", "measured on", "ms", "times as fast as A", "theirs", NULL);
  for (guint i = 0; i < 4; i++) {
    const gchar *names[8];
    gdouble values[8];
    guint n = 0;

    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s%s", ways[i], i == 1 || i == 2 ? " (parts added up)" : "");
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, get_way (c, i), MISSING);
      papers_cell_number (page, i > 0 ? get_way (c, 0) / get_way (c, i) : NAN, "-");
      papers_cell (page, "%s", i == 0 ? "circa 600 ms" : i == 3 ? "circa 150 ms, 4 times" : "lost");
      papers_row_end (page);
      if (n < G_N_ELEMENTS (values)) {
        names[n] = c->name;
        values[n++] = get_way (c, i);
      }
    }
    papers_plot_bars (plot, ways[i], n, names, values);
  }
  papers_plot_end (plot, page, "ways", "Milliseconds of A to D");
  papers_text (page, "\nWithout copies, and many pictures in turn, with copies:\n");
  papers_table (page, "measured on", "levels", "cells", "wall, ms", "kernels, ms", "pictures in turn",
      "different ones", "ms each", "pictures a second", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);

    papers_cell (page, "%s", c->name);
    papers_cell (page, "%.0f", papers_get (c, "desmedt/levels"));
    papers_cell (page, "%.0f", papers_get (c, "desmedt/cells"));
    papers_cell_number (page, papers_get (c, "desmedt/pyramid/ours/wall"), MISSING);
    papers_cell_number (page, papers_get (c, "desmedt/pyramid/ours/device"), "not told");
    papers_cell (page, "%.0f", papers_get (c, "desmedt/images"));
    papers_cell (page, "%.0f", papers_get (c, "desmedt/pictures"));
    papers_cell_number (page, papers_get (c, "desmedt/image"), MISSING);
    papers_cell_number (page, 1e3 / papers_get (c, "desmedt/image"), MISSING);
    papers_row_end (page);
  }
}

static gdouble
sum_of (const PapersColumn * c, const gchar * prefix, const gchar * const *names, guint n)
{
  gdouble sum = 0;

  for (guint i = 0; i < n; i++)
    sum += papers_get (c, "desmedt/%s/%s", prefix, names[i]);
  return sum;
}

static void
write_shares (PapersPage * page)
{
  papers_text (page, "\n## Shares\n\nScalar code by stages; and D, with the kernels of a graphics card each timed by "
      "itself, those for the processor being one that does nearly all. Features on the device have energies in them; "
      "copies are those of the picture and of the features.\n");
  papers_table (page, "stage", "measured on", "A, ms", "A, %", "theirs, %", "D, ms", "D, %", "theirs, %", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    static const gchar *const names[] = { "rescale", "histogram", "energy", "features", "copies" };
    static const gchar *const a[] = { "20.05", "69.39", "0.52", "9.73", "-" };
    static const gchar *const d[] = { "44.397", "46.924 [c]", "0.443", "3.189 [c]", "3.90" };
    gdouble sum = sum_of (c, "cpu", desmedt_stages, DESMEDT_STAGES);
    gdouble copies = get_copy (c, "upload") + get_copy (c, "features");
    gdouble all = sum_of (c, "kernels", desmedt_kernels, DESMEDT_KERNELS) + copies, percent = 0;

    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      gdouble cpu = papers_get (c, "desmedt/cpu/%s", names[i]);
      gdouble device = i == 4 ? copies : papers_get (c, "desmedt/kernels/%s", names[i]);

      papers_cell (page, "%s", names[i]);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, cpu, "-");
      papers_cell_number (page, 100 * cpu / sum, "-");
      papers_cell (page, "%s", a[i]);
      papers_cell_number (page, device, "in features");
      papers_cell_number (page, 100 * device / all, "-");
      papers_cell (page, "%s", d[i]);
      papers_row_end (page);
      percent += isnan (device) ? 0 : 100 * device / all;
    }
    papers_check (isnan (all) || (percent >= 98 && percent <= 102), "desmedt: shares of D add up to %g %%", percent);
    papers_check (isnan (sum) || fabs (sum / get_way (c, 0) - 1) < 0.5, "desmedt: stages add up to %g ms of %g", sum,
        get_way (c, 0));
  }
  papers_text (page, "\n## Copies\n\nMilliseconds, by the size of what is copied. Boxes: 100 of them, where the device "
      "looks for the model, too.\n");
  papers_table (page, "copy", "MB", "measured on", "ms", NULL);
  for (guint i = 0; i < 5; i++) {
    static const gchar *const keys[] = { "upload", "pictures", "histograms", "features", "boxes" };
    static const gchar *const names[] = { "the picture, to the device", "scaled pictures (B)", "histograms (C)",
      "features (D)", "boxes"
    };

    for (guint j = 0; j < page->columns->len; j++) {
      const PapersColumn *c = g_ptr_array_index (page->columns, j);

      papers_cell (page, "%s", names[i]);
      papers_cell_number (page, papers_get (c, "desmedt/copies/%s/bytes", keys[i]) / 1e6, MISSING);
      papers_cell (page, "%s", c->name);
      papers_cell_number (page, get_copy (c, keys[i]), MISSING);
      papers_row_end (page);
    }
  }
}

static void
write_future (PapersPage * page)
{
  papers_text (page, "\n## Their future work\n\n**Textures**: they saw accesses 3 to 4 times as fast. Ours reads buffers. "
      "One frame of four bytes a pixel, scaled to three quarters by two numbers, from a buffer and from an image:\n");
  papers_table (page, "measured on", "buffer, ms", "image, ms", "image over buffer", "all our kernels that rescale, ms",
      NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    gdouble buffer = papers_get (c, "desmedt/scale/buffer/device");
    gdouble image = papers_get (c, "desmedt/scale/image/device");

    papers_cell (page, "%s", c->name);
    papers_cell_number (page, buffer, MISSING);
    papers_cell_number (page, image, MISSING);
    papers_cell_number (page, buffer / image, MISSING);
    papers_cell_number (page, papers_get (c, "desmedt/kernels/rescale"), MISSING);
    papers_row_end (page);
  }
  papers_text (page, "\n**Vectors**: ours uses them on processors. **The search for the model on the device**, of which "
      "only boxes are read: [ours](../algorithms/dpm.md) does so; the table of copies has both.\n");
}

static void
claim (PapersPage * page, const PapersColumn * c)
{
  gdouble speedup = get_way (c, 0) / get_way (c, 3), b = get_way (c, 0) / get_way (c, 1);
  gdouble c_gain = get_way (c, 0) / get_way (c, 2), sum = sum_of (c, "cpu", desmedt_stages, DESMEDT_STAGES);
  gdouble rescale = papers_get (c, "desmedt/cpu/rescale") / sum;
  gdouble histogram = papers_get (c, "desmedt/cpu/histogram") / sum;
  gdouble image = papers_get (c, "desmedt/scale/buffer/device") / papers_get (c, "desmedt/scale/image/device");

  papers_claim (page, "All on the device is four times as fast as the CPU", c, PAPERS_VERDICT (speedup >= CPU_SECONDS
          / GPU_SECONDS), "%s times our scalar code, with copies", papers_number (speedup));
  papers_claim (page, "A takes longest, then B, C and D", c, PAPERS_VERDICT (b > 1 && c_gain > b && speedup > c_gain),
      "%s, %s, %s and %s ms; B and C are parts added up", papers_number (get_way (c, 0)), papers_number (get_way (c,
              1)), papers_number (get_way (c, 2)), papers_number (get_way (c, 3)));
  papers_claim (page, "Amdahl's bounds hold: B 1.25 [c], C 9.5 [c], from their shares", c,
      PAPERS_VERDICT (b <= 1 / (1 - rescale) * 1.02 && c_gain <= 1 / (1 - rescale - histogram) * 1.02),
      "by our shares the bounds are %s and %s; B is %s times as fast, C %s", papers_number (1 / (1 - rescale)),
      papers_number (1 / (1 - rescale - histogram)), papers_number (b), papers_number (c_gain));
  papers_claim (page, "What takes most on the CPU gains most", c, PAPERS_VERDICT ((histogram > rescale) == (c_gain / b
              > b)), "rescaling has %s %% of the CPU's time and its move gains %s times, histograms %s %% and %s times",
      papers_number (100 * rescale), papers_number (b), papers_number (100 * histogram), papers_number (c_gain / b));
  papers_claim (page, "Textures are read 3 to 4 times as fast", c, PAPERS_VERDICT (image >= 3), "%s times as fast",
      papers_number (image));
}

static void
write_page (PapersPage * page)
{
  gdouble times[8] = { 0 }, speedups[8] = { 0 };

  write_theirs (page);
  write_ways (page);
  write_shares (page);
  write_future (page);
  for (guint j = 0; j < MIN (page->columns->len, 8); j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);

    claim (page, c);
    times[j] = get_way (c, 3);
    speedups[j] = get_way (c, 0) / get_way (c, 3);
  }
  papers_summarize (page, "feature pyramid of 600x480 with copies, ms", "half a GTX 295", "circa 150", 1e3 * GPU_SECONDS,
      times, TRUE, TRUE, "probably the same pictures; 10 levels an octave, theirs is not stated");
  papers_summarize (page, "the same, times as fast as the CPU", "half a GTX 295 over a Core i7 965", "4.0 [c]",
      CPU_SECONDS / GPU_SECONDS, speedups, FALSE, TRUE, "our scalar code in one thread");
}

static void
check (void)
{
  for (guint j = 0; j < 4; j++) {
    gdouble sum = 0;

    for (guint i = 0; i < G_N_ELEMENTS (theirs); i++)
      sum += isnan (theirs[i].shares[j]) ? 0 : theirs[i].shares[j];
    papers_check (sum >= 98 && sum <= 102, "desmedt: the column %c adds up to %g %%", 'A' + j, sum);
    papers_check (fabs (sum - (j == 3 ? D_SUM : 100)) < 0.006, "desmedt: the column %c adds up to %g %%", 'A' + j, sum);
  }
  papers_check (fabs (1 / (1 - theirs[1].shares[0] / 100) - AMDAHL_B) < 0.005, "desmedt: Amdahl's bound of B");
  papers_check (fabs (1 / (1 - (theirs[1].shares[0] + theirs[2].shares[0]) / 100) - AMDAHL_C) < 0.05,
      "desmedt: Amdahl's bound of C");
  papers_check (fabs (CPU_SECONDS / GPU_SECONDS - 4) < 0.01, "desmedt: four times");
}

const Paper papers_desmedt = {
  "desmedt", "De Smedt",
  "De Smedt, Stuyf, Beckers, Vennekens, De Samblanx, Goedemé: Is the Game Worth the Candle? Evaluation of OpenCL for "
      "Object Detection (2012; the year is not printed)",
  check, desmedt_measure, write_page
};

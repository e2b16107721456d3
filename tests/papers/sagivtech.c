/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of Hirsch (SagivTech): the bilateral filter on an Adreno 330. */
#include "papers.h"

#include <gst/vision/bilateral/bilateral.h>
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "../kernelcheck/peers.h"
#include "../reference/bilateral.h"
#include "../reference/reciprocal.h"

#define RADIUS 4
#define EDGE (2 * RADIUS + 1)
#define TILE 16
#define BIAS 488.5f             /* EXP2_BIAS of the kernels */
#define LOG2E_HALF 0.72134752044448170 /* of log2 (e) */
#define N_SIZES 3
#define N_PHASES 4
#define N_THREADS 4

static const gint sizes[N_SIZES] = { 256, 512, 1024 };
static const guint threads[N_THREADS] = { 1, 2, 4, 8 };

static const gchar *const phases[N_PHASES] = { "phase_1", "phase_2", "phase_3", "phase_4" };

static const gchar *const phase_names[N_PHASES] = {
  "1: Gaussian computed", "2: Gaussian from an image", "3: tile in local memory",
  "4: tile filled from an image"
};

static const MgpuBilateralParams params = { 30, 3, RADIUS, FALSE };

#define SPEEDUP_LOW 26.0
#define SPEEDUP_HIGH 32.0
#define MISSING "not measured"

/* For one size. */
typedef struct
{
  PapersRun *run;
  gint size;
  KcPicture *picture, *result;
  const guint8 *pixels;
  guint8 *want;
  gfloat range_factor, space_factor;
  gfloat space[EDGE * EDGE], range[256];
  gpointer object;
  KcFrame *out;
  PapersOurs ours;
} Bench;

/* ---- Plain C ---------------------------------------------------------------- */

static void
fill_tables (Bench * b)
{
  b->range_factor = (gfloat) (LOG2E_HALF / (params.sigma_color * params.sigma_color));
  b->space_factor = (gfloat) (LOG2E_HALF / (params.sigma_space * params.sigma_space));
  for (gint dy = -RADIUS; dy <= RADIUS; dy++)
    for (gint dx = -RADIUS; dx <= RADIUS; dx++) {
      gint r2 = dx * dx + dy * dy;

      b->space[(dy + RADIUS) * EDGE + dx + RADIUS] = r2 > RADIUS * RADIUS ? 0
          : ref_bilateral_exp2 (fmaf (-(gfloat) r2, b->space_factor, BIAS));
    }
  for (gint d = 0; d < 256; d++)
    b->range[d] = ref_bilateral_exp2 (fmaf (-(gfloat) (d * d), b->range_factor, BIAS));
}

static void
filter_scalar (gpointer data)
{
  Bench *b = data;

  for (gint y = 0; y < b->size; y++)
    for (gint x = 0; x < b->size; x++) {
      gint c = b->pixels[y * b->size + x];
      gfloat sum = 0, weights = 0;

      for (gint dy = -RADIUS; dy <= RADIUS; dy++)
        for (gint dx = -RADIUS; dx <= RADIUS; dx++) {
          gint sx = CLAMP (x + dx, 0, b->size - 1), sy = CLAMP (y + dy, 0, b->size - 1);
          gint v = b->pixels[sy * b->size + sx];
          gfloat w = b->space[(dy + RADIUS) * EDGE + dx + RADIUS] * b->range[ABS (v - c)];

          weights += w;
          sum = fmaf (w, v, sum);
        }
      b->want[y * b->size + x] = (guint8) rintf (sum * ref_reciprocal (weights));
    }
}

/* ---- Measuring -------------------------------------------------------------- */

static void
enqueue (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;
  const MgpuWork work = { &params, &b->ours.frame->image, NULL, &b->out->image };

  mgpu_bilateral.enqueue (b->object, job, &work);
}

#ifdef HAVE_OPENCV
static gdouble
run_opencv (gpointer data)
{
  Bench *b = data;

  return kc_opencv_bilateral (&params, b->picture, b->result);
}
#else
#define run_opencv NULL
#endif

static gboolean
bench_init (Bench * b, PapersRun * run, gint size)
{
  GError *error = NULL;

  *b = (Bench) {.run = run,.size = size };
  b->picture = papers_picture_load (run, "fruits", GST_VIDEO_FORMAT_GRAY8, size, size);
  if (b->picture == NULL)
    return FALSE;
  b->pixels = b->picture->data + b->picture->info.offset[0];
  b->want = g_malloc (size * size);
  b->result = kc_picture_copy (b->picture);
  fill_tables (b);
  b->object = mgpu_object_new (&mgpu_bilateral, run->kc->context, &b->picture->info, NULL, &b->picture->info, &params,
      &error);
  if (b->object == NULL) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
    return FALSE;
  }
  b->out = kc_frame_new (run->kc, b->picture);
  b->ours = (PapersOurs) {.run = run,.picture = b->picture,.frame = kc_frame_new (run->kc, b->picture),
        .results = {b->out->image.memory},.bytes = g_malloc (b->picture->size),.enqueue = enqueue,.data = b};
  return TRUE;
}

static void
bench_clear (Bench * b)
{
  mgpu_object_free (b->object);
  kc_frame_free (b->out);
  kc_frame_free (b->ours.frame);
  g_free (b->ours.bytes);
  g_free (b->want);
  kc_picture_free (b->picture);
  kc_picture_free (b->result);
}

/* Compares this project's filter with its own reference, because it rounds differently from
 * SagivTech's phases. */
static void
compare_ours (Bench * b)
{
  RefPlane in = kc_picture_plane (b->picture, 0), out = kc_picture_plane (b->result, 0);

  ref_bilateral (&in, NULL, &out, 1, params.sigma_color, params.sigma_space, RADIUS,
      1);
  papers_ours_run (&b->ours);
  papers_compare (b->run, "ours", b->out->image.memory, b->result->data, b->result->size);
}

static cl_mem
create_image (PapersRun * run, cl_channel_type type, gint width, gint height, gconstpointer data)
{
  const cl_image_format format = { CL_R, type };
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,.image_width = width,.image_height = height };
  cl_int ret;
  cl_mem image = clCreateImage (gst_mgpu_context_get_cl_context (run->kc->context),
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, (gpointer) data, &ret);

  papers_check (ret == CL_SUCCESS, "clCreateImage: %s", gst_mgpu_cl_error_name (ret));
  return image;
}

static void
time_phases (Bench * b, GstMgpuProgram * program)
{
  PapersRun *run = b->run;
  g_autoptr (GstMgpuMemory) in = papers_memory_new (run, b->pixels, b->size * b->size);
  g_autoptr (GstMgpuMemory) out = papers_memory_new (run, NULL, b->size * b->size);
  cl_mem from = papers_memory_get (run, in), to = papers_memory_get (run, out);
  cl_mem image = create_image (run, CL_UNSIGNED_INT8, b->size, b->size, b->pixels);
  cl_mem space = create_image (run, CL_FLOAT, EDGE, EDGE, b->space);
  cl_mem range = create_image (run, CL_FLOAT, 256, 1, b->range);
  cl_kernel kernels[N_PHASES];
  PapersWork works[N_PHASES];
  const KcContestant others[] = { {"ours", papers_ours_run, &b->ours}, {"opencv", run_opencv, b} };
  KcContestant contestants[N_PHASES];

  for (guint i = 0; i < N_PHASES; i++) {
    kernels[i] = papers_kernel_new (run, program, phases[i]);
    works[i] = (PapersWork) {.run = run };
    if (i == 0)
      PAPERS_ARGS (run, kernels[i], "mmiiff", from, to, b->size, b->size, b->range_factor, b->space_factor);
    else
      PAPERS_ARGS (run, kernels[i], "mmiimm", i == 3 ? image : from, to, b->size, b->size, space, range);
    papers_work_add (&works[i], kernels[i], b->size, b->size, i >= 2 ? TILE : 0, i >= 2 ? TILE : 0);
    papers_work_run (&works[i]);
    papers_compare (run, phases[i], out, b->want, b->size * b->size);
    contestants[i] = (KcContestant) { phases[i], papers_work_run, &works[i] };
  }
  /* Times this project's filter separately from the phases, because images take seconds on CPUs. */
  papers_time (run, others, G_N_ELEMENTS (others), "sagivtech/%d", b->size);
  papers_time (run, contestants, G_N_ELEMENTS (contestants), "sagivtech/%d", b->size);
  for (guint i = 0; i < N_PHASES; i++)
    clReleaseKernel (kernels[i]);
  clReleaseMemObject (image);
  clReleaseMemObject (space);
  clReleaseMemObject (range);
}

/* Runs this program again for each number of threads, which PoCL reads when it starts. */
static void
time_with_threads (PapersRun * run, guint n)
{
  g_autofree gchar *file = NULL, *number = g_strdup_printf ("%u", n);
  gchar **env = g_environ_setenv (g_get_environ (), "POCL_MAX_PTHREAD_COUNT", number, TRUE);
  const gchar *argv[] = { "/proc/self/exe", "--paper", "sagivtech", "--child", "--device", run->device, "--tsv", NULL,
    run->quick ? "--quick" : NULL, NULL
  };
  g_autoptr (GError) error = NULL;
  gint status = 0, fd = g_file_open_tmp ("papers-XXXXXX.tsv", &file, &error);
  PapersColumn *column = NULL;

  if (fd >= 0) {
    close (fd);
    argv[7] = file;
    if (g_spawn_sync (NULL, (gchar **) argv, env, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status, &error)
        && g_spawn_check_wait_status (status, &error))
      column = papers_column_load (file, &error);
    g_unlink (file);
  }
  papers_check (column != NULL, "with %u threads: %s", n, error != NULL ? error->message : "");
  for (guint i = 0; column != NULL && i < N_SIZES; i++) {
    gdouble time = papers_get (column, "sagivtech/%d/ours/wall", sizes[i]);

    if (!isnan (time)) {
      papers_set (run->column, time, "sagivtech/threads/%u/%d", n, sizes[i]);
      g_print ("  sagivtech/%d, %u threads: %.4f ms\n", sizes[i], n, time);
    }
  }
  papers_column_free (column);
  g_strfreev (env);
}

static void
measure (PapersRun * run)
{
  GstMgpuProgram *program = run->child ? NULL : papers_program_new (run, "sagivtech.cl", "");
  guint n = run->quick ? 1 : N_SIZES;

  for (guint i = 0; i < n; i++) {
    Bench b = { NULL };

    if (bench_init (&b, run, sizes[i]) && run->child) {
      const KcContestant ours = { "ours", papers_ours_run, &b.ours };

      papers_time (run, &ours, 1, "sagivtech/%d", sizes[i]);
    } else if (b.out != NULL && program != NULL) {
      papers_time_scalar (run, filter_scalar, &b, "sagivtech/%d", sizes[i]);
      compare_ours (&b);
      time_phases (&b, program);
    }
    bench_clear (&b);
  }
  g_clear_object (&program);
  if (run->child || !g_str_has_prefix (run->column->name, "PoCL"))
    return;
  for (guint i = 0; i < N_THREADS; i++)
    if (!run->quick || i == 0 || i == 2)
      time_with_threads (run, threads[i]);
}

/* ---- The page --------------------------------------------------------------- */

static gdouble
get_time (const PapersColumn * c, gint size, const gchar * what)
{
  return papers_get (c, "sagivtech/%d/%s", size, what);
}

/* Returns how many times as fast a phase is as the previous one, by the time of kernels, as in
 * SagivTech's figures. */
static gdouble
gain_of (const PapersColumn * c, gint size, guint phase)
{
  return papers_get (c, "sagivtech/%d/phase_%u/device", size, phase) / papers_get (c,
      "sagivtech/%d/phase_%u/device", size, phase + 1);
}

/* Returns: the first column with times for several numbers of PoCL threads */
static const PapersColumn *
find_threads (PapersPage * page)
{
  for (guint i = 0; i < page->columns->len; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, i);

    if (!isnan (papers_get (c, "sagivtech/threads/4/%d", sizes[0])))
      return c;
  }
  return NULL;
}

static void
write_phases (PapersPage * page, const PapersColumn * c, guint number)
{
  g_autofree gchar *title = g_strdup_printf ("Kernels of the phases: %s", c->name), *file = g_strdup_printf ("phases-%u", number);
  PapersPlot *plot = papers_plot_new (title, "width and height of the frame", "milliseconds", TRUE, TRUE);
  gdouble x[N_SIZES], y[N_SIZES];

  papers_text (page, "\n### %s\n\nMilliseconds of the kernels, and how many times as fast as the phase before; ours beside "
      "phase 4.\n",
      c->name);
  papers_table (page, "phase", "256x256", "gain", "512x512", "gain", "1024x1024", "gain", NULL);
  for (guint i = 0; i < N_PHASES; i++) {
    g_autofree gchar *what = g_strdup_printf ("%s/device", phases[i]);

    papers_cell (page, "%s", phase_names[i]);
    for (guint s = 0; s < N_SIZES; s++) {
      x[s] = sizes[s];
      y[s] = get_time (c, sizes[s], what);
      papers_cell_number (page, y[s], MISSING);
      papers_cell_number (page, i > 0 ? gain_of (c, sizes[s], i) : NAN, "-");
    }
    papers_row_end (page);
    papers_plot_line (plot, phase_names[i], N_SIZES, x, y);
  }
  papers_cell (page, "ours");
  for (guint s = 0; s < N_SIZES; s++) {
    y[s] = get_time (c, sizes[s], "ours/device");
    papers_cell_number (page, y[s], MISSING);
    papers_cell_number (page, get_time (c, sizes[s], "phase_4/device") / y[s], "-");
  }
  papers_row_end (page);
  papers_plot_line (plot, "ours", N_SIZES, x, y);
  papers_plot_end (plot, page, file, title);
}

static void
write_processors (PapersPage * page)
{
  const PapersColumn *base = find_threads (page);

  papers_text (page, "\n## Beside the processor\n\nOurs, milliseconds, wall. Scalar C is phase 2 in one thread, in "
      "processor time.\n");
  papers_table (page, "measured on", "what", "256x256", "512x512", "1024x1024", NULL);
  for (guint j = 0; j < page->columns->len; j++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, j);
    static const gchar *const keys[] = { "ours/wall", "opencv/wall", "processor" };
    static const gchar *const names[] = { "ours", "OpenCV, 2 threads", "scalar C" };

    for (guint i = 0; i < 3 + N_THREADS; i++) {
      if (i < 3 ? isnan (get_time (c, sizes[0], keys[i])) : isnan (papers_get (c, "sagivtech/threads/%u/%d",
                  threads[i - 3], sizes[0])))
        continue;
      papers_cell (page, "%s", c->name);
      if (i < 3)
        papers_cell (page, "%s", names[i]);
      else
        papers_cell (page, "ours, %u threads", threads[i - 3]);
      for (guint s = 0; s < N_SIZES; s++)
        papers_cell_number (page, i < 3 ? get_time (c, sizes[s], keys[i]) : papers_get (c, "sagivtech/threads/%u/%d",
                threads[i - 3], sizes[s]), MISSING);
      papers_row_end (page);
    }
  }
  if (base != NULL) {
    PapersPlot *plot = papers_plot_new ("PoCL: times as fast as one thread", "threads", "", FALSE, FALSE);
    gdouble x[N_THREADS], y[N_THREADS];

    for (guint s = 0; s < N_SIZES; s++) {
      g_autofree gchar *name = g_strdup_printf ("%dx%d", sizes[s], sizes[s]);

      for (guint i = 0; i < N_THREADS; i++) {
        x[i] = threads[i];
        y[i] = papers_get (base, "sagivtech/threads/1/%d", sizes[s]) / papers_get (base, "sagivtech/threads/%u/%d",
            threads[i], sizes[s]);
      }
      papers_plot_line (plot, name, N_THREADS, x, y);
    }
    papers_plot_end (plot, page, "threads", "Speedup over the number of threads of PoCL");
  }
}

/* Returns the ratio of the device's time and the time of 4 threads, at the largest size that both
 * have. */
static gdouble
over_threads (const PapersColumn * c, const PapersColumn * base, gint * size)
{
  for (gint s = N_SIZES - 1; s >= 0 && base != NULL; s--) {
    gdouble ratio = papers_get (base, "sagivtech/threads/4/%d", sizes[s]) / get_time (c, sizes[s], "ours/device");

    *size = sizes[s];
    if (!isnan (ratio))
      return ratio;
  }
  return NAN;
}

static void
claim_phases (PapersPage * page, const PapersColumn * c, const PapersColumn * base)
{
  static const gchar *const claims[] = {
    "Phase 2, the Gaussian from an image, gains much", "Phase 3, the tile, gains at all sizes",
    "Phase 4, the tile filled from an image, gains little"
  };
  gint size = 0;
  gdouble ratio = over_threads (c, base, &size);

  for (guint i = 1; i < N_PHASES; i++) {
    gdouble gains[N_SIZES], low = G_MAXDOUBLE, high = 0;

    for (guint s = 0; s < N_SIZES; s++) {
      gains[s] = gain_of (c, sizes[s], i);
      if (!isnan (gains[s])) {
        low = MIN (low, gains[s]);
        high = MAX (high, gains[s]);
      }
    }
    papers_claim (page, claims[i - 1], c, PAPERS_VERDICT (i == 1 ? low > 1.5 : i == 2 ? low > 1.02 : low > 0.98
            && high < 1.3), "%s to %s times as fast", papers_number (low), papers_number (high));
  }
  if (isnan (ratio))
    papers_claim (page, "The GPU is 26 to 32 times as fast as 4 CPU threads", c, PAPERS_CANNOT_BE_TESTED,
        "there is no PoCL to compare with");
  else if (c == base)
    papers_claim (page, "The GPU is 26 to 32 times as fast as 4 CPU threads", c, PAPERS_CANNOT_BE_TESTED,
        "this is the processor");
  else
    papers_claim (page, "The GPU is 26 to 32 times as fast as 4 CPU threads", c, PAPERS_VERDICT (ratio
            >= SPEEDUP_LOW), "%s times the 4 threads of %s, at %dx%d", papers_number (ratio), base->name, size, size);
}

/* Returns the speed of PoCL with @threads threads divided by that with @others: the geometric mean
 * over the sizes */
static gdouble
compare_threads (const PapersColumn * c, guint threads, guint others)
{
  gdouble product = 1;

  for (guint s = 0; s < N_SIZES; s++)
    product *= papers_get (c, "sagivtech/threads/%u/%d", others, sizes[s])
        / papers_get (c, "sagivtech/threads/%u/%d", threads, sizes[s]);
  return pow (product, 1.0 / N_SIZES);
}

static void
claim_threads (PapersPage * page, const PapersColumn * c)
{
  guint cores = g_ascii_strtoull (papers_column_text (c, "processors"), NULL, 10);
  guint most = CLAMP (cores, 1, 4);
  gdouble four, eight;

  while (most & (most - 1))
    most--;
  four = compare_threads (c, 4, most);
  eight = compare_threads (c, 8, most);
  if (isnan (eight))
    papers_claim (page, "Threads beyond cores gain nothing", c, PAPERS_CANNOT_BE_TESTED, "not measured there");
  else
    papers_claim (page, "Threads beyond cores gain nothing", c, PAPERS_VERDICT (eight < 1.05 && four < 1.05),
        "%u cores: 4 threads are %s times as fast as %u, 8 are %s times, in the mean over the sizes", cores,
        papers_number (four), most, papers_number (eight));
}

static void
write_page (PapersPage * page)
{
  const PapersColumn *base = find_threads (page);
  gdouble ours[8] = { 0 };

  papers_text (page, "Xperia Z1, Adreno 330; frames of 256x256, 512x512 and 1024x1024; 10 rounds to warm up, the mean "
      "of 50 to 100, kernels only. Lost: both tables, the code, the radius, the sigmas, the format. What is left: the "
      "GPU is 26 to 32 times as fast as 4 threads of the CPU, and 8 threads are no better. It is a page of the web, "
      "without a date; its title is from its address. It names no future work.\n\nFour phases: global memory, a pixel for each work-item, the "
      "Gaussian in a private variable; the Gaussian from an image, a large gain; a tile in local memory, a gain at "
      "all sizes; the tile filled from an image, a minor gain.\n\n## Phases\n\nTheir phases, as we understand them, "
      "with radius 4, sigmas 3 and 30, 8 bit grey: a disc of 49 taps. All phases give the same bytes, those of scalar "
      "code. [Ours](../algorithms/bilateral.md) rounds in another way and mirrors at the edges.\n");
  for (guint i = 0; i < page->columns->len; i++)
    write_phases (page, g_ptr_array_index (page->columns, i), i + 1);
  write_processors (page);
  for (guint i = 0; i < page->columns->len; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, i);
    gint size;

    claim_phases (page, c, base);
    claim_threads (page, c);
    if (i < G_N_ELEMENTS (ours))
      ours[i] = c == base ? NAN : over_threads (c, base, &size);
  }
  papers_summarize (page, "bilateral filter, device over 4 CPU threads", "Adreno 330", "26 to 32", SPEEDUP_LOW, ours,
      FALSE, FALSE, "their radius, sigmas and format are lost; the processor here is another machine's");
}

static void
check (void)
{
  papers_check (SPEEDUP_LOW < SPEEDUP_HIGH, "sagivtech: 26 to 32 times");
}

const Paper papers_sagivtech = {
  "sagivtech", "SagivTech",
  "Hirsch (SagivTech): Optimizations for the Qualcomm Platform, the bilateral filter (web page, undated)",
  check, measure, write_page
};

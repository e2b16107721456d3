/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of Wang, Jia, Zhang, Li, Wei: EgpuIP (2022). This file measures;
 * egpuip-page.c writes the page. */
#include "egpuip.h"

#include <gst/vision/histeq/histeq.h>
#include <gst/vision/integral/integral.h>
#include <gst/vision/pyramid/pyramid.h>
#include <string.h>

#include "../kernelcheck/peers.h"
#include "../reference/histeq.h"
#include "../reference/integral.h"
#include "../reference/pyramid.h"

#define MAX_GROUPS 4096
#define GROUP 128
#define TILE 16
#define SCAN 256
#define LEVELS 4

const gint egpuip_sizes[EGPUIP_SIZES][2] = {
  {512, 512}, {1280, 720}, {1920, 1080}, {3840, 2160}
};

/* Holds everything for frames of one size. */
typedef struct
{
  PapersRun *run;
  gint width, height;
  KcPicture *picture;
  KcPicture *out[LEVELS + 1];   /* output of references and OpenCV: the frame, and its pyramid
                                 * levels */
  guint n_levels;
  gpointer table;               /* integral image that references and OpenCV write */
  gpointer object;
  PapersOurs ours;
  KcFrame *frames[LEVELS + 1];
  GstMgpuMemory *sums;
} Bench;

static const guint8 *
pixels_of (const KcPicture * picture)
{
  return picture->data + picture->info.offset[0];
}

/* ---- This project, OpenCV and plain C --------------------------------------- */

#ifdef HAVE_OPENCV
#define PEER(name, call) \
static gdouble \
name (gpointer data) \
{ \
  Bench *b = data; \
\
  call; \
  return -1; \
}

#define ONE(call) kc_opencv_set_threads (1); call; kc_opencv_set_threads (2)
#define ALL(call) kc_opencv_set_threads (g_get_num_processors ()); call; kc_opencv_set_threads (2)

static const MgpuHisteqParams luma = {
  .method = MGPU_HISTEQ_GLOBAL,.channels = MGPU_HISTEQ_LUMA,.strength = 1
};

PEER (equalize_one, ONE (kc_opencv_histeq (&luma, b->picture, b->out[0])))
PEER (equalize_all, ALL (kc_opencv_histeq (&luma, b->picture, b->out[0])))
PEER (pyramid_one, ONE (kc_opencv_pyramid (b->picture, b->out, b->n_levels)))
PEER (pyramid_all, ALL (kc_opencv_pyramid (b->picture, b->out, b->n_levels)))
PEER (integral_one, ONE (kc_opencv_integral (b->picture, b->table, NULL)))
PEER (integral_all, ALL (kc_opencv_integral (b->picture, b->table, NULL)))
#else
#define equalize_one NULL
#define equalize_all NULL
#define pyramid_one NULL
#define pyramid_all NULL
#define integral_one NULL
#define integral_all NULL
static const MgpuHisteqParams luma = {
  .method = MGPU_HISTEQ_GLOBAL,.channels = MGPU_HISTEQ_LUMA,.strength = 1
};
#endif

static void
equalize_scalar (gpointer data)
{
  Bench *b = data;
  RefPlane in = kc_picture_plane (b->picture, 0), out = kc_picture_plane (b->out[0], 0);
  const RefHisteq params = {.method = REF_HISTEQ_GLOBAL,.strength = 1 };

  ref_histeq (&in, &out, 1, &params, NULL);
}

static void
pyramid_scalar (gpointer data)
{
  Bench *b = data;
  RefPlane in = kc_picture_plane (b->picture, 0);

  for (guint i = 1; i <= b->n_levels; i++) {
    RefPlane out = kc_picture_plane (b->out[i], 0);

    ref_pyramid_down (&in, &out);
    in = out;
  }
}

static void
integral_scalar (gpointer data)
{
  Bench *b = data;
  RefPlane in = kc_picture_plane (b->picture, 0);

  ref_integral (&in, 4, b->table, NULL);
}

static void
enqueue_equalize (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;
  const MgpuWork work = { &luma, &b->ours.frame->image, NULL, &b->frames[0]->image };

  mgpu_histeq.enqueue (b->object, job, &work);
}

static void
enqueue_pyramid (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;
  const MgpuImage *images[LEVELS + 1] = { NULL };

  for (guint i = 1; i <= b->n_levels; i++)
    images[i] = &b->frames[i]->image;
  mgpu_pyramid_enqueue (b->object, job, &b->ours.frame->image, images, NULL);
}

static void
enqueue_integral (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;

  mgpu_integral_enqueue (b->object, job, &b->ours.frame->image, b->sums, NULL);
}

/* Runs this project's algorithm once, compares it with plain C, and times all. */
static void
time_algorithm (Bench * b, const gchar * name, void (*enqueue) (gpointer, GstMgpuJob *), void (*scalar) (gpointer),
    KcTimed one, KcTimed all)
{
  const KcContestant contestants[] = {
    {"ours", papers_ours_run, &b->ours},
    {"transfers", papers_ours_run_with_transfers, &b->ours},
    {"opencv-1", one, b},
    {"opencv-all", all, b}
  };
  PapersRun *run = b->run;

  b->ours.enqueue = enqueue;
  papers_ours_run (&b->ours);
  scalar (b);
  for (guint i = 0; b->ours.results[i] != NULL; i++) {
    gboolean is_table = b->ours.results[i] == b->sums;
    const KcPicture *want = b->out[b->frames[0] != NULL ? 0 : i + 1];

    papers_compare (run, name, b->ours.results[i], is_table ? b->table : want->data,
        is_table ? GST_MEMORY_CAST (b->sums)->size : want->size);
  }
  papers_time (run, contestants, G_N_ELEMENTS (contestants), "egpuip/%s/%dx%d", name, b->width, b->height);
  papers_time_scalar (run, scalar, b, "egpuip/%s/%dx%d", name, b->width, b->height);
}

static void
end_algorithm (Bench * b)
{
  mgpu_object_free (b->object);
  b->object = NULL;
  for (guint i = 0; i <= LEVELS; i++)
    g_clear_pointer (&b->frames[i], kc_frame_free);
  g_clear_pointer (&b->sums, kc_memory_free);
  memset (b->ours.results, 0, sizeof (b->ours.results));
}

/* Reports why the object could not be created. */
static gboolean
has_object (Bench * b, gpointer object, GError * error)
{
  b->object = object;
  papers_check (object != NULL, "%s", error != NULL ? error->message : "");
  g_clear_error (&error);
  return object != NULL;
}

static void
time_pyramid (Bench * b, guint n_levels)
{
  const MgpuPyramidParams params = { n_levels + 1, MGPU_PYRAMID_GAUSSIAN };
  GError *error = NULL;

  b->n_levels = n_levels;
  if (!has_object (b, mgpu_object_new (&mgpu_pyramid, b->run->kc->context, &b->picture->info, NULL, NULL, &params,
              &error), error))
    return;
  for (guint i = 1; i <= n_levels; i++) {
    b->frames[i] = kc_frame_new (b->run->kc, b->out[i]);
    b->ours.results[i - 1] = b->frames[i]->image.memory;
  }
  time_algorithm (b, n_levels == 1 ? "pyramid-1" : "pyramid-4", enqueue_pyramid, pyramid_scalar, pyramid_one,
      pyramid_all);
  end_algorithm (b);
}

static void
time_ours (Bench * b)
{
  KcRun *kc = b->run->kc;
  GError *error = NULL;

  if (has_object (b, mgpu_object_new (&mgpu_histeq, kc->context, &b->picture->info, NULL, &b->picture->info, &luma,
              &error), error)) {
    b->frames[0] = kc_frame_new (kc, b->out[0]);
    b->ours.results[0] = b->frames[0]->image.memory;
    time_algorithm (b, "equalization", enqueue_equalize, equalize_scalar, equalize_one, equalize_all);
    end_algorithm (b);
  }
  time_pyramid (b, 1);
  time_pyramid (b, LEVELS);
  error = NULL;
  if (has_object (b, mgpu_integral_new (kc->context, &b->picture->info, 0, FALSE, FALSE, TRUE, &error), error)) {
    b->sums = papers_memory_new (b->run, NULL, 4 * (b->width + 1) * (b->height + 1));
    b->ours.results[0] = b->sums;
    time_algorithm (b, "integral", enqueue_integral, integral_scalar, integral_one, integral_all);
    end_algorithm (b);
  }
}

/* ---- Their ways ------------------------------------------------------------- */

/* Computes exclusive sums, without the part of OpenCV's formula that makes the first value
 * black. */
static void
make_table (const guint32 * bins, guint32 n_pixels, guint8 * table)
{
  guint64 sum = 0;

  for (guint i = 0; i < 256; i++) {
    table[i] = (guint8) (sum * 255 / n_pixels);
    sum += bins[i];
  }
}

typedef struct
{
  Bench *bench;
  GstMgpuProgram *program;
  GstMgpuMemory *in, *bins, *table, *out;
  cl_kernel clear, global, group, make, look;
} Equalize;

static void
equalize_compare (Equalize * e, const gchar * what)
{
  Bench *b = e->bench;
  guint32 bins[256] = { 0 }, n = b->width * b->height;
  const guint8 *pixels = pixels_of (b->picture);

  for (guint i = 0; i < n; i++)
    bins[pixels[i]]++;
  papers_compare (b->run, what, e->bins, bins, sizeof (bins));
}

static void
equalize_compare_frame (Equalize * e)
{
  Bench *b = e->bench;
  guint32 bins[256] = { 0 }, n = b->width * b->height;
  const guint8 *pixels = pixels_of (b->picture);
  guint8 table[256], *want = g_malloc (n);

  for (guint i = 0; i < n; i++)
    bins[pixels[i]]++;
  make_table (bins, n, table);
  for (guint i = 0; i < n; i++)
    want[i] = table[pixels[i]];
  papers_compare (b->run, "their equalization", e->out, want, n);
  g_free (want);
}

/* Computes histograms with n work-groups, all with one shared histogram or each with its own. */
static PapersWork
equalize_work (Equalize * e, gboolean per_group, guint n_groups, gboolean whole)
{
  PapersWork work = {.run = e->bench->run };

  papers_work_add (&work, e->clear, 256, 0, 0, 0);
  papers_work_add (&work, per_group ? e->group : e->global, GROUP * n_groups, 0, GROUP, 0);
  if (whole) {
    papers_work_add (&work, e->make, 256, 0, 256, 0);
    papers_work_add (&work, e->look, e->bench->width * e->bench->height, 0, 0, 0);
  }
  return work;
}

static void
time_groups (Equalize * e)
{
  Bench *b = e->bench;
  guint step = b->run->quick ? 64 : 2;
  guint most = b->run->quick ? 64 : MAX_GROUPS;

  for (guint n = 1; n <= most; n *= step) {
    PapersWork global = equalize_work (e, FALSE, n, FALSE), group = equalize_work (e, TRUE, n, FALSE);
    const KcContestant contestants[] = {
      {"global", papers_work_run, &global}, {"group", papers_work_run, &group}
    };

    papers_work_run (&global);
    equalize_compare (e, "histogram, one for all");
    papers_work_run (&group);
    equalize_compare (e, "histogram, one for each group");
    papers_time (b->run, contestants, 2, "egpuip/histogram/%dx%d/%u", b->width, b->height, n);
  }
}

static void
time_equalize (Bench * b, GstMgpuProgram * program)
{
  gint n = b->width * b->height;
  PapersRun *run = b->run;
  Equalize e = { b, program, papers_memory_new (run, pixels_of (b->picture), n),
    papers_memory_new (run, NULL, 1024), papers_memory_new (run, NULL, 256), papers_memory_new (run, NULL, n),
    papers_kernel_new (run, program, "clear_bins"), papers_kernel_new (run, program, "count_global"),
    papers_kernel_new (run, program, "count_group"), papers_kernel_new (run, program, "make_table"),
    papers_kernel_new (run, program, "look_up")
  };
  cl_mem in = papers_memory_get (run, e.in), bins = papers_memory_get (run, e.bins);
  cl_mem table = papers_memory_get (run, e.table), out = papers_memory_get (run, e.out);
  PapersWork whole = equalize_work (&e, TRUE, run->quick ? 64 : 256, TRUE);
  const KcContestant contestant = { "theirs", papers_work_run, &whole };

  PAPERS_ARGS (run, e.clear, "m", bins);
  PAPERS_ARGS (run, e.global, "mim", in, n, bins);
  PAPERS_ARGS (run, e.group, "mim", in, n, bins);
  PAPERS_ARGS (run, e.make, "mim", bins, n, table);
  PAPERS_ARGS (run, e.look, "mmm", in, table, out);
  time_groups (&e);
  papers_work_run (&whole);
  equalize_compare_frame (&e);
  papers_time (run, &contestant, 1, "egpuip/their-equalization/%dx%d", b->width, b->height);
  clReleaseKernel (e.clear);
  clReleaseKernel (e.global);
  clReleaseKernel (e.group);
  clReleaseKernel (e.make);
  clReleaseKernel (e.look);
  kc_memory_free (e.in);
  kc_memory_free (e.bins);
  kc_memory_free (e.table);
  kc_memory_free (e.out);
}

/* Kernels of one method of computing a pyramid level */
typedef struct
{
  const gchar *name;
  GstMgpuProgram *program;
  const gchar *kernel;
} Way;

static void
time_levels (Bench * b, GstMgpuProgram * selects, GstMgpuProgram * branches)
{
  const Way ways[] = {
    {"dropped", selects, "blur_all"}, {"fused", selects, "blur_kept"}, {"separable", selects, "blur_apart"},
    {"fused-branch", branches, "blur_kept"}, {"separable-branch", branches, "blur_apart"}
  };
  gint n = b->width * b->height, width = (b->width + 1) / 2, height = (b->height + 1) / 2;
  PapersRun *run = b->run;
  g_autoptr (GstMgpuMemory) in = papers_memory_new (run, pixels_of (b->picture), n);
  g_autoptr (GstMgpuMemory) blurred = papers_memory_new (run, NULL, n), out = papers_memory_new (run, NULL, width * height);
  cl_mem from = papers_memory_get (run, in), all = papers_memory_get (run, blurred), to = papers_memory_get (run, out);
  cl_kernel kernels[G_N_ELEMENTS (ways)], drop = papers_kernel_new (run, selects, "drop");
  PapersWork works[G_N_ELEMENTS (ways)];
  KcContestant contestants[G_N_ELEMENTS (ways)];

  b->n_levels = 1;
  pyramid_scalar (b);
  PAPERS_ARGS (run, drop, "mmii", all, to, b->width, width);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    works[i] = (PapersWork) {.run = run };
    kernels[i] = papers_kernel_new (run, ways[i].program, ways[i].kernel);
    if (i == 0) {
      PAPERS_ARGS (run, kernels[i], "mmii", from, all, b->width, b->height);
      papers_work_add (&works[i], kernels[i], b->width, b->height, 0, 0);
      papers_work_add (&works[i], drop, width, height, 0, 0);
    } else if (strstr (ways[i].name, "fused")) {
      PAPERS_ARGS (run, kernels[i], "mmiii", from, to, b->width, b->height, width);
      papers_work_add (&works[i], kernels[i], width, height, 0, 0);
    } else {
      PAPERS_ARGS (run, kernels[i], "mmiiii", from, to, b->width, b->height, width, height);
      papers_work_add (&works[i], kernels[i], width, height, TILE, TILE);
    }
    papers_work_run (&works[i]);
    papers_compare (run, ways[i].name, out, b->out[1]->data + b->out[1]->info.offset[0], width * height);
    contestants[i] = (KcContestant) { ways[i].name, papers_work_run, &works[i] };
  }
  papers_time (run, contestants, G_N_ELEMENTS (ways), "egpuip/down/%dx%d", b->width, b->height);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    clReleaseKernel (kernels[i]);
  clReleaseKernel (drop);
}

static void
time_scans (Bench * b, GstMgpuProgram * program)
{
  static const gchar *const names[] = { "widen", "scan_row", "scan_column", "scan_row_tree", "scan_row_tree",
    "transpose", "transpose"
  };
  gint width = b->width, height = b->height;
  gsize n = (gsize) width * height;
  PapersRun *run = b->run;
  g_autoptr (GstMgpuMemory) in = papers_memory_new (run, pixels_of (b->picture), n);
  g_autoptr (GstMgpuMemory) sums = papers_memory_new (run, NULL, 4 * n), turned = papers_memory_new (run, NULL, 4 * n);
  cl_mem from = papers_memory_get (run, in), to = papers_memory_get (run, sums);
  cl_mem aside = papers_memory_get (run, turned);
  g_autofree guint32 *want = g_new (guint32, n);
  PapersWork serial = {.run = run }, tree = {.run = run };
  const KcContestant contestants[] = { {"serial", papers_work_run, &serial}, {"tree", papers_work_run, &tree} };
  cl_kernel k[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    k[i] = papers_kernel_new (run, program, names[i]);
  for (gsize i = 0; i < n; i++) {
    gsize x = i % width, y = i / width;

    want[i] = pixels_of (b->picture)[i] + (x > 0 ? want[i - 1] : 0) + (y > 0 ? want[i - width] : 0)
        - (x > 0 && y > 0 ? want[i - width - 1] : 0);
  }
  PAPERS_ARGS (run, k[0], "mm", from, to);
  PAPERS_ARGS (run, k[1], "mi", to, width);
  PAPERS_ARGS (run, k[2], "mii", to, width, height);
  PAPERS_ARGS (run, k[3], "mi", to, width);
  PAPERS_ARGS (run, k[4], "mi", aside, height);
  PAPERS_ARGS (run, k[5], "mmii", to, aside, width, height);
  PAPERS_ARGS (run, k[6], "mmii", aside, to, height, width);
  papers_work_add (&serial, k[0], n, 0, 0, 0);
  papers_work_add (&serial, k[1], height, 0, 0, 0);
  papers_work_add (&serial, k[2], width, 0, 0, 0);
  papers_work_add (&tree, k[0], n, 0, 0, 0);
  papers_work_add (&tree, k[3], SCAN * height, 0, SCAN, 0);
  papers_work_add (&tree, k[5], width, height, TILE, TILE);
  papers_work_add (&tree, k[4], SCAN * width, 0, SCAN, 0);
  papers_work_add (&tree, k[6], height, width, TILE, TILE);
  papers_work_run (&serial);
  papers_compare (run, "serial scan", sums, want, 4 * n);
  papers_work_run (&tree);
  papers_compare (run, "scan as a tree", sums, want, 4 * n);
  papers_time (run, contestants, 2, "egpuip/scan/%dx%d", width, height);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    clReleaseKernel (k[i]);
}

static void
time_arithmetic (PapersRun * run, GstMgpuProgram * program)
{
  guint n = run->quick ? 1 << 12 : 1 << 16;
  g_autofree guint32 *values = g_new (guint32, n);
  g_autoptr (GstMgpuMemory) a = NULL, b = NULL;
  cl_kernel divide = papers_kernel_new (run, program, "divide"), shift = papers_kernel_new (run, program, "shift");
  PapersWork with_divide = {.run = run }, with_shift = {.run = run };
  const KcContestant contestants[] = {
    {"divide", papers_work_run, &with_divide}, {"shift", papers_work_run, &with_shift}
  };

  for (guint i = 0; i < n; i++)
    values[i] = i;
  a = papers_memory_new (run, values, 4 * (gsize) n);
  b = papers_memory_new (run, values, 4 * (gsize) n);
  PAPERS_ARGS (run, divide, "mii", papers_memory_get (run, a), 2, 8);
  PAPERS_ARGS (run, shift, "mii", papers_memory_get (run, b), 1, 3);
  papers_work_add (&with_divide, divide, n, 0, 0, 0);
  papers_work_add (&with_shift, shift, n, 0, 0, 0);
  papers_work_run (&with_divide);
  papers_work_run (&with_shift);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < 256; j++)
      values[i] = values[i] * 2 / 8 + j;
  papers_compare (run, "division", a, values, 4 * (gsize) n);
  papers_compare (run, "shifts", b, values, 4 * (gsize) n);
  papers_time (run, contestants, 2, "egpuip/arithmetic");
  clReleaseKernel (divide);
  clReleaseKernel (shift);
}

/* ---- All sizes -------------------------------------------------------------- */

static gboolean
bench_init (Bench * b, PapersRun * run, gint width, gint height)
{
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 1);
  b->run = run;
  b->width = width;
  b->height = height;
  b->picture = papers_picture_load (run, "fruits", GST_VIDEO_FORMAT_GRAY8, width, height);
  if (b->picture == NULL)
    return FALSE;
  for (guint i = 0; i <= LEVELS; i++) {
    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
    b->out[i] = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  b->table = g_malloc0 (4 * ((gsize) b->width + 1) * (b->height + 1));
  b->ours = (PapersOurs) {.run = run,.picture = b->picture,.frame = kc_frame_new (run->kc, b->picture),
        .bytes = g_malloc (4 * ((gsize) b->width + 1) * (b->height + 1) + 4096),.data = b};
  return b->ours.frame != NULL;
}

static void
bench_clear (Bench * b)
{
  kc_frame_free (b->ours.frame);
  g_free (b->ours.bytes);
  g_free (b->table);
  for (guint i = 0; i <= LEVELS; i++)
    kc_picture_free (b->out[i]);
  kc_picture_free (b->picture);
}

void
egpuip_measure (PapersRun * run)
{
  GstMgpuProgram *selects = papers_program_new (run, "egpuip.cl", "");
  GstMgpuProgram *branches = papers_program_new (run, "egpuip.cl", "-DBRANCH");
  guint n = run->quick ? 1 : EGPUIP_SIZES;

  for (guint i = 0; i < n && selects != NULL && branches != NULL; i++) {
    Bench b = { NULL };

    if (bench_init (&b, run, egpuip_sizes[i][0], egpuip_sizes[i][1])) {
      time_ours (&b);
      time_equalize (&b, selects);
      time_levels (&b, selects, branches);
      time_scans (&b, selects);
    }
    bench_clear (&b);
  }
  if (selects != NULL)
    time_arithmetic (run, selects);
  g_clear_object (&selects);
  g_clear_object (&branches);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of Rister, Wang, Wu, Cavallaro: SIFT (2013). This file measures;
 * rister-page.c writes the page. */
#include "rister.h"

#include <gst/vision/sift/sift.h>
#include <math.h>
#include <string.h>

#include "../kernelcheck/peers.h"
#include "../reference/sift.h"

#define WIDTH 320
#define HEIGHT 280
#define CONTRAST 0.04           /* this project's default contrast threshold */
#define RADIUS 6

const gchar *const rister_pictures[RISTER_PICTURES] = {
  "graf1", "building", "box_in_scene", "home", "messi5", "baboon", "fruits", "leuvenA"
};

const gint rister_sizes[RISTER_SIZES][2] = { {320, 280}, {640, 480}, {1280, 720}, {1920, 1080} };

const gchar *const rister_stages[RISTER_STAGES] = { "pyramid", "find", "sort", "orient" };

const gchar *const rister_blurs[RISTER_BLURS] = { "2d", "separable", "2d-packed", "separable-packed" };

/* Finds the keypoints of one picture. */
typedef struct
{
  PapersRun *run;
  KcPicture *picture;
  MgpuSiftParams params;
  MgpuSift *sift;
  MgpuSiftTables tables;
  guint room;
  PapersOurs ours;
} Bench;

static void
enqueue (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;

  mgpu_sift_enqueue (b->sift, job, &b->params, &b->ours.frame->image, NULL, &b->tables);
}

static gboolean
bench_init (Bench * b, PapersRun * run, const gchar * name, gint width, gint height, gboolean upsample)
{
  gsize size;
  GError *error = NULL;

  memset (b, 0, sizeof (*b));
  b->run = run;
  b->picture = papers_picture_load (run, name, GST_VIDEO_FORMAT_GRAY8, width, height);
  b->params = (MgpuSiftParams) { upsample, upsample ? 4 : 3, 3, 1.6, 0, CONTRAST, 10, 4,
    GST_MGPU_DESCRIPTOR_TYPE_NONE
  };
  if (b->picture == NULL)
    return FALSE;
  b->sift = mgpu_object_new (&mgpu_sift, run->kc->context, &b->picture->info, NULL, NULL, &b->params, &error);
  if (b->sift == NULL) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
    return FALSE;
  }
  b->room = mgpu_sift_get_room (b->sift, &b->params);
  size = sizeof (GstMgpuKeypointHeader) + b->room * sizeof (GstMgpuKeypoint);
  b->tables.keypoints = papers_memory_new (run, NULL, size);
  b->ours = (PapersOurs) {.run = run,.picture = b->picture,.frame = kc_frame_new (run->kc, b->picture),
        .results = {b->tables.keypoints},.bytes = g_malloc (size),.enqueue = enqueue,.data = b};
  return b->ours.frame != NULL;
}

static void
bench_clear (Bench * b)
{
  mgpu_object_free (b->sift);
  g_clear_pointer (&b->tables.keypoints, kc_memory_free);
  kc_frame_free (b->ours.frame);
  g_free (b->ours.bytes);
  kc_picture_free (b->picture);
}

/* Returns: the number of keypoints that this project finds */
static guint
count_points (Bench * b)
{
  papers_ours_run (&b->ours);
  kc_memory_read (b->run->kc, b->tables.keypoints, b->ours.bytes);
  return ((const GstMgpuKeypointHeader *) b->ours.bytes)->n;
}

static void
refer (Bench * b, RefSiftResult * result)
{
  const MgpuSiftParams *p = &b->params;
  const RefSiftParams params = { p->upsample, p->octaves, p->scales, p->sigma, p->contrast, p->edge,
    p->max_orientations, 0, b->room, 0
  };
  RefPlane plane = kc_picture_plane (b->picture, 0);

  if (!ref_sift (&plane, &params, NULL, result))
    g_error ("out of memory");
}

static void
run_scalar (gpointer data)
{
  RefSiftResult result = { 0 };

  refer (data, &result);
  ref_sift_clear (&result);
}

static void
compare (Bench * b)
{
  RefSiftResult want = { 0 };
  const GstMgpuKeypointHeader *got = b->ours.bytes;

  refer (b, &want);
  count_points (b);
  papers_check (got->n == want.n && memcmp (got + 1, want.keypoints, want.n * sizeof (GstMgpuKeypoint)) == 0,
      "keypoints: %u, should be %u, or others", got->n, want.n);
  ref_sift_clear (&want);
}

/* ---- Pictures --------------------------------------------------------------- */

static guint
count_pictures (PapersRun * run)
{
  return run->quick ? 2 : RISTER_PICTURES;
}

/* Returns: the mean number of keypoints with a contrast threshold */
static gdouble
mean_points (Bench * benches, guint n, gdouble contrast)
{
  guint sum = 0;

  for (guint i = 0; i < n; i++) {
    benches[i].params.contrast = contrast;
    sum += count_points (&benches[i]);
  }
  return (gdouble) sum / n;
}

/* Finds the contrast threshold that gives as many keypoints as the paper has. */
static gdouble
find_contrast (Bench * benches, guint n)
{
  gdouble low = 0.005, high = 0.5;

  for (guint i = 0; i < 12; i++) {
    gdouble middle = sqrt (low * high);

    if (mean_points (benches, n, middle) > RISTER_POINTS)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Returns the index of the stage to which the kernel belongs. */
static guint
find_stage (const gchar * kernel)
{
  if (g_str_equal (kernel, "sift_load") || g_str_equal (kernel, "sift_blur"))
    return 0;
  return g_str_equal (kernel, "sift_find") ? 1 : g_str_equal (kernel, "sift_orient") ? 3 : 2;
}

/* Adds the mean times of the kernels of @b to @stages. */
static void
add_stages (Bench * b, gdouble stages[RISTER_STAGES])
{
  GHashTable *times = papers_profile (b->run, papers_ours_run, &b->ours);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, times);
  while (g_hash_table_iter_next (&iter, &name, &value))
    stages[find_stage (name)] += *(gdouble *) value;
  g_hash_table_unref (times);
}

/* All pictures, which are timed one after the other; the mean per picture counts. */
typedef struct
{
  Bench *benches;
  guint n;
} All;

static gdouble
run_all (gpointer data)
{
  const All *all = data;
  gdouble sum = 0;

  for (guint i = 0; i < all->n; i++)
    sum += papers_ours_run (&all->benches[i].ours);
  return sum;
}

static gdouble
run_all_with_transfers (gpointer data)
{
  const All *all = data;

  for (guint i = 0; i < all->n; i++)
    papers_ours_run_with_transfers (&all->benches[i].ours);
  return -1;
}

static void
scalar_all (gpointer data)
{
  const All *all = data;

  for (guint i = 0; i < all->n; i++)
    run_scalar (&all->benches[i]);
}

#ifdef HAVE_VLFEAT
static gdouble
vlfeat_all (gpointer data)
{
  const All *all = data;

  for (guint i = 0; i < all->n; i++)
    kc_vlfeat_sift (all->benches[i].picture, FALSE);
  return -1;
}
#else
#define vlfeat_all NULL
#endif

#ifdef HAVE_OPENCV
static gdouble
opencv_all (gpointer data)
{
  const All *all = data;

  kc_opencv_set_threads (1);
  for (guint i = 0; i < all->n; i++)
    kc_opencv_sift (all->benches[i].picture, NULL, NULL);
  kc_opencv_set_threads (2);
  return -1;
}
#else
#define opencv_all NULL
#endif

static void
time_set (PapersRun * run, Bench * benches, guint n, const gchar * set)
{
  All all = { benches, n };
  const KcContestant contestants[] = {
    {"ours", run_all, &all}, {"transfers", run_all_with_transfers, &all}, {"opencv", opencv_all, &all},
    {"vlfeat", vlfeat_all, &all}
  };
  gdouble stages[RISTER_STAGES] = { 0 };

  papers_time (run, contestants, G_N_ELEMENTS (contestants), "rister/set-of-%u/%s", n, set);
  papers_time_scalar (run, scalar_all, &all, "rister/set-of-%u/%s", n, set);
  for (guint i = 0; i < n; i++)
    add_stages (&benches[i], stages);
  for (guint i = 0; i < RISTER_STAGES; i++)
    papers_set (run->column, stages[i] / n, "rister/%s/%s", set, rister_stages[i]);
}

static void
time_pictures (PapersRun * run)
{
  Bench benches[RISTER_PICTURES];
  guint n = count_pictures (run), sum = 0, sum_doubled = 0;
  gdouble contrast;

  for (guint i = 0; i < n; i++) {
    Bench doubled;
    guint points, more;

    if (!bench_init (&benches[i], run, rister_pictures[i], WIDTH, HEIGHT, FALSE)
        || !bench_init (&doubled, run, rister_pictures[i], WIDTH, HEIGHT, TRUE))
      return;
    compare (&benches[i]);
    points = count_points (&benches[i]);
    more = count_points (&doubled);
    papers_set (run->column, points, "rister/points/%s", rister_pictures[i]);
    papers_set (run->column, more, "rister/points-doubled/%s", rister_pictures[i]);
    sum += points;
    sum_doubled += more;
    bench_clear (&doubled);
  }
  papers_set (run->column, n, "rister/pictures");
  papers_set (run->column, (gdouble) sum / n, "rister/points");
  papers_set (run->column, 100 - 100.0 * sum / sum_doubled, "rister/lost");
  time_set (run, benches, n, "default");
  contrast = find_contrast (benches, n);
  papers_set (run->column, contrast, "rister/contrast");
  papers_set (run->column, mean_points (benches, n, contrast), "rister/points-few");
  time_set (run, benches, n, "few");
  for (guint i = 0; i < n; i++)
    bench_clear (&benches[i]);
}

/* ---- Sizes, energy ---------------------------------------------------------- */

static void
run_once (gpointer data)
{
  Bench *b = data;

  papers_ours_run_with_transfers (&b->ours);
}

static void
time_sizes (PapersRun * run)
{
  guint n = run->quick ? 1 : RISTER_SIZES;

  for (guint i = 0; i < n; i++) {
    gint w = rister_sizes[i][0], h = rister_sizes[i][1];
    const KcContestant contestants[] = {
      {"ours", papers_ours_run, NULL}, {"transfers", papers_ours_run_with_transfers, NULL}
    };
    KcContestant both[2] = { contestants[0], contestants[1] };
    Bench b;

    if (!bench_init (&b, run, "fruits", w, h, FALSE))
      return;
    both[0].data = both[1].data = &b.ours;
    papers_set (run->column, count_points (&b), "rister/size/%dx%d/points", w, h);
    papers_time (run, both, 2, "rister/size/%dx%d", w, h);
    if (i < 2)
      papers_time_scalar (run, run_scalar, &b, "rister/size/%dx%d", w, h);
    if (i == 0)
      papers_measure_energy (run, run_once, &b, "rister/energy");
    bench_clear (&b);
  }
}

/* Times the work of Kayombya: 224x224 doubled, up to refinement. */
static void
time_small (PapersRun * run)
{
  Bench b;

  if (bench_init (&b, run, "fruits", 224, 224, TRUE)) {
    const KcContestant ours = { "ours", papers_ours_run, &b.ours };
    gdouble stages[RISTER_STAGES] = { 0 };

    compare (&b);
    papers_time (run, &ours, 1, "rister/224");
    papers_time_scalar (run, run_scalar, &b, "rister/224");
    add_stages (&b, stages);
    papers_set (run->column, stages[0] + stages[1], "rister/224/refined");
  }
  bench_clear (&b);
}

/* ---- Reading back ----------------------------------------------------------- */

typedef struct
{
  PapersRun *run;
  GstMgpuMemory *memory;
  cl_mem mem;
  gsize size;
  gpointer bytes;
} Readback;

static gdouble
read_back (gpointer data)
{
  Readback *r = data;

  papers_check (clEnqueueReadBuffer (gst_mgpu_queue_get_cl_queue (r->run->kc->queue), r->mem, CL_TRUE, 0, r->size,
          r->bytes, 0, NULL, NULL) == CL_SUCCESS, "clEnqueueReadBuffer failed");
  return -1;
}

static void
time_readback (PapersRun * run)
{
  /* Copies six levels of three octaves, in float; keypoints; and gradients, as two floats for the
   * samples of three levels. */
  static const gchar *const names[] = { "pyramid", "keypoints", "gradients" };
  const gsize samples = WIDTH * HEIGHT + WIDTH * HEIGHT / 4 + WIDTH * HEIGHT / 16;
  const gsize sizes[] = { 6 * 4 * samples, RISTER_POINTS * sizeof (GstMgpuKeypoint), 3 * 8 * samples };
  Readback all[G_N_ELEMENTS (names)];
  KcContestant contestants[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    all[i] = (Readback) { run, papers_memory_new (run, NULL, sizes[i]), NULL, sizes[i], g_malloc (sizes[i]) };
    all[i].mem = papers_memory_get (run, all[i].memory);
    contestants[i] = (KcContestant) { names[i], read_back, &all[i] };
    papers_set (run->column, sizes[i], "rister/readback/%s/bytes", names[i]);
  }
  papers_time (run, contestants, G_N_ELEMENTS (names), "rister/readback");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    kc_memory_free (all[i].memory);
    g_free (all[i].bytes);
  }
}

/* ---- Blurs ------------------------------------------------------------------ */

/* Makes a Gaussian of sigma 1.6 * 2^(1/3) in whole numbers that add up to 256, with a 0 at both
 * ends. */
static void
make_weights (gfloat weights[2 * RADIUS + 3])
{
  gdouble sigma = 1.6 * cbrt (2), sum = 0;
  gint left = 256;

  for (gint i = -RADIUS; i <= RADIUS; i++)
    sum += exp (-i * i / (2 * sigma * sigma));
  weights[0] = weights[2 * RADIUS + 2] = 0;
  for (gint i = -RADIUS; i <= RADIUS; i++) {
    weights[i + RADIUS + 1] = floor (256 * exp (-i * i / (2 * sigma * sigma)) / sum + 0.5);
    left -= weights[i + RADIUS + 1];
  }
  weights[RADIUS + 1] += left;
}

/* Convolves a row, then a column. */
static void
blur_scalar (const gfloat * in, const gfloat * weights, gint width, gint height, gfloat * rows, gfloat * out)
{
  for (gint pass = 0; pass < 2; pass++) {
    const gfloat *from = pass == 0 ? in : rows;
    gfloat *to = pass == 0 ? rows : out;

    for (gint y = 0; y < height; y++)
      for (gint x = 0; x < width; x++) {
        gfloat sum = 0;

        for (gint i = -RADIUS; i <= RADIUS; i++) {
          gint sx = pass == 0 ? x + i : x, sy = pass == 0 ? y : y + i;

          if (sx >= 0 && sx < width && sy >= 0 && sy < height)
            sum += weights[i + RADIUS + 1] * from[sy * width + sx];
        }
        to[y * width + x] = sum;
      }
  }
}

/* Orders samples in blocks of four. */
static gfloat *
pack (const gfloat * in, gint width, gint height)
{
  gfloat *out = g_new (gfloat, (gsize) width * height), *to = out;

  for (gint y = 0; y < height; y += 2)
    for (gint x = 0; x < width; x += 2) {
      *to++ = in[y * width + x];
      *to++ = in[y * width + x + 1];
      *to++ = in[(y + 1) * width + x];
      *to++ = in[(y + 1) * width + x + 1];
    }
  return out;
}

typedef struct
{
  gint width, height;
  GstMgpuMemory *in[2], *aside, *out, *weights;
  gfloat *want[2];              /* plain and packed */
} Blur;

static void
time_ways (PapersRun * run, GstMgpuProgram * program, Blur * b)
{
  static const gchar *const kernels[RISTER_BLURS][2] = {
    {"blur_2d"}, {"blur_rows", "blur_columns"}, {"blur_2d_packed"}, {"blur_rows_packed", "blur_columns_packed"}
  };
  cl_mem aside = papers_memory_get (run, b->aside), out = papers_memory_get (run, b->out);
  cl_mem weights = papers_memory_get (run, b->weights);
  cl_kernel k[RISTER_BLURS][2] = { {NULL} };
  PapersWork works[RISTER_BLURS];
  KcContestant contestants[RISTER_BLURS];

  for (guint i = 0; i < RISTER_BLURS; i++) {
    guint is_packed = i >= 2, is_separable = i % 2;
    gint w = is_packed ? b->width / 2 : b->width, h = is_packed ? b->height / 2 : b->height;
    cl_mem in = papers_memory_get (run, b->in[is_packed]);

    works[i] = (PapersWork) {.run = run };
    for (guint j = 0; j <= is_separable; j++) {
      k[i][j] = papers_kernel_new (run, program, kernels[i][j]);
      PAPERS_ARGS (run, k[i][j], "mmmii", j == 0 ? in : aside, j == is_separable ? out : aside, weights, w, h);
      papers_work_add (&works[i], k[i][j], w, h, 0, 0);
    }
    papers_work_run (&works[i]);
    papers_compare (run, rister_blurs[i], b->out, b->want[is_packed], sizeof (gfloat) * b->width * b->height);
    contestants[i] = (KcContestant) { rister_blurs[i], papers_work_run, &works[i] };
  }
  papers_time (run, contestants, RISTER_BLURS, "rister/blur/%dx%d", b->width, b->height);
  for (guint i = 0; i < RISTER_BLURS; i++)
    for (guint j = 0; j < 2 && k[i][j] != NULL; j++)
      clReleaseKernel (k[i][j]);
}

static void
time_blurs (PapersRun * run)
{
  GstMgpuProgram *program = papers_program_new (run, "rister.cl", "");
  guint n_sizes = run->quick ? 1 : RISTER_SIZES;

  for (guint s = 0; s < n_sizes && program != NULL; s++) {
    Blur b = {.width = rister_sizes[s][0],.height = rister_sizes[s][1] };
    gsize n = (gsize) b.width * b.height, size = n * sizeof (gfloat);
    g_autoptr (KcPicture) picture = papers_picture_load (run, "fruits", GST_VIDEO_FORMAT_GRAY8, b.width, b.height);
    gfloat weights[2 * RADIUS + 3], *in = g_new (gfloat, n), *rows = g_new (gfloat, n), *packed;

    make_weights (weights);
    for (gsize i = 0; i < n && picture != NULL; i++)
      in[i] = picture->data[picture->info.offset[0] + i];
    packed = pack (in, b.width, b.height);
    b.want[0] = g_new (gfloat, n);
    blur_scalar (in, weights, b.width, b.height, rows, b.want[0]);
    b.want[1] = pack (b.want[0], b.width, b.height);
    b.in[0] = papers_memory_new (run, in, size);
    b.in[1] = papers_memory_new (run, packed, size);
    b.aside = papers_memory_new (run, NULL, size);
    b.out = papers_memory_new (run, NULL, size);
    b.weights = papers_memory_new (run, weights, sizeof (weights));
    if (picture != NULL)
      time_ways (run, program, &b);
    kc_memory_free (b.in[0]);
    kc_memory_free (b.in[1]);
    kc_memory_free (b.aside);
    kc_memory_free (b.out);
    kc_memory_free (b.weights);
    g_free (b.want[0]);
    g_free (b.want[1]);
    g_free (in);
    g_free (rows);
    g_free (packed);
  }
  g_clear_object (&program);
}

void
rister_measure (PapersRun * run)
{
  time_pictures (run);
  time_sizes (run);
  time_small (run);
  time_readback (run);
  time_blurs (run);
}

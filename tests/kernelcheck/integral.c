/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks integral images and box filters, and compares their times with OpenCV's and NPP's. */
#include "peers.h"
#include <gst/vision/integral/integral.h>
#include "../reference/integral.h"
#include <string.h>

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_I420
};

static const gint sizes[][2] = {
  {33, 20}, {1, 1}, {64, 48}, {2, 1}, {1, 2}, {16, 33}, {5, 7}, {127, 65},
  {64, 32}, {31, 2}, {2, 130}, {321, 241}, {65, 1}, {1, 70}, {161, 120}
};

/* Sizes for which 32-bit sums are just large enough, and just too small, and 8K. All samples are
 * 255 or 65535, so that an overflow is detected. */
static const struct
{
  GstVideoFormat format;
  gint width, height;
} big_cases[] = {
  {GST_VIDEO_FORMAT_GRAY16_LE, 65537, 1}, {GST_VIDEO_FORMAT_GRAY16_LE, 2,
      32769},
  {GST_VIDEO_FORMAT_GRAY8, 1920, 1080}, {GST_VIDEO_FORMAT_GRAY8, 7680, 4320},
  {GST_VIDEO_FORMAT_GRAY8, 4096, 4096}
};

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  guint component;
  gboolean squares;
  guint radius, radius_y;
  KcContent content;
  KcLayout layout;
} Case;

/* Holds a table, and after its end poison: bytes that must not change. */
typedef struct
{
  gsize size;
  guint8 *want, *got;
  GstMgpuMemory *memory;
} Table;

#define GUARD 256

static gboolean
table_init (Table * table, KcRun * run, gsize size)
{
  table->size = size;
  table->want = g_malloc (size + GUARD);
  memset (table->want, 0xa5, size + GUARD);
  table->got = g_memdup2 (table->want, size + GUARD);
  table->memory = kc_memory_new (run, table->got, size + GUARD);
  return table->memory != NULL;
}

static void
table_clear (Table * table)
{
  g_free (table->want);
  g_free (table->got);
  if (table->memory != NULL)
    kc_memory_free (table->memory);
}

static gboolean
compare_table (KcRun * run, const gchar * name, Table * table, guint columns,
    guint rows, guint bytes)
{
  KcArray want = {
    name, bytes == 4 ? KC_U32 : KC_U64, table->want, (gsize) columns * bytes,
    bytes, columns, rows
  };
  KcArray got = want;

  if (!kc_memory_read (run, table->memory, table->got))
    return FALSE;
  got.data = table->got;
  if (!kc_compare_array (run, &want, &got))
    return FALSE;
  if (memcmp (table->want + table->size, table->got + table->size, GUARD)) {
    kc_case_fail (run, "bytes behind the table of %s were written to", name);
    return FALSE;
  }
  return TRUE;
}

/* Returns whether means are rounded down, as in planes of frames with alpha; in this check, frames
 * of this format with an odd width are not. */
static gboolean
rounds (const Case * c)
{
  return c->format != GST_VIDEO_FORMAT_GRAY16_LE || c->width % 2 == 0;
}

static gboolean
check_box (KcRun * run, MgpuIntegral * self, const Case * c,
    const KcPicture * in, const Table * sum, KcRandom * random)
{
  g_autoptr (KcPicture) want = kc_picture_new (&in->info, c->layout, random);
  g_autoptr (KcPicture) got = kc_picture_copy (want);
  g_autoptr (KcFrame) frame = kc_frame_new (run, got);
  RefPlane from = kc_picture_plane (in, c->component);
  RefPlane to = kc_picture_plane (want, c->component);
  const MgpuRadii radii = { c->radius, c->radius_y };
  const MgpuPlace place = { 0, 0, from.width, from.height };
  GstMgpuJob job;
  /* Uses the radius from which on any larger one gives the same result. */
  gint radius = (gint) MIN (c->radius, 1u << 20);
  gint radius_y = (gint) MIN (c->radius_y, 1u << 20);
  gboolean ok = FALSE;

  if (frame != NULL && ref_integral_box (&from, radius, radius_y,
          rounds (c), &to)) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_integral_enqueue_box (self, &job, sum->memory, from.width,
        from.height, &radii, &place, &frame->image);
    ok = kc_end_job (run, &job) && kc_frame_read (run, frame, got)
        && kc_compare_picture (run, want, got);
  }
  return ok;
}

static void
check_tables (KcRun * run, MgpuIntegral * self, const Case * c,
    const KcPicture * in, KcRandom * random)
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  RefPlane plane = kc_picture_plane (in, c->component);
  Table sum = { 0, }, squares = { 0, };
  guint columns, rows, bytes;
  gsize n;
  GstMgpuJob job;

  mgpu_integral_get_layout (self, &columns, &rows, &bytes);
  n = (gsize) columns *rows;
  if (columns != plane.width + 1u || rows != plane.height + 1u)
    kc_case_fail (run, "the table has %u columns and %u rows", columns, rows);

  if (frame != NULL && table_init (&sum, run, n * bytes)
      && (!c->squares || table_init (&squares, run, n * sizeof (guint64)))) {
    ref_integral (&plane, bytes, sum.want, (guint64 *) squares.want);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_integral_enqueue (self, &job, &frame->image, sum.memory,
        squares.memory);
    if (kc_end_job (run, &job)
        && compare_table (run, "sum", &sum, columns, rows, bytes)
        && (!c->squares
            || compare_table (run, "squares", &squares, columns, rows, 8)))
      check_box (run, self, c, in, &sum, random);
  }
  table_clear (&sum);
  table_clear (&squares);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  GstVideoInfo info;
  MgpuIntegral *self;
  g_autoptr (KcPicture) in = NULL;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_make (&info, c->layout, c->content, random);
  kc_case_begin (run, c->kind, "%s %dx%d, strides %s, component %u, %s, %s, "
      "radius %u %u", GST_VIDEO_INFO_NAME (&info), c->width, c->height,
      kc_picture_strides (in), c->component, kc_content_name (c->content),
      c->squares ? "squares" : "no squares", c->radius, c->radius_y);

  self = mgpu_integral_new (run->context, &info, c->component, c->squares,
      TRUE, rounds (c), &error);
  if (self != NULL) {
    check_tables (run, self, c, in, random);
    mgpu_object_free (self);
  } else {
    kc_case_fail_error (run, error);
  }
  kc_case_end (run);
}

static guint
choose_component (GstVideoFormat format, guint turn)
{
  return turn
      % GST_VIDEO_FORMAT_INFO_N_COMPONENTS (gst_video_format_get_info (format));
}

/* Returns whether the device is Mesa's llvmpipe with the class of CPUs. llvmpipe ends the loops of
 * a work-item after 65535 rounds in total, and the bands of large frames need more. The class that
 * llvmpipe has by default uses no bands. */
static gboolean
ends_loops (KcRun * run)
{
  return gst_mgpu_context_get_traits (run->context)->device_class ==
      GST_MGPU_DEVICE_CLASS_CPU
      && g_str_equal (gst_mgpu_context_get_platform_name (run->context),
      "rusticl");
}

static void
check_fixed (KcRun * run)
{
  static const guint radii[] = { 1, 0, 3, 17, 60, 200, G_MAXUINT };
  guint n_sizes = run->quick ? 3 : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      guint radius = radii[turn % G_N_ELEMENTS (radii)];
      Case c = {
        KC_FIXED, formats[f], sizes[s][0], sizes[s][1],
        choose_component (formats[f], turn), turn % 2, radius,
        formats[f] == GST_VIDEO_FORMAT_YUY2 ? radius / 2 : radius,
        turn / 2 % KC_N_CONTENTS, turn % KC_N_LAYOUTS
      };

      check_case (run, &c, &random);
    }
  }
  if (!run->quick && ends_loops (run)) {
    g_print ("left out: %u frames for which llvmpipe ends loops too early\n",
        (guint) G_N_ELEMENTS (big_cases));
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (big_cases) && !run->quick
      && kc_goes_on (run); i++) {
    Case c = {
      KC_FIXED, big_cases[i].format, big_cases[i].width, big_cases[i].height,
      0, i % 2, i % 2 ? G_MAXUINT : 40, i % 2 ? G_MAXUINT : 40,
      KC_CONTENT_NEAR_WHITE, KC_LAYOUT_TIGHT
    };

    check_case (run, &c, &random);
  }
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 40 : 400;
  Case c = {.kind = KC_RANDOM };

  c.format = formats[kc_random_below (random, G_N_ELEMENTS (formats))];
  c.width = 1 + kc_random_below (random, edge);
  c.height = 1 + kc_random_below (random, edge);
  c.component = choose_component (c.format, kc_random_below (random, 4));
  c.squares = kc_random_below (random, 2);
  c.radius = kc_random_below (random, kc_random_below (random, 2) ? 20 : 500);
  c.content = kc_random_below (random, KC_N_CONTENTS);
  c.layout = kc_random_below (random, KC_N_LAYOUTS);
  check_case (run, &c, random);
}

/* Checks that words above the largest value of a sample count as this value. */
static void
check_excess (KcRun * run)
{
  KcRandom random;

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < 4 && kc_goes_on (run); i++) {
    Case c = {
      KC_RANDOM, GST_VIDEO_FORMAT_I420_10LE, i / 2 ? 321 : 33,
      i / 2 ? 241 : 20, 0, i % 2, 5, 5, KC_CONTENT_EXCESS, i % KC_N_LAYOUTS
    };

    check_case (run, &c, &random);
  }
}

static void
check (KcRun * run)
{
  check_fixed (run);
  check_excess (run);
  kc_check_random (run, run->seed, run->quick ? 4 : 60, check_random);
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuIntegral *self;
  KcPicture *in;
  KcFrame *frame, *out;
  Table sum, squares;
  gboolean with_squares;
  guint radius;
} Bench;

static gboolean
bench_init (Bench * bench, KcRun * run, gint width, gint height)
{
  GError *error = NULL;
  guint columns, rows, bytes;
  RefPlane plane;

  memset (bench, 0, sizeof (*bench));
  bench->run = run;
  bench->in = kc_picture_bench (GST_VIDEO_FORMAT_GRAY8, width, height);
  bench->self =
      mgpu_integral_new (run->context, &bench->in->info, 0, TRUE, TRUE, TRUE,
      &error);
  if (bench->self == NULL) {
    kc_case_fail_error (run, error);
    return FALSE;
  }
  mgpu_integral_get_layout (bench->self, &columns, &rows, &bytes);
  bench->frame = kc_frame_new (run, bench->in);
  bench->out = kc_frame_new (run, bench->in);
  if (bench->frame == NULL || bench->out == NULL
      || !table_init (&bench->sum, run, (gsize) columns * rows * bytes)
      || !table_init (&bench->squares, run, (gsize) columns * rows * 8))
    return FALSE;
  plane = kc_picture_plane (bench->in, 0);
  ref_integral (&plane, bytes, bench->sum.want,
      (guint64 *) bench->squares.want);
  return TRUE;
}

static void
bench_clear (Bench * bench)
{
  table_clear (&bench->sum);
  table_clear (&bench->squares);
  kc_frame_free (bench->frame);
  kc_frame_free (bench->out);
  if (bench->self != NULL)
    mgpu_object_free (bench->self);
  kc_picture_free (bench->in);
}

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  gboolean box = bench->radius > 0;
  const MgpuPlace place = mgpu_get_place (&bench->frame->image.info, 0, NULL);
  const MgpuRadii radii = { bench->radius, bench->radius };
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_integral_enqueue (bench->self, &job, &bench->frame->image,
      bench->sum.memory, bench->with_squares ? bench->squares.memory : NULL);
  if (box)
    mgpu_integral_enqueue_box (bench->self, &job, bench->sum.memory,
        place.width, place.height, &radii, &place, &bench->out->image);
  return kc_finish (run, &job, box ? bench->out->image.memory
      : bench->sum.memory, before);
}

#ifdef HAVE_OPENCV
static gdouble
opencv_integral (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_integral (bench->in, (gint32 *) bench->sum.got,
      bench->with_squares ? (gdouble *) bench->squares.got : NULL);
}

/* Compares the reference with OpenCV's result. */
static void
compare_opencv (KcRun * run, gint width, gint height)
{
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "OpenCV, GRAY8 %dx%d", width, height);
  if (bench_init (&bench, run, width, height)) {
    const guint64 *want = (const guint64 *) bench.squares.want;
    const gdouble *got = (const gdouble *) bench.squares.got;

    opencv_integral (&bench);
    if (memcmp (bench.sum.want, bench.sum.got, bench.sum.size) != 0)
      kc_case_fail (run, "the sums differ");
    bench.with_squares = TRUE;
    opencv_integral (&bench);
    for (gsize i = 0; i < bench.squares.size / 8; i++) {
      if ((gdouble) want[i] != got[i]) {
        kc_case_fail (run, "the squared sums differ");
        break;
      }
    }
  }
  bench_clear (&bench);
  kc_case_end (run);
}
#endif

#ifdef HAVE_NPP
static gdouble
npp_integral (gpointer data)
{
  Bench *bench = data;

  return kc_npp_integral (bench->in);
}
#endif

static void
bench_size (KcRun * run, gint width, gint height)
{
  static const struct
  {
    const gchar *what;
    gboolean with_squares;
    guint radius;
    guint n_peers;              /* that do the same */
  } parts[] = {
    {"sum", FALSE, 0, 2},
    {"sum and squared sum", TRUE, 0, 1},
    {"box filter, radius 2", FALSE, 2, 0},
    {"box filter, radius 100", FALSE, 100, 0}
  };
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  if (bench_init (&bench, run, width, height)) {
    KcPython python = {.a = kc_python_plane (bench.in, 0) };
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, &python, {bench.sum.memory,
              bench.out->image.memory}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_integral, &bench},
#endif
#ifdef HAVE_NPP
      {"NPP", npp_integral, &bench},
#endif
    };

    for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
      guint n = run->peers ? 1 + parts[i].n_peers : 1;
      g_autofree gchar *what =
          g_strdup_printf ("%s GRAY8 %dx%d", parts[i].what, width,
          height);

      bench.with_squares = parts[i].with_squares;
      bench.radius = parts[i].radius;
      kc_python_set (&python, "", parts[i].radius > 0 ? NULL
          : parts[i].with_squares ? "cv2.integral2(a)" : "cv2.integral(a, o)");
      kc_bench (run, what, contestants, MIN (n, G_N_ELEMENTS (contestants)));
    }
    kc_python_clear (&python);
  }
  bench_clear (&bench);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
#ifdef HAVE_OPENCV
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && run->peers; i++)
    compare_opencv (run, sizes[i][0], sizes[i][1]);
#endif
  kc_bench_sizes (run, bench_size);
}

const KcFunction kc_integral = { "integral", check, bench };

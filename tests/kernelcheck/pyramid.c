/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks Gaussian and Laplacian pyramids, and compares their times with OpenCV's and NPP's. */
#include "peers.h"
#include <gst/vision/pyramid/pyramid.h>
#include "../reference/pyramid.h"
#include "../reference/samples.h"
#include <string.h>

#define MAX_LEVELS MGPU_PYRAMID_MAX_LEVELS
#define MAX_COMPONENTS 4

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_UYVY,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_xRGB,
  GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_I420_10LE
};

/* Sizes: single pixels, rows and columns, one block of a vector more or less, several tiles in both
 * directions, and rows that are longer than a chunk of pyramid_rows */
static const gint sizes[][2] = {
  {33, 20}, {1, 1}, {2085, 5}, {64, 48}, {2, 1}, {1, 2}, {3, 3}, {5, 7},
  {127, 65}, {32, 32}, {31, 2}, {2, 130}, {321, 241}, {65, 1}, {1, 70},
  {161, 120}
};

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  guint n_levels;
  guint wanted;                 /* bit i: level i */
  MgpuPyramidType type;
  KcContent content;
  KcLayout layout;
} Case;

/* The expected and the computed pyramid in host memory */
typedef struct
{
  KcPicture *gaussian[MAX_LEVELS];
  KcPicture *want[MAX_LEVELS], *got[MAX_LEVELS];
  guint8 *detail_want[MAX_LEVELS], *detail_got[MAX_LEVELS];
} Levels;

/* Returns a plane like kc_picture_plane(), but @i may also be the unused byte of a pixel. */
static RefPlane
get_plane (const KcPicture * picture, guint i)
{
  const GstVideoInfo *info = &picture->info;
  guint n = GST_VIDEO_INFO_N_COMPONENTS (info);
  RefPlane plane = kc_picture_plane (picture, MIN (i, n - 1));

  if (i < n)
    return plane;
  plane.data = picture->data + info->offset[0] + 6;
  for (guint j = 0; j < n; j++)
    plane.data -= GST_VIDEO_INFO_COMP_POFFSET (info, j);
  return plane;
}

/* Computes the pyramid levels with the reference. */
static void
make_levels (MgpuPyramid * self, const Case * c, Levels * levels,
    const KcPicture * in, KcRandom * random)
{
  guint n = mgpu_pyramid_get_n_levels (self);
  guint n_components = mgpu_pyramid_get_n_components (self);

  for (guint i = 0; i < n; i++) {
    const GstVideoInfo *info = mgpu_pyramid_get_info (self, i);

    levels->want[i] = kc_picture_new (info, c->layout, random);
    levels->got[i] = kc_picture_copy (levels->want[i]);
    levels->gaussian[i] = i == 0 ? kc_picture_copy (in)
        : kc_picture_copy (levels->want[i]);
    for (guint j = 0; j < n_components && i > 0; j++) {
      RefPlane from = get_plane (levels->gaussian[i - 1], j);
      RefPlane to = get_plane (levels->gaussian[i], j);

      ref_pyramid_down (&from, &to);
    }
    if (c->type == MGPU_PYRAMID_GAUSSIAN || i == n - 1) {
      if (i == 0) {
        kc_picture_copy_planes (in, levels->want[0], ~0u);
      } else {
        kc_picture_free (levels->want[i]);
        levels->want[i] = kc_picture_copy (levels->gaussian[i]);
      }
    }
  }
  for (guint i = 0; c->type == MGPU_PYRAMID_LAPLACIAN && i < n - 1; i++) {
    gsize size = mgpu_pyramid_get_detail_size (self, i);

    levels->detail_want[i] = g_malloc (size);
    memset (levels->detail_want[i], 0x5a, size);
    levels->detail_got[i] = g_memdup2 (levels->detail_want[i], size);
    for (guint j = 0; j < n_components; j++) {
      RefPlane fine = get_plane (levels->gaussian[i], j);
      RefPlane coarse = get_plane (levels->gaussian[i + 1], j);
      RefPlane out = get_plane (levels->want[i], j);
      MgpuComponent d;

      mgpu_pyramid_get_detail (self, i, j, &d);
      ref_pyramid_detail (&fine, &coarse, levels->detail_want[i] + d.offset,
          d.stride);
      ref_pyramid_show (&fine, &coarse, &out);
    }
  }
}

static void
free_levels (Levels * levels)
{
  for (guint i = 0; i < MAX_LEVELS; i++) {
    kc_picture_free (levels->gaussian[i]);
    kc_picture_free (levels->want[i]);
    kc_picture_free (levels->got[i]);
    g_free (levels->detail_want[i]);
    g_free (levels->detail_got[i]);
  }
}

static gboolean
compare_detail (KcRun * run, MgpuPyramid * self, guint level,
    const guint8 * want, const guint8 * got)
{
  static const gchar *const names[] = {
    "detail 0", "detail 1", "detail 2", "detail 3"
  };
  gboolean ok = TRUE;

  for (guint i = 0; i < mgpu_pyramid_get_n_components (self); i++) {
    MgpuComponent d;

    mgpu_pyramid_get_detail (self, level, i, &d);
    {
      KcArray a = {
        names[i], d.bytes == 2 ? KC_I16 : KC_I32, want + d.offset, d.stride,
        d.pixel_stride, d.width, d.height
      };
      KcArray b = a;

      b.data = got + d.offset;
      ok &= kc_compare_array (run, &a, &b);
    }
  }
  /* Compares the gaps between the rows as well. */
  if (ok && memcmp (want, got, mgpu_pyramid_get_detail_size (self, level))) {
    kc_case_fail (run, "level %u: bytes between the rows of detail were "
        "written to", level);
    ok = FALSE;
  }
  return ok;
}

/* The device's copies of a pyramid */
typedef struct
{
  KcFrame *frames[MAX_LEVELS];
  GstMgpuMemory *details[MAX_LEVELS];
  const MgpuImage *images[MAX_LEVELS];
} Device;

static gboolean
device_init (Device * device, KcRun * run, MgpuPyramid * self, const Case * c,
    const Levels * levels)
{
  guint n = mgpu_pyramid_get_n_levels (self);

  for (guint i = 0; i < n; i++) {
    if (!(c->wanted & 1u << i))
      continue;
    device->frames[i] = kc_frame_new (run, levels->got[i]);
    if (device->frames[i] == NULL)
      return FALSE;
    device->images[i] = &device->frames[i]->image;
    if (c->type == MGPU_PYRAMID_GAUSSIAN || i == n - 1)
      continue;
    device->details[i] = kc_memory_new (run, levels->detail_got[i],
        mgpu_pyramid_get_detail_size (self, i));
    if (device->details[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static void
device_clear (Device * device)
{
  for (guint i = 0; i < MAX_LEVELS; i++) {
    kc_frame_free (device->frames[i]);
    if (device->details[i] != NULL)
      kc_memory_free (device->details[i]);
  }
}

static gboolean
compare_levels (KcRun * run, MgpuPyramid * self, Device * device,
    Levels * levels)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < mgpu_pyramid_get_n_levels (self) && ok; i++) {
    if (device->frames[i] != NULL)
      ok = kc_frame_read (run, device->frames[i], levels->got[i])
          && kc_compare_picture (run, levels->want[i], levels->got[i]);
    if (ok && device->details[i] != NULL)
      ok = kc_memory_read (run, device->details[i], levels->detail_got[i])
          && compare_detail (run, self, i, levels->detail_want[i],
          levels->detail_got[i]);
    if (!ok)
      kc_case_fail (run, "that was level %u", i);
  }
  return ok;
}

/* Compares the values of all samples, without the unused low bits. */
static gboolean
same_values (const KcPicture * a, const KcPicture * b, guint n_components)
{
  for (guint i = 0; i < n_components; i++) {
    RefPlane p = get_plane (a, i), q = get_plane (b, i);

    for (gint y = 0; y < p.height; y++) {
      for (gint x = 0; x < p.width; x++) {
        if (ref_get (&p, x, y) != ref_get (&q, x, y))
          return FALSE;
      }
    }
  }
  return TRUE;
}

/* Compares all levels after they were collapsed down to the frame. */
static gboolean
check_collapse (KcRun * run, MgpuPyramid * self, Device * device,
    const Levels * levels, const KcPicture * in)
{
  guint last = mgpu_pyramid_get_n_levels (self) - 1;
  guint n_components = mgpu_pyramid_get_n_components (self);
  g_autoptr (KcPicture) want = kc_picture_copy (levels->got[0]), got = NULL;
  g_autoptr (KcFrame) frame = NULL;
  GstMgpuJob job;
  gboolean ok = FALSE;

  if (last == 0)
    kc_picture_copy_planes (in, want, ~0u);
  got = kc_picture_copy (want);
  for (guint j = 0; j < n_components && last > 0; j++) {
    RefPlane coarse = get_plane (levels->gaussian[1], j);
    RefPlane fine = get_plane (want, j);
    MgpuComponent d;

    mgpu_pyramid_get_detail (self, 0, j, &d);
    ref_pyramid_collapse (levels->detail_want[0] + d.offset, d.stride, &coarse,
        &fine);
  }
  if (!same_values (in, want, n_components))
    kc_case_fail (run, "the reference does not rebuild the frame");

  frame = kc_frame_new (run, got);
  if (frame != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_pyramid_enqueue_collapse (self, &job, device->details,
        device->images[last], &frame->image);
    ok = kc_end_job (run, &job) && kc_frame_read (run, frame, got)
        && kc_compare_picture (run, want, got);
    if (!ok)
      kc_case_fail (run, "that was the rebuilt frame");
  }
  return ok;
}

static void
check_prepared (KcRun * run, MgpuPyramid * self, const Case * c,
    const KcPicture * in, Levels * levels)
{
  guint n = mgpu_pyramid_get_n_levels (self);
  Device device = { {NULL}, {NULL}, {NULL} };
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  g_autoptr (KcPicture) after = kc_picture_copy (in);
  GstMgpuJob job;

  if (frame != NULL && device_init (&device, run, self, c, levels)) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_pyramid_enqueue (self, &job, &frame->image, device.images,
        device.details);
    if (kc_end_job (run, &job)
        && compare_levels (run, self, &device, levels)
        && c->type == MGPU_PYRAMID_LAPLACIAN
        && (c->wanted & ((1u << n) - 1)) == (1u << n) - 1)
      check_collapse (run, self, &device, levels, in);
    if (kc_frame_read (run, frame, after)
        && memcmp (in->data, after->data, in->size) != 0)
      kc_case_fail (run, "the input was written to");
  }
  device_clear (&device);
}

/* Returns: (nullable): the object that computes the pyramid of the case @c; if NULL, the case has
 * failed */
static MgpuPyramid *
new_pyramid (KcRun * run, const Case * c, const GstVideoInfo * info)
{
  const MgpuPyramidParams params = { c->n_levels, c->type };
  GError *error = NULL;
  MgpuPyramid *self = mgpu_object_new (&mgpu_pyramid, run->context, info, NULL,
      NULL, &params, &error);

  if (self == NULL)
    kc_case_fail_error (run, error);
  return self;
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GstVideoInfo info;
  g_autoptr (KcPicture) in = NULL;
  MgpuPyramid *self;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_make (&info, c->layout, c->content, random);
  kc_case_begin (run, c->kind, "%s %dx%d, strides %s, %s, %s, %u levels, "
      "wanted 0x%x", GST_VIDEO_INFO_NAME (&info), c->width, c->height,
      kc_picture_strides (in), kc_content_name (c->content),
      c->type == MGPU_PYRAMID_LAPLACIAN ? "laplacian" : "gaussian",
      c->n_levels, c->wanted);

  self = new_pyramid (run, c, &info);
  if (self != NULL) {
    Levels levels = { {NULL}, {NULL}, {NULL}, {NULL}, {NULL}
    };

    make_levels (self, c, &levels, in, random);
    check_prepared (run, self, c, in, &levels);
    free_levels (&levels);
  }
  mgpu_object_free (self);
  kc_case_end (run);
}

static void
check_fixed (KcRun * run)
{
  static const guint wanted[] = { 0xffff, 0x04, 0x0a, 0x13, 0xffff, 0x08 };
  guint n_sizes = run->quick ? 3 : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++) {
      for (guint type = 0; type < 2; type++, turn++) {
        Case c = {
          KC_FIXED, formats[f], sizes[s][0], sizes[s][1],
          s % 4 == 3 ? MAX_LEVELS : 1 + turn % 6,
          wanted[turn / 2 % G_N_ELEMENTS (wanted)],
          type, turn / 3 % KC_N_CONTENTS, turn % KC_N_LAYOUTS
        };

        check_case (run, &c, &random);
      }
    }
  }
}

/* Checks the maximum number of levels, all in one job. */
static void
check_deepest (KcRun * run)
{
  Case c = {
    KC_FIXED, GST_VIDEO_FORMAT_GRAY8, 40000, 2, MAX_LEVELS, 0xffff,
    MGPU_PYRAMID_LAPLACIAN, KC_CONTENT_RANDOM, KC_LAYOUT_DEFAULT
  };
  KcRandom random;

  kc_random_init (&random, 2);
  check_case (run, &c, &random);
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 40 : 400;
  Case c = {.kind = KC_RANDOM };

  c.format = formats[kc_random_below (random, G_N_ELEMENTS (formats))];
  c.width = 1 + kc_random_below (random, edge);
  c.height = 1 + kc_random_below (random, edge);
  c.n_levels = 1 + kc_random_below (random, 9);
  c.wanted = kc_random_below (random, 2) ? 0xffff
      : kc_random_below (random, 0x200);
  c.type = kc_random_below (random, 2);
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
      KC_RANDOM, GST_VIDEO_FORMAT_I420_10LE, i / 2 ? 127 : 33, i / 2 ? 65 : 20,
      3, 0xffff, i % 2, KC_CONTENT_EXCESS, i % KC_N_LAYOUTS
    };

    check_case (run, &c, &random);
  }
}

static void
check (KcRun * run)
{
  check_fixed (run);
  check_excess (run);
  if (!run->quick)
    check_deepest (run);
  kc_check_random (run, run->seed, run->quick ? 4 : 60, check_random);
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

#define BENCH_LEVELS 4          /* number of levels, as many as the Python call below computes */

/* The pyramid that is timed, and its input */
typedef struct
{
  KcRun *run;
  MgpuPyramid *self;
  KcPicture *in;
  Levels levels;                /* got: those of OpenCV */
  KcFrame *frame;
  Device device;
} Bench;

static gboolean
bench_init (Bench * bench, KcRun * run, gint width, gint height,
    guint n_levels, MgpuPyramidType type)
{
  Case c = {
    KC_RANDOM, GST_VIDEO_FORMAT_GRAY8, width, height, n_levels, 0xffff, type,
    KC_CONTENT_NATURAL, KC_LAYOUT_DEFAULT
  };
  GstVideoInfo info;
  KcRandom random;

  memset (bench, 0, sizeof (*bench));
  bench->run = run;
  kc_random_init (&random, 3);
  gst_video_info_set_format (&info, c.format, width, height);
  bench->in = kc_picture_make (&info, c.layout, c.content, &random);
  bench->self = new_pyramid (run, &c, &info);
  if (bench->self == NULL)
    return FALSE;
  make_levels (bench->self, &c, &bench->levels, bench->in, &random);
  /* Requests all levels except level 0, which is the frame; of a Laplacian pyramid, the detail
   * without its picture. */
  c.wanted = type == MGPU_PYRAMID_GAUSSIAN ? ~1u : 0xffff;
  bench->frame = kc_frame_new (run, bench->in);
  return bench->frame != NULL
      && device_init (&bench->device, run, bench->self, &c, &bench->levels);
}

static void
bench_clear (Bench * bench)
{
  device_clear (&bench->device);
  kc_frame_free (bench->frame);
  free_levels (&bench->levels);
  mgpu_object_free (bench->self);
  kc_picture_free (bench->in);
}

/* Times all levels, or the detail without its picture and the last level. */
static gdouble
time_levels (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint last = mgpu_pyramid_get_n_levels (bench->self) - 1;
  gboolean is_laplacian = bench->device.details[0] != NULL;
  const MgpuImage *images[MAX_LEVELS] = { NULL, };
  guint64 before = kc_device_time (run);
  GstMgpuJob job;

  for (guint i = is_laplacian ? last : 1; i <= last; i++)
    images[i] = bench->device.images[i];
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_pyramid_enqueue (bench->self, &job, &bench->frame->image, images,
      bench->device.details);
  return kc_finish (run, &job, is_laplacian ? bench->device.details[last - 1]
      : images[last]->memory, before);
}

static gdouble
time_collapse (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint last = mgpu_pyramid_get_n_levels (bench->self) - 1;
  guint64 before = kc_device_time (run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_pyramid_enqueue_collapse (bench->self, &job, bench->device.details,
      bench->device.images[last], bench->device.images[0]);
  return kc_finish (run, &job, bench->device.images[0]->memory, before);
}

#ifdef HAVE_OPENCV
static gdouble
opencv_levels (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_pyramid (bench->in, bench->levels.got,
      mgpu_pyramid_get_n_levels (bench->self) - 1);
}

static gdouble
opencv_up (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_up (bench->levels.got[1], bench->levels.got[0]);
}

static gdouble
opencv_detail (gpointer data)
{
  Bench *bench = data;

  kc_opencv_pyramid (bench->in, bench->levels.got, 1);
  return kc_opencv_detail (bench->in, bench->levels.got[1],
      bench->levels.got[0], (gint16 *) bench->levels.detail_got[0]);
}

static gdouble
opencv_collapse (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_collapse ((gint16 *) bench->levels.detail_got[0],
      bench->levels.got[1], bench->levels.gaussian[0], bench->levels.got[0]);
}
#endif

#ifdef HAVE_NPP
static gdouble
npp_levels (gpointer data)
{
  Bench *bench = data;

  return kc_npp_pyramid (bench->in, mgpu_pyramid_get_n_levels (bench->self)
      - 1);
}

static gdouble
npp_level (gpointer data)
{
  Bench *bench = data;

  return kc_npp_pyramid (bench->in, 1);
}
#endif

#ifdef HAVE_OPENCV
/* Compares the reference with OpenCV: all levels, and their magnification except the last row of an
 * odd height, where OpenCV uses a wrong row. */
static void
compare_opencv (KcRun * run, gint width, gint height)
{
  Bench bench;
  guint n;

  kc_case_begin (run, KC_RANDOM, "OpenCV, GRAY8 %dx%d", width, height);
  if (bench_init (&bench, run, width, height, 6, MGPU_PYRAMID_LAPLACIAN)) {
    Levels *levels = &bench.levels;

    n = mgpu_pyramid_get_n_levels (bench.self);
    opencv_levels (&bench);
    for (guint i = 1; i < n; i++) {
      g_autoptr (KcPicture) up = kc_picture_copy (levels->gaussian[i - 1]);
      RefPlane coarse = get_plane (levels->gaussian[i], 0);
      RefPlane magnified = get_plane (up, 0);
      gint rows = magnified.height - (magnified.height % 2);

      if (!same_values (levels->gaussian[i], levels->got[i], 1))
        kc_case_fail (run, "pyrDown differs at level %u", i);
      kc_opencv_up (levels->gaussian[i], up);
      for (gint y = 0; y < rows; y++) {
        for (gint x = 0; x < magnified.width; x++) {
          gint theirs = magnified.data[y * magnified.stride + x];

          if (theirs != ref_pyramid_up (&coarse, x, y)) {
            kc_case_fail (run, "pyrUp differs at level %u, x=%d y=%d", i, x, y);
            y = rows;
            break;
          }
        }
      }
    }
  }
  bench_clear (&bench);
  kc_case_end (run);
}
#endif

static void
bench_size (KcRun * run, gint width, gint height)
{
  gchar *what;
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  if (bench_init (&bench, run, width, height, BENCH_LEVELS + 1,
          MGPU_PYRAMID_GAUSSIAN)) {
    KcPython python = {.a = kc_python_plane (bench.in, 0) };
    const KcContestant contestants[] = {
      {"ours", time_levels, &bench, &python,
          {bench.device.images[1] !=
                  NULL ? bench.device.images[1]->memory : NULL}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_levels, &bench},
#endif
#ifdef HAVE_NPP
      {"NPP", npp_levels, &bench}, {"NPP, one", npp_level, &bench},
#endif
    };

    what = g_strdup_printf ("%d levels GRAY8 %dx%d", BENCH_LEVELS, width,
        height);
    kc_python_set (&python, "down = cv2.pyrDown", "down(down(down(down(a))))");
    kc_bench (run, what, contestants,
        run->peers ? G_N_ELEMENTS (contestants) : 1);
    kc_python_clear (&python);
    g_free (what);
  }
  bench_clear (&bench);

  if (bench_init (&bench, run, width, height, 2, MGPU_PYRAMID_LAPLACIAN)) {
    const KcContestant detail[] = {
      {"ours", time_levels, &bench, NULL, {bench.device.details[0]}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_detail, &bench},
#endif
    };
    const KcContestant collapse[] = {
      {"ours", time_collapse, &bench, NULL, {bench.device.images[0]->memory}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_collapse, &bench}, {"pyrUp", opencv_up, &bench},
#endif
    };

    what = g_strdup_printf ("1 level of detail GRAY8 %dx%d", width, height);
    kc_bench (run, what, detail, run->peers ? G_N_ELEMENTS (detail) : 1);
    g_free (what);
    what = g_strdup_printf ("collapse 1 level GRAY8 %dx%d", width, height);
    kc_bench (run, what, collapse, run->peers ? G_N_ELEMENTS (collapse) : 1);
    g_free (what);
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

const KcFunction kc_pyramid = { "pyramid", check, bench };

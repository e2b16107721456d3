/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks dense optical flow on streams, and measures its time. */
#include "peers.h"

#include <string.h>

#include <gst/vision/flow/flow.h>

#include "flow.h"

#include "../reference/flow.h"
#include "../reference/samples.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_BGRx
};

static const gint sizes[][2] = {
  {33, 17}, {16, 16}, {64, 48}, {17, 130}, {127, 65}, {321, 24}, {161, 120},
  {40, 31}, {641, 359}
};

static const MgpuFlowParams variants[] = {
  {TRUE, MGPU_FLOW_MEDIUM, MGPU_FLOW_TO_PREVIOUS, FALSE, TRUE},
  {TRUE, MGPU_FLOW_ULTRAFAST, MGPU_FLOW_FROM_PREVIOUS, FALSE, TRUE},
  {TRUE, MGPU_FLOW_FINE, MGPU_FLOW_BOTH, FALSE, TRUE},
  {TRUE, MGPU_FLOW_FAST, MGPU_FLOW_BOTH, TRUE, FALSE},
  {TRUE, MGPU_FLOW_FINE, MGPU_FLOW_TO_PREVIOUS, TRUE, FALSE},
  {TRUE, MGPU_FLOW_MEDIUM, MGPU_FLOW_BOTH, TRUE, TRUE},
  {TRUE, MGPU_FLOW_ULTRAFAST, MGPU_FLOW_BOTH, TRUE, TRUE}
};

/* Contents of the two scenes that this file draws; the other contents are those of kernelcheck */
#define CONTENT_MOVING KC_CONTENT_OWN

/* Number of frames of a stream, and number of the frame before which the object forgets earlier
 * frames */
#define N_FRAMES 5
#define FORGETS 3

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  MgpuFlowParams params;
  KcContent content;
  KcLayout layout;
} Case;

/* Number of bytes after each array that kernels must not change */
#define GUARD 64

/* Holds a flow field of the reference and the same field on the device. */
typedef struct
{
  RefFlow want;
  gsize n;                      /* samples */
  MgpuFlowField got;
} Field;

/* ---- Frames ----------------------------------------------------------------- */

static guint
hash (gint x, gint y)
{
  guint h = (guint) x * 0x9e3779b1u ^ (guint) y * 0x85ebca77u;

  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  return (h ^ h >> 13) & 255;
}

/* Returns the value of a texture, from 0 to 255, at the position (@x, @y) in units of 1/16 pixel.
 * The texture interpolates between random values that are 6 pixels apart. */
static gint
get_texture (gint x, gint y)
{
  gint i = x / 96, j = y / 96, f = x % 96, g = y % 96;

  return ((hash (i, j) * (96 - f) + hash (i + 1, j) * f) * (96 - g)
      + (hash (i, j + 1) * (96 - f) + hash (i + 1, j + 1) * f) * g) / 9216;
}

void
kc_flow_draw (KcPicture * picture, gint t)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  gint unit = (plane.max + 1) / 256, left = plane.width / 4 + 3 * t;

  for (gint y = 0; y < plane.height; y++)
    for (gint x = 0; x < plane.width; x++) {
      gboolean is_square = x >= left && x < left + plane.width / 3
          && y >= plane.height / 4 && y < plane.height / 4 * 3;
      gint v = is_square ? get_texture (16 * (x - 3 * t) + 9600, 16 * y)
          : get_texture (16 * x + 21 * t + 1600, 16 * y - 9 * t + 1600);

      ref_set (&plane, x, y, MIN (v + 2 * t, 255) * unit);
    }
}

/* ---- Comparing -------------------------------------------------------------- */

static gboolean
field_init (Field * field, KcRun * run, const RefFlowParams * params,
    gint width, gint height)
{
  g_autofree guint8 *poison = NULL;

  ref_flow_size (params, width, height, &field->want);
  field->n = (gsize) field->want.width * field->want.height;
  poison = g_malloc (4 * field->n + GUARD);
  memset (poison, 0xa5, 4 * field->n + GUARD);
  field->want.flow = g_malloc (4 * field->n);
  field->want.confidence = g_malloc (field->n);
  field->got.flow = kc_memory_new (run, poison, 4 * field->n + GUARD);
  field->got.confidence = kc_memory_new (run, poison, field->n + GUARD);
  return field->got.flow != NULL && field->got.confidence != NULL;
}

static void
field_clear (Field * field)
{
  g_clear_pointer (&field->want.flow, g_free);
  g_clear_pointer (&field->want.confidence, g_free);
  g_clear_pointer (&field->got.flow, kc_memory_free);
  g_clear_pointer (&field->got.confidence, kc_memory_free);
}

/* Compares an array of the device with the reference's array, and checks the bytes after it. */
static gboolean
compare_memory (KcRun * run, const KcArray * want, GstMgpuMemory * memory)
{
  gsize size = want->stride * want->height;
  g_autofree guint8 *data = g_malloc (size + GUARD);
  KcArray got = *want;

  got.data = data;
  if (!kc_memory_read (run, memory, data)
      || !kc_compare_array (run, want, &got))
    return FALSE;
  for (gsize i = 0; i < GUARD; i++)
    if (data[size + i] != 0xa5) {
      kc_case_fail (run, "bytes behind %s were written to", want->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
compare_field (KcRun * run, const Field * field)
{
  gint width = field->want.width, height = field->want.height;
  const KcArray flow = {
    "flow", KC_I16, field->want.flow, 4 * width, 2, 2 * width, height
  };
  const KcArray confidence = {
    "confidence", KC_U8, field->want.confidence, width, 1, width, height
  };

  return compare_memory (run, &flow, field->got.flow)
      && compare_memory (run, &confidence, field->got.confidence);
}

/* Computes the flow field of direction @i, from or to the previous frame. @past: the field of the
 * previous frames, without samples if there is none */
static gboolean
refer (KcRun * run, const Case * c, guint i, const KcPicture * before,
    const KcPicture * now, const Field * past, Field * field)
{
  const RefFlowParams params = {
    (RefFlowPreset) c->params.preset, c->params.lighting
  };
  RefPlane planes[2] = {
    kc_picture_plane (now, 0), kc_picture_plane (before, 0)
  };

  return field_init (field, run, &params, planes[0].width, planes[0].height)
      && ref_flow (&params, &planes[i], &planes[!i],
      c->params.temporal && past->want.flow != NULL ? &past->want : NULL,
      &field->want);
}

/* Compares a frame of a stream. @past: flow fields of the previous frame, which are replaced by
 * those of this frame */
static gboolean
check_frame (KcRun * run, const Case * c, MgpuFlow * self,
    const KcPicture * before, const KcPicture * now, Field past[2])
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, now);
  Field fields[2] = { 0 };
  MgpuFlowField got[2];
  GstMgpuJob job;
  gboolean ok = frame != NULL;

  for (guint i = 0; i < 2 && ok && before != NULL; i++)
    if (c->params.direction == MGPU_FLOW_BOTH
        || c->params.direction == (gint) i)
      ok = refer (run, c, i, before, now, &past[i], &fields[i]);
  for (guint i = 0; i < 2; i++) {
    got[i] = fields[i].got;
    field_clear (&past[i]);
  }
  if (ok) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_flow_enqueue (self, &job, &c->params, &frame->image, got);
    ok = kc_end_job (run, &job);
  }
  for (guint i = 0; i < 2; i++)
    past[i] = fields[i];
  if (ok && c->params.direction == MGPU_FLOW_BOTH && before != NULL) {
    ref_flow_compare (&past[0].want, &past[1].want);
    ref_flow_compare (&past[1].want, &past[0].want);
  }
  for (guint i = 0; i < 2; i++)
    ok = ok && (past[i].want.flow == NULL || compare_field (run, &past[i]));
  return ok;
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  GstVideoInfo info;
  Field past[2] = { 0 };
  g_autoptr (KcPicture) before = NULL;
  MgpuFlow *self;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  kc_case_begin (run, c->kind, "%s %dx%d, layout %d, %s, preset %d, direction "
      "%d%s%s", GST_VIDEO_INFO_NAME (&info), c->width, c->height, c->layout,
      c->content == CONTENT_MOVING ? "moving" : kc_content_name (c->content),
      c->params.preset, c->params.direction,
      c->params.lighting ? ", lighting changes" : "",
      c->params.temporal ? ", temporal" : "");
  self = mgpu_object_new (&mgpu_flow, run->context, &info, NULL, NULL, NULL,
      &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  for (gint t = 0; t < N_FRAMES && self != NULL; t++) {
    g_autoptr (KcPicture) now =
        kc_picture_make (&info, c->layout,
        c->content == CONTENT_MOVING ? KC_CONTENT_RANDOM : c->content, random);
    if (c->content == CONTENT_MOVING)
      kc_flow_draw (now, t);
    if (t == FORGETS) {
      mgpu_flow.forget (self);
      g_clear_pointer (&before, kc_picture_free);
      field_clear (&past[0]);
      field_clear (&past[1]);
    }
    if (mgpu_flow_has_previous (self) != (before != NULL))
      kc_case_fail (run, "frame %d has no frame before, or should have none",
          t);
    if (!check_frame (run, c, self, before, now, past))
      break;
    g_clear_pointer (&before, kc_picture_free);
    before = g_steal_pointer (&now);
  }
  mgpu_object_free (self);
  field_clear (&past[0]);
  field_clear (&past[1]);
  kc_case_end (run);
}

static void
check_fixed (KcRun * run)
{
  /* Skips further sizes under Oclgrind, which takes 40 seconds for a size. */
  guint n_sizes = kc_is_oclgrind (run) ? 1 : run->quick ? 3
      : G_N_ELEMENTS (sizes), turn = 0;
  guint n_formats = run->quick ? 3 : G_N_ELEMENTS (formats);
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      const Case c = {
        KC_FIXED, formats[turn % n_formats], sizes[s][0], sizes[s][1],
        variants[i], turn % 4 == 3 ? turn / 4 % KC_N_CONTENTS : CONTENT_MOVING,
        turn % KC_N_LAYOUTS
      };

      check_case (run, &c, &random);
    }
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 30 : 300;
  Case c = {
    .kind = KC_RANDOM,
    .format = formats[kc_random_below (random, G_N_ELEMENTS (formats))],
    .width = MGPU_FLOW_LEAST + kc_random_below (random, edge),
    .height = MGPU_FLOW_LEAST + kc_random_below (random, edge),
    .params = {
          TRUE, kc_random_below (random, 4), kc_random_below (random, 3),
        kc_random_below (random, 2), kc_random_below (random, 2)},
    .layout = kc_random_below (random, KC_N_LAYOUTS)
  };

  c.content = kc_random_below (random, 2) ? CONTENT_MOVING
      : kc_random_below (random, KC_N_CONTENTS);
  check_case (run, &c, random);
}

static void
check (KcRun * run)
{
  check_fixed (run);
  kc_check_random (run, run->seed,
      kc_is_oclgrind (run) ? 0 : run->quick ? 2 : 20, check_random);
}

/* ---- Timing ------------------------------------------------------------------ */

typedef struct
{
  KcRun *run;
  MgpuFlow *self;
  MgpuFlowParams params;
  KcPicture *pictures[2];
  KcFrame *frames[2];
  Field field;
  guint turn;
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  const MgpuFlowField fields[2] = { bench->field.got, bench->field.got };
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_flow_enqueue (bench->self, &job, &bench->params,
      &bench->frames[bench->turn++ % 2]->image, fields);
  return kc_finish (run, &job, bench->field.got.confidence, before);
}

#ifdef HAVE_OPENCV_VIDEO
static gdouble
time_opencv (gpointer data)
{
  Bench *bench = data;
  guint i = bench->turn++ % 2;

  return kc_opencv_flow (bench->params.preset, bench->pictures[i],
      bench->pictures[!i]);
}
#else
#define time_opencv NULL
#endif

static void
bench_preset (KcRun * run, gint width, gint height, MgpuFlowPreset preset)
{
  static const gchar *const names[] = { "ultrafast", "fast", "medium", "fine" };
  const RefFlowParams params = { (RefFlowPreset) preset, 0 };
  Bench bench = {.run = run };
  GError *error = NULL;
  GstVideoInfo info;
  KcRandom random;
  gboolean ok;

  kc_random_init (&random, 3);
  bench.params.dense = TRUE;
  bench.params.preset = preset;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  bench.self = mgpu_object_new (&mgpu_flow, run->context, &info, NULL, NULL,
      NULL, &error);
  if (bench.self == NULL)
    kc_case_fail_error (run, error);
  ok = bench.self != NULL
      && field_init (&bench.field, run, &params, width, height);
  for (gint i = 0; i < 2; i++) {
    bench.pictures[i] = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    kc_flow_draw (bench.pictures[i], i);
    bench.frames[i] = kc_frame_new (run, bench.pictures[i]);
    ok = ok && bench.frames[i] != NULL;
  }
  if (ok) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, NULL, {bench.field.got.flow,
              bench.field.got.confidence}},
      {"OpenCV DIS", time_opencv, &bench}
    };
    /* Has no peer for the preset "fine": OpenCV's DIS has no preset that is as fine. */
    guint n = run->peers && preset != MGPU_FLOW_FINE ? 2 : 1;
    g_autofree gchar *what = g_strdup_printf ("flow %s GRAY8 %dx%d",
        names[preset], width, height);

    time_ours (&bench);
    kc_bench (run, what, contestants, n);
  }
  mgpu_object_free (bench.self);
  field_clear (&bench.field);
  for (gint i = 0; i < 2; i++) {
    kc_frame_free (bench.frames[i]);
    kc_picture_free (bench.pictures[i]);
  }
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  for (gint preset = MGPU_FLOW_ULTRAFAST; preset <= MGPU_FLOW_FINE; preset++)
    bench_preset (run, width, height, preset);
  kc_case_end (run);
}

const KcFunction kc_flow = { "flow", check,.bench_size = bench_size };

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks what is computed from flow fields: their colors, and the field of a whole frame from the
 * field of a part. */
#include "kernelcheck.h"

#include <math.h>
#include <string.h>

#include <gst/vision/colour/colour.h>
#include <gst/vision/flowfield/flowfield.h>

#include "../reference/flowfield.h"
#include "../reference/samples.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_ABGR
};

static const gint sizes[][2] = { {33, 17}, {1, 1}, {65, 48}, {130, 7} };

/* Ranges in pixels */
static const gdouble ranges[] = { 16, 1, 0.1, 700.3 };

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  gint shift;                   /* the flow field's samples stand for 2^shift pixels; negative:
                                 * there is no field */
  gboolean is_to_previous;
  gdouble range;
  KcLayout layout;
} Case;

/* Fills a flow field whose size is set: with short and long vectors, vectors along the axes, and
 * some samples without a value. */
static void
fill_field (RefFlow * field, KcRandom * random)
{
  gsize n = (gsize) field->width * field->height;

  field->flow = g_new (gint16, 2 * n);
  field->confidence = g_new (guint8, n);
  for (gsize i = 0; i < n; i++) {
    gint most = 2 << kc_random_below (random, 15);
    gint16 *sample = field->flow + 2 * i;

    sample[0] = (gint) kc_random_below (random, 2 * most) - most;
    sample[1] = (gint) kc_random_below (random, 2 * most) - most;
    sample[0] = CLAMP (sample[0], -32736, 32736);
    sample[1] = CLAMP (sample[1], -32736, 32736);
    if (kc_random_below (random, 5) == 0)
      sample[kc_random_below (random, 2)] = 0;
    if (kc_random_below (random, 9) == 0)
      sample[0] = sample[1] = REF_FLOW_NONE;
    field->confidence[i] = kc_random (random);
  }
}

static void
field_clear (RefFlow * field)
{
  g_free (field->flow);
  g_free (field->confidence);
}

/* ---- Colors ------------------------------------------------------------------ */

/* Draws the flow field on the picture with the reference. */
static void
refer (const Case * c, const RefFlow * field, KcPicture * picture)
{
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (&picture->info), 3);
  gint values[3][REF_WHEEL_COLOURS];
  guint32 colours[REF_WHEEL_COLOURS];

  ref_flow_wheel_colours (colours);
  for (guint i = 0; i < REF_WHEEL_COLOURS; i++) {
    gint samples[3] = { 0 };

    mgpu_colour_from_argb (&picture->info, 0xff000000 | colours[i], samples);
    for (guint k = 0; k < 3; k++)
      values[k][i] = samples[k];
  }
  for (guint i = 0; i < n; i++) {
    RefPlane plane = kc_picture_plane (picture, i);

    ref_flow_wheel (field->flow != NULL ? field : NULL, c->is_to_previous,
        MAX ((gint) (32 * c->range + 0.5), 1), values[i],
        ref_subsampling (c->width, plane.width),
        ref_subsampling (c->height, plane.height), &plane);
  }
}

static void
check_wheel (KcRun * run, const Case * c, KcRandom * random)
{
  RefFlow field = {.shift = MAX (c->shift, 0) };
  g_autoptr (KcPicture) in = NULL, before = NULL, want = NULL, got = NULL;
  g_autoptr (KcFrame) from = NULL, to = NULL;
  GstMgpuMemory *memory = NULL;
  MgpuFlowSize size;
  GstVideoInfo info;
  GError *error = NULL;
  GstMgpuJob job;
  gpointer self;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  field.width = (c->width + (1 << field.shift) - 1) >> field.shift;
  field.height = (c->height + (1 << field.shift) - 1) >> field.shift;
  size = (MgpuFlowSize) {
  field.width, field.height, field.shift};
  kc_case_begin (run, c->kind, "%s %dx%d, layout %d, shift %d, range %g%s",
      GST_VIDEO_INFO_NAME (&info), c->width, c->height, c->layout, c->shift,
      c->range, c->is_to_previous ? ", to previous" : "");
  if (c->shift >= 0) {
    fill_field (&field, random);
    memory = kc_memory_new (run, field.flow,
        (gsize) 4 * field.width * field.height);
  }
  in = kc_picture_new (&info, c->layout, random);
  before = kc_picture_copy (in);
  kc_picture_fill (in, KC_CONTENT_RANDOM, random);
  kc_picture_fill (before, KC_CONTENT_RANDOM, random);
  want = kc_picture_copy (before);
  got = kc_picture_copy (before);
  if (GST_VIDEO_INFO_HAS_ALPHA (&info) || (GST_VIDEO_INFO_IS_RGB (&info)
          && GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0) == 4))
    kc_picture_copy_planes (in, want, ~0u);
  refer (c, &field, want);
  from = kc_frame_new (run, in);
  to = kc_frame_new (run, before);
  self = mgpu_object_new (&mgpu_flow_wheel, run->context, &info, NULL, NULL,
      NULL, &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  if (self != NULL && from != NULL && to != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_flow_wheel_enqueue (self, &job, memory, &size, c->is_to_previous,
        c->range, &from->image, &to->image);
    if (kc_end_job (run, &job) && kc_frame_read (run, to, got))
      kc_compare_picture (run, want, got);
  }
  mgpu_object_free (self);
  g_clear_pointer (&memory, kc_memory_free);
  field_clear (&field);
  kc_case_end (run);
}

/* Sets @rgb to the color of Baker et al. 2011, as the authors' program computes it. Returns:
 * whether the motion is so close to the range's limit that rounding decides whether it is within */
static gboolean
baker (gdouble u, gdouble v, gdouble range, const guint32 * colours,
    gdouble rgb[3])
{
  gdouble length = hypot (u, v) / range;
  gdouble at = (atan2 (-v, -u) / G_PI + 1) / 2 * 54;
  gint i = at;

  for (gint k = 0; k < 3; k++) {
    gdouble a = (colours[i] >> (16 - 8 * k)) & 255;
    gdouble b = (colours[(i + 1) % 55] >> (16 - 8 * k)) & 255;
    gdouble full = a + (b - a) * (at - i);

    rgb[k] = length <= 1 ? 255 - length * (255 - full) : 0.75 * full;
  }
  return fabs (length - 1) < 0.01;
}

/* Checks that the colors of the reference equal those of the paper of Baker et al., up to
 * rounding. */
static void
check_paper (KcRun * run)
{
  const Case c = {.is_to_previous = FALSE,.range = 5.03 };
  RefFlow field = {.width = 401,.height = 401 };
  guint32 colours[REF_WHEEL_COLOURS];
  g_autoptr (KcPicture) picture = NULL;
  GstVideoInfo info;
  gdouble worst = 0;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "colors of the paper");
  ref_flow_wheel_colours (colours);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 401, 401);
  kc_random_init (&random, 1);
  picture = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  fill_field (&field, &random);
  for (gint i = 0; i < 401 * 401; i++) {
    field.flow[2 * i] = i % 401 - 200;
    field.flow[2 * i + 1] = i / 401 - 200;
  }
  refer (&c, &field, picture);
  for (gint i = 0; i < 401 * 401; i++) {
    gdouble rgb[3];
    /* Accepts both colors where the first and the last color of the wheel meet. */
    gboolean is_open = baker (field.flow[2 * i] / 32.0,
        field.flow[2 * i + 1] / 32.0, 161 / 32.0, colours, rgb)
        || (i / 401 == 200 && i % 401 > 200);

    for (gint k = 0; k < 3 && !is_open; k++)
      worst = MAX (worst, fabs (rgb[k] - picture->data[3 * (i % 401) + k
                  + (gsize) picture->info.stride[0] * (i / 401)
                  + picture->info.offset[0]]));
  }
  if (worst > 4)
    kc_case_fail (run, "a color differs by %g from that of the paper", worst);
  field_clear (&field);
  kc_case_end (run);
}

/* ---- Parts ------------------------------------------------------------------- */

/* Makes device memory with the samples of a flow field. */
static void
upload (KcRun * run, const RefFlow * field, MgpuFlowField * memories)
{
  gsize n = (gsize) field->width * field->height;

  memories->flow = kc_memory_new (run, field->flow, 4 * n);
  memories->confidence = kc_memory_new (run, field->confidence, n);
}

static void
memories_clear (MgpuFlowField * memories)
{
  g_clear_pointer (&memories->flow, kc_memory_free);
  g_clear_pointer (&memories->confidence, kc_memory_free);
}

static gboolean
compare_field (KcRun * run, const RefFlow * want,
    const MgpuFlowField * memories)
{
  gsize n = (gsize) want->width * want->height;
  RefFlow got = { want->width, want->height, 0, g_new (gint16, 2 * n),
    g_new (guint8, n)
  };
  const RefFlow *fields[2] = { want, &got };
  KcArray flow[2], confidence[2];
  gboolean ok = kc_memory_read (run, memories->flow, got.flow)
      && kc_memory_read (run, memories->confidence, got.confidence);

  for (guint i = 0; i < 2; i++) {
    flow[i] = (KcArray) {
    "flow", KC_I16, fields[i]->flow, 4 * want->width, 2, 2 * want->width,
          want->height};
    confidence[i] = (KcArray) {
    "confidence", KC_U8, fields[i]->confidence, want->width, 1, want->width,
          want->height};
  }
  ok = ok && kc_compare_array (run, &flow[0], &flow[1])
      && kc_compare_array (run, &confidence[0], &confidence[1]);
  field_clear (&got);
  return ok;
}

/* Copies a field of the size of @box into a field of @width x @height samples, and compares the
 * result with the reference. */
static void
check_place (KcRun * run, const MgpuRect * box, gint width, gint height)
{
  RefFlow part = {.width = box->width,.height = box->height };
  RefFlow whole = {.width = width,.height = height };
  const MgpuFlowSize size = { width, height, 0 };
  MgpuObject *self = kc_object_new (run, &mgpu_flow_place);
  MgpuFlowField from, to;
  GstMgpuJob job;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "field of %dx%d in %dx%d at %d, %d",
      box->width, box->height, width, height, box->x, box->y);
  kc_random_init (&random, width + height);
  fill_field (&part, &random);
  fill_field (&whole, &random);
  upload (run, &part, &from);
  upload (run, &whole, &to);
  ref_flow_place (&part, box->x, box->y, &whole);
  if (self != NULL && from.confidence != NULL && to.confidence != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_flow_place_enqueue (self, &job, &from, box, &to, &size);
    if (kc_end_job (run, &job))
      compare_field (run, &whole, &to);
  }
  mgpu_object_free (self);
  memories_clear (&from);
  memories_clear (&to);
  field_clear (&part);
  field_clear (&whole);
  kc_case_end (run);
}

static void
check_random (KcRun * run)
{
  guint n = kc_is_oclgrind (run) ? 0 : run->quick ? 5 : 100;
  KcRandom random;

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    const Case c = {
      .kind = KC_RANDOM,
      .format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))],
      .width = 1 + kc_random_below (&random, 200),
      .height = 1 + kc_random_below (&random, 200),
      .shift = kc_random_below (&random, 3),
      .is_to_previous = kc_random_below (&random, 2),
      .range = kc_random_below (&random, 1000) / 10.0,
      .layout = kc_random_below (&random, KC_N_LAYOUTS)
    };

    check_wheel (run, &c, &random);
  }
}

static void
check (KcRun * run)
{
  static const MgpuRect boxes[] = {
    {16, 0, 17, 9}, {0, 0, 40, 30}, {32, 16, 8, 14}, {0, 16, 1, 1}
  };
  guint n_sizes = kc_is_oclgrind (run) ? 1 : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      const Case c = {
        KC_FIXED, formats[f], sizes[s][0], sizes[s][1],
        (gint) (turn / 2 % 4) - (turn % 16 == 1), turn % 2,
        ranges[turn % G_N_ELEMENTS (ranges)], turn % KC_N_LAYOUTS
      };

      check_wheel (run, &c, &random);
    }
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    check_place (run, &boxes[i], 40, 30);
  check_paper (run);
  check_random (run);
}

const KcFunction kc_flowfield = {.name = "flowfield",.check = check };

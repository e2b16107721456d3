/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds what moves before a camera that stands. */
#include "moving.h"

struct _MgpuMoving
{
  MgpuObject object;
  MgpuMovingSize size;
  guint n_learned;
  gboolean drops_evidence;      /* whether the next frame begins without evidence */
};

/* ---- Making the object ----------------------------------------------------- */

static gint
divide_up (gint a, gint b)
{
  return (a + b - 1) / b;
}

static gboolean
plan_size (MgpuMoving * self, guint analysis_size, GError ** error)
{
  MgpuMovingSize *size = &self->size;
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);

  size->scale = MAX (divide_up (MAX (width, height), analysis_size), 1);
  if (size->scale > MOVING_MAX_SCALE) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "frames of %dx%d are more than %d times as large as analysis-size=%u: "
        "choose a larger analysis-size, or scale the frames down before this "
        "element", width, height, MOVING_MAX_SCALE, analysis_size);
    return FALSE;
  }
  size->width = divide_up (width, size->scale);
  size->height = divide_up (height, size->scale);
  size->cell = 4;
  do {
    size->columns = divide_up (size->width, size->cell);
    size->rows = divide_up (size->height, size->cell);
    size->cell *= 2;
  } while (size->columns * size->rows > MOVING_MAX_CELLS);
  size->cell /= 2;
  return TRUE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  const MgpuMovingParams *p = params;

  return plan_size (object, p->analysis_size, error);
}

static void
forget (gpointer object)
{
  MgpuMoving *self = object;

  self->n_learned = 0;
}

MgpuMovingSize
mgpu_moving_get_size (const MgpuMoving * self)
{
  return self->size;
}

guint
mgpu_moving_get_n_learned (const MgpuMoving * self)
{
  return self->n_learned;
}

void
mgpu_moving_drop_evidence (MgpuMoving * self)
{
  self->drops_evidence = TRUE;
}

/* ---- Work on a frame -------------------------------------------------------- */

void
mgpu_moving_enqueue (MgpuMoving * self, GstMgpuJob * job,
    const MgpuMovingParams * params, const MgpuImage * in,
    const MgpuImage * region, gboolean is_enabled,
    const MgpuMovingOutputs * outputs)
{
  self->n_learned++;
  self->drops_evidence = FALSE;
}

void
mgpu_moving_enqueue_mask (MgpuMoving * self, GstMgpuJob * job,
    const MgpuImage * out, guint component)
{
}

/* ---- Parameters -------------------------------------------------------------- */

static const MgpuEnumValue shadows_values[] = {
  {MGPU_MOVING_SHADOWS_REMOVE, "Shadows do not belong to regions", "remove"},
  {MGPU_MOVING_SHADOWS_KEEP, "Shadows belong to regions", "keep"},
  {0}
};

static const MgpuEnum shadows = { "GstMgpuMotionShadows", shadows_values };

static const MgpuEnumValue light_values[] = {
  {MGPU_MOVING_LIGHT_FIELD, "A tone curve, and a field that varies smoothly "
        "over the frame", "field"},
  {MGPU_MOVING_LIGHT_TONE, "A tone curve for the whole frame", "tone"},
  {MGPU_MOVING_LIGHT_OFF, "Changes of light count as motion", "off"},
  {0}
};

static const MgpuEnum light = { "GstMgpuMotionLight", light_values };

#define MEMBER(name) G_STRUCT_OFFSET (MgpuMovingParams, name)

static const MgpuParam params[] = {
  {"sensitivity", MGPU_PARAM_DOUBLE, MEMBER (sensitivity), 0.25, 4, 1, NULL,
      "Factor of the sensitivity to small differences from the background"},
  {"analysis-size", MGPU_PARAM_UINT, MEMBER (analysis_size), 64, 2048, 640,
      NULL, "Maximum of the longer side, in pixels, of the reduced frame "
        "that is analysed", TRUE},
  {"min-area", MGPU_PARAM_DOUBLE, MEMBER (min_area), 0, 1, 0.0005, NULL,
      "Minimum area of a region, as a fraction of the frame"},
  {"max-area", MGPU_PARAM_DOUBLE, MEMBER (max_area), 0, 1, 1, NULL,
      "Maximum area of a region, as a fraction of the frame"},
  {"absorb-time", MGPU_PARAM_DOUBLE, MEMBER (absorb_time), 0, 3600, 12, NULL,
      "Time in seconds after which a thing that stands belongs to the "
        "background (0 = never)"},
  {"shadows", MGPU_PARAM_ENUM, MEMBER (shadows), 0, 0,
        MGPU_MOVING_SHADOWS_REMOVE, &shadows,
      "Whether shadows belong to regions"},
  {"light", MGPU_PARAM_ENUM, MEMBER (light), 0, 0, MGPU_MOVING_LIGHT_FIELD,
      &light, "How changes of light are modelled"},
  {NULL}
};

const MgpuAlgorithm mgpu_moving = {
  .size = sizeof (MgpuMoving),
  .params_size = sizeof (MgpuMovingParams),
  .params = params,
  .init = init,
  .forget = forget
};

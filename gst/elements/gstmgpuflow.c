/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuflow
 * @title: mgpuflow
 * @short_description: measures optical flow, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstMgpuFlowMeta: for each pixel, where it was in the previous
 * frame. The first frame, and one after a flush or a gap, gets none.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=20 pattern=ball ! mgpuflow ! fakesink
 * ]|
 *
 * Since: 1.1
 */
#include <gst/frame/gstmgpufilterparams.h>

#include <gst/vision/flow/flow.h>

#include "elements.h"
#include "gstmgpuluma.h"

#define MEMBER(name) G_STRUCT_OFFSET (MgpuFlowParams, name)

static const MgpuEnumValue preset_values[] = {
  {MGPU_FLOW_ULTRAFAST, "A sample for 4x4 pixels, coarse search", "ultrafast"},
  {MGPU_FLOW_FAST, "A sample for 4x4 pixels", "fast"},
  {MGPU_FLOW_MEDIUM, "A sample for 2x2 pixels", "medium"},
  {MGPU_FLOW_FINE, "A sample for each pixel", "fine"},
  {0, NULL, NULL}
};

static const MgpuEnumValue direction_values[] = {
  {MGPU_FLOW_TO_PREVIOUS, "For each pixel of the frame, where it was in the "
        "previous frame", "to-previous"},
  {MGPU_FLOW_FROM_PREVIOUS, "For each pixel of the previous frame, where it is "
        "in the frame", "from-previous"},
  {MGPU_FLOW_BOTH, "Both; confidence is low where they contradict each other",
      "both"},
  {0, NULL, NULL}
};

static const MgpuEnumValue lighting_values[] = {
  {MGPU_FLOW_STEADY, "Brightness stays", "steady"},
  {MGPU_FLOW_CHANGES, "Brightness may change; only edges are compared",
      "changes"},
  {0, NULL, NULL}
};

static const MgpuEnum preset_type = { "GstMgpuFlowPreset", preset_values };
static const MgpuEnum direction_type =
    { "GstMgpuFlowDirection", direction_values };
static const MgpuEnum lighting_type =
    { "GstMgpuFlowLighting", lighting_values };

static const MgpuParam params[] = {
  {"preset", MGPU_PARAM_ENUM, MEMBER (preset), 0, 0, MGPU_FLOW_MEDIUM,
      &preset_type, "Speed and precision of the flow"},
  {"direction", MGPU_PARAM_ENUM, MEMBER (direction), 0, 0,
      MGPU_FLOW_TO_PREVIOUS, &direction_type, "Which flow is measured"},
  {"lighting", MGPU_PARAM_ENUM, MEMBER (lighting), 0, 0, MGPU_FLOW_STEADY,
      &lighting_type, "Whether brightness changes between frames"},
  {"temporal", MGPU_PARAM_BOOLEAN, MEMBER (temporal), 0, 1, TRUE, NULL,
      "Whether the search also tries the flow of the previous frame"},
  {NULL}
};

#define GST_TYPE_MGPU_FLOW (gst_mgpu_flow_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuFlow, gst_mgpu_flow, GST, MGPU_FLOW,
    GstMgpuFilter);

struct _GstMgpuFlow
{
  GstMgpuFilter parent;

  GstMgpuLuma luma;
  MgpuFlow *flow;               /* NULL for frames that are too small */
  GstBufferPool *flow_pool, *confidence_pool;
  gint pooled;                  /* preset whose fields the pools hold */
  gboolean warned_small;
  guint64 offset;               /* of the current frame */
  guint64 previous_offset;      /* of the last frame that was given to @flow */

  /* Fields of the current frame; set by enqueue() and taken by attach(). NULL: not measured */
  GstBuffer *fields[MGPU_FLOW_N_FIELDS], *confidences[MGPU_FLOW_N_FIELDS];
};

#define gst_mgpu_flow_parent_class parent_class
G_DEFINE_TYPE (GstMgpuFlow, gst_mgpu_flow, GST_TYPE_MGPU_FILTER);

static const MgpuFlowParams *
get_params (GstMgpuFlow * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

static void
clear_fields (GstMgpuFlow * self)
{
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    gst_clear_buffer (&self->fields[i]);
    gst_clear_buffer (&self->confidences[i]);
  }
}

static void
clear_pools (GstMgpuFlow * self)
{
  gst_mgpu_clear_pool (&self->flow_pool);
  gst_mgpu_clear_pool (&self->confidence_pool);
}

static void
gst_mgpu_flow_unprepare (GstMgpuFilter * filter)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  clear_fields (self);
  clear_pools (self);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->flow, mgpu_object_free);
}

static gboolean
gst_mgpu_flow_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  if (MIN (info->width, info->height) < MGPU_FLOW_LEAST) {
    if (!self->warned_small)
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("%s: frames of %dx%d pixels get no flow, which needs %dx%d at least: "
              "scale them up before this element", GST_OBJECT_NAME (self),
              info->width, info->height, MGPU_FLOW_LEAST, MGPU_FLOW_LEAST),
          (NULL));
    self->warned_small = TRUE;
    return TRUE;
  }
  if (gst_mgpu_luma_prepare (&self->luma, &filter->input, error))
    self->flow = mgpu_object_new (&mgpu_flow, context, &self->luma.info, NULL,
        NULL, NULL, error);
  if (self->flow == NULL)
    return FALSE;
  GST_MGPU_DEBUG_OBJECT (self,
      "forgets earlier frames: frames have %dx%d pixels " "now", info->width,
      info->height);
  return mgpu_flow_check_size (self->flow, get_params (self)->preset, error);
}

static gboolean
gst_mgpu_flow_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  self->offset = GST_BUFFER_OFFSET (in);
  return self->flow != NULL;
}

/* Gets buffers for the fields of the current frame. */
static gboolean
acquire_fields (GstMgpuFlow * self, MgpuFlowField * fields, GError ** error)
{
  const MgpuFlowParams *p = get_params (self);
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  MgpuFlowSize size = mgpu_flow_get_size (self->flow, p->preset);
  gsize n = (gsize) size.width * size.height;

  if (self->pooled != p->preset)
    clear_pools (self);
  self->pooled = p->preset;
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (p->direction != MGPU_FLOW_BOTH && p->direction != (gint) i)
      continue;
    self->fields[i] = gst_mgpu_device_base_acquire_table (base,
        &self->flow_pool, n * 2 * sizeof (gint16), error);
    if (self->fields[i] == NULL)
      return FALSE;
    self->confidences[i] = gst_mgpu_device_base_acquire_table (base,
        &self->confidence_pool, n, error);
    if (self->confidences[i] == NULL)
      return FALSE;
    fields[i].flow = gst_mgpu_peek_table (self->fields[i]);
    fields[i].confidence = gst_mgpu_peek_table (self->confidences[i]);
  }
  return TRUE;
}

static void
gst_mgpu_flow_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);
  MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  GError *error = NULL;
  MgpuImage luma;

  clear_fields (self);
  if (mgpu_flow_has_previous (self->flow)
      && !acquire_fields (self, fields, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  mgpu_flow_enqueue (self->flow, job, get_params (self),
      gst_mgpu_luma_enqueue (&self->luma, job, work->in, &luma), fields);
}

static gboolean
gst_mgpu_flow_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);
  MgpuFlowSize size = mgpu_flow_get_size (self->flow,
      get_params (self)->preset);
  GstMgpuFlowMeta *meta = NULL;

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (self->fields[i] == NULL)
      continue;
    if (meta == NULL)
      meta = gst_buffer_add_mgpu_flow_meta (buffer, size.width, size.height,
          size.shift, self->previous_offset);
    gst_mgpu_flow_meta_set_field (meta, (GstMgpuFlowField) i,
        g_steal_pointer (&self->fields[i]),
        g_steal_pointer (&self->confidences[i]));
  }
  if (meta != NULL)
    GST_MGPU_LOG_OBJECT (self, "flow from the frame with offset %"
        G_GUINT64_FORMAT ": %dx%d samples of %dx%d pixels",
        self->previous_offset, size.width, size.height, 1 << size.shift,
        1 << size.shift);
  else
    GST_MGPU_DEBUG_OBJECT (self, "no flow: this is the first frame, or frames "
        "are missing before it");
  self->previous_offset = self->offset;
  return TRUE;
}

static void
forget (GstMgpuFlow * self, const gchar * reason)
{
  if (self->flow == NULL || !mgpu_flow_has_previous (self->flow))
    return;
  GST_MGPU_DEBUG_OBJECT (self, "the next frame gets no flow: %s", reason);
  mgpu_flow.forget (self->flow);
}

static gboolean
gst_mgpu_flow_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP
      || GST_EVENT_TYPE (event) == GST_EVENT_GAP)
    forget (GST_MGPU_FLOW (trans), GST_EVENT_TYPE_NAME (event));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Forgets the previous frame if frames are missing behind it, or are not processed because
 * "enabled" is off. */
static void
gst_mgpu_flow_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  if (GST_BUFFER_IS_DISCONT (buffer))
    forget (GST_MGPU_FLOW (trans), "it is marked DISCONT");
  if (GST_MGPU_FILTER (trans)->frame.is_resting)
    forget (GST_MGPU_FLOW (trans), "the element is not enabled");
}

static gboolean
gst_mgpu_flow_start (GstBaseTransform * trans)
{
  GST_MGPU_FLOW (trans)->warned_small = FALSE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans);
}

static void
gst_mgpu_flow_init (GstMgpuFlow * self)
{
}

static void
gst_mgpu_flow_class_init (GstMgpuFlowClass * klass)
{
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  transform_class->start = gst_mgpu_flow_start;
  transform_class->sink_event = gst_mgpu_flow_sink_event;
  transform_class->before_transform = gst_mgpu_flow_before_transform;
  filter_class->prepare = gst_mgpu_flow_prepare;
  filter_class->unprepare = gst_mgpu_flow_unprepare;
  filter_class->passes = gst_mgpu_filter_passes_all;
  filter_class->looks = gst_mgpu_flow_looks;
  filter_class->enqueue = gst_mgpu_flow_enqueue;
  filter_class->attach = gst_mgpu_flow_attach;

  gst_mgpu_filter_class_set_params (filter_class, params,
      sizeof (MgpuFlowParams));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL optical flow", "Filter/Analyzer/Video",
      "Attaches to each frame where its pixels were in the previous frame",
      "The gst-mgpu authors");
}

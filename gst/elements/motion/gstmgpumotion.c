/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpumotion
 * @title: mgpumotion
 * @short_description: finds what moves in front of a fixed camera, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstVideoRegionOfInterestMeta of the type "motion" for each
 * object that moves, with a persistent id, and a #GstMgpuMovingMeta with a mask of the moving
 * pixels. Element messages "mgpu-motion" tell when motion starts and stops; messages "mgpu-tamper"
 * tell when the camera is covered, blurred, moved or dark. Lighting changes, swaying trees, rain
 * and shadows do not count as motion. With "gate", frames in which nothing moves become GAP events.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m filesrc location=/usr/share/doc/opencv-doc/examples/data/vtest.avi ! decodebin ! videoconvert ! mgpumotion ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.1
 */
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpufilterinputs.h>
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpupending.h>

#include <gst/elements/elements.h>
#include <gst/elements/messages.h>

#include "gstmgpumotionattach.h"
#include "gstmgpumotioncamera.h"
#include "gstmgpumotionpad.h"

typedef enum
{
  OUTPUT_FRAME,
  OUTPUT_ALPHA,
  OUTPUT_MASK
} Output;

typedef struct
{
  MgpuMovingParams moving;      /* first member, because its properties are the parameters of
                                 * mgpu_moving */
  guint min_frames, hold, merge;
  gdouble stop_delay, tamper_time;
  gint output;
  gboolean gate, wait, post_messages;
  GstMgpuRegionsParams mask;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnum output_type = {
  "GstMgpuMotionOutput", (const MgpuEnumValue[]) {
        {OUTPUT_FRAME, "The frame, unchanged", "frame"},
        {OUTPUT_ALPHA, "Output the frame, with the mask as its alpha (RGBA, "
              "BGRA, ARGB or ABGR)", "alpha"},
        {OUTPUT_MASK,
            "Output the mask as GRAY8: 255 where something moves, 127 where a "
              "shadow was removed", "mask"},
        {0}
      }
};

static const MgpuEnum mask_sources = {
  "GstMgpuMaskSource", gst_mgpu_mask_source_values
};

static const MgpuParam own_params[] = {
  {"min-frames", MGPU_PARAM_UINT, MEMBER (min_frames), 1, 100, 8, NULL,
      "Number of frames in which an object has to move before it is reported; "
        "they may be spread over 5/4 of this number of successive frames"},
  {"hold", MGPU_PARAM_UINT, MEMBER (hold), 0, 1000, 10, NULL,
      "Number of frames without motion after which an object loses its id"},
  {"merge", MGPU_PARAM_UINT, MEMBER (merge), 0, 64, 8, NULL,
      "Two boxes are joined if the gap between them is smaller than this "
        "number of pixels of the reduced frame that is analyzed"},
  {"stop-delay", MGPU_PARAM_DOUBLE, MEMBER (stop_delay), 0, 600, 3, NULL,
      "Time without motion, in seconds, after which the end of the motion is "
        "reported"},
  {"tamper-time", MGPU_PARAM_DOUBLE, MEMBER (tamper_time), 0, 600, 4, NULL,
      "Time, in seconds, after which it is reported that the camera is "
        "covered, blurred, moved or dark (0 = never)"},
  {"output", MGPU_PARAM_ENUM, MEMBER (output), 0, 0, OUTPUT_FRAME,
      &output_type, "What is pushed", TRUE},
  {"gate", MGPU_PARAM_BOOLEAN, MEMBER (gate), 0, 1, FALSE, NULL,
      "Whether to replace frames without motion by GAP events"},
  {"wait", MGPU_PARAM_BOOLEAN, MEMBER (wait), 0, 1, TRUE, NULL,
      "Whether to wait for the regions of a frame before the frame is pushed; "
        "otherwise the newest known regions are attached to it"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, TRUE,
      NULL, "Whether to post element messages about motion and tampering"},
  /* Repeats the texts of these properties in other elements; docs/elements/mgpumotion.md describes
   * what the properties mean for this element. */
  {"mask-source", MGPU_PARAM_ENUM, MEMBER (mask.source), 0, 0,
        GST_MGPU_MASK_SOURCE_AUTO, &mask_sources,
      "Source of the mask, which marks the pixels that change"},
  {"mask-invert", MGPU_PARAM_BOOLEAN, MEMBER (mask.invert), 0, 1, FALSE, NULL,
      "Whether to invert the mask, so that unmarked pixels change"},
  {NULL}
};

/* The tables that the device writes for each frame */
enum
{
  RESULTS,
  MASK,
  LABELS,
  HEAT,
  LIGHT,
  N_TABLES
};

#define GST_TYPE_MGPU_MOTION (gst_mgpu_motion_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuMotion, gst_mgpu_motion, GST, MGPU_MOTION,
    GstMgpuFilter);

struct _GstMgpuMotion
{
  GstMgpuFilter parent;

  MgpuMoving *moving;
  GstMgpuMotionResults results;
  GstBufferPool *pools[N_TABLES];
  GstBufferPool *region_pool;
  GstBuffer *region;            /* mask, on the device, of the pixels in which motion counts; NULL
                                 * if motion counts in all pixels or in none */
  MgpuImage region_image;
  guint region_serial;          /* serial number of the mask in @region */
  GstMgpuMotionCamera camera;
  gint resets;                  /* atomic: whether the signal "reset" was emitted */
  gboolean rests;               /* whether the current frame is not analyzed, because "enabled" is
                                 * off */
  guint64 n_frames;
  GstClockTime time;            /* time of the last frame, in ns from an arbitrary origin; it never
                                 * decreases until frames are forgotten */
  gboolean has_gap;             /* whether the last frame was dropped by the gate; used by the
                                 * thread that pushes */
  GstMgpuMotionPad *pad;        /* the pad mask_src; guarded by the object lock; NULL if it was not
                                 * requested */

  GstMgpuMotionFrame *current;  /* the frame that enqueue() made and attach() takes over */
};

enum
{
  SIGNAL_RESET,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

#define gst_mgpu_motion_parent_class parent_class
G_DEFINE_TYPE (GstMgpuMotion, gst_mgpu_motion, GST_TYPE_MGPU_FILTER);

static const Params *
get_params (GstMgpuMotion * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

static Output
get_output (GstMgpuMotion * self)
{
  Output output;

  GST_OBJECT_LOCK (self);
  output = ((const Params *) GST_MGPU_FILTER (self)->params)->output;
  GST_OBJECT_UNLOCK (self);
  return output;
}

/* Returns: (transfer full) (nullable): the pad mask_src */
static GstMgpuMotionPad *
get_pad (GstMgpuMotion * self)
{
  GstMgpuMotionPad *pad = NULL;

  GST_OBJECT_LOCK (self);
  if (self->pad != NULL)
    pad = gst_object_ref (self->pad);
  GST_OBJECT_UNLOCK (self);
  return pad;
}

/* --- Opening and closing the device --- */

/* Forgets the background and all regions. Only the streaming thread calls this function. */
static void
forget (GstMgpuMotion * self, const gchar * reason)
{
  GST_MGPU_DEBUG_OBJECT (self, "forgetting the background: %s", reason);
  gst_mgpu_motion_results_forget (&self->results);
  gst_mgpu_motion_camera_forget (&self->camera);
  if (self->moving != NULL)
    mgpu_moving.forget (self->moving);
  gst_mgpu_regions_forget (&GST_MGPU_FILTER (self)->mix.regions);
  self->time = GST_CLOCK_TIME_NONE;
}

static void
gst_mgpu_motion_unprepare (GstMgpuFilter * filter)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (filter);
  GstMgpuMotionPad *pad = get_pad (self);

  /* Makes the pad negotiate a new pool, because the old pool may belong to another context. */
  if (pad != NULL)
    gst_pad_mark_reconfigure (GST_PAD (pad));
  g_clear_pointer (&pad, gst_object_unref);
  forget (self, "the format of the frames changes, or the element stops");
  g_clear_pointer (&self->current, gst_mgpu_motion_frame_unref);
  g_clear_pointer (&self->moving, mgpu_object_free);
  gst_clear_buffer (&self->region);
  gst_mgpu_clear_pool (&self->region_pool);
  for (guint i = 0; i < N_TABLES; i++)
    gst_mgpu_clear_pool (&self->pools[i]);
}

static gboolean
gst_mgpu_motion_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (filter);
  MgpuMovingSize size;

  self->moving = mgpu_object_new (&mgpu_moving, context, info, NULL, NULL,
      &get_params (self)->moving, error);
  if (self->moving == NULL)
    return FALSE;
  size = mgpu_moving_get_size (self->moving);
  GST_MGPU_INFO_OBJECT (self, "analyzing %dx%d samples of %dx%d pixels each, "
      "in cells of %dx%d samples", size.width, size.height, size.scale,
      size.scale, size.cell, size.cell);
  return TRUE;
}

static gboolean
gst_mgpu_motion_stop (GstBaseTransform * trans)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (trans);
  GstMgpuMotionPad *pad = get_pad (self);
  gboolean ok;

  /* Stops the thread of the source pad first, because it reads results. */
  gst_mgpu_output_stop (&GST_MGPU_FILTER (self)->output);
  gst_mgpu_motion_results_stop (&self->results);
  if (pad != NULL) {
    gst_mgpu_source_pad_reset (GST_MGPU_SOURCE_PAD (pad));
    gst_object_unref (pad);
  }
  ok = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
  g_atomic_int_set (&self->resets, FALSE);
  self->n_frames = 0;
  self->has_gap = FALSE;
  return ok;
}

/* --- Caps --- */

static GstCaps *
gst_mgpu_motion_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  Output output = get_output (GST_MGPU_MOTION (trans));
  GstCaps *others, *allowed;

  if (output == OUTPUT_FRAME)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->transform_caps (trans,
        direction, caps, filter);
  others = gst_mgpu_caps_in_any_memory (caps);
  for (guint i = 0; i < gst_caps_get_size (others)
      && output == OUTPUT_MASK; i++)
    gst_structure_remove_fields (gst_caps_get_structure (others, i), "format",
        "colorimetry", "chroma-site", NULL);
  if (output == OUTPUT_MASK)
    allowed = gst_caps_from_string (direction == GST_PAD_SINK
        ? GST_MGPU_CAPS_MASK : GST_MGPU_CAPS_ALL);
  else
    allowed = gst_caps_from_string (GST_VIDEO_CAPS_MAKE_WITH_FEATURES
        (GST_CAPS_FEATURE_MEMORY_OPENCL, "{ RGBA, BGRA, ARGB, ABGR }") "; "
        GST_VIDEO_CAPS_MAKE ("{ RGBA, BGRA, ARGB, ABGR }"));
  others = gst_mgpu_caps_intersect (allowed, others);
  gst_caps_unref (allowed);
  return gst_mgpu_caps_intersect (filter, others);
}

/* --- Work on frames --- */

static gboolean
gst_mgpu_motion_needs_guide (GstMgpuFilter * filter)
{
  gint source = get_params (GST_MGPU_MOTION (filter))->mask.source;

  return source == GST_MGPU_MASK_SOURCE_AUTO
      || source == GST_MGPU_MASK_SOURCE_PAD;
}

static gboolean
gst_mgpu_motion_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  return get_params (GST_MGPU_MOTION (filter))->output == OUTPUT_FRAME;
}

static gboolean
gst_mgpu_motion_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuMotionPad *pad = get_pad (GST_MGPU_MOTION (filter));
  gboolean has_pad = pad != NULL;

  g_clear_pointer (&pad, gst_object_unref);
  return has_pad || !GST_MGPU_MOTION (filter)->rests;
}

/* Determines the pixels of the frame @buffer in which motion counts. */
static void
find_regions (GstMgpuMotion * self, GstBuffer * buffer)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  Params *params = filter->frame.params;
  GError *error = NULL;

  params->mask.mix = 1;
  if (filter->frame.flow == GST_FLOW_OK && filter->prepared
      && !gst_mgpu_filter_update_regions (filter, &filter->mix.regions,
          &params->mask, buffer, filter->guide, filter->frame.guide, &error))
    filter->frame.flow = gst_mgpu_device_base_fail (&filter->base, error);
  gst_clear_buffer (&filter->frame.guide);
}

static void
gst_mgpu_motion_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GstMgpuMotionPad *pad = get_pad (self);
  const GstVideoInfo *info = &filter->input.info;
  gboolean rested = self->rests;
  const gchar *reason;

  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  GST_OBJECT_LOCK (self);
  self->rests = !filter->enabled;
  GST_OBJECT_UNLOCK (self);
  if (pad != NULL && self->moving != NULL)
    gst_mgpu_source_pad_begin_frame (GST_MGPU_SOURCE_PAD (pad));
  g_clear_pointer (&pad, gst_object_unref);
  if (self->moving == NULL)
    return;
  if (g_atomic_int_compare_and_exchange (&self->resets, TRUE, FALSE))
    forget (self, "the signal \"reset\" was emitted");
  if (self->rests != rested)
    forget (self, self->rests ? "\"enabled\" is off" : "\"enabled\" is on");
  if (g_atomic_int_compare_and_exchange (&self->results.relearns, TRUE, FALSE)) {
    GST_MGPU_DEBUG_OBJECT (self,
        "learning the background again, because the camera was tampered with "
        "for the time \"absorb-time\"");
    mgpu_moving.forget (self->moving);
  }
  reason = gst_mgpu_motion_camera_follow (&self->camera, buffer, info->width,
      info->height);
  if (reason != NULL)
    forget (self, reason);
  if (GST_BUFFER_IS_DISCONT (buffer)) {
    GST_MGPU_DEBUG_OBJECT (self, "got a DISCONT frame: pixels have to move "
        "again before they count");
    mgpu_moving_drop_evidence (self->moving);
  }
  find_regions (self, buffer);
}

/* Copies the mask of the pixels in which motion counts to the device, if it has changed. Sets
 * *@image to this mask, or to NULL if motion counts in all pixels or in none. */
static gboolean
update_region (GstMgpuMotion * self, const MgpuImage ** image, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const GstMgpuRegions *regions = &filter->mix.regions;
  gsize n = (gsize) regions->width * regions->height;
  GstMapInfo map;

  *image = NULL;
  if (regions->covers != GST_MGPU_COVERS_PART)
    return TRUE;
  *image = &self->region_image;
  if (self->region != NULL && self->region_serial == regions->serial)
    return TRUE;
  /* Gets a new buffer, because kernels may still read the old buffer. */
  gst_clear_buffer (&self->region);
  self->region = gst_mgpu_device_base_acquire_table (&filter->base,
      &self->region_pool, GST_ROUND_UP_4 (n), error);
  if (self->region == NULL)
    return FALSE;
  if (!gst_buffer_map (self->region, &map, GST_MAP_WRITE)) {
    gst_mgpu_device_base_set_no_memory (&filter->base, n, error);
    return FALSE;
  }
  for (gsize i = 0; i < n; i++)
    map.data[i] = regions->is_inverted ? 255 - regions->mask[i]
        : regions->mask[i];
  gst_buffer_unmap (self->region, &map);
  self->region_serial = regions->serial;
  GST_MGPU_DEBUG_OBJECT (self, "copied a mask of %dx%d pixels, in which motion "
      "counts, to the device", regions->width, regions->height);
  gst_video_info_set_format (&self->region_image.info, GST_VIDEO_FORMAT_GRAY8,
      regions->width, regions->height);
  self->region_image.info.stride[0] = regions->width;
  self->region_image.info.size = GST_ROUND_UP_4 (n);
  self->region_image.memory = gst_mgpu_peek_table (self->region);
  return TRUE;
}

/* Returns: the time of the frame @buffer. It also increases when frames are played backwards. */
static GstClockTime
next_time (GstMgpuMotion * self, GstBuffer * buffer)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer), duration;

  if (GST_CLOCK_TIME_IS_VALID (pts)
      && GST_BASE_TRANSFORM (self)->segment.rate < 0)
    pts = G_MAXINT64 - MIN (pts, G_MAXINT64);
  if (self->time == GST_CLOCK_TIME_NONE) {
    self->time = GST_CLOCK_TIME_IS_VALID (pts) ? pts : 0;
  } else if (GST_CLOCK_TIME_IS_VALID (pts) && pts > self->time) {
    self->time = pts;
  } else if (!GST_CLOCK_TIME_IS_VALID (pts)) {
    duration = gst_mgpu_caps_get_duration (&GST_MGPU_FILTER (self)->input.info,
        1);
    self->time += duration > 0 ? duration : GST_SECOND / 25;
  }
  return self->time;
}

/* Makes a GstMgpuMotionFrame for the frame that is about to be enqueued, with buffers for its
 * tables. Returns: (transfer full) (nullable): the frame; NULL with @error set on failure */
static GstMgpuMotionFrame *
make_frame (GstMgpuMotion * self, MgpuMovingOutputs * outputs, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const Params *p = get_params (self);
  GstMgpuMotionFrame *frame = gst_mgpu_motion_frame_new ();
  MgpuMovingSize size = mgpu_moving_get_size (self->moving);
  gsize n_cells = (gsize) size.columns * size.rows;
  const gsize sizes[N_TABLES] = {
    sizeof (MgpuMovingResults), (gsize) size.width * size.height, 2 * n_cells,
    2 * n_cells, size.light_bytes
  };
  GstBuffer **tables[N_TABLES] = {
    &frame->results, &frame->mask, &frame->labels, &frame->heat,
    &frame->change
  };

  for (guint i = 0; i < N_TABLES; i++) {
    *tables[i] = gst_mgpu_device_base_acquire_table (&filter->base,
        &self->pools[i], GST_ROUND_UP_4 (sizes[i]), error);
    if (*tables[i] == NULL) {
      gst_mgpu_motion_frame_unref (frame);
      return NULL;
    }
  }
  outputs->results = gst_mgpu_peek_table (frame->results);
  outputs->mask = gst_mgpu_peek_table (frame->mask);
  outputs->labels = gst_mgpu_peek_table (frame->labels);
  outputs->heat = gst_mgpu_peek_table (frame->heat);
  outputs->light = gst_mgpu_peek_table (frame->change);
  frame->n_forgotten = mgpu_moving_get_n_forgotten (self->moving);
  frame->number = self->n_frames++;
  frame->size = size;
  frame->width = GST_VIDEO_INFO_WIDTH (&filter->input.info);
  frame->height = GST_VIDEO_INFO_HEIGHT (&filter->input.info);
  frame->tracks = (GstMgpuMotionTrackParams) {
  p->merge, p->min_frames, p->hold};
  frame->stop_delay = p->stop_delay * GST_SECOND;
  /* Disables tampering checks and the gate for frames that are analyzed only for the mask. */
  frame->tamper_time = self->rests ? 0 : p->tamper_time * GST_SECOND;
  frame->absorb_time = p->moving.absorb_time > 0
      ? (GstClockTime) (p->moving.absorb_time * GST_SECOND)
      : GST_CLOCK_TIME_NONE;
  frame->posts = p->post_messages;
  frame->waits = p->wait;
  frame->gates = p->gate && !self->rests;
  return frame;
}

/* Writes the mask, or the frame with the mask as alpha, to @work->out. */
static void
write_output (GstMgpuMotion * self, GstMgpuJob * job, const MgpuWork * work)
{
  if (get_params (self)->output == OUTPUT_MASK) {
    mgpu_moving_enqueue_mask (self->moving, job, work->out, 0);
    return;
  }
  mgpu_image_copy_planes (job, work->in, work->out, 1);
  mgpu_moving_enqueue_mask (self->moving, job, work->out, 3);
}

static void
gst_mgpu_motion_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (filter);
  const Params *p = get_params (self);
  gboolean counts = !self->rests
      && filter->mix.regions.covers != GST_MGPU_COVERS_NOTHING;
  GstMgpuMotionPad *pad = get_pad (self);
  const MgpuImage *region = NULL;
  MgpuMovingOutputs outputs;
  GError *error = NULL;
  MgpuImage image;

  if (!counts)
    GST_MGPU_LOG_OBJECT (self, "reporting no motion, because %s",
        self->rests ? "\"enabled\" is off" : "the mask is empty");
  g_clear_pointer (&self->current, gst_mgpu_motion_frame_unref);
  if (update_region (self, &region, &error))
    self->current = make_frame (self, &outputs, &error);
  if (self->current != NULL) {
    mgpu_moving_enqueue (self->moving, job, &p->moving, work->in, region,
        counts, &outputs);
    if (work->out != NULL)
      write_output (self, job, work);
    if (pad != NULL && gst_mgpu_motion_pad_acquire (pad, &image, &error))
      mgpu_moving_enqueue_mask (self->moving, job, &image, 0);
  }
  if (error != NULL)
    gst_mgpu_job_fail (job, error);
  g_clear_pointer (&pad, gst_object_unref);
}

static void
release_frame (gpointer data)
{
  gst_mgpu_motion_frame_unref (data);
}

/* Starts the download of the results of the frame in @buffer. The results are read before the frame
 * is pushed, in gst_mgpu_motion_finish(), or by the thread of self->results. */
static gboolean
gst_mgpu_motion_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (filter);
  GstMgpuMotionFrame *frame = g_steal_pointer (&self->current);
  gboolean watches = !frame->waits
      || gst_mgpu_output_get_max_in_flight (&filter->output) > 1;

  frame->time = next_time (self, buffer);
  frame->times = gst_mgpu_message_new_structure ("times",
      GST_BASE_TRANSFORM (self), GST_BUFFER_PTS (buffer),
      GST_BUFFER_DURATION (buffer));
  if (!gst_mgpu_memory_fetch (gst_mgpu_peek_table (frame->results), error)) {
    gst_mgpu_motion_frame_unref (frame);
    return FALSE;
  }
  gst_mgpu_motion_results_add (&self->results, frame, watches);
  gst_mgpu_pending_set (buffer, frame, release_frame);
  return TRUE;
}

/* Pushes a GAP event instead of the frame @buffer. */
static void
push_gap (GstMgpuMotion * self, GstBuffer * buffer)
{
  GST_MGPU_LOG_OBJECT (self, "dropping frame %" GST_TIME_FORMAT ", because "
      "nothing moves", GST_TIME_ARGS (GST_BUFFER_PTS (buffer)));
  self->has_gap = TRUE;
  gst_mgpu_in_flight_push_gap (&GST_MGPU_FILTER (self)->output.in_flight,
      buffer);
}

/* Attaches the regions of a frame to it, or drops it, just before it is pushed. */
static GstFlowReturn
gst_mgpu_motion_finish (GstMgpuFilter * filter, gpointer pending,
    GstBuffer ** buffer, GError ** error)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (filter);
  GstMgpuMotionFrame *frame = pending, *known = NULL;
  GstFlowReturn ret = GST_FLOW_OK;

  if (!frame->waits)
    known = gst_mgpu_motion_results_get_newest (&self->results, frame, error);
  else if (gst_mgpu_motion_results_read (&self->results, frame, error))
    known = gst_mgpu_motion_frame_ref (frame);
  else
    ret = GST_FLOW_ERROR;
  if (*error != NULL)
    ret = GST_FLOW_ERROR;
  if (ret == GST_FLOW_OK && frame->gates && (known == NULL || !known->active)) {
    push_gap (self, *buffer);
    ret = GST_FLOW_CUSTOM_SUCCESS;
  }
  if (ret == GST_FLOW_OK) {
    if (known == NULL)
      GST_MGPU_LOG_OBJECT (self, "no results are known yet");
    else if (known != frame)
      GST_MGPU_LOG_OBJECT (self, "frame %" G_GUINT64_FORMAT ": attaching the "
          "results of frame %" G_GUINT64_FORMAT, frame->number, known->number);
    if (self->has_gap)
      GST_BUFFER_FLAG_SET (*buffer, GST_BUFFER_FLAG_DISCONT);
    self->has_gap = FALSE;
    gst_mgpu_motion_attach_results (GST_ELEMENT (self), frame, known, *buffer);
  }
  g_clear_pointer (&known, gst_mgpu_motion_frame_unref);
  return ret;
}

/* --- Streams --- */

/* Pushes the mask before the frame, so that an element behind both has the mask when the frame
 * arrives. */
static GstFlowReturn
gst_mgpu_motion_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstFlowReturn ret =
      GST_BASE_TRANSFORM_CLASS (parent_class)->transform (trans, in, out);
  GstMgpuMotionPad *pad = get_pad (GST_MGPU_MOTION (trans));

  if (pad != NULL && ret == GST_FLOW_OK)
    ret = gst_mgpu_motion_pad_push (pad, in, &trans->segment);
  g_clear_pointer (&pad, gst_object_unref);
  return ret;
}

static gboolean
gst_mgpu_motion_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (trans);
  GstMgpuMotionPad *pad = get_pad (self);
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean ret;

  /* Reports the regions of the last frames before the end of the stream is pushed. */
  if (type == GST_EVENT_SEGMENT || type == GST_EVENT_EOS)
    gst_mgpu_in_flight_drain (&GST_MGPU_FILTER (self)->output.in_flight);
  if (type == GST_EVENT_FLUSH_STOP || type == GST_EVENT_SEGMENT
      || type == GST_EVENT_EOS)
    forget (self, GST_EVENT_TYPE_NAME (event));
  if (pad != NULL) {
    gst_mgpu_motion_pad_send_event (pad, event);
    gst_object_unref (pad);
  }
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  /* Resets the member only now, after the thread that pushes frames has stopped. */
  if (type == GST_EVENT_FLUSH_STOP)
    self->has_gap = FALSE;
  return ret;
}

/* --- The pad mask_src --- */

static GstPad *
gst_mgpu_motion_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (element);
  GstMgpuMotionPad *pad;
  gboolean is_new;

  if (GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK)
    return GST_ELEMENT_CLASS (parent_class)->request_new_pad (element, templ,
        name, caps);
  pad = gst_mgpu_motion_pad_new (&GST_MGPU_FILTER (self)->base,
      GST_BASE_TRANSFORM_SINK_PAD (self), templ);
  GST_OBJECT_LOCK (self);
  is_new = self->pad == NULL;
  if (is_new)
    self->pad = gst_object_ref (pad);
  GST_OBJECT_UNLOCK (self);
  if (!is_new) {
    GST_MGPU_DEBUG_OBJECT (self, "refusing a second pad mask_src");
    gst_object_unref (gst_object_ref_sink (pad));
    return NULL;
  }
  /* Activates the pad before it is added, so that it can be linked at once. */
  if (GST_STATE (element) > GST_STATE_READY
      || GST_STATE_NEXT (element) > GST_STATE_READY)
    gst_pad_set_active (GST_PAD (pad), TRUE);
  GST_MGPU_DEBUG_OBJECT (self, "pushing masks from %" GST_PTR_FORMAT, pad);
  gst_element_add_pad (element, GST_PAD (pad));
  return GST_PAD (pad);
}

static void
gst_mgpu_motion_release_pad (GstElement * element, GstPad * pad)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (element);
  GstMgpuMotionPad *own = NULL;

  if (GST_PAD_DIRECTION (pad) == GST_PAD_SINK) {
    GST_ELEMENT_CLASS (parent_class)->release_pad (element, pad);
    return;
  }
  GST_OBJECT_LOCK (self);
  own = g_steal_pointer (&self->pad);
  GST_OBJECT_UNLOCK (self);
  GST_MGPU_DEBUG_OBJECT (self, "releasing %" GST_PTR_FORMAT, pad);
  gst_mgpu_motion_pad_release (GST_MGPU_MOTION_PAD (pad));
  gst_element_remove_pad (element, pad);
  g_clear_pointer (&own, gst_object_unref);
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_motion_reset (GstMgpuMotion * self)
{
  GST_MGPU_DEBUG_OBJECT (self, "will forget the background before the next "
      "frame");
  g_atomic_int_set (&self->resets, TRUE);
}

static void
gst_mgpu_motion_describe (GstMgpuFilter * filter, GstStructure * stats)
{
  gst_mgpu_motion_results_describe (&GST_MGPU_MOTION (filter)->results, stats);
}

static void
gst_mgpu_motion_finalize (GObject * object)
{
  GstMgpuMotion *self = GST_MGPU_MOTION (object);

  g_clear_pointer (&self->pad, gst_object_unref);
  gst_mgpu_motion_results_clear (&self->results);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_motion_init (GstMgpuMotion * self)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  self->time = GST_CLOCK_TIME_NONE;
  gst_mgpu_motion_results_init (&self->results, &filter->base);
}

static void
gst_mgpu_motion_class_init (GstMgpuMotionClass * klass)
{
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  const MgpuParam *moving =
      gst_mgpu_params_join (mgpu_moving.params, own_params, 0);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_motion_finalize;
  element_class->request_new_pad = gst_mgpu_motion_request_new_pad;
  element_class->release_pad = gst_mgpu_motion_release_pad;
  trans_class->stop = gst_mgpu_motion_stop;
  trans_class->transform_caps = gst_mgpu_motion_transform_caps;
  trans_class->before_transform = gst_mgpu_motion_before_transform;
  trans_class->transform = gst_mgpu_motion_transform;
  trans_class->sink_event = gst_mgpu_motion_sink_event;
  filter_class->prepare = gst_mgpu_motion_prepare;
  filter_class->unprepare = gst_mgpu_motion_unprepare;
  filter_class->passes = gst_mgpu_motion_passes;
  filter_class->looks = gst_mgpu_motion_looks;
  filter_class->needs_guide = gst_mgpu_motion_needs_guide;
  filter_class->enqueue = gst_mgpu_motion_enqueue;
  filter_class->attach = gst_mgpu_motion_attach;
  filter_class->finish = gst_mgpu_motion_finish;
  filter_class->describe = gst_mgpu_motion_describe;
  /* Pushes a mask even if "enabled" is off, because the caps remain those of masks. */
  filter_class->is_needed = TRUE;
  gst_mgpu_filter_class_set_params (filter_class, gst_mgpu_params_join (moving,
          gst_mgpu_mask_params, MEMBER (mask)), sizeof (Params));
  g_free ((gpointer) moving);
  gst_mgpu_filter_class_set_guide (filter_class, "mask_sink",
      GST_MGPU_CAPS_MASK);

  /**
   * GstMgpuMotion::reset:
   * @motion: the element
   *
   * Forgets the background before the next frame. Emit this signal when the camera was moved.
   *
   * Since: 1.1
   */
  signals[SIGNAL_RESET] = g_signal_new_class_handler ("reset",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_mgpu_motion_reset), NULL, NULL, NULL, G_TYPE_NONE, 0);

  {
    GstCaps *caps = gst_caps_from_string (GST_MGPU_CAPS_MASK);

    gst_element_class_add_pad_template (element_class,
        gst_pad_template_new ("mask_src", GST_PAD_SRC, GST_PAD_REQUEST, caps));
    gst_caps_unref (caps);
  }
  gst_element_class_set_static_metadata (element_class,
      "OpenCL motion detector", "Filter/Analyzer/Video",
      "Detects moving objects in front of a fixed camera, and outputs regions "
      "with ids, a mask and messages", "The gst-mgpu authors");
}

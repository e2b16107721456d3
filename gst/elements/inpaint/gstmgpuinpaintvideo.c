/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the masks of mgpuinpaint with mode=video. */
#include "gstmgpuinpaintvideo.h"

#include <string.h>

#include <gst/frame/gstmgpulog.h>
#include <gst/vision/base/map.h>

/* Minimum margin around a mask, in pixels, that the remembered part of the frames has to contain,
 * as far as it lies in the frame */
#define LEAST_MARGIN 32

gboolean
gst_mgpu_inpaint_video_prepare (GstMgpuInpaintVideo * self,
    GstMgpuContext * context, const GstVideoInfo * info, GError ** error)
{
  if (self->layers == NULL)
    self->layers = mgpu_object_new (&mgpu_layers, context, info, NULL, NULL,
        NULL, error);
  return self->layers != NULL;
}

/* Reads the counts in the table @counts (transfer full, nullable), and adds them to @sums. */
static void
add_counts (GstMgpuFilter * filter, GstBuffer * counts, guint64 * sums)
{
  GError *error = NULL;
  GstMapInfo map;

  if (counts == NULL)
    return;
  if (mgpu_map_result (gst_mgpu_peek_table (counts), &map, &error)) {
    const guint64 *values = (const guint64 *) map.data;

    for (guint i = 0; i < LAYERS_N_COUNTS; i++)
      sums[i] += values[i];
    gst_memory_unmap (gst_buffer_peek_memory (counts, 0), &map);
  } else {
    GST_MGPU_DEBUG_OBJECT (filter, "cannot read the counts of filled pixels: "
        "%s", error->message);
    g_error_free (error);
  }
  gst_buffer_unref (counts);
}

void
gst_mgpu_inpaint_video_unprepare (GstMgpuInpaintVideo * self,
    GstMgpuFilter * filter)
{
  guint64 sums[LAYERS_N_COUNTS] = { 0 };
  GstBuffer *counts;

  GST_OBJECT_LOCK (filter);
  counts = g_steal_pointer (&self->counts);
  GST_OBJECT_UNLOCK (filter);
  add_counts (filter, counts, sums);
  GST_OBJECT_LOCK (filter);
  for (guint i = 0; i < LAYERS_N_COUNTS; i++)
    self->n_before[i] += sums[i];
  GST_OBJECT_UNLOCK (filter);
  gst_mgpu_clear_pool (&self->pool);
  g_clear_pointer (&self->layers, mgpu_object_free);
  self->part = (MgpuRect) {
  0, 0, 0, 0};
}

void
gst_mgpu_inpaint_video_reset (GstMgpuInpaintVideo * self,
    GstMgpuFilter * filter)
{
  GST_OBJECT_LOCK (filter);
  memset (self->n_before, 0, sizeof (self->n_before));
  GST_OBJECT_UNLOCK (filter);
}

/* Returns: the part of the frames that is remembered for the mask @unknown. This is the whole frame
 * if the mask may be elsewhere in each frame. */
static MgpuRect
choose_part (const GstMgpuInpaintVideo * self, const GstVideoInfo * info,
    const GstMgpuInpaintParams * params, const guint8 * unknown)
{
  const MgpuRect whole = { 0, 0, GST_VIDEO_INFO_WIDTH (info),
    GST_VIDEO_INFO_HEIGHT (info)
  };

  if (params->mask.source != GST_MGPU_MASK_SOURCE_PROPERTY
      || self->part.width > 0)
    return whole;
  return mgpu_layers_find_part (info, unknown, MGPU_LAYERS_MARGIN);
}

gboolean
gst_mgpu_inpaint_video_fits (GstMgpuInpaintVideo * self,
    const GstVideoInfo * info, const GstMgpuInpaintParams * params,
    const guint8 * unknown)
{
  gboolean moves = params->camera == GST_MGPU_INPAINT_CAMERA_MOVES;
  MgpuRect need, part = self->part;

  if (part.width == 0 || self->params.camera_moves != moves)
    return FALSE;
  if (part.width == GST_VIDEO_INFO_WIDTH (info)
      && part.height == GST_VIDEO_INFO_HEIGHT (info))
    return TRUE;
  if (params->mask.source != GST_MGPU_MASK_SOURCE_PROPERTY)
    return FALSE;
  need = mgpu_layers_find_part (info, unknown, LEAST_MARGIN);
  return need.width == 0 || (need.x >= part.x && need.y >= part.y
      && need.x + need.width <= part.x + part.width
      && need.y + need.height <= part.y + part.height);
}

gboolean
gst_mgpu_inpaint_video_begin (GstMgpuInpaintVideo * self,
    GstMgpuFilter * filter, const GstMgpuInpaintParams * params,
    const guint8 * unknown, GError ** error)
{
  self->part = choose_part (self, &filter->input.info, params, unknown);
  self->params = (MgpuLayersParams) {
  self->part, params->look_ahead,
        params->camera == GST_MGPU_INPAINT_CAMERA_MOVES};
  if (self->part.width == 0)
    return TRUE;
  if (!mgpu_layers_begin (self->layers, &self->params, error))
    return FALSE;
  GST_MGPU_DEBUG_OBJECT (filter, "remembering %dx%d pixels at (%d, %d) of %u "
      "earlier and %u later frames", self->part.width, self->part.height,
      self->part.x, self->part.y, mgpu_layers_get_n_frames (self->layers),
      params->look_ahead);
  if (mgpu_layers_get_n_frames (self->layers) == 0)
    GST_ELEMENT_WARNING (filter, RESOURCE, NO_SPACE_LEFT,
        ("%s: %d earlier and %u later frames of %dx%d pixels do not fit into "
            "%d MiB, so objects that pass behind the mask are not restored from "
            "other frames: choose a smaller \"look-ahead\", or scale the frames down before this "
            "element", GST_OBJECT_NAME (filter), LAYERS_MIN_FRAMES,
            params->look_ahead, self->part.width, self->part.height,
            MGPU_LAYERS_MAX_MIB), (NULL));
  return TRUE;
}

gboolean
gst_mgpu_inpaint_video_has_frames (const GstMgpuInpaintVideo * self)
{
  return self->part.width > 0;
}

void
gst_mgpu_inpaint_video_forget (GstMgpuInpaintVideo * self)
{
  if (self->layers != NULL && self->part.width > 0)
    mgpu_layers.forget (self->layers);
}

void
gst_mgpu_inpaint_video_look (GstMgpuInpaintVideo * self, GstMgpuJob * job,
    const MgpuImage * image, const guint8 * unknown)
{
  if (self->part.width > 0)
    mgpu_layers_add (self->layers, job, image, unknown);
}

void
gst_mgpu_inpaint_video_fill (GstMgpuInpaintVideo * self, GstMgpuFilter * filter,
    GstMgpuJob * job, const MgpuWork * work, const guint8 * unknown)
{
  GError *error = NULL;
  GstBuffer *counts = gst_mgpu_device_base_acquire_table (&filter->base,
      &self->pool, LAYERS_N_COUNTS * sizeof (guint64), &error), *before;

  if (counts == NULL) {
    if (error != NULL)
      gst_mgpu_job_fail (job, error);
    return;
  }
  mgpu_layers_fill (self->layers, job, work->in, work->out, unknown,
      gst_mgpu_peek_table (self->counts), gst_mgpu_peek_table (counts));
  GST_OBJECT_LOCK (filter);
  before = self->counts;
  self->counts = counts;
  GST_OBJECT_UNLOCK (filter);
  gst_clear_buffer (&before);
}

void
gst_mgpu_inpaint_video_count (GstMgpuInpaintVideo * self,
    GstMgpuFilter * filter, guint64 sums[LAYERS_N_COUNTS])
{
  GstBuffer *counts;

  GST_OBJECT_LOCK (filter);
  memcpy (sums, self->n_before, sizeof (self->n_before));
  counts = self->counts != NULL ? gst_buffer_ref (self->counts) : NULL;
  GST_OBJECT_UNLOCK (filter);
  add_counts (filter, counts, sums);
}

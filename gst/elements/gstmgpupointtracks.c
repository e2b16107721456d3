/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows points from frame to frame. */
#include "gstmgpupointtracks.h"

#include <math.h>

/* Minimum width and height of the cells into which an image is divided to place points, in
 * pixels */
#define LEAST_CELL 8

gboolean
gst_mgpu_point_tracks_prepare (GstMgpuPointTracks * self,
    GstMgpuDeviceBase * base, const GstVideoInfo * info, GError ** error)
{
  if (MIN (info->width, info->height) < MGPU_FLOW_LEAST) {
    GST_MGPU_DEBUG_OBJECT (base->element,
        "following no points, because images of %dx%d are too small",
        info->width, info->height);
    return TRUE;
  }
  self->flow =
      mgpu_object_new (&mgpu_flow, base->context, info, NULL, NULL, NULL,
      error);
  if (self->flow != NULL)
    self->tracks =
        mgpu_object_new (&mgpu_tracks, base->context, info, NULL, NULL, NULL,
        error);
  return self->tracks != NULL;
}

void
gst_mgpu_point_tracks_clear (GstMgpuPointTracks * self)
{
  gst_mgpu_track_tables_clear (&self->tables);
  g_clear_pointer (&self->tracks, mgpu_object_free);
  g_clear_pointer (&self->flow, mgpu_object_free);
}

void
gst_mgpu_point_tracks_forget (GstMgpuPointTracks * self)
{
  if (self->flow == NULL)
    return;
  mgpu_flow.forget (self->flow);
  mgpu_tracks.forget (self->tracks);
}

void
gst_mgpu_point_tracks_enqueue (GstMgpuPointTracks * self, GstMgpuJob * job,
    GstMgpuDeviceBase * base, const MgpuImage * picture, guint most)
{
  const MgpuFlowParams flow = {.dense = FALSE };
  const MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  gdouble area = (gdouble) picture->info.width * picture->info.height;
  MgpuTracksParams params =
      { MIN (most, MGPU_TRACKS_MAX), sqrt (area / most), 0 };
  MgpuTracksTables tables;
  GError *error = NULL;

  if (self->flow == NULL)
    return;
  params.cell = MAX (params.cell, LEAST_CELL);
  if (!gst_mgpu_track_tables_acquire (&self->tables, base, params.most, &tables,
          &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  GST_MGPU_LOG_OBJECT (base->element, "following at most %u points, at most "
      "one in each cell of %ux%u pixels", params.most, params.cell,
      params.cell);
  mgpu_flow_enqueue (self->flow, job, &flow, picture, fields);
  mgpu_tracks_enqueue (self->tracks, job, &params, self->flow, &tables);
}

GstMgpuKeypointMeta *
gst_mgpu_point_tracks_take (GstMgpuPointTracks * self)
{
  GstMgpuKeypointMeta *meta;
  GstBuffer *holder;

  if (self->flow == NULL)
    return NULL;
  holder = gst_buffer_new ();
  meta = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META,
      gst_mgpu_track_tables_attach (&self->tables, holder));
  gst_buffer_unref (holder);
  return meta;
}

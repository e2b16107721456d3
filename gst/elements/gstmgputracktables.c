/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Provides buffers for tables of tracks. */
#include "gstmgputracktables.h"

gboolean
gst_mgpu_track_tables_acquire (GstMgpuTrackTables * self,
    GstMgpuDeviceBase * base, guint n, MgpuTracksTables * tables,
    GError ** error)
{
  const gsize sizes[GST_MGPU_TRACK_N_TABLES] = {
    sizeof (GstMgpuKeypoint), sizeof (guint32), 4 * sizeof (gfloat)
  };

  for (guint i = 0; i < GST_MGPU_TRACK_N_TABLES; i++) {
    gsize header =
        i == GST_MGPU_TRACK_KEYPOINTS ? sizeof (GstMgpuKeypointHeader) : 0;

    self->buffers[i] = gst_mgpu_device_base_acquire_table (base,
        &self->pools[i], header + n * sizes[i], error);
    if (self->buffers[i] == NULL)
      return FALSE;
  }
  tables->keypoints =
      gst_mgpu_peek_table (self->buffers[GST_MGPU_TRACK_KEYPOINTS]);
  tables->ids = gst_mgpu_peek_table (self->buffers[GST_MGPU_TRACK_IDS]);
  tables->motions = gst_mgpu_peek_table (self->buffers[GST_MGPU_TRACK_MOTIONS]);
  return TRUE;
}

GstMgpuKeypointMeta *
gst_mgpu_track_tables_attach (GstMgpuTrackTables * self, GstBuffer * buffer)
{
  GstMgpuKeypointMeta *meta = gst_buffer_add_mgpu_keypoint_meta (buffer,
      g_steal_pointer (&self->buffers[GST_MGPU_TRACK_KEYPOINTS]),
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);

  gst_mgpu_keypoint_meta_set_tracks (meta,
      g_steal_pointer (&self->buffers[GST_MGPU_TRACK_IDS]),
      g_steal_pointer (&self->buffers[GST_MGPU_TRACK_MOTIONS]));
  return meta;
}

void
gst_mgpu_track_tables_drop (GstMgpuTrackTables * self)
{
  for (guint i = 0; i < GST_MGPU_TRACK_N_TABLES; i++)
    gst_clear_buffer (&self->buffers[i]);
}

void
gst_mgpu_track_tables_clear (GstMgpuTrackTables * self)
{
  gst_mgpu_track_tables_drop (self);
  for (guint i = 0; i < GST_MGPU_TRACK_N_TABLES; i++)
    gst_mgpu_clear_pool (&self->pools[i]);
}

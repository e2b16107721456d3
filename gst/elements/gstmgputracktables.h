/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Buffers for the tables of tracks of a frame, from buffer pools. */
#pragma once

#include <gst/vision/tracks/tracks.h>

#include <gst/frame/gstmgpupools.h>

G_BEGIN_DECLS

/* The tables of tracks */
enum
{
  GST_MGPU_TRACK_KEYPOINTS,
  GST_MGPU_TRACK_IDS,
  GST_MGPU_TRACK_MOTIONS,
  GST_MGPU_TRACK_N_TABLES
};

/**
 * GstMgpuTrackTables:
 * @buffers: the tables of the current frame; NULL if there are none
 * @pools: pools of buffers for them
 *
 * The tables of tracks of a frame. Zero the struct before its first use.
 */
typedef struct
{
  GstBuffer *buffers[GST_MGPU_TRACK_N_TABLES];
  GstBufferPool *pools[GST_MGPU_TRACK_N_TABLES];
} GstMgpuTrackTables;

/* Gets buffers with room for @n tracks, and sets @tables to their memories. Returns: FALSE on
 * failure; without an error if a buffer pool is flushing */
gboolean gst_mgpu_track_tables_acquire (GstMgpuTrackTables * self, GstMgpuDeviceBase * base, guint n,
                                        MgpuTracksTables * tables, GError ** error);

/* Attaches the tables of the current frame to @buffer. Returns: (transfer none): the meta */
GstMgpuKeypointMeta * gst_mgpu_track_tables_attach (GstMgpuTrackTables * self, GstBuffer * buffer);

/* Drops the tables of the current frame. */
void     gst_mgpu_track_tables_drop    (GstMgpuTrackTables * self);

/* Drops the tables of the current frame, and the buffer pools. */
void     gst_mgpu_track_tables_clear   (GstMgpuTrackTables * self);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The properties of mgputrack that may change from frame to frame. */
#pragma once

#include <gst/frame/gstmgpuparams.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/**
 * GstMgpuTrackAnchor:
 * @GST_MGPU_TRACK_ANCHOR_BOTTOM: the center of the lower edge of the box
 * @GST_MGPU_TRACK_ANCHOR_MIDDLE: the center of the box
 *
 * The point of an object's box that has to cross a line or be in a zone.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_TRACK_ANCHOR_BOTTOM,
  GST_MGPU_TRACK_ANCHOR_MIDDLE
} GstMgpuTrackAnchor;

typedef struct
{
  GstMgpuTrackerParams tracker;
  gchar *types, *lines, *zones, *circles;
  GstMgpuTrackAnchor anchor;
  guint side_frames;
  gdouble dwell_time;           /* in seconds */
  gboolean post_messages;
  gboolean camera_motion;
  gboolean enabled;
} GstMgpuTrackParams;

/* Describes the properties of mgputrack, in the order of their ids. */
extern const MgpuParam gst_mgpu_track_params[];

G_END_DECLS

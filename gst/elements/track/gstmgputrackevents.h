/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgputrackmetas.h"

G_BEGIN_DECLS

/* Collects the events of tracked objects, and posts them as element messages "mgpu-track". */
typedef struct _GstMgpuTrackEvents GstMgpuTrackEvents;

GstMgpuTrackEvents * gst_mgpu_track_events_new  (void);
void                 gst_mgpu_track_events_free (GstMgpuTrackEvents * self);

/* Sets the timestamp and the duration, in ns, of the frame to which the next events belong. */
void     gst_mgpu_track_events_set_time (GstMgpuTrackEvents * self, GstClockTime time, GstClockTime duration);

/* Adds an event of the object of @track. @event is a static string, "appeared" or "lost". */
void     gst_mgpu_track_events_add      (GstMgpuTrackEvents * self, const gchar * event,
    const GstMgpuTrackerTrack * track);

/* The first function returns (transfer none) an empty array, to which the caller appends the events
 * of an object at lines and zones. The second function adds an event for each element of this
 * array, and empties the array. */
GArray * gst_mgpu_track_events_get_news (GstMgpuTrackEvents * self);
void     gst_mgpu_track_events_add_news (GstMgpuTrackEvents * self, const GstMgpuTrackerTrack * track);

/* Posts a message of @element for each event, unless @wanted is FALSE, and forgets the events.
 * The caller must not hold the object lock of @element. */
void     gst_mgpu_track_events_post     (GstMgpuTrackEvents * self, GstBaseTransform * element, gboolean wanted);

G_END_DECLS

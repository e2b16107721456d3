/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgputagsresults.h"

G_BEGIN_DECLS

/* State from which messages about the appearance and disappearance of tags are made */
typedef struct
{
  guint appear_frames, disappear_frames;
  gboolean post_messages;
} GstMgpuTagsRules;

typedef struct _GstMgpuTagsEvents GstMgpuTagsEvents;

GstMgpuTagsEvents * gst_mgpu_tags_events_new (GstBaseTransform * trans);
void gst_mgpu_tags_events_free   (GstMgpuTagsEvents * self);

/* Updates how long each tag has been visible, from the tags @results of the frame @buffer. Posts a message
 * for each tag that appears or disappears. Must not be called by two threads at the same time. */
void gst_mgpu_tags_events_note   (GstMgpuTagsEvents * self, const GstMgpuTagsRules * rules,
    const GstMgpuTagsResults * results, GstBuffer * buffer);

/* Forgets all tags. Tags that are present disappear, with a message. */
void gst_mgpu_tags_events_forget (GstMgpuTagsEvents * self, gboolean posts);

G_END_DECLS

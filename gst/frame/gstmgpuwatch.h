/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks whether frames carry the metas that an element works on. */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/**
 * GstMgpuWatch:
 *
 * Tells an element, once, that a second of frames carried nothing for it to work on, so that it can
 * warn. Only the streaming thread of the element uses it.
 */
typedef struct
{
  GstBaseTransform *trans;      /* the element; outlives the watch */
  gboolean is_over;             /* whether a frame carried something to work on, or the element has
                                 * warned */
  GstClockTime since;           /* running time of the first frame of the second */
  guint n_frames;               /* number of frames of the second */
  gchar *types;                 /* types of regions of interest that the element waits
                                 * for; see gst_mgpu_watch_list_regions() */
  GPtrArray *seen;              /* types of the other regions that frames carried */
} GstMgpuWatch;

void     gst_mgpu_watch_init  (GstMgpuWatch * self, GstBaseTransform * trans);
void     gst_mgpu_watch_clear (GstMgpuWatch * self);
/* Begins anew. Call it when the element starts. */
void     gst_mgpu_watch_reset (GstMgpuWatch * self);

/* Counts the frame in @buffer. @lacks: whether this frame lacks something without which the element
 * does nothing; @makers: (nullable): parts of the names of elements that provide it, terminated by
 * NULL. Returns: TRUE, once, if the element has to warn: a second of frames has passed since the
 * last reset, none of them had all that is needed, and no element upstream is one of @makers */
gboolean gst_mgpu_watch_is_idle (GstMgpuWatch * self, GstBuffer * buffer, gboolean lacks,
                                 const gchar * const * makers);

/* Counts the frame in @buffer, and warns if the element waits in vain for regions of
 * interest. @found: all objects that are attached to the frame; @n_wanted: how many of them
 * are of the types @types, the value of the property @property; @types is (nullable): all
 * types */
void     gst_mgpu_watch_regions (GstMgpuWatch * self, GstBuffer * buffer, const GPtrArray * found,
                                 guint n_wanted, const gchar * property, const gchar * types);

/* Does the same for all objects of the frame. Returns: (transfer full): an array of
 * GstMgpuDetection, the objects of the types @types, a list as in gst_mgpu_mask_has_type() */
GPtrArray * gst_mgpu_watch_list_regions (GstMgpuWatch * self, GstBuffer * buffer,
                                         const gchar * property, const gchar * types);

/* Counts the frame in @buffer, and warns if the element waits in vain for segmentation masks.
 * @n_masks: how many of them are attached to the frame */
void     gst_mgpu_watch_segments (GstMgpuWatch * self, GstBuffer * buffer, guint n_masks);

G_END_DECLS

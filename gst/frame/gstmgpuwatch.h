/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks whether frames have the metas that an element works on. */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/**
 * GstMgpuWatch:
 *
 * Tells an element once if a second of frames had no metas for it to work on, so that the element
 * can warn. Only the streaming thread of the element uses it.
 */
typedef struct
{
  GstBaseTransform *trans;      /* the element; outlives the watch */
  gboolean is_over;             /* TRUE once no warning is needed any more: a frame had metas to
                                 * work on, or the element has already warned
                                 */
  GstClockTime since;           /* running time of the first frame of the second */
  guint n_frames;               /* number of frames of the second */
  gchar *types;                 /* types of regions of interest that the element waits
                                 * for; see gst_mgpu_watch_list_regions() */
  GPtrArray *seen;              /* types of other regions in frames */
} GstMgpuWatch;

void     gst_mgpu_watch_init  (GstMgpuWatch * self, GstBaseTransform * trans);
void     gst_mgpu_watch_clear (GstMgpuWatch * self);
/* Resets the watch. Call it when the element starts. */
void     gst_mgpu_watch_reset (GstMgpuWatch * self);

/* Counts the frame in @buffer. @lacks: whether this frame lacks the metas without which the
 * element does nothing. @makers (nullable): substrings of the names of elements that attach these
 * metas, terminated by NULL. Returns: TRUE, once, if the element has to warn: a second of frames
 * has passed since the last reset, all of them lacked these metas, and no element upstream is one
 * of @makers */
gboolean gst_mgpu_watch_is_idle (GstMgpuWatch * self, GstBuffer * buffer, gboolean lacks,
                                 const gchar * const * makers);

/* Counts the frame in @buffer, and warns if the element waits in vain for regions of interest.
 * @found: all objects that are attached to the frame. @property, @types: name and value of the
 * property that lists the types of interest; NULL means all types. @n_wanted: number of objects
 * in @found of these types. */
void     gst_mgpu_watch_regions (GstMgpuWatch * self, GstBuffer * buffer, const GPtrArray * found,
                                 guint n_wanted, const gchar * property, const gchar * types);

/* Calls gst_mgpu_watch_regions() for all objects of the frame. @types is a list as in
 * gst_mgpu_mask_has_type(). Returns: (transfer full): an array of GstMgpuDetection, the objects
 * of the types @types */
GPtrArray * gst_mgpu_watch_list_regions (GstMgpuWatch * self, GstBuffer * buffer,
                                         const gchar * property, const gchar * types);

/* Counts the frame in @buffer, and warns if the element waits in vain for segmentation masks.
 * @n_masks: number of segmentation masks of the frame */
void     gst_mgpu_watch_segments (GstMgpuWatch * self, GstBuffer * buffer, guint n_masks);

/* Posts one warning that the shapes or the image of the mask, which properties set, have no pixel
 * in frames of @width x @height pixels. With such a mask the element changes nothing, or with
 * "mask-invert" the whole frame. */
void     gst_mgpu_watch_empty_mask (GstMgpuWatch * self, gint width, gint height);

G_END_DECLS

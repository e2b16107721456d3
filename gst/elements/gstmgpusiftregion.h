/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses where mgpusift looks for keypoints: in regions of interest of a type, and where
 * the picture of a mask file is bright. */
#pragma once

#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Holds the regions in memory of the device; zeroed at first */
typedef struct
{
  gchar *loaded;                /* name of the file that mask was read from */
  GstMemory *mask;
  GstVideoRectangle mask_box;   /* smallest box around the pixels that mask marks */
  GstBufferPool *pool;          /* pool of buffers for rectangles */
  guint room;                   /* number of rectangles that a buffer has room for */
  GstBuffer *rectangles;        /* regions of interest in the current frame */
} GstMgpuSiftRegions;

/* Sets region to the part of buffer in which keypoints count: regions of interest of
 * roi_type, where the picture in the file location is bright. A roi_type or location of
 * NULL sets no such limit. The region is valid until the next call.
 * Returns: FALSE when the region is empty, or with an error */
gboolean gst_mgpu_sift_regions_find    (GstMgpuSiftRegions * self, GstMgpuInput * input, GstBuffer * buffer,
                                        const gchar * roi_type, const gchar * location, MgpuSiftRegion * region,
                                        GError ** error);
/* Frees all that self holds. */
void     gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self);

G_END_DECLS

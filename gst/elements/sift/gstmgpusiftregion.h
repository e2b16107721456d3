/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses where mgpusift looks for keypoints: inside regions of interest of certain
 * types, and where the image of a mask file is bright. */
#pragma once

#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpuinput.h>
#include <gst/frame/gstmgpuwatch.h>

G_BEGIN_DECLS

/* Holds the regions in which keypoints are searched, in memory of the device. The struct
 * has to be zeroed before its first use. */
typedef struct
{
  gchar *loaded;                /* path of the file from which the mask was read */
  GstMemory *mask;
  GstVideoRectangle mask_box;   /* smallest box around the pixels that the mask file marks */
  GstBufferPool *pool;          /* pool of buffers for the rectangles of regions of
                                 * interest */
  guint room;                   /* number of rectangles for which a buffer of the pool has
                                 * room */
  GstBuffer *rectangles;        /* buffer with the rectangles of the regions of interest
                                 * of the current frame */
} GstMgpuSiftRegions;

/* Sets @region to the part of the frame @buffer in which keypoints are searched: the intersection
 * of the regions of interest of type @roi_type and the bright pixels of the image file @location.
 * If @roi_type or @location is NULL, it is ignored. @watch is the watch of the element. @region is
 * valid until the next call. Returns: FALSE if @region is empty, or with the error set */
gboolean gst_mgpu_sift_regions_find    (GstMgpuSiftRegions * self, GstMgpuInput * input, GstMgpuWatch * watch,
                                        GstBuffer * buffer, const gchar * roi_type, const gchar * location, MgpuSiftRegion * region,
                                        GError ** error);
/* Frees all memory that @self holds. */
void     gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self);

G_END_DECLS

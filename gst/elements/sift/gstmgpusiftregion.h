/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses where mgpusift searches for keypoints: in regions of interest of certain types, and
 * where the image in a mask file is bright. */
#pragma once

#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpuinput.h>
#include <gst/frame/gstmgpuwatch.h>

G_BEGIN_DECLS

/* The regions in which mgpusift searches for keypoints, in device memory. Zero the struct before
 * its first use. */
typedef struct
{
  gchar *loaded;                /* path of the file from which the mask was read */
  GstMemory *mask;
  GstVideoRectangle mask_box;   /* smallest box around the pixels that the mask file marks */
  GstBufferPool *pool;          /* pool of buffers for the rectangles of regions of
                                 * interest */
  guint room;                   /* maximum number of rectangles in a buffer of the pool */
  GstBuffer *rectangles;        /* buffer with the rectangles of the regions of interest
                                 * of the current frame */
} GstMgpuSiftRegions;

/* Finds the part of the frame @buffer in which to search for keypoints: the intersection of the
 * regions of interest of type @roi_type and the bright pixels of the image file @location. If
 * @roi_type or @location is NULL, it is ignored. @watch is the watch of the element. @region is
 * set to this part, and is valid until the next call. Returns: FALSE if @region is empty, or,
 * with the error set, on failure */
gboolean gst_mgpu_sift_regions_find    (GstMgpuSiftRegions * self, GstMgpuInput * input, GstMgpuWatch * watch,
                                        GstBuffer * buffer, const gchar * roi_type, const gchar * location, MgpuSiftRegion * region,
                                        GError ** error);
/* Frees all memory that @self holds. */
void     gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self);

G_END_DECLS

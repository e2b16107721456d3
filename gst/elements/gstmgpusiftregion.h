/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Where mgpusift looks: in regions of interest of a type, and where a picture is
 * not black. */
#pragma once

#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpupools.h>

G_BEGIN_DECLS

/* What the device has of the regions; zeros at first */
typedef struct
{
  gchar *loaded;                /* the file that mask is of */
  GstMemory *mask;
  GstVideoRectangle mask_box;   /* around what counts there */
  GstBufferPool *pool;          /* of rectangles */
  guint room;                   /* for so many */
  GstBuffer *rectangles;        /* of the frame at hand */
} GstMgpuSiftRegions;

/* Sets region to what counts in buffer, until the next call: in regions of interest of
 * roi_type, and where the picture in the file location is bright. Either is NULL where
 * all counts. Returns FALSE when nothing counts, or with an error. */
gboolean gst_mgpu_sift_regions_find    (GstMgpuSiftRegions * self, GstMgpuDeviceUser * user, GstBuffer * buffer,
                                        const gchar * roi_type, const gchar * location, MgpuSiftRegion * region,
                                        GError ** error);
/* Frees what the device has. */
void     gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self);

G_END_DECLS

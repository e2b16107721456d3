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

/**
 * GstMgpuSiftRegions:
 * @roi_type: (nullable): type of the #GstVideoRegionOfInterestMeta
 * @mask_location: (nullable): file name of a picture
 *
 * The two may change at any time, under the object lock of the element. Zeros at
 * first.
 */
typedef struct
{
  gchar *roi_type;
  gchar *mask_location;

  /*< private >*/
  gchar *loaded;                /* the file that mask is of */
  GstMemory *mask;
  GstVideoRectangle mask_box;   /* around what counts there */
  GstBufferPool *pool;          /* of rectangles */
  guint room;                   /* for so many */
  GstBuffer *rectangles;        /* of the frame at hand */
} GstMgpuSiftRegions;

/* Sets region to what counts in buffer, until the next call. Returns FALSE when
 * that is nothing, or with an error. */
gboolean gst_mgpu_sift_regions_find    (GstMgpuSiftRegions * self, GstMgpuDeviceUser * user, GstBuffer * buffer,
                                        MgpuSiftRegion * region, GError ** error);
/* Lets go of what the device has. */
void     gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self);
void     gst_mgpu_sift_regions_clear   (GstMgpuSiftRegions * self);

G_END_DECLS

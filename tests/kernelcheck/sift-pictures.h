/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"
#include <gst/vision/sift/sift.h>

G_BEGIN_DECLS

/* The element's defaults */
#define KC_SIFT_USUAL { TRUE, 0, 3, 1.6, 0, 0.04, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT }

/* Tables of keypoints on the device, and their content */
typedef struct
{
  guint room;
  GstMgpuMemory *keypoints, *descriptors;
  guint8 *got_keypoints, *got_descriptors;
} KcSiftTables;

gboolean kc_sift_tables_init  (KcSiftTables * tables, KcRun * run, guint room);
gboolean kc_sift_tables_read  (KcSiftTables * tables, KcRun * run);
void     kc_sift_tables_clear (KcSiftTables * tables);

/* Returns: (nullable): an object that finds keypoints in frames like @info; if NULL, the case has
 * failed */
MgpuSift *kc_sift_new (KcRun * run, const GstVideoInfo * info, const MgpuSiftParams * params);

/* region in which keypoints may lie; NULL: the whole frame */
void kc_sift_enqueue (MgpuSift * self, KcRun * run, const MgpuSiftParams * params, KcFrame * frame,
    const MgpuSiftRegion * region, KcSiftTables * tables);

#ifdef HAVE_OPENCV
/* Measures on photographs how far this project agrees with OpenCV, and which of both matches
 * better. */
void kc_sift_compare_pictures (KcRun * run);
#endif

G_END_DECLS

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

/* Tables on the device, and what came out. */
typedef struct
{
  guint room;
  GstMgpuMemory *keypoints, *descriptors;
  guint8 *got_keypoints, *got_descriptors;
} KcSiftTables;

gboolean kc_sift_tables_init  (KcSiftTables * tables, KcRun * run, guint room);
gboolean kc_sift_tables_read  (KcSiftTables * tables, KcRun * run);
void     kc_sift_tables_clear (KcSiftTables * tables);

/* Returns: (nullable): finds keypoints in frames like info; the case has failed without */
MgpuSift *kc_sift_new (KcRun * run, const GstVideoInfo * info, const MgpuSiftParams * params);

/* region: NULL: the whole frame */
void kc_sift_enqueue (MgpuSift * self, KcRun * run, const MgpuSiftParams * params, KcFrame * frame,
    const MgpuSiftRegion * region, KcSiftTables * tables);

#ifdef HAVE_OPENCV
/* On photographs: how far we agree with OpenCV, and who matches better. */
void kc_sift_compare_pictures (KcRun * run);
#endif

G_END_DECLS

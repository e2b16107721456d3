/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"
#include <gst/vision/sift/sift.h>

G_BEGIN_DECLS

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

/* region: NULL: the whole frame */
void kc_sift_enqueue (MgpuSift * self, KcRun * run, const MgpuSiftParams * params, KcFrame * frame,
    const MgpuSiftRegion * region, KcSiftTables * tables);

#ifdef HAVE_OPENCV
/* On photographs: how far we agree with OpenCV, and who matches better. */
void kc_sift_compare_pictures (KcRun * run);
#endif

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_STATS (gst_mgpu_stats_get_type ())

/**
 * GstMgpuStats:
 *
 * Counters of an element's work, which the element shows in its property
 * stats. A #GstMgpuMemory holds a reference to the counters to which its uploads and
 * downloads are added, because the memory may outlive the element.
 *
 * Since: 1.0
 */

/**
 * GstMgpuCounter:
 * @GST_MGPU_COUNTER_FRAMES: frames processed
 * @GST_MGPU_COUNTER_UPLOADS: copies of a frame from the host to the device
 * @GST_MGPU_COUNTER_DOWNLOADS: copies of a frame from the device to the host
 * @GST_MGPU_COUNTER_IMPORTS: frames that the device read in place, in an imported dma-buf
 * @GST_MGPU_COUNTER_EXPORTS: frames that the device wrote in place, into a dma-buf of the
 * next element
 * @GST_MGPU_COUNTER_UPLOAD_BYTES: bytes of all uploads
 * @GST_MGPU_COUNTER_DOWNLOAD_BYTES: bytes of all downloads
 * @GST_MGPU_COUNTER_DEVICE_TIME: time that the device spent in kernels, in nanoseconds
 * @GST_MGPU_COUNTER_WAIT_TIME: time that the host waited for the device, in nanoseconds
 * @GST_MGPU_N_COUNTERS: number of counters
 *
 * The counters of #GstMgpuStats.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_COUNTER_FRAMES,
  GST_MGPU_COUNTER_UPLOADS,
  GST_MGPU_COUNTER_DOWNLOADS,
  GST_MGPU_COUNTER_IMPORTS,
  GST_MGPU_COUNTER_EXPORTS,
  GST_MGPU_COUNTER_UPLOAD_BYTES,
  GST_MGPU_COUNTER_DOWNLOAD_BYTES,
  GST_MGPU_COUNTER_DEVICE_TIME,
  GST_MGPU_COUNTER_WAIT_TIME,
  GST_MGPU_N_COUNTERS
} GstMgpuCounter;

GST_MGPU_API
GType          gst_mgpu_stats_get_type     (void);

GST_MGPU_API
GstMgpuStats * gst_mgpu_stats_new          (void);

GST_MGPU_API
GstMgpuStats * gst_mgpu_stats_ref          (GstMgpuStats * stats);

GST_MGPU_API
void           gst_mgpu_stats_unref        (GstMgpuStats * stats);

GST_MGPU_API
void           gst_mgpu_stats_add          (GstMgpuStats * stats,
                                            GstMgpuCounter counter,
                                            guint64        amount);

GST_MGPU_API
guint64        gst_mgpu_stats_get          (GstMgpuStats * stats,
                                            GstMgpuCounter counter);

GST_MGPU_API
void           gst_mgpu_stats_wait         (GstMgpuStats * stats);

GST_MGPU_API
void           gst_mgpu_stats_reset        (GstMgpuStats * stats);

GST_MGPU_API
void           gst_mgpu_stats_set_profile  (GstMgpuStats * stats,
                                            gboolean       profile);

GST_MGPU_API
gboolean       gst_mgpu_stats_get_profile  (GstMgpuStats * stats);

GST_MGPU_API
GstStructure * gst_mgpu_stats_to_structure (GstMgpuStats * stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuStats, gst_mgpu_stats_unref)

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuDeviceClass:
 * @GST_MGPU_DEVICE_CLASS_CPU: processor cores with wide vectors and caches
 * @GST_MGPU_DEVICE_CLASS_DISCRETE: a GPU with fast local memory
 * @GST_MGPU_DEVICE_CLASS_MOBILE: a GPU whose local memory is global memory
 *
 * Which of the variants of a kernel suits the device.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_MGPU_DEVICE_CLASS_CPU,
  GST_MGPU_DEVICE_CLASS_DISCRETE,
  GST_MGPU_DEVICE_CLASS_MOBILE
} GstMgpuDeviceClass;

/**
 * GstMgpuTraits:
 * @device_class: which variant of the kernels is used
 * @unified_memory: %TRUE when host and device share memory, so that mapping a
 *   frame copies nothing
 * @host_pointer_alignment: with @unified_memory, system memory at addresses
 *   that are multiples of this many bytes is used in place
 * @compute_units: number of processors of the device
 * @max_work_group_size: work-items in a work-group, at most
 * @local_memory_size: bytes of local memory of a work-group
 * @max_allocation_size: bytes of one buffer, at most
 * @global_memory_size: bytes of device memory
 *
 * What the library knows of a device. Read once when the context is made.
 *
 * Since: 0.1
 */
struct _GstMgpuTraits
{
  GstMgpuDeviceClass device_class;
  gboolean unified_memory;
  gsize host_pointer_alignment;
  guint compute_units;
  gsize max_work_group_size;
  guint64 local_memory_size;
  guint64 max_allocation_size;
  guint64 global_memory_size;
};

G_END_DECLS

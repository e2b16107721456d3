/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuDeviceClass:
 * @GST_MGPU_DEVICE_CLASS_CPU: a processor, whose cores have wide vector units and caches
 * @GST_MGPU_DEVICE_CLASS_DISCRETE: a GPU with fast local memory
 * @GST_MGPU_DEVICE_CLASS_MOBILE: a GPU whose local memory lies in global memory
 *
 * Classes of devices. The class of a device decides which variant of each kernel is
 * used.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_DEVICE_CLASS_CPU,
  GST_MGPU_DEVICE_CLASS_DISCRETE,
  GST_MGPU_DEVICE_CLASS_MOBILE
} GstMgpuDeviceClass;

/**
 * GstMgpuDmabufRoute:
 * @GST_MGPU_DMABUF_ROUTE_NONE: frames in dma-bufs are copied to the device
 * @GST_MGPU_DMABUF_ROUTE_MAP: the device is a CPU and uses the host's mapping of a dma-buf
 * @GST_MGPU_DMABUF_ROUTE_KHR: the driver imports dma-bufs by cl_khr_external_memory
 * @GST_MGPU_DMABUF_ROUTE_ARM: the driver imports dma-bufs by cl_arm_import_memory
 *
 * How frames in dma-bufs get to the device.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_DMABUF_ROUTE_NONE,
  GST_MGPU_DMABUF_ROUTE_MAP,
  GST_MGPU_DMABUF_ROUTE_KHR,
  GST_MGPU_DMABUF_ROUTE_ARM
} GstMgpuDmabufRoute;

/**
 * GstMgpuTraits:
 * @device_class: class of the device, which decides which variant of each kernel is
 *   used
 * @unified_memory: %TRUE when host and device share memory, so that mapping a
 *   frame copies nothing
 * @host_pointer_alignment: alignment in bytes that system memory needs if the device is to
 *   use it in place; applies only with @unified_memory
 * @dmabuf_route: how frames in dma-bufs get to the device. dma-bufs are not imported if the
 *   environment variable GST_MGPU_INTEROP, a comma-separated list of routes, is set without
 *   "dmabuf"
 * @compute_units: number of compute units of the device
 * @max_work_group_size: largest number of work-items in a work-group
 * @local_memory_size: size of the local memory of a work-group, in bytes
 * @max_allocation_size: largest size of one buffer, in bytes
 * @global_memory_size: size of the device's memory, in bytes
 * @imports_cuda: %TRUE when the driver imports CUDA memory that is on the same GPU, unless
 *   GST_MGPU_INTEROP is set without "cuda"
 * @max_contexts: maximum number of OpenCL contexts that the elements of one pipeline use at
 *   once. It is the value of the environment variable GST_MGPU_CONTEXTS if that is set.
 *   Otherwise it is 4 for drivers that hold a lock for each context, and 1 for others.
 *   Since: 1.1
 *
 * Properties of a device, which the library reads once when the context is made.
 *
 * Since: 1.0
 */
struct _GstMgpuTraits
{
  GstMgpuDeviceClass device_class;
  gboolean unified_memory;
  gsize host_pointer_alignment;
  GstMgpuDmabufRoute dmabuf_route;
  guint compute_units;
  gsize max_work_group_size;
  guint64 local_memory_size;
  guint64 max_allocation_size;
  guint64 global_memory_size;
  gboolean imports_cuda;
  guint max_contexts;
};

G_END_DECLS

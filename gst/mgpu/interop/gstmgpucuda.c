/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Exports CUDA memory, and synchronizes the CUDA and OpenCL commands that use it. In a
 * build without gstreamer-cuda, no memory is recognized as CUDA memory. */
#include "gstmgpucuda-private.h"

#include <gst/mgpu/gstmgpuerror.h>

#ifdef HAVE_CUDA
#include <gst/cuda/gstcuda.h>

gboolean
gst_mgpu_cuda_is_memory (GstMemory * memory)
{
  return gst_is_cuda_memory (memory);
}

gboolean
gst_mgpu_cuda_get_rows (GstMemory * memory, gsize * stride, gsize * width,
    gsize * height)
{
  const GstVideoInfo *info;

  if (!gst_is_cuda_memory (memory))
    return FALSE;
  info = &GST_CUDA_MEMORY_CAST (memory)->info;
  *stride = GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  *width = GST_VIDEO_INFO_COMP_WIDTH (info, 0)
      * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  *height = GST_VIDEO_INFO_COMP_HEIGHT (info, 0);
  return TRUE;
}

static gint
get_attribute (CUdevice device, CUdevice_attribute attribute)
{
  gint value;

  return CuDeviceGetAttribute (&value, attribute, device) == CUDA_SUCCESS
      ? value : -1;
}

gint
gst_mgpu_cuda_find_device (const GstMgpuPciAddress * address)
{
  gint n = 0;

  if (!gst_cuda_load_library () || CuInit (0) != CUDA_SUCCESS
      || CuDeviceGetCount (&n) != CUDA_SUCCESS)
    return -1;
  for (gint i = 0; i < n; i++) {
    CUdevice device;

    if (CuDeviceGet (&device, i) == CUDA_SUCCESS
        && get_attribute (device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID) ==
        address->domain
        && get_attribute (device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) ==
        address->bus
        && get_attribute (device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID) ==
        address->device)
      return i;
  }
  return -1;
}

gint
gst_mgpu_cuda_export (GstMemory * memory, gint device, GError ** error)
{
  GstCudaMemory *cuda = GST_CUDA_MEMORY_CAST (memory);
  guint owner;
  gint fd;

  g_object_get (cuda->context, "cuda-device-id", &owner, NULL);
  if (device < 0 || owner != (guint) device) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the memory is on CUDA device %u, but the OpenCL device is CUDA "
        "device %d", owner, device);
    return -1;
  }
  if (gst_cuda_memory_export (cuda, &fd))
    return fd;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "a memory was not allocated as exportable, so CUDA cannot export it");
  return -1;
}

gboolean
gst_mgpu_cuda_hand_over (GstMemory * memory, gboolean writes, GError ** error)
{
  GstMapFlags flags =
      GST_MAP_CUDA | (writes ? GST_MAP_READWRITE : GST_MAP_READ);
  GstMapInfo map;

  if (!gst_is_cuda_memory (memory))
    return TRUE;
  if (!gst_memory_map (memory, &map, flags)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "CUDA cannot synchronize a memory: check the element that allocated "
        "it");
    return FALSE;
  }
  gst_memory_unmap (memory, &map);
  gst_cuda_memory_sync (GST_CUDA_MEMORY_CAST (memory));
  return TRUE;
}
#else
gboolean
gst_mgpu_cuda_is_memory (GstMemory * memory)
{
  return FALSE;
}

gboolean
gst_mgpu_cuda_get_rows (GstMemory * memory, gsize * stride, gsize * width,
    gsize * height)
{
  return FALSE;
}

gint
gst_mgpu_cuda_find_device (const GstMgpuPciAddress * address)
{
  return -1;
}

gint
gst_mgpu_cuda_export (GstMemory * memory, gint device, GError ** error)
{
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the library was built without CUDA");
  return -1;
}

gboolean
gst_mgpu_cuda_hand_over (GstMemory * memory, gboolean writes, GError ** error)
{
  return TRUE;
}
#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Maps device memory for the host, which writes the input of kernels or reads their results. */
#include "map.h"

gboolean
mgpu_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags,
    GError ** error)
{
  if (gst_memory_map (memory, info, flags))
    return TRUE;
  /* The message does not name the OpenCL call that failed, because gst_memory_map() has logged
   * it. */
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s does not let the host %s its memory; the driver may have run out of "
      "memory: close other programs that use the device, or use smaller frames",
      gst_mgpu_context_get_device_name (((GstMgpuMemory *) memory)->context),
      flags & GST_MAP_WRITE ? "write" : "read");
  return FALSE;
}

gboolean
mgpu_map_result (GstMgpuMemory * memory, GstMapInfo * info, GError ** error)
{
  return gst_mgpu_memory_wait (memory, error)
      && mgpu_map (GST_MEMORY_CAST (memory), info, GST_MAP_READ, error);
}

gboolean
mgpu_map_in_job (GstMgpuJob * job, GstMemory * memory, GstMapInfo * info,
    GstMapFlags flags)
{
  GError *error = NULL;

  if (mgpu_map (memory, info, flags, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

gboolean
mgpu_end_part (GstMgpuJob * job, GstMgpuJob * part)
{
  GError *error = NULL;

  if (gst_mgpu_job_end (part, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

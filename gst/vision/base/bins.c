/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bins.h"

gboolean
mgpu_bins_ensure_memory (GstMgpuJob * job, GstMemory ** memory, gsize size,
    gboolean * is_new)
{
  GError *error = NULL;
  gboolean fits = *memory != NULL && (*memory)->size >= size;

  if (is_new != NULL)
    *is_new = !fits;
  if (fits)
    return TRUE;
  g_clear_pointer (memory, gst_memory_unref);
  *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

cl_mem
mgpu_bins_write (GstMgpuJob * job, GstMemory * memory)
{
  return gst_mgpu_job_write (job, (GstMgpuMemory *) memory);
}

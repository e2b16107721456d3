/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "scratch.h"

#include "map.h"

gboolean
mgpu_scratch_ensure (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  GError *error = NULL;

  if (*memory == NULL)
    *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

cl_mem
mgpu_scratch_write (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  return mgpu_scratch_ensure (memory, job, size)
      ? gst_mgpu_job_write (job, (GstMgpuMemory *) * memory) : NULL;
}

cl_mem
mgpu_scratch_read_words (GstMemory ** memory, GstMgpuJob * job,
    const GArray * words)
{
  if (*memory == NULL)
    *memory = mgpu_upload (job, words->data, words->len * sizeof (gint));
  return *memory != NULL
      ? gst_mgpu_job_read (job, (GstMgpuMemory *) * memory) : NULL;
}

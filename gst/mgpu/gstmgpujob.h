/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GST_MGPU_JOB_MAX_MEMORIES:
 *
 * The maximum number of memories that one job can use.
 *
 * Since: 1.0
 */
#define GST_MGPU_JOB_MAX_MEMORIES 64

/**
 * GstMgpuJob:
 *
 * The device work of one frame: the commands enqueued between gst_mgpu_job_begin()
 * and gst_mgpu_job_end(). A job lives on the stack of the thread that enqueues the
 * commands.
 *
 * A job keeps the first error; later calls on the job do nothing. Therefore only the
 * result of gst_mgpu_job_end() has to be checked:
 *
 * |[<!-- language="C" -->
 * GstMgpuJob job;
 *
 * gst_mgpu_job_begin (&job, queue, NULL);
 * gst_mgpu_job_set_args (&job, kernel, "mmii",
 *     gst_mgpu_job_read (&job, in), gst_mgpu_job_write (&job, out), width, height);
 * gst_mgpu_job_launch (&job, kernel, 2, global, NULL);
 * if (!gst_mgpu_job_end (&job, &error))
 *   ...
 * ]|
 *
 * On the device, the commands of a job wait for earlier commands that conflict with
 * them: for those that write a memory that the job reads, and for those that read or
 * write a memory that the job writes. Other jobs may use the written memories once
 * gst_mgpu_job_end() has returned. A CPU map of such a memory blocks until the job is
 * done.
 *
 * Since: 1.0
 */
struct _GstMgpuJob
{
  /*< private >*/
  GstMgpuQueue *queue;
  cl_command_queue cl_queue;
  GstMgpuStats *stats;
  GError *error;
  guint n_memories;
  GstMgpuMemory *memories[GST_MGPU_JOB_MAX_MEMORIES];
  guint8 access[GST_MGPU_JOB_MAX_MEMORIES];
  GPtrArray *waits;
  gboolean profile;
  guint n_commands;
  cl_event first;
  gboolean has_parts;
  gpointer reserved[3];
};

GST_MGPU_API
void             gst_mgpu_job_begin           (GstMgpuJob      * job,
                                               GstMgpuQueue    * queue,
                                               GstMgpuStats    * stats);

GST_MGPU_API
void             gst_mgpu_job_begin_part      (GstMgpuJob      * part,
                                               GstMgpuJob      * whole);

GST_MGPU_API
cl_mem           gst_mgpu_job_read            (GstMgpuJob      * job,
                                               GstMgpuMemory   * memory);

GST_MGPU_API
cl_mem           gst_mgpu_job_write           (GstMgpuJob      * job,
                                               GstMgpuMemory   * memory);

GST_MGPU_API
void             gst_mgpu_job_set_args        (GstMgpuJob      * job,
                                               cl_kernel         kernel,
                                               const gchar     * types,
                                               ...);

GST_MGPU_API
void             gst_mgpu_job_launch          (GstMgpuJob      * job,
                                               cl_kernel         kernel,
                                               guint             n_dims,
                                               const gsize     * global,
                                               const gsize     * local);

GST_MGPU_API
void             gst_mgpu_job_copy_rect       (GstMgpuJob      * job,
                                               GstMgpuMemory   * src,
                                               gsize             src_offset,
                                               gsize             src_stride,
                                               GstMgpuMemory   * dst,
                                               gsize             dst_offset,
                                               gsize             dst_stride,
                                               gsize             width,
                                               gsize             height);

GST_MGPU_API
void             gst_mgpu_job_fail            (GstMgpuJob      * job,
                                               GError          * error);

GST_MGPU_API
void             gst_mgpu_job_flush           (GstMgpuJob      * job);

GST_MGPU_API
gboolean         gst_mgpu_job_end             (GstMgpuJob      * job,
                                               GError         ** error);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A job: the commands that an element enqueues for one frame. They share one list of events to
 * wait for, and one event tells when they are complete. */
#include "gstmgpujob.h"

#include <stdarg.h>

#include "gstmgpucontext-private.h"
#include "gstmgpuerror-private.h"
#include "gstmgpujob-private.h"
#include "gstmgpulimit-private.h"
#include "gstmgpumemory-private.h"
#include "gstmgpupocl-private.h"
#include "gstmgpuprogram-private.h"
#include "gstmgpuqueue-private.h"
#include "gstmgpustats-private.h"
#include "gstmgpuuses-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_queue_debug);
#define GST_CAT_DEFAULT gst_mgpu_queue_debug

/* Logs a launch at level TRACE. @local is (nullable): NULL if the driver chooses the
 * work-group size. */
static void
log_launch (GstMgpuJob * job, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local)
{
  static const gsize any[3] = { 0, };
  gsize n[3] = { 1, 1, 1 }, group[3] = { 1, 1, 1 };

  /* Queries the name of the kernel only if the message is logged. */
  if (gst_debug_category_get_threshold (GST_CAT_DEFAULT) < GST_LEVEL_TRACE)
    return;
  if (local == NULL)
    local = any;
  for (guint i = 0; i < n_dims; i++) {
    n[i] = global[i];
    group[i] = local[i];
  }
  GST_TRACE_OBJECT (job->queue, "launched %s: %" G_GSIZE_FORMAT "x%"
      G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT " work-items, work-groups of %"
      G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT " (0 = any)",
      gst_mgpu_error_name_kernel (kernel), n[0], n[1], n[2], group[0], group[1],
      group[2]);
}

static gboolean
job_check (GstMgpuJob * job, cl_int code, const gchar * call)
{
  return gst_mgpu_cl_check (code, call, gst_mgpu_queue_get_context (job->queue),
      &job->error);
}

static void
begin (GstMgpuJob * job, GstMgpuQueue * queue, GstMgpuStats * stats)
{
  job->queue = queue;
  job->cl_queue = gst_mgpu_queue_get_cl_queue (queue);
  job->stats = stats;
  job->error = NULL;
  job->n_memories = 0;
  job->waits = gst_mgpu_waits_new ();
  job->profile = stats != NULL && gst_mgpu_stats_get_profile (stats);
  job->n_commands = 0;
  job->first = NULL;
  job->has_parts = FALSE;
}

/* Moves a job whose time is measured to a second command queue, which has profiling enabled.
 * The first queue has profiling disabled on devices with their own memory, because with some
 * drivers an event of a profiling queue costs more time than a kernel launch. The commands of
 * the job run after all commands that are already in the first queue. */
static void
use_timed_queue (GstMgpuJob * job)
{
  cl_command_queue untimed = job->cl_queue;
  cl_event before = NULL;

  job->cl_queue = gst_mgpu_queue_get_companion (job->queue,
      GST_MGPU_COMPANION_TIMED, &job->error);
  if (job->cl_queue == NULL
      || !job_check (job, clEnqueueMarkerWithWaitList (untimed, 0, NULL,
              &before), "clEnqueueMarkerWithWaitList"))
    return;
  g_ptr_array_add (job->waits, before);
  job_check (job, clFlush (untimed), "clFlush");
}

/* Makes the next commands in the command queue without profiling wait for @last, the last
 * event of a job in the command queue with profiling. */
static void
leave_timed_queue (GstMgpuJob * job, cl_event last)
{
  job_check (job,
      clEnqueueBarrierWithWaitList (gst_mgpu_queue_get_cl_queue (job->queue),
          1, &last, NULL), "clEnqueueBarrierWithWaitList");
}

/**
 * gst_mgpu_job_begin: (skip)
 * @job: (out caller-allocates): a job
 * @queue: (transfer none): the queue for the commands of the job; it has to outlive the job
 * @stats: (nullable) (transfer none): counters of the device time of the commands
 *
 * Begins a job.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_begin (GstMgpuJob * job, GstMgpuQueue * queue,
    GstMgpuStats * stats)
{
  gboolean always =
      gst_mgpu_context_get_traits (gst_mgpu_queue_get_context
      (queue))->unified_memory;

  begin (job, queue, stats);
  if (stats == NULL)
    return;
  if (!gst_mgpu_stats_begin_job (stats, always || job->profile))
    job->stats = NULL;
  else if (!always)
    use_timed_queue (job);
  if (job->stats != NULL)
    GST_TRACE_OBJECT (queue, "measuring the time of the next commands");
}

/**
 * gst_mgpu_job_begin_part: (skip)
 * @part: (out caller-allocates): a job
 * @whole: a job that has begun
 *
 * Begins a job within another job: its commands follow those of @whole, and the host
 * can read its results before @whole goes on. Call gst_mgpu_job_end() for @part before
 * any other call for @whole. If @whole has failed, @part has also failed.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_begin_part (GstMgpuJob * part, GstMgpuJob * whole)
{
  /* Measures the time of the job @part unless it is part of the measured time of the job
   * @whole. That time runs from the first to the last command of @whole, and the commands of
   * @part run in between. */
  gboolean counts = whole->profile || whole->n_commands == 0;
  GPtrArray *waits;

  begin (part, whole->queue, counts ? whole->stats : NULL);
  part->cl_queue = whole->cl_queue;
  if (whole->error != NULL)
    part->error = g_error_copy (whole->error);
  /* Moves the list of events to wait for from the job @whole to the job @part. The next
   * command of @whole need not wait for these events: the command queue is in order, so this
   * command runs after the commands of @part. */
  waits = part->waits;
  part->waits = whole->waits;
  whole->waits = waits;
  whole->has_parts = TRUE;
}

static cl_mem
job_use (GstMgpuJob * job, GstMgpuMemory * memory, GstMgpuAccess access)
{
  cl_mem handle = NULL;
  guint i;

  if (job->error != NULL)
    return NULL;
  for (i = 0; i < job->n_memories; i++)
    if (job->memories[i] == memory)
      break;
  if (i == GST_MGPU_JOB_MAX_MEMORIES) {
    job->error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "a job uses more than %d memory objects", GST_MGPU_JOB_MAX_MEMORIES);
    return NULL;
  }
  if (!gst_mgpu_memory_prepare (memory, job->queue, access, job->waits, &handle,
          &job->error))
    return NULL;
  if (i == job->n_memories) {
    /* Keeps the memory alive until the job ends, because an algorithm may drop it before then,
     * to replace it by a larger memory. */
    job->memories[i] =
        (GstMgpuMemory *) gst_memory_ref (GST_MEMORY_CAST (memory));
    job->access[i] = 0;
    job->n_memories++;
  }
  job->access[i] |= access;
  return handle;
}

/**
 * gst_mgpu_job_read: (skip)
 * @job: a job
 * @memory: (transfer none): a memory of the same context, which the job keeps until its
 *   end
 *
 * Announces that the next commands of the job read @memory. Uploads the content of
 * @memory when the host wrote it last.
 *
 * Returns: (transfer none): the cl_mem of @memory, or %NULL when the job has failed
 *
 * Since: 1.0
 */
cl_mem
gst_mgpu_job_read (GstMgpuJob * job, GstMgpuMemory * memory)
{
  return job_use (job, memory, GST_MGPU_ACCESS_READ);
}

/**
 * gst_mgpu_job_write: (skip)
 * @job: a job
 * @memory: (transfer none): a memory of the same context, which the job keeps until its
 *   end
 *
 * Announces that the next commands of the job overwrite @memory. Does not upload what the host
 * wrote before, so bytes that the commands do not write are undefined. For a memory that the
 * commands change in place, call gst_mgpu_job_read() first.
 *
 * Returns: (transfer none): the cl_mem of @memory, or %NULL when the job has failed
 *
 * Since: 1.0
 */
cl_mem
gst_mgpu_job_write (GstMgpuJob * job, GstMgpuMemory * memory)
{
  return job_use (job, memory, GST_MGPU_ACCESS_WRITE);
}

/**
 * gst_mgpu_job_set_args: (skip)
 * @job: a job
 * @kernel: a kernel of the job's context, used by no other thread
 * @types: one letter for each argument: 'm' a cl_mem, 'i' a #gint, 'u' a #guint, 'f' a
 *   #gdouble that is passed to the kernel as float, 'l' a #gsize: the size in bytes of a local
 *   buffer
 * @...: the arguments, starting with index 0
 *
 * Sets all arguments of a kernel. An unknown letter in @types makes the job fail.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_set_args (GstMgpuJob * job, cl_kernel kernel, const gchar * types,
    ...)
{
  va_list args;

  va_start (args, types);
  for (guint i = 0; types[i] != '\0' && job->error == NULL; i++) {
    union
    {
      cl_mem m;
      cl_int i;
      cl_uint u;
      cl_float f;
    } value;
    gsize size = sizeof (cl_int);

    switch (types[i]) {
      case 'm':
        value.m = va_arg (args, cl_mem);
        size = sizeof (cl_mem);
        break;
      case 'i':
        value.i = va_arg (args, gint);
        break;
      case 'u':
        value.u = va_arg (args, guint);
        break;
      case 'f':
        value.f = va_arg (args, gdouble);
        break;
      case 'l':
        size = va_arg (args, gsize);
        break;
      default:
        job->error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
            "kernel \"%s\", argument %u: the letter '%c' of the types \"%s\" is not "
            "one of m, i, u, f, l: correct the call of gst_mgpu_job_set_args()",
            gst_mgpu_error_name_kernel (kernel), i, types[i], types);
        continue;
    }
    if (!job_check (job, clSetKernelArg (kernel, i, size,
                types[i] == 'l' ? NULL : &value), "clSetKernelArg"))
      g_prefix_error (&job->error, "kernel \"%s\", argument %u: ",
          gst_mgpu_error_name_kernel (kernel), i);
  }
  va_end (args);
}

/* Decides whether the next command of the job needs an event. An event costs the driver about
 * as much as a kernel launch; therefore only the first command of a job has an event, unless
 * each command is timed. Sets *@event to NULL. Returns: @event, where OpenCL is to store the
 * event; NULL if the command needs no event */
static cl_event *
wants_event (GstMgpuJob * job, cl_event * event)
{
  *event = NULL;
  return job->n_commands == 0 || job->profile ? event : NULL;
}

/* Counts a command that has been enqueued. @event is (transfer full) (nullable): the event of the
 * command. Empties the job's list of events to wait for, because the command queue is in order, so
 * later commands run after this command, and therefore after these events. */
static void
command_done (GstMgpuJob * job, cl_event event, cl_kernel kernel)
{
  g_ptr_array_set_size (job->waits, 0);
  if (job->profile)
    gst_mgpu_stats_add_command (job->stats, event, kernel);
  if (job->n_commands++ == 0)
    job->first = event;
  else if (event != NULL)
    clReleaseEvent (event);
}

static const GstMgpuDevice *
get_device (GstMgpuJob * job)
{
  return gst_mgpu_context_get_device (gst_mgpu_queue_get_context (job->queue));
}

/* Returns: the work-group size for a kernel launch on PoCL; NULL, which lets the driver
 * choose, for other drivers. PoCL recompiles a kernel for every work-group size, and would
 * choose a size that depends on the frame size */
static const gsize *
choose_local (GstMgpuJob * job, guint n_dims, const gsize * global,
    gsize * local)
{
  if (!get_device (job)->is_pocl)
    return NULL;
  local[0] = global[0] % 64 == 0 ? 64 : 1;
  for (guint i = 1; i < n_dims; i++)
    local[i] = 1;
  return local;
}

/* Stores, for each thread, the GstMgpuFirstLaunches that gst_mgpu_job_watch() has set, or NULL */
static GPrivate first_launches = G_PRIVATE_INIT (NULL);

void
gst_mgpu_job_watch (GstMgpuFirstLaunches * watch)
{
  g_private_set (&first_launches, watch);
}

void
gst_mgpu_job_forget (cl_kernel kernel)
{
  GstMgpuFirstLaunches *watch = g_private_get (&first_launches);

  if (watch != NULL)
    g_hash_table_remove (watch->kernels, kernel);
}

/* Calls the watch of the thread if it has not seen a launch of @kernel. Returns: whether this is
 * the first launch */
static gboolean
tell_first_launch (cl_kernel kernel)
{
  GstMgpuFirstLaunches *watch = g_private_get (&first_launches);
  const gchar *name;
  GHashTableIter iter;
  gpointer other;
  guint number = 1;

  if (watch == NULL || g_hash_table_contains (watch->kernels, kernel))
    return FALSE;
  name = gst_mgpu_error_name_kernel (kernel);
  g_hash_table_iter_init (&iter, watch->kernels);
  while (g_hash_table_iter_next (&iter, NULL, &other))
    number += other == name;
  g_hash_table_insert (watch->kernels, kernel, (gpointer) name);
  GST_DEBUG ("launching the kernel %s (number %u of this name) for the first "
      "time, and waiting until the driver has compiled it", name, number);
  watch->tell (watch->user, name, number);
  return TRUE;
}

/* Launches the kernel as gst_mgpu_job_launch() does, without the watch for first launches. */
static void
launch (GstMgpuJob * job, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local)
{
  gsize chosen[3], fitted[3];
  cl_event event;
  cl_int ret;

  if (job->error != NULL)
    return;
  if (local == NULL)
    local = choose_local (job, n_dims, global, chosen);
  local = gst_mgpu_limit_fit (kernel, n_dims, local, fitted);
  if (get_device (job)->pocl_miscounts)
    ret = gst_mgpu_pocl_launch (job->cl_queue, kernel, n_dims, global, local,
        GST_MGPU_WAITS (job->waits), wants_event (job, &event));
  else
    ret = clEnqueueNDRangeKernel (job->cl_queue, kernel, n_dims, NULL, global,
        local, GST_MGPU_WAITS (job->waits), wants_event (job, &event));
  if (ret == CL_INVALID_WORK_GROUP_SIZE
      && gst_mgpu_limit_explain (kernel,
          gst_mgpu_queue_get_context (job->queue), n_dims, local, &job->error))
    return;
  if (job_check (job, ret, "clEnqueueNDRangeKernel")) {
    log_launch (job, kernel, n_dims, global, local);
    command_done (job, event, kernel);
  } else
    g_prefix_error (&job->error, "kernel \"%s\": ",
        gst_mgpu_error_name_kernel (kernel));
}

/**
 * gst_mgpu_job_launch: (skip)
 * @job: a job
 * @kernel: a kernel made by gst_mgpu_program_create_kernel(), with all arguments set
 * @n_dims: number of dimensions, 1 to 3
 * @global: (array length=n_dims): number of work-items in each dimension
 * @local: (array length=n_dims) (nullable): size of a work-group in each dimension, a divisor
 *   of @global; %NULL lets the library or the driver choose
 *
 * Enqueues a launch of a kernel, which runs after all earlier commands of the job.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_launch (GstMgpuJob * job, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local)
{
  gboolean is_first = job->error == NULL && tell_first_launch (kernel);

  launch (job, kernel, n_dims, global, local);
  /* Waits until the driver has compiled the kernel, so that the compilation ends between the
   * messages about this kernel and about the next one. */
  if (is_first && job->error == NULL)
    job_check (job, clFinish (job->cl_queue), "clFinish");
}

/* Checks that the rows of a copy end within @buffer. Drivers check this for their own copies, but
 * not for copy_by_kernel(), whose offsets have 32 bits. Returns: FALSE with the error of @job set
 * if they do not */
static gboolean
check_rows (GstMgpuJob * job, cl_mem buffer, gsize offset, gsize stride,
    gsize width, gsize height)
{
  size_t size = 0;

  if (!job_check (job, clGetMemObjectInfo (buffer, CL_MEM_SIZE, sizeof (size),
              &size, NULL), "clGetMemObjectInfo"))
    return FALSE;
  if (stride >= width && stride <= G_MAXUINT && offset <= G_MAXUINT
      && offset <= size && width <= size - offset
      && height - 1 <= (size - offset - width) / stride)
    return TRUE;
  gst_mgpu_job_fail (job, g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
          "cannot copy %" G_GSIZE_FORMAT " rows of %" G_GSIZE_FORMAT " bytes, "
          "whose beginnings are %" G_GSIZE_FORMAT " bytes apart, at byte %"
          G_GSIZE_FORMAT " of a memory of %" G_GSIZE_FORMAT " bytes: correct "
          "the offset, the stride or the number of rows", height, width, stride,
          offset, size));
  return FALSE;
}

/* Copies rows of bytes between buffers by means of a kernel. clEnqueueCopyBufferRect() cannot
 * be used, because drivers may refuse to copy imported buffers. */
static void
copy_by_kernel (GstMgpuJob * job, cl_mem from, gsize src_offset,
    gsize src_stride, cl_mem to, gsize dst_offset, gsize dst_stride,
    gsize width, gsize height)
{
  static const gchar source[] =
      "__kernel void copy_rows (__global const uchar *src, uint src_offset,"
      "    uint src_stride, __global uchar *dst, uint dst_offset,"
      "    uint dst_stride)"
      "{"
      "  size_t x = get_global_id (0), y = get_global_id (1);"
      "  dst[dst_offset + y * dst_stride + x] ="
      "      src[src_offset + y * src_stride + x];" "}";
  const gsize global[2] = { width, height };
  GstMgpuProgram *program =
      gst_mgpu_program_new_own (gst_mgpu_queue_get_context (job->queue), "copy",
      source, NULL, &job->error);
  cl_kernel kernel = program != NULL ? gst_mgpu_program_create_kernel (program,
      "copy_rows", &job->error) : NULL;

  if (kernel != NULL) {
    gst_mgpu_job_set_args (job, kernel, "muumuu", from, (guint) src_offset,
        (guint) src_stride, to, (guint) dst_offset, (guint) dst_stride);
    launch (job, kernel, 2, global, NULL);
    clReleaseKernel (kernel);
  }
  g_clear_pointer (&program, gst_object_unref);
}

/**
 * gst_mgpu_job_copy_rect: (skip)
 * @job: a job
 * @src: the memory to read
 * @src_offset: offset of the first byte in @src
 * @src_stride: bytes from row to row in @src, at least @width
 * @dst: the memory to write; the job must not need bytes that the host wrote there, because
 * they are not uploaded. Bytes outside the rows are unchanged on the device
 * @dst_offset: offset of the first byte in @dst
 * @dst_stride: bytes from row to row in @dst, at least @width
 * @width: bytes to copy of each row
 * @height: number of rows
 *
 * Enqueues a copy of rows of bytes on the device. Rows that end outside one of the memories, and
 * offsets and strides of 4 GiB or more, make the job fail.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_copy_rect (GstMgpuJob * job, GstMgpuMemory * src, gsize src_offset,
    gsize src_stride, GstMgpuMemory * dst, gsize dst_offset, gsize dst_stride,
    gsize width, gsize height)
{
  cl_mem from = gst_mgpu_job_read (job, src);
  cl_mem to = gst_mgpu_job_write (job, dst);
  cl_event event;
  cl_int ret;

  if (job->error != NULL || width == 0 || height == 0
      || !check_rows (job, from, src_offset, src_stride, width, height)
      || !check_rows (job, to, dst_offset, dst_stride, width, height))
    return;
  GST_TRACE_OBJECT (job->queue, "copying %" G_GSIZE_FORMAT " rows of %"
      G_GSIZE_FORMAT " bytes from memory %p to %p", height, width, src, dst);
  if (src->priv->import != NULL || dst->priv->import != NULL) {
    copy_by_kernel (job, from, src_offset, src_stride, to, dst_offset,
        dst_stride, width, height);
  } else if (src_stride == dst_stride && width == src_stride) {
    ret = clEnqueueCopyBuffer (job->cl_queue, from, to, src_offset,
        dst_offset, width * height, GST_MGPU_WAITS (job->waits),
        wants_event (job, &event));
    if (job_check (job, ret, "clEnqueueCopyBuffer"))
      command_done (job, event, NULL);
  } else {
    gsize src_origin[3] = { src_offset, 0, 0 };
    gsize dst_origin[3] = { dst_offset, 0, 0 };
    gsize region[3] = { width, height, 1 };

    ret = clEnqueueCopyBufferRect (job->cl_queue, from, to,
        src_origin, dst_origin, region, src_stride, 0, dst_stride, 0,
        GST_MGPU_WAITS (job->waits), wants_event (job, &event));
    if (job_check (job, ret, "clEnqueueCopyBufferRect"))
      command_done (job, event, NULL);
  }
}

/**
 * gst_mgpu_job_fail: (skip)
 * @job: a job
 * @error: (transfer full) (nullable): why the job fails; %NULL when a pool is flushing,
 *   so that the frame is dropped
 *
 * Makes the job fail. Does nothing but free @error if the job has failed already.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_fail (GstMgpuJob * job, GError * error)
{
  GST_DEBUG_OBJECT (job->queue, "a job fails: %s", error != NULL
      ? error->message : "a pool is flushing");
  if (job->error != NULL)
    g_clear_error (&error);
  else if (error != NULL)
    job->error = error;
  else
    job->error = g_error_new_literal (GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "a frame was dropped, because its buffer pool is flushing: restart "
        "the element");
}

/**
 * gst_mgpu_job_flush: (skip)
 * @job: a job
 *
 * Submits the commands that the job has enqueued so far, so that the device begins with them
 * while the host enqueues more. Only jobs with many commands benefit from this.
 * gst_mgpu_job_end() submits all remaining commands.
 *
 * Since: 1.0
 */
void
gst_mgpu_job_flush (GstMgpuJob * job)
{
  if (job->error == NULL && job->n_commands > 0)
    job_check (job, clFlush (job->cl_queue), "clFlush");
}

/* Returns: an event that is complete when all commands of the job and of its parts are
 * complete. If the job has one command and no parts, this is the event of that command. NULL if
 * the job has failed, or has no commands except those of its parts */
static cl_event
end_event (GstMgpuJob * job)
{
  cl_event last = NULL;

  if (job->error != NULL || job->n_commands == 0)
    return NULL;
  if (job->n_commands > 1 || job->has_parts)
    job_check (job, clEnqueueMarkerWithWaitList (job->cl_queue, 0, NULL,
            &last), "clEnqueueMarkerWithWaitList");
  else
    last = job->first;
  if (last != NULL && job->stats != NULL && !job->profile)
    gst_mgpu_stats_add_span (job->stats, job->first, last);
  return last;
}

/**
 * gst_mgpu_job_end: (skip)
 * @job: a job
 * @error: return location for a #GError
 *
 * Ends the job: submits its commands to the device, and does not wait for their completion. If
 * the job has failed, waits until none of its commands runs any more; the content of the
 * memories that the job writes is then undefined.
 *
 * Returns: %TRUE when all commands were enqueued
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_job_end (GstMgpuJob * job, GError ** error)
{
  GstMgpuQueue *queue = job->queue;
  cl_event last = end_event (job);
  gboolean ok;

  GST_LOG_OBJECT (queue, "%u commands on %u memories%s%s", job->n_commands,
      job->n_memories, job->error != NULL ? " failed: " : "",
      job->error != NULL ? job->error->message : "");
  gst_mgpu_job_flush (job);
  if (last != NULL && job->cl_queue != gst_mgpu_queue_get_cl_queue (queue))
    leave_timed_queue (job, last);
  ok = job->error == NULL;

  if (job->first != NULL && job->first != last)
    clReleaseEvent (job->first);
  if (ok && last != NULL) {
    gst_mgpu_queue_set_last (queue, last);
    for (guint i = 0; i < job->n_memories; i++) {
      clRetainEvent (last);
      gst_mgpu_memory_used (job->memories[i], queue, job->access[i], last);
    }
  } else if (!ok) {
    gst_mgpu_queue_finish_all (queue);
  }
  for (guint i = 0; i < job->n_memories; i++)
    gst_memory_unref (GST_MEMORY_CAST (job->memories[i]));
  if (last != NULL)
    clReleaseEvent (last);
  g_ptr_array_unref (job->waits);
  if (!ok)
    g_propagate_error (error, job->error);
  return ok;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpuqueue
 * @title: GstMgpuQueue
 * @short_description: a command queue, and the work of one frame on it
 */
#include "gstmgpuqueue-private.h"

#include <stdarg.h>

#include "gstmgpucontext-private.h"
#include "gstmgpuerror.h"
#include "gstmgpumemory-private.h"
#include "gstmgpupocl-private.h"
#include "gstmgpustats-private.h"
#include "gstmgpuuses-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_queue_debug);
#define GST_CAT_DEFAULT gst_mgpu_queue_debug

struct _GstMgpuQueuePrivate
{
  GstMgpuContext *context;
  cl_command_queue queue;

  GMutex lock;
  GThread *thread;              /* the one it works for; only compared */
  cl_event last;                /* of the job that ended last */
  GQueue frames;                /* the last events of those that may be unfinished */
  cl_command_queue timed;       /* of jobs that are; once asked for */
  cl_command_queue transfers[GST_MGPU_N_DIRECTIONS];    /* likewise */
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuQueue, gst_mgpu_queue, GST_TYPE_OBJECT,
    G_ADD_PRIVATE (GstMgpuQueue)
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_queue_debug, "mgpuqueue", 0,
        "OpenCL command queue"));

static void
gst_mgpu_queue_init (GstMgpuQueue * self)
{
  self->priv = gst_mgpu_queue_get_instance_private (self);
  g_mutex_init (&self->priv->lock);
  g_queue_init (&self->priv->frames);
}

/* Memories tell queues apart by their handle. Whatever ran on this one is over
 * before another can get the same. */
static void
finish_and_release (GstMgpuContext * context, cl_command_queue queue)
{
  if (queue == NULL)
    return;
  clFinish (queue);
  if (gst_mgpu_context_get_device (context)->pocl_miscounts)
    gst_mgpu_pocl_remove_queue (queue);
  clReleaseCommandQueue (queue);
}

static void
release_event (gpointer event)
{
  clReleaseEvent (event);
}

static void
gst_mgpu_queue_finalize (GObject * object)
{
  GstMgpuQueuePrivate *priv = GST_MGPU_QUEUE (object)->priv;

  g_queue_clear_full (&priv->frames, release_event);
  g_clear_pointer (&priv->last, release_event);

  finish_and_release (priv->context, priv->queue);
  finish_and_release (priv->context, priv->timed);
  for (guint i = 0; i < GST_MGPU_N_DIRECTIONS; i++)
    finish_and_release (priv->context, priv->transfers[i]);
  g_mutex_clear (&priv->lock);
  gst_object_unref (priv->context);
  G_OBJECT_CLASS (gst_mgpu_queue_parent_class)->finalize (object);
}

static void
gst_mgpu_queue_class_init (GstMgpuQueueClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_queue_finalize;
}

static cl_command_queue
create_queue (GstMgpuContext * context, cl_command_queue_properties properties,
    GError ** error)
{
  cl_int ret;
  cl_command_queue queue =
      clCreateCommandQueue (gst_mgpu_context_get_cl_context (context),
      gst_mgpu_context_get_cl_device (context), properties, &ret);

  if (!gst_mgpu_cl_check (ret, "clCreateCommandQueue", context, error))
    return NULL;
  if (gst_mgpu_context_get_device (context)->pocl_miscounts)
    gst_mgpu_pocl_add_queue (queue);
  return queue;
}

/**
 * gst_mgpu_queue_new:
 * @context: a #GstMgpuContext
 * @error: return location for a #GError
 *
 * Returns: (transfer full) (nullable): a new in-order queue
 *
 * Since: 0.1
 */
GstMgpuQueue *
gst_mgpu_queue_new (GstMgpuContext * context, GError ** error)
{
  GstMgpuQueue *self = g_object_new (GST_TYPE_MGPU_QUEUE, NULL);
  GstMgpuQueuePrivate *priv = self->priv;
  gboolean unified = gst_mgpu_context_get_traits (context)->unified_memory;

  gst_object_ref_sink (self);
  priv->context = gst_object_ref (context);
  priv->queue = create_queue (context,
      unified ? CL_QUEUE_PROFILING_ENABLE : 0, error);
  if (priv->queue == NULL)
    g_clear_pointer (&self, gst_object_unref);
  return self;
}

/**
 * gst_mgpu_queue_get_context:
 * @queue: a #GstMgpuQueue
 *
 * Returns: (transfer none): the context of @queue
 *
 * Since: 0.1
 */
GstMgpuContext *
gst_mgpu_queue_get_context (GstMgpuQueue * queue)
{
  return queue->priv->context;
}

/**
 * gst_mgpu_queue_get_cl_queue: (skip)
 * @queue: a #GstMgpuQueue
 *
 * Returns: (transfer none): the OpenCL command queue
 *
 * Since: 0.1
 */
cl_command_queue
gst_mgpu_queue_get_cl_queue (GstMgpuQueue * queue)
{
  return queue->priv->queue;
}

/* Makes what is not there yet. */
static cl_command_queue
get_companion (GstMgpuQueue * self, cl_command_queue * companion,
    cl_command_queue_properties properties, GError ** error)
{
  GstMgpuQueuePrivate *priv = self->priv;
  cl_command_queue queue;

  g_mutex_lock (&priv->lock);
  if (*companion == NULL)
    *companion = create_queue (priv->context, properties, error);
  queue = *companion;
  g_mutex_unlock (&priv->lock);
  return queue;
}

cl_command_queue
gst_mgpu_queue_get_transfers (GstMgpuQueue * self, GstMgpuDirection direction,
    GError ** error)
{
  return get_companion (self, &self->priv->transfers[direction], 0, error);
}

/**
 * gst_mgpu_queue_finish:
 * @queue: a #GstMgpuQueue
 * @error: return location for a #GError
 *
 * Blocks until all that was enqueued is done.
 *
 * Returns: %TRUE on success
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_queue_finish (GstMgpuQueue * queue, GError ** error)
{
  return gst_mgpu_cl_check (clFinish (queue->priv->queue), "clFinish",
      queue->priv->context, error);
}

/* Takes the jobs since the last call as a frame. Returns: (transfer full): the event of
 * the oldest unfinished one if there are n of them or more; else NULL */
static cl_event
next_frame (GstMgpuQueuePrivate * priv, guint n)
{
  cl_event oldest = NULL;

  g_mutex_lock (&priv->lock);
  if (priv->last != NULL)
    g_queue_push_tail (&priv->frames, g_steal_pointer (&priv->last));
  if (priv->frames.length >= n)
    oldest = g_queue_pop_head (&priv->frames);
  g_mutex_unlock (&priv->lock);
  return oldest;
}

/**
 * gst_mgpu_queue_begin_frame:
 * @queue: a #GstMgpuQueue
 * @n: at least 1
 *
 * Blocks until fewer than @n frames are unfinished, so that the host does not run
 * further ahead of the device. All jobs between two calls are a frame.
 *
 * Returns: nanoseconds that the host waited
 *
 * Since: 0.1
 */
GstClockTime
gst_mgpu_queue_begin_frame (GstMgpuQueue * queue, guint n)
{
  GstMgpuQueuePrivate *priv = queue->priv;
  gint64 start = g_get_monotonic_time ();
  cl_event oldest;

  /* What fails is told to the next job, or map. */
  while ((oldest = next_frame (priv, n)) != NULL) {
    if (gst_mgpu_context_get_traits (priv->context)->unified_memory)
      clWaitForEvents (1, &oldest);
    else
      gst_mgpu_nap_until (oldest, CL_COMPLETE);
    clReleaseEvent (oldest);
  }
  return (g_get_monotonic_time () - start) * 1000;
}

/**
 * gst_mgpu_queue_choose:
 * @own: a queue that only the calling thread has as its own
 * @memory: what is to be read
 *
 * Says where the work on a frame goes on. What one thread enqueues follows in the
 * queue that wrote the frame, without an event between the two; another thread, as
 * behind a tee, has a queue of its own, so that neither waits for all that the other
 * has enqueued.
 *
 * Returns: (transfer full): the queue that wrote @memory if this thread chose it
 *   last, otherwise @own
 *
 * Since: 0.1
 */
GstMgpuQueue *
gst_mgpu_queue_choose (GstMgpuQueue * own, GstMgpuMemory * memory)
{
  GstMgpuQueue *queue = gst_mgpu_memory_get_queue (memory);

  if (g_atomic_pointer_get (&queue->priv->thread) != g_thread_self ()) {
    gst_object_unref (queue);
    queue = gst_object_ref (own);
    g_atomic_pointer_set (&own->priv->thread, g_thread_self ());
  }
  return queue;
}

/* Waits for all jobs, also for one that did not end. */
static void
finish_all (GstMgpuQueuePrivate * priv)
{
  cl_command_queue timed;

  g_mutex_lock (&priv->lock);
  timed = priv->timed;
  g_mutex_unlock (&priv->lock);
  if (timed != NULL)
    clFinish (timed);
  clFinish (priv->queue);
}

static gboolean
job_check (GstMgpuJob * job, cl_int code, const gchar * call)
{
  return gst_mgpu_cl_check (code, call, job->queue->priv->context, &job->error);
}

static void
begin (GstMgpuJob * job, GstMgpuQueue * queue, GstMgpuStats * stats)
{
  job->queue = queue;
  job->cl_queue = queue->priv->queue;
  job->stats = stats;
  job->error = NULL;
  job->n_memories = 0;
  job->waits = NULL;
  job->profile = stats != NULL && gst_mgpu_stats_get_profile (stats);
  job->n_commands = 0;
  job->first = NULL;
}

/* Some drivers take longer for an event of a queue with profiling than for a
 * launch, and a device with memory of its own is waited for by events. There a
 * job that is timed goes to another queue: after all that is in the first one,
 * which goes on behind it. */
static void
use_timed_queue (GstMgpuJob * job)
{
  GstMgpuQueuePrivate *priv = job->queue->priv;
  cl_event before = NULL;

  job->cl_queue = get_companion (job->queue, &priv->timed,
      CL_QUEUE_PROFILING_ENABLE, &job->error);
  if (job->cl_queue == NULL
      || !job_check (job, clEnqueueMarkerWithWaitList (priv->queue, 0, NULL,
              &before), "clEnqueueMarkerWithWaitList"))
    return;
  job->waits = gst_mgpu_waits_new ();
  g_ptr_array_add (job->waits, before);
  job_check (job, clFlush (priv->queue), "clFlush");
}

static void
leave_timed_queue (GstMgpuJob * job, cl_event last)
{
  job_check (job, clEnqueueBarrierWithWaitList (job->queue->priv->queue, 1,
          &last, NULL), "clEnqueueBarrierWithWaitList");
}

/**
 * gst_mgpu_job_begin: (skip)
 * @job: (out caller-allocates): a job
 * @queue: (transfer none): where its commands go; outlives the job
 * @stats: (nullable) (transfer none): counts the device time of its kernels
 *
 * Since: 0.1
 */
void
gst_mgpu_job_begin (GstMgpuJob * job, GstMgpuQueue * queue,
    GstMgpuStats * stats)
{
  gboolean always =
      gst_mgpu_context_get_traits (queue->priv->context)->unified_memory;

  begin (job, queue, stats);
  if (stats == NULL)
    return;
  if (!gst_mgpu_stats_begin_job (stats, always || job->profile))
    job->stats = NULL;
  else if (!always)
    use_timed_queue (job);
}

/**
 * gst_mgpu_job_begin_part: (skip)
 * @part: (out caller-allocates): a job
 * @whole: a job that has begun
 *
 * Begins a job, to be ended before @whole goes on, whose commands follow those of
 * @whole, so that the host can look at what it did. It has failed if @whole has.
 *
 * Since: 0.1
 */
void
gst_mgpu_job_begin_part (GstMgpuJob * part, GstMgpuJob * whole)
{
  /* What follows the first command of the whole is in its time. */
  gboolean counts = whole->profile || whole->n_commands == 0;

  begin (part, whole->queue, counts ? whole->stats : NULL);
  part->cl_queue = whole->cl_queue;
  if (whole->error != NULL)
    part->error = g_error_copy (whole->error);
  /* The whole's next command comes after the part's. */
  part->waits = g_steal_pointer (&whole->waits);
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
        "a job uses more than %d memories", GST_MGPU_JOB_MAX_MEMORIES);
    return NULL;
  }
  if (job->waits == NULL)
    job->waits = gst_mgpu_waits_new ();
  if (!gst_mgpu_memory_prepare (memory, job->queue, access, job->waits, &handle,
          &job->error))
    return NULL;
  if (i == job->n_memories) {
    job->memories[i] = memory;
    job->access[i] = 0;
    job->n_memories++;
  }
  job->access[i] |= access;
  return handle;
}

/**
 * gst_mgpu_job_read: (skip)
 * @job: a job
 * @memory: (transfer none): a memory of the same context; outlives the job
 *
 * Announces that the job's next commands read @memory; uploads it when the
 * host wrote it last.
 *
 * Returns: (transfer none): its cl_mem, or %NULL when the job has failed
 *
 * Since: 0.1
 */
cl_mem
gst_mgpu_job_read (GstMgpuJob * job, GstMgpuMemory * memory)
{
  return job_use (job, memory, GST_MGPU_ACCESS_READ);
}

/**
 * gst_mgpu_job_write: (skip)
 * @job: a job
 * @memory: (transfer none): a memory of the same context; outlives the job
 *
 * Announces that the job's next commands write all of @memory that matters:
 * what the host wrote before is not uploaded. Call gst_mgpu_job_read() first
 * for a memory that is changed in place.
 *
 * Returns: (transfer none): its cl_mem, or %NULL when the job has failed
 *
 * Since: 0.1
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
 * @types: one letter for each argument: 'm' cl_mem, 'i' #gint, 'u' #guint,
 *   'f' a #gdouble that the kernel sees as float, 'l' a #gsize that is the
 *   size of a local buffer in bytes
 * @...: the arguments, from index 0
 *
 * Since: 0.1
 */
void
gst_mgpu_job_set_args (GstMgpuJob * job, cl_kernel kernel, const gchar * types,
    ...)
{
  va_list args;

  va_start (args, types);
  for (guint i = 0; types[i] != '\0' && job->error == NULL; i++) {
    cl_int ret = CL_INVALID_ARG_VALUE;

    switch (types[i]) {
      case 'm':{
        cl_mem value = va_arg (args, cl_mem);

        ret = clSetKernelArg (kernel, i, sizeof (value), &value);
        break;
      }
      case 'i':{
        cl_int value = va_arg (args, gint);

        ret = clSetKernelArg (kernel, i, sizeof (value), &value);
        break;
      }
      case 'u':{
        cl_uint value = va_arg (args, guint);

        ret = clSetKernelArg (kernel, i, sizeof (value), &value);
        break;
      }
      case 'f':{
        cl_float value = va_arg (args, gdouble);

        ret = clSetKernelArg (kernel, i, sizeof (value), &value);
        break;
      }
      case 'l':
        ret = clSetKernelArg (kernel, i, va_arg (args, gsize), NULL);
        break;
      default:
        g_assert_not_reached ();
    }
    if (!job_check (job, ret, "clSetKernelArg"))
      g_prefix_error (&job->error, "argument %u: ", i);
  }
  va_end (args);
}

/* Where a command leaves its event. An event costs the driver about as much as
 * a launch, so that only the first command has one, and the job's end, unless
 * each is to be timed. */
static cl_event *
wants_event (GstMgpuJob * job, cl_event * event)
{
  *event = NULL;
  return job->n_commands == 0 || job->profile ? event : NULL;
}

/* The wait list belongs to the first command after a memory was announced;
 * the queue is in order, so the others follow. */
static void
command_done (GstMgpuJob * job, cl_event event, cl_kernel kernel)
{
  if (job->waits != NULL)
    g_ptr_array_set_size (job->waits, 0);
  if (job->profile)
    gst_mgpu_stats_add_command (job->stats, event, kernel);
  if (job->n_commands++ == 0)
    job->first = event;
  else if (event != NULL)
    clReleaseEvent (event);
}

static cl_uint
n_waits (GstMgpuJob * job)
{
  return job->waits != NULL ? job->waits->len : 0;
}

static const cl_event *
waits (GstMgpuJob * job)
{
  return n_waits (job) > 0 ? (const cl_event *) job->waits->pdata : NULL;
}

static const GstMgpuDevice *
get_device (GstMgpuJob * job)
{
  return gst_mgpu_context_get_device (job->queue->priv->context);
}

/* PoCL compiles a kernel anew for every size of a work-group, and would choose
 * another one for every size of a frame. */
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

static cl_int
launch (cl_command_queue queue, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local, guint n_waits,
    const cl_event * waits, cl_event * event)
{
  return clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local,
      n_waits, waits, event);
}

/**
 * gst_mgpu_job_launch: (skip)
 * @job: a job
 * @kernel: a kernel of gst_mgpu_program_create_kernel() whose arguments are set
 * @n_dims: 1 to 3
 * @global: (array length=n_dims): work-items in each dimension
 * @local: (array length=n_dims) (nullable): size of a work-group, which
 *   divides @global; %NULL: any
 *
 * Enqueues a kernel after all that the job has enqueued.
 *
 * Since: 0.1
 */
void
gst_mgpu_job_launch (GstMgpuJob * job, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local)
{
  gsize chosen[3];
  cl_event event;
  cl_int ret;

  if (job->error != NULL)
    return;
  if (local == NULL)
    local = choose_local (job, n_dims, global, chosen);
  ret = (get_device (job)->pocl_miscounts ? gst_mgpu_pocl_launch : launch)
      (job->cl_queue, kernel, n_dims, global, local, n_waits (job), waits (job),
      wants_event (job, &event));
  if (job_check (job, ret, "clEnqueueNDRangeKernel"))
    command_done (job, event, kernel);
}

/**
 * gst_mgpu_job_copy_rect: (skip)
 * @job: a job
 * @src: what is read
 * @src_offset: first byte
 * @src_stride: bytes from row to row, at least @width
 * @dst: what is written, in part: the rest keeps its device content
 * @dst_offset: first byte
 * @dst_stride: bytes from row to row, at least @width
 * @width: bytes of a row
 * @height: rows
 *
 * Enqueues a copy of rows of bytes on the device.
 *
 * Since: 0.1
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

  if (job->error != NULL || width == 0 || height == 0)
    return;
  if (src_stride == dst_stride && width == src_stride) {
    ret = clEnqueueCopyBuffer (job->cl_queue, from, to, src_offset,
        dst_offset, width * height, n_waits (job), waits (job),
        wants_event (job, &event));
    if (job_check (job, ret, "clEnqueueCopyBuffer"))
      command_done (job, event, NULL);
  } else {
    gsize src_origin[3] = { src_offset, 0, 0 };
    gsize dst_origin[3] = { dst_offset, 0, 0 };
    gsize region[3] = { width, height, 1 };

    ret = clEnqueueCopyBufferRect (job->cl_queue, from, to,
        src_origin, dst_origin, region, src_stride, 0, dst_stride, 0,
        n_waits (job), waits (job), wants_event (job, &event));
    if (job_check (job, ret, "clEnqueueCopyBufferRect"))
      command_done (job, event, NULL);
  }
}

/**
 * gst_mgpu_job_fail: (skip)
 * @job: a job
 * @error: (transfer full) (nullable): why; %NULL, as from a pool that is flushing,
 *   stands for a frame that is given up
 *
 * Makes the job fail, unless it has failed already.
 *
 * Since: 0.1
 */
void
gst_mgpu_job_fail (GstMgpuJob * job, GError * error)
{
  if (job->error != NULL)
    g_clear_error (&error);
  else if (error != NULL)
    job->error = error;
  else
    job->error = g_error_new_literal (GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the frame was given up, because a pool for it is flushing: start the "
        "element again");
}

/**
 * gst_mgpu_job_flush: (skip)
 * @job: a job
 *
 * Lets the device begin with what the job has enqueued so far, while the host
 * goes on with the rest. gst_mgpu_job_end() does so for all that is left: this
 * is for jobs of many commands.
 *
 * Since: 0.1
 */
void
gst_mgpu_job_flush (GstMgpuJob * job)
{
  if (job->error == NULL && job->n_commands > 0)
    job_check (job, clFlush (job->cl_queue), "clFlush");
}

/* Returns: the event of all that the job has enqueued, which may be that of the
 * first; NULL where that is nothing, or the job has failed */
static cl_event
end_event (GstMgpuJob * job)
{
  cl_event last = NULL;

  if (job->error != NULL || job->n_commands == 0)
    return NULL;
  if (job->n_commands > 1)
    job_check (job, clEnqueueMarkerWithWaitList (job->cl_queue, 0, NULL,
            &last), "clEnqueueMarkerWithWaitList");
  else
    last = job->first;
  if (last != NULL && job->stats != NULL && !job->profile)
    gst_mgpu_stats_add_span (job->stats, job->first, last);
  return last;
}

static void
remember_last (GstMgpuQueuePrivate * priv, cl_event event)
{
  clRetainEvent (event);
  g_mutex_lock (&priv->lock);
  if (priv->last != NULL)
    clReleaseEvent (priv->last);
  priv->last = event;
  g_mutex_unlock (&priv->lock);
}

/**
 * gst_mgpu_job_end: (skip)
 * @job: a job
 * @error: return location for a #GError
 *
 * Hands the commands to the device. Does not wait for them, unless the job
 * failed: then nothing of it runs any more, and what it was to write is
 * undefined.
 *
 * Returns: %TRUE when all commands were enqueued
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_job_end (GstMgpuJob * job, GError ** error)
{
  GstMgpuQueue *queue = job->queue;
  cl_event last = end_event (job);
  gboolean ok;

  gst_mgpu_job_flush (job);
  if (last != NULL && job->cl_queue != queue->priv->queue)
    leave_timed_queue (job, last);
  ok = job->error == NULL;

  if (job->first != NULL && job->first != last)
    clReleaseEvent (job->first);
  if (ok && last != NULL) {
    remember_last (queue->priv, last);
    for (guint i = 0; i < job->n_memories; i++) {
      clRetainEvent (last);
      gst_mgpu_memory_used (job->memories[i], queue, job->access[i], last);
    }
  } else if (!ok) {
    finish_all (queue->priv);
  }
  if (last != NULL)
    clReleaseEvent (last);
  if (job->waits != NULL)
    g_ptr_array_unref (job->waits);
  if (!ok)
    g_propagate_error (error, job->error);
  return ok;
}

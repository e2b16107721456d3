/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* An OpenCL command queue with its companions, which limits how many frames are in flight. */
#include "gstmgpuqueue-private.h"

#include "gstmgpucontext-private.h"
#include "gstmgpupocl-private.h"
#include "gstmgpuuses-private.h"

GST_DEBUG_CATEGORY (gst_mgpu_queue_debug);
#define GST_CAT_DEFAULT gst_mgpu_queue_debug

typedef struct _GstMgpuQueuePrivate GstMgpuQueuePrivate;

struct _GstMgpuQueuePrivate
{
  GstMgpuContext *context;
  cl_command_queue queue;

  GMutex lock;                  /* lock that guards the members declared after it, except the
                                 * atomic @thread */
  GThread *thread;              /* thread that called gst_mgpu_queue_take() last. The pointer
                                 * is compared but never dereferenced, because the thread may
                                 * have ended */
  cl_event last;                /* event of the last command of the latest job in the
                                 * queue */
  GQueue frames;                /* for each unfinished frame, oldest first, the event of
                                 * the frame's last command */
  /* companions of the queue, one command queue for each GstMgpuCompanion; each is NULL
   * until it is requested */
  cl_command_queue companions[GST_MGPU_N_COMPANIONS];
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

/* Waits until all commands of the command queue @queue are done, and releases it. The wait is
 * needed because a GstMgpuMemory identifies queues by their handles: a new queue may get the
 * same handle, and no command of the old queue may still run then. */
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
gst_mgpu_queue_finalize (GObject * object)
{
  GstMgpuQueuePrivate *priv = GST_MGPU_QUEUE (object)->priv;

  GST_LOG_OBJECT (object, "waiting for the commands of this queue before it is "
      "freed");
  g_queue_clear_full (&priv->frames, gst_mgpu_event_release);
  g_clear_pointer (&priv->last, gst_mgpu_event_release);

  finish_and_release (priv->context, priv->queue);
  for (guint i = 0; i < GST_MGPU_N_COMPANIONS; i++)
    finish_and_release (priv->context, priv->companions[i]);
  g_mutex_clear (&priv->lock);
  gst_mgpu_context_add_queues (priv->context, -1);
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
 * Makes a command queue on the device of @context.
 *
 * Returns: (transfer full) (nullable): a new in-order queue
 *
 * Since: 1.0
 */
GstMgpuQueue *
gst_mgpu_queue_new (GstMgpuContext * context, GError ** error)
{
  GstMgpuQueue *self = g_object_new (GST_TYPE_MGPU_QUEUE, NULL);
  GstMgpuQueuePrivate *priv = self->priv;
  gboolean unified = gst_mgpu_context_get_traits (context)->unified_memory;

  gst_object_ref_sink (self);
  priv->context = gst_object_ref (context);
  gst_mgpu_context_add_queues (context, 1);
  priv->queue = create_queue (context,
      unified ? CL_QUEUE_PROFILING_ENABLE : 0, error);
  if (priv->queue == NULL)
    g_clear_pointer (&self, gst_object_unref);
  else
    GST_LOG_OBJECT (self, "opened in %" GST_PTR_FORMAT, context);
  return self;
}

/**
 * gst_mgpu_queue_get_context:
 * @queue: a #GstMgpuQueue
 *
 * Gets the context of a queue.
 *
 * Returns: (transfer none): the context of @queue
 *
 * Since: 1.0
 */
GstMgpuContext *
gst_mgpu_queue_get_context (GstMgpuQueue * queue)
{
  return queue->priv->context;
}

/**
 * gst_mgpu_queue_get_cl_queue:
 * @queue: a #GstMgpuQueue
 *
 * Gets the OpenCL command queue, for commands that #GstMgpuJob does not offer.
 *
 * Returns: (transfer none) (type gpointer): the OpenCL command queue; an integer in Python
 *
 * Since: 1.0
 */
cl_command_queue
gst_mgpu_queue_get_cl_queue (GstMgpuQueue * queue)
{
  return queue->priv->queue;
}

cl_command_queue
gst_mgpu_queue_get_companion (GstMgpuQueue * self, GstMgpuCompanion companion,
    GError ** error)
{
  GstMgpuQueuePrivate *priv = self->priv;
  cl_command_queue *queue = &priv->companions[companion], result;

  g_mutex_lock (&priv->lock);
  if (*queue == NULL)
    *queue = create_queue (priv->context, companion ==
        GST_MGPU_COMPANION_TIMED ? CL_QUEUE_PROFILING_ENABLE : 0, error);
  result = *queue;
  g_mutex_unlock (&priv->lock);
  return result;
}

/**
 * gst_mgpu_queue_finish:
 * @queue: a #GstMgpuQueue
 * @error: return location for a #GError
 *
 * Blocks until all commands in @queue are done.
 *
 * Returns: %TRUE on success
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_queue_finish (GstMgpuQueue * queue, GError ** error)
{
  GST_TRACE_OBJECT (queue, "waiting until all commands are done");
  return gst_mgpu_cl_check (clFinish (queue->priv->queue), "clFinish",
      queue->priv->context, error);
}

/* Counts the jobs that were enqueued since the last call as one frame. Returns: (transfer
 * full) (nullable): the event of the oldest unfinished frame if @n or more frames may be
 * unfinished; otherwise NULL */
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
 * @n: a number of frames, at least 1
 *
 * Blocks until fewer than @n frames are unfinished. This limits how far the host runs ahead
 * of the device. All jobs that were enqueued between two calls count as one frame.
 *
 * Returns: the time that the host waited, in nanoseconds
 *
 * Since: 1.0
 */
GstClockTime
gst_mgpu_queue_begin_frame (GstMgpuQueue * queue, guint n)
{
  GstMgpuQueuePrivate *priv = queue->priv;
  gint64 start = g_get_monotonic_time (), time;
  cl_event oldest;

  /* Counts a failed command as finished: the next job or map that uses its memory reports the
   * failure. */
  while ((oldest = next_frame (priv, n)) != NULL) {
    if (gst_mgpu_context_get_traits (priv->context)->unified_memory)
      clWaitForEvents (1, &oldest);
    else
      gst_mgpu_nap_until (oldest, CL_COMPLETE);
    clReleaseEvent (oldest);
  }
  time = g_get_monotonic_time () - start;
  GST_LOG_OBJECT (queue,
      "waited until fewer than %u frames were unfinished: %" G_GINT64_FORMAT
      " us", n, time);
  return time * 1000;
}

gboolean
gst_mgpu_queue_is_taken (GstMgpuQueue * self)
{
  return g_atomic_pointer_get (&self->priv->thread) == g_thread_self ();
}

void
gst_mgpu_queue_take (GstMgpuQueue * self)
{
  GST_TRACE_OBJECT (self, "using this queue for thread %p from now on",
      g_thread_self ());
  g_atomic_pointer_set (&self->priv->thread, g_thread_self ());
}

void
gst_mgpu_queue_set_last (GstMgpuQueue * self, cl_event event)
{
  GstMgpuQueuePrivate *priv = self->priv;

  clRetainEvent (event);
  g_mutex_lock (&priv->lock);
  g_clear_pointer (&priv->last, gst_mgpu_event_release);
  priv->last = event;
  g_mutex_unlock (&priv->lock);
}

void
gst_mgpu_queue_finish_all (GstMgpuQueue * self)
{
  GstMgpuQueuePrivate *priv = self->priv;
  cl_command_queue timed;

  GST_DEBUG_OBJECT (self, "waiting for all commands, because a job has failed");
  g_mutex_lock (&priv->lock);
  timed = priv->companions[GST_MGPU_COMPANION_TIMED];
  g_mutex_unlock (&priv->lock);
  if (timed != NULL)
    clFinish (timed);
  clFinish (priv->queue);
}

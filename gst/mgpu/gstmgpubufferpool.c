/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A buffer pool whose buffers hold frames in device memory. */
#include "gstmgpubufferpool.h"

#include "gstmgpucontext.h"
#include "gstmgpumemory-private.h"
#include "gstmgpuqueue.h"
#include "gstmgpustats.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_buffer_pool_debug);
#define GST_CAT_DEFAULT gst_mgpu_buffer_pool_debug

#define CONFIG_QUEUE "mgpu-queue"
#define CONFIG_FOR_DEVICE "mgpu-for-device"

/* Maximum number of buffers that gst_mgpu_buffer_pool_acquire() skips because the device
 * still uses them. Equals the maximum of the elements' property "max-in-flight". */
#define MAX_BUSY 64

typedef struct _GstMgpuBufferPoolPrivate GstMgpuBufferPoolPrivate;

struct _GstMgpuBufferPoolPrivate
{
  GstMgpuQueue *queue;
  GstMgpuStats *stats;
  GstVideoInfo info;
  gboolean for_device;
  gboolean takes_strides;       /* whether frames may have strides that differ from
                                 * those of @info */

  GstBufferPool *targets;       /* pool of another element: the device writes frames into
                                 * buffers of this pool; NULL if there is none */
  GstVideoInfo layout;          /* strides and offsets of frames in buffers of @targets */
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuBufferPool, gst_mgpu_buffer_pool,
    GST_TYPE_BUFFER_POOL, G_ADD_PRIVATE (GstMgpuBufferPool)
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_buffer_pool_debug, "mgpubufferpool", 0,
        "OpenCL buffer pool"));

static const gchar **
gst_mgpu_buffer_pool_get_options (GstBufferPool * pool)
{
  static const gchar *options[] = {
    GST_BUFFER_POOL_OPTION_VIDEO_META,
    GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT, NULL
  };

  return options;
}

static gboolean
gst_mgpu_buffer_pool_set_config (GstBufferPool * pool, GstStructure * config)
{
  GstMgpuBufferPool *self = GST_MGPU_BUFFER_POOL (pool);
  GstMgpuBufferPoolPrivate *priv = self->priv;
  GstVideoAlignment align;
  GstMgpuQueue *queue;
  GstVideoInfo info;
  guint size, min, max;
  GstCaps *caps;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)
      || caps == NULL || !gst_video_info_from_caps (&info, caps)) {
    GST_WARNING_OBJECT (self, "rejecting the configuration, because it has no "
        "video caps: %" GST_PTR_FORMAT, config);
    return FALSE;
  }

  if (gst_buffer_pool_config_has_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)) {
    gst_buffer_pool_config_get_video_alignment (config, &align);
    if (!gst_video_info_align (&info, &align)) {
      GST_WARNING_OBJECT (self, "invalid alignment in %" GST_PTR_FORMAT,
          config);
      return FALSE;
    }
    gst_buffer_pool_config_set_video_alignment (config, &align);
    GST_DEBUG_OBJECT (self,
        "frames have %u, %u, %u and %u pixels of padding at "
        "the left, right, top and bottom", align.padding_left,
        align.padding_right, align.padding_top, align.padding_bottom);
  }
  /* The configuration may ask for buffers that are larger than a frame. */
  info.size = MAX (info.size, size);
  gst_buffer_pool_config_set_params (config, caps, info.size, min, max);

  queue = gst_buffer_pool_config_get_mgpu_queue (config);
  if (queue != NULL && queue != priv->queue) {
    if (gst_mgpu_queue_get_context (queue) !=
        gst_mgpu_queue_get_context (priv->queue)) {
      GST_WARNING_OBJECT (self, "%" GST_PTR_FORMAT " belongs to another "
          "OpenCL context", queue);
      gst_object_unref (queue);
      return FALSE;
    }
    gst_object_replace ((GstObject **) & priv->queue, GST_OBJECT_CAST (queue));
  }
  g_clear_pointer (&queue, gst_object_unref);
  if (!gst_structure_get_boolean (config, CONFIG_FOR_DEVICE, &priv->for_device))
    priv->for_device = FALSE;
  priv->takes_strides = gst_buffer_pool_config_has_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_META);
  priv->info = info;
  return GST_BUFFER_POOL_CLASS
      (gst_mgpu_buffer_pool_parent_class)->set_config (pool, config);
}

/* Logs the configuration here, because a pool may be configured several times before it is
 * used. */
static gboolean
gst_mgpu_buffer_pool_start (GstBufferPool * pool)
{
  GstMgpuBufferPoolPrivate *priv = GST_MGPU_BUFFER_POOL (pool)->priv;
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size, min, max;
  GstCaps *caps;

  if (gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max))
    GST_DEBUG_OBJECT (pool,
        "%u to %u frames (0 = no limit) of %u bytes for %" GST_PTR_FORMAT
        "; %s writes them, on %" GST_PTR_FORMAT, min, max, size, caps,
        priv->for_device ? "the device" : "the host", priv->queue);
  gst_structure_free (config);
  return
      GST_BUFFER_POOL_CLASS (gst_mgpu_buffer_pool_parent_class)->start (pool);
}

/* Returns: TRUE if the strides and offsets of @target are those of priv->layout. Only then
 * can kernels write a frame into @target */
static gboolean
has_layout (GstMgpuBufferPoolPrivate * priv, GstBuffer * target)
{
  const GstVideoInfo *layout = &priv->layout;
  GstVideoMeta *meta = gst_buffer_get_video_meta (target);

  if (meta == NULL
      || gst_buffer_get_size (target) < GST_VIDEO_INFO_SIZE (layout))
    return FALSE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (layout); i++)
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (layout, i)
        || meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (layout, i))
      return FALSE;
  return TRUE;
}

/* Returns: the key (GQuark) of the qdata that marks a frame whose bytes lie in a buffer of
 * another element */
static GQuark
exported_quark (void)
{
  return g_quark_from_static_string ("gst-mgpu-exported");
}

/* Returns: (transfer full) (nullable): a frame whose bytes lie in a free buffer of another
 * element; NULL if that element has no free buffer, or the device cannot write into it */
static GstBuffer *
alloc_exported (GstMgpuBufferPool * self)
{
  GstMgpuBufferPoolPrivate *priv = self->priv;
  GstBufferPoolAcquireParams no_wait = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *target = NULL, *frame = NULL;
  GError *error = NULL;

  if (gst_buffer_pool_acquire_buffer (priv->targets, &target, &no_wait) !=
      GST_FLOW_OK) {
    GST_LOG_OBJECT (self,
        "allocating separate memory for a frame, which will be copied, because the "
        "pool of the next element has no free buffer: %" GST_PTR_FORMAT,
        priv->targets);
    return NULL;
  }
  if (has_layout (priv, target))
    frame = gst_mgpu_frame_new_exported (priv->queue, target, &error);
  else
    GST_DEBUG_OBJECT (self,
        "the strides or offsets of %" GST_PTR_FORMAT " differ from the layout "
        "of this pool: the frame will be copied", target);
  if (frame != NULL) {
    GST_LOG_OBJECT (self,
        "placed frame %p in %" GST_PTR_FORMAT " of the next element", frame,
        target);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (frame), exported_quark (),
        frame, NULL);
  }
  gst_buffer_unref (target);
  if (error != NULL) {
    GST_INFO_OBJECT (self, "cannot write a frame into the buffer of the next "
        "element, so it will be copied: %s", error->message);
    g_error_free (error);
  }
  return frame;
}

/* Returns: TRUE if frames of the pool may lie in buffers of another element */
static gboolean
exports (GstMgpuBufferPoolPrivate * priv)
{
  return priv->targets != NULL && priv->for_device && priv->takes_strides;
}

static GstFlowReturn
gst_mgpu_buffer_pool_alloc (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstMgpuBufferPoolPrivate *priv = GST_MGPU_BUFFER_POOL (pool)->priv;
  GError *error = NULL;

  *buffer = gst_mgpu_frame_new (priv->queue, &priv->info, priv->stats, &error);
  if (*buffer != NULL) {
    GST_LOG_OBJECT (pool, "allocated one more frame, %p, of %" G_GSIZE_FORMAT
        " bytes", *buffer, GST_VIDEO_INFO_SIZE (&priv->info));
    return GST_FLOW_OK;
  }
  GST_ERROR_OBJECT (pool, "%s", error->message);
  g_error_free (error);
  return GST_FLOW_ERROR;
}

static gboolean
is_busy (GstBuffer * buffer)
{
  return gst_mgpu_memory_is_busy ((GstMgpuMemory *)
      gst_buffer_peek_memory (buffer, 0));
}

/* Acquires a buffer from the pool. If the host fills the frames, skips buffers that the device
 * still uses, because the host would have to wait before it could write to them. Takes another
 * buffer of the pool instead, or lets the pool allocate a new one. */
static GstFlowReturn
gst_mgpu_buffer_pool_acquire (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstBufferPoolClass *parent =
      GST_BUFFER_POOL_CLASS (gst_mgpu_buffer_pool_parent_class);
  GstBufferPoolAcquireParams no_wait = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GQueue busy = G_QUEUE_INIT;
  GstFlowReturn ret;

  if (exports (GST_MGPU_BUFFER_POOL (pool)->priv)
      && !GST_BUFFER_POOL_IS_FLUSHING (pool)) {
    *buffer = alloc_exported (GST_MGPU_BUFFER_POOL (pool));
    if (*buffer != NULL)
      return GST_FLOW_OK;
  }
  ret = parent->acquire_buffer (pool, buffer, params);
  if (ret != GST_FLOW_OK)
    GST_DEBUG_OBJECT (pool, "returning no frame: %s", gst_flow_get_name (ret));
  if (GST_MGPU_BUFFER_POOL (pool)->priv->for_device)
    return ret;
  while (ret == GST_FLOW_OK && is_busy (*buffer)) {
    g_queue_push_tail (&busy, g_steal_pointer (buffer));
    ret = busy.length > MAX_BUSY ? GST_FLOW_EOS
        : parent->acquire_buffer (pool, buffer, &no_wait);
  }
  /* If the pool has no other buffer, takes the first of the skipped buffers (the list
   * @busy), because the device will finish with that buffer first. */
  if (ret != GST_FLOW_OK && busy.length > 0) {
    *buffer = g_queue_pop_head (&busy);
    ret = GST_FLOW_OK;
  }
  if (busy.length > 0)
    GST_LOG_OBJECT (pool, "skipped %u frames that the device still uses",
        busy.length);
  while (busy.length > 0)
    parent->release_buffer (pool, g_queue_pop_head (&busy));
  return ret;
}

/* Takes a buffer back. A frame that lies in a buffer of another element is freed, because
 * that element needs its buffer back. Other frames are recycled. */
static void
gst_mgpu_buffer_pool_release (GstBufferPool * pool, GstBuffer * buffer)
{
  if (gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer),
          exported_quark ()) != NULL) {
    GST_TRACE_OBJECT (pool, "returning the buffer that holds frame %p to %"
        GST_PTR_FORMAT, buffer, GST_MGPU_BUFFER_POOL (pool)->priv->targets);
    gst_buffer_unref (buffer);
  } else {
    GST_BUFFER_POOL_CLASS (gst_mgpu_buffer_pool_parent_class)->release_buffer
        (pool, buffer);
  }
}

static void
gst_mgpu_buffer_pool_init (GstMgpuBufferPool * self)
{
  self->priv = gst_mgpu_buffer_pool_get_instance_private (self);
}

static void
gst_mgpu_buffer_pool_finalize (GObject * object)
{
  GstMgpuBufferPoolPrivate *priv = GST_MGPU_BUFFER_POOL (object)->priv;

  /* Drops the pool's references to queue and stats. The memories of the buffers, which the
   * parent class frees, hold references to both. */
  g_clear_pointer (&priv->stats, gst_mgpu_stats_unref);
  gst_clear_object (&priv->targets);
  gst_object_unref (priv->queue);
  G_OBJECT_CLASS (gst_mgpu_buffer_pool_parent_class)->finalize (object);
}

static void
gst_mgpu_buffer_pool_class_init (GstMgpuBufferPoolClass * klass)
{
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_buffer_pool_finalize;
  pool_class->get_options = gst_mgpu_buffer_pool_get_options;
  pool_class->set_config = gst_mgpu_buffer_pool_set_config;
  pool_class->start = gst_mgpu_buffer_pool_start;
  pool_class->alloc_buffer = gst_mgpu_buffer_pool_alloc;
  pool_class->acquire_buffer = gst_mgpu_buffer_pool_acquire;
  pool_class->release_buffer = gst_mgpu_buffer_pool_release;
}

/**
 * gst_mgpu_buffer_pool_new:
 * @queue: queue for uploads and downloads of the frames
 * @stats: (nullable): counters of these uploads and downloads
 *
 * Makes a pool of frames on the device of @queue.
 *
 * Returns: (transfer full): a new pool, which the caller has to configure with
 *   video caps. Its frames have the strides of #GstVideoInfo unless a video
 *   alignment is set.
 *
 * Since: 1.0
 */
GstBufferPool *
gst_mgpu_buffer_pool_new (GstMgpuQueue * queue, GstMgpuStats * stats)
{
  GstMgpuBufferPool *self = g_object_new (GST_TYPE_MGPU_BUFFER_POOL, NULL);

  gst_object_ref_sink (self);
  self->priv->queue = gst_object_ref (queue);
  self->priv->stats = stats != NULL ? gst_mgpu_stats_ref (stats) : NULL;
  return GST_BUFFER_POOL_CAST (self);
}

/**
 * gst_mgpu_buffer_pool_set_targets: (skip)
 * @pool: a #GstMgpuBufferPool from which no frame was taken yet
 * @targets: an active pool of another element
 * @layout: strides and offsets of frames in the buffers of @targets
 *
 * Makes @pool place its frames in buffers of @targets. The device then writes a frame into
 * the memory of the other element, and no copy is needed: see gst_mgpu_frame_take_target().
 * This applies only to frames that jobs write (see
 * gst_buffer_pool_config_set_mgpu_for_device()), and only if @pool is configured with
 * %GST_BUFFER_POOL_OPTION_VIDEO_META. A frame gets separate memory when @targets has no free
 * buffer, when the free buffer has another layout, or when the device cannot write into it.
 *
 * Since: 1.0
 */
void
gst_mgpu_buffer_pool_set_targets (GstMgpuBufferPool * pool,
    GstBufferPool * targets, const GstVideoInfo * layout)
{
  g_return_if_fail (pool->priv->targets == NULL);
  GST_DEBUG_OBJECT (pool,
      "placing frames in the buffers of %" GST_PTR_FORMAT, targets);
  pool->priv->targets = gst_object_ref (targets);
  pool->priv->layout = *layout;
}

/**
 * gst_mgpu_buffer_pool_get_context:
 * @pool: a #GstMgpuBufferPool
 *
 * Gets the context of a pool.
 *
 * Returns: (transfer none): the context in which @pool allocates frames
 *
 * Since: 1.0
 */
GstMgpuContext *
gst_mgpu_buffer_pool_get_context (GstMgpuBufferPool * pool)
{
  return gst_mgpu_queue_get_context (pool->priv->queue);
}

/**
 * gst_buffer_pool_config_get_mgpu_queue:
 * @config: a pool's configuration
 *
 * Gets the queue on which frames of the pool are uploaded and downloaded.
 *
 * Returns: (transfer full) (nullable): the queue set in @config
 *
 * Since: 1.0
 */
GstMgpuQueue *
gst_buffer_pool_config_get_mgpu_queue (GstStructure * config)
{
  GstMgpuQueue *queue = NULL;

  gst_structure_get (config, CONFIG_QUEUE, GST_TYPE_MGPU_QUEUE, &queue, NULL);
  return queue;
}

/**
 * gst_buffer_pool_config_set_mgpu_queue:
 * @config: a pool's configuration
 * @queue: a queue of the same context as the pool's queue
 *
 * Sets the queue for uploads and downloads of the frames that the pool allocates after this
 * call.
 *
 * Since: 1.0
 */
void
gst_buffer_pool_config_set_mgpu_queue (GstStructure * config,
    GstMgpuQueue * queue)
{
  gst_structure_set (config, CONFIG_QUEUE, GST_TYPE_MGPU_QUEUE, queue, NULL);
}

/**
 * gst_buffer_pool_config_set_mgpu_for_device:
 * @config: a pool's configuration
 * @for_device: %TRUE when jobs on the device write the frames, %FALSE when the
 *   host writes them
 *
 * Tells the pool whether jobs on the device or the host write its frames. The default is the host.
 * For jobs, the pool gives any free frame, because the commands of the job wait for earlier
 * commands that use the frame. For the host, the pool gives a frame that the device no longer uses;
 * when the device uses all frames, the pool allocates a new frame unless it has reached its
 * maximum.
 *
 * Since: 1.0
 */
void
gst_buffer_pool_config_set_mgpu_for_device (GstStructure * config,
    gboolean for_device)
{
  gst_structure_set (config, CONFIG_FOR_DEVICE, G_TYPE_BOOLEAN, for_device,
      NULL);
}

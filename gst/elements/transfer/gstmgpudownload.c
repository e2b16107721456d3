/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpudownload
 * @title: mgpudownload
 * @short_description: moves frames from an OpenCL device to system memory
 *
 * Every mgpu element outputs frames that any element can map; the first map downloads the frame.
 * With mgpudownload, the pipeline description shows where frames leave the device: the element
 * waits for the frames, and reports the time in #GstMgpuFilter:stats. If device and host share
 * memory, or if the frame is in system memory already, nothing is copied. If the next element
 * offers dma-bufs, the device writes its frames into them. With GStreamer 1.24 and later, the
 * element also offers caps of dma-bufs with a linear layout and of CUDA memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuupload ! mgpubilateral ! mgpuhisteq ! mgpudownload ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpufilterpath.h>

#include <gst/allocators/gstdmabuf.h>

#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpudmabufallocator.h>
#include <gst/frame/gstmgpupools.h>

#include <gst/elements/elements.h>
#include "gstmgpudrmcaps.h"
#include "gstmgputransfer.h"

/* Alignment, in bytes, of the strides of frames in dma-bufs that this element allocates, because
 * other devices require this alignment */
#define ROW_ALIGNMENT 256

typedef struct
{
  GstMgpuTransfer transfer;

  GstBufferPool *targets;       /* pool of dma-bufs or of CUDA memory in which frames are pushed;
                                 * NULL if frames are pushed in other memory */
  gboolean must;                /* whether the caps require dma-bufs or CUDA memory */
  gboolean must_wait;           /* whether each frame has to be pushed in a buffer of the next
                                 * element; this element then waits for a free buffer. Such buffers
                                 * must not be offered upstream, because frames that wait upstream
                                 * could use up the whole pool */
  gboolean exports;             /* whether the device can write into the buffers of @targets */
  GstVideoInfo layout;          /* strides and offsets of frames in the buffers of @targets, if
                                 * @exports is TRUE */
  gboolean is_taken;            /* whether the current frame already lies in the memory in which
                                 * it is pushed */
  gboolean warned_refused;        /* whether an error message was posted because memory of the
                                   * kind that the caps require cannot be allocated */
} GstMgpuDownload;

typedef GstMgpuFilterClass GstMgpuDownloadClass;

#define gst_mgpu_download_parent_class parent_class
G_DEFINE_TYPE (GstMgpuDownload, gst_mgpu_download, GST_TYPE_MGPU_FILTER);

#if GST_CHECK_VERSION (1, 24, 0)
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_HOST "; "
        GST_MGPU_CAPS_SHARED));

static gboolean
gst_mgpu_download_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  g_autoptr (GstCaps) caps = gst_mgpu_caps_from_drm (gst_caps_ref (out_caps));

  return GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans,
      in_caps, caps);
}
#else
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_HOST));
#endif

/* --- Choosing dma-bufs or CUDA memory --- */

/* Returns: GST_FLOW_EOS if @pool has no free buffer */
static GstFlowReturn
acquire_at_once (GstBufferPool * pool, GstBuffer ** buffer)
{
  GstBufferPoolAcquireParams no_wait = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };

  return gst_buffer_pool_acquire_buffer (pool, buffer, &no_wait);
}

/* Tests whether the device can write frames into @buffer, a free buffer of a pool. Sets
 * self->layout to the strides and offsets of frames in it. Returns: whether it can */
static gboolean
try_export (GstMgpuDownload * self, GstBuffer * buffer)
{
  GstMgpuFilter *filter = &self->transfer.filter;
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GError *error = NULL;
  GstBuffer *frame =
      gst_mgpu_frame_new_exported (filter->base.queue, buffer, &error);
  MgpuImage image;
  gboolean ok;

  if (frame == NULL) {
    GST_MGPU_INFO_OBJECT (self, "the device cannot write directly into memory "
        "of the next element: %s", error->message);
    g_error_free (error);
    return FALSE;
  }
  ok = mgpu_image_from_buffer (&image, frame, &filter->output.info);
  gst_buffer_unref (frame);
  self->layout = filter->output.info;
  self->layout.size = gst_buffer_get_size (buffer);
  for (guint i = 0; ok && i < meta->n_planes; i++) {
    self->layout.offset[i] = meta->offset[i];
    self->layout.stride[i] = meta->stride[i];
  }
  return ok;
}

/* Activates @pool, inspects a free buffer, and sets self->exports. @pool is usable if its buffers
 * have memory of the right kind, and if either the device can write into them, or the host has to
 * write into them because the caps require such memory. Does not wait for a free buffer, because
 * the next element may free a buffer only when it gets the next frame. Therefore @last
 * (nullable), the pool in which frames were pushed before, counts as usable even if it has no
 * free buffer now. Returns: whether @pool is usable; if not, it is not active */
static gboolean
try_pool (GstMgpuDownload * self, GstBufferPool * pool, GstBufferPool * last)
{
  GstBuffer *buffer = NULL;
  gboolean exported = self->exports, ok = FALSE;
  GstFlowReturn ret;

  self->exports = FALSE;
  if (gst_buffer_pool_set_active (pool, TRUE)) {
    ret = acquire_at_once (pool, &buffer);
    if (ret == GST_FLOW_OK) {
      GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

      ok = (self->must ? gst_is_dmabuf_memory (memory)
          : gst_is_fd_memory (memory)) || gst_mgpu_is_cuda_memory (memory);
      self->exports = ok && try_export (self, buffer);
      gst_buffer_unref (buffer);
    } else if (ret == GST_FLOW_EOS && pool == last) {
      self->exports = exported;
      ok = TRUE;
    }
  }
  if (ok && (self->must || self->exports))
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (self, "not using %" GST_PTR_FORMAT ": %s", pool, ok
      ? "the device cannot write into the buffers of this pool"
      : "the buffers of this pool are neither dma-bufs nor CUDA memory");
  gst_buffer_pool_set_active (pool, FALSE);
  return FALSE;
}

/* Returns: whether a frame with the strides of @align has at most the buffer size that the next
 * element requires in @query, if it requires a size without offering a pool. v4l2sink does so
 * when it imports dma-bufs: its driver accepts neither larger dma-bufs nor strides that differ
 * from those of the caps */
static gboolean
fits (GstMgpuDownload * self, GstQuery * query, GstVideoAlignment * align)
{
  GstVideoInfo info = self->transfer.filter.output.info;
  guint size, least = info.size;

  if (!gst_video_info_align (&info, align))
    return FALSE;
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &size, NULL, NULL);
    if (pool == NULL && size >= least && size < info.size)
      return FALSE;
    gst_clear_object (&pool);
  }
  return TRUE;
}

/* Returns: (transfer full) (nullable): a new pool of dma-bufs, which is not active. @caps are the
 * caps of the frames, for system memory */
static GstBufferPool *
new_dmabuf_pool (GstMgpuDownload * self, GstQuery * query, GstCaps * caps,
    guint * size)
{
  GstMgpuOutput *output = &self->transfer.filter.output;
  GstAllocator *allocator = gst_mgpu_dmabuf_allocator_new ();
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoAlignment align;

  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_video_alignment_reset (&align);
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    align.stride_align[i] = ROW_ALIGNMENT - 1;
  if (output->takes_video_meta && fits (self, query, &align)) {
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
    gst_buffer_pool_config_set_video_alignment (config, &align);
  }
  if (!gst_buffer_pool_set_config (pool, config))
    gst_clear_object (&pool);
  gst_object_unref (allocator);
  return pool;
}

/* Takes the pool that downstream offers in @query, if frames can be pushed in its buffers; see
 * try_pool() for @last. Requests one buffer more than downstream does, because the device writes
 * into one buffer. Returns: (transfer full) (nullable): the active pool */
static GstBufferPool *
take_pool (GstMgpuDownload * self, GstQuery * query, GstCaps * caps,
    GstBufferPool * last, guint * size)
{
  GstMgpuOutput *output = &self->transfer.filter.output;

  if (!self->must
      && gst_mgpu_context_get_traits (self->transfer.filter.base.context)
      ->dmabuf_route == GST_MGPU_DMABUF_ROUTE_NONE) {
    GST_MGPU_DEBUG_OBJECT (self, "pushing frames in system memory, because the "
        "device cannot access dma-bufs");
    return NULL;
  }
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool = NULL;
    guint offered, min, max;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &offered, &min, &max);
    *size = MAX (offered, GST_VIDEO_INFO_SIZE (&output->info));
    min = max == 0 ? min + 1 : MIN (min + 1, max);
    if (pool != NULL && !GST_IS_MGPU_BUFFER_POOL (pool)
        && gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META)
        && gst_mgpu_configure_pool (pool, caps, size, min, max, TRUE, TRUE)
        && try_pool (self, pool, last))
      return pool;
    gst_clear_object (&pool);
  }
  return NULL;
}

/* Makes an active pool of dma-bufs, or of CUDA memory if @is_cuda is TRUE. On failure, posts an
 * error message, but only once after a start, because GStreamer sends the caps event again before
 * each later event. */
static GstBufferPool *
make_pool (GstMgpuDownload * self, GstQuery * query, gboolean is_cuda,
    guint * size)
{
  GstMgpuFilter *filter = &self->transfer.filter;
  GstCaps *caps = gst_video_info_to_caps (&filter->output.info);
  GError *error = NULL;
  GstBufferPool *pool;

  *size = GST_VIDEO_INFO_SIZE (&filter->output.info);
  pool = is_cuda ? gst_mgpu_cuda_base_new_pool (&self->transfer.cuda, caps, size)
      : new_dmabuf_pool (self, query, caps, size);
  gst_caps_unref (caps);
  if (pool != NULL && !try_pool (self, pool, NULL))
    gst_clear_object (&pool);
  if (pool == NULL && !self->warned_refused) {
    g_set_error (&error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "%s cannot allocate %s of %u bytes: close other programs that use "
        "much memory, or use frames in system memory",
        is_cuda ? "CUDA" : "Linux", is_cuda ? "memory" : "dma-buf", *size);
    gst_mgpu_device_base_fail (&filter->base, error);
  }
  self->warned_refused = pool == NULL;
  GST_MGPU_DEBUG_OBJECT (self, "made %" GST_PTR_FORMAT " of %s, %u bytes each", pool,
      is_cuda ? "CUDA memory" : "dma-bufs", *size);
  return pool;
}

static gboolean
gst_mgpu_download_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstMgpuDownload *self = (GstMgpuDownload *) trans;
  GstMgpuOutput *output = &self->transfer.filter.output;
  GstBufferPool *last = g_steal_pointer (&self->targets);
  gboolean is_cuda;
  guint size;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL) {
    gst_clear_object (&last);
    return FALSE;
  }
  output->takes_video_meta = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  is_cuda = gst_mgpu_caps_are_cuda (caps);
  self->must = is_cuda;
#if GST_CHECK_VERSION (1, 24, 0)
  self->must |= gst_video_is_dma_drm_caps (caps);
#endif
  /* Does not use pools of CUDA memory that the next element offers, because the device cannot
   * write into their frames. */
  self->targets = is_cuda ? NULL : take_pool (self, query, caps, last, &size);
  self->must_wait = self->targets != NULL && self->must;
  gst_clear_object (&last);
  if (self->targets == NULL && self->must) {
    self->targets = make_pool (self, query, is_cuda, &size);
    if (self->targets == NULL)
      return FALSE;
  }
  if (self->targets == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (trans,
        query);
  GST_MGPU_INFO_OBJECT (self, "pushing frames in buffers of %" GST_PTR_FORMAT ", which %s",
      self->targets, self->exports ? "the device writes" : "the host writes");
  gst_mgpu_output_use_pool (output, query, gst_object_ref (self->targets),
      size);
  return TRUE;
}

static gboolean
gst_mgpu_download_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstMgpuDownload *self = (GstMgpuDownload *) trans;
  GstBufferPool *pool = NULL;

  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
          decide_query, query))
    return FALSE;
  if (self->targets != NULL && self->exports && !self->must_wait
      && gst_query_get_n_allocation_pools (query) > 0) {
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
    GST_MGPU_DEBUG_OBJECT (self, "the previous element writes its frames into "
        "buffers of %"
        GST_PTR_FORMAT, self->targets);
    gst_mgpu_buffer_pool_set_targets (GST_MGPU_BUFFER_POOL (pool),
        self->targets, &self->layout);
    gst_object_unref (pool);
  }
  return TRUE;
}

/* --- Work on a frame --- */

static GstFlowReturn
gst_mgpu_download_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuDownload *self = (GstMgpuDownload *) trans;
  GstMgpuFilter *filter = &self->transfer.filter;
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->targets == NULL || filter->frame.flow != GST_FLOW_OK
      || !filter->prepared)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer
        (trans, in, out);
  *out = gst_mgpu_frame_take_target (in, self->targets);
  self->is_taken = *out != NULL;
  filter->frame.path = GST_MGPU_FRAME_IS_MADE;
  if (self->is_taken)
    *out = gst_buffer_make_writable (*out);
  else if (self->must)
    return gst_mgpu_filter_get_output (filter, in, out);
  else
    ret = acquire_at_once (self->targets, out);
  /* If the next element has no free buffer, pushes the frame in system memory. Waiting might never
   * end, because later frames may hold all buffers, and they are pushed only after this frame. */
  if (ret == GST_FLOW_EOS) {
    GST_MGPU_LOG_OBJECT (self, "pushing the frame in system memory, because the "
        "pool has no free buffer: %" GST_PTR_FORMAT, self->targets);
    *out = gst_buffer_new_allocate (NULL,
        GST_VIDEO_INFO_SIZE (&filter->output.info), NULL);
    ret = GST_FLOW_OK;
  }
  if (ret == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, in, *out);
  return ret;
}

/* Waits until the host or another device can see the bytes that the device wrote into @memory. */
static gboolean
finish (GstMgpuDownload * self, GstMgpuMemory * memory, GError ** error)
{
  GstMapInfo map;

  if (gst_mgpu_context_get_traits (self->transfer.filter.base.context)
      ->dmabuf_route != GST_MGPU_DMABUF_ROUTE_MAP)
    return gst_mgpu_memory_wait (memory, error);
  /* Memory that a CPU device uses in place has to be mapped, because OpenCL guarantees its
   * content only after a map. */
  if (!gst_memory_map (GST_MEMORY_CAST (memory), &map, GST_MAP_READ)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "a frame cannot be made visible to the next element, because its map "
          "failed on the CPU device");
    return FALSE;
  }
  gst_memory_unmap (GST_MEMORY_CAST (memory), &map);
  return TRUE;
}

/* Copies the frame of @in, which is in device memory, to the memory of @out on the device.
 * Returns: FALSE if the device cannot do this; the host has to copy the frame then */
static gboolean
copy_on_device (GstMgpuDownload * self, GstBuffer * in, GstBuffer * out)
{
  GstMgpuFilter *filter = &self->transfer.filter;
  GError *error = NULL;
  MgpuImage from, to;
  GstMgpuJob job;
  GstBuffer *frame;
  gboolean ok = FALSE;

  if (!self->exports || out->pool != self->targets
      || !gst_mgpu_input_is_ours (&filter->input, in, &from))
    return FALSE;
  frame = gst_mgpu_frame_new_exported (filter->base.queue, out, &error);
  if (frame != NULL
      && gst_mgpu_parse_frame (frame, &filter->output.info, &to, &error)) {
    gst_mgpu_job_begin (&job, filter->base.queue, filter->base.stats);
    mgpu_image_copy_planes (&job, &from, &to, G_MAXUINT);
    ok = gst_mgpu_job_end (&job, &error)
        && finish (self, to.memory, &error);
  }
  if (frame != NULL)
    gst_buffer_unref (frame);
  if (!ok) {
    GST_MGPU_INFO_OBJECT (self, "copying a frame on the host: %s", error->message);
    g_error_free (error);
  }
  return ok;
}

/* Fills @out, a buffer of self->targets or in system memory, with the frame of @in. */
static gboolean
fill_target (GstMgpuDownload * self, GstBuffer * in, GstBuffer * out,
    GError ** error)
{
  GstMgpuFilter *filter = &self->transfer.filter;
  gboolean exported = TRUE;

  if (self->is_taken) {
    if (!finish (self, (GstMgpuMemory *) gst_buffer_peek_memory (in, 0), error))
      return FALSE;
  } else if (!copy_on_device (self, in, out)) {
    exported = FALSE;
    if (!gst_mgpu_input_copy (&filter->input, in, out, FALSE, error))
      return FALSE;
  }
  GST_MGPU_LOG_OBJECT (self, "pushing %" GST_PTR_FORMAT ", %s", out, self->is_taken
      ? "written by the previous element" : exported ? "copied by the device"
      : "copied by the host");
  gst_mgpu_stats_add (filter->base.stats, GST_MGPU_COUNTER_EXPORTS, exported);
  return TRUE;
}

static GstFlowReturn
gst_mgpu_download_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuDownload *self = (GstMgpuDownload *) trans;
  GstMgpuFilter *filter = &self->transfer.filter;
  GError *error = NULL;
  GstVideoFrame frame;

  if (self->targets != NULL) {
    if (!fill_target (self, in, out, &error))
      return gst_mgpu_device_base_fail (&filter->base, error);
  } else if (gst_mgpu_output_get_max_in_flight (&filter->output) == 1) {
    /* Maps the frame, and thereby waits until its bytes are in system memory. The next element then
     * need not wait. If several frames may be in flight, no wait is needed here, because these
     * frames are pushed only after their bytes have arrived. */
    GST_MGPU_LOG_OBJECT (self, "waiting until %" GST_PTR_FORMAT " is in system memory", out);
    if (!gst_mgpu_input_map (&filter->input.info, &frame, out, &error))
      return gst_mgpu_device_base_fail (&filter->base, error);
    gst_video_frame_unmap (&frame);
  }
  gst_mgpu_stats_add (filter->base.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static gboolean
gst_mgpu_download_stop (GstBaseTransform * trans)
{
  GstMgpuDownload *self = (GstMgpuDownload *) trans;

  gst_clear_object (&self->targets);
  self->warned_refused = FALSE;
  return gst_mgpu_transfer_stop (trans);
}

static void
gst_mgpu_download_init (GstMgpuDownload * self)
{
  gst_mgpu_transfer_init (&self->transfer, GST_PAD_SRC);
}

static void
gst_mgpu_download_class_init (GstMgpuDownloadClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_mgpu_transfer_class_init (klass);
#if GST_CHECK_VERSION (1, 24, 0)
  trans_class->set_caps = gst_mgpu_download_set_caps;
#endif
  trans_class->stop = gst_mgpu_download_stop;
  trans_class->decide_allocation = gst_mgpu_download_decide_allocation;
  trans_class->propose_allocation = gst_mgpu_download_propose_allocation;
  trans_class->prepare_output_buffer = gst_mgpu_download_prepare_output_buffer;
  trans_class->transform = gst_mgpu_download_transform;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "OpenCL downloader",
      "Filter/Video", "Moves frames from an OpenCL device to system memory",
      "The gst-mgpu authors");
}

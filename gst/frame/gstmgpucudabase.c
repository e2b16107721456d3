/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Allocates frames in CUDA memory that the OpenCL device can import, and shares the
 * CUDA context with the neighbors of an element. */
#include "gstmgpucudabase.h"

#ifdef HAVE_CUDA
#include <gst/cuda/gstcuda.h>
#endif

void
gst_mgpu_cuda_base_init (GstMgpuCudaBase * self, GstMgpuDeviceBase * base)
{
  self->base = base;
  self->device = -1;
  g_mutex_init (&self->lock);
}

static void
drop_context (GstMgpuCudaBase * self)
{
  GstObject *context;

  g_mutex_lock (&self->lock);
  context = g_steal_pointer (&self->context);
  g_mutex_unlock (&self->lock);
  if (context != NULL)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "releasing %" GST_PTR_FORMAT " of "
        "CUDA",
        context);
  gst_clear_object (&context);
}

void
gst_mgpu_cuda_base_clear (GstMgpuCudaBase * self)
{
  gst_mgpu_cuda_base_stop (self);
  g_mutex_clear (&self->lock);
}

void
gst_mgpu_cuda_base_stop (GstMgpuCudaBase * self)
{
  gst_mgpu_cuda_base_reset (self);
  drop_context (self);
  self->device = -1;
}

void
gst_mgpu_cuda_base_reset (GstMgpuCudaBase * self)
{
  gst_mgpu_clear_pool (&self->pool);
}

gboolean
gst_mgpu_caps_are_cuda (GstCaps * caps)
{
  return caps != NULL && gst_caps_get_size (caps) > 0
      && gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_MGPU_CAPS_FEATURE_CUDA);
}

#ifdef HAVE_CUDA
/* Minimum number of buffers in the pool that is offered upstream. A decoder that has
 * fewer surfaces than this copies its frames to buffers of the pool instead of pushing
 * its surfaces. CUDA exports these buffers, and does not export the surfaces. */
#define MIN_BUFFERS 4

static GstCudaContext **
context_of (GstMgpuCudaBase * self)
{
  return (GstCudaContext **) & self->context;
}

void
gst_mgpu_cuda_base_set_context (GstMgpuCudaBase * self, GstContext * context)
{
  g_mutex_lock (&self->lock);
  gst_cuda_handle_set_context (self->base->element, context, self->device,
      context_of (self));
  g_mutex_unlock (&self->lock);
}

gboolean
gst_mgpu_cuda_base_answer_query (GstMgpuCudaBase * self, GstQuery * query)
{
  GstCudaContext *context = NULL;
  gboolean is_answered;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return FALSE;
  g_mutex_lock (&self->lock);
  gst_object_replace ((GstObject **) & context, self->context);
  g_mutex_unlock (&self->lock);
  is_answered = context != NULL
      && gst_cuda_handle_context_query (self->base->element, query, context);
  gst_clear_object (&context);
  return is_answered;
}

gboolean
gst_mgpu_cuda_is_possible (void)
{
  return gst_cuda_load_library ();
}

gboolean
gst_mgpu_is_cuda_memory (GstMemory * memory)
{
  return gst_is_cuda_memory (memory);
}

/* Returns: the CUDA ordinal of the GPU of @context; -1 if @context is NULL */
static gint
get_device (gpointer context)
{
  guint id = 0;

  if (context == NULL)
    return -1;
  g_object_get (context, "cuda-device-id", &id, NULL);
  return id;
}

/* Makes sure that there is a CUDA context: takes the context of a neighbor, or makes a
 * context on the GPU that is also the OpenCL device. If @only_ours is TRUE, first drops a
 * context of another GPU; the element may have got such a context from another element of
 * the pipeline. Returns: whether the context belongs to the GPU of the OpenCL device */
static gboolean
ensure_context (GstMgpuCudaBase * self, gboolean only_ours)
{
  gint device = gst_mgpu_context_find_cuda_device (self->base->context);

  if (only_ours && device >= 0) {
    self->device = device;
    if (self->context != NULL && get_device (self->context) != device) {
      gst_mgpu_cuda_base_reset (self);
      drop_context (self);
    }
  }
  return gst_cuda_ensure_element_context (self->base->element, device,
      context_of (self)) && get_device (self->context) == device;
}

GstBufferPool *
gst_mgpu_cuda_base_new_pool (GstMgpuCudaBase * self, GstCaps * caps,
    guint * size)
{
  gboolean is_ours = ensure_context (self, FALSE);
  GstBufferPool *pool;
  GstStructure *config;

  if (self->context == NULL)
    return NULL;
  pool = gst_cuda_buffer_pool_new (self->context);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (is_ours)
    gst_buffer_pool_config_set_cuda_alloc_method (config,
        GST_CUDA_MEMORY_ALLOC_MMAP);
  if (!gst_buffer_pool_set_config (pool, config)) {
    gst_object_unref (pool);
    return NULL;
  }
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  return pool;
}

void
gst_mgpu_cuda_base_propose_pool (GstMgpuCudaBase * self, GstQuery * query,
    GstCaps * caps)
{
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  guint size;

  if (self->base->context == NULL || !gst_video_info_from_caps (&info, caps)
      || !ensure_context (self, TRUE))
    return;
  size = GST_VIDEO_INFO_SIZE (&info);
  pool = gst_mgpu_cuda_base_new_pool (self, caps, &size);
  if (pool != NULL) {
    GST_MGPU_DEBUG_OBJECT (self->base->element, "offering %" GST_PTR_FORMAT " of CUDA memory "
        "that the device imports", pool);
    gst_query_add_allocation_pool (query, pool, size, MIN_BUFFERS, 0);
    gst_object_unref (pool);
  }
}

/* Enqueues a copy of a plane from @from to @to. Both frames are mapped for CUDA. */
static gboolean
copy_plane (GstVideoFrame * from, GstVideoFrame * to, guint plane)
{
  gint comps[GST_VIDEO_MAX_COMPONENTS];
  CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = (gsize) GST_VIDEO_FRAME_PLANE_DATA (from, plane),
    .srcPitch = GST_VIDEO_FRAME_PLANE_STRIDE (from, plane),
    .dstDevice = (gsize) GST_VIDEO_FRAME_PLANE_DATA (to, plane),
    .dstPitch = GST_VIDEO_FRAME_PLANE_STRIDE (to, plane),
  };

  /* In packed 4:2:2 with an odd width, the last chroma sample lies after the last luma
   * sample. */
  gst_video_format_info_component (to->info.finfo, plane, comps);
  for (guint i = 0; i < GST_VIDEO_MAX_COMPONENTS && comps[i] >= 0; i++) {
    gsize width = (gsize) GST_VIDEO_FRAME_COMP_WIDTH (to, comps[i])
        * GST_VIDEO_FRAME_COMP_PSTRIDE (to, comps[i]);

    copy.WidthInBytes = MAX (copy.WidthInBytes, width);
  }
  copy.WidthInBytes = MIN (copy.WidthInBytes, copy.srcPitch);
  copy.Height = GST_VIDEO_FRAME_COMP_HEIGHT (to, comps[0]);
  return CuMemcpy2D (&copy) == CUDA_SUCCESS;
}

static gboolean
copy_frame (GstMgpuCudaBase * self, GstBuffer * in, GstBuffer * out,
    const GstVideoInfo * info)
{
  GstVideoFrame from, to;
  gboolean ok = FALSE;

  if (!gst_video_frame_map (&from, info, in, GST_MAP_READ | GST_MAP_CUDA))
    return FALSE;
  /* Waits for the decoder, because its commands may be in another CUDA stream than the
   * copy. */
  gst_cuda_memory_sync (GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (in, 0)));
  if (gst_video_frame_map (&to, info, out, GST_MAP_WRITE | GST_MAP_CUDA)) {
    if (gst_cuda_context_push (self->context)) {
      ok = TRUE;
      for (guint i = 0; ok && i < GST_VIDEO_INFO_N_PLANES (info); i++)
        ok = copy_plane (&from, &to, i);
      ok = CuStreamSynchronize (NULL) == CUDA_SUCCESS && ok;
      gst_cuda_context_pop (NULL);
    }
    gst_video_frame_unmap (&to);
  }
  gst_video_frame_unmap (&from);
  return ok;
}

/* Checks whether CUDA exports the memory of the frame in @in. If not, takes over the CUDA
 * context of that memory, for a copy. Returns: TRUE if the frame has to be copied within
 * the GPU before the OpenCL device can read it */
static gboolean
needs_copy (GstMgpuCudaBase * self, GstBuffer * in)
{
  GstMemory *memory = gst_buffer_n_memory (in) == 1
      ? gst_buffer_peek_memory (in, 0) : NULL;
  GstCudaContext *context;

  if (!gst_is_cuda_memory (memory)
      || gst_cuda_memory_get_alloc_method (GST_CUDA_MEMORY_CAST (memory)) ==
      GST_CUDA_MEMORY_ALLOC_MMAP || !ensure_context (self, TRUE))
    return FALSE;
  context = GST_CUDA_MEMORY_CAST (memory)->context;
  if (get_device (context) != get_device (self->context))
    return FALSE;
  if (context != self->context) {
    gst_mgpu_cuda_base_reset (self);
    g_mutex_lock (&self->lock);
    gst_object_replace ((GstObject **) & self->context, GST_OBJECT (context));
    g_mutex_unlock (&self->lock);
  }
  return TRUE;
}

GstBuffer *
gst_mgpu_cuda_base_copy (GstMgpuCudaBase * self, GstBuffer * in,
    const GstVideoInfo * info)
{
  GstBuffer *out = NULL;

  if (!needs_copy (self, in))
    return NULL;
  if (self->pool == NULL) {
    GstCaps *caps = gst_video_info_to_caps (info);
    guint size = GST_VIDEO_INFO_SIZE (info);

    self->pool = gst_mgpu_cuda_base_new_pool (self, caps, &size);
    gst_caps_unref (caps);
    if (self->pool != NULL && !gst_buffer_pool_set_active (self->pool, TRUE))
      gst_clear_object (&self->pool);
  }
  if (self->pool == NULL
      || gst_buffer_pool_acquire_buffer (self->pool, &out, NULL) != GST_FLOW_OK)
    return NULL;
  GST_MGPU_LOG_OBJECT (self->base->element, "copying a frame on the GPU, because "
      "CUDA cannot export its memory: %" GST_PTR_FORMAT, in);
  if (!copy_frame (self, in, out, info))
    gst_clear_buffer (&out);
  if (out != NULL)
    gst_buffer_copy_into (out, in, GST_BUFFER_COPY_METADATA, 0, -1);
  return out;
}
#else
void
gst_mgpu_cuda_base_set_context (GstMgpuCudaBase * self, GstContext * context)
{
}

gboolean
gst_mgpu_cuda_base_answer_query (GstMgpuCudaBase * self, GstQuery * query)
{
  return FALSE;
}

gboolean
gst_mgpu_cuda_is_possible (void)
{
  return FALSE;
}

gboolean
gst_mgpu_is_cuda_memory (GstMemory * memory)
{
  return FALSE;
}

GstBufferPool *
gst_mgpu_cuda_base_new_pool (GstMgpuCudaBase * self, GstCaps * caps,
    guint * size)
{
  return NULL;
}

void
gst_mgpu_cuda_base_propose_pool (GstMgpuCudaBase * self, GstQuery * query,
    GstCaps * caps)
{
}

GstBuffer *
gst_mgpu_cuda_base_copy (GstMgpuCudaBase * self, GstBuffer * in,
    const GstVideoInfo * info)
{
  return NULL;
}
#endif

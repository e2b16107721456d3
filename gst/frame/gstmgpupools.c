/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes pools of buffers for frames and for tables (arrays of results, such as keypoints)
 * on a device, and offers pools of frames to upstream. */
#include "gstmgpupools.h"

/* Returns: the number of bytes of a buffer of @pool */
static guint
get_size (GstBufferPool * pool)
{
  g_autoptr (GstStructure) config = gst_buffer_pool_get_config (pool);
  guint size;

  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  return size;
}

gboolean
gst_mgpu_configure_pool (GstBufferPool * pool, GstCaps * caps, guint * size,
    guint min, guint max, gboolean video_meta, gboolean for_device)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, *size, min, max);
  gst_buffer_pool_config_set_mgpu_for_device (config, for_device);
  if (video_meta)
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    /* Accepts the configuration that the pool has corrected, if only details have changed. */
    config = gst_buffer_pool_get_config (pool);
    if (!gst_buffer_pool_config_validate_params (config, caps, *size, min, max)) {
      gst_structure_free (config);
      return FALSE;
    }
    if (!gst_buffer_pool_set_config (pool, config))
      return FALSE;
  }

  *size = get_size (pool);
  return TRUE;
}

/* Makes a pool of frames, or of tables in the shape of frames, and activates it. */
static GstBufferPool *
new_pool (GstMgpuDeviceBase * self, const GstVideoInfo * info,
    gboolean for_device, GError ** error)
{
  GstBufferPool *pool = gst_mgpu_buffer_pool_new (self->queue, self->stats);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  guint size = GST_VIDEO_INFO_SIZE (info);

  if (!gst_mgpu_configure_pool (pool, caps, &size, 0, 0, TRUE, for_device)
      || !gst_buffer_pool_set_active (pool, TRUE)) {
    gst_clear_object (&pool);
    gst_mgpu_device_base_set_no_memory (self, size, error);
  }
  return pool;
}

GstBufferPool *
gst_mgpu_device_base_new_frame_pool (GstMgpuDeviceBase * self,
    const GstVideoInfo * info, gboolean for_device, GError ** error)
{
  GstBufferPool *pool = new_pool (self, info, for_device, error);

  if (pool != NULL)
    GST_MGPU_DEBUG_OBJECT (self->element, "made a pool for frames of %dx%d %s, "
        "which are written by the %s: %" GST_PTR_FORMAT,
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
        GST_VIDEO_INFO_NAME (info), for_device ? "device" : "host", pool);
  return pool;
}

GstBufferPool *
gst_mgpu_device_base_new_table_pool (GstMgpuDeviceBase * self, gsize size,
    GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (self->context);
  GstBufferPool *pool;
  GstVideoInfo info;

  if (size > MIN (traits->max_allocation_size, G_MAXINT)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "a table of results takes %" G_GSIZE_FORMAT " bytes, and %"
        G_GUINT64_FORMAT " are available on %s: scale the frames down before "
        "this element", size, MIN (traits->max_allocation_size, G_MAXINT),
        gst_mgpu_context_get_device_name (self->context));
    return NULL;
  }
  /* Describes a table (array of results) of @size bytes as a gray frame of one row, because
   * the pool only supports frames. */
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, size, 1);
  pool = new_pool (self, &info, TRUE, error);
  if (pool != NULL)
    GST_MGPU_DEBUG_OBJECT (self->element, "made %" GST_PTR_FORMAT " for "
        "tables of results, %" G_GSIZE_FORMAT " bytes each", pool, size);
  return pool;
}

GstMgpuMemory *
gst_mgpu_peek_table (GstBuffer * buffer)
{
  return buffer != NULL
      ? (GstMgpuMemory *) gst_buffer_peek_memory (buffer, 0) : NULL;
}

GstBuffer *
gst_mgpu_device_base_acquire (GstMgpuDeviceBase * self, GstBufferPool * pool,
    GError ** error)
{
  GstBuffer *buffer = NULL;

  GST_MGPU_TRACE_OBJECT (self->element,
      "requesting a buffer from %" GST_PTR_FORMAT, pool);
  if (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) == GST_FLOW_ERROR)
    gst_mgpu_device_base_set_no_memory (self, get_size (pool), error);
  return buffer;
}

GstBuffer *
gst_mgpu_device_base_acquire_table (GstMgpuDeviceBase * self,
    GstBufferPool ** pool, gsize size, GError ** error)
{
  if (*pool != NULL && get_size (*pool) != size) {
    GST_MGPU_DEBUG_OBJECT (self->element,
        "drops %" GST_PTR_FORMAT ": tables have %" G_GSIZE_FORMAT " bytes now",
        *pool, size);
    gst_mgpu_clear_pool (pool);
  }
  if (*pool == NULL)
    *pool = gst_mgpu_device_base_new_table_pool (self, size, error);
  return *pool != NULL ? gst_mgpu_device_base_acquire (self, *pool, error)
      : NULL;
}

gboolean
gst_mgpu_parse_frame (GstBuffer * buffer, const GstVideoInfo * info,
    MgpuImage * image, GError ** error)
{
  if (mgpu_image_from_buffer (image, buffer, info))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the buffer pool of the next element gave a buffer that holds no frame "
      "for the device: check the element after this one");
  return FALSE;
}

gboolean
gst_mgpu_device_base_propose_allocation (GstMgpuDeviceBase * self,
    GstQuery * query)
{
  GstMgpuQueue *queue;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
  gboolean need_pool, for_device;
  guint size;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  /* The object lock is needed, because upstream may send the query while the element stops. */
  GST_OBJECT_LOCK (self->element);
  queue = self->queue != NULL ? gst_object_ref (self->queue) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  if (queue == NULL)
    return FALSE;

  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  size = GST_VIDEO_INFO_SIZE (&info);
  for_device = gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_OPENCL);
  if (need_pool) {
    pool = gst_mgpu_buffer_pool_new (queue, self->stats);
    GST_MGPU_DEBUG_OBJECT (self->element,
        "offering a pool to upstream, for frames that will be written by the %s: %"
        GST_PTR_FORMAT, for_device ? "device" : "host", pool);
    if (gst_mgpu_configure_pool (pool, caps, &size, 0, 0, FALSE, for_device))
      gst_query_add_allocation_pool (query, pool, size, 0, 0);
    gst_object_unref (pool);
  }
  gst_object_unref (queue);
  return TRUE;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes pools of frames and of tables on a device, and answers for them in allocation
 * queries. */
#include "gstmgpupools.h"

/* Returns: the number of bytes of a buffer of pool */
static guint
get_size (GstBufferPool * pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size;

  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  gst_structure_free (config);
  return size;
}

/* Configures pool for frames of caps, without a limit of their number: elements that keep
 * frames must not make the pipeline stall. The parameter size is (inout): the bytes of a
 * frame; for_device says whether the device, not the host, fills the frames. */
static gboolean
configure_pool (GstBufferPool * pool, GstCaps * caps, guint * size,
    gboolean video_meta, gboolean for_device)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_set_mgpu_for_device (config, for_device);
  if (video_meta)
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    /* Accepts the configuration if the pool corrected it in details only. */
    config = gst_buffer_pool_get_config (pool);
    if (!gst_buffer_pool_config_validate_params (config, caps, *size, 0, 0)) {
      gst_structure_free (config);
      return FALSE;
    }
    if (!gst_buffer_pool_set_config (pool, config))
      return FALSE;
  }

  *size = get_size (pool);
  return TRUE;
}

static GstBufferPool *
new_pool (GstMgpuDeviceUser * self, GstMgpuQueue * queue, GstCaps * caps,
    guint * size, gboolean video_meta, gboolean for_device)
{
  GstBufferPool *pool = gst_mgpu_buffer_pool_new (queue, self->stats);

  if (!configure_pool (pool, caps, size, video_meta, for_device))
    gst_clear_object (&pool);
  return pool;
}

GstBufferPool *
gst_mgpu_device_user_new_pool (GstMgpuDeviceUser * self, GstCaps * caps,
    guint * size, gboolean video_meta)
{
  return new_pool (self, self->queue, caps, size, video_meta, TRUE);
}

static GstBufferPool *
new_active_pool (GstMgpuDeviceUser * self, const GstVideoInfo * info,
    gboolean for_device, GError ** error)
{
  GstCaps *caps = gst_video_info_to_caps (info);
  guint size = GST_VIDEO_INFO_SIZE (info);
  GstBufferPool *pool = new_pool (self, self->queue, caps, &size, TRUE,
      for_device);

  gst_caps_unref (caps);
  if (pool != NULL && !gst_buffer_pool_set_active (pool, TRUE))
    gst_clear_object (&pool);
  if (pool == NULL)
    gst_mgpu_device_user_set_no_memory (self, size, error);
  return pool;
}

GstBufferPool *
gst_mgpu_device_user_new_frame_pool (GstMgpuDeviceUser * self,
    const GstVideoInfo * info, GError ** error)
{
  return new_active_pool (self, info, TRUE, error);
}

GstBufferPool *
gst_mgpu_device_user_new_import_pool (GstMgpuDeviceUser * self,
    GError ** error)
{
  return new_active_pool (self, &self->info, FALSE, error);
}

GstBufferPool *
gst_mgpu_device_user_new_table_pool (GstMgpuDeviceUser * self, gsize size,
    GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (self->context);
  GstVideoInfo info;

  if (size > MIN (traits->max_allocation_size, G_MAXINT)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "a table for frames of %dx%d takes %" G_GSIZE_FORMAT " bytes, and %"
        G_GUINT64_FORMAT " are possible on %s: scale the frames down before "
        "this element", GST_VIDEO_INFO_WIDTH (&self->info),
        GST_VIDEO_INFO_HEIGHT (&self->info), size,
        MIN (traits->max_allocation_size, G_MAXINT),
        gst_mgpu_context_get_device_name (self->context));
    return NULL;
  }
  /* Describes a table as a grey frame of one row with one byte for each pixel. */
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, size, 1);
  return gst_mgpu_device_user_new_frame_pool (self, &info, error);
}

GstMgpuMemory *
gst_mgpu_peek_table (GstBuffer * buffer)
{
  return buffer != NULL
      ? (GstMgpuMemory *) gst_buffer_peek_memory (buffer, 0) : NULL;
}

GstBuffer *
gst_mgpu_device_user_acquire (GstMgpuDeviceUser * self, GstBufferPool * pool,
    GError ** error)
{
  GstBuffer *buffer = NULL;

  if (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) == GST_FLOW_ERROR)
    gst_mgpu_device_user_set_no_memory (self, get_size (pool), error);
  return buffer;
}

GstBuffer *
gst_mgpu_device_user_acquire_table (GstMgpuDeviceUser * self,
    GstBufferPool ** pool, gsize size, GError ** error)
{
  if (*pool != NULL && get_size (*pool) != size)
    gst_mgpu_clear_pool (pool);
  if (*pool == NULL)
    *pool = gst_mgpu_device_user_new_table_pool (self, size, error);
  return *pool != NULL ? gst_mgpu_device_user_acquire (self, *pool, error)
      : NULL;
}

gboolean
gst_mgpu_device_user_propose_allocation (GstMgpuDeviceUser * self,
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
  /* Takes the lock, because upstream may send the query while the element stops. */
  GST_OBJECT_LOCK (self->element);
  queue = self->queue != NULL ? gst_object_ref (self->queue) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  if (queue == NULL)
    return FALSE;

  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  size = GST_VIDEO_INFO_SIZE (&info);
  for_device = gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_OPENCL);
  if (need_pool && (pool = new_pool (self, queue, caps, &size, FALSE,
              for_device)) != NULL) {
    gst_query_add_allocation_pool (query, pool, size, 0, 0);
    gst_object_unref (pool);
  }
  gst_object_unref (queue);
  return TRUE;
}

/* Returns: (transfer full) (nullable): the pool that downstream offers, when
 * its frames are in our context */
static GstBufferPool *
take_pool (GstMgpuDeviceUser * self, GstQuery * query, GstCaps * caps,
    guint * size, gboolean video_meta)
{
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool = NULL;
    guint offered;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &offered, NULL, NULL);
    if (pool != NULL && GST_IS_MGPU_BUFFER_POOL (pool)
        && gst_mgpu_buffer_pool_get_context (GST_MGPU_BUFFER_POOL (pool)) ==
        self->context) {
      offered = MAX (offered, *size);
      if (configure_pool (pool, caps, &offered, video_meta, TRUE)) {
        *size = offered;
        return pool;
      }
    }
    gst_clear_object (&pool);
  }
  return NULL;
}

gboolean
gst_mgpu_device_user_decide_allocation (GstMgpuDeviceUser * self,
    GstQuery * query, gboolean * video_meta, gboolean * to_host)
{
  GError *error = NULL;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
  gboolean on_device, strides;
  guint size, i;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_video_info_from_caps (&info, caps))
    return FALSE;

  *video_meta = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  on_device = gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_OPENCL);
  strides = *video_meta || on_device;

  size = GST_VIDEO_INFO_SIZE (&info);
  pool = take_pool (self, query, caps, &size, strides);
  *to_host = !on_device && pool == NULL
      && !gst_mgpu_context_get_traits (self->context)->unified_memory;
  if (pool == NULL)
    pool = gst_mgpu_device_user_new_pool (self, caps, &size, strides);
  if (pool == NULL) {
    gst_mgpu_device_user_set_no_memory (self, size, &error);
    gst_mgpu_device_user_fail (self, error);
    return FALSE;
  }

  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  gst_query_add_allocation_pool (query, pool, size, 0, 0);
  gst_object_unref (pool);

  /* Removes the metas that upstream must not use: the crop meta, because our kernels would
   * read such a frame from its corner, and metas of memory; the video meta, one of these,
   * is offered by propose_allocation() itself. */
  i = gst_query_get_n_allocation_metas (query);
  while (i-- > 0) {
    GType api = gst_query_parse_nth_allocation_meta (query, i, NULL);

    if (api == GST_VIDEO_CROP_META_API_TYPE || gst_meta_api_type_has_tag (api,
            g_quark_from_string (GST_META_TAG_MEMORY_STR)))
      gst_query_remove_nth_allocation_meta (query, i);
  }
  return TRUE;
}

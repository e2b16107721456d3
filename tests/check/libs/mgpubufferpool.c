/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuBufferPool. */
#include "device.h"

static GstCaps *
make_caps (const gchar * format, gint width, gint height)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format,
      "width", G_TYPE_INT, width, "height", G_TYPE_INT, height, NULL);
}

GST_START_TEST (test_acquire)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = make_caps ("NV12", 321, 241);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer, *again;
  GstVideoMeta *meta;
  GstVideoFrame frame;
  GstVideoInfo info;
  guint size;

  fail_unless (gst_mgpu_buffer_pool_get_context (GST_MGPU_BUFFER_POOL (pool))
      == context);
  fail_unless (gst_buffer_pool_has_option (pool,
          GST_BUFFER_POOL_OPTION_VIDEO_META));
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_buffer_pool_config_set_params (config, caps, info.size, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  config = gst_buffer_pool_get_config (pool);
  fail_unless (gst_buffer_pool_config_get_params (config, NULL, &size, NULL,
          NULL));
  fail_unless_equals_int (size, info.size);
  gst_structure_free (config);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_is_mgpu_memory (gst_buffer_peek_memory (buffer, 0)));
  meta = gst_buffer_get_video_meta (buffer);
  fail_unless (meta != NULL);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (meta->stride[i], info.stride[i]);
    fail_unless_equals_int (meta->offset[i], info.offset[i]);
  }
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  GST_VIDEO_FRAME_COMP_DATA (&frame, 0)[0] = 42;
  gst_video_frame_unmap (&frame);

  /* Checks that the frame that was returned first is the next frame that the pool gives. */
  gst_buffer_unref (buffer);
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &again, NULL),
      GST_FLOW_OK);
  fail_unless (again == buffer);
  gst_buffer_unref (again);
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

GST_END_TEST;

GST_START_TEST (test_alignment)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = make_caps ("I420", 33, 17);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoAlignment align;
  GstVideoMeta *meta;
  GstBuffer *buffer;
  GstVideoFrame frame;
  GstVideoInfo info;
  guint size;

  gst_video_alignment_reset (&align);
  align.padding_left = 16;
  align.padding_right = 5;
  align.padding_top = 4;
  align.padding_bottom = 2;
  align.stride_align[0] = 63;
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_buffer_pool_config_set_params (config, caps, info.size, 0, 0);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &align);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  fail_unless (size > info.size);
  gst_structure_free (config);

  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  meta = gst_buffer_get_video_meta (buffer);
  fail_unless_equals_int (meta->stride[0] % 64, 0);
  fail_unless (meta->offset[0] >= (gsize) 4 * meta->stride[0] + 16);
  fail_unless_equals_int (gst_buffer_get_size (buffer), size);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE));
  fail_unless_equals_int (GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
      meta->stride[0]);
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
}

GST_END_TEST;

GST_START_TEST (test_queue_in_config)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstMgpuContext) foreign = gst_mgpu_context_new (NULL, NULL);
  g_autoptr (GstMgpuQueue) other = gst_mgpu_queue_new (context, NULL);
  GstMgpuQueue *theirs = gst_mgpu_queue_new (foreign, NULL), *back;
  g_autoptr (GstCaps) caps = make_caps ("GRAY8", 8, 8);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer;

  fail_unless (gst_buffer_pool_config_get_mgpu_queue (config) == NULL);
  gst_buffer_pool_config_set_params (config, caps, 64, 0, 0);
  gst_buffer_pool_config_set_mgpu_queue (config, other);
  back = gst_buffer_pool_config_get_mgpu_queue (config);
  fail_unless (back == other);
  gst_object_unref (back);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  gst_buffer_pool_set_active (pool, TRUE);
  gst_buffer_pool_acquire_buffer (pool, &buffer, NULL);
  back = gst_mgpu_memory_get_queue ((GstMgpuMemory *)
      gst_buffer_peek_memory (buffer, 0));
  fail_unless (back == other);
  gst_object_unref (back);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);

  /* Checks that a queue of another device's context is refused. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_mgpu_queue (config, theirs);
  fail_if (gst_buffer_pool_set_config (pool, config));

  gst_object_unref (theirs);
}

GST_END_TEST;

/* Enqueues a job that reads @frame; the device does not begin the job before the event @gate. */
static void
keep_busy (GstBuffer * frame, GstMemory * other, cl_event gate)
{
  GstMgpuMemory *memory =
      (GstMgpuMemory *) gst_buffer_peek_memory (frame, 0);
  GError *error = NULL;
  GstMgpuJob job;

  fail_unless_equals_int (clEnqueueBarrierWithWaitList
      (gst_mgpu_queue_get_cl_queue (queue), 1, &gate, NULL), CL_SUCCESS);
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_copy_rect (&job, memory, 0, 64, (GstMgpuMemory *) other, 0, 64,
      64, 1);
  fail_unless (gst_mgpu_job_end (&job, &error));
}

static GstBuffer *
acquire (GstBufferPool * pool)
{
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  return buffer;
}

/* Tests that a pool whose frames the host fills gives only frames that the device no longer reads.
 * A job may get any frame, because it runs after the earlier jobs. A host that does not share
 * memory with the device may also get any frame, because it fills separate memory. */
GST_START_TEST (test_busy)
{
  gboolean for_device = __i__, any = for_device
      || !gst_mgpu_context_get_traits (context)->unified_memory;
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = make_caps ("GRAY8", 8, 8);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstMemory) other = gst_mgpu_memory_new (queue, 64, NULL, NULL);
  GstBuffer *busy[64], *next;   /* as many buffers as may be in flight */
  cl_int ret;
  cl_event gate =
      clCreateUserEvent (gst_mgpu_context_get_cl_context (context), &ret);

  fail_unless_equals_int (ret, CL_SUCCESS);
  gst_buffer_pool_config_set_params (config, caps, 64, 0, 0);
  gst_buffer_pool_config_set_mgpu_for_device (config, for_device);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  gst_buffer_pool_set_active (pool, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (busy); i++) {
    busy[i] = acquire (pool);
    for (guint j = 0; j < i; j++)
      fail_unless ((busy[i] == busy[j]) == any);
    keep_busy (busy[i], other, gate);
    gst_buffer_unref (busy[i]);
  }
  /* A pool of this size does not grow: it waits for the frame that becomes free first. */
  next = acquire (pool);
  if (any)
    fail_unless (next == busy[0]);
  else
    for (guint i = 0; i < G_N_ELEMENTS (busy); i++)
      fail_unless (next != busy[i]);
  keep_busy (next, other, gate);
  gst_buffer_unref (next);
  next = acquire (pool);
  fail_unless (next == busy[0]);
  gst_buffer_unref (next);

  clSetUserEventStatus (gate, CL_COMPLETE);
  fail_unless (gst_mgpu_queue_finish (queue, NULL));
  next = acquire (pool);
  fail_unless (next != NULL);
  gst_buffer_unref (next);
  clReleaseEvent (gate);
  gst_buffer_pool_set_active (pool, FALSE);
}

GST_END_TEST;

GST_START_TEST (test_bad_config)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("audio/x-raw");
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, 64, 0, 0);
  fail_if (gst_buffer_pool_set_config (pool, config));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, 64, 0, 0);
  fail_if (gst_buffer_pool_set_config (pool, config));
  gst_caps_unref (caps);

  /* No format */
  caps = gst_caps_from_string ("video/x-raw,width=8,height=8");
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, 64, 0, 0);
  fail_if (gst_buffer_pool_set_config (pool, config));
}

GST_END_TEST;

/* Tests a frame that is larger than the device can allocate: the pool gives no buffer, and does not
 * crash. */
GST_START_TEST (test_too_large)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = make_caps ("ARGB", 16384, 16384);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer = NULL;
  guint64 most =
      gst_mgpu_context_get_traits (context)->max_allocation_size;

  if (most >= G_MAXUINT) {
    gst_buffer_pool_config_set_params (config, caps, 16, 0, 0);
    fail_unless (gst_buffer_pool_set_config (pool, config));
  } else {
    gst_buffer_pool_config_set_params (config, caps, most + 1, 0, 0);
    fail_unless (gst_buffer_pool_set_config (pool, config));
    gst_buffer_pool_set_active (pool, TRUE);
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer,
            NULL), GST_FLOW_ERROR);
    fail_unless (buffer == NULL);
    gst_buffer_pool_set_active (pool, FALSE);
  }
}

GST_END_TEST;

static guint n_logged;

static void
count_configurations (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer pool)
{
  n_logged += (gpointer) object == pool
      && strstr (gst_debug_message_get (message), "0 = no limit") != NULL;
}

/* Tests that the configuration with which a pool is used is logged only once, although elements
 * configure a pool several times before. */
GST_START_TEST (test_logs_once)
{
  g_autoptr (GstBufferPool) pool = gst_mgpu_buffer_pool_new (queue, NULL);
  g_autoptr (GstCaps) caps = make_caps ("GRAY8", 16, 16);

  gst_debug_add_log_function (count_configurations, pool, NULL);
  gst_debug_set_threshold_for_name ("mgpubufferpool", GST_LEVEL_DEBUG);
  for (guint max = 4; max < 6; max++) {
    GstStructure *config = gst_buffer_pool_get_config (pool);

    gst_buffer_pool_config_set_params (config, caps, 256, 0, max);
    fail_unless (gst_buffer_pool_set_config (pool, config));
  }
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (n_logged, 1);
  gst_debug_remove_log_function (count_configurations);
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

GST_END_TEST;

CHECK_TESTS (mgpubufferpool)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_acquire);
  tcase_add_test (tc, test_alignment);
  tcase_add_test (tc, test_queue_in_config);
  tcase_add_loop_test (tc, test_busy, 0, 2);
  tcase_add_test (tc, test_bad_config);
  tcase_add_test (tc, test_too_large);
  tcase_add_test (tc, test_logs_once);
}

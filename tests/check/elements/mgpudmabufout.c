/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that frames are pushed in dma-bufs, of the downstream element or of mgpudownload, and
 * always with the same bytes. Files of memfd_create() replace dma-bufs, and the device is PoCL with
 * the functions of layer.h. */
#define _GNU_SOURCE
#include "dmabufout.h"

/* Pushes @n frames. Fails unless the output equals the output of @launch without dma-bufs, lies in
 * buffers of @pool if @in_pool is set, and the device wrote @n_exports of the frames. */
static void
check_frames (GstHarness * h, const gchar * launch, const GstVideoInfo * info,
    GstBufferPool * pool, guint n, guint n_exports)
{
  g_autoptr (GstHarness) plain =
      harness_before (launch, info, NULL, "video/x-raw");
  guint64 exports = harness_stat (h, "exports");
  guint64 downloads = harness_stat (h, "downloads");

  for (guint i = 0; i < n; i++) {
    GstBuffer *from = frame_new (info, LAYOUT_DEFAULT, i);
    g_autoptr (GstBuffer) expected = NULL, to = NULL;

    GST_BUFFER_PTS (from) = i * GST_SECOND;
    gst_buffer_add_video_region_of_interest_meta (from, "part", 1, 2, 3, 4);
    expected = harness_push_pull (plain, gst_buffer_ref (from));
    to = harness_push_pull (h, from);
    fail_unless_same_frame (info, expected, to);
    fail_unless (gst_buffer_is_writable (to));
    fail_unless_equals_uint64 (GST_BUFFER_PTS (to), i * GST_SECOND);
    fail_unless (gst_buffer_get_video_region_of_interest_meta_id (to, 0) != NULL
        || gst_buffer_get_n_meta (to, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
        == 1);
    fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (to, 0)) ==
        (pool != NULL));
    if (pool != NULL)
      fail_unless (to->pool == pool);
  }
  fail_unless_equals_uint64 (harness_stat (h, "exports") - exports, n_exports);
  if (n_exports == n)
    fail_unless_equals_uint64 (harness_stat (h, "downloads") - downloads, 0);
}

static void
check_pool (const gchar * launch, Frames frames, GstVideoFormat format,
    Layout layout, gboolean in_pool, guint n_exports)
{
  GstBufferPool *pool = test_pool_new (frames, format, layout);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstHarness *h = harness_before (launch, info, pool, "video/x-raw");

  GST_INFO ("%s, %s, frames %d, layout %d", launch,
      gst_video_format_to_string (format), frames, layout);
  check_frames (h, launch, info, in_pool ? pool : NULL, 4, n_exports);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

/* Tests that the filter before mgpudownload writes directly to the downstream element's
 * dma-bufs. */
GST_START_TEST (test_filter_writes)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_P010_10LE
  };

  set_device (__i__);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    check_pool (SHARPEN, FRAMES_IN_FILES, formats[i], LAYOUT_DEFAULT, TRUE, 4);
    check_pool (SHARPEN, FRAMES_IN_FILES, formats[i], LAYOUT_PADDED, TRUE, 4);
  }
}

GST_END_TEST;

/* Tests that frames that no filter wrote into dma-bufs are copied once: by the device if they are
 * in its memory, otherwise by the host. */
GST_START_TEST (test_other_frames)
{
  set_device (__i__);
  /* A disabled filter before mgpudownload passes on frames of the first filter, which did not get
   * the dma-buf pool. */
  check_pool ("mgpusharpen ! mgpubilateral enabled=false ! mgpudownload name=f",
      FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12, LAYOUT_PADDED, TRUE, 4);
  /* Another branch of a tee holds a frame, so that the frame's memory stays in use. */
  check_pool ("mgpusharpen ! tee name=t ! mgpudownload name=f "
      "t. ! fakesink async=false sync=false", FRAMES_IN_FILES,
      GST_VIDEO_FORMAT_I420, LAYOUT_PADDED, TRUE, 4);
  check_pool ("mgpudownload name=f", FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_PADDED, TRUE, 0);
}

GST_END_TEST;

/* Tests that pools of other memory than dma-bufs are not used: frames are pushed as without such a
 * pool. */
GST_START_TEST (test_other_pools)
{
  set_device (__i__);
  for (Frames frames = FRAMES_IN_SYSTEM; frames <= FRAMES_UPSIDE_DOWN; frames++)
    check_pool (SHARPEN, frames, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT, FALSE, 0);
  /* The layout of the pool's frames changes: the device copies every other frame to its buffer. */
  check_pool (SHARPEN, FRAMES_CHANGING, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT,
      TRUE, 4);
}

GST_END_TEST;

/* Tests a driver that cannot import dma-bufs, and an environment variable that forbids imports. */
GST_START_TEST (test_no_route)
{
  layer_set_device (LAYER_ROUTE_NONE, __i__ % 2);
  check_pool (SHARPEN, FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT,
      FALSE, 0);
  layer_set_device (LAYER_ROUTE_KHR, __i__ % 2);
  g_setenv ("GST_MGPU_INTEROP", "cuda", TRUE);
  check_pool (SHARPEN, FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT,
      FALSE, 0);
  g_unsetenv ("GST_MGPU_INTEROP");
}

GST_END_TEST;

/* Tests a driver whose kernels write to other bytes than the dma-buf's: the first comparison
 * detects this. */
GST_START_TEST (test_wrong_bytes)
{
  set_device (__i__);
  layer_lie (TRUE);
  check_pool (SHARPEN, FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT,
      FALSE, 0);
  fail_unless_equals_int (layer_count_made (), 1);
}

GST_END_TEST;

/* Tests OpenCL calls that fail from the third frame on: the host then copies frames. */
GST_START_TEST (test_failing_calls)
{
  static const gchar *const names[] = {
    "clCreateBufferWithProperties", "clEnqueueAcquireExternalMemObjectsKHR",
    "clImportMemoryARM"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
        LAYOUT_PADDED);
    const GstVideoInfo *info = &((TestPool *) pool)->info;
    GstHarness *h;
    GstBuffer *held[3];

    layer_set_device (i < 2 ? LAYER_ROUTE_KHR : LAYER_ROUTE_ARM, __i__);
    h = harness_before (SHARPEN, info, pool, "video/x-raw");
    check_frames (h, SHARPEN, info, pool, 2, 2);
    /* Imports several buffers of the pool: buffers that were already imported stay in use when a
     * call fails. */
    for (guint j = 0; j < 3; j++)
      held[j] = harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, j));
    layer_fail (names[i]);
    check_frames (h, SHARPEN, info, pool, 2, 0);
    layer_fail (NULL);
    for (guint j = 0; j < 3; j++)
      gst_buffer_unref (held[j]);
    gst_harness_teardown (h);
    gst_object_unref (pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests that a failing kernel is an error, and that no frame is pushed. */
GST_START_TEST (test_failing_kernel)
{
  GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_PADDED);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstHarness *h;

  set_device (__i__);
  h = harness_before (SHARPEN, info, pool, "video/x-raw");
  check_frames (h, SHARPEN, info, pool, 1, 1);
  layer_fail ("clEnqueueNDRangeKernel");
  fail_unless_equals_int (gst_harness_push (h, frame_new (info, LAYOUT_DEFAULT,
              1)), GST_FLOW_ERROR);
  fail_unless (gst_harness_try_pull (h) == NULL);
  layer_fail (NULL);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that frames are pushed in system memory while the downstream element holds all its
 * buffers. */
GST_START_TEST (test_no_free_buffer)
{
  GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_PADDED);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstBuffer *held[2], *to;
  guint n_buffers;
  GstHarness *h;

  set_device (__i__);
  ((TestPool *) pool)->max = 2;
  h = harness_before (SHARPEN, info, pool, "video/x-raw");
  check_frames (h, SHARPEN, info, pool, 3, 3);
  for (guint i = 0; i < 2; i++)
    held[i] = harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, i));
  to = harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, 1));
  fail_unless (to->pool == NULL);
  fail_unless_same_frame (info, held[1], to);
  gst_buffer_unref (to);
  /* Checks that device memory for frames in system memory is reused. */
  n_buffers = layer_count_buffers ();
  for (guint i = 0; i < 4; i++)
    gst_buffer_unref (harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT,
                i)));
  if (!devices[__i__].unified)
    fail_unless_equals_int (layer_count_buffers (), n_buffers);
  fail_unless_equals_uint64 (harness_stat (h, "exports"), 5);
  fail_unless_equals_int (((TestPool *) pool)->n, 2);
  gst_buffer_unref (held[0]);
  check_frames (h, SHARPEN, info, pool, 2, 2);
  gst_buffer_unref (held[1]);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that frames that a CPU device has written are mapped in OpenCL: only then does OpenCL
 * guarantee the content of host memory. */
GST_START_TEST (test_map)
{
  static const gchar *const launches[] = {
    SHARPEN, "mgpusharpen ! mgpubilateral enabled=false ! mgpudownload name=f"
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
        LAYOUT_PADDED);
    const GstVideoInfo *info = &((TestPool *) pool)->info;
    GstHarness *h;

    layer_set_device (LAYER_ROUTE_MAP, TRUE);
    h = harness_before (launches[i], info, pool, "video/x-raw");
    for (guint j = 0; j < 3; j++) {
      guint n_maps = layer_count_maps ();

      gst_buffer_unref (harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT,
                  j)));
      fail_unless (layer_count_maps () > n_maps);
    }
    fail_unless_equals_uint64 (harness_stat (h, "exports"), 3);
    gst_harness_teardown (h);
    gst_object_unref (pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests that downstream offers another pool: a frame in a buffer of the old pool is copied to a
 * buffer of the new pool. */
GST_START_TEST (test_new_pool)
{
  GstBufferPool *pools[2];
  const GstVideoInfo *info;
  GstMgpuContext *context;
  GstMgpuQueue *queue;
  GstContext *carrier;
  GstElement *element;
  GstBuffer *target = NULL, *frame, *to;
  GError *error = NULL;
  GstHarness *h;
  gulong id;

  set_device (__i__);
  for (guint i = 0; i < 2; i++)
    pools[i] = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
        i == 0 ? LAYOUT_DEFAULT : LAYOUT_PADDED);
  info = &((TestPool *) pools[0])->info;
  context = gst_mgpu_context_new (NULL, NULL);
  queue = gst_mgpu_queue_new (context, NULL);
  carrier = gst_context_new_mgpu_context (context);
  element = gst_element_factory_make ("mgpudownload", "f");
  gst_element_set_context (element, carrier);
  h = gst_harness_new_with_element (element, "sink", "src");
  id = gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      offer_pool, gst_object_ref (pools[0]), gst_object_unref);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT,
          TRUE));
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pools[0], &target,
            NULL), GST_FLOW_OK);
    frame = gst_mgpu_frame_new_exported (queue, target, &error);
    fail_unless (frame != NULL, "%s", error != NULL ? error->message : "");
    gst_buffer_unref (target);
    fill_frame (info, frame, i);
    if (i == 1) {
      gst_pad_remove_probe (h->sinkpad, id);
      gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
          offer_pool, gst_object_ref (pools[1]), gst_object_unref);
      gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    }
    to = harness_push_pull (h, frame);
    fail_unless (to->pool == pools[i]);
    frame = frame_new (info, LAYOUT_DEFAULT, i);
    fail_unless_same_frame (info, frame, to);
    gst_buffer_unref (frame);
    gst_buffer_unref (to);
  }
  fail_unless_equals_uint64 (harness_stat (h, "exports"), 2);
  gst_harness_teardown (h);
  gst_object_unref (element);
  for (guint i = 0; i < 2; i++)
    gst_object_unref (pools[i]);
  gst_object_unref (queue);
  gst_context_unref (carrier);
  gst_object_unref (context);
  check_end ();
}

GST_END_TEST;

/* Tests that frames do not wait for a buffer of the downstream element while a queue holds all of
 * its buffers, and that the element does not wait when it negotiates a pool again. */
GST_START_TEST (test_queue)
{
  static const gchar launch[] =
      "mgpusharpen name=g ! queue ! mgpudownload name=f";
  GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_PADDED);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstBuffer *frames[8];
  GstHarness *h, *plain;

  set_device (__i__);
  ((TestPool *) pool)->max = 2;
  h = harness_before (launch, info, pool, "video/x-raw");
  plain = harness_before (SHARPEN, info, NULL, "video/x-raw");
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
      fail_unless_equals_int (gst_harness_push (h, frame_new (info,
                  LAYOUT_DEFAULT, i)), GST_FLOW_OK);
    for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
      g_autoptr (GstBuffer) expected =
          harness_push_pull (plain, frame_new (info, LAYOUT_DEFAULT, i));

      frames[i] = harness_pull (h);
      fail_unless_same_frame (info, expected, frames[i]);
    }
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    fail_unless_equals_int (gst_harness_push (h, frame_new (info,
                LAYOUT_DEFAULT, 0)), GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
    for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
      gst_buffer_unref (frames[i]);
  }
  fail_unless (harness_stat (h, "exports") >= 2);
  gst_harness_teardown (plain);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

GST_END_TEST;

/* Tests a dma-buf that another device reads without end: after a second, the host copies the frame
 * into it. */
GST_START_TEST (test_blocked)
{
  GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_DEFAULT);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstBuffer *to;
  GstHarness *h;

  set_device (__i__);
  ((TestPool *) pool)->max = 1;
  h = harness_before (SHARPEN, info, pool, "video/x-raw");
  to = harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, 0));
  layer_block (gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (to, 0)));
  gst_buffer_unref (to);
  check_frames (h, SHARPEN, info, pool, 1, 0);
  layer_block (-1);
  check_frames (h, SHARPEN, info, pool, 1, 1);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that each file descriptor is closed exactly once: none stays open, and none of another
 * owner is closed. */
GST_START_TEST (test_starts)
{
  guint n = 0, n_starts = __i__ == 1 ? 1000 : 100;
  g_autoptr (GstElement) bin = NULL;

  set_device (__i__);
  bin = gst_parse_bin_from_description (SHARPEN, TRUE, NULL);
  gst_element_set_context (bin, common_context ());
  for (guint i = 0; i < n_starts; i++) {
    GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES,
        GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT);
    const GstVideoInfo *info = &((TestPool *) pool)->info;
    GstHarness *h = gst_harness_new_with_element (bin, "sink", "src");

    gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
        offer_pool, gst_object_ref (pool), gst_object_unref);
    gst_harness_set_caps_str (h, NV12, "video/x-raw");
    gst_buffer_unref (harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT,
                i)));
    fail_unless_equals_uint64 (harness_stat (h, "exports"), 1);
    gst_harness_teardown (h);
    gst_object_unref (pool);
    if (i == 10) {
      check_end ();
      n = count_files ();
    }
  }
  check_end ();
  fail_unless_equals_int (count_files (), n);
}

GST_END_TEST;

/* Tests that the device is lost while frames are pushed in dma-bufs: one error is posted, and the
 * downstream element gets its buffers back. */
GST_START_TEST (test_device_lost)
{
  GstBufferPool *pool = test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12,
      LAYOUT_DEFAULT);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstBus *bus;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstMessage) message = NULL;
  GstFlowReturn ret = GST_FLOW_OK;
  GstHarness *h;

  set_device (__i__);
  h = harness_before (SHARPEN, info, pool, "video/x-raw");
  bus = harness_bus (h);
  gst_buffer_unref (harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, 0)));
  fail_unless_equals_uint64 (harness_stat (h, "exports"), 1);
  layer_lose (TRUE);
  for (guint i = 0; i < 6 && ret == GST_FLOW_OK; i++)
    ret = gst_harness_push (h, frame_new (info, LAYOUT_DEFAULT, i));
  fail_unless_equals_int (ret, GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "CL_DEVICE_NOT_AVAILABLE") != NULL
      && strstr (error->message, "choose another device") != NULL, "%s",
      error->message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  harness_end (h);
  fail_unless (comes_to_refs (pool, 1));
  gst_object_unref (pool);
  layer_lose (FALSE);
  check_end ();
}

GST_END_TEST;

CHECK_TESTS (mgpudmabufout)
{
  const guint n = G_N_ELEMENTS (devices);

  tcase_add_loop_test (tc, test_filter_writes, 0, n);
  tcase_add_loop_test (tc, test_other_frames, 0, n);
  tcase_add_loop_test (tc, test_other_pools, 0, n);
  tcase_add_loop_test (tc, test_no_route, 0, 2);
  tcase_add_loop_test (tc, test_wrong_bytes, 1, n);
  tcase_add_loop_test (tc, test_failing_calls, 0, 2);
  tcase_add_loop_test (tc, test_failing_kernel, 0, n);
  tcase_add_loop_test (tc, test_no_free_buffer, 0, n);
  tcase_add_test (tc, test_map);
  tcase_add_loop_test (tc, test_new_pool, 0, n);
  tcase_add_loop_test (tc, test_queue, 0, n);
  tcase_add_loop_test (tc, test_blocked, 1, n);
  tcase_add_loop_test (tc, test_device_lost, 0, n);
  tcase_add_loop_test (tc, test_starts, 0, n);
}

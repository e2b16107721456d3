/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that frames are accepted and pushed in CUDA memory, with or without a copy, and always with
 * the same bytes. cuda.c simulates the CUDA driver, and the device is PoCL with the functions of
 * layer.h. */
#define _GNU_SOURCE
#include "dmabuf.h"

#include <gst/cuda/gstcuda.h>

#define WIDTH 51
#define HEIGHT 37
#define NV12 HOST_CAPS ("NV12", 51, 37)
#define CUDA_CAPS "video/x-raw(memory:CUDAMemory)"
#define CHAIN "mgpuupload name=u ! mgpusharpen ! mgpudownload name=f"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_P010_10LE
};

/* Makes the device import CUDA memory. @unified: whether the device shares memory with the host */
static void
set_device (gboolean unified)
{
  layer_set_device (LAYER_ROUTE_CUDA, unified);
}

static GstCudaContext *
cuda_context (void)
{
  static GstCudaContext *context;

  if (context == NULL) {
    fail_unless (gst_cuda_load_library ());
    context = gst_cuda_context_new (0);
  }
  fail_unless (context != NULL);
  return context;
}

static GstCaps *
cuda_caps_new (const GstVideoInfo * info)
{
  GstCaps *caps = gst_video_info_to_caps (info);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new ("memory:CUDAMemory", NULL));
  return caps;
}

/* Returns an active pool of CUDA frames of @context, whose commands run in a separate stream. */
static GstBufferPool *
cuda_pool_new_in (GstCudaContext * context, const GstVideoInfo * info,
    GstCudaMemoryAllocMethod method)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCudaStream *stream = gst_cuda_stream_new (context);
  g_autoptr (GstCaps) caps = cuda_caps_new (info);

  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  gst_buffer_pool_config_set_cuda_alloc_method (config, method);
  gst_buffer_pool_config_set_cuda_stream (config, stream);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_cuda_stream_unref (stream);
  return pool;
}

static GstBufferPool *
cuda_pool_new (const GstVideoInfo * info, GstCudaMemoryAllocMethod method)
{
  return cuda_pool_new_in (cuda_context (), info, method);
}

static void
cuda_pool_free (GstBufferPool * pool)
{
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

/* Returns a frame of @pool. Its bytes may not be there yet, because nobody has waited for the CUDA
 * stream. */
static GstBuffer *
cuda_frame_new (GstBufferPool * pool, const GstVideoInfo * info, guint seed)
{
  GstBuffer *frame = NULL;
  GstMapInfo map;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &frame, NULL),
      GST_FLOW_OK);
  fill_frame (info, frame, seed);
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ | GST_MAP_CUDA));
  gst_buffer_unmap (frame, &map);
  GST_BUFFER_PTS (frame) = seed * GST_SECOND;
  return frame;
}

static GstHarness *
harness_new_in (GstCudaContext * cuda, const gchar * launch,
    const GstVideoInfo * info, gboolean cuda_in, const gchar * out_caps)
{
  GstHarness *h = gst_harness_new_parse (launch);
  GstContext *context = gst_context_new_cuda_context (cuda);

  gst_element_set_context (h->element, context);
  gst_context_unref (context);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, out_caps);
  gst_harness_set_src_caps (h, cuda_in ? cuda_caps_new (info)
      : gst_video_info_to_caps (info));
  return h;
}

static GstHarness *
harness_new_cuda (const gchar * launch, const GstVideoInfo * info,
    gboolean cuda_in, const gchar * out_caps)
{
  return harness_new_in (cuda_context (), launch, info, cuda_in, out_caps);
}

/* Returns the sum of the field @field of "stats" over all elements of the harness. */
static guint64
sum_stat (GstHarness * h, const gchar * field)
{
  g_autoptr (GstIterator) all = gst_bin_iterate_recurse (GST_BIN (h->element));
  GValue item = G_VALUE_INIT;
  guint64 sum = 0;

  while (gst_iterator_next (all, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (element), "GstMgpu"))
      sum += get_stat (element, field);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  return sum;
}

/* Pushes @n frames of @pool (frames in system memory if it is NULL). Fails unless each output frame
 * equals the output for the same frame in system memory, and the elements counted @n_imports
 * imports and @n_exports exports. */
static void
check_frames (GstHarness * h, const gchar * launch, const GstVideoInfo * info,
    GstBufferPool * pool, guint n, guint n_imports, guint n_exports)
{
  g_autoptr (GstHarness) plain =
      harness_new_cuda (launch, info, FALSE, "video/x-raw");
  guint64 imports = sum_stat (h, "imports"), exports = sum_stat (h, "exports");

  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) expected = NULL, to = NULL;
    GstBuffer *from = frame_new (info, LAYOUT_DEFAULT, i);
    GstBuffer *given = pool != NULL ? cuda_frame_new (pool, info, i)
        : gst_buffer_copy_deep (from);

    GST_BUFFER_PTS (from) = GST_BUFFER_PTS (given) = i * GST_SECOND;
    expected = harness_push_pull (plain, from);
    to = harness_push_pull (h, given);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (to), i * GST_SECOND);
    fail_unless_same_frame (info, expected, to);
  }
  fail_unless_equals_uint64 (sum_stat (h, "imports") - imports, n_imports);
  fail_unless_equals_uint64 (sum_stat (h, "exports") - exports, n_exports);
}

static guint
device_of (GstCudaContext * context)
{
  guint id;

  g_object_get (context, "cuda-device-id", &id, NULL);
  return id;
}

/* Returns the CUDA pool that mgpuupload offers; NULL if it offers no pool. */
static GstBufferPool *
offered_pool (GstHarness * h, const GstVideoInfo * info)
{
  g_autoptr (GstCaps) caps = cuda_caps_new (info);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool = NULL;
  guint min;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL));
  if (gst_query_get_n_allocation_pools (query) > 0) {
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, &min, NULL);
    fail_unless (GST_IS_CUDA_BUFFER_POOL (pool));
    fail_unless_equals_int (device_of (GST_CUDA_BUFFER_POOL (pool)->context),
        0);
    /* Checks that the pool has more buffers than nvh264dec has surfaces by default. */
    fail_unless (min > 1);
    fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  }
  return pool;
}

/* Tests that the host copies no byte if both upstream and downstream use CUDA memory. */
GST_START_TEST (test_in_and_out)
{
  set_device (__i__);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstVideoInfo info;
    GstBufferPool *pool;
    GstHarness *h;

    gst_video_info_set_format (&info, formats[i], WIDTH, HEIGHT);
    h = harness_new_cuda (CHAIN, &info, TRUE, CUDA_CAPS);
    pool = offered_pool (h, &info);
    fail_unless (pool != NULL);
    fail_unless (GST_CUDA_BUFFER_POOL (pool)->context == cuda_context ());
    check_frames (h, CHAIN, &info, pool, 6, 6, 6);
    fail_unless_equals_uint64 (sum_stat (h, "uploads"), 0);
    fail_unless_equals_uint64 (sum_stat (h, "downloads"), 0);
    gst_harness_teardown (h);
    cuda_pool_free (pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests frames that arrive in CUDA memory and are pushed in system memory, and the reverse
 * direction. */
GST_START_TEST (test_one_side)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBufferPool *pool;
  GstHarness *h;

  set_device (__i__);
  h = harness_new_cuda (CHAIN, &info, TRUE, "video/x-raw");
  pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
  check_frames (h, CHAIN, &info, pool, 4, 4, 0);
  fail_unless_equals_uint64 (sum_stat (h, "uploads"), 0);
  gst_harness_teardown (h);
  h = harness_new_cuda (CHAIN, &info, FALSE, CUDA_CAPS);
  check_frames (h, CHAIN, &info, NULL, 4, 0, 4);
  fail_unless_equals_uint64 (sum_stat (h, "downloads"), 0);
  gst_harness_teardown (h);
  cuda_pool_free (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that frames that no filter wrote to CUDA memory are copied there: by the device if they are
 * in its memory, otherwise by the host. */
GST_START_TEST (test_copied_out)
{
  static const gchar filters[] =
      "mgpusharpen ! mgpubilateral enabled=false ! mgpudownload name=f";
  static const gchar both[] =
      "mgpuupload name=u ! mgpubilateral enabled=false ! mgpudownload name=f";
  static const gchar host[] = "mgpudownload name=f ! queue";
  GstVideoInfo info = info_from_string (NV12);
  GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
  GstHarness *h;

  set_device (__i__);
  h = harness_new_cuda (filters, &info, FALSE, CUDA_CAPS);
  check_frames (h, filters, &info, NULL, 4, 0, 4);
  gst_harness_teardown (h);
  h = harness_new_cuda (both, &info, TRUE, CUDA_CAPS);
  check_frames (h, both, &info, pool, 4, 4, 4);
  gst_harness_teardown (h);
  h = harness_new_cuda (host, &info, FALSE, CUDA_CAPS);
  check_frames (h, host, &info, NULL, 4, 0, 0);
  gst_harness_teardown (h);
  cuda_pool_free (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that frames in memory that CUDA does not export are copied on the GPU. */
GST_START_TEST (test_not_exported)
{
  for (guint i = 0; i < 2; i++) {
    GstVideoInfo info = info_from_string (i == 0 ? NV12
        : HOST_CAPS ("YUY2", 51, 37));
    GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MALLOC);
    GstHarness *h;

    set_device (__i__);
    h = harness_new_cuda (CHAIN, &info, TRUE, CUDA_CAPS);
    check_frames (h, CHAIN, &info, pool, 4, 4, 4);
    fail_unless_equals_uint64 (sum_stat (h, "uploads"), 0);
    gst_harness_teardown (h);
    cuda_pool_free (pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests devices that do not import CUDA memory, so that the host copies: a CPU, a GPU whose driver
 * imports nothing, a GPU other than that of the CUDA context, and a device for which an environment
 * variable disables imports. */
GST_START_TEST (test_copied)
{
  GstVideoInfo info = info_from_string (NV12);

  for (guint i = 0; i < 5; i++) {
    GstBufferPool *pool = cuda_pool_new (&info, i % 2 == 0
        ? GST_CUDA_MEMORY_ALLOC_MMAP : GST_CUDA_MEMORY_ALLOC_MALLOC), *offer;
    GstHarness *h;

    if (i == 0)
      layer_set_device (LAYER_ROUTE_MAP, TRUE);
    else if (i <= 2)
      layer_set_device (i == 1 ? LAYER_ROUTE_NONE : LAYER_ROUTE_KHR, __i__);
    else
      set_device (__i__);
    if (i == 3)
      layer_set_bus (LAYER_PCI_BUS + 1);
    if (i == 4)
      g_setenv ("GST_MGPU_INTEROP", "dmabuf", TRUE);
    h = harness_new_cuda (CHAIN, &info, TRUE, CUDA_CAPS);
    offer = offered_pool (h, &info);
    fail_unless (offer == NULL);
    check_frames (h, CHAIN, &info, pool, 4, 0, 0);
    gst_harness_teardown (h);
    g_unsetenv ("GST_MGPU_INTEROP");
    cuda_pool_free (pool);
    fail_unless_equals_int (layer_count_made (), 0);
    check_end ();
  }
}

GST_END_TEST;

/* Tests a pipeline whose CUDA context belongs to another GPU, so that frames are copied. Frames of
 * the device's own GPU are imported, also after a copy on the GPU. */
GST_START_TEST (test_other_gpu)
{
  GstVideoInfo info = info_from_string (NV12);
  GstCudaContext *other, *same;
  GstBufferPool *pools[4], *offer;
  GstHarness *h;

  set_device (__i__);
  fail_unless (gst_cuda_load_library ());
  other = gst_cuda_context_new (1);
  same = gst_cuda_context_new (0);
  for (guint i = 0; i < 4; i++)
    pools[i] = cuda_pool_new_in (i % 2 == 0 ? other : same, &info,
        i < 2 ? GST_CUDA_MEMORY_ALLOC_MMAP : GST_CUDA_MEMORY_ALLOC_MALLOC);
  h = harness_new_in (other, CHAIN, &info, TRUE, "video/x-raw");
  offer = offered_pool (h, &info);
  fail_unless (offer != NULL);
  check_frames (h, CHAIN, &info, offer, 3, 3, 0);
  for (guint i = 0; i < 4; i++)
    check_frames (h, CHAIN, &info, pools[i], 3, i % 2 == 0 ? 0 : 3, 0);
  gst_harness_teardown (h);

  /* Pushes output frames for the other GPU, to whose memory the host copies. */
  h = harness_new_in (other, CHAIN, &info, FALSE, CUDA_CAPS);
  check_frames (h, CHAIN, &info, NULL, 3, 0, 0);
  gst_harness_teardown (h);
  cuda_pool_free (offer);
  for (guint i = 0; i < 4; i++)
    cuda_pool_free (pools[i]);
  gst_object_unref (other);
  gst_object_unref (same);
  check_end ();
}

GST_END_TEST;

/* Tests that an element that stops releases its CUDA context; when it starts again, it uses the
 * context of its new neighbors. */
GST_START_TEST (test_other_context)
{
  GstVideoInfo info = info_from_string (NV12);
  GstElement *bin = gst_parse_bin_from_description (CHAIN, TRUE, NULL);

  set_device (__i__);
  fail_unless (gst_cuda_load_library ());
  for (guint i = 0; i < 3; i++) {
    GstCudaContext *cuda = gst_cuda_context_new (0);
    g_autoptr (GstContext) context = gst_context_new_cuda_context (cuda);
    GstBufferPool *offer;
    g_autoptr (GstHarness) h = NULL;

    gst_element_set_context (bin, context);
    h = gst_harness_new_with_element (bin, "sink", "src");
    gst_harness_set_sink_caps_str (h, CUDA_CAPS);
    gst_harness_set_src_caps (h, cuda_caps_new (&info));
    offer = offered_pool (h, &info);
    fail_unless (offer != NULL);
    fail_unless (GST_CUDA_BUFFER_POOL (offer)->context == cuda);
    gst_buffer_unref (harness_push_pull (h, cuda_frame_new (offer, &info, i)));
    cuda_pool_free (offer);
    gst_object_unref (cuda);
  }
  gst_object_unref (bin);
  check_end ();
}

GST_END_TEST;

/* Tests a driver whose kernels access other bytes of a CUDA buffer than the host does: the
 * comparison of the first two imports detects this. */
GST_START_TEST (test_wrong_bytes)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
  GstHarness *h;

  set_device (__i__);
  layer_lie (TRUE);
  h = harness_new_cuda (CHAIN, &info, TRUE, CUDA_CAPS);
  check_frames (h, CHAIN, &info, pool, 4, 0, 0);
  fail_unless_equals_int (layer_count_made (), 2);
  gst_harness_teardown (h);
  cuda_pool_free (pool);
  check_end ();
}

GST_END_TEST;

/* Tests that a failing call of the CUDA driver causes a copy and no error. */
GST_START_TEST (test_failing_calls)
{
  static const gchar *const names[] = {
    "?clEnqueueAcquireExternalMemObjectsKHR", "clCreateBufferWithProperties",
    "clEnqueueAcquireExternalMemObjectsKHR"
  };
  GstVideoInfo info = info_from_string (NV12);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
    GstHarness *h;

    set_device (__i__);
    layer_fail (names[i]);
    h = harness_new_cuda (CHAIN, &info, TRUE, CUDA_CAPS);
    check_frames (h, CHAIN, &info, pool, 3, 0, 0);
    gst_harness_teardown (h);
    cuda_pool_free (pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests that the host can map a frame in CUDA memory between two filters: it reads what the first
 * filter wrote, and the second filter reads what the host wrote. */
GST_START_TEST (test_host_between)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
  GstBuffer *target, *frame, *expected;
  GstMgpuContext *context;
  GstMgpuQueue *queue;
  GError *error = NULL;
  GstMapInfo map, cuda;

  set_device (__i__);
  context = gst_mgpu_context_new (NULL, &error);
  queue = gst_mgpu_queue_new (context, &error);
  target = cuda_frame_new (pool, &info, 1);
  frame = gst_mgpu_frame_new_exported (queue, target, &error);
  fail_unless (frame != NULL, "%s", error != NULL ? error->message : "");
  for (guint i = 0; i < 3; i++) {
    expected = frame_new (&info, LAYOUT_DEFAULT, 2 + i);
    fill_frame (&info, frame, 2 + i);
    fail_unless_same_frame (&info, expected, frame);
    /* Reads directly: GPU memory of cuda.c, the simulated driver, has a host address. */
    fail_unless (gst_buffer_map (expected, &map, GST_MAP_READ));
    fail_unless (gst_buffer_map (target, &cuda, GST_MAP_READ | GST_MAP_CUDA));
    fail_unless_equals_int (memcmp (cuda.data, map.data, WIDTH), 0);
    gst_buffer_unmap (target, &cuda);
    gst_buffer_unmap (expected, &map);
    fail_unless_same_frame (&info, expected, target);
    gst_buffer_unref (expected);
  }
  gst_buffer_unref (frame);
  gst_buffer_unref (target);
  cuda_pool_free (pool);
  gst_object_unref (queue);
  gst_object_unref (context);
  check_end ();
}

GST_END_TEST;

/* Tests that each file descriptor is closed exactly once: none stays open, and none of another
 * owner is closed. */
GST_START_TEST (test_starts)
{
  GstVideoInfo info = info_from_string (NV12);
  guint n = 0, n_starts = 200;
  g_autoptr (GstContext) cuda = NULL;
  g_autoptr (GstElement) bin = NULL;

  set_device (__i__);
  cuda = gst_context_new_cuda_context (cuda_context ());
  bin = gst_parse_bin_from_description (CHAIN, TRUE, NULL);
  gst_element_set_context (bin, common_context ());
  gst_element_set_context (bin, cuda);
  for (guint i = 0; i < n_starts; i++) {
    GstBufferPool *pool = cuda_pool_new (&info, GST_CUDA_MEMORY_ALLOC_MMAP);
    GstHarness *h = gst_harness_new_with_element (bin, "sink", "src");

    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    gst_harness_set_sink_caps_str (h, CUDA_CAPS);
    gst_harness_set_src_caps (h, cuda_caps_new (&info));
    gst_buffer_unref (harness_push_pull (h, cuda_frame_new (pool, &info, i)));
    fail_unless_equals_uint64 (harness_stat (h, "exports"), 1);
    gst_harness_teardown (h);
    cuda_pool_free (pool);
    if (i == 10) {
      check_end ();
      n = count_files ();
    }
  }
  check_end ();
  fail_unless_equals_int (count_files (), n);
}

GST_END_TEST;

CHECK_TESTS (mgpucuda)
{
  tcase_add_loop_test (tc, test_in_and_out, 0, 2);
  tcase_add_loop_test (tc, test_one_side, 0, 2);
  tcase_add_loop_test (tc, test_copied_out, 0, 2);
  tcase_add_loop_test (tc, test_not_exported, 0, 2);
  tcase_add_loop_test (tc, test_copied, 0, 2);
  tcase_add_loop_test (tc, test_other_gpu, 0, 2);
  tcase_add_loop_test (tc, test_other_context, 0, 2);
  tcase_add_loop_test (tc, test_wrong_bytes, 0, 2);
  tcase_add_loop_test (tc, test_failing_calls, 0, 2);
  tcase_add_loop_test (tc, test_host_between, 0, 2);
  tcase_add_loop_test (tc, test_starts, 0, 2);
}

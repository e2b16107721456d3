/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that frames in dma-bufs reach the device, with or without a copy, and always with the same
 * bytes. Files of memfd_create() replace dma-bufs, and the device is PoCL with the functions of
 * layer.h. */
#define _GNU_SOURCE
#include "dmabuf.h"

#include <gst/allocators/gstfdmemory.h>

#include <signal.h>
#include <sys/wait.h>

/* Frame size; a frame has more bytes than a memory page, so that rows lie in different pages. */
#define WIDTH 96
#define HEIGHT 64
#define NV12 HOST_CAPS ("NV12", 96, 64)

static const Device devices[] = {
  {LAYER_ROUTE_KHR, FALSE},
  {LAYER_ROUTE_KHR, TRUE},
  {LAYER_ROUTE_ARM, FALSE},
  {LAYER_ROUTE_ARM, TRUE},
};

static void
set_device (guint i)
{
  layer_set_device (devices[i].route, devices[i].unified);
}

/* Returns a memory on a file of @size bytes that claims to have @claimed bytes. */
static GstMemory *
fd_memory_new (gsize claimed, gsize size)
{
  g_autoptr (GstAllocator) allocator = gst_fd_allocator_new ();
  GstMemory *memory = gst_fd_allocator_alloc (allocator, new_file (size),
      claimed, GST_FD_MEMORY_FLAG_NONE);

  return memory;
}

/* Returns a frame in one file, which begins @skip bytes after the beginning of the file. */
static GstBuffer *
fd_frame_new (const GstVideoInfo * info, Layout layout, gsize skip, guint seed)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = layout_planes (info, layout, offset, stride);

  gst_buffer_append_memory (buffer, fd_memory_new (size + skip, size + skip));
  gst_buffer_resize (buffer, skip, size);
  if (layout != LAYOUT_DEFAULT)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
        stride);
  fill_frame (info, buffer, seed);
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}

/* Pushes @buffer three times. Checks that each frame is output, and that upstream gets its buffer
 * back. */
static void
check_frames (GstHarness * h, const GstVideoInfo * info, GstBuffer * buffer,
    guint n_imports)
{
  g_autoptr (GstBuffer) before = gst_buffer_copy_deep (buffer);
  guint64 imports = harness_stat (h, "imports");
  guint64 uploads = harness_stat (h, "uploads");

  for (guint i = 0; i < 3; i++) {
    GstBuffer *to = harness_push_pull (h, gst_buffer_ref (buffer));

    fail_unless_same_frame (info, before, to);
    gst_buffer_unref (to);
    fail_unless (gst_buffer_is_writable (buffer));
  }
  fail_unless_same_frame (info, before, buffer);
  fail_unless_equals_uint64 (harness_stat (h, "imports") - imports, n_imports);
  fail_unless_equals_uint64 (harness_stat (h, "uploads") - uploads,
      3 - n_imports);
}

static void
check_layout (const gchar * launch, GstVideoFormat format, Layout layout,
    gsize skip, gboolean imports)
{
  GstCaps *caps = caps_new (format, WIDTH, HEIGHT, FALSE);
  g_autoptr (GstHarness) h = gst_harness_new_parse (launch);
  GstVideoInfo info;
  GstBuffer *buffer;
  guint made = layer_count_made ();

  GST_INFO ("%s, %s, layout %d", launch, gst_video_format_to_string (format),
      layout);
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps);
  buffer = fd_frame_new (&info, layout, skip, 1);
  check_frames (h, &info, buffer, imports ? 3 : 0);
  /* Checks that one import is used for all frames in the same memory. */
  fail_unless_equals_int (layer_count_made () - made, imports ? 1 : 0);
  fail_unless_equals_int (layer_count_left (), imports ? 1 : 0);
  gst_buffer_unref (buffer);
  check_end ();
}

GST_START_TEST (test_layouts)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_YUY2
  };

  set_device (__i__);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    check_layout ("mgpuupload name=f", formats[i], LAYOUT_DEFAULT, 0, TRUE);
    check_layout ("mgpuupload name=f", formats[i], LAYOUT_ODD, 0, TRUE);
    check_layout (IDENTITY, formats[i], LAYOUT_PADDED, 0, TRUE);
    check_layout (IDENTITY, formats[i], LAYOUT_PADDED, 4096, TRUE);
    check_layout (IDENTITY, formats[i], LAYOUT_ODD, 12, TRUE);
  }
}

GST_END_TEST;

/* Tests that, if the driver refuses to copy from imported buffers, kernels copy the planes that a
 * filter does not change. */
GST_START_TEST (test_planes_left_alone)
{
  set_device (__i__);
  check_layout ("mgpubilateral name=f sigma-color=0.01 planes=luma",
      GST_VIDEO_FORMAT_NV12, LAYOUT_PADDED, 0, TRUE);
  check_layout ("mgpubilateral name=f sigma-color=0.01 planes=luma",
      GST_VIDEO_FORMAT_I420, LAYOUT_DEFAULT, 64, TRUE);
}

GST_END_TEST;

/* Tests that frames are copied, with the same bytes, when dma-buf imports are switched off. */
GST_START_TEST (test_switched_off)
{
  static const gchar *const values[] = { "", "cuda", "dmabufs" };

  set_device (__i__);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_setenv ("GST_MGPU_INTEROP", values[i], TRUE);
    check_layout (IDENTITY, GST_VIDEO_FORMAT_NV12, LAYOUT_PADDED, 0, FALSE);
  }
  g_setenv ("GST_MGPU_INTEROP", "cuda,dmabuf", TRUE);
  check_layout (IDENTITY, GST_VIDEO_FORMAT_NV12, LAYOUT_PADDED, 0, TRUE);
}

GST_END_TEST;

/* Tests that with a driver without imports frames are copied, also if device and host share
 * memory. */
GST_START_TEST (test_no_route)
{
  layer_set_device (LAYER_ROUTE_NONE, __i__);
  check_layout (IDENTITY, GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT, 0, FALSE);
}

GST_END_TEST;

/* Tests that a CPU device uses a mapped file without a copy, whatever the environment variable for
 * imports is set to. */
GST_START_TEST (test_processor)
{
  GstVideoInfo info = info_from_string (NV12);
  GstHarness *h;
  GstBuffer *buffer, *to;

  layer_set_device (LAYER_ROUTE_MAP, TRUE);
  if (__i__ == 1)
    g_setenv ("GST_MGPU_INTEROP", "", TRUE);
  h = harness_new_on (NULL, IDENTITY, NV12, NV12);
  buffer = fd_frame_new (&info, LAYOUT_PADDED, 0, 13);
  to = harness_push_pull (h, gst_buffer_ref (buffer));
  fail_unless_same_frame (&info, buffer, to);
  fail_unless_equals_uint64 (harness_stat (h, "imports"), 0);
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
  fail_unless (gst_buffer_is_writable (buffer));
  gst_buffer_unref (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  g_unsetenv ("GST_MGPU_INTEROP");
}

GST_END_TEST;

/* Tests buffers that do not consist of a single file: two files, and system memory. */
GST_START_TEST (test_other_buffers)
{
  GstVideoInfo info = info_from_string (NV12);
  gsize luma = GST_VIDEO_INFO_PLANE_OFFSET (&info, 1);
  gsize chroma = GST_VIDEO_INFO_SIZE (&info) - luma;
  GstBuffer *two = gst_buffer_new ();
  g_autoptr (GstHarness) h = NULL;

  set_device (__i__);
  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  gst_buffer_append_memory (two, fd_memory_new (luma, luma));
  gst_buffer_append_memory (two, fd_memory_new (chroma, chroma));
  gst_buffer_add_video_meta (two, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  fill_frame (&info, two, 3);
  check_frames (h, &info, two, 0);
  gst_buffer_unref (two);
  fail_unless_equals_int (layer_count_made (), 0);
}

GST_END_TEST;

/* Tests a memory object that claims more bytes than its file has. */
GST_START_TEST (test_too_large)
{
  GstVideoInfo info = info_from_string (NV12);
  gsize size = GST_VIDEO_INFO_SIZE (&info);
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstHarness) h = NULL;

  set_device (__i__);
  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  gst_buffer_append_memory (buffer, fd_memory_new (2 * size, size));
  gst_buffer_resize (buffer, 0, size);
  fill_frame (&info, buffer, 4);
  check_frames (h, &info, buffer, 0);
  gst_buffer_unref (buffer);
  fail_unless_equals_int (layer_count_made (), 0);
}

GST_END_TEST;

/* Tests that a shared part of a memory object uses the import of the whole memory. */
GST_START_TEST (test_parts)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *whole, *part;
  g_autoptr (GstHarness) h = NULL;

  set_device (__i__);
  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  whole = fd_frame_new (&info, LAYOUT_DEFAULT, 128, 5);
  check_frames (h, &info, whole, 3);
  for (guint i = 0; i < 3; i++) {
    part = gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY, 0,
        GST_VIDEO_INFO_SIZE (&info));
    gst_buffer_replace_all_memory (part, gst_memory_share (gst_buffer_peek_memory
            (whole, 0), 0, -1));
    fail_unless (gst_buffer_peek_memory (part, 0) !=
        gst_buffer_peek_memory (whole, 0));
    check_frames (h, &info, part, 3);
    gst_buffer_unref (part);
  }
  fail_unless_equals_int (layer_count_made (), 1);
  gst_buffer_unref (whole);
  check_end ();
}

GST_END_TEST;

/* Tests that a failing call causes a copy of the frame and no error. If the driver lacks a function
 * for its kind of import, nothing is imported. */
GST_START_TEST (test_failing_calls)
{
  static const struct
  {
    LayerRoute route;
    const gchar *name;
    guint imports;
  } calls[] = {
    {LAYER_ROUTE_KHR, "clGetDeviceInfo", 0},
    {LAYER_ROUTE_KHR, "?clEnqueueAcquireExternalMemObjectsKHR", 0},
    {LAYER_ROUTE_KHR, "?clEnqueueReleaseExternalMemObjectsKHR", 0},
    {LAYER_ROUTE_KHR, "clCreateBufferWithProperties", 0},
    {LAYER_ROUTE_KHR, "clEnqueueAcquireExternalMemObjectsKHR", 0},
    {LAYER_ROUTE_KHR, "clEnqueueReleaseExternalMemObjectsKHR", 3},
    {LAYER_ROUTE_KHR, "clEnqueueNDRangeKernel", 0},
    {LAYER_ROUTE_ARM, "?clImportMemoryARM", 0},
    {LAYER_ROUTE_ARM, "clImportMemoryARM", 0},
    {LAYER_ROUTE_ARM, "clEnqueueNDRangeKernel", 0},
  };
  GstVideoInfo info = info_from_string (NV12);

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    GstBuffer *buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, 6), *again;
    g_autoptr (GstHarness) h = NULL;
    guint n_files;

    layer_set_device (calls[i].route, __i__);
    layer_fail (calls[i].name);
    GST_INFO ("%s", calls[i].name);
    h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
    n_files = count_files ();
    check_frames (h, &info, buffer, calls[i].imports);
    /* Checks that the duplicated file descriptor for the driver is closed. */
    if (g_str_has_prefix (calls[i].name, "clCreate"))
      fail_unless_equals_int (count_files (), n_files);
    /* Makes the driver work again: a memory that the driver has not refused is then imported, if
     * imports are possible. */
    layer_fail (NULL);
    again = fd_frame_new (&info, LAYOUT_DEFAULT, 0, 7);
    check_frames (h, &info, again, calls[i].name[0] == '?'
        || g_str_equal (calls[i].name, "clGetDeviceInfo") ? 0 : 3);
    gst_buffer_unref (buffer);
    gst_buffer_unref (again);
    check_end ();
  }
}

GST_END_TEST;

/* Tests a driver whose imports contain other bytes than the dma-buf: imports are switched off from
 * then on. */
GST_START_TEST (test_wrong_bytes)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *black, *buffer;
  g_autoptr (GstHarness) h = NULL;

  set_device (__i__);
  layer_lie (TRUE);
  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  /* Uses zeros, which a wrong import also contains, so that the comparison proves nothing. */
  black = gst_buffer_new ();
  gst_buffer_append_memory (black, fd_memory_new (GST_VIDEO_INFO_SIZE (&info),
          GST_VIDEO_INFO_SIZE (&info)));
  check_frames (h, &info, black, 0);
  fail_unless_equals_int (layer_count_made (), 1);
  for (guint i = 0; i < 3; i++) {
    buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, i);
    check_frames (h, &info, buffer, 0);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_int (layer_count_made (), 2);
  gst_buffer_unref (black);
  check_end ();
}

GST_END_TEST;

/* Tests that a dma-buf to which another device writes without end is copied after a second. */
GST_START_TEST (test_blocked)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *buffer;
  g_autoptr (GstHarness) h = NULL;
  gint64 start;

  set_device (__i__);
  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, 8);
  check_frames (h, &info, buffer, 3);
  layer_block (gst_fd_memory_get_fd (gst_buffer_peek_memory (buffer, 0)));
  start = g_get_monotonic_time ();
  check_frames (h, &info, buffer, 0);
  fail_unless (g_get_monotonic_time () - start >= 3 * 900000);
  layer_block (-1);
  check_frames (h, &info, buffer, 3);
  gst_buffer_unref (buffer);
  check_end ();
}

GST_END_TEST;

/* Tests a frame whose producing process has ended and whose upstream buffer was released before
 * anybody reads the frame. */
GST_START_TEST (test_producer_gone)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *buffer = gst_buffer_new (), *expected, *out;
  GstMemory *memory;
  GstHarness *h;
  gpointer data;
  gint status;
  pid_t child;

  set_device (__i__);
  expected = frame_new (&info, LAYOUT_DEFAULT, 9);
  memory = fd_memory_new (info.size, info.size);
  data = mmap (NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED,
      gst_fd_memory_get_fd (memory), 0);
  fail_unless (data != MAP_FAILED);
  child = fork ();
  if (child == 0) {
    if (gst_buffer_extract (expected, 0, data, info.size) == info.size)
      kill (getpid (), SIGKILL);
    _exit (0);
  }
  fail_unless (waitpid (child, &status, 0) == child && WIFSIGNALED (status));
  munmap (data, info.size);
  gst_buffer_append_memory (buffer, memory);
  GST_BUFFER_PTS (buffer) = 0;

  h = harness_new_on (NULL, "mgpuupload name=f", NV12, DEVICE_CAPS ("NV12", 96, 64));
  out = harness_push_pull (h, buffer);
  fail_unless_equals_uint64 (harness_stat (h, "imports"), 1);
  fail_unless_equals_int (layer_count_left (), 1);
  fail_unless_same_frame (&info, expected, out);
  gst_harness_teardown (h);
  fail_unless_same_frame (&info, expected, out);
  gst_buffer_unref (out);
  gst_buffer_unref (expected);
  check_end ();
}

GST_END_TEST;

/* Tests that two elements share one import at the same time, and that neither writes to it. */
GST_START_TEST (test_shared)
{
  GstVideoInfo info = info_from_string (NV12);
  GstHarness *h[2];
  GstBuffer *buffer, *before, *out[2];
  GstMgpuContext *context;
  GstContext *carrier;

  set_device (__i__);
  context = gst_mgpu_context_new (NULL, NULL);
  carrier = gst_context_new_mgpu_context (context);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) element =
        gst_element_factory_make ("mgpuupload", "f");

    gst_element_set_context (element, carrier);
    h[i] = gst_harness_new_with_element (element, "sink", "src");
    gst_harness_set_caps_str (h[i], NV12, DEVICE_CAPS ("NV12", 96, 64));
  }
  buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, 9);
  before = gst_buffer_copy_deep (buffer);
  for (guint i = 0; i < 2; i++)
    out[i] = harness_push_pull (h[i], gst_buffer_ref (buffer));
  fail_unless_equals_int (layer_count_made (), 1);
  fail_if (gst_buffer_is_writable (buffer));

  /* Checks that an element that modifies the frame gets a copy. */
  out[0] = gst_buffer_make_writable (out[0]);
  fill_frame (&info, out[0], 10);
  fail_unless_same_frame (&info, buffer, before);
  fail_unless_same_frame (&info, out[1], before);
  fail_unless (count_differences (&info, out[0], before) > 1000);
  gst_buffer_unref (out[0]);

  /* Checks that a frame outlives the element that imported it. */
  gst_harness_teardown (h[0]);
  gst_harness_teardown (h[1]);
  gst_object_unref (context);
  gst_context_unref (carrier);
  fail_unless_same_frame (&info, out[1], before);
  gst_buffer_unref (out[1]);
  fail_unless (gst_buffer_is_writable (buffer));
  gst_buffer_unref (before);
  gst_buffer_unref (buffer);
  check_end ();
}

GST_END_TEST;

/* Tests that a memory has a separate import in each context. */
GST_START_TEST (test_two_contexts)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *buffer;

  set_device (__i__);
  buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, 11);
  for (guint i = 1; i <= 3; i++) {
    g_autoptr (GstHarness) h = harness_new_on (NULL, "mgpuupload name=f", NV12,
        DEVICE_CAPS ("NV12", 96, 64));

    check_frames (h, &info, buffer, 3);
    fail_unless_equals_int (layer_count_made (), i);
  }
  gst_buffer_unref (buffer);
  check_end ();
}

GST_END_TEST;

#if GST_CHECK_VERSION (1, 24, 0)
#define DRM(format) "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=" \
    format ",width=96,height=64,framerate=25/1"

/* Tests caps with memory:DMABuf: the same bytes with and without imports. */
GST_START_TEST (test_drm_caps)
{
  GstVideoInfo info = info_from_string (NV12);
  GstBuffer *buffer;

  set_device (__i__);
  for (guint i = 0; i < 2; i++) {
    GstHarness *h = harness_new_on (NULL, "mgpuupload name=f", DRM ("NV12"),
        DEVICE_CAPS ("NV12", 96, 64));
    GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
    GstQuery *query = gst_query_new_allocation (caps, TRUE);

    /* Makes upstream keep a reference to its memory. */
    fail_unless (gst_pad_peer_query (h->srcpad, query));
    fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
    fail_unless (gst_query_find_allocation_meta (query,
            GST_VIDEO_META_API_TYPE, NULL));
    gst_query_unref (query);
    gst_caps_unref (caps);

    buffer = fd_frame_new (&info, LAYOUT_PADDED, 0, 12);
    check_frames (h, &info, buffer, i == 0 ? 3 : 0);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
    layer_set_device (LAYER_ROUTE_NONE, __i__ % 2);
  }
  check_end ();
}

GST_END_TEST;

/* Whether mgpuupload accepts caps */
#define TAKES(text) pad_knows ("mgpuupload", "sink", text)

/* Tests that caps with dma-bufs accept only formats of the kernels, in a linear layout. */
GST_START_TEST (test_drm_formats)
{
  fail_unless (TAKES (DRM ("NV12")));
  fail_unless (TAKES (DRM ("XR24")));
  fail_unless (TAKES (DRM ("{ NV12:0x0100000000000002, YU12 }")));
  fail_if (TAKES (DRM ("NV12:0x0100000000000002")));
  fail_if (TAKES (DRM ("RG16")));
}

GST_END_TEST;
#endif

/* Tests that each file descriptor is closed exactly once: none stays open, and none of another
 * owner is closed. */
GST_START_TEST (test_starts)
{
  GstVideoInfo info = info_from_string (NV12);
  GstMgpuContext *context;
  GstContext *carrier;
  GstElement *element;
  guint n = 0;

  set_device (__i__);
  context = gst_mgpu_context_new (NULL, NULL);
  carrier = gst_context_new_mgpu_context (context);
  element = gst_element_factory_make ("mgpuupload", "f");
  gst_element_set_context (element, carrier);
  for (guint i = 0; i < 1000; i++) {
    GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
    GstBuffer *buffer = fd_frame_new (&info, LAYOUT_DEFAULT, 0, i);

    gst_harness_set_caps_str (h, NV12, DEVICE_CAPS ("NV12", 96, 64));
    gst_buffer_unref (harness_push_pull (h, buffer));
    fail_unless_equals_uint64 (harness_stat (h, "imports"), 1);
    gst_harness_teardown (h);
    if (i == 10) {
      check_end ();
      n = count_files ();
    }
  }
  fail_unless_equals_int (layer_count_made (), 1000);
  gst_object_unref (element);
  gst_context_unref (carrier);
  gst_object_unref (context);
  check_end ();
  fail_unless_equals_int (count_files (), n);
}

GST_END_TEST;

/* Tests that the device is lost while it has frames in dma-bufs: one error names element, cause and
 * remedy, the source gets its buffers back, and nothing leaks. */
GST_START_TEST (test_device_lost)
{
  static const gchar *const launches[] = {
    "mgpuupload name=f", "mgpusharpen name=f",
    "mgpuupload name=f ! mgpusharpen ! mgpudownload",
    "mgpuupload name=f max-in-flight=3 ! mgpusharpen max-in-flight=3 ! mgpudownload"
  };
  GstVideoInfo info = info_from_string (NV12);

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    GstBuffer *buffers[3];
    GstMessage *message;
    GError *error = NULL;
    GstFlowReturn ret = GST_FLOW_OK;
    GstHarness *h;
    GstBus *bus;

    set_device (__i__);
    h = harness_new_on (NULL, launches[i], NV12, i < 2
        ? DEVICE_CAPS ("NV12", 96, 64) : NV12);
    bus = harness_bus (h);
    for (guint j = 0; j < G_N_ELEMENTS (buffers); j++) {
      buffers[j] = fd_frame_new (&info, LAYOUT_DEFAULT, 0, j);
      fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (buffers[j])),
          GST_FLOW_OK);
    }
    fail_unless_equals_uint64 (harness_stat (h, "imports"), 3);
    layer_lose (TRUE);
    for (guint j = 0; j < 6 && ret == GST_FLOW_OK; j++)
      ret = gst_harness_push (h, gst_buffer_ref (buffers[j % 3]));
    /* mgpuupload alone does not process an imported frame, so it may not notice that the device is
     * lost. */
    if (i > 0 || ret != GST_FLOW_OK) {
      fail_unless_equals_int (ret, GST_FLOW_ERROR);
      message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
      fail_unless (message != NULL);
      fail_unless (g_str_has_prefix (G_OBJECT_TYPE_NAME (GST_MESSAGE_SRC
                  (message)), "GstMgpu"));
      gst_message_parse_error (message, &error, NULL);
      GST_INFO ("%s", error->message);
      fail_unless (strstr (error->message, "CL_DEVICE_NOT_AVAILABLE") != NULL
          && strstr (error->message, "choose another device") != NULL, "%s",
          error->message);
      g_error_free (error);
      gst_message_unref (message);
      fail_if (gst_bus_have_pending (bus)
          && gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) != NULL);
    }
    harness_end (h);
    for (guint j = 0; j < G_N_ELEMENTS (buffers); j++) {
      fail_unless (gst_buffer_is_writable (buffers[j]));
      gst_buffer_unref (buffers[j]);
    }
    layer_lose (FALSE);
    check_end ();
  }
}

GST_END_TEST;

CHECK_TESTS (mgpudmabuf)
{
  const guint n = G_N_ELEMENTS (devices);

  tcase_add_loop_test (tc, test_layouts, 0, n);
  tcase_add_loop_test (tc, test_planes_left_alone, 0, n);
  tcase_add_loop_test (tc, test_switched_off, 0, n);
  tcase_add_loop_test (tc, test_no_route, 0, 2);
  tcase_add_loop_test (tc, test_processor, 0, 2);
  tcase_add_loop_test (tc, test_other_buffers, 0, n);
  tcase_add_loop_test (tc, test_too_large, 0, n);
  tcase_add_loop_test (tc, test_parts, 0, n);
  tcase_add_loop_test (tc, test_failing_calls, 0, 2);
  tcase_add_loop_test (tc, test_wrong_bytes, 0, n);
  tcase_add_loop_test (tc, test_blocked, 0, n);
  tcase_add_loop_test (tc, test_producer_gone, 0, G_N_ELEMENTS (devices));
  tcase_add_loop_test (tc, test_device_lost, 0, G_N_ELEMENTS (devices));
  tcase_add_loop_test (tc, test_shared, 0, n);
  tcase_add_loop_test (tc, test_two_contexts, 0, n);
  tcase_add_loop_test (tc, test_starts, 0, n);
#if GST_CHECK_VERSION (1, 24, 0)
  tcase_add_loop_test (tc, test_drm_caps, 0, n);
  tcase_add_test (tc, test_drm_formats);
#endif
}

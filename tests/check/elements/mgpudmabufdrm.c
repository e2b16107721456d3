/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that mgpudownload pushes frames with dma-buf caps, in dma-bufs of the downstream element or
 * its own. Files of memfd_create() replace dma-bufs, and the device is PoCL with the functions of
 * layer.h. */
#define _GNU_SOURCE
#include "dmabufout.h"

#define DRM(format) "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=" \
    format ",width=51,height=37,framerate=25/1"

/* Tests frames with dma-buf caps: mgpudownload allocates the dma-bufs, from either device node, or
 * the downstream element does. The device or the host writes them. */
GST_START_TEST (test_drm_caps)
{
  GstVideoInfo info = info_from_string (NV12);

  for (guint i = 0; i < 4; i++) {
    GstBufferPool *pool = i % 2 == 0 ? NULL
        : test_pool_new (FRAMES_IN_FILES, GST_VIDEO_FORMAT_NV12, LAYOUT_PADDED);
    GstHarness *h, *plain;
    GstVideoMeta *meta;

    if (i < 2)
      set_device (__i__);
    else
      layer_set_device (LAYER_ROUTE_NONE, __i__ % 2);
    layer_set_nodes (i == 0 ? LAYER_NODES_HEAP : LAYER_NODES_UDMABUF);
    h = harness_before (SHARPEN, &info, pool, DRM ("NV12"));
    plain = harness_before (SHARPEN, &info, NULL, "video/x-raw");
    for (guint j = 0; j < 3; j++) {
      GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, j);
      g_autoptr (GstBuffer) expected =
          harness_push_pull (plain, gst_buffer_ref (from));
      g_autoptr (GstBuffer) to = harness_push_pull (h, from);

      fail_unless_same_frame (&info, expected, to);
      fail_unless_equals_int (gst_buffer_n_memory (to), 1);
      fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (to, 0)));
      meta = gst_buffer_get_video_meta (to);
      fail_unless (meta != NULL);
      if (pool == NULL) {
        fail_unless_equals_int (meta->stride[0] % 256, 0);
      } else {
        fail_unless (to->pool == pool);
      }
    }
    fail_unless_equals_uint64 (harness_stat (h, "exports"), i < 2 ? 3 : 0);
    gst_harness_teardown (plain);
    gst_harness_teardown (h);
    gst_clear_object (&pool);
    check_end ();
  }
}

GST_END_TEST;

/* Tests dma-buf caps with a pool whose files are not dma-bufs: frames are then pushed in
 * mgpudownload's own dma-bufs. */
GST_START_TEST (test_shared_memory)
{
  GstBufferPool *pool = test_pool_new (FRAMES_IN_SHARED_MEMORY,
      GST_VIDEO_FORMAT_NV12, LAYOUT_DEFAULT);
  const GstVideoInfo *info = &((TestPool *) pool)->info;
  GstHarness *h;
  GstBuffer *to;

  set_device (__i__);
  layer_set_nodes (LAYER_NODES_HEAP);
  h = harness_before (SHARPEN, info, pool, DRM ("NV12"));
  to = harness_push_pull (h, frame_new (info, LAYOUT_DEFAULT, 1));
  fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (to, 0)));
  fail_unless (to->pool != pool);
  fail_unless_equals_uint64 (harness_stat (h, "exports"), 1);
  gst_buffer_unref (to);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  check_end ();
}

GST_END_TEST;

/* Answers the ALLOCATION query of the element in the harness with a frame size, but no pool. */
static GstPadProbeReturn
name_size (GstPad * pad, GstPadProbeInfo * info, gpointer size)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_pool (query, NULL, GPOINTER_TO_UINT (size), 2, 32);
  return GST_PAD_PROBE_HANDLED;
}

/* Tests that mgpudownload pads the rows of its own dma-bufs only if the frame still fits in the
 * size that the downstream element requires. */
GST_START_TEST (test_named_size)
{
  GstVideoInfo info = info_from_string (NV12);
  static const struct
  {
    guint more;
    gboolean is_default;
  } sizes[] = { {0, TRUE}, {100, TRUE}, {1000000, FALSE} };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i), *to;
    GstVideoMeta *meta;
    GstHarness *h;

    set_device (0);
    layer_set_nodes (LAYER_NODES_HEAP);
    h = gst_harness_new_parse (SHARPEN);
    gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
        name_size, GUINT_TO_POINTER (info.size + sizes[i].more), NULL);
    gst_harness_set_sink_caps_str (h, DRM ("NV12"));
    gst_harness_set_src_caps_str (h, NV12);
    to = harness_push_pull (h, from);
    meta = gst_buffer_get_video_meta (to);
    fail_unless (meta != NULL);
    for (guint j = 0; j < 2; j++)
      fail_unless_equals_int (meta->stride[j], sizes[i].is_default
          ? GST_VIDEO_INFO_PLANE_STRIDE (&info, j) : 256);
    if (sizes[i].is_default)
      fail_unless_equals_uint64 (gst_buffer_get_size (to), info.size);
    fail_unless_equals_uint64 (harness_stat (h, "exports"), 1);
    gst_buffer_unref (to);
    gst_harness_teardown (h);
    check_end ();
  }
}

GST_END_TEST;

/* Whether mgpudownload offers caps */
#define GIVES(text) pad_knows ("mgpudownload", "src", text)

/* Tests that only formats of the kernels in a linear layout are offered, and only if dma-bufs can
 * be allocated. */
GST_START_TEST (test_drm_formats)
{
  layer_set_nodes (LAYER_NODES_HEAP);
  fail_unless (GIVES (DRM ("NV12")));
  fail_unless (GIVES (DRM ("{ NV12:0x0100000000000002, YU12 }")));
  fail_if (GIVES (DRM ("NV12:0x0100000000000002")));
  fail_if (GIVES (DRM ("RG16")));
  layer_set_nodes (LAYER_NODES_UDMABUF);
  fail_unless (GIVES (DRM ("NV12")));
  layer_set_nodes (LAYER_NODES_NONE);
  fail_if (GIVES (DRM ("NV12")));
  fail_unless (GIVES ("video/x-raw,format=NV12"));
}

GST_END_TEST;

/* Tests that an error is posted if the device node cannot allocate a dma-buf. */
GST_START_TEST (test_no_memory)
{
  GstVideoInfo info = info_from_string (NV12);
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;

  layer_set_device (LAYER_ROUTE_MAP, TRUE);
  layer_set_nodes (__i__ == 0 ? LAYER_NODES_HEAP : LAYER_NODES_UDMABUF);
  layer_fail ("ioctl");
  h = gst_harness_new_parse ("mgpudownload name=f");
  bus = harness_bus (h);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, DRM ("NV12"));
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT,
          FALSE));
  fail_unless (gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, 0)) !=
      GST_FLOW_OK);
  check_error (bus, "dma-buf", "memory");
}

GST_END_TEST;

CHECK_TESTS (mgpudmabufdrm)
{
  const guint n = G_N_ELEMENTS (devices);

  tcase_add_loop_test (tc, test_drm_caps, 0, n);
  tcase_add_loop_test (tc, test_shared_memory, 0, n);
  tcase_add_test (tc, test_named_size);
  tcase_add_test (tc, test_drm_formats);
  tcase_add_loop_test (tc, test_no_memory, 0, 2);
}

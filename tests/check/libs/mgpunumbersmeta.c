/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuNumbersMeta, and the functions that give applications a cl_mem. */
#include "../suite.h"

#include <gst/mgpu/mgpu.h>

#include <string.h>

static const gint32 edges[] = { 1234 };
static const gfloat means[] = { 0.5f, -2.25f, 1e30f };

static void
add_bytes (GstBuffer * frame, const gchar * name, GstMgpuNumbersType type,
    gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  gst_buffer_add_mgpu_numbers_meta_bytes (frame, name, type, bytes);
}

/* Returns: (transfer full): a frame with a list of integers and a list of floats */
static GstBuffer *
frame_new (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 48, NULL);

  add_bytes (frame, "edges", GST_MGPU_NUMBERS_TYPE_INT, edges, sizeof (edges));
  add_bytes (frame, "means", GST_MGPU_NUMBERS_TYPE_FLOAT, means,
      sizeof (means));
  return frame;
}

static void
check_lists (GstBuffer * frame)
{
  GstMgpuNumbersMeta *meta = gst_buffer_get_mgpu_numbers_meta (frame);
  g_autofree gdouble *integers = NULL, *floats = NULL;
  GstMgpuNumbersType type;
  const gchar *name;
  g_autoptr (GBytes) bytes = NULL;
  guint n;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_numbers_meta_get_n_lists (meta), 2);
  fail_unless (gst_mgpu_numbers_meta_get_list (meta, 0, &name, &type, &n));
  fail_unless_equals_string (name, "edges");
  fail_unless (type == GST_MGPU_NUMBERS_TYPE_INT && n == 1);
  fail_unless (gst_mgpu_numbers_meta_get_list (meta, 1, &name, &type, &n));
  fail_unless_equals_string (name, "means");
  fail_unless (type == GST_MGPU_NUMBERS_TYPE_FLOAT && n == 3);
  fail_unless_equals_int (gst_mgpu_numbers_meta_find (meta, "means"), 1);
  integers = gst_mgpu_numbers_meta_get_values (meta, 0, &n);
  fail_unless (n == 1 && integers[0] == 1234);
  floats = gst_mgpu_numbers_meta_get_values (meta, 1, &n);
  fail_unless (n == 3 && floats[1] == -2.25 && floats[2] == (gdouble) 1e30f);
  bytes = gst_mgpu_numbers_meta_get_bytes (meta, 1);
  fail_unless (g_bytes_get_size (bytes) == sizeof (means)
      && memcmp (g_bytes_get_data (bytes, NULL), means, sizeof (means)) == 0);
}

GST_START_TEST (test_access)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  GEnumClass *types = g_type_class_ref (GST_TYPE_MGPU_NUMBERS_TYPE);

  check_lists (frame);
  fail_unless_equals_string (g_enum_get_value (types,
          GST_MGPU_NUMBERS_TYPE_FLOAT)->value_nick, "float");
  g_type_class_unref (types);
}

GST_END_TEST;

/* Tests that the functions return NULL, FALSE or -1 for lists that do not exist. */
GST_START_TEST (test_absent)
{
  g_autoptr (GstBuffer) frame = frame_new (), none = gst_buffer_new ();
  GstMgpuNumbersMeta *meta = gst_buffer_get_mgpu_numbers_meta (frame);
  gsize offset = 7;
  guint n = 7;

  fail_unless (gst_buffer_get_mgpu_numbers_meta (none) == NULL);
  fail_unless_equals_int (gst_mgpu_numbers_meta_find (meta, "edge"), -1);
  fail_if (gst_mgpu_numbers_meta_get_list (meta, 2, NULL, NULL, NULL));
  fail_unless (gst_mgpu_numbers_meta_get_list (meta, 1, NULL, NULL, NULL));
  fail_if (gst_mgpu_numbers_meta_get_bytes (meta, 2));
  fail_if (gst_mgpu_numbers_meta_get_values (meta, 2, &n));
  fail_unless_equals_int (n, 0);
  fail_if (gst_mgpu_numbers_meta_get_memory (meta, 2, &offset));
  fail_unless (offset == 0);
  fail_unless (gst_mgpu_numbers_meta_get_memory (meta, 0, NULL));
}

GST_END_TEST;

/* Tests that a list of the same name is replaced, and that other lists are kept. A copy of the
 * frame that was made before keeps its own list. */
GST_START_TEST (test_replaced)
{
  static const gint32 many[] = { 1, 2, 3, 4 };
  g_autoptr (GstBuffer) frame = frame_new ();
  g_autoptr (GstBuffer) copy = gst_buffer_copy (frame);
  GstMgpuNumbersMeta *meta;
  guint n;

  add_bytes (frame, "edges", GST_MGPU_NUMBERS_TYPE_INT, many, sizeof (many));
  check_lists (copy);
  meta = gst_buffer_get_mgpu_numbers_meta (frame);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_NUMBERS_META_API_TYPE), 1);
  fail_unless_equals_int (gst_mgpu_numbers_meta_get_n_lists (meta), 2);
  fail_unless_equals_int (gst_mgpu_numbers_meta_find (meta, "means"), 0);
  fail_unless (gst_mgpu_numbers_meta_get_list (meta, 1, NULL, NULL, &n)
      && n == 4);
}

GST_END_TEST;

/* Tests that a memory object that is too short for its list gives no bytes. */
GST_START_TEST (test_short)
{
  g_autoptr (GstBuffer) frame = gst_buffer_new ();
  GstMgpuNumbersMeta *meta;

  gst_buffer_add_mgpu_numbers_meta (frame, "a", GST_MGPU_NUMBERS_TYPE_INT, 4,
      gst_buffer_new_allocate (NULL, 16, NULL), 4);
  gst_buffer_add_mgpu_numbers_meta (frame, "b", GST_MGPU_NUMBERS_TYPE_INT, 0,
      gst_buffer_new_allocate (NULL, 16, NULL), G_MAXSIZE);
  meta = gst_buffer_add_mgpu_numbers_meta (frame, "c",
      GST_MGPU_NUMBERS_TYPE_FLOAT, 3, gst_buffer_new_allocate (NULL, 16, NULL),
      4);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GBytes) bytes = gst_mgpu_numbers_meta_get_bytes (meta, i);

    fail_unless ((bytes != NULL) == (i == 2));
  }
}

GST_END_TEST;

/* Tests that lists are kept when the whole frame is copied, scaled or moved, and dropped when only
 * a part of a buffer's bytes is copied. */
GST_START_TEST (test_survives)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  g_autoptr (GstBuffer) whole = gst_buffer_copy_deep (frame);
  g_autoptr (GstBuffer) part = gst_buffer_copy_region (frame,
      GST_BUFFER_COPY_ALL, 0, 64);
  g_autoptr (GstBuffer) scaled = gst_buffer_new (), turned = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_get_mgpu_numbers_meta (frame);
  GstVideoInfo from, to;
  GstVideoMetaTransform scale = { &from, &to };
  GstMgpuMetaTransform turn = { &from, &from, {{0, -1, 10}, {1, 0, 0}
      }, 0, 0,
  10, 10
  };
  GstMgpuNumbersMeta *boxed;

  gst_video_info_set_format (&from, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  gst_video_info_set_format (&to, GST_VIDEO_FORMAT_GRAY8, 32, 96);
  check_lists (whole);
  fail_if (gst_buffer_get_mgpu_numbers_meta (part));
  fail_unless (meta->info->transform_func (scaled, meta, frame,
          gst_video_meta_transform_scale_get_quark (), &scale));
  check_lists (scaled);
  fail_unless (meta->info->transform_func (turned, meta, frame,
          gst_mgpu_meta_transform_affine_get_quark (), &turn));
  check_lists (turned);
  boxed = g_boxed_copy (GST_TYPE_MGPU_NUMBERS_META,
      gst_buffer_get_mgpu_numbers_meta (whole));
  gst_clear_buffer (&whole);
  gst_clear_buffer (&frame);
  fail_unless_equals_int (gst_mgpu_numbers_meta_find (boxed, "means"), 1);
  g_boxed_free (GST_TYPE_MGPU_NUMBERS_META, boxed);
}

GST_END_TEST;

static GstPadProbeReturn
add_lists (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  info->data = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  add_bytes (info->data, "edges", GST_MGPU_NUMBERS_TYPE_INT, edges,
      sizeof (edges));
  add_bytes (info->data, "means", GST_MGPU_NUMBERS_TYPE_FLOAT, means,
      sizeof (means));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
count_lists (GstPad * pad, GstPadProbeInfo * info, gpointer n)
{
  check_lists (GST_PAD_PROBE_INFO_BUFFER (info));
  g_atomic_int_inc ((gint *) n);
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement * pipeline, const gchar * name, const gchar * pad,
    GstPadProbeCallback probe, gpointer data)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) at = gst_element_get_static_pad (element, pad);

  gst_pad_add_probe (at, GST_PAD_PROBE_TYPE_BUFFER, probe, data, NULL);
}

/* Tests that elements that make new frames of other sizes and formats keep the lists. */
GST_START_TEST (test_pipeline)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch
      ("videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 "
      "! identity name=first ! tee name=t ! queue ! videoconvert ! videoscale ! "
      "video/x-raw,format=RGB,width=100,height=20 ! mgpublur ! videoflip "
      "method=clockwise ! fakesink name=a t. ! queue ! videocrop left=2 ! "
      "mgpuconvert ! video/x-raw,format=NV12,width=31,height=24 ! mgpuremap "
      "input=fisheye ! fakesink name=b", &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  gint n = 0;

  g_assert_no_error (error);
  add_probe (pipeline, "first", "src", add_lists, NULL);
  add_probe (pipeline, "a", "sink", count_lists, &n);
  add_probe (pipeline, "b", "sink", count_lists, &n);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless_equals_int (n, 6);
}

GST_END_TEST;

/* Tests lists in one device memory, and mapping that memory for OpenCL functions. */
GST_START_TEST (test_device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, &error);
  GstBuffer *numbers = gst_buffer_new ();
  g_autoptr (GstBuffer) frame = gst_buffer_new ();
  g_autoptr (GstMemory) host = gst_allocator_alloc (NULL, 16, NULL);
  GstMemory *memory = gst_mgpu_memory_new (queue, 16, NULL, &error);
  g_autofree gdouble *values = NULL;
  GstMgpuNumbersMeta *meta;
  gsize offset;
  guint n;

  g_assert_no_error (error);
  gst_buffer_append_memory (numbers, memory);
  fail_unless (gst_mgpu_memory_map_cl (host, GST_MAP_READ) == NULL);
  {
    cl_mem mem = gst_mgpu_memory_map_cl (memory, GST_MAP_WRITE);

    fail_unless_equals_int (clEnqueueWriteBuffer (gst_mgpu_queue_get_cl_queue
            (queue), mem, CL_TRUE, 4, sizeof (means), means, 0, NULL, NULL),
        CL_SUCCESS);
    gst_mgpu_memory_unmap_cl (memory, GST_MAP_WRITE);
  }
  meta = gst_buffer_add_mgpu_numbers_meta (frame, "means",
      GST_MGPU_NUMBERS_TYPE_FLOAT, 3, numbers, 4);
  fail_unless (gst_mgpu_numbers_meta_get_memory (meta, 0, &offset) == memory);
  fail_unless (offset == 4);
  values = gst_mgpu_numbers_meta_get_values (meta, 0, &n);
  fail_unless (n == 3 && values[0] == 0.5 && values[1] == -2.25);
}

GST_END_TEST;

CHECK_TESTS (mgpunumbersmeta)
{
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_absent);
  tcase_add_test (tc, test_replaced);
  tcase_add_test (tc, test_short);
  tcase_add_test (tc, test_survives);
  tcase_add_test (tc, test_pipeline);
  tcase_add_test (tc, test_device);
}

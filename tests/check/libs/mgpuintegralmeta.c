/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuIntegralMeta. */
#include "device.h"

#define WIDTH 3
#define HEIGHT 2
#define N ((WIDTH + 1) * (HEIGHT + 1))

/* Returns a table in device memory with the bytes @start, @start + 1 ... */
static GstBuffer *
table_new (gsize size, guint8 start)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  gst_buffer_append_memory (buffer, gst_mgpu_memory_new (queue, size, NULL,
          NULL));
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < size; i++)
    map.data[i] = start + i;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_row (GBytes * bytes, gsize size, guint8 start)
{
  const guint8 *data;
  gsize got;

  fail_unless (bytes != NULL);
  data = g_bytes_get_data (bytes, &got);
  fail_unless_equals_uint64 (got, size);
  for (gsize i = 0; i < size; i++)
    fail_unless_equals_int (data[i], (guint8) (start + i));
}

GST_START_TEST (test_access)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *sum = table_new (N * 4, 10), *squares = table_new (N * 8, 20);
  GstMgpuIntegralMeta *meta;
  g_autoptr (GBytes) bytes = NULL;
  guint columns, rows, sum_bytes;

  fail_unless (gst_buffer_get_mgpu_integral_meta (buffer) == NULL);
  meta = gst_buffer_add_mgpu_integral_meta (buffer, WIDTH, HEIGHT, 4, sum,
      squares);
  fail_unless (gst_buffer_get_mgpu_integral_meta (buffer) == meta);
  gst_mgpu_integral_meta_get_size (meta, &columns, &rows, &sum_bytes);
  fail_unless_equals_int (columns, WIDTH + 1);
  fail_unless_equals_int (rows, HEIGHT + 1);
  fail_unless_equals_int (sum_bytes, 4);
  gst_mgpu_integral_meta_get_size (meta, NULL, NULL, NULL);
  fail_unless (gst_mgpu_integral_meta_get_sum_memory (meta) ==
      gst_buffer_peek_memory (sum, 0));
  fail_unless (gst_mgpu_integral_meta_get_squared_sum_memory (meta) ==
      gst_buffer_peek_memory (squares, 0));

  bytes = gst_mgpu_integral_meta_get_squared_sum (meta);
  check_row (bytes, N * 8, 20);
  g_bytes_unref (bytes);

  /* Bytes of the meta that were read remain valid after the frame is freed. */
  bytes = gst_mgpu_integral_meta_get_sum (meta);
  gst_buffer_unref (buffer);
  check_row (bytes, N * 4, 10);
}

GST_END_TEST;

/* Tests that copies share the tables, and that a part of the frame has none. */
GST_START_TEST (test_copy)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
  GstBuffer *copy, *part;
  GstMgpuIntegralMeta *meta;
  g_autoptr (GBytes) bytes = NULL;

  gst_buffer_add_mgpu_integral_meta (buffer, WIDTH, HEIGHT, 8,
      table_new (N * 8, 1), NULL);
  copy = gst_buffer_copy (buffer);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 4, 8);
  fail_unless (gst_buffer_get_mgpu_integral_meta (part) == NULL);
  meta = gst_buffer_get_mgpu_integral_meta (copy);
  fail_unless (meta != NULL);
  fail_unless (gst_mgpu_integral_meta_get_sum_memory (meta) ==
      gst_mgpu_integral_meta_get_sum_memory
      (gst_buffer_get_mgpu_integral_meta (buffer)));
  gst_buffer_unref (part);
  gst_buffer_unref (buffer);

  fail_unless (gst_mgpu_integral_meta_get_squared_sum (meta) == NULL);
  fail_unless (gst_mgpu_integral_meta_get_squared_sum_memory (meta) == NULL);
  bytes = gst_mgpu_integral_meta_get_sum (meta);
  check_row (bytes, N * 8, 1);
  gst_buffer_unref (copy);
}

GST_END_TEST;

/* Tests that a boxed copy of the meta, which language bindings use, outlives the frame, and can be
 * read like any meta. */
GST_START_TEST (test_boxed)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMgpuIntegralMeta *meta = gst_buffer_add_mgpu_integral_meta (buffer, WIDTH,
      HEIGHT, 4, table_new (N * 4, 10), NULL);
  GstMgpuIntegralMeta *copy = g_boxed_copy (GST_TYPE_MGPU_INTEGRAL_META, meta);
  g_autoptr (GBytes) bytes = NULL;

  fail_unless (copy != meta);
  gst_buffer_unref (buffer);
  fail_unless (gst_meta_get_seqnum (&copy->meta) > 0);
  bytes = gst_mgpu_integral_meta_get_sum (copy);
  g_boxed_free (GST_TYPE_MGPU_INTEGRAL_META, copy);
  check_row (bytes, N * 4, 10);
}

GST_END_TEST;

CHECK_TESTS (mgpuintegralmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_boxed);
}

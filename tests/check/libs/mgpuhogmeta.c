/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuHogMeta. */
#include "device.h"

#define OF_CELL (GST_MGPU_HOG_FEATURES * sizeof (gfloat))

static const GstMgpuHogLevel levels[] = {
  {3, 2, 0, 1.0, 4}, {1, 1, 6, 0.5, 8}
};

/* Returns a buffer with the features of @n cells; each feature is the number of its cell. */
static GstBuffer *
features_new (guint n)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  gst_buffer_append_memory (buffer, gst_mgpu_memory_new (queue, n * OF_CELL,
          NULL, NULL));
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < n * GST_MGPU_HOG_FEATURES; i++)
    ((gfloat *) map.data)[i] = i;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_both (GBytes * bytes, guint n, guint first)
{
  const gfloat *data;
  gsize size;

  fail_unless (bytes != NULL);
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, n * OF_CELL);
  for (guint i = 0; i < n * GST_MGPU_HOG_FEATURES; i++)
    fail_unless (data[i] == first * GST_MGPU_HOG_FEATURES + i);
  g_bytes_unref (bytes);
}

GST_START_TEST (test_access)
{
  GstBuffer *buffer = gst_buffer_new (), *features = features_new (7);
  guint columns, rows, cell_size;
  GstMgpuHogMeta *meta;
  gdouble scale;
  GBytes *bytes;

  fail_unless (gst_buffer_get_mgpu_hog_meta (buffer) == NULL);
  meta = gst_buffer_add_mgpu_hog_meta (buffer, features, levels, 2,
      GST_MGPU_HOG_FEATURES);
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_features (meta),
      GST_MGPU_HOG_FEATURES);
  fail_unless (gst_buffer_get_mgpu_hog_meta (buffer) == meta);
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_levels (meta), 2);
  fail_unless (gst_mgpu_hog_meta_get_level (meta, 0, &columns, &rows, &scale,
          &cell_size));
  fail_unless_equals_int (columns, 3);
  fail_unless_equals_int (rows, 2);
  fail_unless (scale == 1.0);
  fail_unless_equals_int (cell_size, 4);
  fail_unless (gst_mgpu_hog_meta_get_level (meta, 1, NULL, NULL, NULL, NULL));
  fail_if (gst_mgpu_hog_meta_get_level (meta, 2, &columns, NULL, NULL, NULL));
  fail_unless_equals_int (gst_mgpu_hog_meta_get_levels (meta)[1].offset, 6);
  fail_unless (gst_mgpu_hog_meta_get_memory (meta) ==
      gst_buffer_peek_memory (features, 0));
  fail_unless (gst_mgpu_hog_meta_get_features (meta, 2) == NULL);
  check_both (gst_mgpu_hog_meta_get_features (meta, 0), 6, 0);

  /* Bytes of the meta that were read remain valid after the frame is freed. */
  bytes = gst_mgpu_hog_meta_get_features (meta, 1);
  gst_buffer_unref (buffer);
  check_both (bytes, 1, 6);
}

GST_END_TEST;

/* Tests that a copy of the frame shares the features. A copy of a part of the frame has no
 * features, and neither has a level that the memory does not contain. */
GST_START_TEST (test_copy)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
  GstBuffer *copy, *part;
  GstMgpuHogMeta *meta;

  gst_buffer_add_mgpu_hog_meta (buffer, features_new (6), levels, 2,
      GST_MGPU_HOG_FEATURES);
  copy = gst_buffer_copy (buffer);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 4, 8);
  fail_unless (gst_buffer_get_mgpu_hog_meta (part) == NULL);
  meta = gst_buffer_get_mgpu_hog_meta (copy);
  fail_unless (meta != NULL);
  fail_unless (gst_mgpu_hog_meta_get_memory (meta) ==
      gst_mgpu_hog_meta_get_memory (gst_buffer_get_mgpu_hog_meta (buffer)));
  gst_buffer_unref (part);
  gst_buffer_unref (buffer);
  check_both (gst_mgpu_hog_meta_get_features (meta, 0), 6, 0);
  fail_unless (gst_mgpu_hog_meta_get_features (meta, 1) == NULL);
  gst_buffer_unref (copy);
}

GST_END_TEST;

/* Tests that a boxed copy of the meta, which language bindings use, outlives the frame, and can be
 * read like any meta. */
GST_START_TEST (test_boxed)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMgpuHogMeta *meta = gst_buffer_add_mgpu_hog_meta (buffer,
      features_new (7), levels, 2, GST_MGPU_HOG_FEATURES);
  GstMgpuHogMeta *copy = g_boxed_copy (GST_TYPE_MGPU_HOG_META, meta);

  fail_unless (copy != meta);
  gst_buffer_unref (buffer);
  fail_unless (gst_meta_get_seqnum (&copy->meta) > 0);
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_levels (copy), 2);
  check_both (gst_mgpu_hog_meta_get_features (copy, 1), 1, 6);
  g_boxed_free (GST_TYPE_MGPU_HOG_META, copy);
}

GST_END_TEST;

CHECK_TESTS (mgpuhogmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_boxed);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuPyramidMeta. */
#include "device.h"

#include <string.h>

#define DETAIL_SIZE 256

/* Returns: a buffer with device memory that holds @size bytes of the value 7 */
static GstBuffer *
sevens_new (gsize size)
{
  guint8 bytes[DETAIL_SIZE];

  memset (bytes, 7, sizeof (bytes));
  return device_buffer_new (queue, bytes, size);
}

GST_START_TEST (test_levels)
{
  GstBuffer *buffer = gst_buffer_new (), *copy, *part;
  GstBuffer *frames[3];
  g_autoptr (GError) error = NULL;
  GstMgpuPyramidMeta *meta = gst_buffer_add_mgpu_pyramid_meta (buffer, 3);

  for (guint i = 0; i < 3; i++) {
    frames[i] = sevens_new (64 >> i);
    gst_mgpu_pyramid_meta_set_level (meta, i, frames[i]);
  }
  fail_unless (gst_buffer_get_mgpu_pyramid_meta (buffer) == meta);
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 16, NULL));
  copy = gst_buffer_copy (buffer);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 4, 8);
  fail_unless (gst_buffer_get_mgpu_pyramid_meta (part) == NULL);
  gst_buffer_unref (part);
  gst_buffer_unref (buffer);

  /* Copies share the levels. */
  meta = gst_buffer_get_mgpu_pyramid_meta (copy);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels (meta), 3);
  for (guint i = 0; i < 3; i++) {
    fail_unless (gst_mgpu_pyramid_meta_get_level (meta, i) == frames[i]);
    fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_components (meta, i),
        0);
    fail_unless (gst_mgpu_pyramid_meta_get_detail (meta, i) == NULL);
    fail_unless (gst_mgpu_pyramid_meta_get_detail_memory (meta, i) == NULL);
  }
  fail_unless (gst_mgpu_pyramid_meta_get_level (meta, 3) == NULL);
  /* Bytes without a GstVideoMeta are not frames. */
  fail_unless (gst_mgpu_pyramid_meta_collapse (meta, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  gst_buffer_unref (copy);
}

GST_END_TEST;

GST_START_TEST (test_detail)
{
  const GstMgpuPyramidPlane planes[2] = { {8, 4, 0, 16, 2}, {4, 2, 64, 16, 4} };
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *detail = sevens_new (DETAIL_SIZE);
  GstMgpuPyramidMeta *meta = gst_buffer_add_mgpu_pyramid_meta (buffer, 2);
  GstMgpuPyramidPlane plane;
  GError *error = NULL;
  const guint8 *data;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  gst_mgpu_pyramid_meta_set_detail (meta, 0, detail, 2, planes);
  gst_mgpu_pyramid_meta_set_level (meta, 1, sevens_new (16));
  fail_unless (gst_mgpu_pyramid_meta_get_level (meta, 0) == NULL);
  fail_unless (gst_mgpu_pyramid_meta_get_level (meta, 1) != NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_components (meta, 0), 2);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_components (meta, 9), 0);
  for (guint i = 0; i < 2; i++) {
    fail_unless (gst_mgpu_pyramid_meta_get_plane (meta, 0, i, &plane));
    fail_unless (memcmp (&plane, &planes[i], sizeof (plane)) == 0);
  }
  fail_if (gst_mgpu_pyramid_meta_get_plane (meta, 0, 2, &plane));
  fail_if (gst_mgpu_pyramid_meta_get_plane (meta, 1, 0, &plane));
  /* Adds detail levels at other offsets than those of mgpupyramid. */
  gst_buffer_add_video_meta (gst_mgpu_pyramid_meta_get_level (meta, 1),
      GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 4, 2);
  fail_unless (gst_mgpu_pyramid_meta_collapse (meta, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  g_clear_error (&error);
  fail_unless (gst_mgpu_pyramid_meta_get_detail_memory (meta, 0) ==
      gst_buffer_peek_memory (detail, 0));

  /* Bytes of the meta that were read remain valid after the frame is freed. */
  bytes = gst_mgpu_pyramid_meta_get_detail (meta, 0);
  gst_buffer_unref (buffer);
  fail_unless (bytes != NULL);
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, DETAIL_SIZE);
  fail_unless_equals_int (data[0], 7);
  fail_unless_equals_int (data[DETAIL_SIZE - 1], 7);
}

GST_END_TEST;

/* Tests that a boxed copy of the meta, which language bindings use, outlives the frame, and can be
 * read like any meta. */
GST_START_TEST (test_boxed)
{
  GstBuffer *buffer = gst_buffer_new (), *level = sevens_new (64);
  GstMgpuPyramidMeta *meta = gst_buffer_add_mgpu_pyramid_meta (buffer, 1);
  GstMgpuPyramidMeta *copy;

  gst_mgpu_pyramid_meta_set_level (meta, 0, level);
  copy = g_boxed_copy (GST_TYPE_MGPU_PYRAMID_META, meta);
  fail_unless (copy != meta);
  gst_buffer_unref (buffer);
  fail_unless (gst_meta_get_seqnum (&copy->meta) > 0);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels (copy), 1);
  fail_unless (gst_mgpu_pyramid_meta_get_level (copy, 0) == level);
  g_boxed_free (GST_TYPE_MGPU_PYRAMID_META, copy);
}

GST_END_TEST;

CHECK_TESTS (mgpupyramidmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_levels);
  tcase_add_test (tc, test_detail);
  tcase_add_test (tc, test_boxed);
}

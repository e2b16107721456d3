/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuFlowMeta. */
#include "device.h"

#include <gst/video/video.h>
#include <string.h>

#define TO GST_MGPU_FLOW_FIELD_TO_PREVIOUS
#define FROM GST_MGPU_FLOW_FIELD_FROM_PREVIOUS

/* A field of 3x2 samples for 2x2 pixels each */
#define WIDTH 3
#define HEIGHT 2
#define SHIFT 1

static const gint16 samples[HEIGHT][WIDTH][2] = {
  {{0, 32}, {64, -3}, {-7, 5}},
  {{1, 1}, {32767, -32767}, {GST_MGPU_FLOW_NONE, GST_MGPU_FLOW_NONE}}
};

static const guint8 trust[HEIGHT * WIDTH] = { 0, 1, 2, 253, 254, 255 };

/* A frame with one field. Its memories are longer than the field, as those of pools may be. */
static GstBuffer *
frame_new (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 16, NULL);
  GstMgpuFlowMeta *meta = gst_buffer_add_mgpu_flow_meta (frame, WIDTH, HEIGHT,
      SHIFT, 41);
  guint8 bytes[sizeof (samples) + 8] = { 0 };

  memcpy (bytes, samples, sizeof (samples));
  gst_mgpu_flow_meta_set_field (meta, TO,
      device_buffer_new (queue, bytes, sizeof (bytes)),
      device_buffer_new (queue, trust, sizeof (trust)));
  return frame;
}

static void
check_bytes (GBytes * bytes, gconstpointer want, gsize size)
{
  fail_unless (bytes != NULL);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), size);
  fail_unless (memcmp (g_bytes_get_data (bytes, NULL), want, size) == 0);
  g_bytes_unref (bytes);
}

static void
check_meta (GstMgpuFlowMeta * meta)
{
  guint width, height, shift;

  fail_unless (meta != NULL);
  fail_unless (gst_mgpu_flow_meta_get_field (meta, TO, &width, &height,
          &shift));
  fail_unless_equals_int (width, WIDTH);
  fail_unless_equals_int (height, HEIGHT);
  fail_unless_equals_int (shift, SHIFT);
  fail_unless_equals_uint64 (gst_mgpu_flow_meta_get_previous_offset (meta), 41);
  check_bytes (gst_mgpu_flow_meta_get_bytes (meta, TO), samples,
      sizeof (samples));
  check_bytes (gst_mgpu_flow_meta_get_confidence (meta, TO), trust,
      sizeof (trust));
  fail_unless (gst_is_mgpu_memory (gst_mgpu_flow_meta_get_memory (meta, TO)));
  fail_unless (gst_is_mgpu_memory (gst_mgpu_flow_meta_get_confidence_memory
          (meta, TO)));

  fail_if (gst_mgpu_flow_meta_get_field (meta, FROM, NULL, NULL, NULL));
  fail_unless (gst_mgpu_flow_meta_get_bytes (meta, FROM) == NULL);
  fail_unless (gst_mgpu_flow_meta_get_confidence (meta, FROM) == NULL);
  fail_unless (gst_mgpu_flow_meta_get_memory (meta, FROM) == NULL);
  fail_unless (gst_mgpu_flow_meta_get_confidence_memory (meta, FROM) == NULL);
  fail_if (gst_mgpu_flow_meta_get_flow (meta, FROM, 0, 0, NULL, NULL));
}

GST_START_TEST (test_access)
{
  GstBuffer *frame = gst_buffer_new ();

  fail_unless (gst_buffer_get_mgpu_flow_meta (frame) == NULL);
  gst_buffer_unref (frame);
  frame = frame_new ();
  check_meta (gst_buffer_get_mgpu_flow_meta (frame));
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* Pixel (x, y) is 1/4 of a sample beside the middle of one. Beyond the middles of the outer
 * samples their flow goes on. */
GST_START_TEST (test_flow)
{
  static const struct
  {
    guint x, y;
    gint dx, dy;
  } pixels[] = {
    {0, 0, 0, 32}, {1, 0, 16, 23}, {2, 0, 48, 6}, {5, 0, -7, 5},
    {0, 1, 0, 24}, {1, 1, 2060, -2030}
  };
  GstBuffer *frame = frame_new ();
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (frame);
  gfloat dx, dy;

  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++) {
    fail_unless (gst_mgpu_flow_meta_get_flow (meta, TO, pixels[i].x,
            pixels[i].y, &dx, &dy));
    GST_INFO ("%u %u: %f %f", pixels[i].x, pixels[i].y, dx * 32, dy * 32);
    fail_unless_equals_float (dx * 32, pixels[i].dx);
    fail_unless_equals_float (dy * 32, pixels[i].dy);
  }
  fail_if (gst_mgpu_flow_meta_get_flow (meta, TO, 4, 2, &dx, &dy));
  fail_if (gst_mgpu_flow_meta_get_flow (meta, TO, 6, 0, &dx, &dy));
  fail_if (gst_mgpu_flow_meta_get_flow (meta, TO, 0, 4, &dx, &dy));
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* Copies share the fields; a part of the frame has none. */
GST_START_TEST (test_copy)
{
  GstBuffer *frame = frame_new (), *copy, *part;
  GstMgpuFlowMeta *boxed;

  copy = gst_buffer_copy (frame);
  part = gst_buffer_copy_region (frame, GST_BUFFER_COPY_ALL, 4, 8);
  fail_unless (gst_buffer_get_mgpu_flow_meta (part) == NULL);
  gst_buffer_unref (part);
  gst_buffer_unref (frame);
  boxed = g_boxed_copy (GST_TYPE_MGPU_FLOW_META,
      gst_buffer_get_mgpu_flow_meta (copy));
  check_meta (gst_buffer_get_mgpu_flow_meta (copy));
  gst_buffer_unref (copy);
  fail_unless (gst_meta_get_seqnum (&boxed->meta) > 0);
  check_meta (boxed);
  g_boxed_free (GST_TYPE_MGPU_FLOW_META, boxed);
}

GST_END_TEST;

/* A new format of the same pixels keeps the flow, all other transforms drop it. */
GST_START_TEST (test_transform)
{
  static const struct
  {
    gint width, x;
    gdouble matrix[2][3];
    gboolean is_kept;
  } cases[] = {
    {6, 0, {{1, 0, 0}, {0, 1, 0}}, TRUE}, {5, 0, {{1, 0, 0}, {0, 1, 0}}, FALSE},
    {6, 0, {{1, 0, 1}, {0, 1, 0}}, FALSE}, {6, 1, {{1, 0, 0}, {0, 1, 0}},
        FALSE},
    {6, 0, {{-1, 0, 6}, {0, 1, 0}}, FALSE}
  };
  GstBuffer *frame = frame_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_get_mgpu_flow_meta (frame);
  GstVideoInfo in, out;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 6, 4);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *to = gst_buffer_new ();
    GstMgpuMetaTransform t = { &in, &out, {{0}
        }, cases[i].x, 0,
    cases[i].width, 4
    };

    gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGB, cases[i].width, 4);
    memcpy (t.matrix, cases[i].matrix, sizeof (t.matrix));
    fail_unless_equals_int (meta->info->transform_func (to, meta, frame,
            gst_mgpu_meta_transform_affine_get_quark (), &t), cases[i].is_kept);
    if (cases[i].is_kept)
      check_meta (gst_buffer_get_mgpu_flow_meta (to));
    else
      fail_unless (gst_buffer_get_mgpu_flow_meta (to) == NULL);
    gst_buffer_unref (to);
  }
  gst_buffer_unref (frame);
}

GST_END_TEST;

CHECK_TESTS (mgpuflowmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_flow);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_transform);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuFlowMeta. */
#include "device.h"

#include <gst/video/video.h>
#include <string.h>

#include "../../reference/flow.h"

#define TO GST_MGPU_FLOW_FIELD_TO_PREVIOUS
#define FROM GST_MGPU_FLOW_FIELD_FROM_PREVIOUS

/* A flow field of 3x2 samples for 2x2 pixels each */
#define WIDTH 3
#define HEIGHT 2
#define SHIFT 1

static const gint16 samples[HEIGHT][WIDTH][2] = {
  {{0, 32}, {64, -3}, {-7, 5}},
  {{1, 1}, {32767, -32767}, {GST_MGPU_FLOW_NONE, GST_MGPU_FLOW_NONE}}
};

static const guint8 trust[HEIGHT * WIDTH] = { 0, 1, 2, 253, 254, 255 };

/* Returns a frame with one flow field. The memory blocks are longer than the field, as those of
 * pools are. */
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

/* Tests flow between samples: pixel (x, y) is a quarter of a sample away from the center of a
 * sample. Beyond the centers of the outer samples their flow continues. */
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
  g_autoptr (GstBuffer) frame = frame_new ();
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
}

GST_END_TEST;

/* Tests that the motion in a box is the median of the samples that the box touches and whose
 * confidence is high enough. */
GST_START_TEST (test_median)
{
  static const struct
  {
    gint x, y;
    guint width, height;
    gint n, n_all;              /* number of samples in the box whose confidence is high enough,
                                 * and number of all samples in the box */
    gint dx, dy;
  } boxes[] = {
    {0, 0, 6, 4, 2, 6, 1, -32767}, {-9, -9, 90, 90, 2, 6, 1, -32767},
    {0, 2, 2, 2, 1, 1, 1, 1}, {1, 3, 2, 9, 2, 2, 1, -32767},
    {3, 3, 1, 1, 1, 1, 32767, -32767}, {0, 0, 6, 2, 0, 3, 0, 0},
    {4, 2, 2, 2, 0, 1, 0, 0}, {6, 0, 5, 5, 0, 1, 0, 0}, {-5, 0, 5, 5, 0, 1, 0,
        0},
    {0, 0, 0, 4, 0, 1, 0, 0}, {0, 0, G_MAXUINT, G_MAXUINT, 2, 6, 1, -32767}
  };
  g_autoptr (GstBuffer) frame = frame_new ();
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (frame);

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    gfloat dx = 9, dy = 9, share = 9;

    fail_unless_equals_int (gst_mgpu_flow_meta_median_in_box (meta, TO,
            boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height, &dx, &dy,
            &share), boxes[i].n > 0);
    fail_unless_equals_float (dx * 32, boxes[i].dx);
    fail_unless_equals_float (dy * 32, boxes[i].dy);
    fail_unless_equals_float (share, boxes[i].n / (gfloat) boxes[i].n_all);
  }
  fail_if (gst_mgpu_flow_meta_median_in_box (meta, FROM, 0, 0, 6, 4, NULL, NULL,
          NULL));
}

GST_END_TEST;

/* Tests that copies share the flow fields, and that a part of the frame has no meta. */
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

/* Transforms the meta of @from, a frame of 6x4, for a new frame of @width x @height. Returns:
 * (transfer full): the new frame with its meta, if it has one */
static GstBuffer *
transform (GstMgpuFlowMeta * from, gint x, gint width, gint height,
    gdouble matrix[2][3])
{
  GstMgpuMetaTransform t = {.x = x,.width = width,.height = height };
  GstBuffer *frame = gst_buffer_new (), *to = gst_buffer_new ();
  GstVideoInfo in, out;
  gboolean ok;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 6, 4);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGB, width, height);
  t.in_info = &in;
  t.out_info = &out;
  memcpy (t.matrix, matrix, sizeof (t.matrix));
  ok = from->meta.info->transform_func (to, (GstMeta *) from, frame,
      gst_mgpu_meta_transform_affine_get_quark (), &t);
  fail_unless (ok == (gst_buffer_get_mgpu_flow_meta (to) != NULL));
  gst_buffer_unref (frame);
  return to;
}

/* Tests that converting the format of the same pixels keeps the flow; scaling, rotating, and
 * cropping between samples drop it. */
GST_START_TEST (test_transform)
{
  static struct
  {
    gint width, x;
    gdouble matrix[2][3];
    gboolean is_kept;
  } cases[] = {
    {6, 0, {{1, 0, 0}, {0, 1, 0}}, TRUE}, {7, 0, {{1, 0, 0}, {0, 1, 0}}, FALSE},
    {6, 0, {{1, 0, 1}, {0, 1, 0}}, FALSE}, {6, 1, {{1, 0, 0}, {0, 1, 0}},
        FALSE},
    {6, 0, {{-1, 0, 6}, {0, 1, 0}}, FALSE}, {6, 0, {{2, 0, 0}, {0, 1, 0}},
        FALSE},
    {5, 0, {{1, 0, -1}, {0, 1, 0}}, FALSE}, {4, 0, {{1, 0, -2.5}, {0, 1, 0}},
        FALSE},
    {6, 0, {{1, 0, -2}, {0, 1, 0}}, FALSE}, {6, 0, {{0, 1, 0}, {1, 0, 0}},
        FALSE}
  };
  g_autoptr (GstBuffer) frame = frame_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *to = transform (gst_buffer_get_mgpu_flow_meta (frame),
        cases[i].x, cases[i].width, 4, cases[i].matrix);

    fail_unless ((gst_buffer_get_mgpu_flow_meta (to) != NULL)
        == cases[i].is_kept);
    if (cases[i].is_kept)
      check_meta (gst_buffer_get_mgpu_flow_meta (to));
    gst_buffer_unref (to);
  }
}

GST_END_TEST;

/* Tests that a frame that is cropped at the corner of a sample has the samples of the remaining
 * part. */
GST_START_TEST (test_crop)
{
  static gdouble right[2][3] = { {1, 0, -2}, {0, 1, 0} };
  static gdouble below[2][3] = { {1, 0, 0}, {0, 1, -2} };
  static gdouble corner[2][3] = { {1, 0, 0}, {0, 1, 0} };
  static const gint16 want[2][2][2] = {
    {{64, -3}, {-7, 5}},
    {{32767, -32767}, {GST_MGPU_FLOW_NONE, GST_MGPU_FLOW_NONE}}
  };
  static const guint8 sure[4] = { 1, 2, 254, 255 };
  GstBuffer *frame = frame_new (), *part, *again;
  GstMgpuFlowMeta *meta;
  guint width, height;
  gfloat dx, dy, share;

  part = transform (gst_buffer_get_mgpu_flow_meta (frame), 0, 4, 4, right);
  gst_buffer_unref (frame);
  meta = gst_buffer_get_mgpu_flow_meta (part);
  fail_unless (gst_mgpu_flow_meta_get_field (meta, TO, &width, &height, NULL));
  fail_unless_equals_int (width, 2);
  fail_unless_equals_int (height, 2);
  fail_unless_equals_uint64 (gst_mgpu_flow_meta_get_previous_offset (meta), 41);
  check_bytes (gst_mgpu_flow_meta_get_bytes (meta, TO), want, sizeof (want));
  check_bytes (gst_mgpu_flow_meta_get_confidence (meta, TO), sure,
      sizeof (sure));
  fail_unless (gst_mgpu_flow_meta_get_memory (meta, TO) == NULL);
  fail_unless (gst_mgpu_flow_meta_get_confidence_memory (meta, TO) == NULL);
  fail_unless (gst_mgpu_flow_meta_get_flow (meta, TO, 3, 0, &dx, &dy));
  fail_unless_equals_float (dx * 32, -7);
  fail_unless_equals_float (dy * 32, 5);
  fail_if (gst_mgpu_flow_meta_get_flow (meta, TO, 4, 0, &dx, &dy));
  fail_unless (gst_mgpu_flow_meta_median_in_box (meta, TO, 0, 0, 4, 4, &dx, &dy,
          &share));
  fail_unless_equals_float (dx * 32, 32767);
  fail_unless_equals_float (share, 0.25);

  /* Crops a part of the part, and then all of it. */
  for (guint i = 0; i < 2; i++) {
    again = transform (meta, 0, i == 0 ? 4 : 1, i == 0 ? 2 : 1,
        i == 0 ? below : corner);
    gst_buffer_unref (part);
    part = again;
    meta = gst_buffer_get_mgpu_flow_meta (part);
    check_bytes (gst_mgpu_flow_meta_get_bytes (meta, TO), want[1],
        i == 0 ? 8 : 4);
  }
  gst_buffer_unref (part);
}

GST_END_TEST;

#define IMAGE_WIDTH 44
#define IMAGE_HEIGHT 30

/* Returns an image of rectangles, moved by (2 @t, @t) pixels, in rows of @stride bytes */
static GstBuffer *
image_new (gint t, guint bytes, gint stride)
{
  guint8 *data = g_malloc0 (IMAGE_HEIGHT * stride);

  for (gint y = 0; y < IMAGE_HEIGHT; y++)
    for (gint x = 0; x < IMAGE_WIDTH; x++) {
      guint i = (x + 300 - 2 * t) / 9, j = (y + 300 - t) / 7;

      /* All bytes of a pixel have the same value: gray, also in RGB. */
      memset (data + y * stride + x * bytes,
          (i * 40503u ^ j * 9176u) * 2654435761u >> 24, bytes);
    }
  return gst_buffer_new_wrapped (data, IMAGE_HEIGHT * stride);
}

static GstCaps *
image_caps_new (const gchar * format, gint width)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format,
      "width", G_TYPE_INT, width, "height", G_TYPE_INT, IMAGE_HEIGHT, NULL);
}

/* Tests that the flow between two images equals the reference, for gray images and for the same
 * images in RGB. */
GST_START_TEST (test_images)
{
  static const struct
  {
    const gchar *format;
    guint bytes;
    gint stride;
  } formats[] = { {"GRAY8", 1, 44}, {"BGRx", 4, 176} };
  const RefFlowParams params = { REF_FLOW_MEDIUM, FALSE };
  GstBuffer *grey[2] = { image_new (0, 1, 44), image_new (1, 1, 44) };
  RefPlane planes[2];
  RefFlow want[2];
  GstMapInfo map[2];

  for (guint i = 0; i < 2; i++) {
    fail_unless (gst_buffer_map (grey[i], &map[i], GST_MAP_READ));
    planes[i] = (RefPlane) {
    .data = map[i].data,.stride = 44,.pixel_stride = 1,.width =
          IMAGE_WIDTH,.height = IMAGE_HEIGHT,.bytes = 1,.max = 255};
    ref_flow_size (&params, IMAGE_WIDTH, IMAGE_HEIGHT, &want[i]);
    want[i].flow = g_new (gint16, 2 * want[i].width * want[i].height);
    want[i].confidence = g_new (guint8, want[i].width * want[i].height);
  }
  for (guint i = 0; i < 2; i++)
    fail_unless (ref_flow (&params, &planes[i], &planes[!i], NULL, &want[i]));
  ref_flow_compare (&want[0], &want[1]);
  ref_flow_compare (&want[1], &want[0]);
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (GstBuffer) from = image_new (0, formats[f].bytes,
        formats[f].stride), to = image_new (1, formats[f].bytes,
        formats[f].stride);
    g_autoptr (GstCaps) caps = image_caps_new (formats[f].format, IMAGE_WIDTH);
    g_autoptr (GError) error = NULL;
    GstMgpuFlowMeta *meta = gst_mgpu_flow_images (context, from, to, caps,
        GST_MGPU_FLOW_PRESET_MEDIUM, FALSE, TRUE, &error);

    fail_unless (meta != NULL, "%s", error ? error->message : "");
    for (guint i = 0; i < 2; i++) {
      gsize n = (gsize) want[i].width * want[i].height;

      check_bytes (gst_mgpu_flow_meta_get_bytes (meta, (GstMgpuFlowField) i),
          want[i].flow, 4 * n);
      check_bytes (gst_mgpu_flow_meta_get_confidence (meta,
              (GstMgpuFlowField) i), want[i].confidence, n);
    }
    g_boxed_free (GST_TYPE_MGPU_FLOW_META, meta);
  }
  for (guint i = 0; i < 2; i++) {
    gst_buffer_unmap (grey[i], &map[i]);
    gst_buffer_unref (grey[i]);
    g_free (want[i].flow);
    g_free (want[i].confidence);
  }
}

GST_END_TEST;

/* Tests errors: images that are too small, have another format, or are smaller than their caps, and
 * caps that are not fixed. */
GST_START_TEST (test_images_unsupported)
{
  static const struct
  {
    const gchar *format;
    gint width;
    const gchar *word;
  } cases[] = { {"GRAY8", 15, "16x16"}, {"RGB16", 44, "8-bit"},
  {"GRAY8", 45, "does not contain"}, {NULL, 44, "a format and a size"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstBuffer) from = image_new (0, 1, 44), to =
        image_new (1, 1, 44);
    g_autoptr (GstCaps) caps = cases[i].format == NULL ? gst_caps_new_any ()
        : image_caps_new (cases[i].format, cases[i].width);
    g_autoptr (GError) error = NULL;

    fail_unless (gst_mgpu_flow_images (context, from, to, caps,
            GST_MGPU_FLOW_PRESET_FAST, FALSE, FALSE, &error) == NULL);
    fail_unless (g_error_matches (error, GST_MGPU_ERROR,
            GST_MGPU_ERROR_UNSUPPORTED));
    fail_unless (strstr (error->message, cases[i].word) != NULL, "%s",
        error->message);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuflowmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_flow);
  tcase_add_test (tc, test_median);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_transform);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_images);
  tcase_add_test (tc, test_images_unsupported);
}

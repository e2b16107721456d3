/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuMovingMeta. */
#include "device.h"

#include <gst/video/video.h>
#include <string.h>

#define WIDTH 6
#define HEIGHT 4
#define STEP 2
#define COLUMNS 3
#define ROWS 2

static const GstMgpuMovingRegion regions[] = {
  {.id = 7,.x = 2,.y = 0,.width = 6,.height = 4,.age = 12,.share = 0.25,
      .confidence = 0.5,.dx = 1,.dy = -0.5},
  {.id = 9,.x = 10,.y = 6,.width = 2,.height = 2,.age = 8,.share = 0.04,
      .confidence = 1}
};

static guint8 mask[WIDTH * HEIGHT];
static const guint16 field[] = { 9, 1, 2, 65000 };
static const guint16 heat[COLUMNS * ROWS] = { 0, 256, 511, 1, 2, 65280 };

/* Returns a frame of 12x8 pixels with the meta. The memory blocks are longer than the tables, as
 * those of pools are. */
static GstBuffer *
frame_new (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 96, NULL);
  GstMgpuMovingMeta *meta = gst_buffer_add_mgpu_moving_meta (frame, regions,
      G_N_ELEMENTS (regions), TRUE, 3);
  guint8 bytes[sizeof (mask) + 4] = { 0 };

  for (guint i = 0; i < sizeof (mask); i++)
    mask[i] = i % 3 == 0 ? 255 : i % 3 == 1 ? 127 : 0;
  memcpy (bytes, mask, sizeof (mask));
  gst_mgpu_moving_meta_set_mask (meta,
      device_buffer_new (queue, bytes, sizeof (bytes)), WIDTH, HEIGHT, STEP);
  gst_mgpu_moving_meta_set_heat (meta,
      device_buffer_new (queue, heat, sizeof (heat)), COLUMNS, ROWS, 2);
  gst_mgpu_moving_meta_set_light_field (meta,
      device_buffer_new (queue, field, sizeof (field)), 1, 8, 5);
  gst_mgpu_moving_meta_set_light (meta, -2048, 0.75, 1.5, "blurred");
  return frame;
}

/* Checks the fields that do not depend on the position in the frame. */
static void
check_meta (GstMgpuMovingMeta * meta)
{
  guint width, height, step, offset, stride, number;
  gdouble survive, energy;
  GstMemory *memory;
  GstMapInfo map;

  fail_unless (meta != NULL);
  fail_unless (gst_mgpu_moving_meta_is_active (meta));
  fail_unless_equals_int (gst_mgpu_moving_meta_get_late (meta), 3);
  check_bytes (gst_mgpu_moving_meta_get_mask (meta, &width, &height), mask,
      sizeof (mask));
  fail_unless_equals_int (width, WIDTH);
  fail_unless_equals_int (height, HEIGHT);
  fail_unless (gst_is_mgpu_memory (gst_mgpu_moving_meta_get_mask_memory
          (meta)));
  check_bytes (gst_mgpu_moving_meta_get_heat (meta, &width, &height, &step),
      heat, sizeof (heat));
  fail_unless_equals_int (width, COLUMNS);
  fail_unless_equals_int (height, ROWS);
  fail_unless_equals_int (step, 2);
  fail_unless_equals_int (gst_mgpu_moving_meta_get_light (meta, &survive,
          &energy), -2048);
  fail_unless_equals_float (survive, 0.75);
  fail_unless_equals_float (energy, 1.5);
  fail_unless_equals_string (gst_mgpu_moving_meta_get_tamper (meta), "blurred");
  memory = gst_mgpu_moving_meta_get_light_memory (meta, &offset, &stride,
      &number);
  fail_unless (gst_is_mgpu_memory (memory));
  fail_unless_equals_int (offset, 1);
  fail_unless_equals_int (stride, 8);
  fail_unless_equals_int (number, 5);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless (memcmp (map.data, field, sizeof (field)) == 0);
  gst_memory_unmap (memory, &map);
}

static void
check_region (GstMgpuMovingMeta * meta, guint i,
    const GstMgpuMovingRegion * want)
{
  GstMgpuMovingRegion region;

  fail_unless (gst_mgpu_moving_meta_get_region (meta, i, &region));
  fail_unless_equals_uint64 (region.id, want->id);
  fail_unless_equals_int (region.x, want->x);
  fail_unless_equals_int (region.y, want->y);
  fail_unless_equals_int (region.width, want->width);
  fail_unless_equals_int (region.height, want->height);
  fail_unless_equals_int (region.age, want->age);
  fail_unless_equals_float (region.share, want->share);
  fail_unless_equals_float (region.confidence, want->confidence);
  fail_unless_equals_float (region.dx, want->dx);
  fail_unless_equals_float (region.dy, want->dy);
}

static void
check_matrix (GstMgpuMovingMeta * meta, const gdouble * want)
{
  gdouble matrix[6];

  gst_mgpu_moving_meta_get_matrix (meta, matrix);
  for (guint i = 0; i < 6; i++)
    fail_unless_equals_float (matrix[i], want[i]);
}

GST_START_TEST (test_access)
{
  static const gdouble matrix[6] = { STEP, 0, 0, 0, STEP, 0 };
  g_autoptr (GstBuffer) frame = frame_new ();
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (frame);
  GstMgpuMovingRegion *copy, region;

  check_meta (meta);
  check_matrix (meta, matrix);
  fail_unless_equals_int (gst_mgpu_moving_meta_get_n_regions (meta), 2);
  check_region (meta, 0, &regions[0]);
  check_region (meta, 1, &regions[1]);
  fail_if (gst_mgpu_moving_meta_get_region (meta, 2, &region));
  copy = g_boxed_copy (GST_TYPE_MGPU_MOVING_REGION, &regions[0]);
  fail_unless_equals_uint64 (copy->id, 7);
  g_boxed_free (GST_TYPE_MGPU_MOVING_REGION, copy);

  meta = gst_buffer_add_mgpu_moving_meta (frame, NULL, 0, FALSE, 0);
  fail_unless (gst_buffer_get_n_meta (frame,
          GST_MGPU_MOVING_META_API_TYPE) == 1);
  fail_unless (gst_mgpu_moving_meta_get_mask (meta, NULL, NULL) == NULL);
  fail_unless (gst_mgpu_moving_meta_get_mask_memory (meta) == NULL);
  fail_unless (gst_mgpu_moving_meta_get_heat (meta, NULL, NULL, NULL) == NULL);
  fail_unless (gst_mgpu_moving_meta_get_tamper (meta) == NULL);
  fail_unless (gst_mgpu_moving_meta_get_light_memory (meta, NULL, NULL, NULL)
      == NULL);
  fail_if (gst_mgpu_moving_meta_is_active (meta));
}

GST_END_TEST;

/* Tests that a copy of the meta outlives the frame, and that a copy of a part of a frame's bytes
 * has no meta. */
GST_START_TEST (test_copy)
{
  GstBuffer *frame = frame_new (), *copy = gst_buffer_copy (frame);
  GstBuffer *part = gst_buffer_copy_region (frame, GST_BUFFER_COPY_ALL, 0, 9);
  GstMgpuMovingMeta *boxed = g_boxed_copy (GST_TYPE_MGPU_MOVING_META,
      gst_buffer_get_mgpu_moving_meta (frame));

  gst_buffer_unref (frame);
  fail_unless (gst_buffer_get_mgpu_moving_meta (part) == NULL);
  gst_buffer_unref (part);
  check_meta (gst_buffer_get_mgpu_moving_meta (copy));
  gst_buffer_unref (copy);
  check_meta (boxed);
  check_region (boxed, 1, &regions[1]);
  g_boxed_free (GST_TYPE_MGPU_MOVING_META, boxed);
}

GST_END_TEST;

/* Returns: (transfer full): a frame with the meta of @frame after a transform */
static GstBuffer *
transform (GstBuffer * frame, GQuark type, gpointer data)
{
  GstMeta *meta = (GstMeta *) gst_buffer_get_mgpu_moving_meta (frame);
  GstBuffer *out = gst_buffer_new ();

  fail_unless (meta->info->transform_func (out, meta, frame, type, data));
  return out;
}

/* Tests a meta that is scaled to twice the size, then cropped so that one region is outside and one
 * is clipped, then rotated. */
GST_START_TEST (test_transform)
{
  static const gdouble scaled_matrix[6] = { 4, 0, 0, 0, 4, 0 };
  static const gdouble cut_matrix[6] = { 4, 0, -10, 0, 4, -2 };
  static const GstMgpuMovingRegion twice = {.id = 7,.x = 4,.y = 0,.width = 12,
    .height = 8,.age = 12,.share = 0.25,.confidence = 0.5,.dx = 2,.dy = -1
  };
  static const GstMgpuMovingRegion cut = {.id = 7,.x = 0,.y = 0,.width = 6,
    .height = 6,.age = 12,.share = 0.25,.confidence = 0.5,.dx = 2,.dy = -1
  };
  static const GstMgpuMovingRegion turned = {.id = 7,.x = 4,.y = 0,.width = 6,
    .height = 6,.age = 12,.share = 0.25,.confidence = 0.5,.dx = 1,.dy = 2
  };
  g_autoptr (GstBuffer) frame = frame_new (), large = NULL, part =
      NULL, quarter = NULL;
  GstVideoInfo in, out, small;
  GstVideoMetaTransform scale = { &in, &out };
  GstMgpuMetaTransform crop = { &out, &small, {{1, 0, -10}, {0, 1, -2}}, 0, 0,
  10, 8
  };
  GstMgpuMetaTransform turn = { &small, &small, {{0, -1, 10}, {1, 0, 0}}, 0, 0,
  10, 10
  };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 12, 8);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 24, 16);
  gst_video_info_set_format (&small, GST_VIDEO_FORMAT_GRAY8, 10, 10);
  large = transform (frame, gst_video_meta_transform_scale_get_quark (),
      &scale);
  check_meta (gst_buffer_get_mgpu_moving_meta (large));
  check_matrix (gst_buffer_get_mgpu_moving_meta (large), scaled_matrix);
  check_region (gst_buffer_get_mgpu_moving_meta (large), 0, &twice);
  part = transform (large, gst_mgpu_meta_transform_affine_get_quark (), &crop);
  check_matrix (gst_buffer_get_mgpu_moving_meta (part), cut_matrix);
  fail_unless_equals_int (gst_mgpu_moving_meta_get_n_regions
      (gst_buffer_get_mgpu_moving_meta (part)), 1);
  check_region (gst_buffer_get_mgpu_moving_meta (part), 0, &cut);
  quarter = transform (part, gst_mgpu_meta_transform_affine_get_quark (),
      &turn);
  check_region (gst_buffer_get_mgpu_moving_meta (quarter), 0, &turned);
  check_meta (gst_buffer_get_mgpu_moving_meta (quarter));
}

GST_END_TEST;

CHECK_TESTS (mgpumovingmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_transform);
}

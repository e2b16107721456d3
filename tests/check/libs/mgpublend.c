/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the offsets of the parts of a frame and of the filters' results for them: kernels compute
 * offsets as int, and the largest frame still fits. */
#include "device.h"

#include <gst/vision/blend/blend.h>

#define WHITE 250

static MgpuImage
describe (GstVideoFormat format, gint width, gint height)
{
  MgpuImage image = { NULL, };

  fail_unless (gst_video_info_set_format (&image.info, format, width, height));
  return image;
}

static gpointer
blend_new (const MgpuImage * frame)
{
  gpointer blend = mgpu_object_new (&mgpu_blend, context, &frame->info, NULL,
      NULL, NULL, NULL);

  fail_unless (blend != NULL);
  return blend;
}

/* Tests that the images of the filters' results are stored one after the other. */
GST_START_TEST (test_places)
{
  const MgpuRect rects[] = { {0, 0, 33, 7}, {40, 8, 2, 2}, {8, 20, 1, 9} };
  MgpuImage frame = describe (GST_VIDEO_FORMAT_I420, 64, 48), results[3];
  gpointer blend = blend_new (&frame);
  GstMgpuJob job;
  gsize end = 0;

  gst_mgpu_job_begin (&job, queue, NULL);
  fail_unless (mgpu_blend_get_results (blend, &job, &frame, rects, 3, results));
  for (guint i = 0; i < 3; i++) {
    const GstVideoInfo *info = &results[i].info;

    fail_unless_equals_int (info->width, rects[i].width);
    fail_unless_equals_int (info->height, rects[i].height);
    fail_unless (info->offset[0] >= end && info->offset[0] % 64 == 0);
    fail_unless (info->offset[1] > info->offset[0]);
    fail_unless (info->offset[2] > info->offset[1]);
    end = info->offset[0] + info->size;
    fail_unless (results[i].memory == results[0].memory);
    fail_unless (((GstMemory *) results[i].memory)->size >= end);
  }
  fail_unless (gst_mgpu_job_end (&job, NULL));
  mgpu_object_free (blend);
}

GST_END_TEST;

/* Tests that results that are too large cause an error before memory is allocated. The results have
 * 2^32 + 64 bytes, which 32 bits would truncate to 64 bytes. */
GST_START_TEST (test_too_large)
{
  const MgpuRect all = { 0, 0, 32768, 32768 }, rects[] = {
    all, all, all, all, {0, 0, 8, 8}
  };
  MgpuImage frame = describe (GST_VIDEO_FORMAT_GRAY8, 32768, 32768), results[5];
  gpointer blend = blend_new (&frame);
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queue, NULL);
  fail_if (mgpu_blend_get_results (blend, &job, &frame, rects, 5, results));
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_OUT_OF_MEMORY), "%s", error->message);
  fail_unless (strstr (error->message, "4294967360 bytes") != NULL, "%s",
      error->message);
  g_error_free (error);
  mgpu_object_free (blend);
}

GST_END_TEST;

/* Tests that the last pixels of the largest frame change, and that nothing else is written. */
GST_START_TEST (test_largest)
{
  MgpuImage frame = describe (GST_VIDEO_FORMAT_GRAY8, 46336, 46336);
  MgpuImage small = describe (GST_VIDEO_FORMAT_GRAY8, 16, 8), part;
  const MgpuRect rect = { 46336 - 16, 46336 - 8, 16, 8 };
  gsize size = frame.info.size;
  GstMemory *memory[2] = { NULL, NULL };
  gpointer blend;
  GError *error = NULL;
  GstMapInfo map;
  GstMgpuJob job;

  if (gst_mgpu_context_get_traits (context)->max_allocation_size < size)
    return;
  blend = blend_new (&frame);
  memory[0] = gst_mgpu_memory_new (queue, size, NULL, &error);
  memory[1] = gst_mgpu_memory_new (queue, 128, NULL, NULL);
  fail_unless (memory[0] != NULL, "%s", error != NULL ? error->message : "");
  frame.memory = (GstMgpuMemory *) memory[0];
  small.memory = (GstMgpuMemory *) memory[1];
  fail_unless (gst_memory_map (memory[1], &map, GST_MAP_WRITE));
  memset (map.data, WHITE, map.size);
  gst_memory_unmap (memory[1], &map);

  part = mgpu_image_crop (&frame, &rect);
  gst_mgpu_job_begin (&job, queue, NULL);
  mgpu_blend_enqueue (blend, &job, &part, &small, 0, 0, FALSE, MGPU_BLEND_ALL);
  /* Reads back only the rows of the frame that may have changed. */
  fail_unless (gst_mgpu_job_end (&job, NULL));
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_copy_rect (&job, frame.memory, size - 46336 - 32, 46336,
      small.memory, 0, 64, 32, 2);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error != NULL ? error->message : "");
  fail_unless (gst_memory_map (memory[1], &map, GST_MAP_READ));
  for (guint i = 0; i < 32; i++) {
    fail_unless ((map.data[i] == WHITE) == (i >= 16), "row 0, %u", i);
    fail_unless ((map.data[64 + i] == WHITE) == (i >= 16), "row 1, %u", i);
  }
  gst_memory_unmap (memory[1], &map);
  for (guint i = 0; i < 2; i++)
    gst_memory_unref (memory[i]);
  mgpu_object_free (blend);
}

GST_END_TEST;

CHECK_TESTS (mgpublend)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_places);
  tcase_add_test (tc, test_too_large);
  tcase_add_test (tc, test_largest);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that inpainting ends, and that the host accesses no memory outside its buffers, whatever
 * numbers the device writes. */
#include "device.h"

#include <gst/vision/inpaint/inpaint-private.h>

#define WIDTH 48
#define HEIGHT 40

/* Defines kernels that replace those that tell the host which patch center (target) filled a pixel,
 * and how many are left. DEFECT selects what the kernels report: targets outside of the frame,
 * outside of the hole above or below it, targets that did not fill themselves, and all targets at
 * once, each depending on those around it. */
static const gchar source[] =
    "kernel void list (global const int *filler, int width, int x0, int y0,\n"
    "    int columns, global int *list)\n"
    "{\n"
    "  int x, y = get_global_id (1), rows = get_global_size (1);\n"
    "  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {\n"
    "    int i = y * columns + x, here = (y0 + y) * width + x0 + x;\n"
    "    list[i] = DEFECT == 0 ? 0x7fffffff : DEFECT == 1 ? 0\n"
    "        : DEFECT == 2 ? here + width * rows\n"
    "        : DEFECT == 3 ? here + (x == columns - 1 ? 1 - columns : 1)\n"
    "        : here;\n"
    "  }\n"
    "}\n"
    "kernel void report (global const uint *states, int n_lanes, int n_slots,\n"
    "    global uint *left)\n"
    "{\n"
    "  left[0] = left[1] = 0xffffffff;\n"
    "}\n";

static void
replace_kernel (cl_kernel * kernel, const gchar * name, guint defect)
{
  g_autofree gchar *options = g_strdup_printf ("-DDEFECT=%u", defect);
  GstMgpuProgram *program = gst_mgpu_program_new (context, "defect", source,
      options, NULL);

  fail_unless (program != NULL);
  clReleaseKernel (*kernel);
  *kernel = gst_mgpu_program_create_kernel (program, name, NULL);
  fail_unless (*kernel != NULL);
  gst_object_unref (program);
}

static GstMemory *
frame_new (const GstVideoInfo * info, MgpuImage * image)
{
  GstMemory *memory = gst_mgpu_memory_new (queue, info->size, NULL, NULL);
  GstMapInfo map;

  fail_unless (memory != NULL);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i * 37 % 251;
  gst_memory_unmap (memory, &map);
  image->info = *info;
  image->memory = (GstMgpuMemory *) memory;
  return memory;
}

/* Returns an object whose mask is a square of 8 x 8 pixels. */
static MgpuInpaint *
inpaint_new (const GstVideoInfo * info)
{
  const MgpuInpaintParams params = { 5, 1, MGPU_INPAINT_ALL_SHORTCUTS };
  MgpuInpaint *inpaint = mgpu_object_new (&mgpu_inpaint, context, info, NULL,
      NULL, NULL, NULL);
  g_autofree guint8 *unknown = g_malloc0 (WIDTH * HEIGHT);

  fail_unless (inpaint != NULL);
  for (guint i = 0; i < 64; i++)
    unknown[(12 + i / 8) * WIDTH + 12 + i % 8] = 1;
  fail_unless_equals_int (mgpu_inpaint_set_mask (inpaint, unknown, NULL,
          &params), MGPU_INPAINT_COPIES);
  return inpaint;
}

static gboolean
check_progress (gdouble done, gpointer data)
{
  fail_unless (done >= 0 && done <= 1);
  ++*(guint *) data;
  return TRUE;
}

static void
fill (MgpuInpaint * inpaint, const MgpuImage * in, const MgpuImage * out,
    guint * n_told)
{
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queue, NULL);
  fail_unless (mgpu_inpaint_enqueue (inpaint, &job, in, out, check_progress,
          n_told));
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error != NULL ? error->message : "");
}

static void
check_defect (guint defect)
{
  guint n_told = 0;
  MgpuInpaint *inpaint;
  GstMemory *memory[2];
  MgpuImage in, out;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  memory[0] = frame_new (&info, &in);
  memory[1] = frame_new (&info, &out);
  inpaint = inpaint_new (&info);
  if (defect == 5) {
    replace_kernel (&inpaint->object.kernels[REPORT], "report", defect);
  } else {
    replace_kernel (&inpaint->object.kernels[LIST], "list", defect);
    mgpu_inpaint_set_temporal (inpaint, TRUE, 0);
  }
  fill (inpaint, &in, &out, &n_told);
  fill (inpaint, &in, &out, &n_told);
  if (defect == 5)
    fail_unless (n_told > 0);
  else
    fail_unless_equals_int (mgpu_inpaint_get_way (inpaint),
        MGPU_INPAINT_ANEW);
  mgpu_object_free (inpaint);
  for (guint i = 0; i < 2; i++)
    gst_memory_unref (memory[i]);
}

/* Tests that invalid patches, and patches that depend on each other, are not followed. */
GST_START_TEST (test_patches)
{
  check_defect (__i__);
}

GST_END_TEST;

/* Tests a device that reports more filled pixels than exist, and never reports that it is
 * finished. */
GST_START_TEST (test_report)
{
  check_defect (5);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintbounds)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_loop_test (tc, test_patches, 0, 5);
  tcase_add_test (tc, test_report);
}

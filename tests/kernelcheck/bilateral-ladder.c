/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the times of the bilateral filter with the usual steps of optimizing it, which are in
 * bilateral-ladder.cl. */
#include "bilateral-ladder.h"

#include <gst/vision/bilateral/bilateral.h>
#include <math.h>
#include <tests/kernelcheck/here.h>

#define RADIUS 4
#define EDGE (2 * RADIUS + 1)
#define TILE 16

static const MgpuBilateralParams params = { 30, 3, RADIUS, FALSE };

/* Holds the arrays for one size. @in, @out, @spatial and @range are images for the last step. */
typedef struct
{
  KcRun *run;
  gint size;

  gpointer ours;
  KcPicture *picture;
  KcFrame *in_frame, *out_frame;

  GstMgpuProgram *program;
  GstMgpuMemory *in, *out, *spatial, *range;
  cl_mem in_image, out_image, spatial_image, range_image;
} Ladder;

typedef struct
{
  Ladder *ladder;
  cl_kernel kernel;
  gboolean local;
} Step;

static gdouble
device_time (KcRun * run)
{
  return gst_mgpu_stats_get (run->stats, GST_MGPU_COUNTER_DEVICE_TIME) / 1e6;
}

/* Ends @job, waits for it, and returns its time on the device. */
static gdouble
finish (KcRun * run, GstMgpuJob * job, gdouble before)
{
  GError *error = NULL;

  if (!gst_mgpu_job_end (job, &error)
      || !gst_mgpu_queue_finish (run->queue, &error))
    kc_case_fail_error (run, error);
  return device_time (run) - before;
}

static gdouble
run_ours (gpointer data)
{
  Ladder *ladder = data;
  gdouble before = device_time (ladder->run);
  const MgpuWork work = {
    &params, &ladder->in_frame->image, NULL, &ladder->out_frame->image
  };
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, ladder->run->queue, ladder->run->stats);
  mgpu_bilateral.enqueue (ladder->ours, &job, &work);
  return finish (ladder->run, &job, before);
}

static gdouble
run_step (gpointer data)
{
  Step *step = data;
  KcRun *run = step->ladder->run;
  const gsize global[2] = { step->ladder->size, step->ladder->size };
  const gsize local[2] = { TILE, TILE };
  gdouble before = device_time (run);
  GstMgpuJob job;

  /* Launches without setting arguments, because kernels keep the arguments that were set before. */
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  gst_mgpu_job_write (&job, step->ladder->out);
  gst_mgpu_job_launch (&job, step->kernel, 2, global,
      step->local ? local : NULL);
  return finish (run, &job, before);
}

/* ---- Comparing ---------------------------------------------------------- */

static void
compare (Ladder * ladder, const gchar * name, const guint8 * want,
    const guint8 * got)
{
  gint n = ladder->size * ladder->size, n_different = 0;

  for (gint i = 0; i < n; i++) {
    n_different += want[i] != got[i];
    if (ABS (want[i] - got[i]) > 1) {
      kc_case_fail (ladder->run, "%s: pixel %d is %d, ours %d", name, i,
          got[i], want[i]);
      return;
    }
  }
  if (n_different > n / 1000)
    kc_case_fail (ladder->run, "%s: %d of %d pixels differ", name, n_different,
        n);
}

static void
check_step (Step * step, const gchar * name)
{
  Ladder *ladder = step->ladder;
  gsize n = (gsize) ladder->size * ladder->size;
  g_autofree guint8 *got = g_malloc0 (n);
  gboolean ok;

  run_step (step);
  if (g_str_equal (name, "image")) {
    const gsize origin[3] = { 0, 0, 0 };
    const gsize region[3] = { ladder->size, ladder->size, 1 };

    ok = clEnqueueReadImage (gst_mgpu_queue_get_cl_queue (ladder->run->queue),
        ladder->out_image, CL_TRUE, origin, region, 0, 0, got, 0, NULL,
        NULL) == CL_SUCCESS;
    if (!ok)
      kc_case_fail (ladder->run, "clEnqueueReadImage failed");
  } else {
    ok = kc_memory_read (ladder->run, ladder->out, got);
  }
  if (ok)
    compare (ladder, name,
        ladder->picture->data + ladder->picture->info.offset[0], got);
}

/* ---- Setting up --------------------------------------------------------- */

static void
fill_tables (gfloat * spatial, gfloat * range)
{
  for (gint y = -RADIUS; y <= RADIUS; y++)
    for (gint x = -RADIUS; x <= RADIUS; x++)
      *spatial++ = x * x + y * y > RADIUS * RADIUS ? 0
          : exp (-(x * x + y * y) / (2 * params.sigma_space
              * params.sigma_space));
  for (gint d = 0; d < 256; d++)
    range[d] = exp (-d * d / (2 * params.sigma_color * params.sigma_color));
}

static cl_mem
create_image (KcRun * run, cl_channel_type type, gint width, gint height,
    gpointer data)
{
  const cl_image_format format = { CL_R, type };
  const cl_image_desc desc = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = width,
    .image_height = height
  };
  cl_int ret;
  cl_mem image = clCreateImage (gst_mgpu_context_get_cl_context (run->context),
      data !=
      NULL ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY,
      &format, &desc, data, &ret);

  if (ret != CL_SUCCESS)
    kc_case_fail (run, "clCreateImage: %s", gst_mgpu_cl_error_name (ret));
  return image;
}

static gboolean
has_images (KcRun * run)
{
  cl_bool images = CL_FALSE;

  clGetDeviceInfo (gst_mgpu_context_get_cl_device (run->context),
      CL_DEVICE_IMAGE_SUPPORT, sizeof (images), &images, NULL);
  return images;
}

static gboolean
ladder_init (Ladder * ladder, KcRun * run, gint size)
{
  gfloat spatial[EDGE * EDGE], range[256];
  KcRandom random;
  GstVideoInfo info;
  GError *error = NULL;
  gchar *source;
  guint8 *pixels;

  ladder->run = run;
  ladder->size = size;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, size, size);
  kc_random_init (&random, 4);
  ladder->picture =
      kc_picture_make (&info, KC_LAYOUT_TIGHT, KC_CONTENT_NATURAL, &random);
  pixels = ladder->picture->data + ladder->picture->info.offset[0];

  ladder->ours = mgpu_object_new (&mgpu_bilateral, run->context, &info, NULL,
      &info, &params, &error);
  if (ladder->ours != NULL
      && g_file_get_contents (KC_LADDER, &source, NULL, &error)) {
    ladder->program = gst_mgpu_program_new (run->context, "bilateral-ladder",
        source, NULL, &error);
    g_free (source);
  }
  if (ladder->program == NULL) {
    kc_case_fail_error (run, error);
    return FALSE;
  }

  fill_tables (spatial, range);
  ladder->in_frame = kc_frame_new (run, ladder->picture);
  ladder->out_frame = kc_frame_new (run, ladder->picture);
  ladder->in = kc_memory_new (run, pixels, (gsize) size * size);
  ladder->out = kc_memory_new (run, pixels, (gsize) size * size);
  ladder->spatial = kc_memory_new (run, spatial, sizeof (spatial));
  ladder->range = kc_memory_new (run, range, sizeof (range));
  if (has_images (run)) {
    ladder->in_image = create_image (run, CL_UNSIGNED_INT8, size, size, pixels);
    ladder->out_image = create_image (run, CL_UNSIGNED_INT8, size, size, NULL);
    ladder->spatial_image = create_image (run, CL_FLOAT, EDGE, EDGE, spatial);
    ladder->range_image = create_image (run, CL_FLOAT, 256, 1, range);
  }
  return ladder->in_frame != NULL && ladder->out_frame != NULL
      && ladder->in != NULL && ladder->out != NULL && ladder->spatial != NULL
      && ladder->range != NULL;
}

static void
release_image (cl_mem image)
{
  if (image != NULL)
    clReleaseMemObject (image);
}

static void
ladder_clear (Ladder * ladder)
{
  mgpu_object_free (ladder->ours);
  g_clear_pointer (&ladder->picture, kc_picture_free);
  g_clear_pointer (&ladder->in_frame, kc_frame_free);
  g_clear_pointer (&ladder->out_frame, kc_frame_free);
  g_clear_object (&ladder->program);
  kc_memory_free (ladder->in);
  kc_memory_free (ladder->out);
  kc_memory_free (ladder->spatial);
  kc_memory_free (ladder->range);
  release_image (ladder->in_image);
  release_image (ladder->out_image);
  release_image (ladder->spatial_image);
  release_image (ladder->range_image);
}

static gboolean
step_init (Step * step, Ladder * ladder, const gchar * name)
{
  GError *error = NULL;
  GstMgpuJob job;
  gint size = ladder->size;
  gchar *kernel = g_strconcat ("ladder_", name, NULL);
  cl_mem in, out, spatial, range;

  step->ladder = ladder;
  step->local = g_str_equal (name, "local");
  step->kernel =
      gst_mgpu_program_create_kernel (ladder->program, kernel, &error);
  g_free (kernel);
  if (step->kernel == NULL) {
    kc_case_fail_error (ladder->run, error);
    return FALSE;
  }

  gst_mgpu_job_begin (&job, ladder->run->queue, NULL);
  in = gst_mgpu_job_read (&job, ladder->in);
  out = gst_mgpu_job_write (&job, ladder->out);
  spatial = gst_mgpu_job_read (&job, ladder->spatial);
  range = gst_mgpu_job_read (&job, ladder->range);
  if (g_str_equal (name, "naive"))
    gst_mgpu_job_set_args (&job, step->kernel, "mmiiiff", in, out, size, size,
        RADIUS, params.sigma_color, params.sigma_space);
  else if (g_str_equal (name, "image"))
    gst_mgpu_job_set_args (&job, step->kernel, "mmiiimm", ladder->in_image,
        ladder->out_image, size, size, RADIUS, ladder->spatial_image,
        ladder->range_image);
  else
    gst_mgpu_job_set_args (&job, step->kernel,
        step->local ? "mmiiimml" : "mmiiimm", in, out, size, size, RADIUS,
        spatial, range, (gsize) (TILE + 2 * RADIUS) * (TILE + 2 * RADIUS));
  if (!gst_mgpu_job_end (&job, &error)) {
    kc_case_fail_error (ladder->run, error);
    return FALSE;
  }
  return TRUE;
}

static void
bench_size (KcRun * run, gint size)
{
  static const gchar *names[] = { "naive", "table", "local", "image" };
  Ladder ladder = { 0 };
  Step steps[G_N_ELEMENTS (names)] = { 0 };
  KcContestant contestants[1 + G_N_ELEMENTS (names)] = {
    {"ours", run_ours, &ladder}
  };
  guint n = 0;
  g_autofree gchar *what =
      g_strdup_printf ("ladder, radius %d GRAY8 %dx%d", RADIUS, size,
      size);
  gboolean ok;

  kc_case_begin (run, KC_RANDOM, "bench %s", what);
  ok = ladder_init (&ladder, run, size);
  if (ok) {
    run_ours (&ladder);
    ok = kc_frame_read (run, ladder.out_frame, ladder.picture);
  }
  for (guint i = 0; i < G_N_ELEMENTS (names) && ok; i++) {
    if (g_str_equal (names[i], "image") && ladder.range_image == NULL)
      continue;
    ok = step_init (&steps[n], &ladder, names[i]);
    if (!ok)
      break;
    check_step (&steps[n], names[i]);
    contestants[1 + n] = (KcContestant) {
    names[i], run_step, &steps[n]};
    n++;
  }
  if (ok)
    kc_bench (run, what, contestants, 1 + n);
  kc_case_end (run);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i].kernel != NULL)
      clReleaseKernel (steps[i].kernel);
  ladder_clear (&ladder);
}

void
kc_bench_bilateral_ladder (KcRun * run)
{
  static const gint sizes[] = { 256, 512, 1024 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    bench_size (run, sizes[i]);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the limits of a pipeline: copies over the device's bus, and copies by the thread that
 * fills frames, each without other work. */
#include "pipelines.h"

/* Number of frames that are used cyclically, so that no copy waits for the previous one */
#define N_FRAMES 4
#define N_COPIES 400
#define N_ROUNDS 3

typedef struct
{
  cl_command_queue queue;
  cl_mem device[N_FRAMES];
  cl_mem pinned[N_FRAMES];
  gpointer host[N_FRAMES];
} Lane;

static void
check (cl_int code, const gchar * call)
{
  if (code != CL_SUCCESS)
    g_error ("%s: %d", call, code);
}

static void
open_lane (Lane * lane, GstMgpuContext * context, gsize size)
{
  cl_context cl = gst_mgpu_context_get_cl_context (context);
  cl_int ret;

  lane->queue = clCreateCommandQueue (cl,
      gst_mgpu_context_get_cl_device (context), 0, &ret);
  check (ret, "clCreateCommandQueue");
  for (guint i = 0; i < N_FRAMES; i++) {
    lane->device[i] = clCreateBuffer (cl, CL_MEM_READ_WRITE, size, NULL, &ret);
    check (ret, "clCreateBuffer");
    lane->pinned[i] = clCreateBuffer (cl, CL_MEM_READ_WRITE
        | CL_MEM_ALLOC_HOST_PTR, size, NULL, &ret);
    check (ret, "clCreateBuffer");
    lane->host[i] = clEnqueueMapBuffer (lane->queue, lane->pinned[i], CL_TRUE,
        CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &ret);
    check (ret, "clEnqueueMapBuffer");
    memset (lane->host[i], i, size);
  }
}

static void
close_lane (Lane * lane)
{
  for (guint i = 0; i < N_FRAMES; i++)
    clEnqueueUnmapMemObject (lane->queue, lane->pinned[i], lane->host[i], 0,
        NULL, NULL);
  clFinish (lane->queue);
  for (guint i = 0; i < N_FRAMES; i++) {
    clReleaseMemObject (lane->pinned[i]);
    clReleaseMemObject (lane->device[i]);
  }
  clReleaseCommandQueue (lane->queue);
}

gdouble
bench_limit_of_bus (GstMgpuContext * context, gsize size)
{
  Lane up, down;
  gdouble best = 0;

  open_lane (&up, context, size);
  open_lane (&down, context, size);
  for (guint round = 0; round < N_ROUNDS; round++) {
    gint64 start = g_get_monotonic_time ();

    for (guint i = 0; i < N_COPIES; i++) {
      guint at = i % N_FRAMES;

      check (clEnqueueWriteBuffer (up.queue, up.device[at], CL_FALSE, 0, size,
              up.host[at], 0, NULL, NULL), "clEnqueueWriteBuffer");
      check (clEnqueueReadBuffer (down.queue, down.device[at], CL_FALSE, 0,
              size, down.host[at], 0, NULL, NULL), "clEnqueueReadBuffer");
      if (i % 16 == 0) {
        clFlush (up.queue);
        clFlush (down.queue);
      }
    }
    check (clFinish (up.queue), "clFinish");
    check (clFinish (down.queue), "clFinish");
    best = MAX (best, N_COPIES * 1e6 / (g_get_monotonic_time () - start));
  }
  close_lane (&up);
  close_lane (&down);
  return best;
}

/* Copies pictures, as the streaming thread of a source does, to the memory that the bus reads. */
gdouble
bench_limit_of_filling (GstMgpuContext * context, const GstVideoInfo * info)
{
  gsize size = GST_VIDEO_INFO_SIZE (info);
  guint8 *pictures[N_FRAMES];
  gdouble best = 0;
  Lane lane;

  open_lane (&lane, context, size);
  for (guint i = 0; i < N_FRAMES; i++)
    pictures[i] = bench_draw (info, i);
  for (guint round = 0; round < N_ROUNDS; round++) {
    gint64 start = g_get_monotonic_time ();

    for (guint i = 0; i < N_COPIES; i++)
      memcpy (lane.host[i % N_FRAMES], pictures[i % N_FRAMES], size);
    best = MAX (best, N_COPIES * 1e6 / (g_get_monotonic_time () - start));
  }
  for (guint i = 0; i < N_FRAMES; i++)
    g_free (pictures[i]);
  close_lane (&lane);
  return best;
}

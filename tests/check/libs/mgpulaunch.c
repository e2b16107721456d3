/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Launches grids of several widths at the same time, at which PoCL before 6.0 aborts without a
 * guard. Frees memory during launches, at which PoCL 6.0 crashes if it is shared virtual memory. */
#include <gst/mgpu/mgpu.h>

#include <malloc.h>
#include <string.h>

#include "../../opencl.h"
#include "../suite.h"

#define GROUP 64
#define N_QUEUES 6
#define N_LAUNCHES 50000

/* Source of a kernel whose last work-group in the third dimension runs for @n rounds, because PoCL
 * begins another launch when it has distributed all work-groups of the previous one. */
#define SOURCE \
  "__kernel void spin (__global uint *out, uint n) {" \
  "  uint x = get_global_id (0);" \
  "  if (get_global_id (2) + 1 < get_global_size (2)) return;" \
  "  for (uint i = 0; i < n; i++)" \
  "    x = x * 1664525u + 1013904223u + (x >> 7);" \
  "  out[get_global_id (0) % 1024] = x; }"

/* Numbers of rounds of a work-item that take a CPU some 200 ms, and almost no time */
#define LONG 5000000
#define SHORT 10

static GstMgpuContext *context;
static GstMgpuQueue *queues[N_QUEUES];
static GstMemory *memories[N_QUEUES];

static void
setup (void)
{
  GError *error = NULL;

  context = gst_mgpu_context_new (NULL, &error);
  fail_unless (context != NULL, "%s", error ? error->message : "");
  for (guint i = 0; i < N_QUEUES; i++) {
    queues[i] = gst_mgpu_queue_new (context, &error);
    memories[i] = gst_mgpu_memory_new (queues[i], 4096, NULL, &error);
    fail_unless (memories[i] != NULL, "%s", error ? error->message : "");
  }
}

static void
teardown (void)
{
  for (guint i = 0; i < N_QUEUES; i++) {
    gst_memory_unref (memories[i]);
    gst_object_unref (queues[i]);
  }
  gst_object_unref (context);
}

static cl_kernel
make_kernel (const gchar * options)
{
  GError *error = NULL;
  g_autoptr (GstMgpuProgram) program =
      gst_mgpu_program_new (context, "spin", SOURCE, options, &error);
  cl_kernel kernel;

  fail_unless (program != NULL, "%s", error ? error->message : "");
  kernel = gst_mgpu_program_create_kernel (program, "spin", &error);
  fail_unless (kernel != NULL, "%s", error ? error->message : "");
  return kernel;
}

static void
launch (guint i, cl_kernel kernel, guint n, gsize width, gsize depth)
{
  const gsize global[3] = { width, 1, depth }, local[3] = { GROUP, 1, 1 };
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queues[i], NULL);
  gst_mgpu_job_set_args (&job, kernel, "mu",
      gst_mgpu_job_write (&job, (GstMgpuMemory *) memories[i]), n);
  gst_mgpu_job_launch (&job, kernel, 3, global, local);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error ? error->message : "");
}

/* Receives the event of the next launch, if set */
static cl_event *wanted;

/* Maximum work-group size that the driver reports for a kernel; 0: the real value */
static size_t limit;

/* Replaces the OpenCL function clGetKernelWorkGroupInfo(), and calls it. */
__attribute__ ((visibility ("default")))
cl_int
clGetKernelWorkGroupInfo (cl_kernel kernel, cl_device_id device,
    cl_kernel_work_group_info what, size_t size, void *value,
    size_t * result_size)
{
  cl_int ret = REAL (clGetKernelWorkGroupInfo) (kernel, device, what, size,
      value, result_size);

  if (ret == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && limit > 0)
    *(size_t *) value = limit;
  return ret;
}

/* Replaces the OpenCL function clEnqueueNDRangeKernel(), and calls it. */
__attribute__ ((visibility ("default")))
cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dims, const size_t * offset, const size_t * global,
    const size_t * local, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  cl_int ret;

  if (limit > 0 && local[0] > limit)
    return CL_INVALID_WORK_GROUP_SIZE;
  ret = REAL (clEnqueueNDRangeKernel) (queue, kernel, n_dims, offset,
      global, local, n_waits, waits, event != NULL ? event : wanted);
  if (ret == CL_SUCCESS && event != NULL && wanted != NULL) {
    *wanted = *event;
    clRetainEvent (*event);
  }
  return ret;
}

/* Whether OpenCL does not report the status of commands, and number of times that it was queried
 * meanwhile */
static gboolean is_silent;
static guint n_asked;

/* Replaces the OpenCL function clGetEventInfo(), and calls it. */
__attribute__ ((visibility ("default")))
cl_int
clGetEventInfo (cl_event event, cl_event_info what, size_t size, void *value,
    size_t * result_size)
{
  if (is_silent) {
    n_asked++;
    return CL_OUT_OF_HOST_MEMORY;
  }
  return REAL (clGetEventInfo) (event, what, size, value, result_size);
}

/* Launches a kernel, and blocks until the device has begun it. */
static void
launch_and_wait (guint i, cl_kernel kernel, guint n, gsize width, gsize depth)
{
  cl_event event = NULL;
  cl_int status = CL_QUEUED;

  wanted = &event;
  launch (i, kernel, n, width, depth);
  wanted = NULL;
  while (status > CL_RUNNING) {
    g_usleep (1000);
    fail_unless_equals_int (clGetEventInfo (event,
            CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL),
        CL_SUCCESS);
  }
  clReleaseEvent (event);
}

static void
finish (void)
{
  for (guint i = 0; i < N_QUEUES; i++)
    fail_unless (gst_mgpu_queue_finish (queues[i], NULL));
}

/* Launches a wider grid in another queue while narrow launches still run. */
static void
launch_wider (const gchar * options, gsize depth)
{
  cl_kernel kernel = make_kernel (options);

  for (guint i = 0; i < 3; i++)
    launch_and_wait (i, kernel, LONG, GROUP, depth);
  launch (3, kernel, SHORT, 2 * GROUP, 1);
  finish ();
  clReleaseKernel (kernel);
}

GST_START_TEST (test_wider)
{
  launch_wider ("-DTEST=1", 1);
}

GST_END_TEST;

/* Tests the third dimension of a grid, which PoCL does not count as width. */
GST_START_TEST (test_deep)
{
  launch_wider ("-DTEST=2", 256);
}

GST_END_TEST;

/* Tests two contexts that build the same program, whose code PoCL shares. */
GST_START_TEST (test_two_contexts)
{
  GstMgpuContext *first = context;
  GstMgpuQueue *queue = queues[3];
  GstMemory *memory = memories[3];
  cl_kernel a = make_kernel ("-DTEST=3"), b;

  context = gst_mgpu_context_new (NULL, NULL);
  queues[3] = gst_mgpu_queue_new (context, NULL);
  memories[3] = gst_mgpu_memory_new (queues[3], 4096, NULL, NULL);
  b = make_kernel ("-DTEST=3");
  for (guint i = 0; i < 3; i++)
    launch_and_wait (i, a, LONG, GROUP, 1);
  launch (3, b, SHORT, 2 * GROUP, 1);
  finish ();
  clReleaseKernel (a);
  clReleaseKernel (b);
  gst_memory_unref (memories[3]);
  gst_object_unref (queues[3]);
  gst_object_unref (context);
  context = first;
  queues[3] = queue;
  memories[3] = memory;
}

GST_END_TEST;

/* Tests that a launch that makes PoCL compile returns only when the device has begun it, also if
 * OpenCL does not report the status of the command. On later releases of PoCL the library does not
 * query the status, and returns at once. */
GST_START_TEST (test_silence)
{
  cl_kernel before = make_kernel ("-DTEST=5"), kernel = make_kernel ("-DTEST=6");
  cl_event event = NULL;
  cl_int status;

  launch (0, before, LONG, GROUP, 1);
  wanted = &event;
  is_silent = TRUE;
  launch (0, kernel, SHORT, GROUP, 1);
  is_silent = FALSE;
  wanted = NULL;
  fail_unless_equals_int (clGetEventInfo (event,
          CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL),
      CL_SUCCESS);
  fail_unless (status <= CL_RUNNING || n_asked == 0,
      "the command has status %d", status);
  finish ();
  clReleaseEvent (event);
  clReleaseKernel (before);
  clReleaseKernel (kernel);
}

GST_END_TEST;

static gint stop;

static gpointer
launch_narrow (gpointer index)
{
  guint i = GPOINTER_TO_UINT (index);
  cl_kernel kernel = make_kernel ("-DTEST=4");

  while (!g_atomic_int_get (&stop)) {
    gst_mgpu_queue_begin_frame (queues[i], 2);
    launch (i, kernel, 5000, GROUP, 1);
  }
  clReleaseKernel (kernel);
  return NULL;
}

/* Tests grids that get wider and wider while other threads launch narrow grids without a pause. */
GST_START_TEST (test_race)
{
  cl_kernel kernel = make_kernel ("-DTEST=4");
  GThread *threads[N_QUEUES];

  for (guint i = 1; i < N_QUEUES; i++)
    threads[i] = g_thread_new ("narrow", launch_narrow, GUINT_TO_POINTER (i));
  for (gsize width = GROUP; width <= 200 * GROUP; width += GROUP)
    launch (0, kernel, SHORT, width, 1);
  g_atomic_int_set (&stop, 1);
  for (guint i = 1; i < N_QUEUES; i++)
    g_thread_join (threads[i]);
  finish ();
  clReleaseKernel (kernel);
}

GST_END_TEST;

/* Number of memory objects that are created and freed at once: more than malloc() keeps
 * unchanged */
#define N_FREED 256

static gpointer
make_and_free (gpointer unused)
{
  while (!g_atomic_int_get (&stop)) {
    GstMemory *freed[N_FREED];

    for (guint i = 0; i < N_FREED; i++)
      freed[i] = gst_mgpu_memory_new (queues[1], 4096, NULL, NULL);
    for (guint i = 0; i < N_FREED; i++)
      gst_memory_unref (freed[i]);
  }
  return NULL;
}

/* Tests that one thread creates and frees memory while another thread launches kernels. Freed bytes
 * become 195, which is not part of any address. */
GST_START_TEST (test_free)
{
  cl_kernel kernel = make_kernel ("-DTEST=7");
  GThread *thread;

  mallopt (M_PERTURB, 60);
  thread = g_thread_new ("freeing", make_and_free, NULL);
  for (guint i = 0; i < N_LAUNCHES; i++) {
    gst_mgpu_queue_begin_frame (queues[0], 2);
    launch (0, kernel, 0, GROUP, 1);
  }
  g_atomic_int_set (&stop, 1);
  g_thread_join (thread);
  finish ();
  clReleaseKernel (kernel);
}

GST_END_TEST;

/* Tests that an error names the remedy if a driver allows fewer work-items for a kernel than for
 * its device. */
GST_START_TEST (test_limit)
{
  const gsize global[1] = { GROUP }, local[1] = { GROUP };
  cl_kernel kernel = make_kernel ("-DTEST=8");
  GError *error = NULL;
  GstMgpuJob job;

  limit = GROUP / 2;
  gst_mgpu_job_begin (&job, queues[0], NULL);
  gst_mgpu_job_set_args (&job, kernel, "mu",
      gst_mgpu_job_write (&job, (GstMgpuMemory *) memories[0]), SHORT);
  gst_mgpu_job_launch (&job, kernel, 1, global, local);
  fail_if (gst_mgpu_job_end (&job, &error));
  limit = 0;
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "\"spin\"") != NULL
      && strstr (error->message, "needs work-groups of 64") != NULL
      && strstr (error->message, "allows 32") != NULL
      && strstr (error->message, "choose another device") != NULL, "%s",
      error->message);
  g_clear_error (&error);
  launch (0, kernel, SHORT, GROUP, 1);
  finish ();
  clReleaseKernel (kernel);
}

GST_END_TEST;

CHECK_TESTS (mgpulaunch)
{
  /* Makes PoCL run as many commands at once as on a larger CPU. */
  g_setenv ("POCL_MAX_PTHREAD_COUNT", "6", TRUE);
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_wider);
  tcase_add_test (tc, test_deep);
  tcase_add_test (tc, test_two_contexts);
  tcase_add_test (tc, test_silence);
  tcase_add_test (tc, test_race);
  tcase_add_test (tc, test_free);
  tcase_add_test (tc, test_limit);
}

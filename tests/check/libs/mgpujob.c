/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests commands that fail on the device, and jobs that fail before they are enqueued. */

#include "../events.h"
#include "bytes.h"
#include "device.h"

#define SIZE 256

static GstMemory *a, *b;

/* Set to simulate a failed command: the next event that the host waits for or queries becomes
 * @broken, and stays an event of a failed command. */
static gboolean breaks;
static cl_event broken;

static gboolean
is_broken (cl_event event)
{
  if (breaks) {
    breaks = FALSE;
    broken = event;
    clRetainEvent (event);
  }
  return event == broken;
}

static cl_int
tell_wait (cl_uint n, const cl_event * events, cl_int result)
{
  for (cl_uint i = 0; i < n; i++)
    if (is_broken (events[i]))
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return result;
}

static cl_int
tell_status (cl_event event, cl_int status)
{
  if (!is_broken (event))
    return status;
  /* Waits first, because a failed command has also ended. */
  clWaitForEvents (1, &event);
  return CL_OUT_OF_RESOURCES;
}

static void
begin (void)
{
  setup ();
  a = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
  b = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
}

/* Uses the code paths for a device with dedicated memory. */
static void
begin_discrete (void)
{
  begin ();
  gst_memory_unref (a);
  gst_memory_unref (b);
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      FALSE;
  a = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
  b = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
}

static void
end (void)
{
  g_clear_pointer (&broken, clReleaseEvent);
  gst_memory_unref (a);
  gst_memory_unref (b);
  teardown ();
}

static void
copy_in (GstMgpuJob * job, GstMemory * from, GstMemory * to)
{
  gst_mgpu_job_copy_rect (job, (GstMgpuMemory *) from, 0, SIZE,
      (GstMgpuMemory *) to, 0, SIZE, SIZE, 1);
}

static gboolean
copy (GstMgpuQueue * where, GstMemory * from, GstMemory * to, GError ** error)
{
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, where, NULL);
  copy_in (&job, from, to);
  return gst_mgpu_job_end (&job, error);
}

/* Makes the command that wrote memory @b fail, which the host notices when it reads @b. */
static void
fail_write (void)
{
  GstMapInfo map;

  fill (a, 1);
  fail_unless (copy (queue, a, b, NULL));
  breaks = TRUE;
  fail_if (gst_memory_map (b, &map, GST_MAP_READ));
  fail_if (breaks);
}

/* Tests that a pool reuses the memory of a failed frame for later frames. */
GST_START_TEST (test_host_writes_again)
{
  fail_write ();
  fill (b, 7);
  expect (b, 7);
}

GST_END_TEST;

GST_START_TEST (test_device_writes_again)
{
  g_autoptr (GstMgpuQueue) other = gst_mgpu_queue_new (context, NULL);

  fail_write ();
  fill (a, 9);
  fail_unless (copy (other, a, b, NULL));
  expect (b, 9);
}

GST_END_TEST;

/* Tests that a job that reads memory that was never written reports this only once. */
GST_START_TEST (test_device_reads)
{
  g_autoptr (GstMgpuQueue) other = gst_mgpu_queue_new (context, NULL);
  GError *error = NULL;

  fill (a, 1);
  fail_unless (copy (queue, a, b, NULL));
  breaks = TRUE;
  gst_mgpu_queue_begin_frame (queue, 1);
  fail_if (breaks);
  fail_if (copy (other, b, a, &error));
  fail_unless (strstr (error->message, "a memory has no valid content") != NULL,
      "%s", error->message);
  g_clear_error (&error);

  fill (b, 3);
  fail_unless (copy (other, b, a, NULL));
  expect (a, 3);
}

GST_END_TEST;

/* Tests that memory that is replaced by larger memory while a job is built stays allocated until
 * the job ends. */
GST_START_TEST (test_memory_stays)
{
  GstMemory *middle = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
  GstMgpuJob job;

  fill (a, 5);
  gst_mgpu_job_begin (&job, queue, NULL);
  copy_in (&job, a, middle);
  copy_in (&job, middle, b);
  gst_memory_unref (middle);
  fail_unless (gst_mgpu_job_end (&job, NULL));
  expect (b, 5);
}

GST_END_TEST;

static gpointer
wait_for_a (gpointer is_free)
{
  fail_unless (gst_mgpu_memory_wait ((GstMgpuMemory *) a, NULL));
  g_atomic_int_set ((gint *) is_free, TRUE);
  return NULL;
}

/* Tests the only command of a job, and a later part of the same job, that read the same memory: the
 * memory is in use until the part has ended. */
GST_START_TEST (test_part_after_command)
{
  cl_event gate = clCreateUserEvent (gst_mgpu_context_get_cl_context (context),
      NULL);
  g_autoptr (GstMemory) c = gst_mgpu_memory_new (queue, SIZE, NULL, NULL);
  GstMgpuJob whole, part;
  gint is_free = FALSE;
  GThread *thread;

  fill (a, 5);
  gst_mgpu_job_begin (&whole, queue, NULL);
  copy_in (&whole, a, b);
  fail_unless_equals_int (clEnqueueBarrierWithWaitList
      (gst_mgpu_queue_get_cl_queue (queue), 1, &gate, NULL), CL_SUCCESS);
  gst_mgpu_job_begin_part (&part, &whole);
  copy_in (&part, a, c);
  fail_unless (gst_mgpu_job_end (&part, NULL));
  fail_unless (gst_mgpu_job_end (&whole, NULL));

  thread = g_thread_new ("waits", wait_for_a, &is_free);
  g_usleep (100000);
  fail_if (g_atomic_int_get (&is_free));
  clSetUserEventStatus (gate, CL_COMPLETE);
  g_thread_join (thread);
  clReleaseEvent (gate);
  expect (b, 5);
  expect (c, 5);
}

GST_END_TEST;

/* Tests that a part of a failed job does nothing, because it could use missing results. */
GST_START_TEST (test_part_of_failed_job)
{
  GError *error = NULL;
  GstMgpuJob whole, part;

  gst_mgpu_job_begin (&whole, queue, NULL);
  gst_mgpu_job_fail (&whole, g_error_new_literal (GST_MGPU_ERROR,
          GST_MGPU_ERROR_FAILED, "first"));
  gst_mgpu_job_begin_part (&part, &whole);
  fail_unless (gst_mgpu_job_read (&part, (GstMgpuMemory *) a) == NULL);
  fail_if (gst_mgpu_job_end (&part, &error));
  fail_unless_equals_string (error->message, "first");
  gst_mgpu_job_fail (&whole, g_steal_pointer (&error));
  fail_if (gst_mgpu_job_end (&whole, &error));
  fail_unless_equals_string (error->message, "first");
  g_clear_error (&error);
}

GST_END_TEST;

/* Tests that a pool that is flushing gives neither a buffer nor an error. */
GST_START_TEST (test_fail_without_error)
{
  g_autoptr (GError) error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_fail (&job, NULL);
  fail_unless (gst_mgpu_job_write (&job, (GstMgpuMemory *) a) == NULL);
  gst_mgpu_job_fail (&job, NULL);
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (strstr (error->message, "was dropped") != NULL);
}

GST_END_TEST;

#define TWO_ARGUMENTS \
  "__kernel void two_arguments (__global int *out, int value)" \
  "{ out[get_global_id (0)] = value; }"

/* Launches the kernel with arguments of the types @types, and expects an error with @words. */
static void
expect_refused (const gchar * types, const gchar * words)
{
  const gsize global = 1;
  GError *error = NULL;
  g_autoptr (GstMgpuProgram) program =
      gst_mgpu_program_new (context, "two", TWO_ARGUMENTS, NULL, &error);
  cl_kernel kernel;
  GstMgpuJob job;

  fail_unless (program != NULL, "%s", error ? error->message : "");
  kernel = gst_mgpu_program_create_kernel (program, "two_arguments", &error);
  fail_unless (kernel != NULL, "%s", error ? error->message : "");
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_set_args (&job, kernel, types,
      gst_mgpu_job_write (&job, (GstMgpuMemory *) a), 1, 2);
  gst_mgpu_job_launch (&job, kernel, 1, &global, NULL);
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (strstr (error->message, "\"two_arguments\"") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  g_error_free (error);
  clReleaseKernel (kernel);
}

/* Tests invalid arguments of an application's own kernels. */
GST_START_TEST (test_wrong_arguments)
{
  expect_refused ("mx", "argument 1: the letter 'x' of the types \"mx\"");
  expect_refused ("xm", "argument 0: the letter 'x' of the types \"xm\"");
  expect_refused ("m", "CL_INVALID_KERNEL_ARGS");
  expect_refused ("mii", "argument 2: clSetKernelArg failed");
}

GST_END_TEST;

static TCase *
add_case (Suite * suite, const gchar * name, void (*prepare) (void))
{
  TCase *tc = tcase_create (name);

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_checked_fixture (tc, prepare, end);
  tcase_add_test (tc, test_host_writes_again);
  tcase_add_test (tc, test_device_writes_again);
  tcase_add_test (tc, test_device_reads);
  tcase_add_test (tc, test_memory_stays);
  return tc;
}

static Suite *
mgpujob_suite (void)
{
  Suite *suite = suite_create ("mgpujob");
  TCase *tc = add_case (suite, "shared", begin);

  tcase_add_test (tc, test_part_after_command);
  tcase_add_test (tc, test_part_of_failed_job);
  tcase_add_test (tc, test_fail_without_error);
  tcase_add_test (tc, test_wrong_arguments);
  add_case (suite, "own memory", begin_discrete);
  return suite;
}

GST_CHECK_MAIN (mgpujob);

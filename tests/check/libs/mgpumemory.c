/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuMemory, queues and jobs: mapping, order, transfers and errors. */
#include "../../opencl.h"
#include "bytes.h"
#include "device.h"

/* Kernel "add": out = in + value, after @useless rounds that delay the result */
static const gchar *source =
    "__kernel void add (__global const uchar *in, __global uchar *out,"
    "    int value, int rounds) {"
    "  int x = get_global_id (0); uint junk = x;"
    "  for (int i = 0; i < rounds; i++) junk = junk * 1664525u + 1013904223u;"
    "  out[x] = in[x] + value + (junk == 12345u && rounds < 0); }";

#define N (32 * 1024)
#define LATE 500

static gboolean maps;

/* Replaces the OpenCL function clSetMemObjectDestructorCallback(), and calls it. Fails while @maps
 * is set, so that no memory is shared, and frames have to be mapped. */
__attribute__((visibility ("default")))
    cl_int
clSetMemObjectDestructorCallback (cl_mem buffer,
    void (CL_CALLBACK * notify) (cl_mem, void *), void *data)
{
  return maps ? CL_OUT_OF_RESOURCES
      : REAL (clSetMemObjectDestructorCallback) (buffer, notify, data);
}

static GstMgpuStats *stats;
static GstMgpuProgram *program;
static cl_kernel kernel;

static void
begin (void)
{
  setup ();
  stats = gst_mgpu_stats_new ();
  program = gst_mgpu_program_new (context, "add", source, NULL, NULL);
  kernel = gst_mgpu_program_create_kernel (program, "add", NULL);
  fail_unless (kernel != NULL);
}

/* Uses the code paths for GPUs with dedicated memory, on any device. */
static void
begin_discrete (void)
{
  begin ();
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      FALSE;
}

static void
begin_mapped (void)
{
  begin ();
  maps = TRUE;
}

static void
end (void)
{
  maps = FALSE;
  clReleaseKernel (kernel);
  gst_object_unref (program);
  gst_mgpu_stats_unref (stats);
  teardown ();
}

static GstMemory *
new_memory (gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_mgpu_memory_new (queue, size, stats, &error);

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  return memory;
}

static void
add (GstMgpuQueue * on, GstMemory * in, GstMemory * out, gint value,
    gint rounds)
{
  const gsize global = MIN (in->maxsize, out->maxsize);
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, on, stats);
  gst_mgpu_job_set_args (&job, kernel, "mmii",
      gst_mgpu_job_read (&job, (GstMgpuMemory *) in),
      gst_mgpu_job_write (&job, (GstMgpuMemory *) out), value, rounds);
  gst_mgpu_job_launch (&job, kernel, 1, &global, NULL);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error ? error->message : "");
}

GST_START_TEST (test_map)
{
  g_autoptr (GstMemory) memory = new_memory (N);
  GstMapInfo map, again;

  fail_unless (gst_is_mgpu_memory (memory));
  fail_unless (gst_memory_is_type (memory, GST_MGPU_MEMORY_TYPE));
  fail_unless (((GstMgpuMemory *) memory)->context == context);
  fill (memory, 7);
  expect (memory, 7);

  /* Checks that two readers at the same time see the same bytes. */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless (gst_memory_map (memory, &again, GST_MAP_READ));
  fail_unless (map.data == again.data);
  gst_memory_unmap (memory, &map);
  fail_unless_equals_int (again.data[N - 1], 7);
  gst_memory_unmap (memory, &again);
}

GST_END_TEST;

GST_START_TEST (test_map_device)
{
  g_autoptr (GstMemory) memory = new_memory (N);
  guint8 back[16] = { 0 };
  cl_mem_flags flags;
  GstMapInfo map;
  gsize size = 0;

  fill (memory, 9);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_MGPU));
  fail_unless_equals_int (clGetMemObjectInfo ((cl_mem) map.data, CL_MEM_SIZE,
          sizeof (size), &size, NULL), CL_SUCCESS);
  fail_unless_equals_int64 (size, N);
  fail_unless_equals_int (clGetMemObjectInfo ((cl_mem) map.data, CL_MEM_FLAGS,
          sizeof (flags), &flags, NULL), CL_SUCCESS);
  fail_unless_equals_int (clEnqueueReadBuffer (gst_mgpu_queue_get_cl_queue
          (queue), (cl_mem) map.data, CL_TRUE, N - 16, 16, back, 0, NULL, NULL),
      CL_SUCCESS);
  fail_unless_equals_int (back[15], 9);
  gst_memory_unmap (memory, &map);

  /* Checks that the host sees bytes that the device wrote while the host had the memory mapped. */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE | GST_MAP_MGPU));
  back[0] = 77;
  fail_unless_equals_int (clEnqueueWriteBuffer (gst_mgpu_queue_get_cl_queue
          (queue), (cl_mem) map.data, CL_TRUE, 0, 1, back, 0, NULL, NULL),
      CL_SUCCESS);
  gst_memory_unmap (memory, &map);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless_equals_int (map.data[0], 77);
  fail_unless_equals_int (map.data[1], 9);
  gst_memory_unmap (memory, &map);
}

GST_END_TEST;

GST_START_TEST (test_job)
{
  g_autoptr (GstMemory) in = new_memory (N), out = new_memory (N);

  fill (in, 10);
  add (queue, in, out, 5, 0);
  expect (out, 15);
  expect (in, 10);
  fail_unless (gst_mgpu_stats_get (stats, GST_MGPU_COUNTER_DEVICE_TIME) > 0);
}

GST_END_TEST;

/* Tests a chain of kernels over two queues, each of which is delayed: only events keep them in
 * order. */
GST_START_TEST (test_two_queues)
{
  g_autoptr (GstMgpuQueue) other = gst_mgpu_queue_new (context, NULL), last =
      NULL;
  g_autoptr (GstMemory) a = new_memory (N), b = new_memory (N), c =
      new_memory (N);

  for (guint round = 0; round < 10; round++) {
    fill (a, round);
    add (queue, a, b, 1, LATE);
    add (other, b, c, 2, 0);
    /* A command that writes memory waits for commands of the other queue that read it. */
    add (queue, a, b, 100, 0);
    expect (c, round + 3);
    expect (b, round + 100);
    /* The host also waits for commands of the other queue before it writes. */
    add (other, a, c, 50, LATE);
    fill (a, 0);
    expect (c, round + 50);
  }
  last = gst_mgpu_memory_get_queue ((GstMgpuMemory *) c);
  fail_unless (last == other);
}

GST_END_TEST;

static gpointer
choose_queue (gpointer memory)
{
  GstMgpuQueue *own = gst_mgpu_queue_new (context, NULL);
  g_autoptr (GstMgpuQueue) chosen = gst_mgpu_memory_choose_queue (memory, own);

  fail_unless (chosen == own);
  return own;
}

/* Tests that a thread continues in its own queue, and in no other queue. */
GST_START_TEST (test_own_queue)
{
  g_autoptr (GstMemory) a = new_memory (N), b = new_memory (N);
  g_autoptr (GstMgpuQueue) own = gst_mgpu_queue_new (context, NULL), theirs =
      NULL;
  GstMgpuQueue *chosen;

  fill (a, 1);
  chosen = gst_mgpu_memory_choose_queue ((GstMgpuMemory *) a, queue);
  fail_unless (chosen == queue);
  add (queue, a, b, 1, 0);
  gst_object_unref (chosen);
  /* A command on memory that this thread wrote is enqueued in the queue that wrote it. */
  chosen = gst_mgpu_memory_choose_queue ((GstMgpuMemory *) b, own);
  fail_unless (chosen == queue);
  gst_object_unref (chosen);

  /* Writes memory in a queue that another thread chose. Checks that this thread chooses its own
   * queue for that memory. */
  theirs = g_thread_join (g_thread_new ("other", choose_queue, b));
  add (theirs, b, a, 1, 0);
  chosen = gst_mgpu_memory_choose_queue ((GstMgpuMemory *) a, own);
  fail_unless (chosen == own);
  gst_object_unref (chosen);
  expect (a, 3);
}

GST_END_TEST;

#define AHEAD 3
static gint n_frames;

static gpointer
begin_frames (gpointer memories)
{
  GstMemory **m = memories;

  for (gint i = 0; i < 2 * AHEAD; i++) {
    gst_mgpu_queue_begin_frame (queue, AHEAD);
    g_atomic_int_set (&n_frames, i + 1);
    /* A frame may have several jobs, or none. */
    add (queue, m[0], m[1], 1, 0);
    add (queue, m[1], m[0], 1, 0);
  }
  return NULL;
}

/* Tests that the host does not enqueue too many frames in advance for a busy device. */
GST_START_TEST (test_frames_ahead)
{
  cl_int ret;
  cl_event gate =
      clCreateUserEvent (gst_mgpu_context_get_cl_context (context), &ret);
  GstMemory *m[2] = { new_memory (N), new_memory (N) };
  GThread *thread;

  fail_unless_equals_int (ret, CL_SUCCESS);
  /* Launches the kernel once, because PoCL compiles it at its first launch, and waits for it. */
  add (queue, m[1], m[0], 0, 0);
  fill (m[0], 0);
  /* Begins frames that need not wait, because the device is idle. */
  for (guint i = 0; i < 2 * AHEAD; i++)
    gst_mgpu_queue_begin_frame (queue, 1);

  fail_unless_equals_int (clEnqueueBarrierWithWaitList
      (gst_mgpu_queue_get_cl_queue (queue), 1, &gate, NULL), CL_SUCCESS);
  g_atomic_int_set (&n_frames, 0);
  thread = g_thread_new ("frames", begin_frames, m);
  while (g_atomic_int_get (&n_frames) < AHEAD)
    g_usleep (1000);
  g_usleep (50000);
  fail_unless_equals_int (g_atomic_int_get (&n_frames), AHEAD);
  clSetUserEventStatus (gate, CL_COMPLETE);
  g_thread_join (thread);
  expect (m[0], 4 * AHEAD);

  clReleaseEvent (gate);
  gst_memory_unref (m[0]);
  gst_memory_unref (m[1]);
}

GST_END_TEST;

/* Tests a decoder that keeps a frame mapped while the device reads it. After the decoder has
 * unmapped the frame, a write to its memory waits until the device has read it. */
GST_START_TEST (test_read_while_mapped)
{
  g_autoptr (GstMemory) in = new_memory (N), out = new_memory (N);
  GstMapInfo map;

  for (guint round = 0; round < 10; round++) {
    fail_unless (gst_memory_map (in, &map, GST_MAP_READWRITE));
    memset (map.data, round, map.size);
    add (queue, in, out, 1, LATE);
    gst_memory_unmap (in, &map);
    fill (in, 100);
    expect (out, round + 1);
  }
}

GST_END_TEST;

/* Tests that a queue is freed before the memory that its commands use. */
GST_START_TEST (test_queue_goes_first)
{
  GstMgpuQueue *other = gst_mgpu_queue_new (context, NULL);
  g_autoptr (GstMemory) in = new_memory (N), out = new_memory (N);

  fill (in, 1);
  add (other, in, out, 1, LATE);
  gst_object_unref (other);
  expect (out, 2);
}

GST_END_TEST;

GST_START_TEST (test_copy)
{
  GstMemory *memory = new_memory (N), *copy;
  GstMapInfo map;

  fill (memory, 33);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READWRITE));
  map.data[100] = 44;
  gst_memory_unmap (memory, &map);

  copy = gst_memory_copy (memory, 100, -1);
  fail_unless (gst_is_mgpu_memory (copy));
  fill (memory, 0);
  fail_unless_equals_int64 (gst_memory_get_sizes (copy, NULL, NULL), N - 100);
  fail_unless (gst_memory_map (copy, &map, GST_MAP_READ));
  fail_unless_equals_int (map.data[0], 44);
  fail_unless_equals_int (map.data[N - 101], 33);
  gst_memory_unmap (copy, &map);
  gst_memory_unref (copy);

  fail_unless (gst_memory_share (memory, 0, 10) == NULL);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Tests that on a device with dedicated memory jobs with and without time measurement run in
 * order. */
GST_START_TEST (test_order)
{
  GstMemory *memories[2] = { new_memory (N), new_memory (N) };

  fill (memories[0], 0);
  for (guint i = 0; i < 60; i++)
    add (queue, memories[i % 2], memories[(i + 1) % 2], 1, i % 3 * LATE / 2);
  expect (memories[0], 60);
  gst_memory_unref (memories[0]);
  gst_memory_unref (memories[1]);
}

GST_END_TEST;

/* Tests many launches for which nobody waits: none of their times is lost. */
GST_START_TEST (test_device_time)
{
  g_autoptr (GstMemory) in = new_memory (N / 8), out = new_memory (N / 8);
  guint64 one, many;

  fill (in, 1);
  /* The first launch may take longer. */
  add (queue, in, out, 1, LATE);
  gst_mgpu_stats_wait (stats);
  gst_mgpu_stats_reset (stats);
  add (queue, in, out, 1, LATE);
  gst_mgpu_stats_wait (stats);
  one = gst_mgpu_stats_get (stats, GST_MGPU_COUNTER_DEVICE_TIME);
  for (guint i = 0; i < 100; i++)
    add (queue, in, out, 1, LATE);
  gst_mgpu_stats_wait (stats);
  many = gst_mgpu_stats_get (stats, GST_MGPU_COUNTER_DEVICE_TIME) - one;
  fail_unless (one > 0);
  fail_unless (many > 10 * one, "%" G_GUINT64_FORMAT " after %"
      G_GUINT64_FORMAT, many, one);
}

GST_END_TEST;

GST_START_TEST (test_transfers)
{
  gboolean unified = gst_mgpu_context_get_traits (context)->unified_memory;
  guint64 once = unified ? 0 : 1;
  g_autoptr (GstMemory) in = new_memory (N), out = new_memory (N);
  GstStructure *structure;
  guint64 value;

  fill (in, 1);
  for (guint i = 0; i < 3; i++)
    add (queue, in, out, 1, 0);
  for (guint i = 0; i < 3; i++)
    expect (out, 2);
  fail_unless_equals_uint64 (gst_mgpu_stats_get (stats,
          GST_MGPU_COUNTER_UPLOADS), once);
  fail_unless_equals_uint64 (gst_mgpu_stats_get (stats,
          GST_MGPU_COUNTER_DOWNLOADS), once);
  fail_unless_equals_uint64 (gst_mgpu_stats_get (stats,
          GST_MGPU_COUNTER_UPLOAD_BYTES), once * N);

  gst_mgpu_stats_add (stats, GST_MGPU_COUNTER_FRAMES, 3);
  structure = gst_mgpu_stats_to_structure (stats);
  fail_unless (gst_structure_get_uint64 (structure, "frames", &value));
  fail_unless_equals_uint64 (value, 3);
  fail_unless (gst_structure_get_uint64 (structure, "download-bytes", &value));
  fail_unless_equals_uint64 (value, once * N);
  gst_structure_free (structure);
  gst_mgpu_stats_reset (stats);
  fail_unless_equals_uint64 (gst_mgpu_stats_get (stats,
          GST_MGPU_COUNTER_FRAMES), 0);
}

GST_END_TEST;

static void
set_flag (gpointer data)
{
  *(gboolean *) data = TRUE;
}

GST_START_TEST (test_wrapped)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  guint8 *data = g_aligned_alloc (N, 1, MAX (traits->host_pointer_alignment,
          4096));
  GstMemory *memory, *out;
  gboolean freed = FALSE;
  g_autoptr (GError) error = NULL;

  memset (data, 3, N);
  memory = gst_mgpu_memory_new_wrapped (queue, data, N, &freed, set_flag,
      &error);
  if (!traits->unified_memory) {
    fail_unless (memory == NULL);
    fail_unless (g_error_matches (error, GST_MGPU_ERROR,
            GST_MGPU_ERROR_UNSUPPORTED));
    g_clear_error (&error);
  } else {
    fail_unless (memory != NULL);
    out = new_memory (N);
    add (queue, memory, out, 4, LATE);
    /* Freeing the memory waits for the device, which still reads it. */
    gst_memory_unref (memory);
    fail_unless (freed);
    memset (data, 0, N);
    expect (out, 7);
    gst_memory_unref (out);

    /* The device writes to the wrapped memory directly. */
    freed = FALSE;
    memory = gst_mgpu_memory_new_wrapped (queue, data, N, &freed, set_flag,
        NULL);
    out = new_memory (N);
    fill (out, 20);
    add (queue, out, memory, 1, 0);
    fail_unless (gst_mgpu_memory_wait ((GstMgpuMemory *) memory, NULL));
    expect (memory, 21);
    gst_memory_unref (out);
    gst_memory_unref (memory);
    fail_unless (freed);
    fail_unless_equals_int (data[N - 1], 21);
  }

  fail_unless (gst_mgpu_memory_new_wrapped (queue, data + 1, N - 1, NULL, NULL,
          &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "in place; copy it") != NULL);
  g_aligned_free (data);
}

GST_END_TEST;

GST_START_TEST (test_impossible_sizes)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  const gsize sizes[] = { 0, traits->max_allocation_size + 1, G_MAXSIZE };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GError) error = NULL;

    fail_unless (gst_mgpu_memory_new (queue, sizes[i], NULL, &error) == NULL);
    fail_unless (g_error_matches (error, GST_MGPU_ERROR,
            GST_MGPU_ERROR_OUT_OF_MEMORY));
    fail_unless (strstr (error->message,
            "bytes are outside the range of 1 to") != NULL);
    fail_unless (strstr (error->message, "use smaller frames") != NULL);
  }
}

GST_END_TEST;

GST_START_TEST (test_job_errors)
{
  g_autoptr (GstMgpuContext) foreign = gst_mgpu_context_new (NULL, NULL);
  g_autoptr (GstMgpuQueue) there = gst_mgpu_queue_new (foreign, NULL);
  g_autoptr (GstMemory) theirs = gst_mgpu_memory_new (there, N, NULL, NULL);
  g_autoptr (GstMemory) ours = new_memory (N);
  const gsize global = N, too_large = gst_mgpu_context_get_traits
      (context)->max_work_group_size * 2;
  GError *error = NULL;
  GstMgpuJob job;

  /* Memory of another context */
  gst_mgpu_job_begin (&job, queue, NULL);
  fail_unless (gst_mgpu_job_read (&job, (GstMgpuMemory *) theirs) == NULL);
  fail_unless (gst_mgpu_job_write (&job, (GstMgpuMemory *) ours) == NULL);
  gst_mgpu_job_launch (&job, kernel, 1, &global, NULL);
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "another OpenCL context") != NULL);
  g_clear_error (&error);

  /* Sets a fifth argument of a kernel with four arguments. */
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_set_args (&job, kernel, "mmiii",
      gst_mgpu_job_read (&job, (GstMgpuMemory *) ours),
      gst_mgpu_job_write (&job, (GstMgpuMemory *) ours), 1, 0, 0);
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (g_str_has_prefix (error->message, "kernel \"add\", argument 4: "
          "clSetKernelArg failed with CL_INVALID_ARG_INDEX"), "%s",
      error->message);
  g_clear_error (&error);

  /* Tries a launch that the driver refuses; the job keeps its first error. */
  fill (ours, 5);
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_set_args (&job, kernel, "mmii",
      gst_mgpu_job_read (&job, (GstMgpuMemory *) ours),
      gst_mgpu_job_write (&job, (GstMgpuMemory *) ours), 1, 0);
  gst_mgpu_job_launch (&job, kernel, 1, &too_large, &too_large);
  gst_mgpu_job_fail (&job, g_error_new_literal (GST_MGPU_ERROR,
          GST_MGPU_ERROR_FAILED, "second"));
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (strstr (error->message, "\"add\" needs work-groups of") != NULL);
  g_clear_error (&error);
  expect (ours, 5);

  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_fail (&job, g_error_new_literal (GST_MGPU_ERROR,
          GST_MGPU_ERROR_FAILED, "first"));
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless_equals_string (error->message, "first");
  g_clear_error (&error);

  /* Ends a job without commands, which succeeds. */
  gst_mgpu_job_begin (&job, queue, stats);
  fail_unless (gst_mgpu_job_end (&job, &error));
}

GST_END_TEST;

GST_START_TEST (test_too_many_memories)
{
  GstMemory *memories[GST_MGPU_JOB_MAX_MEMORIES + 1];
  GError *error = NULL;
  GstMgpuJob job;

  for (guint i = 0; i <= GST_MGPU_JOB_MAX_MEMORIES; i++)
    memories[i] = new_memory (16);
  gst_mgpu_job_begin (&job, queue, NULL);
  for (guint i = 0; i < GST_MGPU_JOB_MAX_MEMORIES; i++) {
    fail_unless (gst_mgpu_job_read (&job,
            (GstMgpuMemory *) memories[i]) != NULL);
    /* Two writes of the same memory count only once. */
    fail_unless (gst_mgpu_job_write (&job,
            (GstMgpuMemory *) memories[i]) != NULL);
  }
  fail_unless (gst_mgpu_job_read (&job,
          (GstMgpuMemory *) memories[GST_MGPU_JOB_MAX_MEMORIES]) == NULL);
  fail_if (gst_mgpu_job_end (&job, &error));
  fail_unless (strstr (error->message, "more than 64 memory objects") != NULL);
  g_error_free (error);
  for (guint i = 0; i <= GST_MGPU_JOB_MAX_MEMORIES; i++)
    gst_memory_unref (memories[i]);
}

GST_END_TEST;

GST_START_TEST (test_copy_rect)
{
  g_autoptr (GstMemory) in = new_memory (100), out = new_memory (200);
  GError *error = NULL;
  GstMapInfo map;
  GstMgpuJob job;

  fail_unless (gst_memory_map (in, &map, GST_MAP_WRITE));
  for (guint i = 0; i < 100; i++)
    map.data[i] = i;
  gst_memory_unmap (in, &map);
  fill (out, 255);

  /* Copies 3 rows of 5 bytes, from (7, 1) in rows of 10 bytes, to byte 3 in rows of 20 bytes. */
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_read (&job, (GstMgpuMemory *) out);
  gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) in, 13, 10,
      (GstMgpuMemory *) out, 3, 20, 5, 3);
  gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) in, 90, 10,
      (GstMgpuMemory *) out, 190, 10, 10, 1);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error ? error->message : "");

  fail_unless (gst_memory_map (out, &map, GST_MAP_READ));
  for (guint i = 0; i < 200; i++) {
    guint row = i / 20, column = i % 20, want = 255;

    if (row < 3 && column >= 3 && column < 8)
      want = 13 + row * 10 + column - 3;
    if (i >= 190)
      want = i - 100;
    fail_unless_equals_int (map.data[i], want);
  }
  gst_memory_unmap (out, &map);
}

GST_END_TEST;

/* Tests that rows that end outside of a memory object cause an error, whether a driver or a kernel
 * copies them. */
GST_START_TEST (test_copy_outside)
{
  static const gsize good[] = { 13, 10, 3, 20, 5, 3 };
  static const gsize bad[][6] = {
    {52, 10, 3, 20, 9, 5}, {101, 10, 3, 20, 5, 1}, {0, 10, 196, 20, 5, 1},
    {0, 10, 3, 20, 5, 11}, {0, 10, 21, 20, 10, 10}, {0, 10, 3, 4, 5, 3},
    {G_MAXSIZE - 4, 10, 3, 20, 5, 1}, {0, 10, G_MAXUINT, 20, 10, 1},
    {0, G_MAXSIZE / 2, 0, 10, 5, 3}, {0, 5, 0, 5, 5, G_MAXSIZE / 5}
  };

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++) {
    const gsize *c = i == 0 ? good : bad[i - 1];
    g_autoptr (GstMemory) in = new_memory (100), out = new_memory (200);
    GError *error = NULL;
    GstMgpuJob job;

    fill (in, 1);
    fill (out, 2);
    gst_mgpu_job_begin (&job, queue, NULL);
    gst_mgpu_job_read (&job, (GstMgpuMemory *) out);
    gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) in, c[0], c[1],
        (GstMgpuMemory *) out, c[2], c[3], c[4], c[5]);
    fail_unless (gst_mgpu_job_end (&job, &error) == (i == 0), "copy %u", i);
    if (i > 0)
      fail_unless (strstr (error->message, "cannot copy") != NULL,
          "copy %u: %s", i, error->message);
    g_clear_error (&error);
  }
}

GST_END_TEST;

static Suite *
mgpumemory_suite (void)
{
  static const struct
  {
    const gchar *name;
    void (*begin) (void);
  } kinds[] = {
    {"as it is", begin}, {"mapped", begin_mapped},
    {"memory of its own", begin_discrete}
  };
  Suite *suite = suite_create ("mgpumemory");

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    TCase *tc = tcase_create (kinds[i].name);

    suite_add_tcase (suite, tc);
    tcase_add_checked_fixture (tc, kinds[i].begin, end);
    tcase_add_test (tc, test_map);
    tcase_add_test (tc, test_map_device);
    tcase_add_test (tc, test_job);
    tcase_add_test (tc, test_two_queues);
    tcase_add_test (tc, test_read_while_mapped);
    tcase_add_test (tc, test_own_queue);
    tcase_add_test (tc, test_frames_ahead);
    tcase_add_test (tc, test_queue_goes_first);
    tcase_add_test (tc, test_copy);
    tcase_add_test (tc, test_order);
    tcase_add_test (tc, test_device_time);
    tcase_add_test (tc, test_transfers);
    tcase_add_test (tc, test_wrapped);
    tcase_add_test (tc, test_impossible_sizes);
    tcase_add_test (tc, test_job_errors);
    tcase_add_test (tc, test_too_many_memories);
    tcase_add_test (tc, test_copy_rect);
    tcase_add_test (tc, test_copy_outside);
  }
  return suite;
}

GST_CHECK_MAIN (mgpumemory);

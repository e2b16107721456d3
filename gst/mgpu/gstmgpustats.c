/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts frames, transfers and times of an element, for its property "stats". */
#include "gstmgpustats-private.h"

#include <gst/base/gstqueuearray.h>

#include "gstmgpuerror-private.h"

/* Interval at which the driver is queried for complete commands: each time the number of pending
 * commands is a multiple of this number. A query costs time. */
#define HARVEST_EVERY 32

/* Maximum number of commands that are kept until they are complete. If there are more, the
 * times of the oldest ones are lost. */
#define MAX_PENDING 4096

/* Device time is measured for the first FIRST_JOBS jobs and then for every JOBS_A_SAMPLE-th
 * job. JOBS_A_SAMPLE is prime. If every frame has the same number of jobs, each of these
 * jobs is therefore measured in some frame. */
#define FIRST_JOBS 8
#define JOBS_A_SAMPLE 17

/* A sequence of commands in a command queue: the events of its first and last command. For a
 * single command, both members are the same event, with one reference. */
typedef struct
{
  cl_event first, last;
  const gchar *name;            /* interned name of the kernel; NULL if kernels are not
                                 * timed one by one */
} Command;

typedef struct
{
  guint64 launches;
  guint64 device_time;
} KernelTimes;

struct _GstMgpuStats
{
  gatomicrefcount refs;
  gint profile;                 /* whether each command is timed by itself (property
                                 * "profile"); atomic */
  GMutex lock;                  /* lock that guards the members declared after it */
  guint64 counters[GST_MGPU_N_COUNTERS];
  GstQueueArray *pending;       /* array of Command: commands whose times have not been read
                                 * yet, oldest first */
  guint64 n_jobs;               /* number of jobs that have begun, measured or not */
  guint64 last_time;            /* time on the device of the job that was measured last,
                                 * in nanoseconds; 0: none yet */
  GHashTable *kernels;          /* table that maps the name of a kernel to its KernelTimes */
};

G_DEFINE_BOXED_TYPE (GstMgpuStats, gst_mgpu_stats, gst_mgpu_stats_ref,
    gst_mgpu_stats_unref);

static void
release_command (gpointer data)
{
  Command *command = data;

  clReleaseEvent (command->first);
  if (command->last != command->first)
    clReleaseEvent (command->last);
}

/**
 * gst_mgpu_stats_new:
 *
 * Makes counters. Any thread may change and read them.
 *
 * Returns: (transfer full): new counters, all zero
 *
 * Since: 1.0
 */
GstMgpuStats *
gst_mgpu_stats_new (void)
{
  GstMgpuStats *stats = g_new0 (GstMgpuStats, 1);

  g_atomic_ref_count_init (&stats->refs);
  g_mutex_init (&stats->lock);
  stats->pending = gst_queue_array_new_for_struct (sizeof (Command), 64);
  gst_queue_array_set_clear_func (stats->pending, release_command);
  stats->kernels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return stats;
}

/**
 * gst_mgpu_stats_ref:
 * @stats: a #GstMgpuStats
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @stats
 *
 * Since: 1.0
 */
GstMgpuStats *
gst_mgpu_stats_ref (GstMgpuStats * stats)
{
  g_atomic_ref_count_inc (&stats->refs);
  return stats;
}

/**
 * gst_mgpu_stats_unref:
 * @stats: (transfer full): a #GstMgpuStats
 *
 * Drops a reference. The last one frees the counters.
 *
 * Since: 1.0
 */
void
gst_mgpu_stats_unref (GstMgpuStats * stats)
{
  if (!g_atomic_ref_count_dec (&stats->refs))
    return;
  gst_queue_array_free (stats->pending);
  g_hash_table_unref (stats->kernels);
  g_mutex_clear (&stats->lock);
  g_free (stats);
}

/**
 * gst_mgpu_stats_add:
 * @stats: a #GstMgpuStats
 * @counter: the counter to change
 * @amount: the amount to add to the counter
 *
 * Adds to a counter.
 *
 * Since: 1.0
 */
void
gst_mgpu_stats_add (GstMgpuStats * stats, GstMgpuCounter counter,
    guint64 amount)
{
  g_mutex_lock (&stats->lock);
  stats->counters[counter] += amount;
  g_mutex_unlock (&stats->lock);
}

static void
add_time (GstMgpuStats * stats, const Command * command, guint64 time)
{
  KernelTimes *times;

  stats->counters[GST_MGPU_COUNTER_DEVICE_TIME] += time;
  if (command->name == NULL) {
    stats->last_time = time;
    return;
  }
  times = g_hash_table_lookup (stats->kernels, command->name);
  if (times == NULL) {
    times = g_new0 (KernelTimes, 1);
    g_hash_table_insert (stats->kernels, (gpointer) command->name, times);
  }
  times->launches++;
  times->device_time += time;
}

/* Reads the times of complete commands, and removes these commands from the head of the
 * queue @pending. Commands complete in the order of @pending, because their command queue is
 * in order. The caller holds the lock. */
static void
harvest (GstMgpuStats * stats)
{
  Command *command;

  while ((command = gst_queue_array_peek_head_struct (stats->pending)) != NULL) {
    cl_int status = CL_COMPLETE;
    cl_ulong start = 0, end = 0;

    clGetEventInfo (command->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
        sizeof (status), &status, NULL);
    if (status > CL_COMPLETE
        && gst_queue_array_get_length (stats->pending) <= MAX_PENDING)
      return;
    if (status == CL_COMPLETE
        && clGetEventProfilingInfo (command->first, CL_PROFILING_COMMAND_START,
            sizeof (start), &start, NULL) == CL_SUCCESS
        && clGetEventProfilingInfo (command->last, CL_PROFILING_COMMAND_END,
            sizeof (end), &end, NULL) == CL_SUCCESS && end > start)
      add_time (stats, command, end - start);
    release_command (gst_queue_array_pop_head_struct (stats->pending));
  }
}

gboolean
gst_mgpu_stats_begin_job (GstMgpuStats * stats, gboolean always)
{
  gboolean timed;

  g_mutex_lock (&stats->lock);
  timed = always || stats->n_jobs < FIRST_JOBS
      || stats->n_jobs % JOBS_A_SAMPLE == 0;
  stats->n_jobs++;
  if (!timed) {
    if (stats->last_time == 0)
      harvest (stats);
    stats->counters[GST_MGPU_COUNTER_DEVICE_TIME] += stats->last_time;
  }
  g_mutex_unlock (&stats->lock);
  return timed;
}

static void
add_command (GstMgpuStats * stats, cl_event first, cl_event last,
    const gchar * name)
{
  Command command = { first, last, name };

  clRetainEvent (first);
  if (last != first)
    clRetainEvent (last);
  g_mutex_lock (&stats->lock);
  gst_queue_array_push_tail_struct (stats->pending, &command);
  if (gst_queue_array_get_length (stats->pending) % HARVEST_EVERY == 0)
    harvest (stats);
  g_mutex_unlock (&stats->lock);
}

void
gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel)
{
  add_command (stats, event, event, kernel != NULL
      ? gst_mgpu_error_name_kernel (kernel) : g_intern_static_string ("copy"));
}

void
gst_mgpu_stats_add_span (GstMgpuStats * stats, cl_event first, cl_event last)
{
  add_command (stats, first, last, NULL);
}

/**
 * gst_mgpu_stats_wait:
 * @stats: a #GstMgpuStats
 *
 * Blocks until all commands that were launched so far are complete. The device time then
 * includes them.
 *
 * Since: 1.0
 */
void
gst_mgpu_stats_wait (GstMgpuStats * stats)
{
  const Command *command;
  cl_event last = NULL;

  g_mutex_lock (&stats->lock);
  command = gst_queue_array_peek_tail_struct (stats->pending);
  if (command != NULL) {
    last = command->last;
    clRetainEvent (last);
  }
  g_mutex_unlock (&stats->lock);
  if (last != NULL) {
    clWaitForEvents (1, &last);
    clReleaseEvent (last);
  }
}

/**
 * gst_mgpu_stats_get:
 * @stats: a #GstMgpuStats
 * @counter: the counter to read
 *
 * Reads a counter. %GST_MGPU_COUNTER_DEVICE_TIME only includes commands that are complete.
 *
 * Returns: the value of the counter
 *
 * Since: 1.0
 */
guint64
gst_mgpu_stats_get (GstMgpuStats * stats, GstMgpuCounter counter)
{
  guint64 value;

  g_mutex_lock (&stats->lock);
  if (counter == GST_MGPU_COUNTER_DEVICE_TIME)
    harvest (stats);
  value = stats->counters[counter];
  g_mutex_unlock (&stats->lock);
  return value;
}

/**
 * gst_mgpu_stats_reset:
 * @stats: a #GstMgpuStats
 *
 * Sets all counters to zero.
 *
 * Since: 1.0
 */
void
gst_mgpu_stats_reset (GstMgpuStats * stats)
{
  g_mutex_lock (&stats->lock);
  gst_queue_array_clear (stats->pending);
  g_hash_table_remove_all (stats->kernels);
  stats->n_jobs = 0;
  stats->last_time = 0;
  for (guint i = 0; i < GST_MGPU_N_COUNTERS; i++)
    stats->counters[i] = 0;
  g_mutex_unlock (&stats->lock);
}

/**
 * gst_mgpu_stats_set_profile:
 * @stats: a #GstMgpuStats
 * @profile: %TRUE to measure the time of each kernel separately
 *
 * Starts or stops profiling. Profiling needs an event for each command, which costs time.
 *
 * Since: 1.0
 */
void
gst_mgpu_stats_set_profile (GstMgpuStats * stats, gboolean profile)
{
  g_atomic_int_set (&stats->profile, profile);
}

/**
 * gst_mgpu_stats_get_profile:
 * @stats: a #GstMgpuStats
 *
 * Tells whether profiling is on.
 *
 * Returns: %TRUE when the time of each kernel is measured separately; %FALSE is the default
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_stats_get_profile (GstMgpuStats * stats)
{
  return g_atomic_int_get (&stats->profile);
}

/* Adds the field "kernels" to @structure if the time of any kernel has been recorded. */
static void
add_kernels (GstMgpuStats * stats, GstStructure * structure)
{
  GstStructure *kernels;
  GHashTableIter iter;
  gpointer name, value;

  if (g_hash_table_size (stats->kernels) == 0)
    return;
  kernels = gst_structure_new_empty ("mgpu-kernels");
  g_hash_table_iter_init (&iter, stats->kernels);
  while (g_hash_table_iter_next (&iter, &name, &value)) {
    const KernelTimes *times = value;
    GstStructure *kernel = gst_structure_new ("mgpu-kernel",
        "launches", G_TYPE_UINT64, times->launches,
        "device-time", G_TYPE_UINT64, times->device_time, NULL);

    gst_structure_set (kernels, name, GST_TYPE_STRUCTURE, kernel, NULL);
    gst_structure_free (kernel);
  }
  gst_structure_set (structure, "kernels", GST_TYPE_STRUCTURE, kernels, NULL);
  gst_structure_free (kernels);
}

/**
 * gst_mgpu_stats_to_structure:
 * @stats: a #GstMgpuStats
 *
 * Reads all counters at once.
 *
 * Returns: (transfer full): a structure "mgpu-stats" with the #guint64 fields frames,
 *   uploads, downloads, imports, exports, upload-bytes, download-bytes, device-time and
 *   wait-time (both in nanoseconds). With profiling there is also the field "kernels": a
 *   structure with a field for each kernel, named after the kernel, and a field "copy".
 *   Each of these fields is a structure with the #guint64 fields launches and
 *   device-time (in nanoseconds)
 *
 * Since: 1.0
 */
GstStructure *
gst_mgpu_stats_to_structure (GstMgpuStats * stats)
{
  GstStructure *structure;
  const guint64 *c = stats->counters;

  g_mutex_lock (&stats->lock);
  harvest (stats);
  structure = gst_structure_new ("mgpu-stats",
      "frames", G_TYPE_UINT64, c[GST_MGPU_COUNTER_FRAMES],
      "uploads", G_TYPE_UINT64, c[GST_MGPU_COUNTER_UPLOADS],
      "downloads", G_TYPE_UINT64, c[GST_MGPU_COUNTER_DOWNLOADS],
      "imports", G_TYPE_UINT64, c[GST_MGPU_COUNTER_IMPORTS],
      "exports", G_TYPE_UINT64, c[GST_MGPU_COUNTER_EXPORTS],
      "upload-bytes", G_TYPE_UINT64, c[GST_MGPU_COUNTER_UPLOAD_BYTES],
      "download-bytes", G_TYPE_UINT64, c[GST_MGPU_COUNTER_DOWNLOAD_BYTES],
      "device-time", G_TYPE_UINT64, c[GST_MGPU_COUNTER_DEVICE_TIME],
      "wait-time", G_TYPE_UINT64, c[GST_MGPU_COUNTER_WAIT_TIME], NULL);
  add_kernels (stats, structure);
  g_mutex_unlock (&stats->lock);
  return structure;
}

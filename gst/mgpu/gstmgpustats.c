/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpustats
 * @title: GstMgpuStats
 * @short_description: counters of frames, copies and times
 */
#include "gstmgpustats-private.h"

/* Asking the driver whether commands are complete costs more than waiting a
 * little: it happens once in so many launches. */
#define HARVEST_EVERY 32

/* Events are kept until they are complete, at most this many; the times of
 * older ones are lost. */
#define MAX_PENDING 4096

struct _GstMgpuStats
{
  gatomicrefcount refs;
  GMutex lock;
  guint64 counters[GST_MGPU_N_COUNTERS];
  GQueue pending;
};

G_DEFINE_BOXED_TYPE (GstMgpuStats, gst_mgpu_stats, gst_mgpu_stats_ref,
    gst_mgpu_stats_unref);

/**
 * gst_mgpu_stats_new:
 *
 * Returns: (transfer full): counters, all zero
 *
 * Since: 0.1
 */
GstMgpuStats *
gst_mgpu_stats_new (void)
{
  GstMgpuStats *stats = g_new0 (GstMgpuStats, 1);

  g_atomic_ref_count_init (&stats->refs);
  g_mutex_init (&stats->lock);
  g_queue_init (&stats->pending);
  return stats;
}

/**
 * gst_mgpu_stats_ref:
 * @stats: a #GstMgpuStats
 *
 * Returns: (transfer full): @stats
 *
 * Since: 0.1
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
 * Since: 0.1
 */
void
gst_mgpu_stats_unref (GstMgpuStats * stats)
{
  cl_event event;

  if (!g_atomic_ref_count_dec (&stats->refs))
    return;
  while ((event = g_queue_pop_head (&stats->pending)) != NULL)
    clReleaseEvent (event);
  g_mutex_clear (&stats->lock);
  g_free (stats);
}

/**
 * gst_mgpu_stats_add:
 * @stats: a #GstMgpuStats
 * @counter: which counter
 * @amount: added to it
 *
 * Since: 0.1
 */
void
gst_mgpu_stats_add (GstMgpuStats * stats, GstMgpuCounter counter,
    guint64 amount)
{
  g_mutex_lock (&stats->lock);
  stats->counters[counter] += amount;
  g_mutex_unlock (&stats->lock);
}

/* Takes the times of the commands at the head that are complete. An in-order
 * queue completes them in this order. */
static void
harvest (GstMgpuStats * stats)
{
  cl_event event;

  while ((event = g_queue_peek_head (&stats->pending)) != NULL) {
    cl_int status = CL_COMPLETE;
    cl_ulong start = 0, end = 0;

    clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status),
        &status, NULL);
    if (status > CL_COMPLETE && stats->pending.length <= MAX_PENDING)
      return;
    if (status == CL_COMPLETE
        && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START,
            sizeof (start), &start, NULL) == CL_SUCCESS
        && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END,
            sizeof (end), &end, NULL) == CL_SUCCESS && end > start)
      stats->counters[GST_MGPU_COUNTER_DEVICE_TIME] += end - start;
    clReleaseEvent (event);
    g_queue_pop_head (&stats->pending);
  }
}

void
gst_mgpu_stats_add_event (GstMgpuStats * stats, cl_event event)
{
  clRetainEvent (event);
  g_mutex_lock (&stats->lock);
  g_queue_push_tail (&stats->pending, event);
  if (stats->pending.length % HARVEST_EVERY == 0)
    harvest (stats);
  g_mutex_unlock (&stats->lock);
}

/**
 * gst_mgpu_stats_wait:
 * @stats: a #GstMgpuStats
 *
 * Blocks until all commands that were launched so far are complete, so that the
 * device time covers them.
 *
 * Since: 0.1
 */
void
gst_mgpu_stats_wait (GstMgpuStats * stats)
{
  cl_event last;

  g_mutex_lock (&stats->lock);
  last = g_queue_peek_tail (&stats->pending);
  if (last != NULL)
    clRetainEvent (last);
  g_mutex_unlock (&stats->lock);
  if (last != NULL) {
    clWaitForEvents (1, &last);
    clReleaseEvent (last);
  }
}

/**
 * gst_mgpu_stats_get:
 * @stats: a #GstMgpuStats
 * @counter: which counter
 *
 * The device time covers the commands that are complete by now.
 *
 * Returns: its value
 *
 * Since: 0.1
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
 * Since: 0.1
 */
void
gst_mgpu_stats_reset (GstMgpuStats * stats)
{
  cl_event event;

  g_mutex_lock (&stats->lock);
  while ((event = g_queue_pop_head (&stats->pending)) != NULL)
    clReleaseEvent (event);
  for (guint i = 0; i < GST_MGPU_N_COUNTERS; i++)
    stats->counters[i] = 0;
  g_mutex_unlock (&stats->lock);
}

/**
 * gst_mgpu_stats_to_structure:
 * @stats: a #GstMgpuStats
 *
 * Returns: (transfer full): a structure "mgpu-stats" with the #guint64 fields
 *   frames, uploads, downloads, upload-bytes, download-bytes, device-time and
 *   wait-time (both in nanoseconds)
 *
 * Since: 0.1
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
      "upload-bytes", G_TYPE_UINT64, c[GST_MGPU_COUNTER_UPLOAD_BYTES],
      "download-bytes", G_TYPE_UINT64, c[GST_MGPU_COUNTER_DOWNLOAD_BYTES],
      "device-time", G_TYPE_UINT64, c[GST_MGPU_COUNTER_DEVICE_TIME],
      "wait-time", G_TYPE_UINT64, c[GST_MGPU_COUNTER_WAIT_TIME], NULL);
  g_mutex_unlock (&stats->lock);
  return structure;
}

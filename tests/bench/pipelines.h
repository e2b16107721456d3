/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/**
 * BenchFeed:
 * @BENCH_FEED_POOL: frames are written into buffers of the pool that the first
 *   element offers, as a decoder does
 * @BENCH_FEED_READY: likewise, but frames are there already: a source that writes
 *   them elsewhere, or takes no time for it
 * @BENCH_FEED_MALLOC: frames are written into plain memory
 * @BENCH_FEED_DEVICE: frames lie on the device already
 */
typedef enum
{
  BENCH_FEED_POOL,
  BENCH_FEED_READY,
  BENCH_FEED_MALLOC,
  BENCH_FEED_DEVICE
} BenchFeed;

/**
 * BenchWay:
 * @label: who does it
 * @launch: elements between source and sink; %NULL: @apply does it, between an
 *   appsink and an appsrc
 * @apply: (nullable): one frame from the plane at @in to that at @out
 * @feed: where frames come from
 * @ffmpeg: a filter of FFmpeg, instead of @launch and @apply
 * @streams: how many pipelines at once
 * @apart: each of them has a process of its own
 * @together: all of them are in one pipeline, whose elements find their contexts; otherwise
 *   each is a pipeline in the context of this program
 * @contexts: (nullable): how many contexts the device may have: the value of
 *   GST_MGPU_CONTEXTS meanwhile
 *
 * One of several ways to do the same.
 */
typedef struct
{
  const gchar *label;
  const gchar *launch;
  void (*apply) (const guint8 * in, guint8 * out, gint width, gint height, gint stride);
  BenchFeed feed;
  const gchar *ffmpeg;
  guint streams;
  gboolean apart;
  gboolean together;
  const gchar *contexts;
} BenchWay;

/**
 * BenchResult:
 * @fps: frames per second of all streams together, until the last one ends
 * @slowest: frames per second of the slowest stream, and
 * @fastest: of the fastest one
 * @latency: milliseconds that a frame took from the source's pad to the sink's
 *   look at it, sorted; of #gdouble; empty: unknown
 * @cpu_ms: processor time per frame, of the whole process
 * @uploads: copies to the device, per frame
 * @downloads: copies from the device, per frame
 * @bytes: bytes of both, per frame
 * @device_ms: device time of our kernels, per frame
 * @elements_ms: processor time that the thread which brings frames spends on each
 *   in our elements, median: the host's work beside kernels; %NAN: frames leave
 *   in another thread
 * @resident_mib: resident memory at the end, of all processes
 * @device_mib: memory of the device that was taken at once
 *
 * What one run of a pipeline gave.
 */
typedef struct
{
  gdouble fps;
  gdouble slowest;
  gdouble fastest;
  GArray *latency;
  gdouble cpu_ms;
  gdouble uploads;
  gdouble downloads;
  gdouble bytes;
  gdouble device_ms;
  gdouble elements_ms;
  gdouble resident_mib;
  gdouble device_mib;
} BenchResult;

/* Registers the source element. */
void     bench_run_init  (GstMgpuContext * context);

/* Plays frames frames of caps in each of the way's pipelines, in this process.
 * Needs bench_can_run(). Prints why a pipeline fails; there is no latency then. */
gboolean bench_run       (const BenchWay * way, const gchar * caps,
                          guint frames, BenchResult * result);

/* Likewise, with each stream in a process of its own: this program again, which
 * is told so with arguments and calls bench_run_child(). */
gboolean bench_run_apart (const gchar * argument, guint frames, guint streams,
                          BenchResult * result);

/* The one stream of such a process, in step with the others. Returns: the
 * process's exit status */
int      bench_run_child (const BenchWay * way, const gchar * caps,
                          guint frames);

/* Streams that are warm wait for those of other processes. */
void     bench_run_in_step (void);

gboolean bench_can_run   (const BenchWay * way);

/* The value below which are percent % of the values; NAN when there are none */
gdouble  bench_percentile (GArray * sorted, gdouble percent);

/* Frames of size bytes that get to the device and as many that leave it in a
 * second, at once and with nothing beside them, from pinned memory. */
gdouble  bench_limit_of_bus (GstMgpuContext * context, gsize size);

/* Frames that a thread copies to pinned memory in a second */
gdouble  bench_limit_of_filling (GstMgpuContext * context,
    const GstVideoInfo * info);

/* A picture of info's size, not like the others */
guint8 * bench_draw      (const GstVideoInfo * info, guint picture);

/* How much memory of the device is taken at once at most, between two calls */
void     bench_device_memory_begin (GstMgpuContext * context);
gdouble  bench_device_memory_end (void);

gboolean bench_ffmpeg_can_run (void);
gboolean bench_ffmpeg_run (const BenchWay * way, const GstVideoInfo * info,
                          guint frames, BenchResult * result);

/* OpenCV, with as many threads as there are processors, GRAY8; built with peers */
void     bench_opencv_bilateral (const guint8 * in, guint8 * out, gint width,
                                 gint height, gint stride);
void     bench_opencv_equalize  (const guint8 * in, guint8 * out, gint width,
                                 gint height, gint stride);

G_END_DECLS

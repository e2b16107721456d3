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
 * One of several variants of a pipeline that do the same.
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
 * Results of one run of a pipeline
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

/* Plays @frames frames of @caps in each of the variant's pipelines, in this process. Requires
 * bench_can_run(). If a pipeline fails, prints why; there is no latency then. */
gboolean bench_run       (const BenchWay * way, const gchar * caps,
                          guint frames, BenchResult * result);

/* Plays frames like bench_run(), but each stream in a separate process: this program is started
 * again with arguments for this, and calls bench_run_child(). */
gboolean bench_run_apart (const gchar * argument, guint frames, guint streams,
                          BenchResult * result);

/* Plays the one stream of a child process of bench_run_apart(), in step with the other processes.
 * Returns: the exit status of the process */
int      bench_run_child (const BenchWay * way, const gchar * caps,
                          guint frames);

/* Makes streams that are warm wait for those of other processes. */
void     bench_run_in_step (void);

gboolean bench_can_run   (const BenchWay * way);

/* Returns the value below which @percent % of the values lie; NAN if there are no values. */
gdouble  bench_percentile (GArray * sorted, gdouble percent);

/* Returns the number of frames of @size bytes that are copied to the device per second while as
 * many are copied from it, from pinned memory and without other work. */
gdouble  bench_limit_of_bus (GstMgpuContext * context, gsize size);

/* Returns the number of frames per second that a thread copies to pinned memory. */
gdouble  bench_limit_of_filling (GstMgpuContext * context,
    const GstVideoInfo * info);

/* Returns a picture of the size of @info that differs from the other pictures. */
guint8 * bench_draw      (const GstVideoInfo * info, guint picture);

/* Measures the maximum amount of device memory in use between two calls. */
void     bench_device_memory_begin (GstMgpuContext * context);
gdouble  bench_device_memory_end (void);

gboolean bench_ffmpeg_can_run (void);
gboolean bench_ffmpeg_run (const BenchWay * way, const GstVideoInfo * info,
                          guint frames, BenchResult * result);

/* Calls OpenCV on GRAY8, with as many threads as there are processors; built only with peers
 * enabled. */
void     bench_opencv_bilateral (const guint8 * in, guint8 * out, gint width,
                                 gint height, gint stride);
void     bench_opencv_equalize  (const guint8 * in, guint8 * out, gint width,
                                 gint height, gint stride);

G_END_DECLS

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
 * @BENCH_FEED_READY: frames are in such buffers already, as if a source had written
 *   them elsewhere, or in no time
 * @BENCH_FEED_MALLOC: frames are written into memory of malloc()
 * @BENCH_FEED_DEVICE: frames are in device memory already
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
 * @label: name of the variant in the table
 * @launch: elements between source and sink; %NULL: calls @apply between an
 *   appsink and an appsrc
 * @apply: (nullable): filters one frame from the plane at @in to the plane at @out
 * @feed: memory in which the source provides frames
 * @ffmpeg: a filter of FFmpeg, instead of @launch and @apply
 * @streams: number of pipelines that play at the same time
 * @apart: whether each pipeline runs in a separate process
 * @together: whether all streams are in one pipeline, whose elements choose their contexts;
 *   otherwise each is a pipeline in the context of this program
 * @contexts: (nullable): maximum number of contexts of the device, the value of
 *   GST_MGPU_CONTEXTS during the run
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
 * @slowest: frames per second of the slowest stream
 * @fastest: frames per second of the fastest stream
 * @latency: milliseconds that each frame took from the source's pad until the sink read
 *   it, sorted; an array of #gdouble; empty: unknown
 * @cpu_ms: processor time per frame, of the whole process
 * @uploads: copies to the device, per frame
 * @downloads: copies from the device, per frame
 * @bytes: bytes of uploads and downloads, per frame
 * @device_ms: device time of this project's kernels, per frame
 * @elements_ms: median processor time that the thread that pushes frames spends on a frame
 *   in this project's elements, the host's work in addition to kernels; %NAN: frames are
 *   pushed on by another thread
 * @resident_mib: resident memory at the end, of all processes
 * @device_mib: maximum device memory in use at the same time
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

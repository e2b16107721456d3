/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpubilateral with a guide image at its second input. */
#pragma once

#include "reference.h"

#include "../../cases/bilateral.h"

#include <math.h>

#define WIDTH 31
#define HEIGHT 22

/* Holds a filter with two inputs, and a harness for each input. */
typedef struct
{
  GstElement *filter;
  GstHarness *frames, *guides;
  GstVideoInfo info, guide_info;
} Two;

static inline GstElement *
filter_new (const gchar * launch)
{
  GstElement *filter = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, NULL);

  fail_unless (filter != NULL);
  return filter;
}

/* Makes a harness for each of the two inputs of @filter (transfer full). */
static inline void
two_init_filter (Two * two, GstElement * filter, GstVideoFormat format,
    GstVideoFormat guide, gint guide_width)
{
  GstCaps *caps = caps_new (format, WIDTH, HEIGHT, FALSE);
  GstCaps *guide_caps = caps_new (guide, guide_width, HEIGHT, FALSE);

  two->filter = filter;
  fail_unless (gst_video_info_from_caps (&two->info, caps));
  fail_unless (gst_video_info_from_caps (&two->guide_info, guide_caps));
  two->guides = gst_harness_new_with_element (two->filter, "guide", NULL);
  two->frames = gst_harness_new_with_element (two->filter, "sink", "src");
  gst_harness_set_sink_caps_str (two->frames, "ANY");
  gst_harness_set_src_caps (two->frames, caps);
  gst_harness_set_src_caps (two->guides, guide_caps);
}

static inline void
two_init (Two * two, const gchar * launch, GstVideoFormat format,
    GstVideoFormat guide)
{
  two_init_filter (two, filter_new (launch), format, guide, WIDTH);
}

static inline void
two_clear (Two * two)
{
  gst_harness_teardown (two->guides);
  gst_harness_teardown (two->frames);
  gst_object_unref (two->filter);
}

/* Makes a frame of the content @seed. @ms: its timestamp, or G_MAXUINT for none. @duration: in ms,
 * or 0 for none */
static inline GstBuffer *
frame_at (const GstVideoInfo * info, guint seed, guint ms, guint duration)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_PADDED, seed);

  GST_BUFFER_PTS (buffer) =
      ms < G_MAXUINT ? ms * GST_MSECOND : GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) =
      duration > 0 ? duration * GST_MSECOND : GST_CLOCK_TIME_NONE;
  return buffer;
}

static inline void
push_guide (Two * two, guint seed, guint ms, guint duration)
{
  fail_unless_equals_int (gst_harness_push (two->guides,
          frame_at (&two->guide_info, seed, ms, duration)), GST_FLOW_OK);
}

/* Computes the expected frame with the reference. @method: index of the element's enumeration */
static inline void
guided_reference (GstVideoFrame * in, GstVideoFrame * guide,
    GstVideoFrame * out, gint method, gboolean all_planes)
{
  const MgpuBilateralParams params = { 40, 4, 0, all_planes, method, 16 };
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  RefPlane by[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  ref_planes (guide, by);
  cases_bilateral_filter (&params, &in->info, from, to, by,
      GST_VIDEO_INFO_IS_RGB (&guide->info) ? 3 : 1);
}

/* Pushes a frame made from @seed with the timestamp @ms. Fails unless the output equals the result
 * of the reference with the guide made from @guide_seed. */
static inline void
check_frame (Two * two, guint seed, guint ms, guint guide_seed, gint method,
    gboolean all_planes)
{
  GstBuffer *from = frame_at (&two->info, seed, ms, 40);
  GstBuffer *guide = frame_at (&two->guide_info, guide_seed, 0, 0);
  GstBuffer *expected = gst_buffer_copy_deep (from), *to;
  GstVideoFrame in, by, out;

  to = harness_push_pull (two->frames, gst_buffer_ref (from));
  fail_unless (gst_video_frame_map (&in, &two->info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&by, &two->guide_info, guide,
          GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &two->info, expected,
          GST_MAP_WRITE));
  guided_reference (&in, &by, &out, method, all_planes);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&by);
  gst_video_frame_unmap (&in);
  fail_unless_same_frame (&two->info, to, expected);
  gst_buffer_unref (to);
  gst_buffer_unref (expected);
  gst_buffer_unref (guide);
  gst_buffer_unref (from);
}

#define FILTER "mgpubilateral name=f sigma-color=40 sigma-space=4 "

typedef struct
{
  GstHarness *harness;
  GstBuffer *buffer;
} Push;

static inline gpointer
push_thread (gpointer data)
{
  Push *push = data;

  return GINT_TO_POINTER (gst_harness_push (push->harness, push->buffer));
}

/* Starts a thread that pushes a frame or a guide, and returns once the push blocks. */
static inline GThread *
push_waiting (Push * push)
{
  GThread *thread = g_thread_new ("push", push_thread, push);

  g_usleep (G_USEC_PER_SEC / 20);
  return thread;
}

#define JOIN(thread) GPOINTER_TO_INT (g_thread_join (thread))

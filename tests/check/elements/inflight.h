/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Simulates a device with dedicated memory, for tests of frames in flight: replaces OpenCL
 * functions, so that any device keeps frames unfinished as long as the test wants. */
#pragma once

#include "../events.h"
#include "common.h"

/* Caps of frames that are large enough for the windows of all detectors */
#define CAPS HOST_CAPS ("GRAY8", 80, 144)
#define FRAME (GST_SECOND / 25)

static gint closed, fails, holds, n_waits;
static GThread *bringer;

/* Reports no command as complete while @closed is set. While @fails is an OpenCL error, reports to
 * all threads except @bringer (the thread that pushes frames) that complete commands failed with
 * this error. */
static cl_int
tell_status (cl_event event, cl_int status)
{
  if (g_atomic_int_get (&closed))
    return CL_RUNNING;
  return status == CL_COMPLETE && g_atomic_int_get (&fails)
      && g_thread_self () != bringer ? g_atomic_int_get (&fails) : status;
}

/* Blocks all threads except @bringer, the thread that pushes frames, while @closed and @holds are
 * set. Counts the waits of @bringer. */
static cl_int
tell_wait (cl_uint n, const cl_event * events, cl_int result)
{
  if (g_atomic_int_get (&holds) && g_atomic_int_get (&closed)
      && g_thread_self () == bringer)
    g_atomic_int_inc (&n_waits);
  while (g_atomic_int_get (&holds) && g_atomic_int_get (&closed)
      && g_thread_self () != bringer)
    g_usleep (1000);
  return g_atomic_int_get (&fails) && g_thread_self () != bringer
      ? g_atomic_int_get (&fails) : result;
}

static inline void
let_through (void)
{
  g_atomic_int_set (&closed, FALSE);
}

static inline gpointer
let_through_soon (gpointer data)
{
  g_usleep (50000);
  let_through ();
  return NULL;
}

static inline GstHarness *
discrete_new_pad (const gchar * launch, const gchar * pad)
{
  GstContext *carrier = discrete_carrier ();
  GstElement *element = gst_parse_launch (launch, NULL);
  GstHarness *h;

  gst_element_set_context (element, carrier);
  gst_context_unref (carrier);
  h = gst_harness_new_with_element (element, "sink", pad);
  gst_object_unref (element);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static inline GstHarness *
discrete_new (const gchar * launch)
{
  return discrete_new_pad (launch, "src");
}

/* Returns frame @i, whose content depends on @i. */
static inline GstBuffer *
numbered (guint i)
{
  GstVideoInfo info = info_from_string (CAPS);
  GstBuffer *buffer = frame_new (&info, LAYOUT_DEFAULT, i);

  GST_BUFFER_PTS (buffer) = i * FRAME;
  gst_buffer_add_video_region_of_interest_meta (buffer, "number", i, 0, 1, 1);
  return buffer;
}

static inline void
pull_numbered (GstHarness * h, guint i)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstBuffer) out = harness_pull (h), expected = numbered (i);
  GstVideoRegionOfInterestMeta *meta =
      gst_buffer_get_video_region_of_interest_meta (out);

  fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
  fail_unless_same_frame (&info, out, expected);
  fail_unless (meta != NULL);
  fail_unless_equals_int (meta->x, i);
}

static inline void
push_numbered (GstHarness * h, guint i)
{
  fail_unless_equals_int (gst_harness_push (h, numbered (i)), GST_FLOW_OK);
}

typedef struct
{
  GstHarness *h;
  GstEventType type;
  gint frames;                  /* number of frames that came before the event; -1: the event did
                                 * not come */
} Event;

static inline GstPadProbeReturn
see_event (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Event *event = data;

  if (GST_EVENT_TYPE (info->data) == event->type)
    g_atomic_int_set (&event->frames, gst_harness_buffers_received (event->h));
  return GST_PAD_PROBE_OK;
}

static inline void
watch_event (Event * event, GstHarness * h, GstEventType type)
{
  event->h = h;
  event->type = type;
  event->frames = -1;
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, see_event,
      event, NULL);
}

static inline gboolean
push_custom (GstHarness * h)
{
  return gst_harness_push_event (h, gst_event_new_custom
      (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("middle")));
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how mgpupyramid's pads respond to queries and frames, and pads that are linked, unlinked
 * and released while the element processes a frame. */
#include "pyramid.h"

typedef struct _Links Links;

/* A pad that is linked to a source pad, accepts caps, and returns @flow for each frame */
typedef struct
{
  GstPad *src, *sink;
  GstCaps *caps;                /* NULL: any */
  GstFlowReturn flow;
  gint n;                       /* frames so far */
  Links *links;                 /* state of the test, whose function is called for each frame */
} Peer;

/* Moments at which the links of a pad change: when its peer gets a query or an event, and when its
 * frame, or the frame of the pad before it, is about to be pushed */
typedef enum
{ ASKED_CAPS, SENT_CAPS, ASKED_POOL, PUSHES_FIRST, PUSHES, N_MOMENTS } Moment;
typedef enum
{ UNLINK, RELINK, RELINK_OTHER, N_ACTIONS } Action;

struct _Links
{
  GstPad *src;
  Peer peers[2];
  Moment moment;
  Action action;
  gint done;
};

static void
reach (Links * self, Moment moment)
{
  GstPad *peer;

  if (self == NULL || moment != self->moment
      || !g_atomic_int_compare_and_exchange (&self->done, FALSE, TRUE))
    return;
  peer = gst_pad_get_peer (self->src);
  if (peer != NULL) {
    fail_unless (gst_pad_unlink (self->src, peer));
    gst_object_unref (peer);
  }
  if (self->action != UNLINK)
    fail_unless_equals_int (gst_pad_link (self->src,
            self->peers[self->action == RELINK_OTHER].sink), GST_PAD_LINK_OK);
}

static GstFlowReturn
peer_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Peer *peer = gst_pad_get_element_private (pad);

  g_atomic_int_inc (&peer->n);
  gst_buffer_unref (buffer);
  return peer->flow;
}

static gboolean
peer_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Peer *peer = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    reach (peer->links, SENT_CAPS);
  gst_event_unref (event);
  return TRUE;
}

static gboolean
peer_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  Peer *peer = gst_pad_get_element_private (pad);
  GstCaps *filter, *caps;

  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION)
    reach (peer->links, ASKED_POOL);
  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS
        && gst_pad_query_default (pad, parent, query);
  reach (peer->links, ASKED_CAPS);
  gst_query_parse_caps (query, &filter);
  caps = peer->caps != NULL ? gst_caps_ref (peer->caps) : gst_caps_new_any ();
  if (filter != NULL) {
    GstCaps *both = gst_caps_intersect (filter, caps);

    gst_caps_unref (caps);
    caps = both;
  }
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

static void
peer_init (Peer * self, const gchar * caps)
{
  memset (self, 0, sizeof (*self));
  self->caps = caps != NULL ? gst_caps_from_string (caps) : NULL;
  self->sink = gst_pad_new (NULL, GST_PAD_SINK);
  gst_pad_set_element_private (self->sink, self);
  gst_pad_set_chain_function (self->sink, peer_chain);
  gst_pad_set_event_function (self->sink, peer_event);
  gst_pad_set_query_function (self->sink, peer_query);
  gst_pad_set_active (self->sink, TRUE);
}

static void
peer_link (Peer * self, GstElement * element, const gchar * name)
{
  self->src = gst_element_request_pad_simple (element, name);
  fail_unless_equals_int (gst_pad_link (self->src, self->sink),
      GST_PAD_LINK_OK);
}

/* Releases the pad unless it was released before. */
static void
peer_clear (Peer * self, GstElement * element)
{
  if (self->src != NULL) {
    gst_element_release_request_pad (element, self->src);
    gst_object_unref (self->src);
  }
  gst_pad_set_active (self->sink, FALSE);
  gst_object_unref (self->sink);
  gst_clear_caps (&self->caps);
}

/* --- Links --- */

static GstPadProbeReturn
see_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Links *links = data;

  reach (links, pad == links->src ? PUSHES : PUSHES_FIRST);
  return GST_PAD_PROBE_OK;
}

/* Links or unlinks a pad at @moment of a frame. Fails if this frame ends the stream, or if the next
 * frame does not reach the pad that is linked then. */
static void
check_links (Moment moment, Action action, gboolean linked, const gchar * caps,
    const gchar * other_caps)
{
  const gchar *in_caps = HOST_CAPS ("GRAY8", 16, 16);
  GstVideoInfo info = info_from_string (in_caps);
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", NULL);
  g_autoptr (GstHarness) h =
      gst_harness_new_with_element (element, "sink", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  Links links = {.moment = moment,.action = action };
  gboolean is_other = action == RELINK_OTHER;
  Peer level_0, *peer = &links.peers[is_other];
  gint n;

  gst_element_set_bus (element, bus);
  gst_harness_set_src_caps_str (h, in_caps);
  peer_init (&level_0, caps);
  peer_link (&level_0, element, "src_0");
  peer_init (&links.peers[0], caps);
  peer_init (&links.peers[1], other_caps);
  links.src = gst_element_request_pad_simple (element, "src_1");
  if (linked)
    fail_unless_equals_int (gst_pad_link (links.src, links.peers[0].sink),
        GST_PAD_LINK_OK);
  links.peers[0].links = links.peers[1].links = &links;
  gst_pad_add_probe (level_0.src, GST_PAD_PROBE_TYPE_BUFFER, see_frame, &links,
      NULL);
  gst_pad_add_probe (links.src, GST_PAD_PROBE_TYPE_BUFFER, see_frame, &links,
      NULL);

  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_OK);
  wait_for_all (h);
  fail_unless (g_atomic_int_get (&links.done));
  if (action == UNLINK)
    fail_unless_equals_int (gst_pad_link (links.src, peer->sink),
        GST_PAD_LINK_OK);
  n = peer->n;
  fail_unless (linked || n == 0);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 2)), GST_FLOW_OK);
  wait_for_all (h);
  fail_unless_equals_int (level_0.n, 3);
  fail_unless_equals_int (peer->n, n + 2);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));

  gst_element_release_request_pad (element, links.src);
  gst_object_unref (links.src);
  peer_clear (&level_0, element);
  for (guint i = 0; i < 2; i++)
    peer_clear (&links.peers[i], element);
  gst_element_set_bus (element, NULL);
}

#define PLAIN "video/x-raw"
#define OPENCL "video/x-raw(memory:OpenCLMemory)"

GST_START_TEST (test_links)
{
  Moment moment = __i__ / N_ACTIONS;
  Action action = __i__ % N_ACTIONS;

  check_links (moment, action, TRUE, PLAIN, OPENCL);
  check_links (moment, action, TRUE, OPENCL, PLAIN);
}

GST_END_TEST;

/* Tests links that change between the decision about a frame and its push. */
GST_START_TEST (test_link_late)
{
  check_links (PUSHES_FIRST, RELINK, FALSE, PLAIN, PLAIN);
  check_links (PUSHES_FIRST, RELINK, FALSE, OPENCL, OPENCL);
}

GST_END_TEST;

/* --- Flow --- */

static const struct
{
  GstFlowReturn flows[3], expected;
} flow_cases[] = {
  {{GST_FLOW_OK, GST_FLOW_OK, GST_FLOW_OK}, GST_FLOW_OK},
  {{GST_FLOW_EOS, GST_FLOW_OK, GST_FLOW_OK}, GST_FLOW_OK},
  {{GST_FLOW_OK, GST_FLOW_EOS, GST_FLOW_NOT_LINKED}, GST_FLOW_OK},
  {{GST_FLOW_EOS, GST_FLOW_EOS, GST_FLOW_EOS}, GST_FLOW_EOS},
  {{GST_FLOW_NOT_LINKED, GST_FLOW_EOS, GST_FLOW_EOS}, GST_FLOW_EOS},
  {{GST_FLOW_NOT_LINKED, GST_FLOW_NOT_LINKED, GST_FLOW_NOT_LINKED},
      GST_FLOW_NOT_LINKED},
  {{GST_FLOW_OK, GST_FLOW_FLUSHING, GST_FLOW_OK}, GST_FLOW_OK},
  {{GST_FLOW_EOS, GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED}, GST_FLOW_FLUSHING},
  {{GST_FLOW_FLUSHING, GST_FLOW_FLUSHING, GST_FLOW_FLUSHING},
      GST_FLOW_FLUSHING},
  {{GST_FLOW_OK, GST_FLOW_OK, GST_FLOW_ERROR}, GST_FLOW_ERROR},
  {{GST_FLOW_NOT_NEGOTIATED, GST_FLOW_OK, GST_FLOW_OK},
      GST_FLOW_NOT_NEGOTIATED},
  {{GST_FLOW_OK, GST_FLOW_OK, GST_FLOW_OK}, GST_FLOW_OK}
};

/* Tests that the element's flow return is combined from the flow returns of its pads, and that a
 * flush resets them. Frames in system memory are in flight if the device has dedicated memory. */
GST_START_TEST (test_flow)
{
  const gchar *caps = __i__ == 0 ? NULL : "video/x-raw";
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", NULL);
  g_autoptr (GstHarness) h =
      gst_harness_new_with_element (element, "sink", NULL);
  GstSegment segment;
  Peer peers[3];

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 16, 16));
  for (guint i = 0; i < 3; i++) {
    g_autofree gchar *name = g_strdup_printf ("src_%u", i);

    peer_init (&peers[i], caps);
    peer_link (&peers[i], element, name);
  }
  for (guint i = 0; i < G_N_ELEMENTS (flow_cases); i++) {
    GstFlowReturn flow;

    for (guint j = 0; j < 3; j++)
      peers[j].flow = flow_cases[i].flows[j];
    /* Pushes once more, because the push of a frame returns the result of an earlier frame, which
     * was in flight. */
    gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, i));
    wait_for_all (h);
    flow = gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, i));
    fail_unless_equals_int (flow, flow_cases[i].expected);
    flush (h);
  }

  /* Releases a pad, which also removes its flow return. */
  peers[1].flow = GST_FLOW_ERROR;
  peers[2].flow = GST_FLOW_NOT_LINKED;
  gst_element_release_request_pad (element, peers[1].src);
  gst_clear_object (&peers[1].src);
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++)
    peer_clear (&peers[i], element);

  /* Checks the result without a linked pad. */
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_NOT_LINKED);
}

GST_END_TEST;

typedef struct
{
  GstHarness *h;
  GstBuffer *frame;
  gint blocked;
} Push;

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_atomic_int_set (&((Push *) data)->blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

static gpointer
push_frame (gpointer data)
{
  Push *push = data;

  return GINT_TO_POINTER (gst_harness_push (push->h,
          gst_buffer_ref (push->frame)));
}

/* Tests that a pad is released while a frame is blocked at it: the other pads still get their
 * frames. */
GST_START_TEST (test_release_blocked)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 16, 16);
  GstVideoInfo info = info_from_string (caps);
  Push push = { NULL, frame_new (&info, LAYOUT_DEFAULT, 1), FALSE };
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", NULL);

  push.h = gst_harness_new_with_element (element, "sink", NULL);
  gst_harness_set_src_caps_str (push.h, caps);
  for (guint i = 0; i < 3; i++) {
    Peer peers[3];
    GThread *thread;

    push.blocked = FALSE;
    for (guint j = 0; j < 3; j++) {
      peer_init (&peers[j], NULL);
      peer_link (&peers[j], element, j == 0 ? "src_0" : j == 1 ? "src_1"
          : "src_2");
    }
    gst_pad_add_probe (peers[i].src, GST_PAD_PROBE_TYPE_BLOCK |
        GST_PAD_PROBE_TYPE_BUFFER, block, &push, NULL);
    thread = g_thread_new ("push", push_frame, &push);
    while (!g_atomic_int_get (&push.blocked))
      g_thread_yield ();
    for (guint j = 0; j < 3; j++)
      fail_unless_equals_int (g_atomic_int_get (&peers[j].n), j < i);
    gst_element_release_request_pad (element, peers[i].src);
    gst_clear_object (&peers[i].src);
    fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
        GST_FLOW_OK);
    for (guint j = 0; j < 3; j++)
      fail_unless_equals_int (peers[j].n, j != i);
    fail_unless_equals_int (gst_harness_push (push.h,
            gst_buffer_ref (push.frame)), GST_FLOW_OK);
    for (guint j = 0; j < 3; j++) {
      fail_unless_equals_int (peers[j].n, j != i ? 2 : 0);
      peer_clear (&peers[j], element);
    }
  }
  gst_buffer_unref (push.frame);
  gst_harness_teardown (push.h);
}

GST_END_TEST;


CHECK_TESTS (mgpupyramidlinks)
{
  tcase_add_loop_test (tc, test_links, 0, N_MOMENTS * N_ACTIONS);
  tcase_add_test (tc, test_link_late);
  tcase_add_loop_test (tc, test_flow, 0, 2);
  tcase_add_test (tc, test_release_blocked);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the messages on an element's bus, and its statistics. */
#pragma once

#include <gst/check/gstharness.h>
#include <string.h>

#include "suite.h"

/* Returns the bus of the harness's element, valid until harness_end(). Messages hold a reference to
 * the element, so both exist until then. */
static inline GstBus *
harness_bus (GstHarness * h)
{
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  return bus;
}

/* Frees a harness, and the messages on its element's bus. g_autoptr (GstHarness) calls this
 * function at the end of a block. */
static inline void
harness_end (GstHarness * h)
{
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHarness, harness_end)

/* Number of times that gst_harness_pull() waits for a minute, because kernels of many elements may
 * have to be built */
#define HARNESS_WAITS 4

/* Pulls the next buffer of @h. Fails, with the names of the element and of its pad, if no buffer
 * arrives. Returns: (transfer full): the buffer */
static inline GstBuffer *
harness_pull (GstHarness * h)
{
  GstBuffer *buffer = NULL;

  for (guint i = 0; buffer == NULL && i < HARNESS_WAITS; i++)
    buffer = gst_harness_pull (h);
  if (buffer == NULL) {
    GstPad *pad = gst_pad_get_peer (h->sinkpad);

    /* In a bin, names the pad of its last element. */
    if (GST_IS_GHOST_PAD (pad))
      pad = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
    fail ("%s:%s pushes no buffer after the first %u in %u minutes",
        GST_DEBUG_PAD_NAME (pad), gst_harness_buffers_received (h),
        HARNESS_WAITS);
  }
  return buffer;
}

/* Takes the message of @type, an error or a warning, from @bus. Fails unless it is the only message
 * of this type, the element @f posted it, and its text contains both words. Returns: (transfer
 * full): the text */
static inline GError *
pop_message (GstBus * bus, GstMessageType type, const gchar * word1,
    const gchar * word2)
{
  GstMessage *message = gst_bus_pop_filtered (bus, type);
  GError *error = NULL;

  fail_unless (message != NULL);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  GST_INFO ("%s", error->message);
  fail_unless (g_str_has_prefix (error->message, "f: "), "%s", error->message);
  fail_unless (strstr (error->message, word1) != NULL, "%s", error->message);
  fail_unless (strstr (error->message, word2) != NULL, "%s", error->message);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING));
  return error;
}

/* Takes from @bus the error of the element @f, whose text has to contain both words. */
static inline void
check_error (GstBus * bus, const gchar * word1, const gchar * word2)
{
  g_error_free (pop_message (bus, GST_MESSAGE_ERROR, word1, word2));
}

/* Takes from @bus the error of the element @f, which has to have this code and both words. */
static inline void
check_code (GstBus * bus, GQuark domain, gint code, const gchar * word1,
    const gchar * word2)
{
  g_autoptr (GError) error = pop_message (bus, GST_MESSAGE_ERROR, word1, word2);

  fail_unless (g_error_matches (error, domain, code), "%s %d: %s",
      g_quark_to_string (error->domain), error->code, error->message);
}

/* Fails unless the element @f refuses to start, with one error with this code and both words.
 * Leaves @f in the state NULL, without a bus. */
static inline void
check_no_start (GstElement * element, GQuark domain, gint code,
    const gchar * word1, const gchar * word2)
{
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (element, bus);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  check_code (bus, domain, code, word1, word2);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
}

/* Takes from @bus the warning of the element @f, whose text has to contain both words. */
static inline void
check_warning (GstBus * bus, const gchar * word1, const gchar * word2)
{
  g_error_free (pop_message (bus, GST_MESSAGE_WARNING, word1, word2));
}

static inline guint64
get_stat (GstElement * element, const gchar * field)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, field, &value));
  return value;
}

/* Runs @pipeline until it ends, with enough time for building many kernels. Returns: (nullable):
 * the error message */
static inline GstMessage *
run_to_end (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 240 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "the pipeline neither ends nor fails");
  gst_object_unref (bus);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    gst_clear_message (&message);
  return message;
}

static inline void
fail_unless_no_error (GstMessage * message)
{
  GError *error = NULL;

  if (message == NULL)
    return;
  gst_message_parse_error (message, &error, NULL);
  fail ("%s: %s", GST_OBJECT_NAME (GST_MESSAGE_SRC (message)),
      error->message);
}

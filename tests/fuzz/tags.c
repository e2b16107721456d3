/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes the property "tags" of mgpumetajson: what the element takes is in its lines, and
 * these are JSON. */
#include "fuzz.h"

#include <gst/check/gstharness.h>
#include <json-glib/json-glib.h>
#include <math.h>

/* Returns: (transfer full): the line that @element writes about a frame */
static gchar *
make_line (GstElement * element)
{
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  gchar *line;

  gst_element_set_bus (element, bus);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=4,height=3,framerate=1/1");
  g_assert (gst_harness_push (h, gst_buffer_new_allocate (NULL, 12, NULL))
      == GST_FLOW_OK);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  g_assert (message != NULL);
  line =
      g_strdup (gst_structure_get_string (gst_message_get_structure (message),
          "json"));
  gst_message_unref (message);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
  return line;
}

static void replace_infinite (JsonNode * node);

static void
replace_member (JsonObject * object, const gchar * name, JsonNode * node,
    gpointer data)
{
  replace_infinite (node);
}

static void
replace_element (JsonArray * array, guint i, JsonNode * node, gpointer data)
{
  replace_infinite (node);
}

/* Replaces numbers that JSON does not have by null. */
static void
replace_infinite (JsonNode * node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), replace_member,
        NULL);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), replace_element,
        NULL);
  else if (json_node_get_value_type (node) == G_TYPE_DOUBLE
      && !isfinite (json_node_get_double (node)))
    json_node_init_null (node);
}

/* Checks that the tags of @line are those of @text, except numbers that are not finite. */
static void
check_line (const gchar * line, const gchar * text)
{
  JsonNode *root = json_from_string (line, NULL);
  JsonNode *tags = json_from_string (text, NULL);

  g_assert (root != NULL && tags != NULL);
  replace_infinite (tags);
  g_assert (json_node_equal (json_object_get_member (json_node_get_object
              (root), "tags"), tags));
  json_node_unref (tags);
  json_node_unref (root);
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gchar *text = fuzz_string (data, size), *line;
  GstElement *element;

  gst_init (NULL, NULL);
  element = gst_element_factory_make ("mgpumetajson", NULL);
  g_assert (element != NULL);
  gst_object_ref_sink (element);
  g_object_set (element, "tags", text, "post-messages", TRUE, "add-empty", TRUE,
      NULL);
  if (gst_element_set_state (element, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE) {
    gst_element_set_state (element, GST_STATE_NULL);
    line = make_line (element);
    if (text[0] != '\0')
      check_line (line, text);
    g_free (line);
  }
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  g_free (text);
  return 0;
}

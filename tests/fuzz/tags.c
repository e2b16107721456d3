/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes the property "tags" of mgpumetajson: accepted texts are in the element's lines, which have
 * to be JSON. Calls the element's functions without pads and states, which would take longer. */
#include "fuzz.h"

#include <gst/base/gstbasetransform.h>
#include <json-glib/json-glib.h>
#include <math.h>

static GstBaseTransform *element;
static GstBus *bus;

/* Prepares the fuzz target; libFuzzer calls this first. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  GstCaps *caps;

  gst_init (NULL, NULL);
  element = GST_BASE_TRANSFORM (gst_element_factory_make ("mgpumetajson",
          NULL));
  g_object_set (element, "post-messages", TRUE, "add-empty", TRUE, NULL);
  bus = gst_bus_new ();
  gst_element_set_bus (GST_ELEMENT (element), bus);
  caps = gst_caps_from_string
      ("video/x-raw,format=GRAY8,width=4,height=3,framerate=1/1");
  g_assert (GST_BASE_TRANSFORM_GET_CLASS (element)->set_caps (element, caps,
          caps));
  gst_caps_unref (caps);
  return 0;
}

/* Takes the only message from the bus, whose type has to be @type. Returns: (transfer full): the
 * message */
static GstMessage *
pop_message (GstMessageType type)
{
  GstMessage *message = gst_bus_pop (bus);

  g_assert (message != NULL && GST_MESSAGE_TYPE (message) == type);
  g_assert (!gst_bus_have_pending (bus));
  return message;
}

/* Returns: (transfer full): the line that the element writes for a frame */
static gchar *
make_line (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMessage *message;
  gchar *line;

  g_assert (GST_BASE_TRANSFORM_GET_CLASS (element)->transform_ip (element,
          buffer) == GST_FLOW_OK);
  gst_buffer_unref (buffer);
  message = pop_message (GST_MESSAGE_ELEMENT);
  line = g_strdup (gst_structure_get_string (gst_message_get_structure
          (message), "json"));
  gst_message_unref (message);
  return line;
}

/* Checks that the element has posted why it does not start. */
static void
check_failure (void)
{
  GstMessage *message = pop_message (GST_MESSAGE_ERROR);
  GError *error = NULL;

  gst_message_parse_error (message, &error, NULL);
  fuzz_check_error (FALSE, error);
  gst_message_unref (message);
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

/* Replaces numbers that JSON does not support (NaN, infinity) by null. */
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
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (element);
  gchar *text = fuzz_string (data, size), *line;

  g_object_set (element, "tags", text, NULL);
  if (klass->start (element)) {
    line = make_line ();
    if (text[0] != '\0')
      check_line (line, text);
    g_free (line);
  } else
    check_failure ();
  klass->stop (element);
  g_free (text);
  return 0;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs two pipelines with one OpenCL context: the application chooses the device, sets the context
 * on both pipelines, and reads the statistics of each.
 *
 *   share-context [DEVICE]      a device string, such as ":cpu:" */
#include <gst/mgpu/mgpu.h>

#include <stdlib.h>

#include "need-mgpu.h"

static GstElement *
start_pipeline (const gchar * description, GstContext * context)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    exit (1);
  }
  gst_element_set_context (pipeline, context);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

/* Waits until the pipeline ends, and prints the statistics of its element named "filter". */
static gboolean
finish_pipeline (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  gboolean ok = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  GstStructure *stats;
  GError *error;

  if (!ok) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
  }
  gst_message_unref (message);
  gst_object_unref (bus);

  g_object_get (filter, "stats", &stats, NULL);
  gst_println ("%s: %" GST_PTR_FORMAT, G_OBJECT_TYPE_NAME (filter), stats);
  gst_structure_free (stats);
  gst_object_unref (filter);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return ok;
}

int
main (int argc, char **argv)
{
  GstElement *smooth, *equalize;
  GstMgpuContext *device;
  GstContext *context;
  GError *error = NULL;
  gboolean ok;

  gst_init (&argc, &argv);
  if (!has_mgpu ())
    return 1;
  device = gst_mgpu_context_new (argc > 1 ? argv[1] : NULL, &error);
  if (device == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return 1;
  }
  gst_println ("Device: %s", gst_mgpu_context_get_device_name (device));
  context = gst_context_new_mgpu_context (device);

  smooth = start_pipeline ("videotestsrc num-buffers=50 ! "
      "mgpubilateral name=filter ! fakesink", context);
  equalize = start_pipeline ("videotestsrc num-buffers=50 pattern=ball ! "
      "mgpuhisteq name=filter ! fakesink", context);
  ok = finish_pipeline (smooth);
  ok = finish_pipeline (equalize) && ok;

  gst_context_unref (context);
  gst_object_unref (device);
  return ok ? 0 : 1;
}

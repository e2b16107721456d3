/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Uses the plugin as a program that links it statically does: registers it, without a search for
 * plugins, and creates an element. */
#include <gst/gst.h>

GST_PLUGIN_STATIC_DECLARE (mgpu);

int
main (int argc, char **argv)
{
  GstElement *element;

  g_setenv ("GST_PLUGIN_PATH_1_0", "", TRUE);
  gst_registry_fork_set_enabled (FALSE);
  gst_init (&argc, &argv);
  element = gst_element_factory_make ("mgpublur", NULL);
  if (element != NULL) {
    g_printerr ("mgpublur is known before the plugin is registered\n");
    return 1;
  }
  GST_PLUGIN_STATIC_REGISTER (mgpu);
  element = gst_element_factory_make ("mgpublur", NULL);
  if (element == NULL) {
    g_printerr ("there is no mgpublur\n");
    return 1;
  }
  g_object_set (element, "sigma", 2.0, NULL);
  gst_object_unref (element);
  return 0;
}

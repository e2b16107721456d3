/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

/* Returns: whether GStreamer finds the plugin mgpu. If it does not, prints how to install it */
static inline gboolean
has_mgpu (void)
{
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (), "mgpu");

  if (plugin == NULL)
    g_printerr ("GStreamer finds no plugin mgpu. Install the package "
        "gstreamer1.0-mgpu, or run this program in the shell that "
        "`meson devenv -C build -w .` opens.\n");
  else
    gst_object_unref (plugin);
  return plugin != NULL;
}

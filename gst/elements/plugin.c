/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/vision/base/version.h>

#include "elements.h"

/* Registers the elements. Opens no device, because a scan of the plugin registry has to be
 * fast, and has to work without a driver. */
static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = TRUE;

  if (!g_str_equal (mgpu_get_version (), PACKAGE_VERSION)) {
    GST_ERROR ("the library libgstmgpu-1.0 has version %s and this plugin %s: "
        "install both of one version", mgpu_get_version (), PACKAGE_VERSION);
    return FALSE;
  }

  /* Makes GStreamer scan the plugin again when an OpenCL driver comes or goes. */
  gst_plugin_add_dependency_simple (plugin,
      "OCL_ICD_VENDORS:OCL_ICD_FILENAMES:OPENCL_VENDOR_PATH",
      "/etc/OpenCL/vendors", NULL, GST_PLUGIN_DEPENDENCY_FLAG_NONE);

  for (const GstMgpuElement * row = gst_mgpu_elements; row->name != NULL; row++)
    ok &= gst_element_register (plugin, row->name, GST_RANK_NONE,
        row->get_type != NULL ? row->get_type () : gst_mgpu_plain_get_type (row));
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mgpu,
    "Computer vision on OpenCL devices", plugin_init, PACKAGE_VERSION,
    "LGPL", PACKAGE, "Unknown package origin")

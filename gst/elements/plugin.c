/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpufilter.h"

/* Opens no device: a registry scan has to be fast, and right without a driver. */
static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = TRUE;

  /* A driver that comes or goes makes the registry look again. */
  gst_plugin_add_dependency_simple (plugin,
      "OCL_ICD_VENDORS:OCL_ICD_FILENAMES:OPENCL_VENDOR_PATH",
      "/etc/OpenCL/vendors", NULL, GST_PLUGIN_DEPENDENCY_FLAG_NONE);

  ok &= GST_ELEMENT_REGISTER (mgpuupload, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpudownload, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpubilateral, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuconvert, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuhisteq, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuhog, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuinpaint, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuintegral, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpuoverlay, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpupyramid, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpusharpen, plugin);
  ok &= GST_ELEMENT_REGISTER (mgpusift, plugin);
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mgpu,
    "Computer vision on OpenCL devices", plugin_init, PACKAGE_VERSION,
    "LGPL", PACKAGE, "Unknown package origin")

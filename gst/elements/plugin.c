/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Entry point of the plugin: registers all elements. */
#include <gst/vision/base/version.h>

#include "elements.h"
#include "package.h"

/* Completes the metadata of the element @type, which gst-inspect-1.0 shows: adds the packager's
 * address after the authors, if there is one, and the class "Hardware" if the element has a
 * device. */
static void
complete_metadata (GType type)
{
  GstElementClass *klass = g_type_class_ref (type);
  g_autofree gchar *authors =
      g_strconcat (gst_element_class_get_metadata (klass,
          GST_ELEMENT_METADATA_AUTHOR),
      BUG_ADDRESS[0] != '\0' ? " <" BUG_ADDRESS ">" : NULL, NULL);
  g_autofree gchar *classes =
      g_strconcat (gst_element_class_get_metadata (klass,
          GST_ELEMENT_METADATA_KLASS), "/Hardware", NULL);

  gst_element_class_add_metadata (klass, GST_ELEMENT_METADATA_AUTHOR, authors);
  if (g_object_class_find_property (G_OBJECT_CLASS (klass), "device") != NULL)
    gst_element_class_add_metadata (klass, GST_ELEMENT_METADATA_KLASS, classes);
  g_type_class_unref (klass);
}

/* Registers the elements. Opens no device, because a scan of plugins has to be fast, and has to
 * work without a driver. */
static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = TRUE;

  if (!g_str_equal (mgpu_get_version (), PACKAGE_VERSION)) {
    GST_ERROR ("the library libgstmgpu-1.0 has version %s, but this plugin "
        "has version %s: install the same version of both", mgpu_get_version (),
        PACKAGE_VERSION);
    return FALSE;
  }

  /* Makes GStreamer scan the plugin again after an OpenCL driver was installed or removed. */
  gst_plugin_add_dependency_simple (plugin,
      "OCL_ICD_VENDORS:OCL_ICD_FILENAMES:OPENCL_VENDOR_PATH",
      "/etc/OpenCL/vendors", NULL, GST_PLUGIN_DEPENDENCY_FLAG_NONE);

  for (const GstMgpuElement * row = gst_mgpu_elements; row->name != NULL; row++) {
    GType type =
        row->get_type !=
        NULL ? row->get_type () : gst_mgpu_plain_get_type (row);

    complete_metadata (type);
    gst_mgpu_log_add_category (type, row->name, "OpenCL element");
    ok &= gst_element_register (plugin, row->name, GST_RANK_NONE, type);
  }
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, mgpu,
    "Computer vision on OpenCL devices", plugin_init, PACKAGE_VERSION,
    "LGPL", PACKAGE, PACKAGE_ORIGIN)

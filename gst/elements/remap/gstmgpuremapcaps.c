/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the caps of the output frames of mgpuremap. */
#include "gstmgpuremapcaps.h"

#include <gst/frame/gstmgpucaps.h>

void
gst_mgpu_remap_caps_free_size (GstCaps * caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_caps_get_structure (caps, i);

    gst_structure_set (s, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT, "height",
        GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
    gst_structure_remove_field (s, "pixel-aspect-ratio");
  }
}

void
gst_mgpu_remap_caps_choose (GstCaps * caps, const GstVideoInfo * info,
    gint width, gint height)
{
  GstStructure *s = gst_caps_get_structure (caps, 0);
  gint par_n = info->par_n, par_d = info->par_d;

  gst_structure_fixate_field_nearest_int (s, "width", width);
  gst_structure_get_int (s, "width", &width);
  gst_structure_fixate_field_nearest_int (s, "height",
      height > 0 ? height : (width + 1) / 2);
  gst_structure_get_int (s, "height", &height);
  gst_structure_fixate_field (s, "format");
  gst_mgpu_caps_name_colorimetry (s, info);
  gst_mgpu_caps_name_chroma_site (s, info);
  if (width != info->width || height != info->height)
    par_n = par_d = 1;
  if (gst_structure_has_field (s, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (s, "pixel-aspect-ratio",
        par_n, par_d);
  else if (par_n != par_d)
    gst_structure_set (s, "pixel-aspect-ratio", GST_TYPE_FRACTION, par_n,
        par_d, NULL);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Parses and fixates caps of video frames. */
#include "gstmgpucaps.h"

#include <gst/vision/base/image.h>

GstCaps *
gst_mgpu_caps_in_memory (GstCaps * caps, const gchar * feature)
{
  GstCaps *result = gst_caps_copy (caps);

  for (guint i = 0; i < gst_caps_get_size (result); i++)
    gst_caps_set_features (result, i, feature != NULL
        ? gst_caps_features_new (feature, NULL) : NULL);
  return result;
}

GstCaps *
gst_mgpu_caps_in_any_memory (GstCaps * caps)
{
  return gst_caps_merge (gst_mgpu_caps_in_memory (caps,
          GST_CAPS_FEATURE_MEMORY_OPENCL), gst_mgpu_caps_in_memory (caps,
          NULL));
}

GstCaps *
gst_mgpu_caps_intersect (GstCaps * filter, GstCaps * caps)
{
  GstCaps *both;

  if (filter == NULL)
    return caps;
  both = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (caps);
  return both;
}

static gboolean
allows_square_pixels (const GstStructure * s)
{
  const GValue *ratio = gst_structure_get_value (s, "pixel-aspect-ratio");
  GValue square = G_VALUE_INIT;
  gboolean allows;

  g_value_init (&square, GST_TYPE_FRACTION);
  gst_value_set_fraction (&square, 1, 1);
  allows = ratio == NULL || gst_value_intersect (NULL, ratio, &square);
  g_value_unset (&square);
  return allows;
}

GstCaps *
gst_mgpu_caps_fixate (GstCaps * caps)
{
  guint n = gst_caps_get_size (caps), i = 0;
  GstCaps *choice;
  GstStructure *s;

  while (i < n && !allows_square_pixels (gst_caps_get_structure (caps, i)))
    i++;
  choice = gst_caps_copy_nth (caps, i < n ? i : 0);
  gst_caps_unref (caps);
  s = gst_caps_get_structure (choice, 0);
  if (gst_structure_has_field (s, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (s, "pixel-aspect-ratio", 1, 1);
  if (gst_structure_has_field (s, "interlace-mode"))
    gst_structure_fixate_field_string (s, "interlace-mode", "progressive");
  return gst_caps_fixate (choice);
}

gboolean
gst_mgpu_caps_get_size (GstCaps * caps, gint * width, gint * height)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  return gst_structure_get_int (s, "width", width)
      && gst_structure_get_int (s, "height", height) && *width > 0
      && *height > 0;
}

gboolean
gst_mgpu_caps_rows_fit (const GstVideoInfo * info)
{
  gboolean is_packed = mgpu_is_packed (GST_VIDEO_INFO_FORMAT (info));
  MgpuByteRows rows;

  for (guint i = 0; is_packed && i < GST_VIDEO_INFO_N_PLANES (info); i++)
    if (!mgpu_get_byte_rows (info, i, &rows))
      return FALSE;
  if (is_packed)
    return TRUE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    if ((gint64) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_PSTRIDE (info, i) >
        GST_VIDEO_INFO_COMP_STRIDE (info, i))
      return FALSE;
  return TRUE;
}

gboolean
gst_mgpu_caps_parse (GstCaps * caps, GstVideoInfo * info, GError ** error)
{
  if (!gst_video_info_from_caps (info, caps) || !gst_mgpu_caps_rows_fit (info)) {
    gchar *text = gst_caps_to_string (caps);

    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the caps \"%s\" do not describe a frame that fits into memory: put a "
        "capsfilter with format, width and height before this element, or "
        "scale the frames down", text);
    g_free (text);
    return FALSE;
  }
  return TRUE;
}

/* Sets @usual to the format that @s describes, with the colorimetry and chroma site that
 * GStreamer assumes for caps without these fields. */
static gboolean
get_usual (const GstStructure * s, GstVideoInfo * usual)
{
  GstVideoFormat format =
      gst_video_format_from_string (gst_structure_get_string (s, "format"));
  gint width, height;

  gst_structure_get (s, "width", G_TYPE_INT, &width, "height", G_TYPE_INT,
      &height, NULL);
  return gst_video_info_set_format (usual, format, width, height);
}

/* Sets the field @field of @s to @name (transfer full) if the field is a list that
 * contains @name. If the field is missing, adds it, unless @name is the default
 * (@is_usual). */
static void
name_field (GstStructure * s, const gchar * field, gchar * name,
    gboolean is_usual)
{
  if (name != NULL && gst_structure_has_field (s, field))
    gst_structure_fixate_field_string (s, field, name);
  else if (name != NULL && !is_usual)
    gst_structure_set (s, field, G_TYPE_STRING, name, NULL);
  g_free (name);
}

void
gst_mgpu_caps_name_colorimetry (GstStructure * s, const GstVideoInfo * info)
{
  GstVideoInfo usual;

  if (get_usual (s, &usual))
    name_field (s, "colorimetry",
        gst_video_colorimetry_to_string (&info->colorimetry),
        gst_video_colorimetry_is_equal (&usual.colorimetry,
            &info->colorimetry));
}

void
gst_mgpu_caps_name_chroma_site (GstStructure * s, const GstVideoInfo * info)
{
  GstVideoInfo usual;

  if (GST_VIDEO_INFO_IS_YUV (info) && get_usual (s, &usual))
    name_field (s, "chroma-site",
        gst_video_chroma_site_to_string (info->chroma_site),
        usual.chroma_site == info->chroma_site);
}

GstClockTime
gst_mgpu_caps_get_duration (const GstVideoInfo * info, guint n)
{
  gint fps_n = GST_VIDEO_INFO_FPS_N (info);

  return fps_n > 0 ? gst_util_uint64_scale (n,
      GST_SECOND * GST_VIDEO_INFO_FPS_D (info), fps_n) : 0;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Translates between caps of frames in dma-bufs, which name pixel formats by DRM fourcc
 * codes, and caps of other frames. */
#include "gstmgpudrmcaps.h"

#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpucudabase.h>

#if GST_CHECK_VERSION (1, 24, 0)

/* DRM format modifier (number of a memory layout in Linux) of dma-bufs with a linear
 * layout */
#define LINEAR 0

typedef gchar *(*Translate) (const gchar * name);

static gchar *
to_drm (const gchar * name)
{
  guint32 fourcc =
      gst_video_dma_drm_fourcc_from_format (gst_video_format_from_string
      (name));

  return fourcc != 0 ? gst_video_dma_drm_fourcc_to_string (fourcc, LINEAR)
      : NULL;
}

static gchar *
from_drm (const gchar * name)
{
  guint64 modifier = LINEAR;
  guint32 fourcc = gst_video_dma_drm_fourcc_from_string (name, &modifier);
  GstVideoFormat format = modifier == LINEAR
      ? gst_video_dma_drm_fourcc_to_format (fourcc) : GST_VIDEO_FORMAT_UNKNOWN;

  return format != GST_VIDEO_FORMAT_UNKNOWN
      ? g_strdup (gst_video_format_to_string (format)) : NULL;
}

static void
append_name (GValue * list, const GValue * name, Translate translate)
{
  GValue value = G_VALUE_INIT;
  gchar *text = G_VALUE_HOLDS_STRING (name)
      ? translate (g_value_get_string (name)) : NULL;

  if (text == NULL)
    return;
  g_value_init (&value, G_TYPE_STRING);
  g_value_take_string (&value, text);
  gst_value_list_append_and_take_value (list, &value);
}

/* Replaces the field @from of the caps structure @s by the field @to. @from is a pixel
 * format or a list of formats; @to gets the other names of the same formats. Returns:
 * FALSE if none of the formats has such a name */
static gboolean
translate_field (GstStructure * s, const gchar * from, const gchar * to,
    Translate translate)
{
  const GValue *names = gst_structure_get_value (s, from);
  GValue list = G_VALUE_INIT;
  guint n;

  g_value_init (&list, GST_TYPE_LIST);
  if (GST_VALUE_HOLDS_LIST (names)) {
    for (guint i = 0; i < gst_value_list_get_size (names); i++)
      append_name (&list, gst_value_list_get_value (names, i), translate);
  } else {
    append_name (&list, names, translate);
  }
  n = gst_value_list_get_size (&list);
  gst_structure_remove_field (s, from);
  if (n == 1)
    gst_structure_set_value (s, to, gst_value_list_get_value (&list, 0));
  else
    gst_structure_set_value (s, to, &list);
  g_value_unset (&list);
  return n > 0;
}

GstCaps *
gst_mgpu_caps_from_drm (GstCaps * caps)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);
    GstStructure *s = gst_structure_copy (gst_caps_get_structure (caps, i));

    if (!gst_caps_features_contains (features, GST_CAPS_FEATURE_MEMORY_DMABUF)) {
      gst_caps_append_structure_full (result, s,
          gst_caps_features_copy (features));
      continue;
    }
    if (!gst_structure_has_field (s, "drm-format"))
      /* Removes the field "format" if the caps allow every DRM format, because caps without this
       * field allow every format. */
      gst_structure_remove_field (s, "format");
    else if (!translate_field (s, "drm-format", "format", from_drm))
      g_clear_pointer (&s, gst_structure_free);
    if (s != NULL)
      gst_caps_append_structure (result, s);
  }
  gst_caps_unref (caps);
  return result;
}

/* Returns: (transfer full): the caps of dma-bufs with a linear layout and the pixel
 * formats of @caps; empty if there are none */
static GstCaps *
caps_to_drm (GstCaps * caps)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_structure_copy (gst_caps_get_structure (caps, i));

    if (!gst_structure_has_field (s, "format")
        || !translate_field (s, "format", "drm-format", to_drm)) {
      gst_structure_free (s);
      continue;
    }
    gst_structure_set (s, "format", G_TYPE_STRING, "DMA_DRM", NULL);
    gst_caps_append_structure_full (result, s,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_DMABUF, NULL));
  }
  return result;
}

GstCaps *
gst_mgpu_caps_beyond_drm (GstCaps * caps, gboolean to_drm, gboolean to_cuda)
{
  g_autoptr (GstCaps) plain = gst_mgpu_caps_from_drm (gst_caps_ref (caps));
  GstCaps *others = gst_mgpu_caps_in_any_memory (plain);

  if (to_drm)
    others = gst_caps_merge (others, caps_to_drm (plain));
  if (to_cuda)
    others = gst_caps_merge (others, gst_mgpu_caps_in_memory (plain,
            GST_MGPU_CAPS_FEATURE_CUDA));
  return others;
}

#endif

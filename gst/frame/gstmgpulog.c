/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Stores a log category for each type of element, so that files that several elements
 * share can look it up. */
#include "gstmgpulog.h"

/* Returns: the key (GQuark) of a type's category */
static GQuark
category_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gst-mgpu-log-category");
  return quark;
}

void
gst_mgpu_log_add_category (GType type, const gchar * name, const gchar * text)
{
  GstDebugCategory *category = NULL;

  GST_DEBUG_CATEGORY_INIT (category, name, 0, text);
  g_type_set_qdata (type, category_quark (), category);
}

GstDebugCategory *
gst_mgpu_log_get_category (gpointer element)
{
  GstDebugCategory *category =
      g_type_get_qdata (G_OBJECT_TYPE (element), category_quark ());

  return category != NULL ? category : GST_CAT_DEFAULT;
}

gboolean
gst_mgpu_log_has_level (gpointer element, GstDebugLevel level)
{
  return level <=
      gst_debug_category_get_threshold (gst_mgpu_log_get_category (element));
}

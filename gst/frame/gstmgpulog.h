/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Every element has its own log category, named after the element. Files that several elements
 * share log with the category of the element for which they work. The macros take the element (a
 * #GstElement of any type), a format and its arguments. If no category of the process has the
 * level enabled, they neither evaluate the arguments nor look up the category. Levels: INFO once
 * per stream, DEBUG when something changes, LOG for each frame, TRACE for each memory or command.
 */
#define GST_MGPU_WARNING_OBJECT(element, ...) \
    GST_CAT_WARNING_OBJECT (gst_mgpu_log_get_category (element), element, __VA_ARGS__)
#define GST_MGPU_INFO_OBJECT(element, ...) \
    GST_CAT_INFO_OBJECT (gst_mgpu_log_get_category (element), element, __VA_ARGS__)
#define GST_MGPU_DEBUG_OBJECT(element, ...) \
    GST_CAT_DEBUG_OBJECT (gst_mgpu_log_get_category (element), element, __VA_ARGS__)
#define GST_MGPU_LOG_OBJECT(element, ...) \
    GST_CAT_LOG_OBJECT (gst_mgpu_log_get_category (element), element, __VA_ARGS__)
#define GST_MGPU_TRACE_OBJECT(element, ...) \
    GST_CAT_TRACE_OBJECT (gst_mgpu_log_get_category (element), element, __VA_ARGS__)

/* Creates the category of the elements of the type @type. @name is the name of the element, and
 * @text its title. Call it when the type is registered. */
void               gst_mgpu_log_add_category (GType type, const gchar * name, const gchar * text);

/* Returns: the category of @element */
GstDebugCategory * gst_mgpu_log_get_category (gpointer element);

/* Returns: whether messages of the level @level about @element are logged. Check this before
 * computing expensive arguments of a message */
gboolean           gst_mgpu_log_has_level    (gpointer element, GstDebugLevel level);

G_END_DECLS

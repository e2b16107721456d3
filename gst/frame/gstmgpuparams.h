/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include <gst/vision/base/params.h>

G_BEGIN_DECLS

/* Flags of properties that may change from frame to frame */
#define GST_MGPU_LIVE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING)

/* Flags of properties that take effect when the element starts */
#define GST_MGPU_FIXED (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)

/* Text that describes the property "enabled", which nearly all elements have */
#define GST_MGPU_ENABLED_TEXT "Whether to process frames; otherwise frames " \
    "pass unchanged. " \
    "mgpuconvert, mgpuremap, mgpuupload and mgpudownload are always enabled"

/* Installs the property "stats", a structure that gst_mgpu_stats_to_structure() makes. */
void     gst_mgpu_params_install_stats (GObjectClass * klass, guint id);

/* Installs a property for each of @params, with consecutive ids; the first id is @first. A
 * parameter without text (NULL) overrides the property of an interface. */
void     gst_mgpu_params_install (GObjectClass * klass, const MgpuParam * params, guint first);

/* Sets the members of the zeroed struct @values to the defaults of the properties of @klass. */
void     gst_mgpu_params_init    (GObjectClass * klass, const MgpuParam * params, gpointer values);

/* Frees the strings in the struct @values. */
void     gst_mgpu_params_clear   (const MgpuParam * params, gpointer values);

/* Copies the struct @from to the struct @to; both have @size bytes. @to has to be zeroed or an
 * earlier copy. */
void     gst_mgpu_params_copy    (const MgpuParam * params, gsize size, gconstpointer from, gpointer to);

/* Returns: (transfer full) (nullable): the string of @value; NULL (unset) if the string is
 * empty */
gchar *  gst_mgpu_params_dup_string (const GValue * value);

/* Set and get the member of the struct @values that entry @i of @params describes. Setting it
 * also sets the member @was_set of that entry to TRUE. */
void     gst_mgpu_params_set     (const MgpuParam * params, guint i, gpointer values, const GValue * value);
void     gst_mgpu_params_get     (const MgpuParam * params, guint i, gconstpointer values, GValue * value);

/* Returns: the number of entries of the array @params before the entry whose name is NULL; 0 if
 * @params is NULL */
guint    gst_mgpu_params_count   (const MgpuParam * params);

/* Sets the properties of @trans that have a GstController to their values at the stream time of
 * @buffer, the next frame. Its signature is that of before_transform() of
 * GstBaseTransformClass. */
void     gst_mgpu_params_sync    (GstBaseTransform * trans, GstBuffer * buffer);

/* Concatenates two arrays that describe members of one struct. @first (nullable) describes
 * members of the struct itself; @rest describes members of another struct that lies at @offset
 * in it. Returns: the new array, which is never freed, because a class needs it forever */
const MgpuParam * gst_mgpu_params_join (const MgpuParam * first, const MgpuParam * rest, gsize offset);

G_END_DECLS

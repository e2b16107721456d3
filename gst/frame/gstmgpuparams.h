/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include <gst/vision/base/params.h>

G_BEGIN_DECLS

/* Properties that may change from frame to frame */
#define GST_MGPU_LIVE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING)

/* Properties that take effect when the element starts */
#define GST_MGPU_FIXED (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)

/* Installs a property for each of params, with the ids from first on. */
void     gst_mgpu_params_install (GObjectClass * klass, const MgpuParam * params, guint first);

/* Sets all members of values, which is zeroed, to their defaults. */
void     gst_mgpu_params_init    (const MgpuParam * params, gpointer values);

/* Frees the strings of values. */
void     gst_mgpu_params_clear   (const MgpuParam * params, gpointer values);

/* Makes to the same as from; to is zeroed or was filled before. */
void     gst_mgpu_params_copy    (const MgpuParam * params, gsize size, gconstpointer from, gpointer to);

/* Sets and gets the member of values that the i-th of params describes. */
void     gst_mgpu_params_set     (const MgpuParam * params, guint i, gpointer values, const GValue * value);
void     gst_mgpu_params_get     (const MgpuParam * params, guint i, gconstpointer values, GValue * value);

/* Returns: how many there are before the NULL name; 0 for NULL */
guint    gst_mgpu_params_count   (const MgpuParam * params);

/* Returns: a list of first, the parameters of an algorithm, and rest, those of its
 * element, whose struct begins with the struct of the algorithm. A class keeps it for
 * ever. */
const MgpuParam * gst_mgpu_params_join (const MgpuParam * first, const MgpuParam * rest);

G_END_DECLS

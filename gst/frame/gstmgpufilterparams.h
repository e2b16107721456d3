/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* ---- For subclasses ---- */

/* Installs a property for each element of @params. These elements describe the members of a
 * struct of @size bytes. A filter has two such structs: one for the current values of the
 * properties, and a copy for the frame that is being processed. */
void gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass, const MgpuParam * params, gsize size);

/* Returns: (transfer full): a copy of the struct of current parameter values, to be freed
 * with gst_mgpu_filter_free_params() */
gpointer gst_mgpu_filter_copy_params (GstMgpuFilter * self);
/* Returns: (transfer full): a copy of the parameter values of the frame that is being
 * processed, to be freed with gst_mgpu_filter_free_params() */
gpointer gst_mgpu_filter_copy_frame_params (GstMgpuFilter * self);
void gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params);

/* ---- For the base class ---- */

/* Installs the properties that all filters have. */
void gst_mgpu_filter_class_init_params (GstMgpuFilterClass * klass);

/* Allocates a filter's structs of parameters, with default values. It is called by
 * constructed(), or earlier if GObject sets a property of an interface. */
void gst_mgpu_filter_make_params  (GstMgpuFilter * self);
void gst_mgpu_filter_clear_params (GstMgpuFilter * self);

/* Copies the current values of the parameters to the struct of the next frame. The caller
 * holds the object lock. */
void gst_mgpu_filter_take_params_locked (GstMgpuFilter * self);

G_END_DECLS

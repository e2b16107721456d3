/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/image.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Holds part models and the kernels that look for them in frames. */
typedef struct _GstMgpuHogModels GstMgpuHogModels;

/* Reads models from files; paths lists their names with ':' between them. */
GstMgpuHogModels * gst_mgpu_hog_models_load (const gchar * paths, GError ** error);

/* Builds the kernels for frames that arrive at user's element. The parameter has_place is
 * (out): whether frames are large enough for a model. */
gboolean gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);

/* Frees what gst_mgpu_hog_models_prepare() built. */
void gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self);

/* Enqueues the search for the models in the frame @in; call prepare() before. The parameter
 * @threshold is the least score of a detection, NULL for each model's own threshold. The
 * parameters @min_height and @max_height are limits of the height of objects, in pixels;
 * a @max_height of 0 is no limit. */
void gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job, gboolean cascade,
    const gdouble * threshold, guint min_height, guint max_height, const MgpuImage * in);

/* Appends the detections of the enqueued search to @boxes; the label of a box is the number
 * of its model. The parameter @threshold is the same as for enqueue(). */
gboolean gst_mgpu_hog_models_read (GstMgpuHogModels * self, const gdouble * threshold, GArray * boxes,
    GError ** error);

/* Returns: the name of the class that the model with the number @label finds */
const gchar * gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label);

/* Sets *slope and *offset to the numbers that turn a score of the model with the number
 * @label into a probability: 1 / (1 + exp (-(slope score + offset))). */
void gst_mgpu_hog_models_get_scale (const GstMgpuHogModels * self, gint label, gdouble * slope, gdouble * offset);

void gst_mgpu_hog_models_free (GstMgpuHogModels * self);

G_END_DECLS

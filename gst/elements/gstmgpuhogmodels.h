/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/image.h>

#include <gst/frame/gstmgpupools.h>

G_BEGIN_DECLS

/* Part models, and what looks for them in frames. */
typedef struct _GstMgpuHogModels GstMgpuHogModels;

/* Reads the files that paths names, with ':' between them. */
GstMgpuHogModels * gst_mgpu_hog_models_load (const gchar * paths, GError ** error);

/* Prepares for frames of user. has_place: whether a model has place in them */
gboolean gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuDeviceUser * user, gboolean * has_place,
    GError ** error);

/* Forgets what was prepared. */
void gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self);

/* Once prepared. threshold: NULL for that of each model */
void gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job, gboolean cascade,
    const gdouble * threshold, const MgpuImage * in);

/* Appends what was found, whose labels are numbers of models. threshold: as
 * before */
gboolean gst_mgpu_hog_models_read (GstMgpuHogModels * self, const gdouble * threshold, GArray * boxes,
    GError ** error);

/* The class that a model finds. */
const gchar * gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label);

void gst_mgpu_hog_models_free (GstMgpuHogModels * self);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* An object that an element found in a frame. */
typedef struct
{
  GstVideoRectangle box;        /* in pixels */
  const gchar *name;            /* class of the object, a name for a GstStructure */
  gdouble confidence, score;
  gint label;                   /* index of the class */
  gint component;               /* index of the component of the model; -1: there are no components */
} GstMgpuFound;

/* Attaches to the writable @buffer a region of interest for each GstMgpuFound of @list, and, since
 * GStreamer 1.24, an object detection. */
void gst_mgpu_attach_detections (GstElement * element, const GArray * list, GstBuffer * buffer);

/* Posts an element message "mgpu-detections" of @trans with the objects of the frame @buffer, an
 * array of GstMgpuFound. */
void gst_mgpu_post_detections   (GstBaseTransform * trans, const GArray * list, GstBuffer * buffer);

G_END_DECLS

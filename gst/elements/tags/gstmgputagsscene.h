/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/models/board.h>
#include <gst/models/calibration.h>
#include <gst/vision/tags/dictionary.h>

G_BEGIN_DECLS

/* Values of the properties that say which tags there are, how large they are, and what the camera
 * is like */
typedef struct
{
  gchar *families, *dictionary_location;
  gdouble tag_size;
  gchar *tag_sizes, *calibration, *camera, *board_location;
} GstMgpuTagsWords;

/* The size of some tags of a family */
typedef struct
{
  const MgpuTagDictionary *family;
  guint first, last;            /* ids */
  gdouble size;                 /* in meters */
} GstMgpuTagsSize;

/* What is known of tags and camera before any frame. */
typedef struct
{
  GPtrArray *families;          /* array of MgpuTagDictionary */
  gdouble tag_size;             /* in meters; 0: unknown */
  GArray *sizes;                /* array of GstMgpuTagsSize */
  MgpuCalibration *calibration; /* NULL: the camera is unknown */
  MgpuBoard *board;             /* NULL: none */

  gboolean has_camera;          /* whether @model is set, because there is a calibration */
  MgpuLensModel model;          /* the camera of frames */
  GstMgpuCamera arrived;        /* the camera that came with the last frame, if there is no
                                 * calibration */
  gboolean has_arrived;         /* whether @arrived is set */
  gboolean fits_arrived;        /* whether @arrived_model, the camera @arrived for frames, is set,
                                 * because poses can be computed with this camera */
  MgpuLensModel arrived_model;
} GstMgpuTagsScene;

/* Reads the files and texts of @words. Returns: (transfer full): what they say; NULL with the error
 * set */
GstMgpuTagsScene * gst_mgpu_tags_scene_new (const GstMgpuTagsWords * words, GError ** error);
void gst_mgpu_tags_scene_free (GstMgpuTagsScene * self);

/* Fits the camera to frames of @width x @height pixels. Returns: FALSE with the error set if they do
 * not fit */
gboolean gst_mgpu_tags_scene_fit (GstMgpuTagsScene * self, gint width, gint height, GError ** error);

/* Returns: (transfer none) (nullable): the camera of @frame: that of the properties, or else the one
 * that came with the frame as a GstMgpuCameraMeta; NULL if it is unknown. Valid until the next call */
const MgpuLensModel * gst_mgpu_tags_scene_find_model (GstMgpuTagsScene * self, GstBuffer * frame, gint width,
    gint height);

/* Returns: the length of a side of the border of the tag @id of @family, in meters; 0: unknown */
gdouble gst_mgpu_tags_scene_get_size (const GstMgpuTagsScene * self, const MgpuTagDictionary * family, guint id);

G_END_DECLS

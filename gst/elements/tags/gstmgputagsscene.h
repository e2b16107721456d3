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

/* Values of the properties that describe the tags, their sizes and the camera */
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
  guint first, last;            /* first and last id */
  gdouble size;                 /* length of a side, in meters */
} GstMgpuTagsSize;

/* Data about tags and camera from the properties and their files */
typedef struct
{
  GPtrArray *families;          /* array of MgpuTagDictionary */
  gdouble tag_size;             /* size of tags without an entry in @sizes, in meters; 0: unknown */
  GArray *sizes;                /* array of GstMgpuTagsSize */
  MgpuCalibration *calibration; /* calibration of the camera; NULL if the camera is unknown */
  MgpuBoard *board;             /* NULL: none */

  gboolean has_camera;          /* whether @model is set, because there is a calibration */
  MgpuLensModel model;          /* the camera of the calibration, scaled to the frame size */
  GstMgpuCamera arrived;        /* the camera of the last frame's GstMgpuCameraMeta, if there is no
                                 * calibration */
  gboolean has_arrived;         /* whether @arrived is set */
  gboolean fits_arrived;        /* whether @arrived_model is set. @arrived_model is the camera
                                 * @arrived, scaled to the frame size; it is set if poses can be
                                 * computed with this camera */
  MgpuLensModel arrived_model;
} GstMgpuTagsScene;

/* Reads the files and texts of @words, the values of the properties. Returns: (transfer full):
 * their content; NULL with the error set on failure */
GstMgpuTagsScene * gst_mgpu_tags_scene_new (const GstMgpuTagsWords * words, GError ** error);
void gst_mgpu_tags_scene_free (GstMgpuTagsScene * self);

/* Fits the camera to frames of @width x @height pixels. Returns: FALSE with the error set if the
 * aspect ratios differ */
gboolean gst_mgpu_tags_scene_fit (GstMgpuTagsScene * self, gint width, gint height, GError ** error);

/* Returns: (transfer none) (nullable): the camera of @frame: the camera of the properties,
 * otherwise the camera of the frame's GstMgpuCameraMeta; NULL if neither is known. Valid until the
 * next call */
const MgpuLensModel * gst_mgpu_tags_scene_find_model (GstMgpuTagsScene * self, GstBuffer * frame, gint width,
    gint height);

/* Returns: the length of a side of the border of the tag @id of @family, in meters; 0: unknown */
gdouble gst_mgpu_tags_scene_get_size (const GstMgpuTagsScene * self, const MgpuTagDictionary * family, guint id);

G_END_DECLS

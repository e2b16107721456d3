/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GST_MGPU_CAMERA_COEFFICIENTS:
 *
 * The maximum number of coefficients of a camera.
 *
 * Since: 1.1
 */
#define GST_MGPU_CAMERA_COEFFICIENTS 14

/**
 * GstMgpuCameraTables:
 *
 * The camera of a frame. All copies of a #GstMgpuCameraMeta share it.
 *
 * Since: 1.1
 */
typedef struct _GstMgpuCameraTables GstMgpuCameraTables;
typedef struct _GstMgpuCamera GstMgpuCamera;
typedef struct _GstMgpuCameraMeta GstMgpuCameraMeta;

/**
 * GstMgpuCameraModel:
 * @GST_MGPU_CAMERA_MODEL_PERSPECTIVE: a pinhole, with 0, 4, 5, 8, 12 or 14 coefficients of
 *   OpenCV's calibrateCamera(): k1, k2, p1, p2, k3, k4, k5, k6, s1 to s4, tau x, tau y
 * @GST_MGPU_CAMERA_MODEL_FISHEYE: equidistant, with 0 or 4 coefficients of OpenCV's fisheye module
 * @GST_MGPU_CAMERA_MODEL_OMNI: Mei's model, with xi, k1, k2, p1 and p2
 * @GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE: with xi and alpha
 * @GST_MGPU_CAMERA_MODEL_EUCM: the enhanced unified camera model, with alpha and beta
 * @GST_MGPU_CAMERA_MODEL_FOV: the model of Devernay and Faugeras, with the angle omega
 * @GST_MGPU_CAMERA_MODEL_EQUIRECT: columns are longitudes, rows are latitudes
 * @GST_MGPU_CAMERA_MODEL_CYLINDER: columns are longitudes, verticals stay straight
 * @GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC: circles stay circles
 *
 * Camera models: how rays are projected to positions in a frame.
 *
 * Since: 1.1
 */
typedef enum
{
  GST_MGPU_CAMERA_MODEL_PERSPECTIVE,
  GST_MGPU_CAMERA_MODEL_FISHEYE,
  GST_MGPU_CAMERA_MODEL_OMNI,
  GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE,
  GST_MGPU_CAMERA_MODEL_EUCM,
  GST_MGPU_CAMERA_MODEL_FOV,
  GST_MGPU_CAMERA_MODEL_EQUIRECT,
  GST_MGPU_CAMERA_MODEL_CYLINDER,
  GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC
} GstMgpuCameraModel;

#define GST_TYPE_MGPU_CAMERA_MODEL (gst_mgpu_camera_model_get_type ())

GST_MGPU_API
GType               gst_mgpu_camera_model_get_type     (void);

/**
 * GstMgpuCamera:
 * @model: how rays are projected to positions
 * @n_coefficients: number of @coefficients that are used; the others are 0
 * @width: width of the frames, in pixels
 * @height: height of the frames, in pixels
 * @fx: focal length along x: the change of the position, in pixels, in the center of the view for
 *   one radian; above 0
 * @fy: focal length along y
 * @cx: x of the optical axis in pixels, from the center of the pixel in the upper left corner, as
 *   in a camera matrix of OpenCV
 * @cy: y of the optical axis
 * @coefficients: (array fixed-size=14): the coefficients of the model
 * @rotation: (array fixed-size=9): the rotation, row by row, from rays of the camera that took the
 *   frame to rays of this camera. It is the identity unless an element has rotated the view
 *
 * A camera: how rays are projected to positions in a frame. The axes of rays are x to the right, y
 * down, z forward.
 *
 * Since: 1.1
 */
struct _GstMgpuCamera
{
  GstMgpuCameraModel model;
  guint n_coefficients;
  gint width;
  gint height;
  gdouble fx;
  gdouble fy;
  gdouble cx;
  gdouble cy;
  gdouble coefficients[14];
  gdouble rotation[9];
};

#define GST_TYPE_MGPU_CAMERA (gst_mgpu_camera_get_type ())

GST_MGPU_API
GType               gst_mgpu_camera_get_type           (void);

/**
 * GstMgpuCameraMeta:
 * @meta: the parent
 *
 * The camera of a frame, attached by mgpuremap. mgpuconvert transforms it when it crops, rotates or
 * scales the frame; so does any element that scales the frame and calls the meta's transform
 * function. Elements that mirror the frame, or move its content in other ways, drop the meta.
 *
 * Since: 1.1
 */
struct _GstMgpuCameraMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuCameraTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_CAMERA_META:
 *
 * The boxed type of #GstMgpuCameraMeta. A copy made by g_boxed_copy() stays valid after the buffer
 * of the original is freed; g_boxed_free() frees the copy. Language bindings copy each meta that
 * they return to a script.
 *
 * Since: 1.1
 */
#define GST_TYPE_MGPU_CAMERA_META (gst_mgpu_camera_meta_get_type ())

GST_MGPU_API
GType               gst_mgpu_camera_meta_get_type      (void);

GST_MGPU_API
GType               gst_mgpu_camera_meta_api_get_type  (void);

/**
 * GST_MGPU_CAMERA_META_API_TYPE:
 *
 * The API type of #GstMgpuCameraMeta, for gst_buffer_get_meta().
 *
 * Since: 1.1
 */
#define GST_MGPU_CAMERA_META_API_TYPE (gst_mgpu_camera_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo * gst_mgpu_camera_meta_get_info      (void);

GST_MGPU_API
GstMgpuCameraMeta * gst_buffer_add_mgpu_camera_meta    (GstBuffer           * buffer,
                                                        const GstMgpuCamera * camera);

GST_MGPU_API
GstMgpuCameraMeta * gst_buffer_get_mgpu_camera_meta    (GstBuffer           * buffer);

GST_MGPU_API
void                gst_mgpu_camera_meta_get_camera    (GstMgpuCameraMeta   * meta,
                                                        GstMgpuCamera       * camera);

GST_MGPU_API
gboolean            gst_mgpu_camera_meta_project       (GstMgpuCameraMeta   * meta,
                                                        const gdouble       * ray,
                                                        gdouble             * x,
                                                        gdouble             * y);

GST_MGPU_API
gboolean            gst_mgpu_camera_meta_unproject     (GstMgpuCameraMeta   * meta,
                                                        gdouble               x,
                                                        gdouble               y,
                                                        gdouble             * ray);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpukeypointmeta.h>

G_BEGIN_DECLS

typedef struct _GstMgpuFitOptions GstMgpuFitOptions;

/**
 * GstMgpuFit:
 *
 * A geometric transform that maps points of one image to points of another image. It is estimated
 * from pairs of points, many of which may be wrong.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuFit GstMgpuFit;

/**
 * GstMgpuFitModel:
 * @GST_MGPU_FIT_MODEL_TRANSLATION: all points move by the same vector
 * @GST_MGPU_FIT_MODEL_RIGID: a rotation and a translation
 * @GST_MGPU_FIT_MODEL_SIMILARITY: a rotation, a uniform scale and a translation
 * @GST_MGPU_FIT_MODEL_AFFINE: parallel lines stay parallel
 * @GST_MGPU_FIT_MODEL_HOMOGRAPHY: straight lines stay straight; this model relates two
 *   views of a plane from different camera positions
 *
 * Geometric models for #GstMgpuFit. No model mirrors the image.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_FIT_MODEL_TRANSLATION,
  GST_MGPU_FIT_MODEL_RIGID,
  GST_MGPU_FIT_MODEL_SIMILARITY,
  GST_MGPU_FIT_MODEL_AFFINE,
  GST_MGPU_FIT_MODEL_HOMOGRAPHY
} GstMgpuFitModel;

#define GST_TYPE_MGPU_FIT_MODEL (gst_mgpu_fit_model_get_type ())

GST_MGPU_API
GType                gst_mgpu_fit_model_get_type       (void);

/**
 * GstMgpuFitOptions:
 * @threshold: distance in pixels, from 0.1 to 100; 3 by default. A pair agrees with a model when
 *   the model maps the pair's first point to less than this distance from the pair's second point
 * @max_draws: maximum number of random samples of pairs, from 256 to 65536; 2048 by default. A
 *   model is computed from each sample. The search ends earlier when most pairs agree with the
 *   best model
 * @seed: seed of the sequence of random samples; 0 by default
 *
 * Options of the random search (RANSAC) for a model. The same pairs and options give the same
 * model.
 *
 * Since: 1.0
 */
struct _GstMgpuFitOptions
{
  gdouble threshold;
  guint max_draws;
  guint32 seed;

  /*< private >*/
  gpointer reserved[4];
};

#define GST_TYPE_MGPU_FIT_OPTIONS (gst_mgpu_fit_options_get_type ())

GST_MGPU_API
GType                gst_mgpu_fit_options_get_type     (void);

GST_MGPU_API
GstMgpuFitOptions *  gst_mgpu_fit_options_new          (void);

GST_MGPU_API
GstMgpuFitOptions *  gst_mgpu_fit_options_copy         (const GstMgpuFitOptions * options);

GST_MGPU_API
void                 gst_mgpu_fit_options_free         (GstMgpuFitOptions * options);

#define GST_TYPE_MGPU_FIT (gst_mgpu_fit_get_type ())

GST_MGPU_API
GType                gst_mgpu_fit_get_type             (void);

GST_MGPU_API
GstMgpuFit *         gst_mgpu_fit_ref                  (GstMgpuFit * fit);

GST_MGPU_API
void                 gst_mgpu_fit_unref                (GstMgpuFit * fit);

GST_MGPU_API
gboolean             gst_mgpu_fit_is_found             (GstMgpuFit * fit);

GST_MGPU_API
const gdouble *      gst_mgpu_fit_get_matrix           (GstMgpuFit * fit);

GST_MGPU_API
guint                gst_mgpu_fit_get_n_inliers        (GstMgpuFit * fit);

GST_MGPU_API
GBytes *             gst_mgpu_fit_get_inliers          (GstMgpuFit * fit);

GST_MGPU_API
gdouble              gst_mgpu_fit_get_rms              (GstMgpuFit * fit);

GST_MGPU_API
gboolean             gst_mgpu_fit_project              (GstMgpuFit * fit,
                                                        gdouble      x,
                                                        gdouble      y,
                                                        gdouble    * to_x,
                                                        gdouble    * to_y);

GST_MGPU_API
gdouble *            gst_mgpu_fit_project_corners      (GstMgpuFit * fit,
                                                        guint        width,
                                                        guint        height);

GST_MGPU_API
GstMgpuFit *         gst_mgpu_fit_points               (GstMgpuContext          * context,
                                                        GBytes                  * pairs,
                                                        GstMgpuFitModel           model,
                                                        const GstMgpuFitOptions * options,
                                                        GError                 ** error);

GST_MGPU_API
GstMgpuFit *         gst_mgpu_keypoint_meta_fit        (GstMgpuKeypointMeta     * meta,
                                                        GstMgpuKeypointMeta     * trains,
                                                        GBytes                  * matches,
                                                        GstMgpuFitModel           model,
                                                        const GstMgpuFitOptions * options,
                                                        GError                 ** error);

G_END_DECLS

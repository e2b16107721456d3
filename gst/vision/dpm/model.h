/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Number of features of a HOG cell; a filter has one weight for each of them. */
#define MGPU_DPM_FEATURES 32

/* Limits of the sizes of a part model */
#define MGPU_DPM_MAX_COMPONENTS 64
#define MGPU_DPM_MAX_PARTS 64   /* largest number of parts of a component */
#define MGPU_DPM_MAX_SIDE 64    /* largest number of rows or columns of a filter */
#define MGPU_DPM_MAX_NUMBER 1e6 /* largest absolute value of a weight */
#define MGPU_DPM_MAX_PCA 16     /* largest number of reduced features of a cascade */

/* Score limit of a cascade step that rules out no cell, because no score is below this limit */
#define MGPU_DPM_NO_LIMIT -1e30f

typedef struct
{
  gint rows, columns;
  gfloat *weights;              /* weights of the filter, one for each feature of a cell; cells
                                 * are stored row by row */
} MgpuDpmFilter;

/* A part of a deformable part model. Parts are searched for at twice the resolution of the
 * model's root. */
typedef struct
{
  MgpuDpmFilter filter, pca;    /* filters of the part: @filter for all features, @pca for
                                 * the reduced features of a cascade */
  gint x, y;                    /* expected position of the part relative to the model's
                                 * root, in cells of the part's pyramid level */
  gfloat deformation[4];        /* weights of dx * dx, dx, dy * dy and dy in the deformation
                                 * cost, where (dx, dy) is the distance, in cells, of the part
                                 * from its expected position (@x, @y) */
} MgpuDpmPart;

/* A component of a model, which is one view of the object: a root filter and parts. */
typedef struct
{
  MgpuDpmFilter root, root_pca;
  guint n_parts;
  MgpuDpmPart *parts;
  gfloat offset;                /* constant that is added to the sum of the filters'
                                 * scores */
  gfloat location[3];           /* constants that are added to scores in the first, in the
                                 * second, and in all later octaves of the pyramid levels that
                                 * the model uses */
  /* Size of the box around the object, in cells of the pyramid level in which the root is found */
  gint window_columns, window_rows;
  gint shift_x, shift_y;        /* position of the root filter within the box around the object,
                                 * in cells */

  /* @order: indices of the @n_parts parts, in the order in which a cascade adds their scores.
   * @limits: @n_parts + 1 score limits. Using reduced features, the cascade adds the scores of
   * the root and the first i parts; if the sum is below limits[i], it rules the cell out and
   * stops. */
  guint *order;
  gfloat *limits;
} MgpuDpmComponent;

typedef struct
{
  gchar *name;                  /* name of the class of objects, such as "person" */
  gint cell_size;               /* width and height of a HOG cell, in pixels */
  gint interval;                /* number of pyramid levels of an octave */
  gboolean extra_octave;        /* whether an enlarged copy of the frame, up to twice its size,
                                 * is also searched */
  gfloat threshold;             /* minimum score of an object that counts as found */
  gint n_pca;                   /* number of reduced features of a cascade */
  gfloat *pca;                  /* PCA matrix, with which reduced features are computed from
                                 * features: MGPU_DPM_FEATURES rows of n_pca factors */
  guint n_components;
  MgpuDpmComponent *components;
} MgpuDpmModel;

/* Initializes @filter: it gets @rows x @columns cells, @features weights for each cell, and all
 * weights are 0. */
void mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns, gint features);

/* Completes a model that was read from a file. Creates a cascade if the file had none, turns
 * the model's name into a valid name of a GstStructure, and sets negligible weights to 0. */
void mgpu_dpm_model_finish (MgpuDpmModel * model);

/* Turns the model's name into a valid name of a GstStructure, and sets negligible weights to 0. */
void mgpu_dpm_model_clean (MgpuDpmModel * model);

/* Sets the weights that are too small to change a score to 0; @n is the number of weights. */
void mgpu_dpm_clean_weights (gfloat * weights, gint n);

/* Turns the string @name (transfer full) into a valid name of a GstStructure.
 * Returns: (transfer full): the changed string */
gchar * mgpu_dpm_clean_name (gchar * name);

void mgpu_dpm_model_free (MgpuDpmModel * model);

G_END_DECLS

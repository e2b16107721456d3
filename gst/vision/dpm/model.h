/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Number of features of a cell, and of weights that a filter has for a cell. */
#define MGPU_DPM_FEATURES 32

/* Limits of a part model */
#define MGPU_DPM_MAX_COMPONENTS 64
#define MGPU_DPM_MAX_PARTS 64   /* largest number of parts of a component */
#define MGPU_DPM_MAX_SIDE 64    /* largest number of rows or columns of a filter */
#define MGPU_DPM_MAX_NUMBER 1e6 /* largest absolute value of a weight */
#define MGPU_DPM_MAX_PCA 16     /* largest number of reduced features of a cascade */

/* Limit of a cascade's step that rules out no cell: no score is lower. */
#define MGPU_DPM_NO_LIMIT -1e30f

typedef struct
{
  gint rows, columns;
  gfloat *weights;              /* weights: for each cell, row after row, one
                                 * weight for each feature */
} MgpuDpmFilter;

/* Describes a part of a model, which is looked for at twice the resolution of the
 * root. */
typedef struct
{
  MgpuDpmFilter filter, pca;    /* filters of the part: one for all features,
                                 * one for the reduced features */
  gint x, y;                    /* position of the part relative to the root, in
                                 * cells of the part's level */
  gfloat deformation[4];        /* weights of dx * dx, dx, dy * dy and dy, in cells, in the
                                 * cost of moving the part from that position */
} MgpuDpmPart;

/* Describes a component of a model, which is one view of the object: a root filter and
 * parts. */
typedef struct
{
  MgpuDpmFilter root, root_pca;
  guint n_parts;
  MgpuDpmPart *parts;
  gfloat offset;                /* number to which the scores of filters are added */
  gfloat location[3];           /* numbers that are added to scores in the first, second and
                                 * further octaves */
  /* Size of the box around the object, in cells of the root's level */
  gint window_columns, window_rows;
  gint shift_x, shift_y;        /* position of the root in the box around the
                                 * object, in cells of the root's level */

  /* Order in which a cascade adds the n_parts parts, and n_parts + 1 limits: the cascade
   * stops when the score of the root and the first i parts, by reduced features, is below
   * limits[i]. */
  guint *order;
  gfloat *limits;
} MgpuDpmComponent;

typedef struct
{
  gchar *name;                  /* name of the class of objects, such as "person" */
  gint cell_size;               /* width and height of a HOG cell, in pixels */
  gint interval;                /* number of pyramid levels of an octave */
  gboolean extra_octave;        /* whether a frame scaled to twice the size is searched, too */
  gfloat threshold;             /* least score with which an object counts as found */
  gint n_pca;                   /* number of reduced features of a cascade */
  gfloat *pca;                  /* PCA matrix: MGPU_DPM_FEATURES rows of n_pca
                                 * factors, with which reduced features are
                                 * computed from features */
  guint n_components;
  MgpuDpmComponent *components;
} MgpuDpmModel;

/* Initializes @filter with rows x columns cells and the number of features for
 * each; all weights are 0. */
void mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns, gint features);

/* Completes a model that was read from a file: makes a cascade when the file
 * had none, turns the model's name into a valid name of a GstStructure, and
 * sets weights that are next to nothing to 0. */
void mgpu_dpm_model_finish (MgpuDpmModel * model);

/* Turns the model's name into a valid name of a GstStructure, and sets weights that are
 * next to nothing to 0. */
void mgpu_dpm_model_clean (MgpuDpmModel * model);

/* Sets those of n weights to 0 that are too small to change a score. */
void mgpu_dpm_clean_weights (gfloat * weights, gint n);

/* Takes over the string name and turns it into a valid name of a GstStructure.
 * Returns: (transfer full): the changed string */
gchar * mgpu_dpm_clean_name (gchar * name);

void mgpu_dpm_model_free (MgpuDpmModel * model);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Number of features of a cell, and of weights of a filter for a cell. */
#define MGPU_DPM_FEATURES 32

/* Limits of a model. */
#define MGPU_DPM_MAX_COMPONENTS 64
#define MGPU_DPM_MAX_PARTS 64   /* parts of a component */
#define MGPU_DPM_MAX_SIDE 64    /* rows or columns of a filter */
#define MGPU_DPM_MAX_NUMBER 1e6 /* limit of the absolute value of a weight */
#define MGPU_DPM_MAX_PCA 16     /* reduced features of a cascade */

/* Limit in a cascade that no score is below. */
#define MGPU_DPM_NO_LIMIT -1e30f

typedef struct
{
  gint rows, columns;
  gfloat *weights;              /* weights of the cells: [row][column][feature] */
} MgpuDpmFilter;

/* Describes a part, which is looked for at twice the resolution of the root. */
typedef struct
{
  MgpuDpmFilter filter, pca;    /* filters of all features, of the reduced features */
  gint x, y;                    /* place in the root, in cells of the part's level */
  gfloat deformation[4];        /* weights of dx * dx, dx, dy * dy and dy, in cells, in
                                 * the cost of a move from that place */
} MgpuDpmPart;

/* Describes one view of the object: a root and parts. */
typedef struct
{
  MgpuDpmFilter root, root_pca;
  guint n_parts;
  MgpuDpmPart *parts;
  gfloat offset;                /* number with which scores begin */
  gfloat location[3];           /* added to scores in the first, second, further octaves */
  /* size of the box around the object, in cells of the root's level */
  gint window_columns, window_rows;
  gint shift_x, shift_y;        /* place of the root in that box, in the same cells */

  /* A cascade adds the n_parts parts in this order, and stops when the score of the root
   * and the first i parts, by reduced features, is below limits[i]. There are n_parts + 1
   * limits. */
  guint *order;
  gfloat *limits;
} MgpuDpmComponent;

typedef struct
{
  gchar *name;                  /* name of the class of objects, such as "person" */
  gint cell_size;               /* width and height of a cell, in pixels */
  gint interval;                /* number of levels of an octave */
  gboolean extra_octave;        /* whether a frame of twice the size is searched, too */
  gfloat threshold;             /* least score with which an object counts as found */
  gint n_pca;                   /* number of reduced features of a cascade */
  gfloat *pca;                  /* share of each feature in each reduced feature:
                                 * [MGPU_DPM_FEATURES][n_pca] */
  guint n_components;
  MgpuDpmComponent *components;
} MgpuDpmModel;

/* Initializes filter with rows x columns cells, which have a weight of 0 for each of
 * features features. */
void mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns, gint features);

/* Completes a model that was read: makes a cascade when the file had none, turns the
 * name into a valid name of a GstStructure, and sets weights that are next to nothing to
 * 0. */
void mgpu_dpm_model_finish (MgpuDpmModel * model);

/* Does the last two of these three steps. */
void mgpu_dpm_model_clean (MgpuDpmModel * model);

/* Sets those of n weights to 0 that add nothing to a score. */
void mgpu_dpm_clean_weights (gfloat * weights, gint n);

/* Turns name, which it takes, into a valid name of a GstStructure.
 * Returns: (transfer full): that name */
gchar * mgpu_dpm_clean_name (gchar * name);

void mgpu_dpm_model_free (MgpuDpmModel * model);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Numbers of a cell of features, and of filters. */
#define MGPU_DPM_FEATURES 32

/* What a model may have at most. */
#define MGPU_DPM_MAX_COMPONENTS 64
#define MGPU_DPM_MAX_PARTS 64   /* of a component */
#define MGPU_DPM_MAX_SIDE 64    /* rows or columns of a filter */
#define MGPU_DPM_MAX_NUMBER 1e6 /* of any weight, in amount */
#define MGPU_DPM_MAX_PCA 16     /* features left for a cascade */

/* No limit of scores. */
#define MGPU_DPM_NO_LIMIT -1e30f

typedef struct
{
  gint rows, columns;
  gfloat *weights;              /* [row][column][feature] */
} MgpuDpmFilter;

/* A part is looked for at twice the resolution of the root. */
typedef struct
{
  MgpuDpmFilter filter, pca;    /* pca: of the features left for a cascade */
  gint x, y;                    /* its place in the root's window, in cells of its own level */
  gfloat deformation[4];        /* what dx * dx, dx, dy * dy and dy cells away from there cost */
} MgpuDpmPart;

/* One of the views of what is looked for. */
typedef struct
{
  MgpuDpmFilter root, root_pca;
  guint n_parts;
  MgpuDpmPart *parts;
  gfloat offset;                /* that scores begin with */
  gfloat location[3];           /* added in the first, the second and further octaves */
  gint window_columns, window_rows;     /* the box around what is found, in cells of the root's level */
  gint shift_x, shift_y;        /* of the root's place in that box */

  /* A cascade adds parts in this order, and stops where the score with the first
   * i of them, by pca, is below limits[i]: n_parts, and one more */
  guint *order;
  gfloat *limits;
} MgpuDpmComponent;

typedef struct
{
  gchar *name;                  /* of the class: "person" */
  gint cell_size;               /* pixels */
  gint interval;                /* levels of an octave */
  gboolean extra_octave;        /* whether to look at a frame of twice the size, too */
  gfloat threshold;             /* that scores have when something is there */
  gint n_pca;                   /* features left for a cascade */
  gfloat *pca;                  /* what they are sums of: [MGPU_DPM_FEATURES][n_pca] */
  guint n_components;
  MgpuDpmComponent *components;
} MgpuDpmModel;

/* Gives filter rows x columns cells of features zeros. */
void mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns, gint features);

/* Completes a model that was read: makes what a cascade needs where the model came
 * without, a name that structures can have, and zeros of weights that are next to
 * nothing. */
void mgpu_dpm_model_finish (MgpuDpmModel * model);

void mgpu_dpm_model_free (MgpuDpmModel * model);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that looks for models, and its plan. */
#pragma once

#include <gst/vision/base/object.h>
#include <gst/vision/base/words.h>
#include <kernels/dpm/shared.h>

#include "dpm.h"

G_BEGIN_DECLS

G_STATIC_ASSERT (sizeof (MgpuDpmScore) == 2 * sizeof (gint));
G_STATIC_ASSERT (MGPU_FHOG_FEATURES == FEATURES);
G_STATIC_ASSERT (MGPU_DPM_FEATURES == FEATURES);
G_STATIC_ASSERT (MGPU_DPM_MAX_PCA == PCA);

/* Names the indices of the array knobs. */
enum
{
  LANES,
  TILE,
  GROUP,
  BATCH
};

/* Describes a part of the plan: n pairs of a level and a row. */
typedef struct
{
  gint begin;
  guint n;
  gint columns;                 /* width of the widest of these levels, in cells */
} Rows;

/* Describes the levels, from begin to before end, in which roots are looked for at
 * once. */
typedef struct
{
  guint begin, end;
  Rows parts, roots;
} Batch;

/* Describes n groups of filters. begin is their place in the plan. */
typedef struct
{
  gint begin;
  guint n;
  gint features;                /* number of features of a cell */
} Groups;

typedef struct
{
  const MgpuDpmModel *model;
  guint skipped;                /* number of levels that are too fine for the model */
  Groups parts, roots;
  Groups few_parts, few_roots;  /* filters of the reduced features of a cascade */
  gint pca;                     /* place of the model's PCA matrix in the plan */
  gint components;              /* place of the components in the plan */
} Model;

struct _MgpuDpm
{
  MgpuObject object;
  MgpuFhogParams params;
  guint n_levels;
  MgpuFhogLevel *levels;
  guint n_models;
  Model *models;

  GArray *words;                /* the plan: tables that kernels read */
  GArray *batches;
  gint *first_scores;           /* number of each level's first score in a model's scores */
  gint n_scores;                /* number of scores of a model */
  gint parts_stride, roots_stride;      /* largest number of cells of a batch */
  guint n_part_groups, n_root_groups;   /* largest numbers of groups of a model */
  gint max_pca;                 /* largest number of reduced features of a model */
  guint least_height, most_height;      /* limits of objects; most_height 0: none */
};

/* Returns: the number of cells of a level */
static inline gint
mgpu_dpm_count_cells (const MgpuDpm * self, guint level)
{
  return self->levels[level].columns * self->levels[level].rows;
}

/* Makes the plan for the levels and for n_models models: fills words and all members that
 * describe it. */
void mgpu_dpm_make_plan (MgpuDpm * self, const MgpuDpmModel * const * models);

G_END_DECLS

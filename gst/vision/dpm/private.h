/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that looks for part models, and the tables that its kernels read
 * (the plan). */
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

/* Indices into the array knobs, which lists the tuning constants of the kernels */
enum
{
  LANES,
  TILE,
  GROUP,
  BATCH
};

/* Describes a list in the plan: n pairs of a pyramid level and a row, from index begin
 * on. */
typedef struct
{
  gint begin;
  guint n;
  gint columns;                 /* width of the widest level in the list, in cells */
} Rows;

/* Describes a batch of pyramid levels, from begin to before end, in which roots are
 * looked for at once, and the lists of rows that the kernels process. */
typedef struct
{
  guint begin, end;
  Rows parts, roots;
} Batch;

/* Describes n groups of filters; the member begin is the index of the first
 * group in the plan. */
typedef struct
{
  gint begin;
  guint n;
  gint features;                /* number of features of a cell */
} Groups;

typedef struct
{
  const MgpuDpmModel *model;
  guint skipped;                /* number of the first levels, which are left
                                 * out because they are too fine for the
                                 * model */
  Groups parts, roots;
  Groups few_parts, few_roots;  /* filters of parts and roots for the reduced
                                 * features of a cascade */
  gint pca;                     /* index of the model's PCA matrix in the plan */
  gint components;              /* index of the model's components in the plan */
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
  gint *first_scores;           /* index of each level's first score among the scores of a
                                 * model */
  gint n_scores;                /* number of scores of a model in all levels */
  gint parts_stride, roots_stride;      /* largest number of cells of a batch, for parts and
                                         * for roots */
  guint n_part_groups, n_root_groups;   /* largest numbers of groups of filters of a model */
  gint max_pca;                 /* largest number of reduced features of a model */
  guint least_height, most_height;      /* limits of the height of objects, in
                                         * pixels; a most_height of 0 stands for
                                         * no limit */
  GArray *regions;              /* array of MgpuScoredBox in which objects are searched;
                                 * NULL: the whole frame */
  GArray *allowed;              /* for the regions: a guint64 for each score of each model,
                                 * with a bit for each component that the cell may show */
  gboolean *is_busy;            /* whether any bit in allowed is set, for each level of
                                 * each model */
  gboolean has_allowed;         /* whether the device has the array allowed */
};

/* Returns: the number of cells of a pyramid level */
static inline gint
mgpu_dpm_count_cells (const MgpuDpm * self, guint level)
{
  return self->levels[level].columns * self->levels[level].rows;
}

/* Makes the plan, the tables that kernels read, for the pyramid levels and for
 * n_models models: fills the array words and all members that describe its
 * content. */
void mgpu_dpm_make_plan (MgpuDpm * self, const MgpuDpmModel * const * models);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The object that searches for part models, and its plan: the table that its kernels read. */
#pragma once

#include <gst/vision/base/object.h>
#include <gst/vision/base/words.h>
#include <kernels/dpm/dpm-shared.h>

#include "dpm.h"

G_BEGIN_DECLS

G_STATIC_ASSERT (sizeof (MgpuDpmScore) == 2 * sizeof (gint));
G_STATIC_ASSERT (MGPU_FHOG_FEATURES == FEATURES);
G_STATIC_ASSERT (MGPU_DPM_FEATURES == FEATURES);
G_STATIC_ASSERT (MGPU_DPM_MAX_PCA == PCA);

/* Indices into the array @knobs of the tuning constants of the kernels */
enum
{
  LANES,
  TILE,
  GROUP,
  BATCH
};

/* A list of rows of HOG cells in the plan (the table that kernels read). It begins at index
 * @begin of the plan and has @n entries; an entry is the number of a pyramid level and of a row
 * of this level. */
typedef struct
{
  gint begin;
  guint n;
  gint columns;                 /* width of the widest pyramid level in the list, in HOG
                                 * cells */
} Rows;

/* A batch of pyramid levels, @begin to @end - 1, that are searched for roots at once. @parts
 * and @roots list the rows in which the kernels apply the filters of parts and those of roots. */
typedef struct
{
  guint begin, end;
  Rows parts, roots;
} Batch;

/* Groups of filters: @n is their number; @begin is the index of the first group in the plan
 * (the table of words that kernels read). */
typedef struct
{
  gint begin;
  guint n;
  gint features;                /* number of features of a cell; a filter has one weight for
                                 * each of them */
} Groups;

typedef struct
{
  const MgpuDpmModel *model;
  guint skipped;                /* number of pyramid levels, starting with the first, in which
                                 * the model is not searched for: their cells are too fine for
                                 * it */
  Groups parts, roots;
  Groups few_parts, few_roots;  /* filters of parts and roots for the reduced
                                 * features of a cascade */
  gint pca;                     /* index of the model's PCA matrix in the array @words of
                                 * MgpuDpm */
  gint components;              /* index of the model's components in the array @words of
                                 * MgpuDpm */
} Model;

struct _MgpuDpm
{
  MgpuObject object;
  MgpuFhogParams params;
  guint n_levels;
  MgpuFhogLevel *levels;
  guint n_models;
  Model *models;

  GArray *words;                /* the plan: a table of 4-byte words (filters of models,
                                 * layout of pyramid levels) that kernels read */
  GArray *batches;
  gint *first_scores;           /* for each pyramid level: index of its first score among
                                 * the scores of a model */
  gint n_scores;                /* number of scores of a part model in all pyramid levels
                                 * together */
  gint parts_stride, roots_stride;      /* largest number of cells of a batch, in the levels for
                                         * filters of parts, and in the levels for filters of
                                         * roots */
  guint n_part_groups, n_root_groups;   /* largest number of groups of filters that a model has
                                         * for parts, and for roots */
  gint max_pca;                 /* largest number of reduced features of a model */
  MgpuDpmPlaces places;
  GArray *allowed;              /* for a search in @regions: a guint64 for each cell of each
                                 * model. Bit k is set if the cell may show component k of the
                                 * model */
  MgpuPart *parts;              /* for a search in @regions: the cells whose features are read,
                                 * in each level */
  gboolean has_allowed;         /* whether the device has a copy of the array @allowed */
};

/* Returns: the number of cells of a pyramid level */
static inline gint
mgpu_dpm_count_cells (const MgpuDpm * self, guint level)
{
  return self->levels[level].columns * self->levels[level].rows;
}

/* Checks that the filters of the models fit into a memory of the device. In the plan, all
 * filters of a group are padded to the same size: the largest height by the largest width of
 * the group.
 * Returns: FALSE with the error set */
gboolean mgpu_dpm_check_filters (const MgpuDpm * self, const MgpuDpmModel * const * models, GError ** error);

/* Creates the plan, the table of words that kernels read, for the pyramid levels and the models
 * in @models. Sets the array @words, and all members that describe its content. */
void mgpu_dpm_make_plan (MgpuDpm * self, const MgpuDpmModel * const * models);

G_END_DECLS

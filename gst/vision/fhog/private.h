/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "fhog.h"

#include <gst/vision/base/object.h>
#include <gst/vision/convert/rgbx.h>

G_BEGIN_DECLS

#define MAX_SIZES 3             /* largest number of sizes of cells in a pyramid */

/* Indices into the array knobs, which lists the tuning constants of the kernels */
enum
{
  LANES,
  GROUP,
  COLUMNS,
  CLASSES,
  STRIP,
  BINS,
  ROWS,
  BATCH
};

/* Describes a list in the plan: n pairs of a picture, or pyramid level, and a row, from
 * index begin on. */
typedef struct
{
  gint begin;
  guint n;
} Rows;

/* Describes a batch of pictures that are processed at once. All batches use the same
 * memory, one after the other. */
typedef struct
{
  guint begin, end;             /* indices in the array parts: the first part of
                                 * the batch, and the first behind the batch */
  Rows gradients;
  Rows tiles[MAX_SIZES], energies[MAX_SIZES], features[MAX_SIZES];
  gint columns[MAX_SIZES];      /* columns of HOG cells in the widest level, for each size of
                                 * cells */
} Batch;

/* Describes a picture: the frame scaled to one size. */
typedef struct
{
  gint width, height;
  gint pitch;
  gdouble scale;
} Picture;

struct _MgpuFhog
{
  MgpuObject object;
  MgpuFhogParams params;
  gint width, height;
  gint classes;                 /* number of residue classes, by which columns are stored:
                                 * see kernels/fhog/fhog.h */
  guint n_sizes;                /* number of sizes of HOG cells */

  GArray *pictures;             /* array of Picture */
  GArray *levels;               /* array of MgpuFhogLevel */
  guint n_small;                /* number of levels with cells smaller than cell_size, in a
                                 * full pyramid */

  GArray *words;                /* the plan: tables that kernels read */
  gint level_words;             /* index of the descriptions of levels in the plan */
  GArray *parts;                /* array of Rows: lists of pictures' rows that are scaled in
                                 * one launch */
  GArray *batches;
  Rows padding;
  gsize n_samples, n_tall, n_planes, n_gradients, n_sums, n_energies;
  gint own_rows, own_planes;    /* size of each strip's memory in SLOT_TALL and SLOT_PLANES,
                                 * in elements */

  MgpuRgbx rgbx;
};

/* Sets *picture to the index of the picture from which a level is made.
 * Returns: the index of the size of the level's cells: 0 for the largest size, 1 for half
 * of it, 2 for a quarter */
guint mgpu_fhog_find_size (const MgpuFhog * self, guint level, guint * picture);

/* Computes the pictures and levels of a pyramid, and makes the tables for the
 * kernels. All members before n_samples must have been set, and the arrays must
 * be empty. FALSE: the frame is too large, the error is set. */
gboolean mgpu_fhog_plan (MgpuFhog * self, GError ** error);

G_END_DECLS

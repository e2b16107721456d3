/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "fhog.h"

#include <gst/vision/base/object.h>
#include <gst/vision/base/words.h>
#include <gst/vision/convert/rgbx.h>

G_BEGIN_DECLS

#define MAX_SIZES 3             /* maximum number of different cell sizes in a pyramid */

/* Indices into the array @knobs of the tuning constants of the kernels */
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

/* A list of rows that a kernel computes. It has @n entries of ENTRY words (see
 * kernels/fhog/fhog-shared.h), one for each row, in the array @lists of MgpuFhog, starting at
 * index @begin. @columns is the largest number of columns of cells of an entry. */
typedef struct
{
  gint begin;
  guint n;
  gint columns;
} Rows;

/* A batch of pictures (scaled frames) that are processed at once. Batches are processed one
 * after the other, and use the same memory. */
typedef struct
{
  guint first, last;            /* the pictures of the batch: @first to @last - 1 */
  guint begin, end;             /* the lists of rows of the batch: elements @begin to @end - 1
                                 * of the array @parts of MgpuFhog */
  Rows gradients;
  Rows tiles[MAX_SIZES], energies[MAX_SIZES], features[MAX_SIZES];
} Batch;

/* A picture: the frame scaled to @width x @height pixels. This is @scale times the size of the
 * frame. @pitch is the number of elements of a row in each class of columns (class = column
 * modulo number of classes). */
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
  gint classes;                 /* number of classes of columns: the columns of a row are stored
                                 * by class (class = column modulo @classes), see
                                 * kernels/fhog/fhog.h */
  guint n_sizes;                /* number of different sizes of HOG cells in the
                                 * pyramid */

  GArray *pictures;             /* array of Picture: the frame scaled to each size of the
                                 * pyramid */
  GArray *levels;               /* array of MgpuFhogLevel: the levels of the pyramid */
  guint n_small;                /* number of levels whose cells are smaller than
                                 * params.cell_size; counted without the limits of a small
                                 * frame, which may have fewer levels */

  GArray *words;                /* the plan: the table of 4-byte words that kernels read */
  gint level_words;             /* index in @words of the description of the first pyramid level */
  GArray *batches;

  MgpuPart *wanted;             /* the cells whose features are computed, in each level */
  GArray *lists;                /* table of words: the lists of rows that kernels compute to get
                                 * the features of the cells in @wanted */
  gboolean has_lists;           /* whether @lists has been copied to the device */
  GArray *parts;                /* array of Rows; each element lists the rows of pictures that
                                 * one launch scales */
  Rows padding;
  gsize n_samples, n_tall, n_planes, n_gradients, n_sums, n_energies;
  gint own_rows, own_planes;    /* number of elements needed by a strip of rows: @own_rows in
                                 * the scratch buffer SLOT_TALL, @own_planes in SLOT_PLANES */

  MgpuRgbx rgbx;
};

/* Finds the picture (scaled frame) from which pyramid level @level is computed, and sets
 * *picture to its index.
 * Returns: the number of the size of the level's cells: 0 for the full size, 1 for half of it,
 * 2 for a quarter */
guint mgpu_fhog_find_size (const MgpuFhog * self, guint level, guint * picture);

/* Computes the pictures (scaled frames) and levels of a feature pyramid, and creates the plan, the
 * tables that kernels read. All members before @n_samples must be set, and the arrays must be
 * empty. Returns: FALSE with the error set if the frame is too large */
gboolean mgpu_fhog_plan (MgpuFhog * self, GError ** error);

/* Creates the lists of rows that kernels compute to get the features of some cells. @parts has
 * these cells for each level; NULL: all cells. The plan must exist. Returns: whether the lists
 * have changed */
gboolean mgpu_fhog_plan_parts (MgpuFhog * self, const MgpuPart * parts);

G_END_DECLS

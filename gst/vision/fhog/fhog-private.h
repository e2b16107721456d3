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

#define MAX_SIZES 3             /* largest number of different cell sizes in a pyramid */

/* Indices into the array @knobs, which lists the tuning constants of the kernels */
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

/* Describes a list of rows that a kernel computes: @n entries of ENTRY words (see
 * kernels/fhog/shared.h), one for each row, in the array @lists of MgpuFhog, from index
 * @begin on. The entry with the most columns of cells has @columns of them. */
typedef struct
{
  gint begin;
  guint n;
  gint columns;
} Rows;

/* Describes a batch of pictures (scaled frames) that are processed at once. All batches
 * use the same memory, one after the other. */
typedef struct
{
  guint first, last;            /* the pictures of the batch: from index @first to before
                                 * @last */
  guint begin, end;             /* indices in the array @parts of MgpuFhog, whose elements are
                                 * lists of rows: the lists from @begin to before @end belong to
                                 * this batch */
  Rows gradients;
  Rows tiles[MAX_SIZES], energies[MAX_SIZES], features[MAX_SIZES];
} Batch;

/* Describes a picture, the frame scaled to one size: @width x @height pixels, which is
 * @scale times the size of the frame. @pitch is the number of elements that a row has for
 * each class of columns (class = column modulo number of classes). */
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
  gint classes;                 /* number of classes in which the columns of a row are
                                 * stored (class = column modulo @classes): see
                                 * kernels/fhog/fhog.h */
  guint n_sizes;                /* number of different sizes of HOG cells in the
                                 * pyramid */

  GArray *pictures;             /* array of Picture: the frame, scaled to all sizes of the
                                 * pyramid */
  GArray *levels;               /* array of MgpuFhogLevel: the levels of the pyramid */
  guint n_small;                /* number of levels whose cells are smaller than params.cell_size,
                                 * if the pyramid is not cut short because the frame is small */

  GArray *words;                /* the plan: the table of 4-byte words that kernels read */
  gint level_words;             /* index in @words of the first description of a pyramid
                                 * level */
  GArray *batches;

  MgpuPart *wanted;             /* the cells of each level whose features are computed */
  GArray *lists;                /* table of words: the lists of rows that kernels go through to
                                 * compute the features of the cells in @wanted */
  gboolean has_lists;           /* whether @lists has been copied to the device */
  GArray *parts;                /* array of Rows: each element is a list of rows of
                                 * pictures that one launch scales */
  Rows padding;
  gsize n_samples, n_tall, n_planes, n_gradients, n_sums, n_energies;
  gint own_rows, own_planes;    /* number of elements that a strip of rows takes in the
                                 * scratch buffers SLOT_TALL (@own_rows) and SLOT_PLANES
                                 * (@own_planes) */

  MgpuRgbx rgbx;
};

/* Sets *picture to the index of the picture (scaled frame) from which pyramid level
 * @level is computed.
 * Returns: the index of the size of the level's cells: 0 for the largest size, 1 for half
 * of it, 2 for a quarter */
guint mgpu_fhog_find_size (const MgpuFhog * self, guint level, guint * picture);

/* Computes the pictures (scaled frames) and levels of a feature pyramid, and makes the
 * plan, the tables for the kernels. All members before @n_samples must have been set, and
 * the arrays must be empty. FALSE: the frame is too large, the error is set. */
gboolean mgpu_fhog_plan (MgpuFhog * self, GError ** error);

/* Makes the lists of rows that kernels go through to compute the features of the cells in
 * @parts, which has a part of each level, or of all cells if @parts is NULL. The plan must
 * have been made. Returns: whether the lists have changed */
gboolean mgpu_fhog_plan_parts (MgpuFhog * self, const MgpuPart * parts);

G_END_DECLS

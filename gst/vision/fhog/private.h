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

/* Names the indices of the array knobs. */
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

/* Describes a part of the plan: n pairs of a picture, or level, and a row. */
typedef struct
{
  gint begin;
  guint n;
} Rows;

/* Describes pictures that are worked on at once. All batches use the same memory, one
 * after the other. */
typedef struct
{
  guint begin, end;             /* range in the array parts */
  Rows gradients;
  Rows tiles[MAX_SIZES], energies[MAX_SIZES], features[MAX_SIZES];
  gint columns[MAX_SIZES];      /* columns of tiles in the widest level */
} Batch;

/* Describes the frame scaled to one size. */
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
  gint classes;                 /* number of classes: pixels of a class are as far apart */
  guint n_sizes;                /* number of sizes of cells */

  GArray *pictures;             /* elements are Picture */
  GArray *levels;               /* elements are MgpuFhogLevel */
  guint n_small;                /* number of levels with smaller cells, in a full pyramid */

  GArray *words;                /* the plan: tables that kernels read */
  gint level_words;             /* place of the levels in the plan */
  GArray *parts;                /* Rows of pictures that are scaled in one launch */
  GArray *batches;
  Rows padding;
  gsize n_samples, n_tall, n_planes, n_gradients, n_sums, n_energies;
  gint own_rows, own_planes;    /* sizes of a strip's own memory, in tall and in planes */

  MgpuRgbx rgbx;
};

/* Finds the size of the cells of a level, and the number of its picture. Returns: the
 * number of the size, from 0, the largest */
guint mgpu_fhog_find_size (const MgpuFhog * self, guint level, guint * picture);

/* Finds the pictures and levels, and makes the tables for the kernels. The members before
 * n_samples must have been set, the arrays empty. FALSE: the frame is too large, the error
 * is set. */
gboolean mgpu_fhog_plan (MgpuFhog * self, GError ** error);

G_END_DECLS

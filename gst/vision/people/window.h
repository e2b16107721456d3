/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes windows, and the places where they are scored. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Width and height of a cell in pixels, and number of features of a block of 2 x 2
 * cells */
#define MGPU_PEOPLE_CELL 8
#define MGPU_PEOPLE_FEATURES 36

/* Limits of a window: width and height in blocks, number of sizes of the frame */
#define MGPU_PEOPLE_MAX_SIDE 32
#define MGPU_PEOPLE_MAX_LEVELS 64

/* Slope of the probability of a score of which no more is known than that an SVM was
 * trained to give most objects more than 1 and most of the rest less than -1. */
#define MGPU_PEOPLE_SLOPE 2

/* Number of weights of a window of columns x rows blocks */
#define MGPU_PEOPLE_N_WEIGHTS(columns, rows) ((columns) * (rows) * MGPU_PEOPLE_FEATURES + 1)

/* Describes a window and what it shows when it shows an object. Blocks begin at every
 * cell, so that a window is one cell wider and higher than its number of blocks. */
typedef struct
{
  gint columns, rows;           /* width and height in blocks */
  gboolean has_roots;           /* whether gradients are those of square roots of samples */
  guint max_levels;             /* largest number of sizes of the frame */
  gdouble object_width, object_height;  /* share of the window that the object takes, in
                                         * its middle */
  gdouble slope, offset;        /* probability of an object = 1 / (1 + exp (-(slope score +
                                 * offset))) */
  /* Weights of the features, whose sum is the score: rows of blocks, features of a
   * block, columns of blocks, and last the bias. See docs/algorithms/people.md. */
  const gfloat *weights;
} MgpuPeopleWindow;

/* The people detector of OpenCV. */
extern const MgpuPeopleWindow mgpu_people_default;

/* Says which windows of a frame are scored. */
typedef struct
{
  const GArray *regions;        /* array of MgpuBox; windows with their middle in one of
                                 * them are scored, and few others; NULL: all windows */
  guint min_height, max_height; /* limits of the height of objects, in pixels of the
                                 * frame; a max_height of 0 is no limit */
} MgpuPeoplePlaces;

/* Describes the windows in the frame scaled to one size. The window at (column, row) has
 * number first + row * pitch + column among all scores. */
typedef struct
{
  gdouble scale;                /* ratio of the widths of the frame and the level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

G_END_DECLS

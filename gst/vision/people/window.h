/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes detection windows, and selects those that are scored. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Width and height of a HOG cell in pixels, and number of features of a HOG block, which
 * has 2 x 2 cells */
#define MGPU_PEOPLE_CELL 8
#define MGPU_PEOPLE_FEATURES 36

/* Limits of a detection window: largest width and height in blocks, and largest number of
 * levels (scaled sizes of the frame) */
#define MGPU_PEOPLE_MAX_SIDE 32
#define MGPU_PEOPLE_MAX_LEVELS 64

/* Number of weights of a detection window of @columns x @rows HOG blocks: one for each
 * feature of each block, and the bias */
#define MGPU_PEOPLE_N_WEIGHTS(columns, rows) ((columns) * (rows) * MGPU_PEOPLE_FEATURES + 1)

/* Describes a detection window, and the size of an object in it. A block of 2 x 2 HOG
 * cells begins at every cell, so that the width and height of the window, in cells, are
 * one more than in blocks. */
typedef struct
{
  gint columns, rows;           /* number of columns, and number of rows, of blocks (2 x 2 HOG
                                 * cells) in the window */
  gboolean has_roots;           /* whether gradients are computed from the square roots of
                                 * samples */
  guint max_levels;             /* largest number of levels, the scaled sizes of the frame */
  gdouble object_width, object_height;  /* size of the object in the centre of the window, as
                                         * fractions of the window's size */
  /* Weights of the features; the score of a window is the weighted sum of its features,
   * plus the bias. The order of the weights is by row of blocks, then by feature of a
   * block, then by column of blocks; the bias is last. See docs/algorithms/people.md. */
  const gfloat *weights;
} MgpuPeopleWindow;

/* Window with the weights of OpenCV's default people detector */
extern const MgpuPeopleWindow mgpu_people_default;

/* Says which detection windows of a frame are scored. */
typedef struct
{
  const GArray *regions;        /* array of MgpuScoredBox: windows whose centre lies in one of
                                 * these boxes are scored, and a few other windows; NULL: all
                                 * windows are scored */
  guint min_height, max_height; /* smallest and largest height of objects, in pixels of the frame;
                                 * a @max_height of 0 means no limit */
} MgpuPeoplePlaces;

/* Describes a level of the people detector: the detection windows in the frame scaled to
 * one size. The window at (column, row) has index @first + row * @pitch + column among
 * all scores. */
typedef struct
{
  gdouble scale;                /* width of the frame divided by the width of the frame scaled to
                                 * this level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

G_END_DECLS

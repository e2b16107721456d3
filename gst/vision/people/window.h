/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes detection windows, and selects those to score. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Width and height of a HOG cell in pixels, and number of features of a HOG block. A block has 2
 * x 2 cells. */
#define MGPU_PEOPLE_CELL 8
#define MGPU_PEOPLE_FEATURES 36

/* Limits of a detection window: largest width and height in blocks, and largest number of levels
 * (scaled sizes of the frame) */
#define MGPU_PEOPLE_MAX_SIDE 32
#define MGPU_PEOPLE_MAX_LEVELS 64

/* Number of weights of a detection window of @columns x @rows HOG blocks: one for each
 * feature of each block, and the bias */
#define MGPU_PEOPLE_N_WEIGHTS(columns, rows) ((columns) * (rows) * MGPU_PEOPLE_FEATURES + 1)

/* Describes detection windows, and the size of an object in a window. A block of 2 x 2 HOG cells
 * begins at each cell. The width and height of the window in cells are therefore one more than
 * in blocks. */
typedef struct
{
  gint columns, rows;           /* numbers of columns and rows of blocks (2 x 2 HOG cells) in the
                                 * window */
  gboolean has_roots;           /* whether gradients are computed from the square roots of
                                 * samples */
  guint max_levels;             /* largest number of levels (scaled sizes of the frame) */
  gdouble object_width, object_height;  /* size of an object in the center of the window, as a
                                         * fraction of the size of the window */
  /* Weights of the features, and the bias. The score of a window is the weighted sum of its
   * features, plus the bias. Weights are ordered by row of blocks, then by feature of a block,
   * then by column of blocks; the bias is last. See docs/algorithms/people.md. */
  const gfloat *weights;
} MgpuPeopleWindow;

/* Window with the weights of OpenCV's default people detector */
extern const MgpuPeopleWindow mgpu_people_default;

/* Selects the detection windows of a frame that are scored. */
typedef struct
{
  const GArray *regions;        /* array of MgpuScoredBox: windows whose center lies in one of these
                                 * boxes are scored, and also a few other windows; NULL means that
                                 * all windows are scored */
  guint min_height, max_height; /* minimum and maximum height of objects, in pixels of the frame;
                                 * a @max_height of 0 means no limit */
} MgpuPeoplePlaces;

/* Describes a level of the people detector: the detection windows of the frame scaled to one
 * size. The window at (column, row) has the index @first + row * @pitch + column in the array of
 * all scores. */
typedef struct
{
  gdouble scale;                /* width of the frame divided by the width of the frame scaled to
                                 * this level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

G_END_DECLS

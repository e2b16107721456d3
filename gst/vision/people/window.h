/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes detection windows, and selects those that are scored. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Width and height of a HOG cell in pixels, and number of features of a block of 2 x 2
 * cells */
#define MGPU_PEOPLE_CELL 8
#define MGPU_PEOPLE_FEATURES 36

/* Limits of a detection window: largest width and height in blocks, and largest number of
 * levels (scaled sizes of the frame) */
#define MGPU_PEOPLE_MAX_SIDE 32
#define MGPU_PEOPLE_MAX_LEVELS 64

/* Number of weights of a detection window of columns x rows blocks: those of all
 * features, and the bias */
#define MGPU_PEOPLE_N_WEIGHTS(columns, rows) ((columns) * (rows) * MGPU_PEOPLE_FEATURES + 1)

/* Describes a detection window, and the size of an object in it. Blocks begin at every
 * cell, so that a window is one cell wider and higher than its number of blocks. */
typedef struct
{
  gint columns, rows;           /* width and height of the window in blocks */
  gboolean has_roots;           /* whether gradients are computed from the square roots of
                                 * samples */
  guint max_levels;             /* largest number of levels, the scaled sizes of the frame */
  gdouble object_width, object_height;  /* size of the object in the middle of the window, as
                                         * parts of the window's size */
  /* Weights of the features, whose weighted sum is the score: rows of blocks, features of
   * a block, columns of blocks, and last the bias. See docs/algorithms/people.md. */
  const gfloat *weights;
} MgpuPeopleWindow;

/* Window with the weights of OpenCV's default people detector */
extern const MgpuPeopleWindow mgpu_people_default;

/* Selects the detection windows of a frame that are scored. */
typedef struct
{
  const GArray *regions;        /* array of MgpuScoredBox: the windows whose
                                 * middle lies in one of these boxes are scored,
                                 * and a few others; NULL: all windows */
  guint min_height, max_height; /* limits of the height of objects, in pixels of
                                 * the frame; a max_height of 0 stands for no
                                 * limit */
} MgpuPeoplePlaces;

/* Describes a level of the people detector: the detection windows in the frame scaled to
 * one size. The window at (column, row) has index first + row * pitch + column among all
 * scores. */
typedef struct
{
  gdouble scale;                /* ratio of the widths of the frame and the level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

G_END_DECLS

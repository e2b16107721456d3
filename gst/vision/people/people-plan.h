/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/boxes.h>

#include "window.h"

G_BEGIN_DECLS

/* Work lists of kernels. They contain what the kernels compute: samples, tiles of 8 x 8 samples,
 * blocks of HOG cells, detection windows in steps of several rows, and detection windows that
 * may be hits (windows with a high score). The elements of a list are spans, that is, ranges of
 * columns in one row of a level. A level is a scaled size of the frame. */
typedef enum
{
  MGPU_PEOPLE_SAMPLES,
  MGPU_PEOPLE_TILES,
  MGPU_PEOPLE_BLOCKS,
  MGPU_PEOPLE_WINDOWS,
  MGPU_PEOPLE_HITS,
  MGPU_PEOPLE_N_LISTS
} MgpuPeopleList;

/* Describes @n spans (ranges of columns in a row) of a work list, which kernels compute in one
 * launch. A span consists of its level (scaled size of the frame), its row, its first column,
 * and the column after its last column. */
typedef struct
{
  gint begin;                   /* index, in the array @lists of MgpuPeoplePlan, of the first
                                 * number of the first span */
  guint n;
  gint columns;                 /* number of columns of the widest span */
} MgpuPeopleRows;

/* Describes a batch: the levels (scaled sizes of the frame) @begin to @end - 1, which are
 * processed at once. Batches are processed one after the other and use the same scratch buffers. */
typedef struct
{
  guint begin, end;
  MgpuPeopleRows rows[MGPU_PEOPLE_N_LISTS];
} MgpuPeopleBatch;

typedef struct
{
  gint width, height;
  gint tiles_x, tiles_y;
  gint pitch;
} MgpuPeopleSize;

/* Tables that kernels of the people detector read: the levels (scaled sizes of the frame), and
 * lists of the samples, tiles, blocks and windows to compute in each level. */
typedef struct
{
  gint width, height;           /* size of the frame in pixels */
  MgpuPeopleWindow window;
  gint channels;                /* number of color planes of a frame: 1 or 3 */
  gint lanes;                   /* number of columns (of tiles, blocks or windows) that a
                                 * work-item computes */
  gint row_step;                /* number of rows of detection windows that a work-item computes */

  guint n_levels;
  MgpuPeopleLevel levels[MGPU_PEOPLE_MAX_LEVELS];
  MgpuPeopleSize sizes[MGPU_PEOPLE_MAX_LEVELS];
  gsize n_planes, n_tiles, n_blocks, n_scores;  /* sizes of device memories, in floats, for
                                                 * samples, histograms of tiles, features of
                                                 * blocks, and scores of windows */

  GArray *words;                /* array of gint: the tables of levels and the weights, which are
                                 * the same for all frames */
  gint weights;                 /* index in the array @words of the first weight of the detection
                                 * window */
  GArray *batches;              /* array of MgpuPeopleBatch: batches of levels,
                                 * processed one after the other */

  GArray *lists;                /* array of gint: lists of spans (ranges of columns in a row)
                                 * that kernels compute for the current @regions, @min_height and
                                 * @max_height */
  MgpuPeopleRows hits;          /* list MGPU_PEOPLE_HITS for all levels: windows that may be hits */
  GArray *windows;              /* array of gint: the spans of the list MGPU_PEOPLE_HITS. The array
                                 * is replaced by a new one, but never changed */
  GArray *regions;              /* array of MgpuScoredBox: regions of the frame in which detection
                                 * windows are scored; NULL: the whole frame */
  guint min_height, max_height;
} MgpuPeoplePlan;

/* Computes the tables of levels, and the lists for all detection windows. The members before
 * @n_levels must have been set. The levels of a batch have at most @batch samples together,
 * except that the largest level may have more. Returns: FALSE if the frame is too large; @error
 * is set */
gboolean mgpu_people_plan_init (MgpuPeoplePlan * self, gsize batch, GError ** error);
void mgpu_people_plan_clear (MgpuPeoplePlan * self);

/* Makes the work lists of kernels for the detection windows that @places selects, or for all
 * windows if @places is NULL. Returns: TRUE if the lists have changed because @places differs
 * from the last call */
gboolean mgpu_people_plan_find (MgpuPeoplePlan * self, const MgpuPeoplePlaces * places);

/* Returns: the box of the detection window at (@column, @row) of the level with the index
 * @level, in pixels of the frame */
MgpuScoredBox mgpu_people_plan_get_box (const MgpuPeoplePlan * self, guint level, gint row, gint column);

G_END_DECLS

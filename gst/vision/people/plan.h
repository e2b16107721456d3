/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/boxes.h>

#include "window.h"

G_BEGIN_DECLS

/* Numbers the lists of spans (columns of a row of a level) that kernels compute: samples,
 * tiles of 8 x 8 samples, blocks of HOG cells, windows in steps of several rows, and the
 * windows that may be hits. */
typedef enum
{
  MGPU_PEOPLE_SAMPLES,
  MGPU_PEOPLE_TILES,
  MGPU_PEOPLE_BLOCKS,
  MGPU_PEOPLE_WINDOWS,
  MGPU_PEOPLE_HITS,
  MGPU_PEOPLE_N_LISTS
} MgpuPeopleList;

/* Describes a part of a list: n spans, each of which has a level, a row, its first
 * column, and the column before which it ends. */
typedef struct
{
  gint begin;                   /* index in the array lists of MgpuPeoplePlan */
  guint n;
  gint columns;                 /* number of columns of the widest span */
} MgpuPeopleRows;

/* Describes a batch: the levels, from begin to before end, that are processed at once.
 * All batches use the same memory, one after the other. */
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

/* Holds the tables that kernels of the people detector read: the levels of a frame, and
 * lists of the samples, tiles, blocks and windows that are computed in each of them. */
typedef struct
{
  gint width, height;           /* size of the frame in pixels */
  MgpuPeopleWindow window;
  gint lanes;                   /* number of columns that a work-item computes */
  gint row_step;                /* number of rows of windows that a work-item computes */

  guint n_levels;
  MgpuPeopleLevel levels[MGPU_PEOPLE_MAX_LEVELS];
  MgpuPeopleSize sizes[MGPU_PEOPLE_MAX_LEVELS];
  gsize n_planes, n_tiles, n_blocks, n_scores;  /* sizes of the device memories, in floats */

  GArray *words;                /* tables that stay the same for all frames; array of gint */
  gint weights;                 /* index of the window's weights in words */
  GArray *batches;              /* array of MgpuPeopleBatch */

  GArray *lists;                /* lists of spans for the current regions and heights; array
                                 * of gint */
  MgpuPeopleRows hits;          /* list MGPU_PEOPLE_HITS of all levels */
  GArray *regions;              /* regions in which windows are scored; NULL: everywhere */
  guint min_height, max_height;
} MgpuPeoplePlan;

/* Makes the tables, and the lists for all windows. The members before n_levels
 * must have been set. A batch has levels with up to @batch samples together, or
 * more if the largest level has more. FALSE: the frame is too large, the error
 * is set. */
gboolean mgpu_people_plan_init (MgpuPeoplePlan * self, gsize batch, GError ** error);
void mgpu_people_plan_clear (MgpuPeoplePlan * self);

/* Makes the lists for the windows that @places selects; NULL: all windows.
 * Returns: whether the lists differ from those of the call before */
gboolean mgpu_people_plan_find (MgpuPeoplePlan * self, const MgpuPeoplePlaces * places);

/* Returns: the box of a detection window, in pixels of the frame */
MgpuScoredBox mgpu_people_plan_get_box (const MgpuPeoplePlan * self, guint level, gint row, gint column);

G_END_DECLS

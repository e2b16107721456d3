/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/boxes.h>

#include "window.h"

G_BEGIN_DECLS

/* Numbers the lists of what is computed: rows of samples, tiles, blocks and windows, and
 * the windows that may be hits. */
typedef enum
{
  MGPU_PEOPLE_SAMPLES,
  MGPU_PEOPLE_TILES,
  MGPU_PEOPLE_BLOCKS,
  MGPU_PEOPLE_WINDOWS,
  MGPU_PEOPLE_HITS,
  MGPU_PEOPLE_N_LISTS
} MgpuPeopleList;

/* Describes a part of a list: n pieces of rows, each of which has a level, a row, and the
 * columns from which and before which it goes. */
typedef struct
{
  gint begin;                   /* place in the array lists */
  guint n;
  gint columns;                 /* columns of the widest piece */
} MgpuPeopleRows;

/* Describes the levels, from begin to before end, that are worked on at once. All batches
 * use the same memory, one after the other. */
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

/* Holds tables for the kernels: of the levels, and of what is computed in each of them. */
typedef struct
{
  gint width, height;           /* size of the frame in pixels */
  MgpuPeopleWindow window;
  gint lanes;                   /* columns that a work-item computes */
  gint row_step;                /* rows of windows that a work-item computes */

  guint n_levels;
  MgpuPeopleLevel levels[MGPU_PEOPLE_MAX_LEVELS];
  MgpuPeopleSize sizes[MGPU_PEOPLE_MAX_LEVELS];
  gsize n_planes, n_tiles, n_blocks, n_scores;  /* sizes of memories, in floats */

  GArray *words;                /* tables that stay the same for all frames (gint) */
  gint weights;                 /* place of the weights in words */
  GArray *batches;              /* array of MgpuPeopleBatch */

  GArray *lists;                /* lists for the current places (gint) */
  MgpuPeopleRows hits;          /* list MGPU_PEOPLE_HITS of all levels */
  GArray *regions;              /* current places; NULL: all windows */
  guint min_height, max_height;
} MgpuPeoplePlan;

/* Makes the tables, and lists for all windows. The members before n_levels must have been
 * set. Levels are worked on at once while they have batch samples or less, or as many as
 * the largest level. FALSE: the frame is too large, the error is set. */
gboolean mgpu_people_plan_init (MgpuPeoplePlan * self, gsize batch, GError ** error);
void mgpu_people_plan_clear (MgpuPeoplePlan * self);

/* Makes the lists for places, where NULL means all windows. Returns: whether they differ
 * from those of the call before */
gboolean mgpu_people_plan_find (MgpuPeoplePlan * self, const MgpuPeoplePlaces * places);

/* Returns: the box of a window */
MgpuBox mgpu_people_plan_get_box (const MgpuPeoplePlan * self, guint level, gint row, gint column);

G_END_DECLS

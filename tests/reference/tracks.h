/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* A point that is tracked from frame to frame */
typedef struct
{
  float x, y;                   /* position of the point in pixels; whole numbers are centers of
                                 * pixels */
  float old_x, old_y;           /* position of the point in the previous frame */
  float u, v;                   /* motion of the point from the previous frame; 0 for a new point */
  float score;                  /* when it was found */
  uint32_t id;
} RefTrack;

typedef struct
{
  RefTrack *tracks;             /* array of tracks, with memory for the maximum number */
  int n;
  uint32_t last_id;             /* the last id that was given to a track, 0 at first */
} RefTracks;

/* Tracks the points of @self from frame @before to frame @now. Then searches for new points in each
 * cell of @cell x @cell pixels of @now that has none, until there are @most points. @before is NULL
 * in the first frame. Returns 0 if there is not enough memory. */
int ref_tracks (const RefPlane * before, const RefPlane * now, int cell, int most,
    RefTracks * self);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* A point that is followed from frame to frame */
typedef struct
{
  float x, y;                   /* position in pixels; a whole number is the center of a pixel */
  float old_x, old_y;           /* the same in the previous frame */
  float u, v;                   /* motion from the previous frame; 0 for a new point */
  float score;                  /* when it was found */
  uint32_t id;
} RefTrack;

typedef struct
{
  RefTrack *tracks;             /* room for the maximum number of tracks */
  int n;
  uint32_t last_id;             /* the last id that was given, 0 at first */
} RefTracks;

/* Follows the points of @self from frame @before to frame @now, and looks for new ones in each
 * cell of @cell x @cell pixels of @now that has none, until there are @most. @before is NULL in
 * the first frame. Returns 0 if there is not enough memory. */
int ref_tracks (const RefPlane * before, const RefPlane * now, int cell, int most,
    RefTracks * self);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that finds SIFT keypoints, and the tables that its kernels read
 * (the plan). */
#pragma once

#include <gst/vision/base/words.h>
#include <kernels/sift/shared.h>

#include "sift.h"

G_BEGIN_DECLS

#define MAX_SCALES 8
#define MAX_LEVELS (MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* Indices into the array knobs, which lists the tuning constants of the kernels */
enum
{
  LANES,
  COLUMNS,
  BLUR_GROUP,
  BLUR_X,
  BLUR_Y,
  FIND_GROUP,
  FIND_X,
  FIND_Y,
  ALL_GROUP,
  POINT_GROUP
};

/* Describes a list of n tiles of the scale space in the plan. */
typedef struct
{
  gint begin;                   /* index in the plan where the list begins */
  guint n;
  guint per_group;              /* number of tiles that a work-group makes one after the
                                 * other */
} Tiles;

struct _MgpuSift
{
  MgpuObject object;
  MgpuSiftParams params;
  MgpuComponent component;      /* component of the frame in which keypoints are found */
  gint width, height;           /* size of the component, in samples */
  gint n_octaves;
  guint capacity;               /* largest number of points in the list that kernels write */
  gfloat orientation_unit, descriptor_unit;
  gint low;                     /* weighted sum that the kernel which loads the
                                 * frame computes for black samples */
  gfloat factor;                /* factor that turns loaded samples into values
                                 * from 0 to 255 */

  GArray *words;                /* the plan: tables that kernels read */
  gint weights, weights_pitch, widest;
  /* Number of samples around the region of interest that kernels need, for each
   * level of each octave (reaches) and for the frame (load_reach) */
  gint reaches[MAX_OCTAVES][MAX_LEVELS];
  gint load_reach;
  GArray *steps;                /* array of Tiles: tiles of each launch of the blur, in order */
  Tiles search;                 /* tiles of the search for extrema */
  gsize n_scale, n_state;       /* sizes of the slots SCALE and STATE, in words of 4 bytes */
};

/* Makes the plan, the tables that kernels read, for the object's parameters and
 * size of frames: fills the member words and all members behind it. FALSE: the
 * error is set. */
gboolean mgpu_sift_make_plan (MgpuSift * self, GError ** error);

/* Makes a table of POINT words for each of n keypoints of the caller, in their order, and
 * sets box to the box of pixels that holds all that are in the frame.
 * Returns: (transfer full): the table, for mgpu_slot_set_words() */
GArray *mgpu_sift_place_given (const MgpuSift * self, const GstMgpuKeypoint * points, guint n, MgpuSiftRegion * box);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that finds keypoints, and its plan. */
#pragma once

#include <gst/vision/base/words.h>
#include <kernels/sift/shared.h>

#include "sift.h"

G_BEGIN_DECLS

#define MAX_SCALES 8
#define MAX_LEVELS (MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* Names the indices of the array knobs. */
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

/* Describes a list of n tiles in the plan. */
typedef struct
{
  gint begin;                   /* place of the list in the plan */
  guint n;
  guint per_group;              /* tiles that a work-group makes in turn */
} Tiles;

struct _MgpuSift
{
  MgpuObject object;
  MgpuSiftParams params;
  MgpuComponent component;      /* component of the frame in which points are found */
  gint width, height;           /* size of the component, in samples */
  gint n_octaves;
  guint capacity;               /* largest number of points in the list */
  gfloat orientation_unit, descriptor_unit;
  gfloat factor;                /* turns loaded samples into values from 0 to 255 */

  GArray *words;                /* the plan: tables that kernels read */
  gint weights, weights_pitch, widest;
  /* number of samples around the region that are needed, of each level, of the frame */
  gint reaches[MAX_OCTAVES][MAX_LEVELS];
  gint load_reach;
  GArray *steps;                /* Tiles of each launch of the blur, in order */
  Tiles search;                 /* tiles of the search for extrema */
  gsize n_scale, n_state;       /* sizes of SCALE and STATE, in words of 4 bytes */
};

/* Makes the plan for the object's parameters and size of frames: fills words and the
 * members behind it. FALSE: the error is set. */
gboolean mgpu_sift_make_plan (MgpuSift * self, GError ** error);

G_END_DECLS

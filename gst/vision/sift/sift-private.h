/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that finds SIFT keypoints, and the tables (plan) that its kernels
 * read. */
#pragma once

#include <gst/vision/base/words.h>
#include <kernels/sift/sift-shared.h>

#include "sift.h"

G_BEGIN_DECLS

#define MAX_SCALES 8
#define MAX_LEVELS (MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* Indices into the array @knobs, which lists the tuning constants of the kernels */
enum
{
  LANES,
  COLUMNS,
  BLUR_GROUP,
  BLUR_X,
  BLUR_Y,
  LEVELS_GROUP,
  LEVELS_TILES,
  FIND_GROUP,
  FIND_X,
  FIND_Y,
  ALL_GROUP,
  POINT_GROUP
};

/* Describes a list, in the plan (the tables for kernels), of @n tiles of the scale space. */
typedef struct
{
  gint begin;                   /* index of the list's first word in the array @words of
                                 * MgpuSift */
  guint n;
  guint per_group;              /* number of tiles that a work-group computes one after the other */
  gboolean has_levels;          /* whether a work-group computes several levels of one of them */
} Tiles;

struct _MgpuSift
{
  MgpuObject object;
  MgpuSiftParams params;
  MgpuComponent component;      /* colour component of the frame in which keypoints are
                                 * found */
  gint width, height;           /* size, in samples, of the colour component in which keypoints
                                 * are found */
  gint n_octaves;
  guint capacity;               /* largest number of points (candidates for keypoints) in the list
                                 * that kernels write */
  gfloat orientation_unit, descriptor_unit;
  gint low;                     /* the weighted sum of samples that the kernel sift_load computes
                                 * for black */
  gfloat factor;                /* factor that turns the weighted sums of the kernel sift_load,
                                 * less @low, into values from 0 to 255 */

  GArray *words;                /* the plan: tables that kernels read, in words of 4 bytes */
  gint weights, weights_pitch, widest;
  gint radii[MAX_LEVELS];       /* radius, in samples, of the blur that makes each level */
  gint largest_margin;          /* largest margin of a tile that fits into local memory */
  gint n_levels, margin;        /* largest number of levels that a work-group computes of a tile,
                                 * and largest margin around such a tile, in samples */
  /* how far beyond the region of interest, in samples, kernels need samples: @reaches for
   * each level of each octave, @load_reach for the frame */
  gint reaches[MAX_OCTAVES][MAX_LEVELS];
  gint load_reach;
  GArray *steps;                /* array of Tiles: the tiles of each launch of the kernel that
                                 * blurs, in the order of the launches */
  Tiles search;                 /* the tiles in which the kernel sift_find searches extrema of the
                                 * scale space */
  gsize n_scale, n_state;       /* sizes of the scratch buffers SCALE and STATE, in words of
                                 * 4 bytes */
};

/* Makes the plan, the tables that kernels read, for the parameters and the frame size of
 * @self: sets the member @words and all members declared after it, and lowers the knob BLUR_Y if
 * the device has too little local memory for it. FALSE: the error is
 * set. */
gboolean mgpu_sift_make_plan (MgpuSift * self, GError ** error);

/* Returns: the number of samples on each side of a tile that a blur needs, rounded up: the knob
 * PAD of the kernel sift_blur */
gint mgpu_sift_get_pad (const MgpuSift * self);

/* Makes a table with POINT words for each of the @n keypoints @points that the caller
 * gives, in the same order, and sets @box to the smallest box around the keypoints that
 * are in the frame.
 * Returns: (transfer full): the table, for mgpu_slot_set_words() */
GArray *mgpu_sift_place_given (const MgpuSift * self, const GstMgpuKeypoint * points, guint n, MgpuSiftRegion * box);

G_END_DECLS

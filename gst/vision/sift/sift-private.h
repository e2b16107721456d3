/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that finds SIFT keypoints, and the plan (the tables that its kernels
 * read). */
#pragma once

#include <gst/vision/base/words.h>
#include <kernels/sift/sift-shared.h>

#include "sift.h"

G_BEGIN_DECLS

#define MAX_SCALES 8
#define MAX_LEVELS (MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
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

/* Describes a list of @n tiles of the scale space in the plan (the tables for kernels). */
typedef struct
{
  gint begin;                   /* index of the first word of the list in the array @words of
                                 * MgpuSift */
  guint n;
  guint per_group;              /* number of tiles that a work-group processes one after the
                                 * other */
  gboolean has_levels;          /* whether a work-group computes several levels of at least one
                                 * of the tiles */
} Tiles;

struct _MgpuSift
{
  MgpuObject object;
  MgpuSiftParams params;
  MgpuComponent component;      /* color component of the frame in which keypoints are searched
                                 * for */
  gint width, height;           /* size of this color component, in samples */
  gint n_octaves;
  guint capacity;               /* largest number of points (candidates for keypoints) in the
                                 * list that kernels write */
  gfloat orientation_unit, descriptor_unit;
  gint low;                     /* weighted sum of samples that the kernel sift_load computes
                                 * where the frame is black */
  gfloat factor;                /* factor by which sift_load multiplies a weighted sum minus
                                 * @low; the result is from 0 to 255 */

  GArray *words;                /* the plan: tables that kernels read, as words of 4 bytes */
  gint weights, weights_pitch, widest;
  gint radii[MAX_LEVELS];       /* radius, in samples, of the blur that computes each level */
  gint largest_margin;          /* largest margin of a tile, in samples, that fits into local
                                 * memory */
  gint n_levels, margin;        /* largest number of levels of a tile that a work-group computes,
                                 * and largest margin of such a tile, in samples */
  /* Distances from the region of interest, in samples, within which kernels need samples:
   * @reaches for each level of each octave, @load_reach for the frame */
  gint reaches[MAX_OCTAVES][MAX_LEVELS];
  gint load_reach;
  GArray *steps;                /* array of Tiles: the tiles of each launch of the kernel that
                                 * blurs, in the order of the launches */
  Tiles search;                 /* tiles in which the kernel sift_find searches for extrema of
                                 * the scale space */
  gsize n_scale, n_state;       /* sizes of the scratch buffers SCALE and STATE, in words of
                                 * 4 bytes */
};

/* Makes the plan, that is, the tables that kernels read, for the parameters and the frame size of
 * @self. Sets the member @words and all members declared after it. Lowers the tuning parameter
 * BLUR_Y if the device does not have enough local memory. Returns: FALSE with @error set on
 * failure */
gboolean mgpu_sift_make_plan (MgpuSift * self, GError ** error);

/* Returns: the number of samples on each side of a tile that a blur needs, rounded up. This is
 * the value of PAD in the kernel sift_blur. */
gint mgpu_sift_get_pad (const MgpuSift * self);

/* Makes a table with POINT words for each of the @n keypoints @points, in the same order. The
 * caller gives these keypoints. Sets @box to the smallest box around the keypoints that lie in
 * the frame. Returns: (transfer full): the table, for mgpu_slot_set_words() */
GArray *mgpu_sift_place_given (const MgpuSift * self, const GstMgpuKeypoint * points, guint n, MgpuSiftRegion * box);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares functions that the files of the reference of SIFT share. */
#pragma once

#include "bits.h"
#include "reciprocal.h"
#include "sift.h"

#include <math.h>
#include <string.h>

typedef struct
{
  int width, height;
  float **levels;               /* scales + 3 levels */
} RefSiftOctave;

/* Describes an extremum of the scale space by its sample and its offset from this sample. */
typedef struct
{
  int octave, layer, row, column;
  float d_layer, d_row, d_column;
  float response;
  float given_scale;            /* standard deviation of the blur if the caller gave the point,
                                 * otherwise 0 */
} RefSiftPoint;

typedef struct
{
  const RefSiftParams *params;
  int n_octaves;
  RefSiftOctave *octaves;
  float orientation_unit, descriptor_unit;

  RefSiftPoint *points;
  uint32_t n_points, room;
} RefSift;

/* Sets @x and @y to the position of the point @p, in pixels of the frame. */
void ref_sift_locate (const RefSift * self, const RefSiftPoint * p, float *x, float *y);

/* Computes the keypoints of the sorted points in self->points. Returns 0 if there is not enough
 * memory. */
int ref_sift_make_keypoints (RefSift * self, RefSiftResult * result);

/* Describes keypoints given by the caller. Returns 0 if there is not enough memory. */
int ref_sift_describe_given (RefSift * self, const RefSiftKeypoint * given, uint32_t n, RefSiftResult * result);

/* Returns the integer nearest to x, ties to even, for |x| up to 2^22. */
static inline int
round_to_int (float x)
{
  volatile float biased = x + 12582912.0f;

  return (int) (bits_of (biased) - bits_of (12582912.0f));
}

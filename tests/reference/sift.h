/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Parameters of the algorithm of docs/algorithms/sift.md. */
typedef struct
{
  int upsample;                 /* whether the first octave is twice as wide and high as the
                                 * frame */
  int octaves;                  /* largest number of octaves; 0: limited only by the size of the
                                 * frame */
  int scales;                   /* number of layers of an octave in which points are searched for */
  double sigma;
  float contrast, edge;         /* thresholds of contrast and of edge response */
  int max_orientations;         /* maximum number of orientations of a point */
  uint32_t max_features;        /* maximum number of keypoints; 0 for all */
  uint32_t capacity;            /* number of points for which there is memory */
  int descriptor;               /* type of the descriptor: 0 for none, 1 for SIFT, 2 for RootSIFT */
  int grid;                     /* number of grid cells along the longer edge of the frame; 0 for no
                                 * grid */
} RefSiftParams;

typedef struct
{
  float x, y, size, angle, response;
  int32_t octave, layer;
} RefSiftKeypoint;

typedef struct
{
  uint32_t n;
  uint32_t dropped;
  RefSiftKeypoint *keypoints;
  uint8_t *descriptors;         /* array of n descriptors of 128 bytes, or NULL */
} RefSiftResult;

/* Finds the keypoints of a frame, strongest first. @mask has width x height bytes, or is NULL.
 * Points are only accepted if the mask is not 0 at their position, rounded to the nearest pixel.
 * Returns 0 if there is not enough memory. */
int ref_sift (const RefPlane * in, const RefSiftParams * params,
    const uint8_t * mask, RefSiftResult * result);
/* Describes @n keypoints, in their order. The parameters are those of ref_sift(); parameters that
 * limit which points are kept are not used. */
int ref_sift_given (const RefPlane * in, const RefSiftParams * params,
    const RefSiftKeypoint * given, uint32_t n, RefSiftResult * result);
void ref_sift_clear (RefSiftResult * result);

/* Arithmetic functions of the reference, whose errors tests measure: the angle of (x, y), in
 * degrees from 0 to 360, by a polynomial; 2^t for t from 0 to 2; the cosine and sine of an angle,
 * in degrees from 0 to 360 */
float ref_sift_degrees (float y, float x);
float ref_sift_exp2 (float t);
void ref_sift_turn (float degrees, float *cosine, float *sine);

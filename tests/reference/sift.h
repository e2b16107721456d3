/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* As in docs/algorithms/sift.md. */
typedef struct
{
  int upsample;                 /* the first octave is doubled */
  int octaves;                  /* at most; 0: as many as there are */
  int scales;                   /* of an octave */
  double sigma;
  float contrast, edge;         /* thresholds */
  int max_orientations;         /* of a point */
  uint32_t max_features;        /* 0: all */
  uint32_t capacity;            /* points that there is memory for */
  int descriptor;               /* 0: none, 1: SIFT, 2: RootSIFT */
  int grid;                     /* cells along the longer edge; 0: none */
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
  uint8_t *descriptors;         /* n x 128, or NULL */
} RefSiftResult;

/* Keypoints of a frame, strongest first. mask: width x height bytes; only points
 * count whose x and y, plus 0.5 and rounded down, lead to one that is not 0; or
 * NULL. Returns 0 when there is no memory left. */
int ref_sift (const RefPlane * in, const RefSiftParams * params, const uint8_t * mask, RefSiftResult * result);
/* Describes n keypoints, in their order; params count as in ref_sift(), but for those that
 * say which points are kept. */
int ref_sift_given (const RefPlane * in, const RefSiftParams * params, const RefSiftKeypoint * given, uint32_t n, RefSiftResult * result);
void ref_sift_clear (RefSiftResult * result);

/* Own arithmetic, for tests of its errors: square root; degrees from 0 to 360 of
 * (x, y), by a polynomial; 2^t for t from 0 to 2; cosine and sine of degrees
 * from 0 to 360. */
float ref_sift_root (float x);
float ref_sift_degrees (float y, float x);
float ref_sift_exp2 (float t);
void ref_sift_turn (float degrees, float * cosine, float * sine);

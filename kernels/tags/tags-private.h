/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels that find tags and their host code share with no other code. */
#ifndef TAGS_PRIVATE_H
#define TAGS_PRIVATE_H

/* A map, for the kernels of tags */
typedef struct
{
  int pixels, stride;           /* of its picture: see ThresholdPicture */
  int is_halved;
  int tile, columns, thresholds;        /* see ThresholdMap */
  int scale;                    /* pixels of the frame for one of the map */
  int reserved;
} TagsMap;

/* Corners of a quad that fits a candidate, clockwise, in units of 2^-16 pixel of the frame.
 * @is_quad: 0: there is none; 1: there is one; 2: and it passes the test of the border */
typedef struct
{
  int is_quad;
  int map, root, is_white;
  int corners[8];
} TagsQuad;

/* What was read in a quad. The family may be TAGS_NONE, or TAGS_KNOWN if a finer map has the quad. */
#define TAGS_NONE (-1)
#define TAGS_KNOWN (-2)

typedef struct
{
  int family, id, hamming, ring_errors, turn, is_inverted, margin, contrast;
  int map, root;
  int corners[8];
} TagsRead;

/* Numbers of the state */
#define TAGS_N_QUADS 0          /* of the list of quads */
#define TAGS_DROPPED_QUADS 1
#define TAGS_STATE 8

/* Flags of polarity */
#define TAGS_IS_NORMAL 1
#define TAGS_IS_INVERTED 2

#endif

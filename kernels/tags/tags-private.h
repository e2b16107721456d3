/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Structs and constants that only the kernels which find tags and their host code use. */
#ifndef TAGS_PRIVATE_H
#define TAGS_PRIVATE_H

/* A binary image (map) in which tags are searched for */
typedef struct
{
  int pixels, stride;           /* plane and stride of its image: see ThresholdPicture */
  int is_halved;
  int tile, columns, thresholds;        /* see ThresholdMap */
  int scale;                    /* number of pixels of the frame for one pixel of the map, along an
                                 * axis */
  int reserved;
} TagsMap;

/* Corners of a quad that fits a candidate, clockwise, in units of 2^-16 pixel of the frame.
 * @is_quad: 0: no quad; 1: a quad; 2: a quad that passes the test of the border */
typedef struct
{
  int is_quad;
  int map, root, is_white;
  int corners[8];
} TagsQuad;

/* Result of reading a quad. The family may be TAGS_NONE, or TAGS_KNOWN if the quad was also found
 * in a finer map. */
#define TAGS_NONE (-1)
#define TAGS_KNOWN (-2)

typedef struct
{
  int family, id, hamming, ring_errors, turn, is_inverted, margin, contrast;
  int map, root;
  int corners[8];
} TagsRead;

/* Indices into the state */
#define TAGS_N_QUADS 0          /* number of quads in the list */
#define TAGS_DROPPED_QUADS 1
#define TAGS_STATE 8

/* Flags of polarity */
#define TAGS_IS_NORMAL 1
#define TAGS_IS_INVERTED 2

#endif

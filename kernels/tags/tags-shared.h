/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Structs that the kernels which find tags and the host share: families, and the results for a
 * frame. The algorithm is described in docs/algorithms/tags.md. */
#ifndef TAGS_SHARED_H
#define TAGS_SHARED_H

#ifdef __OPENCL_VERSION__
typedef long TagsLong;
typedef ulong TagsCode;
#else
#include <stdint.h>
typedef int64_t TagsLong;
typedef uint64_t TagsCode;
#endif

/* Maximum number of families that are searched for at the same time */
#define TAGS_MAX_FAMILIES 32

/* Maximum width of a tag in cells, and maximum number of wrong bits */
#define TAGS_MAX_WIDTH 16
#define TAGS_MAX_HAMMING 7

/* Maximum numbers of candidates, quads and tags in a frame. Those beyond the limits are dropped and
 * counted. */
#define TAGS_MAX_CANDIDATES 16384
#define TAGS_MAX_QUADS 8192
#define TAGS_MAX_TAGS 1024

/* Corners are in units of 2^-16 pixel; the upper left corner of the first pixel is (0, 0), so its
 * center is (32768, 32768). */
#define TAGS_CORNER_BITS 16

/* Number of fraction bits of the entries of J (see TagsRecord) and of the distances, which are in
 * pixels. Sums of their products have twice as many fraction bits. */
#define TAGS_SUM_BITS 12

/* A family of tags. A set bit of a code is a white cell; bits are counted from the most
 * significant one. Elements 2 i and 2 i + 1 of the family's part of the array of cells are the
 * column and the row of the cell of bit i. Cell (0, 0) is the upper left cell of the border; cells
 * may also lie outside the border. */
typedef struct
{
  int n_bits, n_codes;
  int border;                   /* width of the border square in cells, including the border */
  int width;                    /* width of the tag in cells, including bits outside the border */
  int is_white;                 /* whether the border is white, and the margin around it black */
  int first_cell;               /* index of the first number in the array of cells */
  int first_code;               /* index of the first code in the array of codes */
  int reserved;
  /* Maximum number of wrong cells, for each number of wrong bits, in the two rings of cells along
   * the border (together 8 times border cells) with which a tag is accepted; -1: a tag with so
   * many wrong bits is never accepted */
  int most_errors[TAGS_MAX_HAMMING + 1];
} TagsFamily;

/* A tag that was found. Its corners are in clockwise order in the image, beginning with the upper
 * left corner of the tag.
 *
 * Sums for refine=cells: the homography maps (u, v), which is (-1/2, -1/2) at the upper left
 * corner of the border, (1/2, -1/2) at the upper right, (1/2, 1/2) and (-1/2, 1/2) at the others,
 * to X = (h0 u + h1 v + h2) / z, Y = (h3 u + h4 v + h5) / z, z = h6 u + h7 v + 1, in pixels from
 * (origin_x, origin_y). h is that of @corners. A profile across an edge between cells, at
 * (X, Y) with the normal (nx, ny), found the edge at the distance o: it adds J J^T to @normal and
 * o J to @right, J = (nx u, nx v, nx, ny u, ny v, ny, -p u, -p v) / z with p = nx X + ny Y. The
 * solution of normal d = right is to be added to h. */
typedef struct
{
  int map;                      /* number of the map in which its border was found */
  unsigned int root;            /* label of the connected component of the border */
  int family, id;
  int hamming;                  /* number of wrong bits */
  int ring_errors;              /* number of wrong cells in the two rings along the border */
  int turn;                     /* index of the corner of the quad that is the upper left corner of
                                 * the tag */
  int is_inverted;              /* whether black and white are exchanged */
  int margin;                   /* smaller of the mean distances of black and of white bits from the
                                 * threshold, in units of 1/256 of half of the contrast */
  int contrast;                 /* contrast: white minus black, in units of 1/16 of an 8-bit gray
                                 * level */
  int origin_x, origin_y;       /* origin of the coordinates X and Y, in pixels */
  int edges[8];                 /* x and y of the corners: intersections of the sides of the
                                 * border */
  int corners[8];               /* x and y of the corners from which the sums were measured; the
                                 * same as @edges without refine=cells */
  int n_used, n_tried;          /* number of profiles across edges between cells that count, and
                                 * number of all profiles. If 0, there are no sums, and @edges is
                                 * the result */
  TagsLong normal[36];          /* upper triangle, row by row */
  TagsLong right[8];
  TagsLong square;              /* sum of the squares of the distances */
} TagsRecord;

/* Header of the results for a frame. The records follow, sorted by map and root. */
typedef struct
{
  int n_tags;
  int n_quads;                  /* number of quads that pass the test of the border */
  int n_candidates;             /* number of components that have the size and the shape of a
                                 * border */
  int n_points;                 /* number of points on the boundaries of the candidates */
  int dropped_candidates;       /* numbers of candidates, quads and tags that were dropped because
                                 * they exceed the limits */
  int dropped_quads;
  int dropped_tags;
  int reserved;
} TagsHeader;

#endif

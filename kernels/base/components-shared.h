/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels that find connected components and the host share. The algorithm is described
 * in docs/algorithms/components.md. */
#ifndef COMPONENTS_SHARED_H
#define COMPONENTS_SHARED_H

/* A map: a picture of two values. The rows of all maps are numbered one after the other. */
typedef struct
{
  int width, height;
  int first_row;                /* number of its first row */
  int bits, words;              /* index of its first word of bits, and words of a row */
  int first_run, most_runs;     /* index of the first run of its first row, and of runs for which a
                                 * row has room. A row with more runs counts as a black one */
  int most_cracks;              /* a component of the list has no more cracks */
} ComponentsMap;

/* Values of a row: 2 times the number of runs, plus the class of the first run */

/* Bit of the number of cracks of a component that touches the edge of the map */
#define COMPONENTS_EDGE ((int) 0x80000000u)

/* Parent of a component without one, and place in the list of a component that is not there */
#define COMPONENTS_NONE (-1)

/* Sizes of components that are counted, quarters of octaves of the number of cracks */
#define COMPONENTS_SIZES 128

/* Numbers of the state: totals of the list, the least size that is listed, and for each size the
 * number of components and of their cracks */
#define COMPONENTS_LISTED 0
#define COMPONENTS_CRACKS 1
#define COMPONENTS_DROPPED 2
#define COMPONENTS_LEAST 3
#define COMPONENTS_COUNTS 4
#define COMPONENTS_STATE (COMPONENTS_COUNTS + 2 * COMPONENTS_SIZES)

/* A component of the list */
typedef struct
{
  int map;
  int label;                    /* index of the first run of its first row */
  int is_white;
  int row;                      /* of the map, the first one */
  int cracks;                   /* edges of pixels between it and its parent */
  int area;                     /* pixels that these cracks enclose */
  int first;                    /* the cracks of the components before */
  int next;                     /* 0, for a kernel that counts something of each component */
} Component;

#endif

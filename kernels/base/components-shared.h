/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants and structs that the kernels for connected components and the host code share. The
 * algorithm is described in docs/algorithms/components.md. */
#ifndef COMPONENTS_SHARED_H
#define COMPONENTS_SHARED_H

/* A map, which is a binary image. The rows of all maps are numbered consecutively. */
typedef struct
{
  int width, height;
  int first_row;                /* number of its first row */
  int bits, words;              /* index of its first word of bits, and number of words of a row */
  int first_run, most_runs;     /* index of the first run of its first row, and maximum number of
                                 * runs of a row; a row with more runs is treated as black */
  int most_cracks;              /* maximum number of cracks of a component in the list */
} ComponentsMap;

/* A row of a map is described by one number: 2 times the number of its runs, plus the class of the
 * first run. */

/* Flag in a component's number of cracks: the component touches the edge of the map */
#define COMPONENTS_EDGE ((int) 0x80000000u)

/* Value of the parent of a component without a parent, and of the list index of a component that is
 * not in the list */
#define COMPONENTS_NONE (-1)

/* Number of size classes in which components are counted; a class is a quarter of an octave of the
 * number of cracks */
#define COMPONENTS_SIZES 128

/* Indices into the state: numbers of listed components, of their cracks and of dropped components;
 * the smallest size class that is listed; and for each size class, the number of components and of
 * their cracks */
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
  int row;                      /* first pixel of the component in the map */
  int cracks;                   /* number of cracks: edges of pixels between the component and its
                                 * parent */
  int area;                     /* number of pixels that the cracks enclose */
  int first;                    /* number of cracks of all preceding components */
  int next;                     /* initially 0; a counter for kernels that use the list */
} Component;

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants and results of the detection of moving things that kernels and host share. A
 * working pixel stands for a square of pixels of the frame; a cell is a square of working
 * pixels. */
#ifndef MOVING_SHARED_H
#define MOVING_SHARED_H

/* Maximum number of regions of a frame */
#define MOVING_MAX_REGIONS 256

/* Maximum number of cells of a frame */
#define MOVING_MAX_CELLS 20480

/* Maximum number of pixels of the frame in a row of a working pixel */
#define MOVING_MAX_SCALE 64

/* Values of the working mask */
#define MOVING_SHADOW 127
#define MOVING_MASK 255

/* What is known of a whole frame: 64 bytes. Gradients are
 * (|v[x + 1] - v[x - 1]| + |v[y + 1] - v[y - 1]|) >> 4, and a strong one of the background is
 * above 400 >> 4. */
typedef struct
{
  int n_regions;                /* number of regions that follow */
  int n_dropped;                /* number of regions beyond MOVING_MAX_REGIONS */
  int n_ghosts;                 /* number of ghosts: places that a thing has left */
  int n_moving;                 /* working pixels of all regions */
  int light;                    /* mean change of light since the background was learned, in
                                 * units of 1/2048 octave */
  int has_tone;                 /* whether a tone curve applies to the whole frame */
  int n_active;                 /* number of cells with moving pixels */
  unsigned int brightness;      /* sum of the luma of all working pixels, 0 to 255 each */
  unsigned int n_strong;        /* number of working pixels with a strong gradient of the
                                 * background */
  unsigned int n_survived;      /* number of these whose gradient in the frame is more than
                                 * half of it */
  unsigned int frame_energy;    /* sum of the gradients of the frame */
  unsigned int model_energy;    /* sum of the gradients of the background */
  int n_learned;                /* number of frames before this one since the background was
                                 * forgotten */
  int reserved[3];              /* 0 */
} MgpuMovingHead;

/* A region: 48 bytes. Coordinates are in working pixels. */
typedef struct
{
  int x0, y0, x1, y1;           /* box; x1 and y1 are the first column and row behind it */
  int area;                     /* number of moving pixels */
  int evidence;                 /* sum of their evidence, up to 192 each */
  int frame_edge, model_edge;   /* sums of the gradients of frame and background along the
                                 * border of the region */
  int n_shadow;                 /* number of pixels that were removed because they are shadow */
  int cell;                     /* number of the first cell, row by row */
  int reserved[2];              /* 0 */
} MgpuMovingRegion;

/* The memory of results: the head, then the regions in the order of their first cells. Regions
 * from n_regions on are undefined. */
typedef struct
{
  MgpuMovingHead head;
  MgpuMovingRegion regions[MOVING_MAX_REGIONS];
} MgpuMovingResults;

#endif

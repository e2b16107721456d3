/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that draws on frames, and the shapes and tiles in the memory layout that
 * its kernel reads. */
#pragma once

#include <kernels/overlay/overlay-shared.h>

#include "overlay.h"

G_BEGIN_DECLS

typedef enum
{
  COLOUR_KEYPOINT,
  COLOUR_REGION,
  COLOUR_TEXT,
  COLOUR_BEHIND_TEXT,
  COLOUR_ID,                    /* first of the MGPU_OVERLAY_N_ID_COLOURS colors for objects
                                 * with an id */
  N_COLOURS = COLOUR_ID + MGPU_OVERLAY_N_ID_COLOURS
} Colour;

G_STATIC_ASSERT (PLAN_COLOUR (N_COLOURS) <= PLAN_SHAPES);

/* Limits of the line width, in pixels */
#define MIN_LINE_WIDTH 1.0
#define MAX_LINE_WIDTH 16.0

/* Describes a shape (keypoint, box or text) in the memory layout that the kernel reads, in words of
 * 32 bits. Coordinates and lengths are in units of 1/16 pixel for keypoints and boxes, and in
 * pixels for texts. */
typedef struct
{
  gint32 kind;
  gint32 colour;
  gint32 first_row, last_row;   /* first and last row of pixels that the shape may cover */
  union
  {
    struct
    {
      gint32 x, y;
      gint32 outer, inner;      /* radii of the ring around the keypoint, in 1/16 pixel */
      gint32 outer_inverse, inner_inverse;
      gint32 direction_x, direction_y;
      gint32 half_length, half_width;   /* half of the length, and half of the width, of the
                                         * direction line, in 1/16 pixel */
    } keypoint;
    struct
    {
      gint32 x0, y0, x1, y1;
    } box;
    struct
    {
      gint32 x, y, end_y;
      gint32 offset, stride;
    } text;
    gint32 words[12];           /* pads the struct to SHAPE_SIZE words of 32 bits */
  };
} Shape;

G_STATIC_ASSERT (sizeof (Shape) == SHAPE_SIZE * sizeof (gint32));

typedef struct
{
  gint32 x, y;                  /* upper left corner of the tile, in pixels */
  gint32 first;                 /* index into the array @entries: the entry of the lowest shape
                                 * of the tile; -1 if the tile has no shape */
} Tile;

typedef struct
{
  gint32 shape;                 /* index of the shape in the array @shapes */
  gint32 next;                  /* index into the array @entries: the entry of the next shape
                                 * above this one in the tile; -1 for the topmost shape */
} Entry;

struct _MgpuOverlay
{
  MgpuObject object;
  gint columns, rows;           /* number of tile columns and tile rows of the frame */
  gint text_size;

  gint32 colours[N_COLOURS][4];
  gint32 line_width;
  GArray *shapes, *tiles, *entries;
  gint32 *tile_of;              /* for each tile of the frame, row by row: its index in the array
                                 * @tiles; -1 for a tile without shapes */
  GArray *places;               /* array of GstVideoRectangle: positions and sizes of
                                 * texts, in pixels */
  GByteArray *texts;
  guint next_plan;
};

G_END_DECLS

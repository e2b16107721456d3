/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernel of the overlay share. */
#ifndef OVERLAY_SHARED_H
#define OVERLAY_SHARED_H

/* Width and height of a tile in pixels */
#define TILE_WIDTH 16
#define TILE_HEIGHT 8

/* The plan is an array of ints that the host writes for each frame. It contains, in this order:
 * - this header. For each component, it has the offset, the stride and the distance between
 *   pixels, in bytes. For each color, it has three values and an opacity from 0 to 256.
 * - the shapes
 * - the tiles, each with its position in the frame and the first entry of its list of shapes
 * - the entries of these lists, each with its shape and the next entry
 * - the bitmaps of the texts */
#define PLAN_WIDTH 0
#define PLAN_HEIGHT 1
#define PLAN_COMPONENTS 2
#define PLAN_TILES 3
#define PLAN_ENTRIES 4
#define PLAN_TEXTS 5
#define PLAN_COMPONENT(i) (6 + 3 * (i))
#define PLAN_PIXELS 15          /* byte offset of the pixels of an RGB frame; -1 for YUV */
#define PLAN_COLOUR(i) (16 + 4 * (i))
#define PLAN_SHAPES 80

/* Number of ints that describe a shape in the plan, and the index of each of them */
#define SHAPE_SIZE 16
#define SHAPE_KIND 0
#define SHAPE_COLOUR 1
#define SHAPE_FIRST_ROW 2
#define SHAPE_LAST_ROW 3
#define SHAPE_DATA 4

#define KIND_KEYPOINT 0
#define KIND_BOX 1
#define KIND_TEXT 2

/* Coordinates are in units of 1 / UNIT pixel, directions in units of
 * 2^-DIRECTION_BITS, inverses of radii in units of 2^-INVERSE_BITS. */
#define UNIT 16
#define DIRECTION_BITS 14
#define INVERSE_BITS 22

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernel of the overlay agree on. */
#ifndef OVERLAY_SHARED_H
#define OVERLAY_SHARED_H

/* Pixels */
#define TILE_WIDTH 16
#define TILE_HEIGHT 8

/* The plan: this header, of which each component has offset, stride and bytes
 * from pixel to pixel, and each colour three values and an opacity of 256; then
 * shapes, tiles with their place and their first entry, entries with their
 * shape and the next entry, and the bytes of text. */
#define PLAN_WIDTH 0
#define PLAN_HEIGHT 1
#define PLAN_COMPONENTS 2
#define PLAN_TILES 3
#define PLAN_ENTRIES 4
#define PLAN_TEXTS 5
#define PLAN_COMPONENT(i) (6 + 3 * (i))
#define PLAN_PIXELS 15          /* where those of RGB begin, or -1 */
#define PLAN_COLOUR(i) (16 + 4 * (i))
#define PLAN_SHAPES 32

/* Words of a shape */
#define SHAPE_SIZE 16
#define SHAPE_KIND 0
#define SHAPE_COLOUR 1
#define SHAPE_FIRST_ROW 2
#define SHAPE_LAST_ROW 3
#define SHAPE_DATA 4

#define KIND_KEYPOINT 0
#define KIND_BOX 1
#define KIND_TEXT 2

/* Coordinates are in units of 1/UNIT pixel, directions in units of 2^-DIRECTION_BITS,
 * inverses of radii in units of 2^-INVERSE_BITS. */
#define UNIT 16
#define DIRECTION_BITS 14
#define INVERSE_BITS 22

#endif

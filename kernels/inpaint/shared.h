/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of inpainting share. */
#ifndef INPAINT_SHARED_H
#define INPAINT_SHARED_H

/* Largest width and height of a patch, in pixels */
#define MAX_PATCH 33
#define MAX_PATCH_AREA (MAX_PATCH * MAX_PATCH)

/* Largest number of targets of a lane that are searched at the same time. More
 * gain next to nothing: with 4, 350 steps take 206 searches one after the
 * other, with 16 they take 201. */
#define MAX_SLOTS 4

/* Size of the state of a slot, in uints */
#define STATE 16

/* Number of pixels of a segment, which is a piece of a row that has a key of
 * its own */
#define SEGMENT 16

/* Limits of the cost of a patch of n pixels above which a better source for it
 * is searched nearby (NEAR_LIMIT) or in its whole window (FAR_LIMIT). The
 * parameter cost is the cost from the time when the hole was filled. */
#define NEAR_LIMIT(cost, n) (2 * (cost) + 48u * (n))
#define FAR_LIMIT(cost, n) (4 * (cost) + 192u * (n))

/* Bits for the sides on which the box around the hole ends at the edge of the
 * frame */
#define LEFT 1
#define TOP 2
#define RIGHT 4
#define BOTTOM 8

#endif

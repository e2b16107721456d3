/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of inpainting agree on. */
#ifndef INPAINT_SHARED_H
#define INPAINT_SHARED_H

/* Columns and rows of a patch, at most */
#define MAX_PATCH 33
#define MAX_PATCH_AREA (MAX_PATCH * MAX_PATCH)

/* Targets of a lane that are searched at the same time, at most. More find next to
 * nothing that is of use: with 4, 350 steps take 206 searches one after the other,
 * with 16 they take 201. */
#define MAX_SLOTS 4

/* Numbers of the state of a slot */
#define STATE 16

/* Pixels of a segment: a piece of a row that has a key of its own */
#define SEGMENT 16

/* Costs of a patch of n pixels beyond which a better place for it is looked for:
 * nearby, and in its whole window. cost: when the hole was filled */
#define NEAR_LIMIT(cost, n) (2 * (cost) + 48u * (n))
#define FAR_LIMIT(cost, n) (4 * (cost) + 192u * (n))

/* Sides on which the box around the hole ends where the frame does */
#define LEFT 1
#define TOP 2
#define RIGHT 4
#define BOTTOM 8

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the warp share. */
#ifndef WARP_SHARED_H
#define WARP_SHARED_H

/* Values for samples outside of a frame: black, the nearest sample of the frame, a sample of the
 * frame mirrored at its outermost samples, or columns from the other edge and the nearest row (for
 * frames whose columns are a whole circle) */
#define WARP_BLACK 0
#define WARP_REPEAT 1
#define WARP_MIRROR 2
#define WARP_WRAP 3

/* Number of steps of a coordinate between adjacent samples, and largest distance of a coordinate
 * from the first sample, in samples */
#define WARP_STEPS 256
#define WARP_FAR 65536

/* Smallest divisor w of a position (X / w, Y / w) to which a homography may move a sample */
#define WARP_NEAR 0.0009765625f

/* Number of fraction bits of the weights of cubic interpolation */
#define WARP_CUBIC_BITS 11

/* Distance between adjacent nodes of a map along both axes, in pixels and in parts, the unit of
 * positions in the new frame; number of units of a position in the old frame in a pixel */
#define WARP_CELL 16
#define WARP_PARTS 128
#define WARP_UNITS 1024

/* A map begins with two tables. The first has four weights of nodes, as the bits of floats, for
 * each part from WARP_BEFORE parts before a cell to its last part. The second has six weights of
 * Lanczos interpolation for each step between adjacent samples, two of 16 bits in a word. */
#define WARP_BEFORE 8
#define WARP_NODE_WEIGHTS (WARP_BEFORE + WARP_PARTS)
#define WARP_LANCZOS (4 * WARP_NODE_WEIGHTS)

#endif

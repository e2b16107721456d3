/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that host and kernels of the warp share. */
#ifndef STABILIZE_SHARED_H
#define STABILIZE_SHARED_H

/* What samples beyond the edges of a frame are: black, the nearest sample of
 * the frame, or the frame mirrored at its outermost samples. */
#define STABILIZE_BLACK 0
#define STABILIZE_REPEAT 1
#define STABILIZE_MIRROR 2

/* Places are in steps of 1/256 sample. They lie at most STABILIZE_FAR samples
 * from the first sample. */
#define STABILIZE_STEPS 256
#define STABILIZE_FAR 65536

/* Least divisor with which a homography may move a place. */
#define STABILIZE_NEAR 0.0009765625f

/* Cubic weights are in units of 2^-11. */
#define STABILIZE_CUBIC_BITS 11

#endif

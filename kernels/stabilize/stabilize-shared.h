/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the warp share. */
#ifndef STABILIZE_SHARED_H
#define STABILIZE_SHARED_H

/* Values for samples outside of a frame: black, the nearest sample of the frame, or a sample of
 * the frame mirrored at its outermost samples */
#define STABILIZE_BLACK 0
#define STABILIZE_REPEAT 1
#define STABILIZE_MIRROR 2

/* Number of steps of a coordinate between adjacent samples, and largest distance of a coordinate
 * from the first sample, in samples */
#define STABILIZE_STEPS 256
#define STABILIZE_FAR 65536

/* Smallest divisor w of a position (X / w, Y / w) to which a homography may move a sample */
#define STABILIZE_NEAR 0.0009765625f

/* Number of fraction bits of the weights of cubic interpolation */
#define STABILIZE_CUBIC_BITS 11

#endif

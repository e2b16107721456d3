/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants of base/math.h that host code also uses. */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

/* Offset that a caller adds to an exponent t: exp2_biased (t + EXP2_BIAS) returns 2^t. */
#define EXP2_BIAS 488.5f

/* Constant that, added to a float from -0.5 to 2^22, rounds the float to an
 * integer, ties to even: near 1.5 * 2^23 the last mantissa bit of a float has
 * the value 1. */
#define ROUND_BIAS 12582912.0f

#endif

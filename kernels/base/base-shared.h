/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants of base/math.h, base/lines.h and base/flow-at.h that code on the host also uses. */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

/* Offset of the argument of exp2_biased(): exp2_biased (t + EXP2_BIAS) returns 2^t. */
#define EXP2_BIAS 488.5f

/* Rounds a float from -0.5 to 2^22 to an integer, ties to even, when it is added to the float:
 * near 1.5 * 2^23 the last mantissa bit of a float has the value 1. */
#define ROUND_BIAS 12582912.0f

/* Number of lines through an unknown pixel along which it is filled, and distance up to which they are
 * followed, in steps */
#define LINES 16
#define LINES_REACH 64

/* Value of a flow sample for which the flow is unknown */
#define NO_FLOW -32768

#endif

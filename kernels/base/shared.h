/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Numbers of base/math.h that host code knows. */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

/* What exp2_biased() takes is biased by this. */
#define EXP2_BIAS 488.5f

/* Rounds a float from -0.5 to 2^22 that it is added to, ties to even: near
 * 1.5 * 2^23 the last bit of a float counts ones. */
#define ROUND_BIAS 12582912.0f

#endif

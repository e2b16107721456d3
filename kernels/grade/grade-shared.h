/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host and the kernel of grading share. */
#ifndef GRADE_SHARED_H
#define GRADE_SHARED_H

/* Number of codes of a sample: all tables of samples have 12 bits. */
#define GRADE_CODES 4096

/* A curve has 64 values for each of the 32 octaves of its argument, and the value at the end. */
#define GRADE_CURVE (32 * 64 + 1)

/* Layout of the table that tone mapping reads: the 3x3 matrix that changes primaries, the 3 weights
 * of R, G and B in the luminance of BT.2020, the light of each code, and three curves. */
#define GRADE_MATRIX 0
#define GRADE_WEIGHTS 9
#define GRADE_LIGHT 12
#define GRADE_SYSTEM (GRADE_LIGHT + GRADE_CODES)
#define GRADE_GAIN (GRADE_SYSTEM + GRADE_CURVE)
#define GRADE_SIGNAL (GRADE_GAIN + GRADE_CURVE)

/* What tone mapping decodes */
#define GRADE_NONE 0
#define GRADE_PQ 1
#define GRADE_HLG 2

#endif

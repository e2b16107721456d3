/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernel of color grading share. */
#ifndef GRADE_SHARED_H
#define GRADE_SHARED_H

/* Number of values of a sample of 12 bits, and of entries of the tables that are indexed by
 * samples */
#define GRADE_CODES 4096

/* Number of values of a curve: 64 for each of the 32 octaves of the argument, and the value at the
 * end of the last octave. */
#define GRADE_CURVE (32 * 64 + 1)

/* Layout of the table that tone mapping reads: the 3x3 matrix that converts primaries, the 3
 * weights of R, G and B in the luminance of BT.2020, the linear light of each sample value, and
 * three curves. */
#define GRADE_MATRIX 0
#define GRADE_WEIGHTS 9
#define GRADE_LIGHT 12
#define GRADE_SYSTEM (GRADE_LIGHT + GRADE_CODES)
#define GRADE_GAIN (GRADE_SYSTEM + GRADE_CURVE)
#define GRADE_SIGNAL (GRADE_GAIN + GRADE_CURVE)

/* Transfer functions that tone mapping decodes */
#define GRADE_NONE 0
#define GRADE_PQ 1
#define GRADE_HLG 2

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compile-time parameters (knobs) of kernels/convert/convert.cl. */
#ifndef CONVERT_KNOBS_H
#define CONVERT_KNOBS_H

#include "convert/convert-shared.h"

/* SHARED is 1 for the one program that converts all small frames. It reads the tuning parameters
 * at run time from the plan, an array that the host writes (see convert/convert-shared.h). Small
 * frames therefore need not wait for a separate program to be compiled. */
#ifndef SHARED
#define SHARED 0
#endif
#if SHARED
#define LANES 4
#define AREA_WIDE 1
#define MATRIX_WIDE 1
#define BORDERS 1
#define IN_LUMA_PIXEL plan[PLAN_KNOBS]
#define IN_LUMA_SAMPLES plan[PLAN_KNOBS + 1]
#define IN_LUMA_AT plan[PLAN_KNOBS + 2]
#define IN_CHROMA_PIXEL plan[PLAN_KNOBS + 3]
#define IN_CHROMA_AT plan[PLAN_KNOBS + 4]
#define IN_CHROMA_PLANES plan[PLAN_KNOBS + 5]
#define OUT_LUMA_PIXEL plan[PLAN_KNOBS + 6]
#define OUT_LUMA_SAMPLES plan[PLAN_KNOBS + 7]
#define OUT_LUMA_AT plan[PLAN_KNOBS + 8]
#define OUT_CHROMA_PIXEL plan[PLAN_KNOBS + 9]
#define OUT_CHROMA_AT plan[PLAN_KNOBS + 10]
#define OUT_CHROMA_PLANES plan[PLAN_KNOBS + 11]
#define OUT_BYTES plan[PLAN_KNOBS + 12]
#define OUT_SHIFT plan[PLAN_KNOBS + 13]
#define OUT_MAX plan[PLAN_KNOBS + 14]
#define MATRIX plan[PLAN_KNOBS + 15]
#define MATRIX_BITS plan[PLAN_KNOBS + 16]
#define LUMA_FROM plan[PLAN_KNOBS + 17]
#define CHROMA_FROM plan[PLAN_KNOBS + 18]
#define IN_LUMA_PLANES plan[PLAN_KNOBS + 19]
#define OUT_LUMA_PLANES plan[PLAN_KNOBS + 20]
#define FILTER0 TABLE (0)[TABLE_FILTER]
#define FILTER1 TABLE (1)[TABLE_FILTER]
#define FILTER2 TABLE (2)[TABLE_FILTER]
#define FILTER3 TABLE (3)[TABLE_FILTER]
#define IN_BYTES table[TABLE_BYTES]
#define IN_SHIFT table[TABLE_UNUSED]
#define IN_MAX table[TABLE_MAX]
#define TRANSPOSED table[TABLE_TURNED]
#endif

/* Layout of the two groups of input samples, luma and chroma.
 * PIXEL: distance from pixel to pixel, in bytes, up to 4.
 * SAMPLES: number of samples in a pixel.
 * AT: four bits for each sample, its offset in the pixel in bytes; the first sample has the
 * lowest bits. */
#ifndef IN_LUMA_PIXEL
#define IN_LUMA_PIXEL 1
#endif
#ifndef IN_LUMA_SAMPLES
#define IN_LUMA_SAMPLES 1
#endif
#ifndef IN_LUMA_AT
#define IN_LUMA_AT 0
#endif

/* Number of planes with the luma group: 1, or 3 if R, G and B have separate planes. */
#ifndef IN_LUMA_PLANES
#define IN_LUMA_PLANES 1
#endif
#ifndef IN_CHROMA_PIXEL
#define IN_CHROMA_PIXEL 2
#endif
#ifndef IN_CHROMA_AT
#define IN_CHROMA_AT 0x10
#endif

/* Number of planes with the chroma of the input: 1, or 2 if U and V have separate planes. */
#ifndef IN_CHROMA_PLANES
#define IN_CHROMA_PLANES 1
#endif

/* Layout of the output; see the layout of the input for the macros. OUT_CHROMA_PLANES is 0 if
 * the output has no chroma. */
#ifndef OUT_BYTES
#define OUT_BYTES 1
#endif
#ifndef OUT_SHIFT
#define OUT_SHIFT 0
#endif
#ifndef OUT_LUMA_PIXEL
#define OUT_LUMA_PIXEL 1
#endif
#ifndef OUT_LUMA_SAMPLES
#define OUT_LUMA_SAMPLES 1
#endif
#ifndef OUT_LUMA_AT
#define OUT_LUMA_AT 0
#endif
#ifndef OUT_LUMA_PLANES
#define OUT_LUMA_PLANES 1
#endif
#ifndef OUT_CHROMA_PIXEL
#define OUT_CHROMA_PIXEL 2
#endif
#ifndef OUT_CHROMA_AT
#define OUT_CHROMA_AT 0x10
#endif
#ifndef OUT_CHROMA_PLANES
#define OUT_CHROMA_PLANES 0
#endif

/* Largest value of an output sample. */
#ifndef OUT_MAX
#define OUT_MAX 255
#endif

/* MATRIX is 1 if samples are multiplied by the color matrix, 0 if they stay unchanged. The
 * matrix has MATRIX_BITS fraction bits. MATRIX_WIDE is 1 if the products and sums need 64 bits. */
#ifndef MATRIX
#define MATRIX 0
#endif
#ifndef MATRIX_BITS
#define MATRIX_BITS 15
#endif
#ifndef MATRIX_WIDE
#define MATRIX_WIDE 0
#endif

/* MATRIX_TO_RGB is 1 if the color matrix converts YUV to RGB in the usual form: the factor of
 * luma is the same in each row, the factor of U is 0 in the row of red, and the factor of V is
 * 0 in the row of blue. */
#ifndef MATRIX_TO_RGB
#define MATRIX_TO_RGB 0
#endif

/* LUMA_FROM and CHROMA_FROM are the groups of the input from which luma and chroma of the
 * output are computed: bit 0 for luma, bit 1 for chroma. If CHROMA_FROM is 0, all chroma of the
 * output has the color of the border. */
#ifndef LUMA_FROM
#define LUMA_FROM 1
#endif
#ifndef CHROMA_FROM
#define CHROMA_FROM 2
#endif

/* BORDERS is 1 if the output has borders, which show the border color instead of the input. */
#ifndef BORDERS
#define BORDERS 0
#endif

/* COLUMNS tells how input columns are found (see convert/convert-shared.h).
 * TAPS is the number of taps in a row.
 * ROWS is the number of input rows of an output row.
 * FILTER tells how taps are combined (see convert/taps.h).
 * The digit at the end of a name tells which output is computed from which input: 0 luma from
 * luma, 1 luma from chroma, 2 chroma from luma, 3 chroma from chroma. */
#ifndef COLUMNS0
#define COLUMNS0 GATHER
#define COLUMNS1 GATHER
#define COLUMNS2 GATHER
#define COLUMNS3 GATHER
#endif
#ifndef TAPS0
#define TAPS0 0
#define TAPS1 0
#define TAPS2 0
#define TAPS3 0
#endif
#ifndef ROWS0
#define ROWS0 0
#define ROWS1 0
#define ROWS2 0
#define ROWS3 0
#endif
#ifndef FILTER0
#define FILTER0 BILINEAR
#define FILTER1 BILINEAR
#define FILTER2 BILINEAR
#define FILTER3 BILINEAR
#endif

#endif

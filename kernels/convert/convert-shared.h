/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernel of the converter and the code on the host. */
#ifndef CONVERT_SHARED_H
#define CONVERT_SHARED_H

/* The plan is an array of ints that the host writes for a conversion. It contains:
 * - the rows of the color matrix, each with its offset;
 * - at PLAN_BORDER: the border color;
 * - at PLAN_INSIDE: for each output group (luma, chroma), the rectangle inside the borders:
 *   first column, last column + 1, first row, last row + 1;
 * - at PLAN_KNOBS: the tuning parameters, see convert/knobs.h;
 * - at PLAN_TABLES: the descriptions of the tables, TABLE_SIZE ints each. */
#define PLAN_BORDER 12
#define PLAN_INSIDE 16
#define PLAN_KNOBS 24
#define PLAN_TABLES 48
#define TABLE_SIZE 15

/* Indices of numbers in the description of a table. A table serves one output group and one input
 * group (luma or chroma). Its description tells where its arrays begin in the plan, and how large
 * they are. In the following list, the name X stands for the number at index TABLE_X of the
 * description; the same holds for the other names.
 * X: element X + x of the plan is the input column of output column x.
 * X_TAPS, Y_TAPS: number of taps of each output column, and of each output row.
 * WEIGHTS, PITCH: element WEIGHTS + i * PITCH + x of the plan is the weight of tap i of output
 * column x.
 * Y: element Y + 2 * (y * Y_TAPS + i) of the plan is the input row of tap i of output row
 * y; the next element is the weight of this tap.
 * NEAR: element NEAR + x / LANES of the plan is the first of the adjacent input columns that are
 * loaded for output columns x to x + LANES - 1, if the tuning parameter COLUMNS has the value NEAR
 * or NEAR2 (see below).
 * TOTAL: sum of the weights of the filter AREA. A weighted sum is divided by TOTAL as (sum *
 * MAGIC) >> (32 + SHIFT), unless AREA_WIDE is set (see convert/taps.h).
 * FILTER: filter of the table. The kernel reads FILTER, BYTES, UNUSED, MAX and TURNED from the
 * description only if SHARED is 1; otherwise they are tuning parameters.
 * BYTES, UNUSED, MAX: bytes of an input sample, unused lower bits in them, and the largest value.
 * TURNED: whether rows of the input become columns of the output. */
#define TABLE_X 0
#define TABLE_WEIGHTS 1
#define TABLE_PITCH 2
#define TABLE_X_TAPS 3
#define TABLE_Y 4
#define TABLE_Y_TAPS 5
#define TABLE_TOTAL 6
#define TABLE_MAGIC 7
#define TABLE_SHIFT 8
#define TABLE_NEAR 9
#define TABLE_FILTER 10
#define TABLE_BYTES 11
#define TABLE_UNUSED 12
#define TABLE_TURNED 13
#define TABLE_MAX 14

/* Values of the tuning parameter COLUMNS: how the input pixels of a row of output samples are
 * loaded */
#define UNIT 0                  /* reads pixels that are adjacent in memory */
#define REVERSE 1               /* reads adjacent pixels in reverse order */
#define GATHER 2                /* reads pixels at any position in the row */
#define NEAR 3                  /* loads LANES adjacent pixels, which contain all taps */
#define NEAR2 4                 /* loads 2 * LANES adjacent pixels, which contain all taps */

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernel of convert share. */
#ifndef CONVERT_SHARED_H
#define CONVERT_SHARED_H

/* The plan is an array of ints that the host writes for a conversion. It holds
 * the colour matrix rows with their offsets, the border colour (from
 * PLAN_BORDER on), for each output group the first column, the end of the
 * columns, the first row and the end of the rows that are not border
 * (PLAN_INSIDE), the knobs (PLAN_KNOBS), and the descriptions of the tables
 * (PLAN_TABLES), each of TABLE_SIZE ints. */
#define PLAN_BORDER 12
#define PLAN_INSIDE 16
#define PLAN_KNOBS 24
#define PLAN_TABLES 44
#define TABLE_SIZE 14

/* Indices in the description of a table. A description tells where the tables
 * for one output group (luma or chroma) and one input group begin in the plan,
 * and how large they are. The input column of output column x is at X + x, and
 * its weight for tap i at WEIGHTS + i * PITCH + x. The input row of tap i of
 * output row y is at Y + 2 * (y * Y_TAPS + i), followed by its weight. NEAR + x
 * / LANES holds the input column where the neighbours for output columns x to x
 * + LANES - 1 begin. The weights of the filter AREA add up to TOTAL, and a sum
 * / TOTAL is (sum * MAGIC) >> (32 + SHIFT), unless AREA_WIDE is set. FILTER,
 * BYTES, UNUSED and TURNED are knobs, which the kernel reads here if SHARED is
 * 1. */
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

/* Ways in which a row of output samples finds its input pixels */
#define UNIT 0                  /* reads pixels that are neighbours in memory */
#define REVERSE 1               /* reads neighbouring pixels backwards */
#define GATHER 2                /* reads pixels anywhere in the row */
#define NEAR 3                  /* loads LANES neighbouring pixels, which
                                 * contain all taps */
#define NEAR2 4                 /* loads 2 * LANES neighbouring pixels, which
                                 * contain all taps */

#endif

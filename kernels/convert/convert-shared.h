/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernel of convert share. */
#ifndef CONVERT_SHARED_H
#define CONVERT_SHARED_H

/* The plan is an array of ints that the host writes for a conversion. It holds: the rows of the
 * colour matrix, each with its offset; from PLAN_BORDER on the border colour; from PLAN_INSIDE
 * on, for each output group (luma, chroma), the rectangle inside of the borders, as first
 * column, end of columns, first row and end of rows; from PLAN_KNOBS on the knobs (see
 * convert/knobs.h); from PLAN_TABLES on the descriptions of the tables, each of TABLE_SIZE
 * ints. */
#define PLAN_BORDER 12
#define PLAN_INSIDE 16
#define PLAN_KNOBS 24
#define PLAN_TABLES 44
#define TABLE_SIZE 15

/* Indices in the description of a table. A table serves one output group and one input group
 * (luma or chroma); its description tells where in the plan its arrays begin, and how large
 * they are. In the plan, the input column of output column x is at index X + x, and the weight
 * of its tap i at WEIGHTS + i * PITCH + x. The input row of tap i of output row y is at Y + 2 *
 * (y * Y_TAPS + i), followed by its weight. At NEAR + x / LANES is the first of the adjacent
 * input columns that are loaded for output columns x to x + LANES - 1 (see NEAR below). The
 * weights of the filter AREA add up to TOTAL; a sum is divided by TOTAL as (sum * MAGIC) >> (32
 * + SHIFT), unless AREA_WIDE is set. FILTER, BYTES, UNUSED, TURNED and MAX are knobs, which
 * the kernel reads here if SHARED is 1. */
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

/* How the input pixels of a row of output samples are loaded: values of the knob COLUMNS */
#define UNIT 0                  /* reads pixels that are neighbours in memory */
#define REVERSE 1               /* reads neighbouring pixels backwards */
#define GATHER 2                /* reads pixels anywhere in the row */
#define NEAR 3                  /* loads LANES neighbouring pixels, which
                                 * contain all taps */
#define NEAR2 4                 /* loads 2 * LANES neighbouring pixels, which
                                 * contain all taps */

#endif

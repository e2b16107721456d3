/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernel of convert agree on. */
#ifndef CONVERT_SHARED_H
#define CONVERT_SHARED_H

/* The plan: matrix rows with their offsets, border colour, for each output
 * group the first column, the end of the columns, the first row and the end of
 * the rows that are no border, the knobs, and where the tables are. */
#define PLAN_BORDER 12
#define PLAN_INSIDE 16
#define PLAN_KNOBS 24
#define PLAN_TABLES 44
#define TABLE_SIZE 14

/* The tables of one output group from one input group are in the plan. A table
 * says where they begin and how large they are: the column of output column x
 * is at X + x and its weight for tap i at WEIGHTS + i * PITCH + x; the row of
 * tap i of output row y is at Y + 2 * (y * Y_TAPS + i), and next to it is its
 * weight; the pixels near to columns x to x + LANES - 1 begin at the column at
 * NEAR + x / LANES. The weights of AREA add up to TOTAL, and a sum / TOTAL is
 * (sum * MAGIC) >> (32 + SHIFT), unless AREA_WIDE. FILTER, BYTES, UNUSED and
 * TURNED are the knobs of the kernel that is not built for one conversion. */
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

/* How a row of output samples finds its input pixels */
#define UNIT 0                  /* neighbours in memory */
#define REVERSE 1               /* the same, backwards */
#define GATHER 2                /* anywhere */
#define NEAR 3                  /* among LANES neighbours, for all taps */
#define NEAR2 4                 /* among 2 * LANES */

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Types of the numbers in integral images: sums of samples, and sums of their
 * squares. */
#ifndef TABLES_H
#define TABLES_H

/* Size of a number in the table of sums, in bytes: 4 or 8. */
#ifndef SUM_BYTES
#define SUM_BYTES 4
#endif

/* SQUARES is 1 if the table of sums of squares is also computed. Otherwise kernels do not access
 * their arguments for squares. */
#ifndef SQUARES
#define SQUARES 0
#endif

#include "base/samples.h"

#if SUM_BYTES == 4
typedef uint total;
typedef uint8 total8;
typedef uint16 totals;
#define convert_total8 convert_uint8
#define convert_totals convert_uint16
LOOSE (uint8, loose_total8);
LOOSE (uint16, loose_totals);
#else
typedef ulong total;
typedef ulong8 total8;
typedef ulong16 totals;
#define convert_total8 convert_ulong8
#define convert_totals convert_ulong16
LOOSE (ulong8, loose_total8);
LOOSE (ulong16, loose_totals);
#endif

static ulong
square (ulong v)
{
  return v * v;
}

#endif

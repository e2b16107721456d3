/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines types and macros for vectors of LANES values; LANES may be 1. */
#ifndef LANES_H
#define LANES_H

#include "base/math.h"

/* INDEX is the vector 0, 1 .. LANES - 1. All bits of a lane of MASK (c) are set where the
 * comparison c is true. CHOOSE (a, b, mask) is b in the lanes of such a mask, and a in the others.
 * LIST (F) is F (s0), F (s1) and so on for the elements of a vector. */
#if LANES == 1
#define INDEX 0
#define MASK(c) (-(c))
#define CHOOSE(a, b, mask) ((mask) ? (b) : (a))
#else
#define INDEX_4 (0, 1, 2, 3)
#define INDEX_8 (0, 1, 2, 3, 4, 5, 6, 7)
#define INDEX_16 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define INDEX ((intn) MATH_JOIN (INDEX_, LANES))
#define MASK(c) (c)
#define CHOOSE(a, b, mask) select (a, b, mask)
#define LIST_4(F) F (s0), F (s1), F (s2), F (s3)
#define LIST_8(F) LIST_4 (F), F (s4), F (s5), F (s6), F (s7)
#define LIST_16(F) LIST_8 (F), F (s8), F (s9), F (sa), F (sb), F (sc), F (sd), F (se), F (sf)
#define LIST(F) MATH_JOIN (LIST_, LANES) (F)
#endif

/* Packed structs with one vector, to access vectors at any address: PoCL splits vload and vstore
 * of bytes and shorts into many accesses, but loads or stores a member of a packed struct with one
 * access. */
typedef struct __attribute__ ((packed))
{
  ucharn v;
} Bytes;

typedef struct __attribute__ ((packed))
{
  ushortn v;
} Words;

#endif

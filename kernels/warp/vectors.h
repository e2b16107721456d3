/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the types of the vectors in which samples are interpolated together. */
#ifndef WARP_VECTORS_H
#define WARP_VECTORS_H

#include "base/pixels.h"

/* Number of samples that segment-mix.h interpolates together */
#define SEGMENT 8

LOOSE (uchar, loose_uchar);
LOOSE (ushort, loose_ushort);
LOOSE (int, loose_int);
LOOSE (uint, loose_uint);
LOOSE (ulong, loose_ulong);
LOOSE (int8, loose_int8);

/* Returns whether all elements of @v, which are 0 or -1, are -1. */
#define ALL(v) (as_ulong (convert_char8 (v)) == ~0UL)

#endif

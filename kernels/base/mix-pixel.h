/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads and stores the samples of a pixel that are warped together. */
#ifndef BASE_MIX_PIXEL_H
#define BASE_MIX_PIXEL_H

#include "base/samples.h"

/* Number of samples of a pixel that are warped together, 1 to 4, and the offsets of the other
 * samples from the first one, in bytes. */
#ifndef SAMPLES
#define SAMPLES 1
#endif
#ifndef AT1
#define AT1 0
#endif
#ifndef AT2
#define AT2 0
#endif
#ifndef AT3
#define AT3 0
#endif

#if SAMPLES == 1
typedef int values_of;
#define MAKE(code) ((code (0)))
#elif SAMPLES == 2
typedef int2 values_of;
#define MAKE(code) ((int2) (code (0), code (AT1)))
#else
typedef int4 values_of;
#if SAMPLES == 3
#define MAKE(code) ((int4) (code (0), code (AT1), code (AT2), 0))
#else
#define MAKE(code) ((int4) (code (0), code (AT1), code (AT2), code (AT3)))
#endif
#endif

static int
load (global const uchar * p)
{
  return get (p, 0);
}

/* Returns the samples of the pixel at the address @p. */
static values_of
load_pixel (global const uchar * p)
{
#define LOAD(at) load (p + (at))
  return MAKE (LOAD);
#undef LOAD
}

static void
store_pixel (global uchar * p, values_of v)
{
#if SAMPLES == 1
  put (p, 0, v);
#else
  put (p, 0, v.s0);
  put (p + AT1, 0, v.s1);
#endif
#if SAMPLES > 2
  put (p + AT2, 0, v.s2);
#endif
#if SAMPLES > 3
  put (p + AT3, 0, v.s3);
#endif
}

static values_of
choose_black (int black0, int black1, int black2, int black3)
{
#if SAMPLES == 1
  return black0;
#elif SAMPLES == 2
  return (int2) (black0, black1);
#else
  return (int4) (black0, black1, black2, black3);
#endif
}

#endif

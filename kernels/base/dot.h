/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dot products of signed 16-bit numbers, two of which are packed in each 32-bit
 * word. */
#ifndef DOT_H
#define DOT_H

#include "base/math.h"

/* Returns sum plus, for each word, the product of its lower halves and the
 * product of its upper halves. Halves are signed, and the result is modulo
 * 2^32. Processors have an instruction for this, but a compiler does not find
 * it. */
static uintn
add_dots (uintn sum, uintn words, uintn factors)
{
#if LANES == 16 && defined (__AVX512BW__)
  typedef short halves __attribute__ ((ext_vector_type (32)));

  return sum + as_uint16 (__builtin_ia32_pmaddwd512 (
          __builtin_astype (words, halves),
          __builtin_astype (factors, halves)));
#else
  return sum + as_uintn ((as_intn (words << 16) >> 16)
      * (as_intn (factors << 16) >> 16)
      + (as_intn (words) >> 16) * (as_intn (factors) >> 16));
#endif
}

/* Calls add_dots() with the same factors in each lane. */
static uintn
add_dot (uintn sum, uintn words, uint factors)
{
  return add_dots (sum, words, (uintn) (factors));
}

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dot products of signed 16-bit numbers; a 32-bit word holds two of these numbers. */
#ifndef DOT_H
#define DOT_H

#include "base/math.h"

/* HAS_AVX2 is 1 if a vector has 16 32-bit integers and the processor has AVX2 but not AVX-512.
 * Such a vector then occupies two registers. */
#if LANES == 16 && defined (__AVX2__) && !defined (__AVX512BW__)
#define HAS_AVX2 1
typedef short halves __attribute__ ((ext_vector_type (16)));
#else
#define HAS_AVX2 0
#endif

/* Adds a dot product of two 16-bit numbers to each lane (element) of @sum: the product of the
 * lower 16 bits of @words and @factors, and the product of their upper 16 bits. The 16-bit
 * numbers are signed; the result is modulo 2^32. CPUs have one instruction for this (pmaddwd);
 * compilers do not generate it from ordinary code. Returns the sums. */
static uintn
add_dots (uintn sum, uintn words, uintn factors)
{
#if LANES == 16 && defined (__AVX512BW__)
  typedef short halves __attribute__ ((ext_vector_type (32)));

  return sum + as_uint16 (__builtin_ia32_pmaddwd512 (
          __builtin_astype (words, halves),
          __builtin_astype (factors, halves)));
#elif HAS_AVX2
  return sum + (uint16) (as_uint8 (__builtin_ia32_pmaddwd256 (
              __builtin_astype (words.lo, halves),
              __builtin_astype (factors.lo, halves))),
      as_uint8 (__builtin_ia32_pmaddwd256 (
              __builtin_astype (words.hi, halves),
              __builtin_astype (factors.hi, halves))));
#else
  return sum + as_uintn ((as_intn (words << 16) >> 16)
      * (as_intn (factors << 16) >> 16)
      + (as_intn (words) >> 16) * (as_intn (factors) >> 16));
#endif
}

/* Adds dot products as add_dots() does, with the same pair of 16-bit factors, @factors, for all
 * lanes of @words. */
static uintn
add_dot (uintn sum, uintn words, uint factors)
{
  return add_dots (sum, words, (uintn) (factors));
}

/* Packs two vectors of 16-bit numbers into one vector of 32-bit words. The lower half of a word
 * is an element of @a, its upper half the element of @b with the same index. On AVX2, the words
 * are in the order in which an instruction interleaves two registers; upper_halves() restores
 * the order of the elements. */
static uintn
pair_words (ushortn a, ushortn b)
{
#if HAS_AVX2
  return (uint16) (as_uint8 (__builtin_shufflevector (a, b, 0, 16, 1, 17, 2,
              18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)),
      as_uint8 (__builtin_shufflevector (a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12,
              28, 13, 29, 14, 30, 15, 31)));
#else
  return convert_uintn (a) | convert_uintn (b) << 16;
#endif
}

/* Returns the upper 16 bits of each number of @sums. These 32-bit numbers were computed from
 * the result of pair_words(); the returned numbers are in the order of the elements that were
 * passed to pair_words(). */
static ushortn
upper_halves (uintn sums)
{
#if HAS_AVX2
  typedef int words __attribute__ ((ext_vector_type (8)));

  return __builtin_astype (__builtin_ia32_packusdw256 (
          __builtin_astype (sums.lo >> 16, words),
          __builtin_astype (sums.hi >> 16, words)), ushort16);
#else
  return convert_ushortn (sums >> 16);
#endif
}

#endif

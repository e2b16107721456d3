/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unpacks the samples of formats in which several samples share a word, and packs them again. The
 * layouts are described in docs/algorithms/convert.md.
 *
 * Each work-item processes one group of pixels: the smallest number of pixels that begins and
 * ends at the boundary of a word. The unpacked frame has a plane of 16-bit samples for each
 * component or, for RGB, one plane with pixels of 3 bytes. */

#include "pack/pack-shared.h"

/* PACKING is the layout of the words: see pack/pack-shared.h. */
#ifndef PACKING
#define PACKING V210
#endif

/* Number of unused low bits of the words of YUYV_16 */
#ifndef SHIFT
#define SHIFT 6
#endif

/* Largest valid value of an unpacked 16-bit sample; larger values are clamped. */
#ifndef MAX
#define MAX 1023
#endif

/* Positions of the lowest bits of red and blue in a word of RGB_16, and number of bits of green */
#ifndef RED
#define RED 11
#endif
#ifndef BLUE
#define BLUE 0
#endif
#ifndef GREEN_BITS
#define GREEN_BITS 6
#endif

/* Parameters for the planes of the frame with separate samples. base<i> is the byte offset of plane i
 * in @plain, stride<i> the number of bytes from row to row. */
#define PLANES(qualifier) \
    qualifier uchar * plain, int base0, int stride0, int base1, int stride1, int base2, int stride2

/* Address of row y of plane i, as 16-bit samples */
#define ROW(qualifier, i) ((qualifier ushort *) (plain + base##i + y * stride##i))

/* Writes sample number i of a row of n samples; does nothing if i is n or more. */
static void
put (global ushort * row, int i, int n, uint v)
{
  if (i < n)
    row[i] = v;
}

/* Returns sample number i of a row of n samples; the last sample if i is n or more. */
static uint
get (global const ushort * row, int i, int n)
{
  return min ((uint) row[min (i, n - 1)], (uint) MAX);
}

/* Expands a sample of @bits bits to 8 bits, by repeating its upper bits. */
static uint
widen (uint v, int bits)
{
  return v << (8 - bits) | v >> (2 * bits - 8);
}

/* Rounds an 8-bit sample to a sample of @bits bits. */
static uint
narrow (uint v, int bits)
{
  return (v * ((1 << bits) - 1) + 127) / 255;
}

kernel void
unpack_words (global const uchar * packed, int base, int stride, PLANES (global),
    int width, int chroma_width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  global const uchar *row = packed + base + y * stride;

  if (x >= width || y >= height)
    return;
#if PACKING == SWAPPED
  {
    uint word = ((global const ushort *) row)[x];

    put (ROW (global, 0), x, width, word >> 8 | word << 8);
  }
#elif PACKING == RGB_16
  {
    uint word = ((global const ushort *) row)[x];
    global uchar *to = plain + base0 + y * stride0 + 3 * x;

    to[0] = widen (word >> RED & 31, 5);
    to[1] = widen (word >> 5 & ((1 << GREEN_BITS) - 1), GREEN_BITS);
    to[2] = widen (word >> BLUE & 31, 5);
  }
#elif PACKING == YUYV_16
  if (x < chroma_width) {
    global const ushort *words = (global const ushort *) row + 4 * x;

    put (ROW (global, 0), 2 * x, width, words[0] >> SHIFT);
    put (ROW (global, 0), 2 * x + 1, width, words[2] >> SHIFT);
    put (ROW (global, 1), x, chroma_width, words[1] >> SHIFT);
    put (ROW (global, 2), x, chroma_width, words[3] >> SHIFT);
  }
#elif PACKING == Y410
  {
    uint word = ((global const uint *) row)[x];

    put (ROW (global, 0), x, width, word >> 10 & 1023);
    put (ROW (global, 1), x, width, word & 1023);
    put (ROW (global, 2), x, width, word >> 20 & 1023);
  }
#else
  if (6 * x < width) {
    global const uint *words = (global const uint *) row + 4 * x;
    global ushort *luma = ROW (global, 0);
    global ushort *u = ROW (global, 1), *v = ROW (global, 2);

    put (luma, 6 * x, width, words[0] >> 10 & 1023);
    put (luma, 6 * x + 1, width, words[1] & 1023);
    put (luma, 6 * x + 2, width, words[1] >> 20 & 1023);
    put (luma, 6 * x + 3, width, words[2] >> 10 & 1023);
    put (luma, 6 * x + 4, width, words[3] & 1023);
    put (luma, 6 * x + 5, width, words[3] >> 20 & 1023);
    put (u, 3 * x, chroma_width, words[0] & 1023);
    put (u, 3 * x + 1, chroma_width, words[1] >> 10 & 1023);
    put (u, 3 * x + 2, chroma_width, words[2] >> 20 & 1023);
    put (v, 3 * x, chroma_width, words[0] >> 20 & 1023);
    put (v, 3 * x + 1, chroma_width, words[2] & 1023);
    put (v, 3 * x + 2, chroma_width, words[3] >> 10 & 1023);
  }
#endif
}

kernel void
pack_words (global uchar * packed, int base, int stride, PLANES (global const),
    int width, int chroma_width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  global uchar *row = packed + base + y * stride;

  if (x >= width || y >= height)
    return;
#if PACKING == SWAPPED
  {
    uint word = get (ROW (global const, 0), x, width);

    ((global ushort *) row)[x] = word >> 8 | word << 8;
  }
#elif PACKING == RGB_16
  {
    global const uchar *from = plain + base0 + y * stride0 + 3 * x;

    ((global ushort *) row)[x] = narrow (from[0], 5) << RED
        | narrow (from[1], GREEN_BITS) << 5 | narrow (from[2], 5) << BLUE;
  }
#elif PACKING == YUYV_16
  if (x < chroma_width) {
    global ushort *words = (global ushort *) row + 4 * x;

    words[0] = get (ROW (global const, 0), 2 * x, width) << SHIFT;
    words[1] = get (ROW (global const, 1), x, chroma_width) << SHIFT;
    words[2] = get (ROW (global const, 0), 2 * x + 1, width) << SHIFT;
    words[3] = get (ROW (global const, 2), x, chroma_width) << SHIFT;
  }
#elif PACKING == Y410
  ((global uint *) row)[x] = get (ROW (global const, 1), x, width)
      | get (ROW (global const, 0), x, width) << 10
      | get (ROW (global const, 2), x, width) << 20 | 3u << 30;
#else
  if (6 * x < width) {
    global uint *words = (global uint *) row + 4 * x;
    global const ushort *luma = ROW (global const, 0);
    global const ushort *u = ROW (global const, 1);
    global const ushort *v = ROW (global const, 2);

    words[0] = get (u, 3 * x, chroma_width) | get (luma, 6 * x, width) << 10
        | get (v, 3 * x, chroma_width) << 20;
    words[1] = get (luma, 6 * x + 1, width)
        | get (u, 3 * x + 1, chroma_width) << 10
        | get (luma, 6 * x + 2, width) << 20;
    words[2] = get (v, 3 * x + 1, chroma_width)
        | get (luma, 6 * x + 3, width) << 10
        | get (u, 3 * x + 2, chroma_width) << 20;
    words[3] = get (luma, 6 * x + 4, width)
        | get (v, 3 * x + 2, chroma_width) << 10
        | get (luma, 6 * x + 5, width) << 20;
  }
#endif
}

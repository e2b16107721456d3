/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of packed formats: see docs/algorithms/convert.md. */
#include "pack.h"

#include "samples.h"

/* Describes where a sample lies in memory: @bits bits from bit @shift upwards of the word of @bytes
 * bytes at @at, which is little-endian unless @is_big is set. */
typedef struct
{
  uint8_t *at;
  int bytes, shift, bits;
  int is_big;
} Place;

/* Returns the position of a sample in word number @word of row @y, in words of @bytes bytes. */
static Place
in_word (const RefPacked * f, int y, int word, int bytes, int shift, int bits)
{
  Place place = { f->data[0] + y * f->stride[0] + (ptrdiff_t) word * bytes,
    bytes, shift, bits, 0
  };

  return place;
}

/* The samples of 6 pixels are U Y V Y U Y V Y U Y V Y, with 3 samples in each word. */
static Place
in_v210 (const RefPacked * f, int c, int x, int y)
{
  int number = c == 0 ? 2 * (x % 6) + 1 : 4 * (x % 3) + 2 * (c - 1);
  int group = c == 0 ? x / 6 : x / 3;

  return in_word (f, y, 4 * group + number / 3, 4, 10 * (number % 3), 10);
}

static Place
in_rgb (const RefPacked * f, int c, int x, int y)
{
  int green = f->format <= REF_PACK_BGR16 ? 6 : 5;
  int is_first = f->format == REF_PACK_RGB16 || f->format == REF_PACK_RGB15
      ? c == 0 : c == 2;

  if (c == 1)
    return in_word (f, y, x, 2, 5, green);
  return in_word (f, y, x, 2, is_first ? 5 + green : 0, 5);
}

/* Finds a sample in tiles of 4x4 or 32x32 bytes, which lie side by side; in chroma tiles, U and V
 * alternate. */
static Place
in_tile (const RefPacked * f, int c, int x, int y)
{
  int size = f->format == REF_PACK_NV12_4L4 ? 4 : 32, plane = c > 0;
  int column = c == 0 ? x : 2 * x + c - 1;
  Place place = { f->data[plane] + y / size * f->stride[plane]
        + column / size * size * size + y % size * size + column % size,
    1, 0, 8, 0
  };

  return place;
}

static Place
find_place (const RefPacked * f, int c, int x, int y)
{
  static const int y410[] = { 10, 0, 20 };
  Place place;

  switch (f->format) {
    case REF_PACK_GRAY16_BE:
      place = in_word (f, y, x, 2, 0, 16);
      place.is_big = 1;
      return place;
    case REF_PACK_V210:
      return in_v210 (f, c, x, y);
    case REF_PACK_Y210:
    case REF_PACK_Y212:
      return in_word (f, y, c == 0 ? 2 * x : 4 * x + 2 * c - 1, 2,
          f->format == REF_PACK_Y210 ? 6 : 4,
          f->format == REF_PACK_Y210 ? 10 : 12);
    case REF_PACK_Y410:
      return in_word (f, y, x, 4, y410[c], 10);
    case REF_PACK_NV12_4L4:
    case REF_PACK_NV12_32L32:
      return in_tile (f, c, x, y);
    default:
      return in_rgb (f, c, x, y);
  }
}

static uint32_t
load (const Place * p)
{
  uint32_t word = 0;

  for (int i = 0; i < p->bytes; i++)
    word |= (uint32_t) p->at[i] << 8 * (p->is_big ? p->bytes - 1 - i : i);
  return word;
}

static void
store (const Place * p, uint32_t word)
{
  for (int i = 0; i < p->bytes; i++)
    p->at[i] = word >> 8 * (p->is_big ? p->bytes - 1 - i : i);
}

static int
is_rgb (const RefPacked * f)
{
  return f->format >= REF_PACK_RGB16 && f->format <= REF_PACK_BGR15;
}

void
ref_unpack (const RefPacked * packed, const RefPlane * plain, int n)
{
  for (int c = 0; c < n; c++)
    for (int y = 0; y < plain[c].height; y++)
      for (int x = 0; x < plain[c].width; x++) {
        Place p = find_place (packed, c, x, y);
        int v = load (&p) >> p.shift & ((1u << p.bits) - 1);

        if (is_rgb (packed))
          v = v << (8 - p.bits) | v >> (2 * p.bits - 8);
        ref_set (&plain[c], x, y, v);
      }
}

static int
round_up (int n, int unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Returns the number of columns, or rows, of component @c, extended to whole groups of words or
 * whole tiles. */
static int
find_extent (const RefPacked * f, int c, int n, int vertical)
{
  int tile = f->format == REF_PACK_NV12_4L4 ? 4 : 32;

  if (f->format >= REF_PACK_NV12_4L4)
    return round_up (n, c > 0 && !vertical ? tile / 2 : tile);
  if (vertical)
    return n;
  if (f->format == REF_PACK_V210)
    return round_up (n, c == 0 ? 6 : 3);
  if (f->format == REF_PACK_Y210 || f->format == REF_PACK_Y212)
    return round_up (n, c == 0 ? 2 : 1);
  return n;
}

void
ref_pack (const RefPlane * plain, int n, const RefPacked * packed)
{
  for (int clear = 1; clear >= 0; clear--)
    for (int c = 0; c < n; c++) {
      const RefPlane *from = &plain[c];

      for (int y = 0; y < find_extent (packed, c, from->height, 1); y++)
        for (int x = 0; x < find_extent (packed, c, from->width, 0); x++) {
          Place p = find_place (packed, c, x, y);
          int v = ref_get (from, x < from->width ? x : from->width - 1,
              y < from->height ? y : from->height - 1);

          if (is_rgb (packed))
            v = (v * ((1 << p.bits) - 1) + 127) / 255;
          if (clear)
            store (&p, packed->format == REF_PACK_Y410 ? 3u << 30 : 0);
          else
            store (&p, load (&p) | (uint32_t) v << p.shift);
        }
    }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the threshold of each tile, from the coarsest level to the finest one, and compares the
 * pixels with it. */
#include "threshold/threshold.h"

/* Distance, in bytes, between the rows of tiles of a block in local memory, which has one
 * additional tile on each side. The tiles of the block itself begin 16 bytes after the start of a
 * row. */
#define PITCH 64

/* Defines a function that loads the tiles of a level of a block, and one more tile on each side.
 * Beyond the edges of the picture, its outermost tiles are repeated. */
#define LOAD_TILES(name, type) \
static void \
name (const global ThresholdPicture * picture, int l, int x0, int y0, \
    const global type * values, SHARED type * to) \
{ \
  int size = THRESHOLD_BLOCK >> l, columns = picture->columns[l]; \
  int rows = picture->rows[l], left = x0 >> l, top = y0 >> l; \
\
  values += picture->levels[l]; \
  for (int i = LOCAL_ID; i < size + 2; i += GROUP) { \
    int y = clamp (top + i - 1, 0, rows - 1); \
    const global type *row = values + (size_t) y * columns; \
    SHARED type *at = to + i * PITCH + 16; \
\
    at[-1] = row[max (left - 1, 0)]; \
    for (int x = 0; x < size; x++) \
      at[x] = row[min (left + x, columns - 1)]; \
    at[size] = row[min (left + size, columns - 1)]; \
  } \
}

LOAD_TILES (load_level, uchar)
LOAD_TILES (load_means, ushort)

#define ROW_OF(p, i, dx) LOAD_NEAR (loose_uchar16, (p) + (i) * PITCH + (dx))
#define MEANS_OF(p, i, dx) convert_uint16 (LOAD_NEAR (loose_ushort16, \
    (p) + (i) * PITCH + (dx)))

static uchar16
least_around (SHARED const uchar * p)
{
  uchar16 a = min (min (ROW_OF (p, 0, 0), ROW_OF (p, 1, 0)), ROW_OF (p, 2, 0));
  uchar16 b = min (min (ROW_OF (p, 0, 1), ROW_OF (p, 1, 1)), ROW_OF (p, 2, 1));
  uchar16 c = min (min (ROW_OF (p, 0, -1), ROW_OF (p, 1, -1)),
      ROW_OF (p, 2, -1));

  return min (min (a, b), c);
}

static uchar16
most_around (SHARED const uchar * p)
{
  uchar16 a = max (max (ROW_OF (p, 0, 0), ROW_OF (p, 1, 0)), ROW_OF (p, 2, 0));
  uchar16 b = max (max (ROW_OF (p, 0, 1), ROW_OF (p, 1, 1)), ROW_OF (p, 2, 1));
  uchar16 c = max (max (ROW_OF (p, 0, -1), ROW_OF (p, 1, -1)),
      ROW_OF (p, 2, -1));

  return max (max (a, b), c);
}

/* Returns the mean of the 3 x 3 means around a tile, in gray levels, rounded down. */
static uchar16
mean_around (SHARED const ushort * p)
{
  uint16 sum = (uint16) (0);

  for (int i = 0; i < 3; i++)
    sum += MEANS_OF (p, i, -1) + MEANS_OF (p, i, 0) + MEANS_OF (p, i, 1);
  /* Computes sum / 144; the result is exact for sums up to 36720. */
  return convert_uchar16 ((sum * (uint) 116509) >> (uint) 24);
}

/* Returns a word with a bit for each pixel, which is set if the pixel is above its threshold. */
static uint
pack_bits (uchar16 pixels, uchar16 thresholds)
{
  /* Tests whether the saturated difference is not 0, because Oclgrind 21.10 compares vectors of
   * unsigned bytes as signed ones. */
  ulong2 above = as_ulong2 (min (sub_sat (pixels, thresholds), (uchar16) (1)));

  above = (above * (ulong2) (0x0102040810204080UL)) >> (ulong2) (56);
  return (uint) above.x | (uint) above.y << 8;
}

/* Compares 32 pixels of a row with the thresholds of their 16 or 8 tiles. Returns: a bit
 * for each pixel, set if the pixel is above its threshold */
static uint
compare (const global uchar * plane, int stride, int width, int height,
    int tile, int x, int y, SHARED const uchar * thresholds)
{
  uchar16 t = LOAD_NEAR (loose_uchar16, thresholds);
  uchar16 p = load_pixels_at (plane, stride, width, height, x, y);
  uchar16 q = load_pixels_at (plane, stride, width, height, x + 16, y);
  uchar16 a = t.s0011223344556677, b = t.s8899aabbccddeeff;
  int n = width - x;
  uint bits;

  if (tile == 4) {
    b = a.s8899aabbccddeeff;
    a = a.s0011223344556677;
  }
  bits = pack_bits (p, a) | pack_bits (q, b) << 16;

  return n < 32 ? bits & ((1u << n) - 1) : bits;
}

/* Finds the thresholds of the tiles of a block, and the bits of its pixels in the map (a binary
 * image). */
kernel void
threshold_levels (const global ThresholdPicture * restrict pictures,
    const global ThresholdMap * restrict maps, int n_maps,
    const global uchar * restrict frame, int offset, int stride,
    const global uchar * restrict halves, const global uchar * restrict least,
    const global uchar * restrict most, const global ushort * restrict mean,
    int contrast, global uchar * restrict thresholds,
    global uint * restrict bits)
{
  const global ThresholdMap *map = maps;
  const global ThresholdPicture *picture;
  const global uchar *plane;
  int block = GROUP_ID, x0, y0, pitch, tile;
  SHARED uchar a[(THRESHOLD_BLOCK + 2) * PITCH], b[(THRESHOLD_BLOCK + 2) * PITCH];
  SHARED ushort m[(THRESHOLD_BLOCK + 2) * PITCH];
  SHARED uchar t[2][THRESHOLD_BLOCK * PITCH];

  for (int i = 1; i < n_maps; i++)
    if (block >= maps[i].first_block)
      map = maps + i;
  picture = pictures + map->picture;
  block -= map->first_block;
  x0 = block % map->blocks * THRESHOLD_BLOCK;
  y0 = block / map->blocks * THRESHOLD_BLOCK;
  tile = picture->tile;
  plane = picture->halvings == 0 ? frame + offset : halves + picture->plane;
  pitch = picture->halvings == 0 ? stride : picture->stride;

  for (int l = THRESHOLD_LEVELS - 1; l >= 0; l--) {
    int size = THRESHOLD_BLOCK >> l, chunks = (size + 15) / 16;

    load_level (picture, l, x0, y0, least, a);
    load_level (picture, l, x0, y0, most, b);
    load_means (picture, l, x0, y0, mean, m);
    SYNC
    for (int i = LOCAL_ID; i < size * chunks; i += GROUP) {
      int x = i % chunks * 16, y = i / chunks;
      int at = y * PITCH + x + 16;
      uchar16 low = least_around (a + at), high = most_around (b + at);
      uchar16 range = high - low;
      uchar16 own = map->is_mean ? mean_around (m + at)
          : low + (range >> (uchar) 1);
      uchar16 above = (LOAD_NEAR (loose_uchar16, t[(l + 1) & 1]
              + y / 2 * PITCH + x / 2)).s0011223344556677;
      char16 is_flat = l == THRESHOLD_LEVELS - 1 ? (char16) (0)
          : range < (uchar16) ((uchar) contrast);

      STORE_NEAR (loose_uchar16, t[l & 1] + y * PITCH + x,
          select (own, above, as_uchar16 (is_flat)));
    }
    SYNC
  }
  for (int i = LOCAL_ID; i < THRESHOLD_BLOCK; i += GROUP)
    for (int x = 0; x < THRESHOLD_BLOCK; x++)
      if (x0 + x < picture->columns[0] && y0 + i < picture->rows[0])
        thresholds[map->thresholds + (size_t) (y0 + i) * picture->columns[0]
            + x0 + x] = t[0][i * PITCH + x];
  for (int i = LOCAL_ID; i < THRESHOLD_BLOCK * tile * tile; i += GROUP) {
    int x = i % tile, y = y0 * tile + i / tile, left = x0 * tile + 32 * x;

    if (y < picture->height && left < picture->width)
      bits[map->bits + (size_t) y * map->words + left / 32] =
          compare (plane, pitch, picture->width, picture->height, tile, left,
          y, t[0] + i / tile / tile * PITCH + x * (32 / tile));
  }
}

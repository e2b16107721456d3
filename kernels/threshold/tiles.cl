/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Halves the size of frames, and computes the minimum, the maximum and the mean of the tiles of all
 * levels. */
#include "threshold/threshold.h"

/* Returns pixels x to x + 15 of row y of the plane @in after its width and height were halved:
 * each pixel is the mean of 2 x 2 pixels. */
static uchar16
halve_at (const global uchar * in, int stride, int width, int height, int x,
    int y)
{
  ushort16 a = convert_ushort16 (load_pixels_at (in, stride, width, height,
          2 * x, 2 * y)) + convert_ushort16 (load_pixels_at (in, stride, width,
          height, 2 * x, 2 * y + 1));
  ushort16 b = convert_ushort16 (load_pixels_at (in, stride, width, height,
          2 * x + 16, 2 * y)) + convert_ushort16 (load_pixels_at (in, stride,
          width, height, 2 * x + 16, 2 * y + 1));

  return convert_uchar16 (((ushort16) (a.even, b.even) + (ushort16) (a.odd,
              b.odd) + (ushort) 2) >> (ushort) 2);
}

/* Halves the width and height of a plane. Each work-item computes 16 pixels of a row. */
kernel void
threshold_halve (const global uchar * restrict in, int offset, int stride,
    int width, int height, global uchar * restrict out, int out_offset,
    int pitch, int columns, int rows)
{
  int x = 16 * (int) get_global_id (0), y = get_global_id (1);

  if (x >= columns || y >= rows)
    return;
  /* Rows of @out have room for 16 more pixels after their end. */
  STORE_LOOSE (loose_uchar16, out + out_offset + (size_t) y * pitch + x,
      halve_at (in + offset, stride, width, height, x, y));
}

/* An image and, if the kernel computes the image by halving a plane, this plane */
typedef struct
{
  global uchar *plane;
  int stride, width, height;
  const global uchar *from;     /* plane that is halved; NULL: the image already exists */
  int from_stride, from_width, from_height;
} Picture;

/* Returns pixels x to x + 15 of row y of an image, which is computed and stored if necessary.
 * Beyond the edges of the image, its outermost pixels are repeated. */
static uchar16
load_row (const Picture * picture, int x, int y)
{
  int width = picture->width, height = picture->height;
  uchar v[16];
  uchar16 row;

  if (picture->from == 0)
    return load_pixels_at (picture->plane, picture->stride, width, height, x,
        y);
  row = halve_at (picture->from, picture->from_stride, picture->from_width,
      picture->from_height, x, min (y, height - 1));
  if (y < height)
    STORE_LOOSE (loose_uchar16, picture->plane + (size_t) y * picture->stride
        + x, row);
  if (x + 16 <= width)
    return row;
  vstore16 (row, 0, v);
  for (int i = width - x; i < 16; i++)
    v[i] = v[width - x - 1];
  return vload16 (0, v);
}

/* Number of tiles of all levels of a block: 32 x 32 + 16 x 16 + ... + 1 */
#define ALL_TILES 1365

/* Index of the first tile of level l among the tiles of all levels of a block */
#define LEVEL_START(l) ((4096 - (4096 >> 2 * (l))) / 3)

/* Computes the minimum, the maximum and the sum of each of 16 columns, over 4 or 2 rows. */
static void
scan_rows (const Picture * picture, int tile, int x, int y, uchar16 * least,
    uchar16 * most, ushort16 * sum)
{
  *least = *most = load_row (picture, x, y);
  *sum = convert_ushort16 (*least);
  for (int i = 1; i < tile; i++) {
    uchar16 v = load_row (picture, x, y + i);

    *least = min (*least, v);
    *most = max (*most, v);
    *sum += convert_ushort16 (v);
  }
}

/* Computes minimum, maximum and mean of 8 tiles of 2 pixels width, or of 4 tiles of 4 pixels
 * width, in a row of tiles. Means are in units of 1/16 gray level. */
static void
scan_tiles (const Picture * picture, int tile, int x, int y,
    SHARED uchar * least, SHARED uchar * most, SHARED ushort * mean)
{
  uchar16 a, b;
  ushort16 s;
  uchar8 c, d;
  ushort8 t;

  scan_rows (picture, tile, x, y, &a, &b, &s);
  c = min (a.even, a.odd);
  d = max (b.even, b.odd);
  t = s.even + s.odd;
  if (tile == 2) {
    STORE_NEAR (loose_uchar8, least, c);
    STORE_NEAR (loose_uchar8, most, d);
    STORE_NEAR (loose_ushort8, mean, t << (ushort) 2);
  } else {
    uchar4 e = min (c.even, c.odd), f = max (d.even, d.odd);
    ushort4 u = t.even + t.odd;
    uchar p[4], q[4];
    ushort r[4];

    vstore4 (e, 0, p);
    vstore4 (f, 0, q);
    vstore4 (u, 0, r);
    for (int i = 0; i < 4; i++) {
      least[i] = p[i];
      most[i] = q[i];
      mean[i] = r[i];
    }
  }
}

/* Computes the tiles of all levels of a block of an image. (from, from_stride, from_width,
 * from_height): the plane from which the image is computed by halving; it is the frame if @from is
 * -1, otherwise in @halves */
kernel void
threshold_tiles (const global ThresholdPicture * restrict pictures,
    int n_pictures, const global uchar * restrict frame, int offset, int stride,
    global uchar * halves, int from, int from_stride, int from_width,
    int from_height, global uchar * restrict least,
    global uchar * restrict most, global ushort * restrict mean)
{
  const global ThresholdPicture *picture = pictures;
  int block = GROUP_ID, across, x0, y0, tile, per_load;
  Picture pixels;
  SHARED uchar a[ALL_TILES + 16], b[ALL_TILES + 16];
  SHARED ushort m[ALL_TILES + 16];

  for (int i = 1; i < n_pictures; i++)
    if (block >= pictures[i].first_block)
      picture = pictures + i;
  block -= picture->first_block;
  x0 = block % picture->blocks * THRESHOLD_BLOCK;
  y0 = block / picture->blocks * THRESHOLD_BLOCK;
  tile = picture->tile;
  per_load = 16 / tile;
  across = THRESHOLD_BLOCK / per_load;
  pixels.plane = picture->halvings == 0 ? (global uchar *) frame + offset
      : halves + picture->plane;
  pixels.stride = picture->halvings == 0 ? stride : picture->stride;
  pixels.width = picture->width;
  pixels.height = picture->height;
  pixels.from = !picture->is_made ? 0 : from < 0 ? frame + offset
      : halves + from;
  pixels.from_stride = from_stride;
  pixels.from_width = from_width;
  pixels.from_height = from_height;

  for (int i = LOCAL_ID; i < across * THRESHOLD_BLOCK; i += GROUP) {
    int x = i % across * per_load, y = i / across;
    int at = y * THRESHOLD_BLOCK + x;

    if (x0 + x < picture->columns[0] && y0 + y < picture->rows[0])
      scan_tiles (&pixels, tile, (x0 + x) * tile, (y0 + y) * tile, a + at,
          b + at, m + at);
  }
  SYNC
  for (int l = 0; l < THRESHOLD_LEVELS; l++) {
    int size = THRESHOLD_BLOCK >> l, left = x0 >> l, top = y0 >> l;
    int columns = min (picture->columns[l] - left, size);
    int rows = min (picture->rows[l] - top, size);
    SHARED uchar *p = a + LEVEL_START (l), *q = b + LEVEL_START (l);
    SHARED ushort *r = m + LEVEL_START (l);
    int start = picture->levels[l];

    for (int i = LOCAL_ID; i < size * size; i += GROUP) {
      int x = i & (size - 1), y = i >> (THRESHOLD_LEVELS - 1 - l);

      if (x < columns && y < rows) {
        int to = start + (top + y) * picture->columns[l] + left + x;

        least[to] = p[i];
        most[to] = q[i];
        mean[to] = r[i];
      }
    }
    if (l < THRESHOLD_LEVELS - 1) {
      int next = size / 2;

      for (int i = LOCAL_ID; i < next * next; i += GROUP) {
        int x = 2 * (i & (next - 1)), y = 2 * (i >> (THRESHOLD_LEVELS - 2 - l));
        /* Repeats the last tiles of the image beyond its edges. */
        int u = min (x, columns - 1), v = min (y, rows - 1);
        int u1 = min (x + 1, columns - 1), v1 = min (y + 1, rows - 1);
        int c = v * size + u, d = v * size + u1;
        int e = v1 * size + u, f = v1 * size + u1, to = size * size + i;

        p[to] = min (min (p[c], p[d]), min (p[e], p[f]));
        q[to] = max (max (q[c], q[d]), max (q[e], q[f]));
        r[to] = (r[c] + r[d] + r[e] + r[f]) >> 2;
      }
    }
    SYNC
  }
}

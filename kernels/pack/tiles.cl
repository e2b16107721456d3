/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts a plane between tiles and rows. Tiles of @tile_width x @tile_height bytes are stored
 * from left to right, then from top to bottom; within a tile, its rows of bytes follow one another.
 * @tile_width is a multiple of 4. @stride is the number of bytes of a row of tiles.
 *
 * Each work-item moves 4 bytes. */

/* Returns the offset, in the tiled plane, of the 4 bytes that begin at column 4 x of row y. */
static int
find_offset (int x, int y, int stride, int tile_width, int tile_height)
{
  int column = 4 * x;

  return y / tile_height * stride
      + (column / tile_width * tile_height + y % tile_height) * tile_width
      + column % tile_width;
}

kernel void
unpack_tiles (global const uchar * tiles, int base, int stride, global uchar * plain,
    int plain_base, int plain_stride, int tile_width, int tile_height, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  global const uchar *from =
      tiles + base + find_offset (x, y, stride, tile_width, tile_height);
  global uchar *to = plain + plain_base + y * plain_stride + 4 * x;

  if (y >= height)
    return;
  if (4 * x + 4 <= width)
    vstore4 (vload4 (0, from), 0, to);
  else
    for (int i = 0; i < width - 4 * x; i++)
      to[i] = from[i];
}

/* Returns byte number i of a row of @width bytes with @pixel bytes for each pixel. After the end
 * of the row, its last pixel is repeated. */
static uchar
get (global const uchar * row, int i, int width, int pixel)
{
  int byte = i % pixel;

  return row[min (i - byte, width - pixel) + byte];
}

/* Fills whole tiles. In tiles that extend past the frame, the last column and the last row of the
 * frame are repeated. */
kernel void
pack_tiles (global uchar * tiles, int base, int stride, global const uchar * plain,
    int plain_base, int plain_stride, int tile_width, int tile_height, int width, int height,
    int pixel)
{
  int x = get_global_id (0), y = get_global_id (1);
  global const uchar *row = plain + plain_base
      + min (y, height - 1) * plain_stride;

  if (4 * x < (width + tile_width - 1) / tile_width * tile_width
      && y < (height + tile_height - 1) / tile_height * tile_height)
    vstore4 ((uchar4) (get (row, 4 * x, width, pixel),
            get (row, 4 * x + 1, width, pixel),
            get (row, 4 * x + 2, width, pixel),
            get (row, 4 * x + 3, width, pixel)), 0, tiles + base
        + find_offset (x, y, stride, tile_width, tile_height));
}

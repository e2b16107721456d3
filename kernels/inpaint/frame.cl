/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies a frame to the working copy and back, one component at a time, and fills the holes of
 * frames without a source patch.
 *
 * Work-item (i, j) processes every get_global_size (0)-th column of row j of its part of the
 * frame, starting at column i. */
#include "base/any-samples.h"
#include "inpaint/inpaint.h"

/* Loads columns x0 to x1 - 1 of a component, starting at row y0, into the working copy. @colour
 * is the index of the component in the working copy. @more is the number of low bits that are
 * removed from values. */
kernel void
inpaint_load (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y, int more,
    global word * work, int plane, int width, int colour, int x0, int x1,
    int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    uint value = get_sample (in, offset, stride, step, bytes, shift, most,
        x >> sub_x, y >> sub_y) >> more;

#if LANES == 16
    work[colour * plane + y * width + x] = value;
#else
    ((global uchar *) & work[y * width + x])[colour] = value;
#endif
  }
}

/* Writes four distances to @ends for each pixel of the box around the hole. They are the
 * distances, in pixels, of the nearest known pixels to the left, to the right, above and below;
 * 0 if there is no such pixel. The array @object contains 0 for known pixels. All pixels outside
 * the box are known. Each work-item processes whole rows and columns: index @k is a row of the
 * box if it is below the number of rows, otherwise a column. */
kernel void
inpaint_find_ends (global const int *object, global int *ends, int width,
    int height, int x0, int x1, int y0, int y1)
{
  int columns = x1 - x0, rows = y1 - y0, k;

  for (k = get_global_id (0); k < rows + columns; k += get_global_size (0)) {
    int is_row = k < rows, n = is_row ? columns : rows, i;
    int at = is_row ? (y0 + k) * width + x0 : y0 * width + x0 + k - rows;
    int step = is_row ? 1 : width, to_step = is_row ? 4 : 4 * columns;
    global int *to = ends + (is_row ? 4 * k * columns : 4 * (k - rows) + 2);
    int distance = is_row ? x0 > 0 : y0 > 0;

    for (i = 0; i < n; i++) {
      to[i * to_step] = distance;
      distance = object[at + i * step] == 0 ? 1 : distance + (distance > 0);
    }
    distance = is_row ? x1 < width : y1 < height;
    for (i = n - 1; i >= 0; i--) {
      to[i * to_step + 1] = distance;
      distance = object[at + i * step] == 0 ? 1 : distance + (distance > 0);
    }
  }
}

/* Returns an estimate for a sample of a pixel that is not filled yet. It is the weighted mean of
 * the known pixels next to the hole in its row and its column; nearer pixels have larger
 * weights. These pixels are @ends[0] pixels to the left, @ends[1] to the right, @ends[2] above
 * and @ends[3] below; 0 if there is none. */
static uint
guess (global const uchar * in, int offset, int stride, int step, int bytes,
    int shift, int most, int sub_x, int sub_y, global const int *ends, int x,
    int y)
{
  uint sum = 0, weights = 0;
  int i;

  for (i = 0; i < 4; i++) {
    int n = i % 2 == 0 ? -ends[i] : ends[i];
    uint weight = n == 0 ? 0 : (uint) max (4096 / max (ends[i], 1), 1);

    sum += weight * get_sample (in, offset, stride, step, bytes, shift, most,
        (i < 2 ? x + n : x) >> sub_x, (i < 2 ? y : y + n) >> sub_y);
    weights += weight;
  }
  return weights > 0 ? (sum + weights / 2) / weights : 0;
}

/* Sets the element of each pixel in @shown to the number of the pixel's object, or to 0 if the
 * pixel is no longer set in @unknown. Work-item (i, j) processes every get_global_size (0)-th
 * column of row j, starting at column i. */
kernel void
inpaint_narrow (global const uchar * unknown, global const int *object,
    int width, global int *shown)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0))
    shown[y * width + x] = unknown[y * width + x] ? object[y * width + x] : 0;
}

/* Writes the samples of unknown pixels. For each unknown pixel, the array @origin contains its
 * origin, that is, the pixel from which it is copied. If @plain is set, @origin contains the
 * values themselves, starting at index @at. A sample may cover several unknown pixels. It becomes the rounded mean of
 * the samples at their origins. Pixels with an origin of -1 are not filled yet; their samples
 * are estimated from the array @ends of inpaint_find_ends() for the box around the hole. */
kernel void
inpaint_store (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global uchar * out, int out_offset, int out_stride,
    global const int *object, global const int *origin, int at, int plain,
    int width, int height, int x0, int x1, int y0, global const int *ends,
    int hole_x, int hole_y, int hole_columns)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    uint sum = 0, count = 0;
    int u, v;

    for (v = y << sub_y; v < min ((y + 1) << sub_y, height); v++) {
      for (u = x << sub_x; u < min ((x + 1) << sub_x, width); u++) {
        int from = origin[at + v * width + u];

        if (object[v * width + u] == 0)
          continue;
        sum += from < 0 ? guess (in, offset, stride, step, bytes, shift, most,
            sub_x, sub_y, ends + 4 * ((v - hole_y) * hole_columns + u - hole_x),
            u, v)
            : plain ? (uint) from
            : get_sample (in, offset, stride, step, bytes, shift, most,
            from % width >> sub_x, from / width >> sub_y);
        count++;
      }
    }
    if (count > 0)
      put_sample (out, out_offset, out_stride, step, bytes, shift, x, y,
          (sum + count / 2) / count);
  }
}

/* ---- Blending of patches that overlap ---------------------------------------- */

/* Sets a bit for each target (the center of a target patch) in a box. Each row of the box has
 * the given number of words; the lowest bit of a word is its leftmost pixel. The first word is
 * for the pixels before the box and is 0. A pixel is a target if its element of the array
 * @filler is its own index (see front.h). */
kernel void
inpaint_mark (global const int *filler, int width, int x0, int x1, int y0,
    global uint * targets, int words)
{
  int y = get_global_id (1), k, i;

  for (k = get_global_id (0); k < words; k += get_global_size (0)) {
    uint bits = 0;

    for (i = 0; i < 32; i++) {
      int x = x0 + 32 * (k - 1) + i, at = (y0 + y) * width + x;

      if (x >= x0 && x < x1 && filler[at] == at)
        bits |= 1u << i;
    }
    targets[y * words + k] = bits;
  }
}

/* Computes the values of unknown pixels in a box. The value is the weighted mean over all
 * patches that cover a pixel, or -1 if there is none. Additional rows of work-items compute the
 * same means for the pixels left of, above, right of and below the origin of each pixel. They
 * write these means to @beside, one box for each side. The bits in @targets were set by
 * inpaint_mark(). A row of a patch has at most 33 pixels, and the weights of a patch add up to
 * less than 2^24. */
kernel void
inpaint_blend (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global const int *object, global const int *origin,
    global const uint * targets, int words, global int *values,
    global int *beside, int width, int height, int radius, int x0, int x1,
    int y0, int y1)
{
  int row = get_global_id (1), side = row / (y1 - y0);
  int y = y0 + row % (y1 - y0), x;
  int dx = side == 1 ? -1 : side == 3, dy = side == 2 ? -1 : side == 4;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int v, mean, first = x - radius, bit = first - x0 + 32;
    ulong sum = 0;
    uint weights = 0;

    if (object[y * width + x] == 0)
      continue;
    for (v = max (y - radius, y0); v < min (y + radius + 1, y1); v++) {
      global const uint *word = targets + (v - y0) * words + bit / 32;
      ulong bits = ((ulong) word[1] << 32 | word[0]) >> bit % 32;

      for (bits &= ((ulong) 2 << 2 * radius) - 1; bits != 0; bits &= bits - 1) {
        int u = first + 63 - (int) clz (bits & (~bits + 1)), from_x, from_y;
        int from = origin[v * width + u] + (y - v) * width + x - u;
        uint weight = (radius + 1 - abs_diff (x, u))
            * (radius + 1 - abs_diff (y, v));

        from_x = from % width + dx;
        from_y = from / width + dy;
        if (from_x < 0 || from_y < 0 || from_x >= width || from_y >= height
            || object[from_y * width + from_x] != 0)
          continue;
        weight *= weight;
        sum += (ulong) weight * get_sample (in, offset, stride, step, bytes,
            shift, most, from_x >> sub_x, from_y >> sub_y);
        weights += weight;
      }
    }
    /* Divides even if the result is not used: PoCL 6 aborts if only one branch uses the sum of a
     * loop. */
    mean = (int) ((sum + weights / 2) / max (weights, 1u));
    mean = weights > 0 ? mean : -1;
    if (side == 0)
      values[y * width + x] = mean;
    else
      beside[(row - (y1 - y0)) * (x1 - x0) + x - x0] = mean;
  }
}

/* Sets the element of each pixel of a box in the array @agreed. It is 1 if the pixel is known,
 * or if patches with different sources overlap at the pixel and all have the same color there;
 * otherwise 0. The other parameters are described at inpaint_blend(). */
kernel void
inpaint_agree (global const word * work, int plane, global const int *object,
    global const int *origin, global const uint * targets, int words,
    global uchar * agreed, int width, int radius, int x0, int x1, int y0,
    int y1)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int first = x - radius, bit = first - x0 + 32, own, v, others = 0;
    uint differ = 0;

    agreed[(y - y0) * (x1 - x0) + x - x0] = 1;
    if (object[y * width + x] == 0)
      continue;
    own = origin[y * width + x];
    for (v = max (y - radius, y0); v < min (y + radius + 1, y1); v++) {
      global const uint *word = targets + (v - y0) * words + bit / 32;
      ulong bits = ((ulong) word[1] << 32 | word[0]) >> bit % 32;

      for (bits &= ((ulong) 2 << 2 * radius) - 1; bits != 0; bits &= bits - 1) {
        int u = first + 63 - (int) clz (bits & (~bits + 1));
        int from = origin[v * width + u] + (y - v) * width + x - u;

        others |= from != own;
        differ |= COLOUR (work, plane, from, 0) ^ COLOUR (work, plane, own, 0);
        differ |= COLOUR (work, plane, from, 1) ^ COLOUR (work, plane, own, 1);
        differ |= COLOUR (work, plane, from, 2) ^ COLOUR (work, plane, own, 2);
      }
    }
    agreed[(y - y0) * (x1 - x0) + x - x0] = others && differ == 0;
  }
}

/* ---- Filling of frames without a source patch -------------------------- */

/* Loads columns x0 to x1 - 1 of a component, starting at row y0, into the array @values, in which
 * the component starts at index @at. */
kernel void
inpaint_load_plain (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y, global int *values,
    int at, int width, int x0, int x1, int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    values[at + y * width + x] = get_sample (in, offset, stride, step, bytes,
        shift, most, x >> sub_x, y >> sub_y);
}

/* Fills the pixels order[first] to order[end - 1], which all have the same distance from the
 * known part of the frame. Each becomes the rounded mean of those neighbors that are nearer to
 * the known part. */
kernel void
inpaint_diffuse (global int *values, global const int *distances,
    global const int *order, int first, int end, int width, int height)
{
  int i;

  for (i = first + get_global_id (0); i < end; i += get_global_size (0)) {
    int at = order[i], x = at % width, y = at / width, u, v;
    uint sum = 0, count = 0;

    for (v = max (y - 1, 0); v < min (y + 2, height); v++) {
      for (u = max (x - 1, 0); u < min (x + 2, width); u++) {
        if (distances[v * width + u] >= distances[at])
          continue;
        sum += (uint) values[v * width + u];
        count++;
      }
    }
    values[at] = (sum + count / 2) / count;
  }
}

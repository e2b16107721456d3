/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The frame in all sizes. Without vectors: compilers find the gathers. */

/* Work-items that share a row of a level while it is scaled. */
#ifndef COLUMNS
#define COLUMNS 1
#endif

#define LANES 1

#include "people.cl"

LOOSE (uint, loose_uint);

/* Work-item (i, j, n): every COLUMNS-th sample, from i on, of class j of row n
 * of the list. in: 4 bytes for a pixel. */
kernel void
people_scale (const global uchar * restrict in, int offset, int stride,
    int red, int green, int blue, const global int *restrict plan, int list,
    global float *restrict planes)
{
  int class = get_global_id (1), n;
  const global int *entry = plan + list + 2 * get_global_id (2);
  const global int *level = plan + LEVEL * entry[0];
  int y = entry[1], pitch = level[PITCH], plane = level[PLANE];
  const global int *columns = plan + level[SOURCES] + class * pitch;
  const global int *shares = columns + CELL * pitch;
  int down = plan[level[SOURCES] + 2 * CELL * pitch + y];
  uint bottom = down & 511, top = 256 - bottom;
  const global uchar *near = in + offset + (size_t) (down >> 9) * stride;
  const global uchar *far = near + (bottom > 0 ? stride : 0);
  global float *out = planes + level[PLANES]
      + ((size_t) y * CELL + class) * pitch;

  n = level[TILES_X] + 2;
  for (int i = get_global_id (0); i < n; i += COLUMNS) {
    uint right = shares[i], left = 256 - right;
    int x0 = columns[i], x1 = x0 + (right > 0 ? 4 : 0);
    uint a = ((const global loose_uint *) (near + x0))->v;
    uint b = ((const global loose_uint *) (near + x1))->v;
    uint c = ((const global loose_uint *) (far + x0))->v;
    uint d = ((const global loose_uint *) (far + x1))->v;

#define SCALE(shift) \
    root ((float) ((top * (left * (a >> (shift) & 255) \
                + right * (b >> (shift) & 255)) \
            + bottom * (left * (c >> (shift) & 255) \
                + right * (d >> (shift) & 255)) + 32768u) >> 16))
    out[i] = SCALE (red);
    out[i + plane] = SCALE (green);
    out[i + 2 * plane] = SCALE (blue);
#undef SCALE
  }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of functions that use flow fields: see docs/algorithms/flow.md. */
#include "flowfield.h"

#include <math.h>
#include <string.h>

#include "samples.h"

#define N_SECTORS 54

void
ref_flow_wheel_colours (uint32_t colours[REF_WHEEL_COLOURS])
{
  int n = 0;

  for (int i = 0; i < 15; i++)
    colours[n++] = 0xff0000 + 255 * i / 15 * 0x100;
  for (int i = 0; i < 6; i++)
    colours[n++] = 0x00ff00 + (255 - 255 * i / 6) * 0x10000;
  for (int i = 0; i < 4; i++)
    colours[n++] = 0x00ff00 + 255 * i / 4;
  for (int i = 0; i < 11; i++)
    colours[n++] = 0x0000ff + (255 - 255 * i / 11) * 0x100;
  for (int i = 0; i < 13; i++)
    colours[n++] = 0x0000ff + 255 * i / 13 * 0x10000;
  for (int i = 0; i < 6; i++)
    colours[n++] = 0xff0000 + (255 - 255 * i / 6);
  colours[REF_WHEEL_WHITE] = 0xffffff;
  colours[REF_WHEEL_BLACK] = 0;
}

/* Sets @x and @y to the unit vector of direction @i of the color wheel. */
static void
get_direction (int i, int64_t * x, int64_t * y)
{
  double angle = 2 * 3.14159265358979323846 * i / N_SECTORS;

  *x = (int64_t) rint (16384 * cos (angle));
  *y = (int64_t) rint (16384 * sin (angle));
}

/* Returns the value of a color component for the motion (@u, @v). */
static int
get_value (int u, int v, int range, const int values[REF_WHEEL_COLOURS])
{
  int64_t behind = 0, ahead = 0, x, y, root = 0;
  int sector, full, part;

  for (sector = 0; sector < N_SECTORS; sector++) {
    get_direction (sector, &x, &y);
    behind = x * v - y * u;
    get_direction ((sector + 1) % N_SECTORS, &x, &y);
    ahead = u * y - v * x;
    if (behind >= 0 && ahead > 0)
      break;
  }
  part = u == 0 && v == 0 ? 0 : (int) (32 * behind / (behind + ahead));
  sector = sector % N_SECTORS;
  while ((root + 1) * (root + 1) <= (int64_t) u * u + (int64_t) v * v)
    root++;
  full = (values[sector] * (32 - part) + values[sector + 1] * part + 16) >> 5;
  if (256 * root / range > 256)
    return values[REF_WHEEL_BLACK]
        + ((3 * (full - values[REF_WHEEL_BLACK]) + 2) >> 2);
  return values[REF_WHEEL_WHITE] + (int) ((256 * root / range
          * (full - values[REF_WHEEL_WHITE]) + 128) >> 8);
}

void
ref_flow_wheel (const RefFlow * field, int is_to_previous, int range,
    const int values[REF_WHEEL_COLOURS], int sub_x, int sub_y,
    const RefPlane * out)
{
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++) {
      int value = values[REF_WHEEL_BLACK], u, v;

      if (field != NULL && ref_flow_at (field, x << sub_x, y << sub_y, &u, &v))
        value = get_value (is_to_previous ? -u : u, is_to_previous ? -v : v,
            range, values);
      ref_set (out, x, y, value);
    }
}

void
ref_flow_place (const RefFlow * part, int left, int top, const RefFlow * whole)
{
  for (int y = 0; y < whole->height; y++)
    for (int x = 0; x < whole->width; x++) {
      size_t to = (size_t) y * whole->width + x;
      int i = x - left, j = y - top;

      whole->flow[2 * to] = whole->flow[2 * to + 1] = REF_FLOW_NONE;
      whole->confidence[to] = 0;
      if (i >= 0 && j >= 0 && i < part->width && j < part->height) {
        size_t from = (size_t) j * part->width + i;

        memcpy (whole->flow + 2 * to, part->flow + 2 * from,
            2 * sizeof (int16_t));
        whole->confidence[to] = part->confidence[from];
      }
    }
}

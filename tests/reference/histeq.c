/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "histeq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"

#define MAX_BINS 65536

/* Bits above the largest value (10 bit in 16) are an error of who made the
 * frame; such a sample counts as the largest. */
static int
get (const RefPlane * plane, int x, int y)
{
  const uint8_t *at = plane->data + y * plane->stride + x * plane->pixel_stride;
  int word = plane->bytes == 1 ? at[0] : at[0] | at[1] << 8;
  int value = word >> plane->shift;

  return value > plane->max ? plane->max : value;
}

static void
set (const RefPlane * plane, int x, int y, int value)
{
  uint8_t *at = plane->data + y * plane->stride + x * plane->pixel_stride;
  int word = value << plane->shift;

  at[0] = word & 255;
  if (plane->bytes == 2)
    at[1] = word >> 8;
}

/* table[v]: what becomes of value v, from a histogram of total samples. */
static void
make_table (const uint32_t * histogram, int max, uint32_t total,
    uint16_t * table)
{
  uint32_t sum = 0;
  int first = 0, v;
  float scale;

  while (histogram[first] == 0)
    first++;
  for (v = 0; v <= max; v++)
    table[v] = histogram[first] == total ? v : 0;
  if (histogram[first] == total)
    return;

  scale = (float) max / (float) (total - histogram[first]);
  for (v = first + 1; v <= max; v++) {
    float value;

    sum += histogram[v];
    /* Ties to even, the default rounding direction of C. */
    value = rintf ((float) sum * scale);
    table[v] = value > (float) max ? max : (int) value;
  }
}

void
ref_histeq (const RefPlane * in, const RefPlane * out)
{
  static uint32_t histogram[MAX_BINS];
  static uint16_t table[MAX_BINS];
  int x, y;

  memset (histogram, 0, sizeof (histogram));
  for (y = 0; y < in->height; y++)
    for (x = 0; x < in->width; x++)
      histogram[get (in, x, y)]++;

  make_table (histogram, in->max, (uint32_t) in->width * in->height, table);

  for (y = 0; y < in->height; y++)
    for (x = 0; x < in->width; x++)
      set (out, x, y, table[get (in, x, y)]);
}

int
ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3])
{
  RefPlane before = {
    .stride = in[0].width,.pixel_stride = 1,
    .width = in[0].width,.height = in[0].height,
    .bytes = 1,.max = 255
  };
  RefPlane after = before;
  size_t size = (size_t) before.width * before.height;

  before.data = malloc (2 * size);
  if (before.data == NULL)
    return 0;
  after.data = before.data + size;
  ref_colour_luma (in, &before);
  ref_histeq (&before, &after);
  ref_colour_replace_luma (in, &before, &after, out);
  free (before.data);
  return 1;
}

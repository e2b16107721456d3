/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of motion detection: the mask of moving objects, see
 * docs/algorithms/moving.md. */
#include "moving-private.h"

#include <math.h>
#include <stdlib.h>

#include "samples.h"

/* Sums @p over those of the 5x5 pixels around (@x, @y) that exist, and counts them in *@n. */
static int
add_around (const RefMoving * self, const uint8_t * p, int x, int y, int *n)
{
  int sum = 0;

  *n = 0;
  for (int v = y - 2; v <= y + 2; v++)
    for (int u = x - 2; u <= x + 2; u++)
      if (u >= 0 && v >= 0 && u < self->width && v < self->height) {
        sum += p[v * self->width + u];
        (*n)++;
      }
  return sum;
}

static int
counts (const RefMoving * self, const RefMovingFrame * frame, int x, int y)
{
  int u = x * self->scale + self->scale / 2;
  int v = y * self->scale + self->scale / 2;

  if (!frame->is_enabled)
    return 0;
  if (frame->region == NULL)
    return 1;
  u = u < self->frame_width ? u : self->frame_width - 1;
  v = v < self->frame_height ? v : self->frame_height - 1;
  return ref_get (frame->region, u, v) >= 128;
}

int
ref_moving_mask (RefMoving * self, const RefMovingParams * params,
    const RefMovingFrame * frame)
{
  size_t size = (size_t) self->width * self->height;
  uint8_t *p = malloc (4 * size), *like = p + size, *q = like + size;
  uint8_t *r = q + size;
  int least = rint (60 / params->sensitivity), n, sum;

  if (p == NULL)
    return 0;
  least = least > 1 ? least : 1;
#define EACH_PIXEL \
  for (int y = 0, i = 0; y < self->height; y++) \
    for (int x = 0; x < self->width; x++, i++)
  EACH_PIXEL {
    sum = add_around (self, self->smoothed, x, y, &n);
    p[i] = sum >= least * n && self->evidence[i] >= 24;
    like[i] = p[i] && (self->shade[i] & SHADE_LIKE) != 0;
  }
  EACH_PIXEL {
    sum = add_around (self, like, x, y, &n);
    q[i] = p[i] && !(like[i] && sum >= 10);
  }
  EACH_PIXEL {
    sum = add_around (self, q, x, y, &n);
    r[i] = q[i] && 100 * sum >= 44 * n;
  }
  EACH_PIXEL {
    sum = add_around (self, p, x, y, &n);
    self->mask[i] = 2 * sum >= n;
    sum = add_around (self, r, x, y, &n);
    self->mask[i] |= (2 * sum >= n) << 1;
    if (!counts (self, frame, x, y))
      self->mask[i] = 0;
  }
  free (p);
  return 1;
}

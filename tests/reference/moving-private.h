/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Functions that the files of the reference of moving things share. */
#pragma once

#include "moving.h"

/* Bits of what could be shadow */
#define SHADE_LIKE 1            /* by its luma and its color */
#define SHADE_DARK 2            /* by its luma */
#define SHADE_CLOSE 4           /* by its luma, and its color is close to that of shadow */

/* Minimum of the difference of colors that is allowed for SHADE_CLOSE */
#define CLOSE 6

static inline int
moving_clamp (int v, int least, int most)
{
  return v < least ? least : v > most ? most : v;
}

/* Returns the gradient of the plane @p at working pixel (x, y); edges are repeated. */
static inline int
moving_gradient (const RefMoving * self, const uint16_t * p, int x, int y)
{
  int w = self->width, left = x > 0 ? x - 1 : x, right = x < w - 1 ? x + 1 : x;
  int up = y > 0 ? y - 1 : y, down = y < self->height - 1 ? y + 1 : y;
  int dx = p[y * w + right] - p[y * w + left];
  int dy = p[down * w + x] - p[up * w + x];

  return ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) >> 4;
}

/* Sets self->offset, the change of light at each working pixel. Returns 0 if there is not enough
 * memory. */
int ref_moving_light (RefMoving * self, RefMovingLight light);

/* Sets self->mask. Returns 0 if there is not enough memory. */
int ref_moving_mask (RefMoving * self, const RefMovingParams * params, const RefMovingFrame * frame);

/* Finds the regions of self->mask, and lets the background forget ghosts. Returns 0 if there is
 * not enough memory. */
int ref_moving_regions (RefMoving * self, const RefMovingParams * params,
    RefMovingResults * results);

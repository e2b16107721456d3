/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares functions that the files of the reference of motion detection share. */
#pragma once

#include "moving.h"

/* Bits that mark pixels that may be in a shadow */
#define SHADE_LIKE 1            /* pixel is shadow by its luma and its color */
#define SHADE_DARK 2            /* by its luma */
#define SHADE_CLOSE 4           /* shadow by its luma; its color is close to that of a shadow */

/* Minimum of the color difference that is allowed for SHADE_CLOSE */
#define CLOSE 6

static inline int
moving_clamp (int v, int least, int most)
{
  return v < least ? least : v > most ? most : v;
}

/* Returns 1/16 of |gx| + |gy|, the absolute gradients of the plane @p at pixel (@x, @y) of the
 * working image (the reduced frame that is analyzed). Pixels at the edges are repeated outside
 * the image. */
static inline int
moving_gradient (const RefMoving * self, const uint16_t * p, int x, int y)
{
  int w = self->width, left = x > 0 ? x - 1 : x, right = x < w - 1 ? x + 1 : x;
  int up = y > 0 ? y - 1 : y, down = y < self->height - 1 ? y + 1 : y;
  int dx = p[y * w + right] - p[y * w + left];
  int dy = p[down * w + x] - p[up * w + x];

  return ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) >> 4;
}

/* Sets self->offset, the change of light at each pixel of the reduced frame. Returns 0 if there
 * is not enough memory. */
int ref_moving_light (RefMoving * self, RefMovingLight light);

/* Sets self->mask, the mask of moving pixels. Returns 0 if there is not enough memory. */
int ref_moving_mask (RefMoving * self, const RefMovingParams * params, const RefMovingFrame * frame);

/* Finds the regions of self->mask, and makes the background forget ghosts (places that objects have
 * left). Returns 0 if there is not enough memory. */
int ref_moving_regions (RefMoving * self, const RefMovingParams * params,
    RefMovingResults * results);

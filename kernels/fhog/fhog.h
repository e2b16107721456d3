/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels of the feature pyramid share. What they compute:
 * docs/algorithms/fhog.md.
 *
 * The plan begins with PICTURE numbers for each size of the frame, then has
 * LEVEL numbers for each level of the pyramid. Rows of planes and gradients have
 * n classes, 8 or 16: pixel x is number (x + n / 2) / n of class (x + n / 2) % n,
 * so that pixels side by side belong to cells side by side. A class takes PITCH numbers, which
 * leaves room for a vector behind the last cell.
 *
 * Each kernel goes through a list in the plan: number of a picture or level, and
 * a row. */
#ifndef FHOG_H
#define FHOG_H

#include "base/math.h"
#include "base/pixels.h"
#include "fhog/shared.h"

/* As many as the largest cells have pixels in a row, and 8 at least. */
#ifndef CLASSES_OF_ROW
#define CLASSES_OF_ROW 8
#endif

/* Of a cell: 32, Felzenszwalb's, or 36, of Dalal and Triggs. */
#ifndef FEATURES
#define FEATURES 32
#endif

#define SHIFT (CLASSES_OF_ROW / 2)      /* pixels before the frame in class 0 */

#if LANES == 1
#define LOAD(type, p) (*(p))
#define STORE(type, p, value) (*(p) = (value))
#else
LOOSE (uintn, loose_uintn);
LOOSE (intn, loose_intn);
LOOSE (floatn, loose_floatn);
LOOSE (ushortn, loose_ushortn);
LOOSE (ulong4, loose_ulong4);
#define LOAD(type, p) LOAD_LOOSE (type, p)
#define STORE(type, p, value) STORE_LOOSE (type, p, value)
#endif

/* A gradient: which of 18 directions, and 32 times its length. most: its square */
static uintn
pack_gradient (intn dx, intn dy, intn most)
{
  intn turn, flip, ax, ay, q;
  floatn length;

  /* Half a turn, so that dy is not below 0; then a mirror, so that dx is not.
   * turn and flip are -1 where that was done. Then four borders between five
   * directions; of two that are equally near the first counts, which the mirror
   * makes the second. */
  turn = dy >> 31;
  ay = (dy ^ turn) - turn;
  dx = (dx ^ turn) - turn;
  flip = dx >> 31;
  ax = (dx ^ flip) - flip;
  q = (ax * 603 - ay * 3420) >> 31;
  q += (ax * 1737 + flip - ay * 3008) >> 31;
  q += (ax * 2660 + flip - ay * 2232) >> 31;
  q += (ax * 3264 + flip - ay * 1188) >> 31;
  q = (flip - (q ^ flip)) + (flip & 9) + (turn & 9);
  q = q == 18 ? (intn) (0) : q;
  length = root (convert_floatn (most)) + 0.5f;
  return as_uintn (convert_intn (length) << 5 | q);
}

#endif

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

#define PICTURE 16
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define PLANES 3                /* where they begin */
#define PLANE 4                 /* numbers of a plane */
#define GRADIENTS 5
#define SOURCE_WIDTH 6
#define SOURCE 7                /* the picture that it is made of, -1: the frame */
#define SAMPLES 8               /* what others are made of, -1: nothing */
#define TALL 9                  /* scaled in one direction */
#define ROW_TAPS 10
#define ROW_TABLE 11            /* in the plan: for each row, those it is made of,
                                 * then the shares in 32768 */
#define COLUMN_TAPS 12
#define COLUMN_TABLE 13         /* numbers of all columns for each tap, then the
                                 * shares, 4 times each */

#define LEVEL 12
#define OF_PICTURE 0
#define CELLS_X 1
#define CELLS_Y 2
#define CELL_PITCH 3
#define SUMS 4
#define ENERGIES 5
#define FIRST_CELL 6            /* of the features */
#define COLUMNS_OUT 7           /* padding included */
#define ROWS_OUT 8
#define PAD_X 9
#define PAD_Y 10

/* As many as the largest cells have pixels in a row, and 8 at least. */
#ifndef CLASSES_OF_ROW
#define CLASSES_OF_ROW 8
#endif

/* Of a cell: 32, Felzenszwalb's, or 36, of Dalal and Triggs. */
#ifndef FEATURES
#define FEATURES 32
#endif

#define SHIFT (CLASSES_OF_ROW / 2)      /* pixels before the frame in class 0 */
#define ALL_BINS 18

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

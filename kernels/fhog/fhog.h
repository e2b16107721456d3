/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code shared by the kernels of the feature pyramid. The algorithm is described in
 * docs/algorithms/fhog.md.
 *
 * The plan is an array of ints that the host writes. It has PICTURE numbers for each picture
 * (the frame scaled to one size), then LEVEL numbers for each level of the pyramid.
 *
 * Rows of planes and gradients are stored as n classes, 8 or 16. Pixel x is element (x + n / 2)
 * / n of class (x + n / 2) % n: adjacent elements thus belong to adjacent cells. A class has
 * PITCH elements, enough for a vector after the last cell.
 *
 * Each kernel processes the entries of a list; an entry names a picture or level and a row: see
 * ENTRY in fhog/fhog-shared.h. The lists are in a separate array: they differ from frame to
 * frame if only parts of the pyramid are needed. */
#ifndef FHOG_H
#define FHOG_H

#include "base/math.h"
#include "base/pixels.h"
#include "fhog/fhog-shared.h"

/* Number of classes into which the pixels of a row are sorted, by their column modulo this
 * number. This is the width of the largest cell in pixels, but at least 8. */
#ifndef CLASSES_OF_ROW
#define CLASSES_OF_ROW 8
#endif

/* Number of features of a cell: 32 (Felzenszwalb) or 36 (Dalal and Triggs). */
#ifndef FEATURES
#define FEATURES 32
#endif

/* Number of pixels stored in each row before the first pixel of the picture, one in each of the
 * classes 0 to SHIFT - 1 */
#define SHIFT (CLASSES_OF_ROW / 2)

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

/* Packs a gradient into a word: one of 18 directions in the lowest 5 bits, its length above
 * them. @most is the square of the length. */
static uintn
pack_gradient (intn dx, intn dy, intn most)
{
  intn turn, flip, ax, ay, q;
  floatn length;

  /* Turns the gradient by 180 degrees if dy < 0, then mirrors it if dx < 0; @turn and @flip are
   * -1 in lanes (elements of the vectors) where this was done. Then four limits separate the
   * five directions from 0 to 90 degrees. If two directions are equally near, the lower number
   * is chosen; for a mirrored gradient, this is the second of the two. */
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

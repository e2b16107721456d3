/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the layout of the planes of pixels of the reduced frame. Plane k of words or of bytes
 * begins at element k * @plane of its buffer. */
#ifndef MOVING_H
#define MOVING_H

#include "base/math.h"
#include "moving/moving-shared.h"

/* Number of rows that a work-item processes */
#ifndef ROWS
#define ROWS 1
#endif

/* Number of work-items of a work-group, if work-groups have one dimension */
#ifndef GROUP
#define GROUP 64
#endif

#define LAYOUT int width, int height, int stride, int plane
#define LAYOUT_VALUES width, height, stride, plane

#define AT(x, y) (((y) + MOVING_MARGIN_ROWS) * stride + MOVING_MARGIN + (x))
#define WORD(k) (words + (k) * plane)
#define BYTE(k) (bytes + (k) * plane)

#define LOAD_WORDS(k, at) convert_intn (vloadn (0, WORD (k) + (at)))
#define LOAD_BYTES(k, at) convert_intn (vloadn (0, BYTE (k) + (at)))
#define STORE_WORDS(v, k, at) vstoren (convert_ushortn (v), 0, WORD (k) + (at))
#define STORE_BYTES(v, k, at) vstoren (convert_ucharn (v), 0, BYTE (k) + (at))

#if LANES == 1
#define COLUMNS_FROM(x) (x)
#define absolutes(v) ((int) abs (v))
#else
#define COLUMNS_FROM(x) ((intn) (x) + LANE_NUMBERS)
#define absolutes(v) convert_intn (abs (v))
#if LANES == 16
#define LANE_NUMBERS ((intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#elif LANES == 8
#define LANE_NUMBERS ((intn) (0, 1, 2, 3, 4, 5, 6, 7))
#else
#define LANE_NUMBERS ((intn) (0, 1, 2, 3))
#endif
#endif

/* Selects @a in the lanes in which a condition is true, and @b in the other lanes. */
#define WHERE(condition, a, b) ((condition) ? (intn) (a) : (intn) (b))

#endif

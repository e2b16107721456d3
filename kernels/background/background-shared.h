/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the remembered background share. */
#ifndef BACKGROUND_SHARED_H
#define BACKGROUND_SHARED_H

/* Minimum number of frames in which a pixel has to be visible for its remembered colour to be
 * trusted: in fewer frames, the pixel may show an object that the detector has not found yet */
#define TRUSTED 8

/* Maximum of the count of frames in which a pixel was visible. The remembered colour of a pixel
 * with this count is never forgotten */
#define LONGEST 32

/* A frame belongs to a new scene when more than 1 / CUT_PART of its visible samples differ
 * from the remembered ones */
#define CUT_PART 4

/* Distance, in columns and rows, around pixels whose background is not settled (whose colour
 * changed from frame to frame) within which no pixel is copied into the hole: near the border of
 * an object, colours are mixtures of object and background */
#define UNSETTLED_BORDER 2

/* Indices of the counters of a frame: visible pixels with a remembered value, and how many of
 * them differ much from this value; hidden pixels with a remembered value, hidden pixels without
 * one, and how many of the latter are not planned to be filled; filled pixels that were compared,
 * and how many of them have changed. There are N_COPIES arrays of N_COUNTERS counters; the row of
 * a work-item determines the array to which it adds, so that work-items seldom wait for each
 * other */
#define VISIBLE 0
#define DIFFERENT 1
#define SEEN_BEFORE 2
#define UNSEEN 3
#define UNPLANNED 4
#define CHECKED 5
#define STALE 6
#define N_COUNTERS 8
#define N_COPIES 32

/* Index, behind the counters, of the flag that says whether the frame begins a scene, and number
 * of all numbers of a frame that the host reads */
#define CUT N_COUNTERS
#define N_TOLD (N_COUNTERS + 1)

/* Flags of a pixel that the host reads before it plans how to fill: the pixel is hidden, and was
 * never visible; it was hidden and never visible in the frame that was filled before; its
 * background is not settled */
#define REPORT_UNKNOWN 1
#define REPORT_WAS_UNKNOWN 2
#define REPORT_UNSETTLED 4

/* Flags of a pixel after the planning: it is filled with patches; it is filled with patches
 * although its background is remembered */
#define PLANNED_FILLED 1
#define PLANNED_EXTRA 2

/* Flags of a pixel around the hole: the pixel is visible and differs from the background; the
 * pixel is hidden and its background is not remembered */
#define FOUND_DIFFERS 1
#define FOUND_UNKNOWN 2

#endif

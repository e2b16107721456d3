/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the remembered background share. */
#ifndef BACKGROUND_SHARED_H
#define BACKGROUND_SHARED_H

/* Number of frames in which a pixel has to be visible until its remembered colour is
 * trusted: before, the pixel may show an object that a detector needed some frames to
 * find */
#define TRUSTED 8

/* Largest number of frames that are counted in which a pixel was visible. The remembered
 * colour of a pixel with this count is never forgotten */
#define LONGEST 32

/* A frame belongs to a new scene when more than 1 / CUT_PART of its visible samples differ
 * from the remembered ones */
#define CUT_PART 4

/* Distance, in columns and rows, around pixels whose background is not settled (whose
 * colour changed from frame to frame) within which no pixel is copied into the hole,
 * either: at the border of an object, colours are mixtures of object and background */
#define UNSETTLED_BORDER 2

/* Indices of the numbers that kernels count in a frame: the visible pixels that have a
 * remembered value, and those of them that differ much from it; the hidden pixels with and
 * without a remembered value, and the latter that are not planned to be filled; the filled
 * pixels that were compared, and those of them that have changed. Work-items add to one of
 * N_COPIES arrays of N_COUNTERS of these numbers, by the number of their row, so that they
 * seldom wait for each other */
#define VISIBLE 0
#define DIFFERENT 1
#define SEEN_BEFORE 2
#define UNSEEN 3
#define UNPLANNED 4
#define CHECKED 5
#define STALE 6
#define N_COUNTERS 8
#define N_COPIES 32

/* Index, behind these numbers, of the flag that the frame begins a scene, and number of all
 * numbers that the host reads of a frame */
#define CUT N_COUNTERS
#define N_TOLD (N_COUNTERS + 1)

/* Flags of a pixel that the host reads before it plans how to fill: it is hidden, and was
 * never visible; it was so in the frame that was filled before; its background is not
 * settled */
#define REPORT_UNKNOWN 1
#define REPORT_WAS_UNKNOWN 2
#define REPORT_UNSETTLED 4

/* Flags of a pixel after the planning: it is filled with patches; it is one of those that
 * are filled although their background is remembered */
#define PLANNED_FILLED 1
#define PLANNED_EXTRA 2

/* Flags of a pixel around the hole: it is visible, and differs from the background; it is
 * hidden, and its background is not remembered */
#define FOUND_DIFFERS 1
#define FOUND_UNKNOWN 2

#endif

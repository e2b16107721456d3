/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of the remembered background and the code on the host. */
#ifndef BACKGROUND_SHARED_H
#define BACKGROUND_SHARED_H

/* Minimum number of frames in which a pixel has to be visible for its remembered color to be
 * trusted. In fewer frames, the pixel may show an object that the detector has not found yet */
#define TRUSTED 8

/* Maximum of the count of frames in which a pixel was visible. If a pixel has reached this
 * count, its remembered color is never forgotten */
#define LONGEST 32

/* A frame belongs to a new scene when more than 1 / CUT_PART of its visible samples differ
 * from the remembered ones */
#define CUT_PART 4

/* Width, in pixels, of the border around pixels whose background is not settled (their color
 * changed from frame to frame). No pixel of this border is copied into the hole: near the edge
 * of an object, colors are mixtures of object and background */
#define UNSETTLED_BORDER 2

/* Indices of the counters of a frame:
 * VISIBLE: visible pixels with a remembered value.
 * DIFFERENT: those of them that differ much from this value.
 * SEEN_BEFORE: hidden pixels with a remembered value.
 * UNSEEN: hidden pixels without one.
 * UNPLANNED: those of them that are not planned to be filled.
 * CHECKED: filled pixels that were compared.
 * STALE: those of them that have changed.
 * There are N_COPIES arrays of N_COUNTERS counters. A work-item adds to the array that belongs
 * to its row; work-items therefore seldom wait for each other */
#define VISIBLE 0
#define DIFFERENT 1
#define SEEN_BEFORE 2
#define UNSEEN 3
#define UNPLANNED 4
#define CHECKED 5
#define STALE 6
#define N_COUNTERS 8
#define N_COPIES 32

/* CUT: index, after the counters, of the flag that is set if the frame begins a scene. N_TOLD:
 * how many numbers of a frame the host reads */
#define CUT N_COUNTERS
#define N_TOLD (N_COUNTERS + 1)

/* Flags of a pixel that the host reads before it plans the filling.
 * REPORT_UNKNOWN: the pixel is hidden, and was never visible.
 * REPORT_WAS_UNKNOWN: the same for the frame that was filled before.
 * REPORT_UNSETTLED: the background of the pixel is not settled */
#define REPORT_UNKNOWN 1
#define REPORT_WAS_UNKNOWN 2
#define REPORT_UNSETTLED 4

/* Flags of a pixel after the planning. PLANNED_FILLED: it is filled with patches.
 * PLANNED_EXTRA: it is filled with patches although its background is remembered */
#define PLANNED_FILLED 1
#define PLANNED_EXTRA 2

/* Flags of a pixel in or around the hole. FOUND_DIFFERS: it is visible and differs from the
 * background. FOUND_UNKNOWN: it is hidden and its background is not remembered */
#define FOUND_DIFFERS 1
#define FOUND_UNKNOWN 2

/* Number of powers of 2 in the table of background_relight() */
#define RELIGHT_POWERS 2048

#endif

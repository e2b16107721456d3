/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants of tracks that kernels and host share. */
#ifndef TRACKS_SHARED_H
#define TRACKS_SHARED_H

/* Number of levels in which points are followed */
#define TRACKS_N_LEVELS 4

/* Level in which points are searched */
#define TRACKS_POINT_LEVEL 1

#define TRACKS_MAX 4096

/* Elements of a row of @width gradients or scores: vectors reach at most TRACKS_PAD elements beyond
 * its ends. The same number of elements precedes the first row. */
#define TRACKS_PAD 16
#define TRACKS_STRIDE(width) (((width) + 15) / 16 * 16 + TRACKS_PAD)

/* The memory of tracks begins with the number of tracks and the last id that was given; the rest of
 * this entry is not used. Then the tracks follow: x and y, the position in the previous frame, the
 * motion and the score, all as the bits of floats, and the id. */
#define TRACKS_WORDS 8

#endif

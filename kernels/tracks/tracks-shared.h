/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of tracks share. */
#ifndef TRACKS_SHARED_H
#define TRACKS_SHARED_H

/* Number of pyramid levels in which points are followed */
#define TRACKS_N_LEVELS 4

/* Index of the pyramid level in which points are searched for */
#define TRACKS_POINT_LEVEL 1

#define TRACKS_MAX 4096

/* Distance between the rows of an array of @width gradients or scores in each row. Vectors extend
 * at most TRACKS_PAD elements beyond the ends of a row; the same number of elements precedes the
 * first row. */
#define TRACKS_PAD 16
#define TRACKS_STRIDE(width) (((width) + 15) / 16 * 16 + TRACKS_PAD)

/* Layout of the buffer of tracks, whose entries have 8 words. The first entry has the number of
 * tracks and the last id that was given; its other words are not used. Each further entry is a
 * track: x and y, the position in the previous frame, the motion and the score, all as the bits of
 * floats, and the id. */
#define TRACKS_WORDS 8

#endif

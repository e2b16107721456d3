/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the path of a camera on the host. Matrices are homographies (3 x 3 matrices), stored
 * as arrays of 9 numbers, row by row. The code uses only + - * / and sqrt in a fixed order. All
 * machines therefore give the same bits. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Largest number of frames after a frame over which the path of the camera is smoothed */
#define MGPU_PATH_MAX_SMOOTHING 120

/* Largest number of additional frames before a frame over which the path is smoothed: see
 * mgpu_path_get_n_before() */
#define MGPU_PATH_MORE_BEFORE 15

/* Largest number of frames before a frame over which the path is smoothed */
#define MGPU_PATH_MAX_BEFORE (MGPU_PATH_MAX_SMOOTHING + MGPU_PATH_MORE_BEFORE)

/**
 * MgpuPathSize:
 * @x: largest distance of a pixel from the center of the frame, along a row
 * @y: largest distance of a pixel from the center of the frame, along a column
 *
 * Half the size of a frame: (width - 1) / 2 and (height - 1) / 2, in pixels.
 */
typedef struct
{
  gdouble x, y;
} MgpuPathSize;

/* Sets the matrix @result to the identity. */
void mgpu_path_set_identity (gdouble result[9]);

/* Sets @result to the product @a * @b, that is, the motion @b followed by the motion @a. The
 * product is scaled to set its last number to 1. @result may be @a or @b. */
void mgpu_path_multiply (const gdouble a[9], const gdouble b[9], gdouble result[9]);

/* Sets @result to the inverse of @m, scaled to set its last number to 1. @result may be @m.
 * Returns: FALSE if @m has no inverse; @result is then set to the identity */
gboolean mgpu_path_invert (const gdouble m[9], gdouble result[9]);

/* Sets @result to the motion @m expressed in other coordinates. There, positions before the
 * motion are relative to (@x, @y), and positions after the motion are relative to (@to_x,
 * @to_y). Both points are in the coordinates of @m. @result may be @m. */
void mgpu_path_move_origin (const gdouble m[9], gdouble x, gdouble y, gdouble to_x, gdouble to_y, gdouble result[9]);

/* Sets @result to the blend (1 - @share) * @a + @share * @b. @result may be @a or @b. */
void mgpu_path_mix (const gdouble a[9], const gdouble b[9], gdouble share, gdouble result[9]);

/* Returns: the number of frames before a frame over which the path is smoothed, if it is smoothed
 * over at most @smoothing frames after it. Because earlier frames add no latency, this number is
 * larger: twice @smoothing, but at most @smoothing plus MGPU_PATH_MORE_BEFORE */
guint mgpu_path_get_n_before (guint smoothing);

/* Computes the motion that moves a frame to the smoothed path of the camera. Coordinates are
 * relative to the center of frames.
 * @motions: read, @n_before + @n_after motions, each from a frame to the next frame. The first
 *   begins @n_before frames before the frame, the last ends @n_after frames after it.
 * @result: written, the motion */
void mgpu_path_smooth (const gdouble (*motions)[9], guint n_before, guint n_after, gdouble result[9]);

/* Limits a motion: sets @result to a blend of the identity and @warp that moves the corners of
 * the new frame into the old frame.
 * @warp: homography that moves positions in the new frame to positions in the old frame, both
 *   relative to the center of the frame
 * @size: half the size of the old frame
 * @seen: half the size of the new frame, at most @size
 * Returns: the weight of @warp in the blend, 0 to 1 */
gdouble mgpu_path_limit (const gdouble warp[9], const MgpuPathSize * size, const MgpuPathSize * seen,
    gdouble result[9]);

G_END_DECLS

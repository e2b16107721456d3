/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the path of a camera on the host. Matrices are arrays of 9 numbers, the rows
 * of a homography (a 3 x 3 matrix). The code uses only + - * / and sqrt in a fixed order,
 * so that all machines give the same bits. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Largest number of frames before a frame, and largest number of frames behind it, over
 * which the path of the camera is smoothed */
#define MGPU_PATH_MAX_SMOOTHING 120

/**
 * MgpuPathSize:
 * @x: the largest distance of a pixel from the centre of the frame, along a row
 * @y: the largest distance of a pixel from the centre of the frame, along a column
 *
 * Holds half the size of a frame: (width - 1) / 2 and (height - 1) / 2, in
 * pixels.
 */
typedef struct
{
  gdouble x, y;
} MgpuPathSize;

/* Sets the matrix @result to the identity. */
void mgpu_path_set_identity (gdouble result[9]);

/* Sets @result, which may be @a or @b, to the product @a * @b: the motion @b followed by
 * the motion @a, scaled so that the last number is 1. */
void mgpu_path_multiply (const gdouble a[9], const gdouble b[9], gdouble result[9]);

/* Sets @result, which may be @m, to the inverse of @m, scaled so that the last number is
 * 1. Returns: FALSE if @m has no inverse: @result is then set to the identity */
gboolean mgpu_path_invert (const gdouble m[9], gdouble result[9]);

/* Sets @result, which may be @m, to the motion @m expressed in other coordinates, in
 * which positions before the motion are relative to (@x, @y), and positions after the
 * motion are relative to (@to_x, @to_y). Both points are in the coordinates of @m. */
void mgpu_path_move_origin (const gdouble m[9], gdouble x, gdouble y, gdouble to_x, gdouble to_y, gdouble result[9]);

/* Sets @result, which may be @a or @b, to the interpolation (1 - @share) * @a + @share * @b. */
void mgpu_path_mix (const gdouble a[9], const gdouble b[9], gdouble share, gdouble result[9]);

/* Computes the motion that brings a frame to the smoothed path of the camera. Coordinates
 * are relative to the centre of frames. The array @motions has @n_before + @n_after
 * motions, each from a frame to the next frame: the first one begins @n_before frames
 * before the frame, the last one ends @n_after frames behind it. @smoothing, at least as
 * large as @n_before and @n_after, is the number of frames over which the weights fall to
 * 0. */
void mgpu_path_smooth (const gdouble (*motions)[9], guint n_before, guint n_after, guint smoothing, gdouble result[9]);

/* Limits the matrix @warp, which moves positions in the new frame to positions in the old
 * frame, both relative to the centre of the frame, so that it moves the corners of the
 * new frame into the old frame. @seen is half the size of the new frame, and at most
 * @size, which is half the size of the old frame. Sets @result to a mixture of the
 * identity and @warp.
 * Returns: the weight of @warp in the mixture, 0 to 1 */
gdouble mgpu_path_limit (const gdouble warp[9], const MgpuPathSize * size, const MgpuPathSize * seen,
    gdouble result[9]);

G_END_DECLS

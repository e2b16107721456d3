/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the path of a camera on the host. Matrices are 9 numbers, the rows
 * of a homography. The code uses only + - * / and sqrt in a fixed order, so
 * that all machines give the same bits. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Largest number of frames before a frame, and of frames behind it, over which
 * its place is smoothed */
#define MGPU_PATH_MAX_SMOOTHING 120

/**
 * MgpuPathSize:
 * @x: the largest distance of a place from the middle of the frame, along a row
 * @y: the largest distance of a place from the middle, along a column
 *
 * Holds half the size of a frame: (width - 1) / 2 and (height - 1) / 2, in
 * pixels.
 */
typedef struct
{
  gdouble x, y;
} MgpuPathSize;

/* Sets result to the identity. */
void mgpu_path_set_identity (gdouble result[9]);

/* Sets @result, which may be a or b, to the product a * b: the motion b
 * followed by the motion a, scaled so that the last number is 1. */
void mgpu_path_multiply (const gdouble a[9], const gdouble b[9], gdouble result[9]);

/* Sets @result, which may be m, to the inverse of m, scaled so that the last
 * number is 1. Returns: FALSE where m has no inverse; then result is the
 * identity */
gboolean mgpu_path_invert (const gdouble m[9], gdouble result[9]);

/* Sets @result, which may be m, to the motion m in other coordinates: before
 * the motion, places are counted from (x, y), and after it from (to_x, to_y),
 * both in the coordinates of m. */
void mgpu_path_move_origin (const gdouble m[9], gdouble x, gdouble y, gdouble to_x, gdouble to_y, gdouble result[9]);

/* Sets result, which may be a or b, to a mixture: (1 - share) a + share b. */
void mgpu_path_mix (const gdouble a[9], const gdouble b[9], gdouble share, gdouble result[9]);

/* Computes the motion that brings frame t to the smoothed path of the camera.
 * Places are counted from the middle of frames. The array motions has, for each
 * frame from t - n_before + 1 to t + n_after, the motion from its predecessor
 * to this frame. The parameter smoothing, which is at least n_before and
 * n_after, sets the width of the weights. */
void mgpu_path_smooth (const gdouble (*motions)[9], guint n_before, guint n_after, guint smoothing, gdouble result[9]);

/* Limits warp, which moves places of the new frame to their places in the old
 * one, both counted from the middle, so that the corners of the new frame are
 * inside of the old one. The parameter seen is the size of the new frame, at
 * most that of the old one. Sets @result to a mixture of the identity and warp.
 * Returns: the share of warp in the mixture, 0 to 1 */
gdouble mgpu_path_limit (const gdouble warp[9], const MgpuPathSize * size, const MgpuPathSize * seen,
    gdouble result[9]);

G_END_DECLS

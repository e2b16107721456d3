/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The path of a camera, computed by the host. Matrices are 9 numbers, the rows of a
 * homography. Only + - * / and sqrt in a fixed order: all machines give the same bits. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Largest number of frames on each side of a frame that smooth its place */
#define MGPU_PATH_MAX_SMOOTHING 120

/**
 * MgpuPathSize:
 * @x: the largest distance of a place from the middle of the frame, along a row
 * @y: the same along a column
 *
 * Holds half the size of a frame: (width - 1) / 2 and (height - 1) / 2, in pixels.
 */
typedef struct
{
  gdouble x, y;
} MgpuPathSize;

/* Sets result to the identity. */
void mgpu_path_set_identity (gdouble result[9]);

/* Sets result, which may be a or b, to a motion by b that a motion by a follows. The last
 * number becomes 1. */
void mgpu_path_multiply (const gdouble a[9], const gdouble b[9], gdouble result[9]);

/* Sets result, which may be m, to the inverse of m, with 1 as the last number. Returns:
 * FALSE where m has none, and result is the identity */
gboolean mgpu_path_invert (const gdouble m[9], gdouble result[9]);

/* Sets result, which may be m, to the motion m whose places are counted from another
 * origin: (x, y), in the coordinates of m, before the motion, and (to_x, to_y) after it. */
void mgpu_path_move_origin (const gdouble m[9], gdouble x, gdouble y, gdouble to_x, gdouble to_y, gdouble result[9]);

/* Sets result, which may be a or b, to a mixture: (1 - share) a + share b. */
void mgpu_path_mix (const gdouble a[9], const gdouble b[9], gdouble share, gdouble result[9]);

/* Computes how a frame t has to move to be on the smoothed path of the camera. Places are
 * counted from the middle of frames. motions: for each frame from t - n_before + 1 to t +
 * n_after, the motion from the frame before to it. smoothing: at least n_before and
 * n_after. */
void mgpu_path_smooth (const gdouble (*motions)[9], guint n_before, guint n_after, guint smoothing, gdouble result[9]);

/* Limits warp, which moves places of the new frame to their places in the old one, both
 * counted from the middle, so that the corners of the new frame are inside of the old one.
 * seen: size of the new frame, at most that of the old one. Sets result to the
 * identity, to warp, or to what is between them. Returns: the share of warp, 0 to 1 */
gdouble mgpu_path_limit (const gdouble warp[9], const MgpuPathSize * size, const MgpuPathSize * seen,
    gdouble result[9]);

G_END_DECLS

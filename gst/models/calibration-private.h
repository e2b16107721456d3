/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "calibration.h"
#include "tree.h"

G_BEGIN_DECLS

/* Maximum distance of the center from the upper left corner, in multiples of the width and height
 * of the frame */
#define MGPU_CALIBRATION_FAR 4

/* Read a camera from @where: the subtree of one camera in a Kalibr file, or the tree of the whole
 * file in the other formats. @suffix: suffix of the camera's keys in OpenCV files. Return: FALSE
 * with the error set */
gboolean mgpu_calibration_read_opencv (const MgpuDpmFile * file, const MgpuTree * where, const gchar * matrix,
    const gchar * suffix, MgpuCalibration * calibration);
gboolean mgpu_calibration_read_ros (const MgpuDpmFile * file, const MgpuTree * where, MgpuCalibration * calibration);
gboolean mgpu_calibration_read_kalibr (const MgpuDpmFile * file, const MgpuTree * where,
    MgpuCalibration * calibration);

/* Reads at least @least and at most @most numbers from the value @tree, which is a scalar, a list,
 * or a matrix with rows, cols and data. Returns: the number of numbers; 0 with the error set on
 * failure */
guint mgpu_calibration_read_numbers (const MgpuDpmFile * file, const MgpuTree * tree, guint least, guint most,
    gdouble * numbers);

/* Reads an integer from @low to @high of the value with the key @name in @where; does not change
 * @value if there is no such key. Returns: FALSE with the error set on failure */
gboolean mgpu_calibration_read_int (const MgpuDpmFile * file, const MgpuTree * where, const gchar * name, gint low,
    gint high, gint * value);

/* Reads the 3x3 matrix of a camera. Returns: FALSE with the error set on failure */
gboolean mgpu_calibration_read_matrix (const MgpuDpmFile * file, const MgpuTree * tree, MgpuCamera * camera);

/* Reads a rectification (a 3x3 matrix) and the matrix of the rectified camera (3x4 numbers); skips
 * a matrix whose argument is NULL. Returns: FALSE with the error set on failure */
gboolean mgpu_calibration_read_turn (const MgpuDpmFile * file, const MgpuTree * turn, const MgpuTree * projection,
    MgpuCalibration * calibration);

/* Checks that @n is one of the numbers of coefficients that a lens may have. Returns: FALSE with
 * the error set if not */
gboolean mgpu_calibration_check_count (const MgpuDpmFile * file, const gchar * name, MgpuLens lens, guint n);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* The division of a frame's rows among the work-items of a kernel: see kernels/base/rows.h. A
 * pixel here may also be a group of pixels.
 * If @columns is more than 1, work-item (x, y) processes the pixels in columns x, x + @columns,
 * x + 2 @columns and so on of rows y, y + global[1], y + 2 global[1] and so on.
 * If @columns is 1, the frame is divided into global[1] bands of rows, and work-item y
 * processes all pixels of band y. */
typedef struct
{
  gint columns;                 /* number of work-items that share a row of the frame */
  gsize global[2];              /* number of work-items of the launch in x and in y */
  gsize local[2];               /* size of a work-group in x and in y, in work-items */
} MgpuRows;

/* Indices of the tuning parameters of MGPU_ROWS_KNOBS in the array @knobs of an algorithm or of
 * an object */
enum
{
  MGPU_ROWS_COLUMNS,
  MGPU_ROWS_GROUP_X,
  MGPU_ROWS_GROUP_Y,
  MGPU_ROWS_MIN_GROUPS,
  MGPU_ROWS_N_KNOBS
};

/* Knobs (tuning constants) of a kernel that is launched with MgpuRows. They must be the first
 * tuning parameters in the list of an algorithm. */
#define MGPU_ROWS_KNOBS \
  {"COLUMNS", {1, 64, 64}, "1 32 64 128", \
      "number of work-items that share a row; 1: each work-item processes a " \
      "band of rows"}, \
  {"ROWS_GROUP_X", {1, 32, 32}, "1 16 32 64", \
      "number of work-items of a work-group that share a row"}, \
  {"ROWS_GROUP_Y", {1, 8, 8}, "1 2 4 8 16", \
      "number of rows that a work-group computes"}, \
  {"ROWS_MIN_GROUPS", {4, 16, 16}, "4 8 16 32", \
      "minimum number of work-groups, for devices with few compute units"}

/* Computes how the rows of images with @height rows are divided among work-items. @object is a
 * MgpuObject whose list of tuning parameters begins with MGPU_ROWS_KNOBS. */
void mgpu_rows_init (MgpuRows * rows, gpointer object, gint height);

G_END_DECLS

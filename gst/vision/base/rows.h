/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Tells how a kernel that goes through a frame row by row is spread over a device:
 * work-item (x, y) takes every columns-th pixel, or group of pixels, from x on, of
 * every global[1]-th row from y on, or with one column, of the y-th of global[1]
 * parts of the frame: see kernels/base/rows.h. */
typedef struct
{
  gint columns;
  gsize global[2];
  gsize local[2];
} MgpuRows;

/* Knobs of these kernels, by their place in the list of an algorithm */
enum
{
  MGPU_ROWS_COLUMNS,
  MGPU_ROWS_GROUP_X,
  MGPU_ROWS_GROUP_Y,
  MGPU_ROWS_MIN_GROUPS,
  MGPU_ROWS_N_KNOBS
};

/* Begins the list of knobs of an algorithm. */
#define MGPU_ROWS_KNOBS \
  {"COLUMNS", {1, 64, 64}, "1 32 64 128", \
      "work-items that share a row; 1: each takes a part of the frame"}, \
  {"ROWS_GROUP_X", {1, 32, 32}, "1 16 32 64", \
      "work-items of a work-group that share a row"}, \
  {"ROWS_GROUP_Y", {1, 8, 8}, "1 2 4 8 16", "rows of a work-group"}, \
  {"ROWS_MIN_GROUPS", {4, 16, 16}, "4 8 16 32", \
      "work-groups that even a device with few compute units gets"}

/* Fills rows for images of height rows. object: a MgpuObject whose knobs begin with
 * MGPU_ROWS_KNOBS */
void mgpu_rows_init (MgpuRows * rows, gpointer object, gint height);

G_END_DECLS

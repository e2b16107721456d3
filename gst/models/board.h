/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A tag of a board */
typedef struct
{
  guint id;
  gdouble points[12];           /* x, y and z of the corners in meters, clockwise for a reader of
                                 * the tag, beginning with the upper left corner */
} MgpuBoardTag;

/* The positions of the tags on a board. */
typedef struct
{
  gchar *family;                /* name of the family of the tags on the board; NULL means any
                                 * family */
  guint n_tags;
  MgpuBoardTag *tags;           /* array of tags, sorted by id; ids are unique */
} MgpuBoard;

/* Reads a board from a YAML or JSON file: Kalibr's target of the type aprilgrid, or values tag_ID
 * with 12 numbers, the x, y and z of the corners of the tag with that ID.
 * Returns: (transfer full): the board; NULL with an error that names the file and the key that is
 * wrong or missing */
MgpuBoard * mgpu_board_load (const gchar * path, GError ** error);

/* Returns: (transfer full): Kalibr's AprilGrid of @columns x @rows tags with the side @size in meters and
 * gaps of @spacing sides. Its lower left tag has the id @first. The origin of its coordinates is the lower
 * left corner of this tag, x points along its row, and y up to the next row */
MgpuBoard * mgpu_board_new_grid (guint columns, guint rows, gdouble size, gdouble spacing, guint first);

/* Returns: (nullable): the tag @id of @family on the board; NULL if the board has no such tag */
const MgpuBoardTag * mgpu_board_find (const MgpuBoard * self, const gchar * family, guint id);

void mgpu_board_free (MgpuBoard * self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuBoard, mgpu_board_free)

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the pose of a board. */
#include "tagboard.h"

#include <string.h>

gboolean
gst_mgpu_copy_board (GstMgpuTagMeta * meta, GstMgpuTagPose * board)
{
  const gdouble *rotation = gst_mgpu_tag_meta_get_board_rotation (meta);

  if (rotation == NULL)
    return FALSE;
  memcpy (board->rotation, rotation, sizeof (board->rotation));
  memcpy (board->position, gst_mgpu_tag_meta_get_board_position (meta),
      sizeof (board->position));
  board->error = gst_mgpu_tag_meta_get_board_error (meta);
  return TRUE;
}

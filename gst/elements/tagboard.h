/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Sets @board to the pose of the board in @meta. Returns: whether @meta has a board */
gboolean gst_mgpu_copy_board (GstMgpuTagMeta * meta, GstMgpuTagPose * board);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Decides on the way of the frame @in, whether it is changed, replaced or passed on: sets
 * self->frame.way. FALSE: the error is set. */
gboolean      gst_mgpu_filter_choose_way (GstMgpuFilter * self, GstBuffer * in, GError ** error);

/* Sets *@out to the buffer in which the frame of the buffer @in leaves: @in
 * itself where possible. The way of the frame must be known. Posts an error
 * message on failure. */
GstFlowReturn gst_mgpu_filter_get_output (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out);

G_END_DECLS

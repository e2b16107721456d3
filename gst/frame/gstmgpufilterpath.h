/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Decides what happens to the frame @in: whether it is changed in place, replaced by a
 * new frame, or passed on. Sets self->frame.path to the decision. Returns: FALSE if @error
 * is set */
gboolean      gst_mgpu_filter_choose_path (GstMgpuFilter * self, GstBuffer * in, GError ** error);

/* Sets *@out to the buffer that is pushed for the input buffer @in: @in itself if possible.
 * gst_mgpu_filter_choose_path() must have been called for the frame. Posts an error message
 * on failure. */
GstFlowReturn gst_mgpu_filter_get_output (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out);

G_END_DECLS

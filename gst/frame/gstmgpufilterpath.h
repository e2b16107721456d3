/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Decides whether the frame @in is changed in place, replaced by a new frame, or pushed
 * unchanged. Stores the decision in self->frame.path. Returns: FALSE with @error set on
 * failure */
gboolean      gst_mgpu_filter_choose_path (GstMgpuFilter * self, GstBuffer * in, GError ** error);

/* Sets *@out to the buffer that is pushed for the input buffer @in, which may be @in
 * itself. Call gst_mgpu_filter_choose_path() for the frame before. Posts an error message
 * on failure. */
GstFlowReturn gst_mgpu_filter_get_output (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuerror.h"

G_BEGIN_DECLS

/* Checks @code, the result of an OpenCL call. If @code is not CL_SUCCESS, sets an error that
 * names the call, the code, the device and a cure. @device is the name of the device, or NULL
 * if the call concerns no device. Returns: TRUE if @code is CL_SUCCESS */
G_GNUC_INTERNAL
gboolean gst_mgpu_error_check (gint code, const gchar * call, const gchar * device, GError ** error);

/* Returns: (transfer none): the name of @kernel, for messages and statistics, or "unknown". The
 * string lives as long as the process */
G_GNUC_INTERNAL
const gchar *gst_mgpu_error_name_kernel (cl_kernel kernel);

G_END_DECLS

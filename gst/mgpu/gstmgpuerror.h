/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuError:
 * @GST_MGPU_ERROR_FAILED: an OpenCL call failed; the message names the call,
 *   the code and the device
 * @GST_MGPU_ERROR_NO_DEVICE: no OpenCL device is installed, or none matches
 *   the device string; the message lists the devices found
 * @GST_MGPU_ERROR_BUILD: a program did not compile; the message ends with the
 *   compiler's log
 * @GST_MGPU_ERROR_OUT_OF_MEMORY: the device cannot allocate a frame or scratch memory
 *   of the size needed
 * @GST_MGPU_ERROR_UNSUPPORTED: the function does not support the device, the format
 *   or the value
 *
 * Reasons for which a function of this library fails.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_ERROR_FAILED,
  GST_MGPU_ERROR_NO_DEVICE,
  GST_MGPU_ERROR_BUILD,
  GST_MGPU_ERROR_OUT_OF_MEMORY,
  GST_MGPU_ERROR_UNSUPPORTED
} GstMgpuError;

/**
 * GST_MGPU_ERROR:
 *
 * The #GError domain of this library; codes are #GstMgpuError.
 *
 * Since: 1.0
 */
#define GST_MGPU_ERROR (gst_mgpu_error_quark ())

GST_MGPU_API
GQuark        gst_mgpu_error_quark    (void);

GST_MGPU_API
const gchar * gst_mgpu_cl_error_name  (gint            code);

G_END_DECLS

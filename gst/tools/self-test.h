/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Runs kernelcheck on @device, a device string. With @report, the path of a file, also
 * measures, and writes the device, its driver, digests and figures there. Returns: the exit
 * status for the program */
int self_test (const gchar * device, const gchar * report);

G_END_DECLS

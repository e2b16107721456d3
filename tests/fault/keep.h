/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#define EXPORT __attribute__ ((visibility ("default")))

/* The driver's function of this name, from its loader. */
void *driver_get_function (const char *name);

/* What takes its place since fault_keep(), or NULL. */
void *keep_get_function (const char *name);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#define EXPORT __attribute__ ((visibility ("default")))

/* Returns: the function that replaces the driver's function @name since fault_keep(); NULL if none
 * does */
void *keep_get_function (const char *name);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* For programs that link with the library instead of preloading it. */
#pragma once

/* Counts calls from here on, and makes this one fail; 0: none. */
void fault_arm (unsigned call);

/* The function that failed since, or NULL. */
const char *fault_get_name (void);

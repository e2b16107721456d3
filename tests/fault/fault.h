/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares functions for programs that are linked with fault.c, and do not preload it. */
#pragma once

/* Counts calls from now on, and makes call number @call fail; 0: no call fails. */
void fault_arm (unsigned call);

/* Returns the function that has failed since fault_arm(), or NULL. */
const char *fault_get_name (void);

/* Writes to element N of the array a number that identifies the code that makes call N after
 * fault_arm(). Calls with the same stack have the same number. Calls beyond size - 1 are not
 * recorded; NULL and 0 end the recording. */
void fault_record (unsigned long *places, unsigned size);

/* Keeps the first context that is created after this call, and its programs, until the process
 * ends. Later requests for the same context or programs get the kept ones. */
void fault_keep (void);

/* Returns the number of references to the context and its programs, without those that keep them: 0
 * when all objects of the context are released. */
int fault_count_references (void);

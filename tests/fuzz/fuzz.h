/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the fuzz targets share. libFuzzer calls the two functions that each target has; a
 * target passes the bytes to a parser, and checks what the parser returns. */
#pragma once

#include <glib.h>
#include <stdint.h>

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

/* Returns: (transfer full): @data as a string, in memory that ends right after its last byte */
gchar * fuzz_string (gconstpointer data, gsize size);

/* Returns: the path of an in-memory file with the content @data, valid until the next call */
const gchar * fuzz_file (gconstpointer data, gsize size);

/* Returns: the path of a folder that is removed, with its files, when the process ends */
const gchar * fuzz_folder (void);

/* Checks that exactly one of a result and an error was returned, and that the error message is
 * valid UTF-8. Frees the error. */
void fuzz_check_error (gboolean ok, GError * error);

/* Checks a result and an error like the function above, for a parser of texts whose error may quote
 * bytes that are not UTF-8: the caller that posts the error replaces such bytes. */
void fuzz_check_text (gboolean ok, GError * error);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads the whole file @path. It is not mapped, because if another program shortens a mapped file,
 * the process that reads it gets SIGBUS. Only regular files are read, because opening a pipe would
 * wait until another process writes to it. Sets *@length to the number of bytes; a byte 0 follows
 * them. Returns: (transfer full): the content; NULL with an error of G_IO_ERROR, which does not
 * name the file: G_IO_ERROR_NOT_REGULAR_FILE, G_IO_ERROR_MESSAGE_TOO_LARGE if it has more than
 * @most bytes, or the error of the system */
gchar * mgpu_file_read (const gchar * path, gsize most, gsize * length, GError ** error);

/* Reads the first @size bytes of the file @path to @head, or the whole file if it is smaller.
 * Returns: the number of bytes; 0 if the file cannot be read or is not a regular file */
gsize mgpu_file_read_head (const gchar * path, gchar * head, gsize size);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Writes lines of text to a file, a FIFO or the standard output. */
typedef struct _GstMgpuLines GstMgpuLines;

/* Opens the file, FIFO or standard output to which lines are written. @location is a
 * path, or "-" for the standard output. If @append is TRUE, the old content of a file is
 * kept. A FIFO need not have a reader. */
GstMgpuLines * gst_mgpu_lines_open (const gchar * location, gboolean append, GError ** error);

/* Writes a line of @size bytes, which ends with a line feed. Writes either the whole line
 * or nothing. If a FIFO has no reader or is full, the line is dropped, and *@is_dropped
 * is set to TRUE; this is not an error. The call never waits for a reader. */
gboolean gst_mgpu_lines_write (GstMgpuLines * self, const gchar * line, gsize size, gboolean * is_dropped,
    GError ** error);

void gst_mgpu_lines_close (GstMgpuLines * self);

G_END_DECLS

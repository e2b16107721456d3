/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuprogram.h"

G_BEGIN_DECLS

/* Sets the arguments of the contexts' signal "building" for builds by the calling thread. @total:
 * number of programs that this thread builds one after the other; 0: it builds single programs.
 * @built: number of these programs that are built already */
G_GNUC_INTERNAL
void gst_mgpu_program_set_place (guint built, guint total);

/* Does what gst_mgpu_program_new() does, for source code of this project: disables the compiler's
 * warnings, and advises in errors to update the driver. */
G_GNUC_INTERNAL
GstMgpuProgram *gst_mgpu_program_new_own (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, GError ** error);

/* Does what gst_mgpu_program_new() does. *@log: set to what the compiler said, also after an
 * error; "" if it said nothing, or if no compiler ran (transfer full) */
G_GNUC_INTERNAL
GstMgpuProgram *gst_mgpu_program_new_logged (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, gchar ** log, GError ** error);

G_END_DECLS

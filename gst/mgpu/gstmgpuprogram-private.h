/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuprogram.h"

G_BEGIN_DECLS

/* Sets the arguments of the signal "building" of contexts, for builds by the calling thread.
 * @total: number of programs that this thread builds one after the other; 0: the thread builds
 * single programs. @built: number of these programs that are already built */
G_GNUC_INTERNAL
void gst_mgpu_program_set_place (guint built, guint total);

/* Builds a program as gst_mgpu_program_new() does, from source code of this project: disables the
 * compiler's warnings, and advises in error messages to update the driver. */
G_GNUC_INTERNAL
GstMgpuProgram *gst_mgpu_program_new_own (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, GError ** error);

/* Builds a program as gst_mgpu_program_new() does. Sets *@log (transfer full) to the messages of
 * the compiler, also after an error; to "" if there are none, or if no compiler ran. */
G_GNUC_INTERNAL
GstMgpuProgram *gst_mgpu_program_new_logged (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, gchar ** log, GError ** error);

G_END_DECLS

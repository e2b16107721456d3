/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuprogram.h"

G_BEGIN_DECLS

/* Sets the numbers that the signal "building" of contexts carries: the calling thread builds @total
 * programs one after the other, and has built @built of them. If @total is 0, each of the next
 * programs counts as the only one. */
G_GNUC_INTERNAL
void gst_mgpu_program_set_place (guint built, guint total);

/* Does what gst_mgpu_program_new() does, for source code of the project itself: the compiler's
 * warnings are disabled, and an error advises to update the driver. */
G_GNUC_INTERNAL
GstMgpuProgram *gst_mgpu_program_new_own (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, GError ** error);

G_END_DECLS

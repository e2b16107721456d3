/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuprogram.h"

G_BEGIN_DECLS

/* Says that this thread is building total programs one after the other and that
 * @built of them are there already, for the signal "building" of contexts. With
 * a total of 0 the next programs count alone again. */
G_GNUC_INTERNAL
void gst_mgpu_program_set_place (guint built, guint total);

G_END_DECLS

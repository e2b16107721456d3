/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shared by the files of the paper EgpuIP. */
#pragma once

#include "papers.h"

G_BEGIN_DECLS

#define EGPUIP_SIZES 4

extern const gint egpuip_sizes[EGPUIP_SIZES][2];

void egpuip_measure (PapersRun * run);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "model.h"

G_BEGIN_DECLS

/* Gives model a name that structures can have, and zeros for weights that are next to
 * nothing. */
G_GNUC_INTERNAL
void mgpu_dpm_model_clean (MgpuDpmModel * model);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "model.h"

G_BEGIN_DECLS

/* Makes the filters and limits of a cascade for a model that came without. */
G_GNUC_INTERNAL
void mgpu_dpm_model_make_cascade (MgpuDpmModel * model);

G_END_DECLS

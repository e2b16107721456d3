/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "model.h"

G_BEGIN_DECLS

/* Turns the name of model into a valid name of a GstStructure, and sets weights that are
 * next to nothing to 0. */
G_GNUC_INTERNAL
void mgpu_dpm_model_clean (MgpuDpmModel * model);

G_END_DECLS

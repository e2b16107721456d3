/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shared by the files of the paper of De Smedt and others. */
#pragma once

#include "papers.h"

G_BEGIN_DECLS

#define DESMEDT_STAGES 4        /* of scalar code */
#define DESMEDT_KERNELS 3       /* groups of kernels */

/* "rescale", "histogram", "energy", "features" */
extern const gchar *const desmedt_stages[DESMEDT_STAGES];

/* "rescale", "histogram", "features" */
extern const gchar *const desmedt_kernels[DESMEDT_KERNELS];

void desmedt_measure (PapersRun * run);

G_END_DECLS

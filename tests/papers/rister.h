/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shared by the files of the paper of Rister and others. */
#pragma once

#include "papers.h"

G_BEGIN_DECLS

#define RISTER_PICTURES 8
#define RISTER_SIZES 4
#define RISTER_POINTS 88        /* mean number of keypoints in the paper */
#define RISTER_STAGES 4
#define RISTER_BLURS 4

extern const gchar *const rister_pictures[RISTER_PICTURES];
extern const gint rister_sizes[RISTER_SIZES][2];

/* "pyramid", "find", "sort", "orient" */
extern const gchar *const rister_stages[RISTER_STAGES];
extern const gchar *const rister_blurs[RISTER_BLURS];

void rister_measure (PapersRun * run);

G_END_DECLS

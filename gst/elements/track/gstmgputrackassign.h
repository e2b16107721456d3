/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a pair of a row (a track) and a column (a region) that may be assigned to
 * each other. */
typedef struct
{
  guint row, column;
  gint64 weight;                /* weight of the pair, above 0 and below 2^32; a larger weight is
                                 * better */
} GstMgpuTrackPair;

/* Chooses pairs such that no row and no column is in two of them, and the sum of weights is as
 * large as possible. Removes the other pairs from @pairs, an array of GstMgpuTrackPair that is
 * ordered by row and then by column, and keeps this order. The result depends on @pairs alone.
 *
 * Pairs that share rows or columns form groups. The optimum is computed for the smallest groups
 * first, until the total work (see MAX_WORK) exceeds a limit. In the remaining groups, pairs are
 * chosen greedily by weight, because computing the optimum would take seconds. */
void gst_mgpu_track_assign (GArray * pairs, guint n_rows, guint n_columns);

G_END_DECLS

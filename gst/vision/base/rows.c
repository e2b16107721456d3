/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Divides the rows of a frame among work-items. */
#include "rows.h"

/* Number of work-groups for each compute unit. Several work-groups for each unit keep the load
 * balanced when other threads use some cores of a CPU. */
#define GROUPS_PER_UNIT 4

void
mgpu_rows_init (MgpuRows * rows, gpointer object, gint height)
{
  GstMgpuContext *context = ((MgpuObject *) object)->context;
  const gint *knobs = ((MgpuObject *) object)->knobs;
  gsize units = gst_mgpu_context_get_traits (context)->compute_units;
  gsize n_groups = MAX (GROUPS_PER_UNIT * units,
      (gsize) knobs[MGPU_ROWS_MIN_GROUPS]);

  rows->columns = knobs[MGPU_ROWS_COLUMNS];
  mgpu_group (context, MIN (knobs[MGPU_ROWS_GROUP_X], rows->columns),
      knobs[MGPU_ROWS_GROUP_Y], rows->local);
  n_groups = MIN (n_groups, (height + rows->local[1] - 1) / rows->local[1]);
  rows->global[0] = rows->columns;
  rows->global[1] = n_groups * rows->local[1];
}

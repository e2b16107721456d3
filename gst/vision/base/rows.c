/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rows.h"

void
mgpu_rows_init (MgpuRows * rows, const GstMgpuTraits * traits, gint height)
{
  gsize n_groups;

  if (traits->device_class == GST_MGPU_DEVICE_CLASS_CPU) {
    /* Whole rows, and more work-items than processors, for when other threads
     * take some of their time. */
    rows->columns = 1;
    rows->local[0] = rows->local[1] = 1;
    n_groups = 4 * traits->compute_units;
  } else {
    /* Neighbours in x read neighbours in memory. */
    rows->columns = 64;
    rows->local[0] = MIN (32, traits->max_work_group_size);
    rows->local[1] = CLAMP (traits->max_work_group_size / 32, 1, 8);
    n_groups = 4 * MAX (traits->compute_units, 4);
  }
  n_groups = MIN (n_groups, (height + rows->local[1] - 1) / rows->local[1]);
  rows->global[0] = rows->columns;
  rows->global[1] = n_groups * rows->local[1];
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"

#include <math.h>

gboolean
histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, guint n_tables,
    guint * slot)
{
  gsize n = (gsize) n_tables * self->n_bins;

  if (n_tables != self->n_tables)
    self->has_past = FALSE;
  self->n_tables = n_tables;
  *slot = MADE + self->turn;
  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_ensure (self, MADE + i, job, n * self->bytes))
      return FALSE;
  return mgpu_slot_ensure (self, SMOOTH, job, n * sizeof (guint32))
      && mgpu_slot_ensure (self, DISTANCE, job, 2 * sizeof (guint32));
}

void
histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, gdouble smoothing,
    guint new_scene)
{
  cl_kernel compare = self->object.kernels[SMOOTH_COMPARE];
  cl_kernel blend = self->object.kernels[SMOOTH_BLEND];
  gsize n = (gsize) self->n_tables * self->n_bins;
  cl_mem now, distance;

  if (job->error != NULL)
    return;
  now = mgpu_slot_write (self, MADE + self->turn, job, 0);
  distance = mgpu_slot_write (self, DISTANCE, job, 0);
  if (self->has_past) {
    gst_mgpu_job_set_args (job, compare, "mmmi", now,
        mgpu_slot_write (self, MADE + !self->turn, job, 0), distance,
        (gint) self->turn);
    mgpu_launch_items (job, compare, self->n_tables * self->group,
        self->group);
  }
  gst_mgpu_job_set_args (job, blend, "mmmumiui", now,
      mgpu_slot_write (self, SMOOTH, job, 0),
      mgpu_slot_write (self, TABLES, job, 0),
      (guint) rint (smoothing * 65536), distance, (gint) self->turn,
      self->n_tables * (self->n_bins / new_scene),
      (gint) ! self->has_past);
  gst_mgpu_job_launch (job, blend, 1, &n, NULL);
  self->has_past = TRUE;
  self->turn = !self->turn;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies the flow field of a part of a frame into a flow field of the whole frame. */
#include "flowfield.h"

static const MgpuKernel kernels[] = {
  {"flowfield/place", "flowfield_place", 0}, {NULL}
};

/* Indices of the slots: scratch buffers in device memory */
enum
{
  FLOW,
  CONFIDENCE = FLOW + MGPU_FLOW_N_FIELDS,
  N_SLOTS = CONFIDENCE + MGPU_FLOW_N_FIELDS
};

gboolean
mgpu_flow_place_get (gpointer self, GstMgpuJob * job, guint i,
    const MgpuFlowSize * size, MgpuFlowField * field)
{
  MgpuObject *object = self;
  gsize n = (gsize) size->width * size->height;

  if (!mgpu_slot_ensure (self, FLOW + i, job, n * 2 * sizeof (gint16))
      || !mgpu_slot_ensure (self, CONFIDENCE + i, job, n))
    return FALSE;
  field->flow = (GstMgpuMemory *) object->slots[FLOW + i];
  field->confidence = (GstMgpuMemory *) object->slots[CONFIDENCE + i];
  return TRUE;
}

void
mgpu_flow_place_enqueue (gpointer self, GstMgpuJob * job,
    const MgpuFlowField * part, const MgpuRect * box,
    const MgpuFlowField * whole, const MgpuFlowSize * whole_size)
{
  MgpuObject *object = self;
  gsize group[2];

  gst_mgpu_job_set_args (job, object->kernels[0], "mmiiiimmii",
      gst_mgpu_job_read (job, part->flow),
      gst_mgpu_job_read (job, part->confidence), box->x, box->y, box->width,
      box->height, gst_mgpu_job_write (job, whole->flow),
      gst_mgpu_job_write (job, whole->confidence), whole_size->width,
      whole_size->height);
  mgpu_group (object->context, 64, 1, group);
  mgpu_launch (job, object->kernels[0], whole_size->width, whole_size->height,
      1, 1, group);
}

const MgpuAlgorithm mgpu_flow_place = {
  .size = sizeof (MgpuObject),
  .kernels = kernels,
  .n_slots = N_SLOTS
};

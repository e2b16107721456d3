/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Provides the optical flow for noise reduction: see source.h. */
#include "source.h"

#include <gst/mgpu/gstmgpuflowmeta.h>

/* Slots (scratch buffers) of the owner, relative to the first */
enum
{
  FLOW,
  CONFIDENCE,
  LUMA
};

static const MgpuFlowParams flow_params = {
  .dense = TRUE,
  .preset = MGPU_FLOW_MEDIUM,
  .direction = MGPU_FLOW_TO_PREVIOUS,
  .lighting = MGPU_FLOW_STEADY,
  .temporal = TRUE
};

void
mgpu_denoise_source_look (MgpuDenoiseSource * self, GstMgpuContext * context,
    GstBuffer * in, gboolean uses_flow, gboolean is_processed)
{
  GstMgpuFlowMeta *meta = uses_flow ? gst_buffer_get_mgpu_flow_meta (in) : NULL;
  GstMgpuFlowField field = GST_MGPU_FLOW_FIELD_TO_PREVIOUS;
  guint width, height, shift;
  GstMemory *memory;

  g_clear_pointer (&self->given, gst_memory_unref);
  if (meta != NULL && self->follows
      && gst_mgpu_flow_meta_get_previous_offset (meta) == self->offset
      && gst_mgpu_flow_meta_get_field (meta, field, &width, &height, &shift)) {
    memory = gst_mgpu_flow_meta_get_memory (meta, field);
    if (gst_is_mgpu_memory (memory)
        && ((GstMgpuMemory *) memory)->context == context) {
      self->given = gst_memory_ref (memory);
      self->given_size = (MgpuFlowSize) {
      width, height, shift};
    }
  }
  self->follows = is_processed;
  self->offset = GST_BUFFER_OFFSET (in);
}

void
mgpu_denoise_source_drop (MgpuDenoiseSource * self)
{
  g_clear_pointer (&self->flow, mgpu_object_free);
  g_clear_pointer (&self->luma, mgpu_object_free);
}

gboolean
mgpu_denoise_source_make (MgpuDenoiseSource * self, gpointer owner,
    GError ** error)
{
  const GstVideoInfo *info = &((MgpuObject *) owner)->in;
  GstMgpuContext *context = ((MgpuObject *) owner)->context;
  GstVideoInfo luma = *info;

  if (self->flow != NULL || MIN (info->width, info->height) < MGPU_FLOW_LEAST)
    return TRUE;
  if (GST_VIDEO_INFO_IS_RGB (info)) {
    mgpu_colour_luma_info (info, &luma);
    self->luma = mgpu_colour_luma_new (context, info, error);
    if (self->luma == NULL)
      return FALSE;
  }
  self->flow = mgpu_object_new (&mgpu_flow, context, &luma, NULL, NULL, NULL,
      error);
  if (self->flow != NULL
      && mgpu_flow_check_size (self->flow, flow_params.preset, error))
    return TRUE;
  mgpu_denoise_source_drop (self);
  return FALSE;
}

/* Enqueues the kernels that measure the flow of the frame @in. The other arguments and the result
 * are as for mgpu_denoise_source_get(). */
static GstMgpuMemory *
measure (MgpuDenoiseSource * self, gpointer owner, guint slot, GstMgpuJob * job,
    const MgpuImage * in, MgpuFlowSize * size)
{
  GstMemory **slots = ((MgpuObject *) owner)->slots + slot;
  MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  MgpuFlowField *field = &fields[MGPU_FLOW_FIELD_TO_PREVIOUS];
  gboolean has_previous = mgpu_flow_has_previous (self->flow);
  GstVideoInfo info;
  MgpuImage luma;
  gsize n;

  *size = mgpu_flow_get_size (self->flow, flow_params.preset);
  n = (gsize) size->width * size->height;
  if (!mgpu_slot_ensure (owner, slot + FLOW, job, 2 * sizeof (gint16) * n)
      || !mgpu_slot_ensure (owner, slot + CONFIDENCE, job, n))
    return NULL;
  field->flow = (GstMgpuMemory *) slots[FLOW];
  field->confidence = (GstMgpuMemory *) slots[CONFIDENCE];
  if (self->luma != NULL) {
    mgpu_colour_luma_info (&in->info, &info);
    if (!mgpu_slot_image (owner, slot + LUMA, job, &info, &luma))
      return NULL;
    mgpu_colour_luma_enqueue (self->luma, job, in, &luma);
    in = &luma;
  }
  mgpu_flow_enqueue (self->flow, job, &flow_params, in, fields);
  return has_previous ? field->flow : NULL;
}

GstMgpuMemory *
mgpu_denoise_source_get (MgpuDenoiseSource * self, gpointer owner, guint slot,
    GstMgpuJob * job, const MgpuImage * in, MgpuFlowSize * size)
{
  GError *error = NULL;

  if (self->given != NULL) {
    mgpu_denoise_source_drop (self);
    *size = self->given_size;
    return (GstMgpuMemory *) self->given;
  }
  if (!mgpu_denoise_source_make (self, owner, &error))
    gst_mgpu_job_fail (job, error);
  return self->flow != NULL ? measure (self, owner, slot, job, in, size) : NULL;
}

void
mgpu_denoise_source_forget (MgpuDenoiseSource * self)
{
  if (self->flow != NULL)
    mgpu_flow.forget (self->flow);
}

void
mgpu_denoise_source_clear (MgpuDenoiseSource * self)
{
  mgpu_denoise_source_drop (self);
  g_clear_pointer (&self->given, gst_memory_unref);
}

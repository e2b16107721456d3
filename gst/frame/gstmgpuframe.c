/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a frame and its guide image accessible to the device, and releases both when
 * the work is enqueued. */
#include "gstmgpuframe.h"

gboolean
gst_mgpu_frame_path_writes (GstMgpuFramePath path)
{
  return path == GST_MGPU_FRAME_IS_MADE || path == GST_MGPU_FRAME_IS_CHANGED;
}

gboolean
gst_mgpu_frame_import (GstMgpuFrame * self, GstMgpuInput * input,
    GstMgpuGuide * guide, GstMgpuOutput * output, GstBuffer * in,
    GstBuffer * out, MgpuWork * work, GError ** error)
{
  gboolean is_written = gst_mgpu_frame_path_writes (self->path);

  self->imported = gst_mgpu_input_import (input, is_written ? in : out,
      &self->in_image, error);
  if (self->imported == NULL || (is_written && !gst_mgpu_parse_frame (out,
              &output->info, &self->out_image, error)))
    return FALSE;
  *work = (MgpuWork) {
    self->params, &self->in_image,
        self->guide != NULL ? &self->guide_image : NULL,
        is_written ? &self->out_image : NULL
  };
  if (self->guide == NULL)
    return TRUE;
  self->imported_guide = gst_mgpu_input_import (gst_mgpu_guide_get_input (guide),
      self->guide, &self->guide_image, error);
  return self->imported_guide != NULL;
}

void
gst_mgpu_frame_done (GstMgpuFrame * self, GstMgpuInput * input,
    GstMgpuGuide * guide)
{
  if (self->imported != NULL)
    gst_mgpu_input_done (input, g_steal_pointer (&self->imported));
  if (self->imported_guide != NULL)
    gst_mgpu_input_done (gst_mgpu_guide_get_input (guide),
        g_steal_pointer (&self->imported_guide));
  gst_clear_buffer (&self->guide);
}

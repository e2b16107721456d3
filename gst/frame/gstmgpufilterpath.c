/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decides whether a filter changes a frame in place, replaces it by a new frame, or pushes
 * it unchanged. Provides the buffer that is pushed downstream. */
#include "gstmgpufilterpath.h"

/* Allocates an output frame for the input frame @in; the device will write it. */
static GstFlowReturn
allocate (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out)
{
  GstBaseTransformClass *parent = g_type_class_peek (GST_TYPE_BASE_TRANSFORM);
  GError *error = NULL;
  GstFlowReturn ret =
      parent->prepare_output_buffer (GST_BASE_TRANSFORM (self), in, out);

  if (ret != GST_FLOW_OK)
    GST_MGPU_DEBUG_OBJECT (self, "there is no buffer for the new frame: %s",
        gst_flow_get_name (ret));
  if (ret != GST_FLOW_ERROR)
    return ret;
  gst_mgpu_device_base_set_no_memory (&self->base,
      GST_VIDEO_INFO_SIZE (&self->output.info), &error);
  return gst_mgpu_device_base_fail (&self->base, error);
}

/* Sets *@out to a buffer with the unchanged frame of @in: to @in itself if possible. */
static GstFlowReturn
pass (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GError *error = NULL;
  GstFlowReturn ret;

  *out = gst_mgpu_input_pass (&self->input, in,
      self->output.gives_device_frames, self->output.takes_video_meta);
  if (*out == in) {
    gst_buffer_unref (in);
    if (self->frame.path == GST_MGPU_FRAME_IS_READ
        && !gst_buffer_is_writable (in))
      *out = gst_buffer_copy (in);
    return GST_FLOW_OK;
  }
  if (*out != NULL) {
    GST_BASE_TRANSFORM_GET_CLASS (self)->copy_metadata (trans, in, *out);
    return GST_FLOW_OK;
  }

  ret = allocate (self, in, out);
  if (ret != GST_FLOW_OK)
    return ret;
  if (gst_mgpu_input_copy (&self->input, in, *out,
          self->output.gives_device_frames, &error))
    return GST_FLOW_OK;
  gst_clear_buffer (out);
  return gst_mgpu_device_base_fail (&self->base, error);
}

/* Returns: the GstMgpuFramePath of the frame @in, whose pixels do not change */
static GstMgpuFramePath
choose_path_unchanged (GstMgpuFilter * self, GstBuffer * in, GError ** error)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  return klass->attach != NULL
      && (klass->looks == NULL || klass->looks (self, in, error))
      ? GST_MGPU_FRAME_IS_READ : GST_MGPU_FRAME_PASSES;
}

/* Returns: the GstMgpuFramePath of the frame @in, which changes only in its regions */
static GstMgpuFramePath
choose_path_of_regions (GstMgpuFilter * self, GstBuffer * in, GError ** error)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  switch (self->mix.regions.covers) {
    case GST_MGPU_COVERS_ALL:
      return GST_MGPU_FRAME_IS_MADE;
    case GST_MGPU_COVERS_PART:
      return GST_MGPU_FRAME_IS_CHANGED;
    default:
      return klass->remembers != NULL && klass->remembers (self)
          ? GST_MGPU_FRAME_IS_WATCHED : choose_path_unchanged (self, in, error);
  }
}

gboolean
gst_mgpu_filter_choose_path (GstMgpuFilter * self, GstBuffer * in,
    GError ** error)
{
  static const gchar *const names[] = {
    [GST_MGPU_FRAME_IS_MADE] = "is replaced by a new frame",
    [GST_MGPU_FRAME_IS_CHANGED] = "changes in parts",
    [GST_MGPU_FRAME_IS_WATCHED] =
        "is pushed unchanged, after it was analyzed for later frames",
    [GST_MGPU_FRAME_IS_READ] = "is pushed unchanged, with results attached",
    [GST_MGPU_FRAME_PASSES] = "is pushed unchanged"
  };
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  GstMgpuFrame *frame = &self->frame;

  frame->path = GST_MGPU_FRAME_IS_MADE;
  if (frame->is_resting)
    frame->path = GST_MGPU_FRAME_PASSES;
  else if (klass->passes != NULL && klass->passes (self, in, error))
    frame->path = choose_path_unchanged (self, in, error);
  else if (klass->regions > 0)
    frame->path = choose_path_of_regions (self, in, error);
  if (frame->path != frame->last_path)
    GST_MGPU_DEBUG_OBJECT (self,
        "from frame %" GST_TIME_FORMAT " on, each frame %s%s",
        GST_TIME_ARGS (GST_BUFFER_PTS (in)), names[frame->path],
        frame->is_resting ? ", because \"enabled\" is off" : "");
  GST_MGPU_LOG_OBJECT (self, "frame %" GST_TIME_FORMAT " %s",
      GST_TIME_ARGS (GST_BUFFER_PTS (in)), names[frame->path]);
  return *error == NULL;
}

/* Sets *@out to a buffer with the frame of @in, so that parts of it can be changed. This
 * is @in itself if its memory belongs to the filter's OpenCL context and nobody else uses
 * the buffer; otherwise it is a copy. */
static GstFlowReturn
change (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out)
{
  MgpuImage image;

  if (gst_buffer_is_writable (in) && gst_buffer_is_all_memory_writable (in)
      && gst_mgpu_input_is_ours (&self->input, in, &image)) {
    *out = gst_mgpu_input_pass (&self->input, in,
        self->output.gives_device_frames, self->output.takes_video_meta);
    if (*out == in) {
      gst_buffer_unref (in);
      return GST_FLOW_OK;
    }
    gst_clear_buffer (out);
  }
  GST_MGPU_LOG_OBJECT (self, "changing a copy of the frame, because another "
      "element also uses this buffer, or the buffer is not on the device: %"
      GST_PTR_FORMAT, in);
  return allocate (self, in, out);
}

GstFlowReturn
gst_mgpu_filter_get_output (GstMgpuFilter * self, GstBuffer * in,
    GstBuffer ** out)
{
  switch (self->frame.path) {
    case GST_MGPU_FRAME_IS_MADE:
      return allocate (self, in, out);
    case GST_MGPU_FRAME_IS_CHANGED:
      return change (self, in, out);
    default:
      return pass (self, in, out);
  }
}

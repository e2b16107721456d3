/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements gst_mgpu_flow_images(), with which applications measure the flow between two
 * images. */
#include <gst/mgpu/gstmgpuflowmeta.h>

#include <gst/methods/owned.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/flow/flow.h>

#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpumemory-private.h>
#include <gst/mgpu/gstmgpuenum-private.h>
#include <gst/mgpu/gstmgpujob.h>

G_STATIC_ASSERT ((gint) GST_MGPU_FLOW_PRESET_FINE == MGPU_FLOW_FINE);

/* The state of one call of gst_mgpu_flow_images(). The call makes all members except the
 * context. */
typedef struct
{
  GstMgpuQueue *queue;
  GstVideoInfo info;            /* format of the images */
  MgpuFlowParams params;
  GstBuffer *frames[2];         /* the images on the device; the first image is used as the previous
                                 * frame of the second */
  MgpuColourLuma *colour;       /* computes luma; NULL unless the images are RGB */
  GstBuffer *lumas[2];          /* memories with the luma of the images; NULL unless the images are
                                 * RGB */
  GstBuffer *flow[MGPU_FLOW_N_FIELDS], *confidence[MGPU_FLOW_N_FIELDS];
} Call;

static const GEnumValue presets[] = {
  {GST_MGPU_FLOW_PRESET_ULTRAFAST, "Ultrafast", "ultrafast"},
  {GST_MGPU_FLOW_PRESET_FAST, "Fast", "fast"},
  {GST_MGPU_FLOW_PRESET_MEDIUM, "Medium", "medium"},
  {GST_MGPU_FLOW_PRESET_FINE, "Fine", "fine"},
  {0, NULL, NULL}
};

GST_MGPU_DEFINE_ENUM (GstMgpuFlowPreset, gst_mgpu_flow_preset, presets);

/* Returns: whether flow can be measured in images of a format and size: in the luma of YUV, in
 * gray, or in RGB with 8 bits in one plane */
static gboolean
is_supported (const GstVideoInfo * info)
{
  const GstVideoFormatInfo *f = info->finfo;
  const guint others = GST_VIDEO_FORMAT_FLAG_COMPLEX
      | GST_VIDEO_FORMAT_FLAG_TILED | GST_VIDEO_FORMAT_FLAG_PALETTE;
  gboolean is_little = (f->flags & GST_VIDEO_FORMAT_FLAG_LE) != 0;

  if (MIN (info->width, info->height) < MGPU_FLOW_LEAST || (f->flags & others))
    return FALSE;
  if (GST_VIDEO_INFO_IS_RGB (info))
    return f->depth[0] == 8 && f->n_planes == 1;
  return f->depth[0] == 8 || (f->depth[0] <= 16 && f->depth[0] >= 10
      && is_little);
}

static void
call_clear (Call * self)
{
  for (guint i = 0; i < 2; i++) {
    gst_clear_buffer (&self->frames[i]);
    gst_clear_buffer (&self->lumas[i]);
  }
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    gst_clear_buffer (&self->flow[i]);
    gst_clear_buffer (&self->confidence[i]);
  }
  g_clear_pointer (&self->colour, mgpu_object_free);
  g_clear_object (&self->queue);
}

/* Copies an image to the device. Returns: (transfer full) (nullable): the copy */
static GstBuffer *
upload (Call * self, GstBuffer * image, GError ** error)
{
  GstBuffer *copy = gst_mgpu_frame_new (self->queue, &self->info, NULL, error);
  GstVideoFrame from, to;
  gboolean ok;

  if (copy == NULL)
    return NULL;
  if (!gst_video_frame_map (&from, &self->info, image, GST_MAP_READ)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "a buffer does not contain an image of %dx%d %s: pass the caps of the "
        "images", GST_VIDEO_INFO_WIDTH (&self->info),
        GST_VIDEO_INFO_HEIGHT (&self->info), GST_VIDEO_INFO_NAME (&self->info));
    gst_buffer_unref (copy);
    return NULL;
  }
  ok = gst_video_frame_map (&to, &self->info, copy, GST_MAP_WRITE);
  if (ok) {
    gst_video_frame_copy (&to, &from);
    gst_video_frame_unmap (&to);
  } else {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "an image cannot be copied to the device");
    gst_clear_buffer (&copy);
  }
  gst_video_frame_unmap (&from);
  return copy;
}

static GstBuffer *
table_new (Call * self, gsize size, GError ** error)
{
  GstMemory *memory = gst_mgpu_memory_new (self->queue, size, NULL, error);
  GstBuffer *buffer = memory != NULL ? gst_buffer_new () : NULL;

  if (memory != NULL)
    gst_buffer_append_memory (buffer, memory);
  return buffer;
}

/* Makes the kernels and memories for RGB images. @luma becomes the format of their luma. */
static gboolean
prepare_luma (Call * self, GstVideoInfo * luma, GError ** error)
{
  *luma = self->info;
  if (!GST_VIDEO_INFO_IS_RGB (&self->info))
    return TRUE;
  mgpu_colour_luma_info (&self->info, luma);
  self->colour = mgpu_colour_luma_new (gst_mgpu_queue_get_context (self->queue),
      &self->info, error);
  for (guint i = 0; i < 2 && self->colour != NULL; i++) {
    self->lumas[i] = gst_mgpu_frame_new (self->queue, luma, NULL, error);
    if (self->lumas[i] == NULL)
      return FALSE;
  }
  return self->colour != NULL;
}

static gboolean
make_tables (Call * self, MgpuFlow * flow, MgpuFlowField * fields,
    GError ** error)
{
  MgpuFlowSize size = mgpu_flow_get_size (flow, self->params.preset);
  gsize n = (gsize) size.width * size.height;

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (self->params.direction != MGPU_FLOW_BOTH
        && self->params.direction != (gint) i)
      continue;
    self->flow[i] = table_new (self, n * 2 * sizeof (gint16), error);
    if (self->flow[i] != NULL)
      self->confidence[i] = table_new (self, n, error);
    if (self->confidence[i] == NULL)
      return FALSE;
    fields[i].flow = (GstMgpuMemory *)
        gst_buffer_peek_memory (self->flow[i], 0);
    fields[i].confidence = (GstMgpuMemory *)
        gst_buffer_peek_memory (self->confidence[i], 0);
  }
  return TRUE;
}

/* Enqueues the optical flow of both images with @flow, which must have no previous frame, and makes
 * @flow forget both images. */
static gboolean
measure (Call * self, MgpuFlow * flow, const GstVideoInfo * luma,
    GError ** error)
{
  MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  MgpuImage image, made;
  GstMgpuJob job;
  gboolean ok;

  if (!make_tables (self, flow, fields, error))
    return FALSE;
  gst_mgpu_job_begin (&job, self->queue, NULL);
  for (guint i = 0; i < 2; i++) {
    mgpu_image_from_buffer (&image, self->frames[i], &self->info);
    if (self->colour != NULL) {
      mgpu_image_from_buffer (&made, self->lumas[i], luma);
      mgpu_colour_luma_enqueue (self->colour, &job, &image, &made);
      image = made;
    }
    mgpu_flow_enqueue (flow, &job, &self->params, &image, fields);
  }
  ok = gst_mgpu_job_end (&job, error);
  mgpu_flow.forget (flow);
  return ok;
}

/* Returns: (transfer full): a new meta, to which the flow fields of @self are moved */
static GstMgpuFlowMeta *
make_meta (Call * self, MgpuFlow * flow)
{
  MgpuFlowSize size = mgpu_flow_get_size (flow, self->params.preset);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMgpuFlowMeta *meta = gst_buffer_add_mgpu_flow_meta (buffer, size.width,
      size.height, size.shift, GST_BUFFER_OFFSET_NONE), *copy;

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++)
    gst_mgpu_flow_meta_set_field (meta, (GstMgpuFlowField) i,
        g_steal_pointer (&self->flow[i]),
        g_steal_pointer (&self->confidence[i]));
  copy = g_boxed_copy (GST_TYPE_MGPU_FLOW_META, meta);
  return copy;
}

static GstMgpuFlowMeta *
run (Call * self, GstMgpuContext * context, GError ** error)
{
  GstMgpuFlowMeta *meta = NULL;
  GstVideoInfo luma;
  MgpuFlow *flow;

  if (!prepare_luma (self, &luma, error))
    return NULL;
  /* Makes an object for this call only, because its memories are large, and hold references to the
   * context. */
  flow = mgpu_object_new (&mgpu_flow, context, &luma, NULL, NULL, NULL, error);
  if (flow != NULL && measure (self, flow, &luma, error))
    meta = make_meta (self, flow);
  mgpu_object_free (flow);
  return meta;
}

/**
 * gst_mgpu_flow_images:
 * @context: the device that computes
 * @from: an image, in any memory
 * @to: another image
 * @caps: format and size of both images
 * @preset: speed and precision
 * @lighting_changes: whether brightness may differ between the images
 * @both: whether the flow from @to to @from is also measured
 * @error: return location for a #GError
 *
 * Measures where each pixel of @from is in @to, as mgpuflow does without earlier frames: the result
 * is the field %GST_MGPU_FLOW_FIELD_TO_PREVIOUS of @from as a frame behind @to. With @both it also
 * has the field %GST_MGPU_FLOW_FIELD_FROM_PREVIOUS, where each pixel of @to is in @from. Does not
 * wait for the device.
 *
 * Fails with %GST_MGPU_ERROR_UNSUPPORTED when the images are smaller than 16x16 pixels, have a
 * format that mgpuflow does not accept, or do not match @caps.
 *
 * Returns: (transfer full) (nullable): the flow, to be freed with g_boxed_free()
 *
 * Since: 1.1
 */
GstMgpuFlowMeta *
gst_mgpu_flow_images (GstMgpuContext * context, GstBuffer * from,
    GstBuffer * to, GstCaps * caps, GstMgpuFlowPreset preset,
    gboolean lighting_changes, gboolean both, GError ** error)
{
  Call call = {.params = {TRUE, preset,
          both ? MGPU_FLOW_BOTH : MGPU_FLOW_TO_PREVIOUS, lighting_changes,
      FALSE}
  };
  GstMgpuFlowMeta *meta = NULL;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (preset <= GST_MGPU_FLOW_PRESET_FINE, NULL);

  if (!gst_caps_is_fixed (caps) || !gst_video_info_from_caps (&call.info, caps)
      || !is_supported (&call.info)) {
    g_autofree gchar *text = gst_caps_to_string (caps);

    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "flow cannot be measured in images of \"%s\": the caps must have a "
        "format and a size, at least %dx%d pixels, in gray, YUV or 8-bit RGB",
        text, MGPU_FLOW_LEAST, MGPU_FLOW_LEAST);
    return NULL;
  }
  call.queue = gst_mgpu_queue_new (context, error);
  if (call.queue != NULL)
    call.frames[0] = upload (&call, to, error);
  if (call.frames[0] != NULL)
    call.frames[1] = upload (&call, from, error);
  if (call.frames[1] != NULL)
    meta = run (&call, context, error);
  call_clear (&call);
  return meta;
}

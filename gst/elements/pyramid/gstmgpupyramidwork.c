/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the pyramid levels of one frame for mgpupyramid. */
#include "gstmgpupyramid.h"

#include <gst/frame/gstmgpupools.h>

/* An input frame and the pyramid levels that are made from it. */
typedef struct
{
  GstBuffer *in;
  GstBuffer *imported;          /* buffer with the input frame on the device */
  MgpuImage image;              /* the input frame, for kernels */
  GstMgpuPyramidPad *first;     /* source pad src_0; NULL if it outputs no level of this
                                 * frame */
  GstBuffer *levels[MGPU_PYRAMID_MAX_LEVELS];
  GstBuffer *details[MGPU_PYRAMID_MAX_LEVELS];
} Work;

typedef struct
{
  GstBuffer *out;
  GstVideoMetaTransform scale;
} MetaCopy;

static gboolean
copy_meta (GstBuffer * in, GstMeta ** meta, gpointer data)
{
  const GstMetaInfo *info = (*meta)->info;
  MetaCopy *copy = data;
  GstMetaTransformCopy whole = { FALSE, 0, -1 };
  gboolean scales = (copy->scale.in_info->width != copy->scale.out_info->width
      || copy->scale.in_info->height != copy->scale.out_info->height)
      && gst_meta_api_type_has_tag (info->api,
      g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR));

  if (info->transform_func == NULL
      || gst_meta_api_type_has_tag (info->api,
          g_quark_from_static_string (GST_META_TAG_MEMORY_STR))
      || gst_meta_api_type_has_tag (info->api,
          g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR)))
    return TRUE;
  if (scales)
    info->transform_func (copy->out, *meta, in,
        gst_video_meta_transform_scale_get_quark (), &copy->scale);
  else
    info->transform_func (copy->out, *meta, in, _gst_meta_transform_copy,
        &whole);
  return TRUE;
}

/* Copies flags, timestamps and metas from the input frame @in to @out, the output frame
 * of the pyramid level @level. */
static void
copy_metadata (GstMgpuPyramid * self, GstBuffer * in, GstBuffer * out,
    guint level)
{
  MetaCopy copy = { out, {&self->input.info,
      (GstVideoInfo *) mgpu_pyramid_get_info (self->pyramid, level)}
  };

  gst_buffer_copy_into (out, in,
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  gst_buffer_foreach_meta (in, copy_meta, &copy);
}

/* Sets the output frame of @pad to the input frame, without a copy if possible. */
static gboolean
pass_frame (GstMgpuPyramid * self, GstMgpuPyramidPad * pad, GstBuffer * in,
    GError ** error)
{
  GstMgpuOutput *output = &pad->source.output;

  pad->source.out = gst_mgpu_input_pass (&self->input, in,
      output->gives_device_frames, output->takes_video_meta);
  if (pad->source.out == NULL) {
    pad->source.out =
        gst_mgpu_device_base_acquire (&self->base, pad->source.pool, error);
    /* Outputs no frame from the pad if there is neither a buffer nor an error, because the pool is
     * flushing then. */
    if (pad->source.out == NULL) {
      pad->source.flow = GST_FLOW_FLUSHING;
      return *error == NULL;
    }
    if (!gst_mgpu_input_copy (&self->input, in, pad->source.out,
            output->gives_device_frames, error))
      return FALSE;
  }
  if (pad->source.out != in)
    copy_metadata (self, in, pad->source.out, 0);
  return TRUE;
}

/* Allocates an output frame for each source pad that outputs a level of this frame. */
static gboolean
acquire_frames (GstMgpuPyramid * self, GList * pads, Work * work,
    GError ** error)
{
  for (GList * l = pads; l != NULL; l = l->next) {
    GstMgpuPyramidPad *pad = l->data;
    guint level;

    if (pad->source.flow != GST_FLOW_OK)
      continue;
    if (pad->index == 0)
      work->first = pad;
    if (pad->index == 0 && self->pyramid_type == MGPU_PYRAMID_GAUSSIAN) {
      if (!pass_frame (self, pad, work->in, error))
        return FALSE;
      continue;
    }
    level = gst_mgpu_pyramid_pad_get_level (pad, self);
    pad->source.out =
        gst_mgpu_device_base_acquire (&self->base, pad->source.pool, error);
    if (pad->source.out == NULL) {
      if (*error != NULL)
        return FALSE;
      pad->source.flow = GST_FLOW_FLUSHING;
      continue;
    }
    copy_metadata (self, work->in, pad->source.out, level);
    if (work->levels[level] == NULL)
      work->levels[level] = gst_buffer_ref (pad->source.out);
  }
  return TRUE;
}

/* Allocates buffers for the pyramid levels and detail images that only the meta needs. */
static gboolean
acquire_for_meta (GstMgpuPyramid * self, Work * work, GError ** error)
{
  guint n = mgpu_pyramid_get_n_levels (self->pyramid);
  gboolean is_gaussian = self->pyramid_type == MGPU_PYRAMID_GAUSSIAN;

  for (guint i = 0; i < n; i++) {
    if (!is_gaussian && i + 1 < n) {
      if (self->detail_pools[i] == NULL)
        self->detail_pools[i] = gst_mgpu_device_base_new_table_pool
            (&self->base, mgpu_pyramid_get_detail_size (self->pyramid, i),
            error);
      if (self->detail_pools[i] != NULL)
        work->details[i] = gst_mgpu_device_base_acquire (&self->base,
            self->detail_pools[i], error);
      if (work->details[i] == NULL)
        return FALSE;
    } else if (work->levels[i] == NULL && i > 0) {
      if (self->level_pools[i] == NULL)
        self->level_pools[i] = gst_mgpu_device_base_new_frame_pool
            (&self->base, mgpu_pyramid_get_info (self->pyramid, i), TRUE,
            error);
      if (self->level_pools[i] != NULL)
        work->levels[i] = gst_mgpu_device_base_acquire (&self->base,
            self->level_pools[i], error);
      if (work->levels[i] == NULL)
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
get_image (GstMgpuPyramid * self, GstBuffer * buffer, guint level,
    MgpuImage * image, GError ** error)
{
  return gst_mgpu_parse_frame (buffer, mgpu_pyramid_get_info (self->pyramid,
          level), image, error);
}

/* Returns: whether any of @pads may have several frames in flight */
static gboolean
has_in_flight (GList * pads)
{
  for (GList * l = pads; l != NULL; l = l->next)
    if (gst_mgpu_output_get_max_in_flight (&GST_MGPU_SOURCE_PAD (l->data)->
            output) > 1)
      return TRUE;
  return FALSE;
}

static gboolean
enqueue (GstMgpuPyramid * self, GList * pads, Work * work, GError ** error)
{
  MgpuImage images[MGPU_PYRAMID_MAX_LEVELS], copy;
  const MgpuImage *levels[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  GstMgpuMemory *details[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  guint n = mgpu_pyramid_get_n_levels (self->pyramid);
  GstMgpuQueue *queue;
  GstMgpuJob job;
  gboolean ok;

  for (guint i = 0; i < n; i++) {
    if (work->details[i] != NULL)
      details[i] = (GstMgpuMemory *) gst_buffer_peek_memory (work->details[i],
          0);
    if (work->levels[i] == NULL)
      continue;
    if (!get_image (self, work->levels[i], i, &images[i], error))
      return FALSE;
    levels[i] = &images[i];
  }

  queue = gst_mgpu_device_base_begin_frame (&self->base, work->image.memory,
      !has_in_flight (pads));
  gst_mgpu_job_begin (&job, queue, self->base.stats);
  mgpu_pyramid_enqueue (self->pyramid, &job, &work->image, levels,
      self->pyramid_type == MGPU_PYRAMID_LAPLACIAN ? details : NULL);
  /* Copies the last level to the other pads that output it: those whose index is larger
   * than that of the last level. */
  for (GList * l = pads; l != NULL; l = l->next) {
    GstMgpuPyramidPad *pad = l->data;
    guint level = gst_mgpu_pyramid_pad_get_level (pad, self);

    if (pad->source.out == NULL || work->levels[level] == NULL
        || pad->source.out == work->levels[level] || (pad->index == 0
            && self->pyramid_type == MGPU_PYRAMID_GAUSSIAN))
      continue;
    if (!get_image (self, pad->source.out, level, &copy, error)) {
      gst_mgpu_job_fail (&job, g_steal_pointer (error));
      break;
    }
    mgpu_image_copy_planes (&job, levels[level], &copy, ~0u);
    GST_MGPU_LOG_OBJECT (self, "copying level %u for %" GST_PTR_FORMAT, level,
        pad);
  }
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (&self->base, queue, ok);
  return ok;
}

/* Returns: (transfer full): a new buffer with the memory of @buffer and a GstVideoMeta,
 * but no other meta. A meta of @buffer may hold a reference to the new buffer; a
 * reference to @buffer itself would be a cycle, and neither buffer nor meta would ever be
 * freed */
static GstBuffer *
share_frame (GstMgpuPyramid * self, GstBuffer * buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo *info = &self->input.info;
  GstBuffer *frame = gst_buffer_new ();

  gst_buffer_append_memory (frame, gst_memory_ref (gst_buffer_peek_memory
          (buffer, 0)));
  if (meta != NULL)
    gst_buffer_add_video_meta_full (frame, meta->flags, meta->format,
        meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  else
    gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
        info->offset, info->stride);
  return frame;
}

static void
set_detail (GstMgpuPyramid * self, GstMgpuPyramidMeta * meta, guint level,
    GstBuffer * detail)
{
  GstMgpuPyramidPlane planes[GST_MGPU_PYRAMID_META_MAX_COMPONENTS];
  guint n = mgpu_pyramid_get_n_components (self->pyramid);

  for (guint i = 0; i < n; i++) {
    MgpuComponent c;

    mgpu_pyramid_get_detail (self->pyramid, level, i, &c);
    planes[i].width = c.width;
    planes[i].height = c.height;
    planes[i].offset = c.offset;
    planes[i].stride = c.stride;
    planes[i].sample_bytes = c.bytes;
  }
  gst_mgpu_pyramid_meta_set_detail (meta, level, detail, n, planes);
}

/* Attaches a GstMgpuPyramidMeta to the output frame of src_0. @level_0 (transfer full) is
 * the frame for level 0 of the meta. */
static void
attach_meta (GstMgpuPyramid * self, Work * work, GstBuffer * level_0)
{
  GstBuffer *out = work->first->source.out;
  guint n = mgpu_pyramid_get_n_levels (self->pyramid);
  GstMgpuPyramidMeta *meta = gst_buffer_add_mgpu_pyramid_meta (out, n);

  for (guint i = 0; i < n; i++) {
    if (work->details[i] != NULL)
      set_detail (self, meta, i, g_steal_pointer (&work->details[i]));
    else if (i == 0)
      gst_mgpu_pyramid_meta_set_level (meta, 0, g_steal_pointer (&level_0));
    else
      gst_mgpu_pyramid_meta_set_level (meta, i,
          g_steal_pointer (&work->levels[i]));
  }
  gst_clear_buffer (&level_0);
}

static gboolean
process (GstMgpuPyramid * self, GList * pads, Work * work, GError ** error)
{
  GstBuffer *level_0 = NULL;
  gboolean ok, any = FALSE;

  ok = acquire_frames (self, pads, work, error);
  for (GList * l = pads; l != NULL; l = l->next)
    any |= GST_MGPU_SOURCE_PAD (l->data)->out != NULL;
  if (ok && any) {
    if (work->first != NULL && work->first->source.out == NULL)
      work->first = NULL;
    /* Computes all levels from the output frame of src_0 if this frame has the pixels of the input
     * frame (Gaussian pyramid) and is on the device; otherwise from the input frame. */
    work->imported = gst_mgpu_input_import (&self->input, work->first != NULL
        && self->pyramid_type == MGPU_PYRAMID_GAUSSIAN
        && gst_mgpu_input_is_ours (&self->input, work->first->source.out,
            &work->image) ? work->first->source.out : work->in, &work->image,
        error);
    ok = work->imported != NULL && (work->first == NULL
        || acquire_for_meta (self, work, error))
        && enqueue (self, pads, work, error);
    if (ok && work->first != NULL)
      level_0 = share_frame (self, work->imported);
    if (work->imported != NULL)
      gst_mgpu_input_done (&self->input, work->imported);
  }
  gst_clear_buffer (&work->in);
  if (level_0 != NULL) {
    gst_clear_buffer (&work->levels[0]);
    work->first->source.out =
        gst_buffer_make_writable (work->first->source.out);
    attach_meta (self, work, level_0);
  }
  if (ok)
    GST_MGPU_LOG_OBJECT (self, any ? "computed %u levels of a frame"
        : "computing no levels, because no pad outputs any of the %u levels",
        mgpu_pyramid_get_n_levels (self->pyramid));
  if (ok && any)
    gst_mgpu_stats_add (self->base.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return ok;
}

gboolean
gst_mgpu_pyramid_process (GstMgpuPyramid * self, GList * pads, GstBuffer ** in,
    GError ** error)
{
  Work work = {.in = g_steal_pointer (in) };
  gboolean ok = process (self, pads, &work, error);

  for (guint i = 0; i < MGPU_PYRAMID_MAX_LEVELS; i++) {
    gst_clear_buffer (&work.levels[i]);
    gst_clear_buffer (&work.details[i]);
  }
  return ok;
}

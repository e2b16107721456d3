/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Brings frames from any kind of memory to the device. */
#include "gstmgpuimport.h"

#include <gst/vision/base/image.h>

GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_frame_debug);
#define GST_CAT_DEFAULT gst_mgpu_frame_debug

gboolean
gst_mgpu_import_is_ours (GstMgpuDeviceUser * self, GstBuffer * buffer)
{
  MgpuImage image;

  return mgpu_image_from_buffer (&image, buffer, &self->info)
      && image.memory->context == self->context;
}

void
gst_mgpu_import_count (GstMgpuDeviceUser * self)
{
  /* On devices without unified memory, GstMgpuMemory counts the upload. */
  if (gst_mgpu_context_get_traits (self->context)->unified_memory) {
    gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_UPLOADS, 1);
    gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_UPLOAD_BYTES,
        GST_VIDEO_INFO_SIZE (&self->info));
  }
}

/* Gets the size of a plane: *width in bytes of a row, *height in rows. */
static void
get_extent (const GstVideoFrame * frame, guint plane, gint * width,
    gint * height)
{
  *width = *height = 0;
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++) {
    if ((guint) GST_VIDEO_FRAME_COMP_PLANE (frame, i) != plane)
      continue;
    *width = MAX (*width, GST_VIDEO_FRAME_COMP_WIDTH (frame, i)
        * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, i));
    *height = MAX (*height, GST_VIDEO_FRAME_COMP_HEIGHT (frame, i));
  }
  *width = MIN (*width, ABS (GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane)));
}

/* Returns: whether a stride is too short for the samples of a row */
static gboolean
rows_overlap (const GstVideoFrame * frame)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++) {
    gint64 stride = GST_VIDEO_FRAME_COMP_STRIDE (frame, i);

    if (GST_VIDEO_FRAME_COMP_HEIGHT (frame, i) > 1
        && ABS (stride) <= (gint64) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, i)
        * (GST_VIDEO_FRAME_COMP_WIDTH (frame, i) - 1))
      return TRUE;
  }
  return FALSE;
}

/* Returns: whether all rows lie in the mapped memory: gst_video_frame_map() checks the
 * offsets of a GstVideoMeta, but not its strides. */
static gboolean
is_inside (const GstVideoFrame * frame)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    const GstMapInfo *map = &frame->map[i];
    gssize first = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, i)
        - map->data;
    gint width, height;
    gssize last;

    get_extent (frame, i, &width, &height);
    last = first + (gssize) GST_VIDEO_FRAME_PLANE_STRIDE (frame, i)
        * (height - 1);
    if (MIN (first, last) < 0
        || MAX (first, last) + width > (gssize) map->size)
      return FALSE;
  }
  return TRUE;
}

static void
set_no_access (GstMgpuContext * context, const gchar * what, GError ** error)
{
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s does not let the host %s a frame: its driver may have run out of "
      "memory, so close other programs on it, or use smaller frames",
      gst_mgpu_context_get_device_name (context), what);
}

gboolean
gst_mgpu_import_map (const GstVideoInfo * info, GstVideoFrame * frame,
    GstBuffer * buffer, GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  MgpuImage image;

  /* Checks the meta: gst_video_frame_map() would log a critical warning where it
   * contradicts the caps. */
  if ((meta == NULL || (meta->format == GST_VIDEO_INFO_FORMAT (info)
              && meta->n_planes == GST_VIDEO_INFO_N_PLANES (info)
              && meta->width >= (guint) GST_VIDEO_INFO_WIDTH (info)
              && meta->height >= (guint) GST_VIDEO_INFO_HEIGHT (info)))
      && gst_video_frame_map (frame, info, buffer, GST_MAP_READ)) {
    if (meta == NULL || (!rows_overlap (frame) && is_inside (frame)))
      return TRUE;
    gst_video_frame_unmap (frame);
  } else if (mgpu_image_from_buffer (&image, buffer, info)) {
    /* The buffer holds the frame, so it was the device that refused the access. */
    set_no_access (image.memory->context, "read", error);
    return FALSE;
  }
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "a buffer of %" G_GSIZE_FORMAT " bytes does not hold the frame of %dx%d "
      "%s that the caps promise: look at the element before this one",
      gst_buffer_get_size (buffer), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info));
  return FALSE;
}

/* Copies one plane of a frame. gst_video_frame_copy() would leave out the last chroma
 * sample of each row of a packed 4:2:2 frame with odd width. */
static void
copy_plane (GstVideoFrame * to, const GstVideoFrame * from, guint plane)
{
  const guint8 *src = GST_VIDEO_FRAME_PLANE_DATA (from, plane);
  guint8 *dst = GST_VIDEO_FRAME_PLANE_DATA (to, plane);
  gint src_stride = GST_VIDEO_FRAME_PLANE_STRIDE (from, plane);
  gint dst_stride = GST_VIDEO_FRAME_PLANE_STRIDE (to, plane);
  gint width, height;

  get_extent (to, plane, &width, &height);
  width = MIN (width, ABS (src_stride));
  for (gint y = 0; y < height; y++)
    memcpy (dst + (gssize) y * dst_stride, src + (gssize) y * src_stride,
        width);
}

gboolean
gst_mgpu_import_copy (GstMgpuDeviceUser * self, GstBuffer * in, GstBuffer * out,
    GError ** error)
{
  const GstVideoInfo *info = &self->info;
  GstVideoFrame from, to;

  if (gst_buffer_n_memory (in) > 0
      && gst_is_mgpu_memory (gst_buffer_peek_memory (in, 0))
      && ((GstMgpuMemory *) gst_buffer_peek_memory (in, 0))->context !=
      self->context && !self->said_foreign) {
    GST_WARNING_OBJECT (self->element, "frames come from another OpenCL context, but "
        "\"device\" is set: copying each through the host");
    self->said_foreign = TRUE;
  }

  if (!gst_mgpu_import_map (info, &from, in, error))
    return FALSE;
  if (!gst_video_frame_map (&to, info, out, GST_MAP_WRITE)) {
    gst_video_frame_unmap (&from);
    set_no_access (self->context, "write", error);
    return FALSE;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    copy_plane (&to, &from, i);
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
  return TRUE;
}

typedef struct
{
  GstBuffer *buffer;
  GstMapInfo map;
} Wrapped;

static void
wrapped_free (gpointer data)
{
  Wrapped *wrapped = data;

  gst_memory_unmap (wrapped->map.memory, &wrapped->map);
  gst_buffer_unref (wrapped->buffer);
  g_free (wrapped);
}

GstBuffer *
gst_mgpu_import_wrap (GstMgpuDeviceUser * self, GstBuffer * buffer)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (self->context);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory;
  GstBuffer *result;
  Wrapped *wrapped;

  if (!traits->unified_memory || gst_buffer_n_memory (buffer) != 1)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (gst_is_mgpu_memory (memory))
    return NULL;

  wrapped = g_new (Wrapped, 1);
  if (!gst_memory_map (memory, &wrapped->map, GST_MAP_READ)) {
    g_free (wrapped);
    return NULL;
  }
  wrapped->buffer = gst_buffer_ref (buffer);
  memory = gst_mgpu_memory_new_wrapped (self->queue, wrapped->map.data,
      wrapped->map.size, wrapped, wrapped_free, NULL);
  if (memory == NULL) {
    wrapped_free (wrapped);
    return NULL;
  }
  /* Marks the memory read-only: others may see the same bytes, so that a writer has to
   * copy them. */
  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);

  result = gst_buffer_new ();
  gst_buffer_append_memory (result, memory);
  if (meta != NULL)
    gst_buffer_add_video_meta_full (result, meta->flags, meta->format,
        meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  if (!gst_mgpu_import_is_ours (self, result))
    gst_clear_buffer (&result);
  return result;
}

/* Returns: whether buffer has the default offsets and strides of the format info, so that
 * an element which ignores GstVideoMeta reads it right */
static gboolean
has_default_layout (const GstVideoInfo * info, GstBuffer * buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (gst_buffer_get_size (buffer) < GST_VIDEO_INFO_SIZE (info))
    return FALSE;
  for (guint i = 0; meta != NULL && i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (info, i)
        || meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (info, i))
      return FALSE;
  }
  return TRUE;
}

GstBuffer *
gst_mgpu_import_pass (GstMgpuDeviceUser * self, GstBuffer * in, gboolean device,
    gboolean video_meta)
{
  if (device ? gst_mgpu_import_is_ours (self, in)
      : video_meta || has_default_layout (&self->info, in))
    return gst_buffer_ref (in);
  return device ? gst_mgpu_import_wrap (self, in) : NULL;
}

GstBuffer *
gst_mgpu_import (GstMgpuDeviceUser * self, GstBuffer * in, GError ** error)
{
  GstBuffer *result;

  if (gst_mgpu_import_is_ours (self, in))
    return gst_buffer_ref (in);
  result = gst_mgpu_import_wrap (self, in);
  if (result != NULL)
    return result;

  if (self->import_pool == NULL)
    self->import_pool = gst_mgpu_device_user_new_import_pool (self, error);
  if (self->import_pool == NULL)
    return NULL;
  result = gst_mgpu_device_user_acquire (self, self->import_pool, error);
  if (result == NULL)
    return NULL;
  if (!gst_mgpu_import_copy (self, in, result, error)) {
    gst_buffer_unref (result);
    return NULL;
  }
  gst_mgpu_import_count (self);
  return result;
}

void
gst_mgpu_import_done (GstMgpuDeviceUser * self, GstBuffer * imported)
{
  gint64 start = g_get_monotonic_time ();
  gboolean wrapped = GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (imported,
          0));

  /* Waits for the device where the frame is in upstream's memory, which goes back now. */
  gst_buffer_unref (imported);
  if (wrapped)
    gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_WAIT_TIME,
        (g_get_monotonic_time () - start) * 1000);
}

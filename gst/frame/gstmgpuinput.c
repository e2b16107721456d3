/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames in any kind of memory accessible to the device: in place, by an import, or
 * by a copy. */
#include "gstmgpuinput.h"

#include "gstmgpucaps.h"

void
gst_mgpu_input_init (GstMgpuInput * self, GstMgpuDeviceBase * base)
{
  self->base = base;
  self->what = "frame";
  gst_video_info_init (&self->info);
}

void
gst_mgpu_input_reset (GstMgpuInput * self)
{
  gst_mgpu_clear_pool (&self->pool);
  self->warned_foreign = FALSE;
  g_atomic_int_set (&self->warned_format, FALSE);
  self->last = NULL;
}

void
gst_mgpu_input_set_info (GstMgpuInput * self, const GstVideoInfo * info)
{
  /* Drops the old buffer pool, because its frames have the old format. */
  gst_mgpu_clear_pool (&self->pool);
  self->info = *info;
  self->last = NULL;
  GST_MGPU_DEBUG_OBJECT (self->base->element, "accepting frames of %dx%d %s, %"
      G_GSIZE_FORMAT " bytes", GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info),
      GST_VIDEO_INFO_SIZE (info));
}

gboolean
gst_mgpu_input_set_caps (GstMgpuInput * self, GstCaps * caps, GError ** error)
{
  GstVideoInfo info;

  if (!gst_mgpu_caps_parse (caps, &info, error))
    return FALSE;
  gst_mgpu_input_set_info (self, &info);
  return TRUE;
}

/* Returns: (nullable): the format of the frames in system memory that the fixed caps @caps describe,
 * if no frames of this format are accepted at @pad */
static const gchar *
find_refused_format (GstPad * pad, GstCaps * caps)
{
  g_autoptr (GstCaps) accepted = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) any_size = NULL;
  const gchar *format = NULL;

  if (gst_caps_features_is_equal (gst_caps_get_features (caps, 0),
          GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)
      && gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "video/x-raw"))
    format = gst_structure_get_string (gst_caps_get_structure (caps, 0),
        "format");
  if (format == NULL)
    return NULL;
  any_size = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      format, NULL);
  return gst_caps_can_intersect (accepted, any_size) ? NULL : format;
}

void
gst_mgpu_input_look_at_query (GstMgpuInput * self, GstPad * pad,
    GstQuery * query)
{
  const gchar *format;
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ACCEPT_CAPS
      || !gst_pad_is_active (pad))
    return;
  gst_query_parse_accept_caps (query, &caps);
  format = find_refused_format (pad, caps);
  if (format != NULL
      && g_atomic_int_compare_and_exchange (&self->warned_format, FALSE, TRUE))
    GST_ELEMENT_WARNING (self->base->element, STREAM, FORMAT, ("%s: frames of "
            "%s are not accepted: put mgpuconvert, or else videoconvert, before "
            "this element", GST_OBJECT_NAME (self->base->element), format),
        (NULL));
}

gboolean
gst_mgpu_input_is_ours (GstMgpuInput * self, GstBuffer * buffer,
    MgpuImage * image)
{
  return mgpu_image_from_buffer (image, buffer, &self->info)
      && image->memory->context == self->base->context;
}

/* Logs how the frame in @in was made accessible to the device. @how is a constant text. */
static void
log_way (GstMgpuInput * self, GstBuffer * in, const gchar * how)
{
  if (how != self->last)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "from now on, each %s %s",
        self->what, how);
  self->last = how;
  GST_MGPU_LOG_OBJECT (self->base->element, "%s %" GST_TIME_FORMAT ": %"
      GST_PTR_FORMAT " %s", self->what, GST_TIME_ARGS (GST_BUFFER_PTS (in)), in,
      how);
}

/* --- Reading and copying on the host --- */

/* Gets the extent of plane number @plane of @frame: sets *@width to the length of a row in
 * bytes, *@height to the number of rows, and *@stride to the distance from row to row. */
static void
get_extent (const GstVideoFrame * frame, guint plane, gint * width,
    gint * height, gint * stride)
{
  MgpuByteRows rows;

  if (mgpu_is_packed (GST_VIDEO_FRAME_FORMAT (frame))) {
    mgpu_get_byte_rows (&frame->info, plane, &rows);
    *width = rows.width;
    *height = rows.n;
    *stride = rows.stride;
    return;
  }
  *width = *height = 0;
  *stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++) {
    if ((guint) GST_VIDEO_FRAME_COMP_PLANE (frame, i) != plane)
      continue;
    *width = MAX (*width, GST_VIDEO_FRAME_COMP_WIDTH (frame, i)
        * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, i));
    *height = MAX (*height, GST_VIDEO_FRAME_COMP_HEIGHT (frame, i));
  }
  *width = MIN (*width, ABS (*stride));
}

/* Returns: TRUE if the @n rows of a plane lie in its mapped memory @map. The first row begins at
 * @begin; @width is the length of a row, @stride the distance from row to row, in bytes. */
static gboolean
rows_fit (const GstMapInfo * map, const guint8 * begin, gint64 width,
    gint64 stride, gint n)
{
  gint64 first = begin - map->data, last = first + stride * (n - 1);

  return MIN (first, last) >= 0
      && MAX (first, last) + width <= (gint64) map->size;
}

/* Returns: TRUE if the rows of the frame do not overlap and lie in the mapped memory. The check
 * is needed because gst_video_frame_map() checks the plane offsets, but not the strides of a
 * GstVideoMeta */
static gboolean
has_sound_rows (const GstVideoFrame * frame)
{
  gboolean is_packed = mgpu_is_packed (GST_VIDEO_FRAME_FORMAT (frame));
  MgpuByteRows rows;

  /* Maps a frame without a GstVideoMeta immediately. */
  for (guint i = 0; is_packed && i < GST_VIDEO_FRAME_N_PLANES (frame); i++)
    if (!mgpu_get_byte_rows (&frame->info, i, &rows)
        || !rows_fit (&frame->map[frame->meta != NULL ? i : 0],
            GST_VIDEO_FRAME_PLANE_DATA (frame, i), rows.width, rows.stride,
            rows.n))
      return FALSE;
  if (is_packed)
    return TRUE;
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++) {
    gint plane = GST_VIDEO_FRAME_COMP_PLANE (frame, i);
    gint64 stride = GST_VIDEO_FRAME_COMP_STRIDE (frame, i);
    gint64 step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, i);
    gint64 width = step * GST_VIDEO_FRAME_COMP_WIDTH (frame, i);
    gint height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, i);

    if ((height > 1 && ABS (stride) <= width - step)
        || !rows_fit (&frame->map[plane], GST_VIDEO_FRAME_PLANE_DATA (frame,
                plane), MIN (width, ABS (stride)), stride, height))
      return FALSE;
  }
  return TRUE;
}

static void
set_no_access (GstMgpuContext * context, const gchar * what, GError ** error)
{
  if (gst_mgpu_set_lost (context, error))
    return;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s does not let the host %s a frame; the driver may have run out of "
      "memory: close other programs that use the device, or use smaller frames",
      gst_mgpu_context_get_device_name (context), what);
}

gboolean
gst_mgpu_input_map (const GstVideoInfo * info, GstVideoFrame * frame,
    GstBuffer * buffer, GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  MgpuImage image;

  /* Checks the GstVideoMeta first, because gst_video_frame_map() logs a critical warning
   * if the meta contradicts the caps. */
  if ((meta == NULL || (meta->format == GST_VIDEO_INFO_FORMAT (info)
              && meta->n_planes == GST_VIDEO_INFO_N_PLANES (info)
              && meta->width >= (guint) GST_VIDEO_INFO_WIDTH (info)
              && meta->height >= (guint) GST_VIDEO_INFO_HEIGHT (info)))
      && gst_video_frame_map (frame, info, buffer, GST_MAP_READ)) {
    if ((meta == NULL && !mgpu_is_packed (GST_VIDEO_INFO_FORMAT (info)))
        || has_sound_rows (frame))
      return TRUE;
    gst_video_frame_unmap (frame);
  } else if (mgpu_image_from_buffer (&image, buffer, info)) {
    /* Names the device as the cause of the error: the buffer holds a whole frame, so the map must
     * have failed on the device. */
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

/* Copies one plane of a frame. In a packed 4:2:2 frame with odd width,
 * gst_video_frame_copy() would leave out the last chroma sample of each row. */
static void
copy_plane (GstVideoFrame * to, const GstVideoFrame * from, guint plane)
{
  const guint8 *src = GST_VIDEO_FRAME_PLANE_DATA (from, plane);
  guint8 *dst = GST_VIDEO_FRAME_PLANE_DATA (to, plane);
  gint width, height, src_stride, dst_stride;

  get_extent (from, plane, &width, &height, &src_stride);
  get_extent (to, plane, &width, &height, &dst_stride);
  width = MIN (width, ABS (src_stride));
  for (gint y = 0; y < height; y++)
    memcpy (dst + (gssize) y * dst_stride, src + (gssize) y * src_stride,
        width);
}

/* Logs, once, why frames are copied that arrive in another OpenCL context than that of the
 * element: the user set the property "device", or the element follows its first input. */
static void
say_foreign (GstMgpuInput * self, GstBuffer * buffer)
{
  GstMgpuDeviceBase *base = self->base;
  GstMemory *memory = gst_buffer_n_memory (buffer) > 0
      ? gst_buffer_peek_memory (buffer, 0) : NULL;
  GstMgpuContext *foreign;

  if (self->warned_foreign || !gst_is_mgpu_memory (memory))
    return;
  foreign = ((GstMgpuMemory *) memory)->context;
  if (foreign == base->context)
    return;
  if (gst_mgpu_device_base_is_bound (base))
    GST_MGPU_WARNING_OBJECT (base->element, "frames arrive in another "
        "OpenCL context, but \"device\" is set: each frame is copied through "
        "the host");
  else
    GST_MGPU_INFO_OBJECT (base->element, "each %s arrives in %" GST_PTR_FORMAT
        " and is copied through the host, because the element works in %"
        GST_PTR_FORMAT ", the context of its first input; streams that are "
        "linked before they start share a context", self->what, foreign,
        base->context);
  self->warned_foreign = TRUE;
}

gboolean
gst_mgpu_input_copy (GstMgpuInput * self, GstBuffer * in, GstBuffer * out,
    gboolean uploads, GError ** error)
{
  GstMgpuContext *context = self->base->context;
  const GstVideoInfo *info = &self->info;
  GstVideoFrame from, to;

  say_foreign (self, in);
  if (!gst_mgpu_input_map (info, &from, in, error))
    return FALSE;
  if (!gst_video_frame_map (&to, info, out, GST_MAP_WRITE)) {
    gst_video_frame_unmap (&from);
    set_no_access (context, "write", error);
    return FALSE;
  }
  GST_MGPU_LOG_OBJECT (self->base->element, "copying %" G_GSIZE_FORMAT
      " bytes to memory of the %s", GST_VIDEO_INFO_SIZE (info),
      uploads ? "device" : "next element");
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    copy_plane (&to, &from, i);
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);

  /* Counts the upload if host and device share memory. Otherwise GstMgpuMemory counts it. */
  if (uploads && gst_mgpu_context_get_traits (context)->unified_memory) {
    gst_mgpu_stats_add (self->base->stats, GST_MGPU_COUNTER_UPLOADS, 1);
    gst_mgpu_stats_add (self->base->stats, GST_MGPU_COUNTER_UPLOAD_BYTES,
        GST_VIDEO_INFO_SIZE (info));
  }
  return TRUE;
}

/* --- Wrapping the memory of frames --- */

/* Maps @memory, so that the device can use its bytes without a copy. Sets *@how to a text
 * for the log. Returns: (transfer full) (nullable): a GstMgpuMemory of the same bytes, which
 * holds a reference to @buffer; NULL if the bytes have to be copied, because of the device
 * or because of the address of the memory */
static GstMemory *
wrap_memory (GstMgpuInput * self, GstBuffer * buffer, GstMemory * memory,
    const gchar ** how)
{
  const GstMgpuTraits *traits =
      gst_mgpu_context_get_traits (self->base->context);
  GstMemory *result;

  *how = traits->unified_memory
      ? "is copied, because its memory may belong to another device or a file"
      : "is uploaded, because the device does not share memory with the host";

  /* A GPU does not use memory in place that may consist of pages of another device or of a
   * file, because OpenCL drivers may be unable to pin such pages. Such memory is copied. */
  if (!traits->unified_memory
      || (traits->dmabuf_route != GST_MGPU_DMABUF_ROUTE_MAP
          && !gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM)))
    return NULL;
  result = gst_mgpu_memory_new_mapped (self->base->queue, memory, GST_MAP_READ,
      buffer, NULL);
  *how = result != NULL ? "is used in place, in host memory"
      : "is copied, because the device cannot use the address of its memory";
  return result;
}

/* Imports the dma-buf of @memory to the device. Returns: (transfer full) (nullable): a
 * memory with the same bytes, which holds a reference to @buffer; NULL if the frame has
 * to be copied */
static GstMemory *
import_memory (GstMgpuInput * self, GstBuffer * buffer, GstMemory * memory)
{
  GError *error = NULL;
  GstMemory *result = gst_mgpu_memory_new_imported (self->base->queue, memory,
      gst_buffer_ref (buffer), (GDestroyNotify) gst_buffer_unref, &error);

  if (result == NULL) {
    GST_MGPU_INFO_OBJECT (self->base->element, "copying a frame: %s",
        error->message);
    g_error_free (error);
    gst_buffer_unref (buffer);
  }
  return result;
}

/* Makes the memory of @buffer accessible to the device without a copy, and sets @image to
 * the frame. Sets *@how to a constant text for the log: how this was done, or why a copy is
 * needed. Returns: (transfer full) (nullable): a buffer with a device memory of the same
 * bytes, which holds a reference to @buffer; NULL if a copy is needed */
static GstBuffer *
wrap (GstMgpuInput * self, GstBuffer * buffer, MgpuImage * image,
    const gchar ** how)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory;
  GstBuffer *result;
  gboolean imports;

  *how = "is copied, because it consists of several memories";
  if (gst_buffer_n_memory (buffer) != 1)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  *how = "is copied, because it is in another OpenCL context, or its layout "
      "contradicts the caps";
  if (gst_is_mgpu_memory (memory))
    return NULL;
  imports = gst_mgpu_memory_can_import (self->base->context, memory);
  if (imports) {
    memory = import_memory (self, buffer, memory);
    *how = memory != NULL ? "is imported" : "is copied, because it cannot be "
        "imported";
  } else {
    memory = wrap_memory (self, buffer, memory, how);
  }
  if (memory == NULL)
    return NULL;

  result = gst_buffer_new ();
  gst_buffer_append_memory (result, memory);
  if (meta != NULL)
    gst_buffer_add_video_meta_full (result, meta->flags, meta->format,
        meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  if (!gst_mgpu_input_is_ours (self, result, image)) {
    *how = "is copied, because kernels cannot use its strides or offsets";
    gst_clear_buffer (&result);
  } else if (imports)
    gst_mgpu_stats_add (self->base->stats, GST_MGPU_COUNTER_IMPORTS, 1);
  return result;
}

/* Returns: TRUE if @buffer has the default offsets and strides of the format @info. An
 * element that ignores GstVideoMeta then reads the frame correctly */
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
gst_mgpu_input_pass (GstMgpuInput * self, GstBuffer * in, gboolean device,
    gboolean video_meta)
{
  const gchar *how = "is copied, because the next element does not accept its "
      "strides";
  GstBuffer *result = NULL;
  MgpuImage image;

  if (device ? gst_mgpu_input_is_ours (self, in, &image)
      : video_meta || has_default_layout (&self->info, in))
    return gst_buffer_ref (in);
  if (device)
    result = wrap (self, in, &image, &how);
  /* Does not update @last, because an analyzer imports the pushed frame after this. */
  GST_MGPU_LOG_OBJECT (self->base->element,
      "%" GST_PTR_FORMAT " %s, to be pushed", in, how);
  return result;
}

/* Copies the frame of @in to the device, and sets @image to the copy. */
static GstBuffer *
upload (GstMgpuInput * self, GstBuffer * in, MgpuImage * image, GError ** error)
{
  GstBuffer *result = NULL;

  if (self->pool == NULL)
    self->pool = gst_mgpu_device_base_new_frame_pool (self->base, &self->info,
        FALSE, error);
  if (self->pool != NULL)
    result = gst_mgpu_device_base_acquire (self->base, self->pool, error);
  if (result == NULL)
    return NULL;
  if (!gst_mgpu_input_copy (self, in, result, TRUE, error)
      || !gst_mgpu_parse_frame (result, &self->info, image, error))
    gst_clear_buffer (&result);
  return result;
}

GstBuffer *
gst_mgpu_input_import (GstMgpuInput * self, GstBuffer * in, MgpuImage * image,
    GError ** error)
{
  GstBuffer *result;
  const gchar *how;

  if (gst_mgpu_input_is_ours (self, in, image)) {
    log_way (self, in, "is in memory of the device");
    return gst_buffer_ref (in);
  }
  result = wrap (self, in, image, &how);
  log_way (self, in, how);
  return result != NULL ? result : upload (self, in, image, error);
}

/* Returns: whether the device can use the frame in @buffer without a copy. This depends,
 * among other things, on the address of its memory */
static gboolean
can_wrap (GstMgpuInput * self, GstBuffer * buffer)
{
  const gchar *how;
  MgpuImage image;
  GstBuffer *view = wrap (self, buffer, &image, &how);
  gboolean result = view != NULL;

  gst_clear_buffer (&view);
  return result;
}

GstBuffer *
gst_mgpu_input_keep (GstMgpuInput * self, GstBuffer * in, gboolean for_device,
    GError ** error)
{
  gboolean is_plain = in->pool == NULL;
  GstBuffer *copy;
  MgpuImage image;

  for (guint i = 0; i < gst_buffer_n_memory (in); i++)
    is_plain &= gst_memory_is_type (gst_buffer_peek_memory (in, i),
        GST_ALLOCATOR_SYSMEM);
  /* Also copies a frame in read-only GstMgpuMemory, because such memory holds a reference to
   * an upstream buffer, and upstream may need that buffer back. */
  if ((is_plain && (!for_device || can_wrap (self, in)))
      || (gst_mgpu_input_is_ours (self, in, &image)
          && !GST_MEMORY_IS_READONLY (image.memory)))
    return in;
  GST_MGPU_LOG_OBJECT (self->base->element, "copying a frame so that it can be "
      "kept, because the elements upstream need its memory back: %"
      GST_PTR_FORMAT, in);
  copy = upload (self, in, &image, error);
  gst_buffer_unref (in);
  return copy;
}

void
gst_mgpu_input_done (GstMgpuInput * self, GstBuffer * imported)
{
  gint64 start = g_get_monotonic_time ();
  gboolean wrapped = GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (imported,
          0));

  /* If the frame lies in upstream's memory, this call waits until the device has read the frame,
   * because the memory is returned to upstream. */
  gst_buffer_unref (imported);
  if (wrapped)
    GST_MGPU_LOG_OBJECT (self->base->element,
        "waited until the device had finished "
        "with the memory of an upstream element: %" G_GINT64_FORMAT " us",
        g_get_monotonic_time () - start);
  if (wrapped)
    gst_mgpu_stats_add (self->base->stats, GST_MGPU_COUNTER_WAIT_TIME,
        (g_get_monotonic_time () - start) * 1000);
}

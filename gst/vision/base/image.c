/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "image.h"

gboolean
mgpu_image_from_buffer (MgpuImage * image, GstBuffer * buffer,
    const GstVideoInfo * info)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory;
  gsize offset, size;

  if (gst_buffer_n_memory (buffer) != 1)
    return FALSE;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_mgpu_memory (memory))
    return FALSE;

  image->memory = (GstMgpuMemory *) memory;
  image->info = *info;
  if (meta != NULL) {
    if (meta->format != GST_VIDEO_INFO_FORMAT (info)
        || meta->n_planes != GST_VIDEO_INFO_N_PLANES (info)
        || (gint) meta->width != GST_VIDEO_INFO_WIDTH (info)
        || (gint) meta->height != GST_VIDEO_INFO_HEIGHT (info))
      return FALSE;
    for (guint i = 0; i < meta->n_planes; i++) {
      image->info.offset[i] = meta->offset[i];
      image->info.stride[i] = meta->stride[i];
    }
  }

  /* Kernels count offsets from the start of the cl_mem, of which the GstMemory may be a
   * later part. */
  size = gst_memory_get_sizes (memory, &offset, NULL);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    MgpuComponent c;
    gsize end;

    image->info.offset[i] += offset;
    /* Kernels compute offsets in int. */
    if (image->info.offset[i] > G_MAXINT)
      return FALSE;
    for (guint j = 0; j < GST_VIDEO_INFO_N_COMPONENTS (info); j++) {
      if (GST_VIDEO_INFO_COMP_PLANE (info, j) != i)
        continue;
      c = mgpu_get_component (&image->info, j);
      end = (gsize) c.offset + (gsize) c.stride * (c.height - 1)
          + (gsize) c.pixel_stride * (c.width - 1) + c.bytes;
      if (c.stride < 0 || end > MIN (offset + size, G_MAXINT))
        return FALSE;
      /* Refuses strides that are shorter than a row: rows would overlap. */
      if (c.height > 1
          && c.stride < (gint64) c.pixel_stride * (c.width - 1) + c.bytes)
        return FALSE;
      /* Samples of 16 bits are read as whole words, so they have to be aligned. */
      if ((c.offset | c.stride | c.pixel_stride) & (c.bytes - 1))
        return FALSE;
    }
  }
  return TRUE;
}

MgpuComponent
mgpu_get_component (const GstVideoInfo * info, guint number)
{
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, number);
  MgpuComponent c = {
    .width = GST_VIDEO_INFO_COMP_WIDTH (info, number),
    .height = GST_VIDEO_INFO_COMP_HEIGHT (info, number),
    .offset = GST_VIDEO_INFO_COMP_OFFSET (info, number),
    .stride = GST_VIDEO_INFO_COMP_STRIDE (info, number),
    .pixel_stride = GST_VIDEO_INFO_COMP_PSTRIDE (info, number),
    .bytes = depth > 8 ? 2 : 1,
    .shift = info->finfo->shift[number],
    .max = (1 << depth) - 1
  };

  /* In P010, V lies 2 bytes behind U, but GStreamer 1.22 gives 1. */
  if (c.bytes == 2 && GST_VIDEO_INFO_COMP_POFFSET (info, number) == 1)
    c.offset++;
  c.position = c.offset
      - (gint) info->offset[GST_VIDEO_INFO_COMP_PLANE (info, number)];
  return c;
}

void
mgpu_define_samples (GString * options, const MgpuComponent * component)
{
  g_string_append_printf (options,
      " -DBYTES=%d -DPIXEL_STRIDE=%d -DSHIFT=%d -DMAX=%d", component->bytes,
      component->pixel_stride, component->shift, component->max);
}

void
mgpu_image_copy_planes (GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint planes)
{
  const GstVideoInfo *info = &in->info;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gint width = 0, height = 0;

    if (!(planes & (1u << i)))
      continue;
    for (guint j = 0; j < GST_VIDEO_INFO_N_COMPONENTS (info); j++) {
      MgpuComponent c;

      if (GST_VIDEO_INFO_COMP_PLANE (info, j) != i)
        continue;
      c = mgpu_get_component (info, j);
      width = MAX (width, c.width * c.pixel_stride);
      height = MAX (height, c.height);
    }
    gst_mgpu_job_copy_rect (job,
        in->memory, info->offset[i], info->stride[i],
        out->memory, out->info.offset[i], out->info.stride[i], width, height);
  }
}

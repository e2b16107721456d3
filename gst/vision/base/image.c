/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes frames in device memory: components, planes, ranges and crops. */
#include "image.h"

/* Returns: whether the words of the plane @plane of @image, which is packed, lie in the first @end
 * bytes of its memory, at addresses that kernels can read */
static gboolean
has_sound_words (const MgpuImage * image, guint plane, gsize end)
{
  const GstVideoInfo *info = &image->info;
  /* Kernels read words of 32 or 16 bits, and groups of 4 bytes of tiles. */
  gint unit = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 2 ? 2 : 4;
  MgpuByteRows rows;

  return mgpu_get_byte_rows (info, plane, &rows) && rows.stride >= 0
      && ((gint64) info->offset[plane] | rows.stride) % unit == 0
      && (gint64) info->offset[plane] + rows.stride * (rows.n - 1) + rows.width
      <= (gint64) MIN (end, G_MAXINT);
}

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

  /* Makes the plane offsets relative to the start of the cl_mem, because the GstMemory may begin at
   * an offset in it. */
  size = gst_memory_get_sizes (memory, &offset, NULL);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    MgpuComponent c;
    gsize end;

    image->info.offset[i] += offset;
    /* Rejects offsets above G_MAXINT: kernels compute offsets in int. */
    if (image->info.offset[i] > G_MAXINT)
      return FALSE;
    if (mgpu_is_packed (GST_VIDEO_INFO_FORMAT (info))) {
      if (!has_sound_words (image, i, offset + size))
        return FALSE;
      continue;
    }
    for (guint j = 0; j < GST_VIDEO_INFO_N_COMPONENTS (info); j++) {
      if (GST_VIDEO_INFO_COMP_PLANE (info, j) != i)
        continue;
      c = mgpu_get_component (&image->info, j);
      end = (gsize) c.offset + (gsize) c.stride * (c.height - 1)
          + (gsize) c.pixel_stride * (c.width - 1) + c.bytes;
      if (c.stride < 0 || end > MIN (offset + size, G_MAXINT))
        return FALSE;
      /* Rejects strides that are shorter than a row, because rows would overlap. */
      if (c.height > 1
          && c.stride < (gint64) c.pixel_stride * (c.width - 1) + c.bytes)
        return FALSE;
      /* Rejects unaligned samples of 16 bits, because kernels read each sample as one word. */
      if ((c.offset | c.stride | c.pixel_stride) & (c.bytes - 1))
        return FALSE;
    }
  }
  return TRUE;
}

/* Returns: whether samples have limited range, according to the colorimetry of @info. Limited
 * range means from 16 to 235 for luma, gray and RGB, and from 16 to 240 for chroma, times 2^(n
 * - 8) with n bits. If @info names no colorimetry, GStreamer's default applies: YUV is limited,
 * RGB and gray are not. */
static gboolean
is_limited (const GstVideoInfo * info)
{
  GstVideoColorRange range = info->colorimetry.range;

  return range == GST_VIDEO_COLOR_RANGE_16_235
      || (range == GST_VIDEO_COLOR_RANGE_UNKNOWN
      && GST_VIDEO_INFO_IS_YUV (info));
}

void
mgpu_get_range (const GstVideoInfo * info, guint number, gint * lo, gint * hi)
{
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, number);
  gboolean is_alpha = number == GST_VIDEO_COMP_A;
  gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (info) && number > 0;

  *lo = 0;
  *hi = (1 << depth) - 1;
  if (!is_limited (info) || is_alpha)
    return;
  *lo = 16 << (depth - 8);
  *hi = (is_chroma ? 240 : 235) << (depth - 8);
}

gdouble
mgpu_get_steps (const MgpuComponent * c)
{
  return c->hi - c->lo == c->max ? 1
      : (c->hi - c->lo) / (255.0 * (c->max + 1) / 256);
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

  /* Corrects the offset of V in P010: V lies 2 bytes after U, but GStreamer 1.22 gives
   * an offset of 1 byte. */
  if (c.bytes == 2 && GST_VIDEO_INFO_COMP_POFFSET (info, number) == 1)
    c.offset++;
  mgpu_get_range (info, number, &c.lo, &c.hi);
  c.position = c.offset
      - (gint) info->offset[GST_VIDEO_INFO_COMP_PLANE (info, number)];
  return c;
}

gboolean
mgpu_is_packed (GstVideoFormat format)
{
  switch (format) {
    case GST_VIDEO_FORMAT_GRAY16_BE:
    case GST_VIDEO_FORMAT_RGB16:
    case GST_VIDEO_FORMAT_BGR16:
    case GST_VIDEO_FORMAT_RGB15:
    case GST_VIDEO_FORMAT_BGR15:
    case GST_VIDEO_FORMAT_v210:
    case GST_VIDEO_FORMAT_Y210:
    case GST_VIDEO_FORMAT_Y212_LE:
    case GST_VIDEO_FORMAT_Y410:
    case GST_VIDEO_FORMAT_NV12_4L4:
    case GST_VIDEO_FORMAT_NV12_32L32:
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
mgpu_get_byte_rows (const GstVideoInfo * info, guint plane, MgpuByteRows * rows)
{
  const GstVideoFormatInfo *format = info->finfo;
  gint stride = GST_VIDEO_INFO_PLANE_STRIDE (info, plane);
  gint64 size = GST_VIDEO_FORMAT_INFO_TILE_SIZE (format, plane), columns;

  rows->width = rows->n = 0;
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    if (GST_VIDEO_INFO_COMP_PLANE (info, i) != plane)
      continue;
    rows->width = MAX (rows->width, (gint64) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_PSTRIDE (info, i));
    rows->n = MAX (rows->n, GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  }
  if (GST_VIDEO_FORMAT_INFO_IS_TILED (format)) {
    columns = (rows->width - 1)
        / GST_VIDEO_FORMAT_INFO_TILE_STRIDE (format, plane) + 1;
    rows->width = columns * size;
    rows->stride = GST_VIDEO_TILE_X_TILES (stride) * size;
    rows->n = (rows->n - 1) / GST_VIDEO_FORMAT_INFO_TILE_HEIGHT (format,
        plane) + 1;
    return columns <= GST_VIDEO_TILE_X_TILES (stride)
        && rows->n <= GST_VIDEO_TILE_Y_TILES (stride);
  }
  /* Groups of 6 pixels take 4 words of 32 bits. */
  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_v210)
    rows->width = ((gint64) GST_VIDEO_INFO_WIDTH (info) + 5) / 6 * 16;
  rows->stride = stride;
  return rows->width <= ABS (rows->stride);
}

MgpuPlace
mgpu_get_place (const GstVideoInfo * info, guint number, const MgpuRect * rect)
{
  const GstVideoFormatInfo *format = info->finfo;
  gint x = rect != NULL ? rect->x : 0, y = rect != NULL ? rect->y : 0;
  gint width = rect != NULL ? rect->width : GST_VIDEO_INFO_WIDTH (info);
  gint height = rect != NULL ? rect->height : GST_VIDEO_INFO_HEIGHT (info);

  return (MgpuPlace) {
    x >> format->w_sub[number], y >> format->h_sub[number],
        GST_VIDEO_SUB_SCALE (format->w_sub[number], width),
        GST_VIDEO_SUB_SCALE (format->h_sub[number], height)
  };
}

MgpuImage
mgpu_image_crop (const MgpuImage * image, const MgpuRect * rect)
{
  const GstVideoInfo *info = &image->info;
  MgpuImage part = *image;
  guint done = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (info, i);
    gint x = rect->x >> info->finfo->w_sub[i];
    gint y = rect->y >> info->finfo->h_sub[i];

    /* Moves the offset of each plane once, by the position of the rectangle. This position is
     * in samples of the plane's first component. In packed 4:2:2, that is luma, which has two
     * samples for each chroma sample. */
    if (!(done & (1u << plane)))
      part.info.offset[plane] += (gsize) y *info->stride[plane]
      + (gsize) x *GST_VIDEO_INFO_COMP_PSTRIDE (info, i);
    done |= 1u << plane;
  }
  part.info.width = rect->width;
  part.info.height = rect->height;
  return part;
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

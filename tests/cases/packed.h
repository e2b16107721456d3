/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes packed formats: their unpacked formats, rows of bytes and references. */
#pragma once

#include <gst/video/video.h>

#include "../reference/pack.h"

/* Describes a packed format, and the unpacked format that has the same samples. */
typedef struct
{
  GstVideoFormat format, plain;
  RefPackFormat reference;
} TestPacked;

/* Returns: (nullable): the packed format @format; NULL if it is not packed */
static inline const TestPacked *
test_packed_find (GstVideoFormat format)
{
#define PACKED(name, plain, reference) \
    {GST_VIDEO_FORMAT_##name, GST_VIDEO_FORMAT_##plain, REF_PACK_##reference}
  static const TestPacked all[] = {
    PACKED (GRAY16_BE, GRAY16_LE, GRAY16_BE), PACKED (RGB16, RGB, RGB16),
    PACKED (BGR16, RGB, BGR16), PACKED (RGB15, RGB, RGB15),
    PACKED (BGR15, RGB, BGR15), PACKED (v210, I422_10LE, V210),
    PACKED (Y210, I422_10LE, Y210), PACKED (Y212_LE, I422_12LE, Y212),
    PACKED (Y410, Y444_10LE, Y410), PACKED (NV12_4L4, NV12, NV12_4L4),
    PACKED (NV12_32L32, NV12, NV12_32L32)
  };
#undef PACKED

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].format == format)
      return &all[i];
  return NULL;
}

/* Sets @plain to the unpacked format of @info, with the same size and colorimetry. */
static inline void
test_packed_plain (const GstVideoInfo * info, GstVideoInfo * plain)
{
  gst_video_info_set_format (plain,
      test_packed_find (GST_VIDEO_INFO_FORMAT (info))->plain, info->width,
      info->height);
  plain->colorimetry = info->colorimetry;
  plain->chroma_site = info->chroma_site;
}

/* Returns: the number of bytes of a tile along an axis; 0 if the format has no tiles */
static inline gint
test_packed_tile (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_NV12_4L4 ? 4
      : GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_NV12_32L32 ? 32 : 0;
}

/* Returns: the number of bytes of a row of plane @plane, or of a row of tiles, without padding.
 * Sets *@n to the number of rows. */
static inline gint
test_packed_row (const GstVideoInfo * info, guint plane, gint * n)
{
  gint w = info->width, h = info->height, tile = test_packed_tile (info);

  if (plane > 0) {
    w = (w + 1) / 2 * 2;
    h = (h + 1) / 2;
  }
  *n = tile > 0 ? (h + tile - 1) / tile : h;
  if (tile > 0)
    return (w + tile - 1) / tile * tile * tile;
  switch (GST_VIDEO_INFO_FORMAT (info)) {
    case GST_VIDEO_FORMAT_v210:
      return (w + 5) / 6 * 16;
    case GST_VIDEO_FORMAT_Y210:
    case GST_VIDEO_FORMAT_Y212_LE:
      return (w + 1) / 2 * 8;
    case GST_VIDEO_FORMAT_Y410:
      return 4 * w;
    default:
      return 2 * w;
  }
}

/* Returns: the number of bytes from row to row of plane @plane, or from one row of tiles to the
 * next, if the stride of the plane is @stride */
static inline gint
test_packed_stride (const GstVideoInfo * info, gint stride)
{
  gint tile = test_packed_tile (info);

  return tile > 0 ? GST_VIDEO_TILE_X_TILES (stride) * tile * tile : stride;
}

/* Returns: a frame for the reference, whose planes begin at @data */
static inline RefPacked
test_packed_describe (const GstVideoInfo * info, guint8 * const *data)
{
  RefPacked packed = {
    test_packed_find (GST_VIDEO_INFO_FORMAT (info))->reference
  };

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    packed.data[i] = data[i];
    packed.stride[i] = test_packed_stride (info,
        GST_VIDEO_INFO_PLANE_STRIDE (info, i));
  }
  return packed;
}

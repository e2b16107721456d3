/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unpacks and packs frames of formats whose samples share words or lie in tiles. */
#include "pack.h"

#include <kernels/pack/pack-shared.h>

enum
{
  UNPACK_WORDS,
  PACK_WORDS,
  UNPACK_TILES,
  PACK_TILES
};

/* Kernel i is the only kernel of set i + 1. Set 0, which mgpu_object_new() builds, is empty. */
static const MgpuKernel kernels[] = {
  [UNPACK_WORDS] = {"pack/words", "unpack_words", 1 + UNPACK_WORDS},
  [PACK_WORDS] = {"pack/words", "pack_words", 1 + PACK_WORDS},
  [UNPACK_TILES] = {"pack/tiles", "unpack_tiles", 1 + UNPACK_TILES},
  [PACK_TILES] = {"pack/tiles", "pack_tiles", 1 + PACK_TILES},
  {NULL}
};

/* Size of work-groups, in work-items */
#define GROUP_X 32
#define GROUP_Y 4

/* A packed format.
 * @packing: layout of words (see kernels/pack/pack-shared.h). @pixels: number of pixels of a group,
 * which begins and ends with a word. Both are 0 if samples lie in tiles.
 * @shift: number of unused low bits of words.
 * @red, @blue: positions of the lowest bits of red and blue in a word; @green_bits: number of bits of
 * green. */
typedef struct
{
  GstVideoFormat format, plain;
  gint packing, pixels, shift;
  gint red, blue, green_bits;
} Packing;

static const Packing packings[] = {
  {GST_VIDEO_FORMAT_GRAY16_BE, GST_VIDEO_FORMAT_GRAY16_LE, SWAPPED, 1},
  {GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_RGB, RGB_16, 1, 0, 11, 0, 6},
  {GST_VIDEO_FORMAT_BGR16, GST_VIDEO_FORMAT_RGB, RGB_16, 1, 0, 0, 11, 6},
  {GST_VIDEO_FORMAT_RGB15, GST_VIDEO_FORMAT_RGB, RGB_16, 1, 0, 10, 0, 5},
  {GST_VIDEO_FORMAT_BGR15, GST_VIDEO_FORMAT_RGB, RGB_16, 1, 0, 0, 10, 5},
  {GST_VIDEO_FORMAT_Y210, GST_VIDEO_FORMAT_I422_10LE, YUYV_16, 2, 6},
  {GST_VIDEO_FORMAT_Y212_LE, GST_VIDEO_FORMAT_I422_12LE, YUYV_16, 2, 4},
  {GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_I422_10LE, V210, 6},
  {GST_VIDEO_FORMAT_Y410, GST_VIDEO_FORMAT_Y444_10LE, Y410, 1},
  {GST_VIDEO_FORMAT_NV12_4L4, GST_VIDEO_FORMAT_NV12},
  {GST_VIDEO_FORMAT_NV12_32L32, GST_VIDEO_FORMAT_NV12}
};

typedef struct
{
  MgpuObject object;
  const Packing *packing;
  gboolean unpacks;             /* whether the input is packed, not the output */
} MgpuPack;

/* Returns: (nullable): the packing of @format; NULL if @format is not packed */
static const Packing *
find_packing (GstVideoFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    if (packings[i].format == format)
      return &packings[i];
  return NULL;
}

gboolean
mgpu_pack_get_plain (const GstVideoInfo * info, GstVideoInfo * plain)
{
  const Packing *packing = find_packing (GST_VIDEO_INFO_FORMAT (info));

  *plain = *info;
  if (packing == NULL)
    return FALSE;
  gst_video_info_set_format (plain, packing->plain,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  plain->colorimetry = info->colorimetry;
  plain->chroma_site = info->chroma_site;
  return TRUE;
}

static guint
get_kernel (const MgpuPack * self)
{
  if (self->packing->pixels == 0)
    return self->unpacks ? UNPACK_TILES : PACK_TILES;
  return self->unpacks ? UNPACK_WORDS : PACK_WORDS;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuPack *self = object;

  self->packing = find_packing (GST_VIDEO_INFO_FORMAT (&self->object.in));
  self->unpacks = self->packing != NULL;
  if (!self->unpacks)
    self->packing = find_packing (GST_VIDEO_INFO_FORMAT (&self->object.out));
  return mgpu_object_build (self, 1 + get_kernel (self), error);
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuPack *self = object;
  const Packing *packing = self->packing;
  const GstVideoInfo *plain = self->unpacks ? &self->object.out
      : &self->object.in;

  if (packing->pixels > 0)
    g_string_append_printf (options, " -DPACKING=%d -DSHIFT=%d -DMAX=%d"
        " -DRED=%d -DBLUE=%d -DGREEN_BITS=%d", packing->packing, packing->shift,
        mgpu_get_component (plain, 0).max, packing->red, packing->blue,
        packing->green_bits);
}

static void
enqueue_words (MgpuPack * self, GstMgpuJob * job, cl_kernel kernel,
    const MgpuImage * packed, const MgpuImage * plain, const gsize group[2])
{
  const GstVideoInfo *info = &plain->info;
  gint width = GST_VIDEO_INFO_WIDTH (info), height =
      GST_VIDEO_INFO_HEIGHT (info);
  guint n = GST_VIDEO_INFO_N_PLANES (info), u = MIN (1, n - 1), v = n - 1;

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiiiiii",
      self->unpacks ? gst_mgpu_job_read (job, packed->memory)
      : gst_mgpu_job_write (job, packed->memory), MGPU_AT_PLANE (packed, 0),
      self->unpacks ? gst_mgpu_job_write (job, plain->memory)
      : gst_mgpu_job_read (job, plain->memory), MGPU_AT_PLANE (plain, 0),
      MGPU_AT_PLANE (plain, u), MGPU_AT_PLANE (plain, v), width,
      GST_VIDEO_INFO_COMP_WIDTH (info, u), height);
  mgpu_launch (job, kernel, width, height, self->packing->pixels, 1, group);
}

static void
enqueue_tiles (MgpuPack * self, GstMgpuJob * job, cl_kernel kernel,
    const MgpuImage * packed, const MgpuImage * plain, guint plane,
    const gsize group[2])
{
  const GstVideoFormatInfo *format = packed->info.finfo;
  gint tile_width = GST_VIDEO_FORMAT_INFO_TILE_STRIDE (format, plane);
  gint tile_height = GST_VIDEO_FORMAT_INFO_TILE_HEIGHT (format, plane);
  gint pixel = GST_VIDEO_INFO_COMP_PSTRIDE (&plain->info, plane);
  gint width = GST_VIDEO_INFO_COMP_WIDTH (&plain->info, plane) * pixel;
  gint height = GST_VIDEO_INFO_COMP_HEIGHT (&plain->info, plane);
  gint offset = packed->info.offset[plane];
  MgpuByteRows rows;

  mgpu_get_byte_rows (&packed->info, plane, &rows);
  if (self->unpacks) {
    gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiii",
        gst_mgpu_job_read (job, packed->memory), offset, (gint) rows.stride,
        MGPU_WRITE_PLANE (job, plain, plane), tile_width, tile_height, width,
        height);
    mgpu_launch (job, kernel, width, height, 4, 1, group);
  } else {
    gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiiii",
        gst_mgpu_job_write (job, packed->memory), offset, (gint) rows.stride,
        MGPU_READ_PLANE (job, plain, plane), tile_width, tile_height, width,
        height, pixel);
    mgpu_launch (job, kernel, rows.width / tile_height, rows.n * tile_height, 4,
        1, group);
  }
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuPack *self = object;
  const MgpuImage *packed = self->unpacks ? work->in : work->out;
  const MgpuImage *plain = self->unpacks ? work->out : work->in;
  cl_kernel kernel = self->object.kernels[get_kernel (self)];
  gsize group[2];

  mgpu_group (self->object.context, GROUP_X, GROUP_Y, group);
  if (self->packing->pixels > 0) {
    enqueue_words (self, job, kernel, packed, plain, group);
    return;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&plain->info); i++)
    enqueue_tiles (self, job, kernel, packed, plain, i, group);
}

const MgpuAlgorithm mgpu_pack = {
  .size = sizeof (MgpuPack),
  .kernels = kernels,
  .init = init,
  .define = define,
  .enqueue = enqueue
};

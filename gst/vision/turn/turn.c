/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Mirrors, rotates, transposes and crops frames without resampling. */
#include "turn.h"

/* Width and height, in pixels, of the squares that a work-item of kernels/turn/turn.cl
 * transposes at a time, and number of pixels of its vectors */
#define SQUARE 16

/* Returns: the index of a color component outside of the first plane, which is 1 (U); 0 if
 * there is only one plane */
static gint
last_component (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_N_PLANES (info) > 1 ? 1 : 0;
}

gboolean
mgpu_turn_is_supported (const GstVideoInfo * out)
{
  gint last = last_component (out);

  /* Rejects packed YUV, because the kernel moves whole pixels, but in formats such as YUY2 two
   * pixels share their chroma. The next statement also rejects formats with unused low bits, such
   * as P010, because the kernel would copy these bits. */
  if (GST_VIDEO_INFO_IS_YUV (out) && last == 0)
    return FALSE;
  /* Refuses planes of R, G and B, because the kernel treats planes after the first one as
   * chroma. */
  if (GST_VIDEO_INFO_IS_RGB (out) && last > 0)
    return FALSE;
  return out->finfo->shift[0] == 0
      && GST_VIDEO_INFO_COMP_WIDTH (out, last) >= SQUARE
      && GST_VIDEO_INFO_COMP_HEIGHT (out, last) >= SQUARE;
}

/* Returns: a pixel of RGBx or a similar format, as a word of 4 bytes. All bits of the unused
 * byte are 1, all others 0. Returns 0 for formats without an unused byte. */
static guint
filler (const GstVideoInfo * info)
{
  guint at = 6;

  if (!GST_VIDEO_INFO_IS_RGB (info) || GST_VIDEO_INFO_HAS_ALPHA (info)
      || GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) < 4)
    return 0;
  for (guint i = 0; i < 3; i++)
    at -= GST_VIDEO_INFO_COMP_POFFSET (info, i);
  return 255u << 8 * at;
}

/* Returns: the largest value of a sample, if the words that store samples can hold larger
 * values; otherwise 0 */
static gint
limit (const GstVideoInfo * info)
{
  MgpuComponent c = mgpu_get_component (info, 0);

  return c.max >> (8 * c.bytes - 1) == 0 ? c.max : 0;
}

void
mgpu_turn_define (const GstVideoInfo * out, const MgpuTurn * turn,
    GString * options)
{
  g_string_append_printf (options, " -DPIXEL0=%d -DPIXEL1=%d -DTRANSPOSED=%d"
      " -DFLIP_X=%d -DFLIP_Y=%d -DFILL=0x%xu -DLIMIT=%d",
      GST_VIDEO_INFO_COMP_PSTRIDE (out, 0),
      GST_VIDEO_INFO_COMP_PSTRIDE (out, last_component (out)),
      turn->transposed, turn->flip_x, turn->flip_y, filler (out), limit (out));
}

/* Returns: the offset, in bytes, of the first pixel of the plane @plane of the input frame that
 * is visible after cropping */
static gint
begin_of (const MgpuTurn * turn, const GstVideoInfo * info, guint plane)
{
  gint component = MIN (plane, 1);

  return (gint) info->offset[plane] + turn->y[component] * info->stride[plane]
      + turn->x[component] * GST_VIDEO_INFO_COMP_PSTRIDE (info, component);
}

void
mgpu_turn_enqueue (const MgpuTurn * turn, cl_kernel kernel, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  const GstVideoInfo *from = &in->info, *to = &out->info;
  /* Index of the last plane that the kernel moves, which is not the plane of alpha */
  guint last = MIN (GST_VIDEO_INFO_N_PLANES (to), 3) - 1;
  guint middle = MIN (last, 1);
  gint component = last_component (to);
  gint height = GST_VIDEO_INFO_HEIGHT (to);
  /* Chooses the number of output rows of a work-item. If the frame is transposed, these rows
   * come from the same number of adjacent pixels of an input row. Together these pixels fill a
   * cache line. */
  gint pixel = GST_VIDEO_INFO_COMP_PSTRIDE (to, 0);
  gint rows = !turn->transposed ? MAX (height / turn->bands / SQUARE,
      1) * SQUARE : pixel == 1 ? 4 * SQUARE : pixel == 2 ? 2 * SQUARE : SQUARE;
  gsize global[2] = { MAX (height / rows, 1), last + 1 };
  gsize local[2] = { 1, 1 };

  gst_mgpu_job_set_args (job, kernel, "miiiiiimiiiiiiiiiii",
      gst_mgpu_job_read (job, in->memory),
      begin_of (turn, from, 0), from->stride[0],
      begin_of (turn, from, middle), from->stride[middle],
      begin_of (turn, from, last), from->stride[last],
      MGPU_WRITE_PLANE (job, out, 0), MGPU_AT_PLANE (out, middle),
      MGPU_AT_PLANE (out, last),
      GST_VIDEO_INFO_WIDTH (to), height,
      GST_VIDEO_INFO_COMP_WIDTH (to, component),
      GST_VIDEO_INFO_COMP_HEIGHT (to, component), rows);
  gst_mgpu_job_launch (job, kernel, 2, global, local);
}

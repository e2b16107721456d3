/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the cases of blurring, pixelating and filling. */
#include "cases.h"

#include <gst/vision/blur/blur.h>
#include <gst/vision/colour/colour.h>

#include "../reference/blur.h"
#include "../reference/colour.h"
#include "../reference/sharpen.h"

/* Cases of all methods; sigmas without a pyramid level, with one level for luma only, and with
 * more; blocks that end within the frame and blocks that are larger than it */
static const TestVariant variants[] = {
  {"sigma=12", 65 * 65},
  {"method=pixelate"},
  {"method=fill color=4281545523"},
  {"sigma=1.5"},
  {"sigma=4.4"},
  {"method=pixelate block-size=3"},
  {"method=pixelate block-size=46"},
  {"method=pixelate block-size=1024"},
  {"method=fill color=2135965235"},
  {NULL}
};

/* Blurs or pixelates the colors of a frame, weighted by its alpha. */
static void
weighted_reference (const MgpuBlurParams * p, gint block,
    const RefPlane * in, const RefPlane * out)
{
  RefPlane before[4], after[4];
  gboolean ok = ref_colour_alpha_split (in, &in[3], 3, before, after);

  for (guint i = 0; i < 4 && ok; i++)
    if (p->method == MGPU_BLUR_PIXELATE)
      ref_blur_pixelate (&before[i], &after[i], block, block, FALSE);
    else
      ok = ref_gaussian (&before[i], &after[i], p->sigma, p->sigma);
  if (!ok)
    g_error ("out of memory");
  ref_colour_alpha_join (in, after, 3, out);
  free (before[0].data);
}

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  const MgpuBlurParams *p = params->values;
  gint height = GST_VIDEO_INFO_HEIGHT (info), colour[3];
  gint size = p->block_size;
  gint block = size > 0 ? size + size % 2 : MAX (8,
      height / 32) + height / 32 % 2 * (height >= 256);
  gint opacity = (p->colour >> 24) + (p->colour >> 31);

  if (GST_VIDEO_INFO_HAS_ALPHA (info) && p->method != MGPU_BLUR_FILL) {
    weighted_reference (p, block, in, out);
    return;
  }
  mgpu_colour_from_argb (info, p->colour, colour);
  for (guint i = 0; i < MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3); i++) {
    gint x_shift = info->finfo->w_sub[i], y_shift = info->finfo->h_sub[i];

    if (p->method == MGPU_BLUR_PIXELATE)
      ref_blur_pixelate (&in[i], &out[i], block >> x_shift, block >> y_shift,
          TRUE);
    else if (p->method == MGPU_BLUR_FILL)
      ref_blur_fill (&in[i], &out[i], colour[i], opacity);
    else if (!ref_gaussian (&in[i], &out[i], p->sigma / (1 << x_shift),
            p->sigma / (1 << y_shift)))
      g_error ("out of memory");
  }
}

const TestCases cases_blur = {
  .name = "blur",
  .algorithm = &mgpu_blur,
  .variants = variants,
  .n_sizes = 4,
  .reference = reference
};

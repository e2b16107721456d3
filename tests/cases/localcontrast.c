/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Cases of local contrast. */
#include "cases.h"

#include <gst/vision/colour/colour.h>
#include <gst/vision/localcontrast/localcontrast.h>

#include "../reference/colour.h"
#include "../reference/localcontrast.h"

static const TestVariant variants[] = {
  {"detail=0.5", 65 * 65},
  {"detail=4 sigma=4 levels=5", 65 * 65},
  {"detail=-1 shadows=1 highlights=-1 sigma=60", 65 * 65},
  {"detail=0 shadows=-0.6 highlights=0.3 sigma=127", 65 * 65},
  {"detail=1 sigma=13 levels=64", 35 * 35},
  {NULL}
};

static void
change_luma (const MgpuLocalcontrastParams * p, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  gint black = mgpu_colour_black (info, 0);
  const RefLocalcontrast params = {
    p->detail, p->shadows, p->highlights, p->sigma, p->levels, black,
    black == 0 ? in->max : (in->max + 1) / 256 * 235
  };

  if (!ref_localcontrast (in, out, &params))
    g_error ("out of memory");
}

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  RefPlane before = {
    .stride = in->width,.pixel_stride = 1,
    .width = in->width,.height = in->height,
    .bytes = 1,.max = 255
  };
  RefPlane after = before;

  if (!GST_VIDEO_INFO_IS_RGB (info)) {
    change_luma (params->values, info, in, out);
    return;
  }
  before.data = g_malloc ((gsize) in->width * in->height);
  after.data = g_malloc ((gsize) in->width * in->height);
  ref_colour_luma (in, &before);
  change_luma (params->values, info, &before, &after);
  ref_colour_replace_luma (in, &before, &after, out);
  g_free (before.data);
  g_free (after.data);
}

const TestCases cases_localcontrast = {
  .name = "localcontrast",
  .algorithm = &mgpu_localcontrast,
  .variants = variants,
  .n_sizes = 3,
  .reference = reference
};

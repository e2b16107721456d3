/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the kernels that extract and replace luma, and compares their times with OpenCV's. */
#include "kernelcheck.h"
#include "peers.h"

#include <gst/vision/base/object.h>
#include <gst/vision/colour/colour.h>

#include "../reference/colour.h"

/* RGB formats whose luma is extracted. The check of histeq tests that luma is replaced
 * correctly. */

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xBGR,
  GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR,
  GST_VIDEO_FORMAT_UNKNOWN
};

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  gst_video_info_set_format (out, GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in));
  return TRUE;
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return mgpu_colour_luma_new (context, in, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  mgpu_colour_luma_enqueue (self, job, work->in, work->out);
}

static void
destroy (gpointer self)
{
  mgpu_object_free (self);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  RefPlane rgb[3], luma = kc_picture_plane (out, 0);

  for (guint i = 0; i < 3; i++)
    rgb[i] = kc_picture_plane (in, i);
  ref_colour_luma (rgb, &luma);
}

static const KcVariant variants[] = { {"luma", NULL, 0} };

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = destroy,
  .reference = reference
};

#ifdef HAVE_OPENCV
/* Checks that the luma of every color, or of a sample of colors, equals OpenCV's. Uses the
 * reference instead of the kernels, which equal it. */
static void
check_opencv (KcRun * run)
{
  GstVideoInfo info, grey;
  g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "OpenCV, luma of %s colours",
      run->quick ? "some" : "all");
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_BGR, 4096,
      run->quick ? 4 : 4096);
  prepare (NULL, &info, &grey);
  kc_random_init (&random, 0);
  in = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  for (gint i = 0; i < 4096 * GST_VIDEO_INFO_HEIGHT (&info); i++) {
    /* Multiplies by an odd factor, so that each index gives another color. */
    guint colour = i * 0x9e3779u;
    guint8 *p = in->data + info.offset[0]
        + (gsize) (i / 4096) * info.stride[0] + i % 4096 * 3;

    p[0] = colour;
    p[1] = colour >> 8;
    p[2] = colour >> 16;
  }
  ours = kc_picture_new (&grey, KC_LAYOUT_DEFAULT, &random);
  theirs = kc_picture_copy (ours);
  reference (NULL, in, ours);
  kc_opencv_luma (in, theirs);
  kc_compare_picture (run, theirs, ours);
  kc_case_end (run);
}
#endif

static void
check (KcRun * run)
{
  kc_check_filter (run, &filter);
#ifdef HAVE_OPENCV
  check_opencv (run);
#endif
}

static void
bench (KcRun * run)
{
  const KcFilterBench bench = {
    .what = "luma",
    .format = GST_VIDEO_FORMAT_BGR,
    .width = 1920,
    .height = 1080
  };

  kc_bench_filter (run, &filter, &bench, 1);
}

const KcFunction kc_colour = { "colour", check, bench };

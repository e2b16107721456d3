/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "kernelcheck.h"

#include <gst/vision/histeq.h>
#include <math.h>

#include "../reference/histeq.h"
#include "peers.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY,
  GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xBGR,
  GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR,
  GST_VIDEO_FORMAT_UNKNOWN
};

static const MgpuHisteqParams luma = { MGPU_HISTEQ_LUMA };
static const MgpuHisteqParams each = { MGPU_HISTEQ_EACH };

static const KcVariant variants[] = {
  {"channels=luma", &luma, 0},
  {"channels=each", &each, 0}
};

/* Without red, green and blue both are the same. */
static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  return params == &luma || GST_VIDEO_INFO_IS_RGB (in);
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return mgpu_histeq_new (context, in, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, gconstpointer params,
    const MgpuImage * in, const MgpuImage * out)
{
  mgpu_histeq_enqueue (self, job, params, in, out);
}

static void
destroy (gpointer self)
{
  mgpu_histeq_free (self);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuHisteqParams *p = params;
  RefPlane from[3], to[3];

  kc_picture_copy_planes (in, out, ~0u);
  if (!GST_VIDEO_INFO_IS_RGB (&in->info)) {
    from[0] = kc_picture_plane (in, 0);
    to[0] = kc_picture_plane (out, 0);
    ref_histeq (&from[0], &to[0]);
    return;
  }
  for (guint i = 0; i < 3; i++) {
    from[i] = kc_picture_plane (in, i);
    to[i] = kc_picture_plane (out, i);
    if (p->channels == MGPU_HISTEQ_EACH)
      ref_histeq (&from[i], &to[i]);
  }
  if (p->channels == MGPU_HISTEQ_LUMA && !ref_histeq_rgb (from, to))
    g_error ("out of memory");
}

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

/* Histograms are empty again after a frame: three frames through one object,
 * both kinds of channels in turns. */
static void
check_frames (KcRun * run, GstVideoFormat format)
{
  GstVideoInfo info;
  GError *error = NULL;
  MgpuHisteq *self;

  kc_case_begin (run, KC_FIXED, "three frames of %s 65x33 through one object",
      gst_video_format_to_string (format));
  gst_video_info_set_format (&info, format, 65, 33);
  self = mgpu_histeq_new (run->context, &info, &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  for (guint i = 0; i < 3 && self != NULL; i++) {
    const MgpuHisteqParams *params = i == 1 ? &each : &luma;
    KcRandom random;
    KcPicture *in, *want, *got;
    KcFrame *in_frame, *out_frame;
    GstMgpuJob job;

    kc_random_init (&random, i);
    in = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    kc_picture_fill (in, i, &random);
    want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    got = kc_picture_copy (want);
    in_frame = kc_frame_new (run, in);
    out_frame = kc_frame_new (run, got);
    reference (params, in, want);
    if (in_frame != NULL && out_frame != NULL) {
      gst_mgpu_job_begin (&job, run->queue, run->stats);
      mgpu_histeq_enqueue (self, &job, params, &in_frame->image,
          &out_frame->image);
      if (!gst_mgpu_job_end (&job, &error))
        kc_case_fail_error (run, error);
      else if (kc_frame_read (run, out_frame, got))
        kc_compare_picture (run, want, got);
    }
    kc_frame_free (in_frame);
    kc_frame_free (out_frame);
    kc_picture_free (in);
    kc_picture_free (want);
    kc_picture_free (got);
  }
  mgpu_histeq_free (self);
  kc_case_end (run);
}

/* quotient() of math.cl in C. */
static gfloat
quotient (gfloat n, gfloat d)
{
  union
  {
    guint32 bits;
    gfloat value;
  } r = { .value = d };
  gfloat q;

  r.bits = 0x7ef311c7u - r.bits;
  for (guint i = 0; i < 3; i++)
    r.value = fmaf (fmaf (-d, r.value, 1.0f), r.value, r.value);
  q = n * r.value;
  return fmaf (fmaf (-d, q, n), r.value, q);
}

/* The division of the table is that of C: for all small divisors, and for some
 * of each size up to 2^32. */
static void
check_quotient (KcRun * run)
{
  static const gfloat numerators[] = { 255.0f, 1023.0f, 65535.0f };
  guint n = run->quick ? 1u << 12 : 1u << 20;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "quotients of %u divisors", 2 * n);
  kc_random_init (&random, 1);
  for (guint i = 0; i < 2 * n; i++) {
    gfloat d = i < n ? i + 1
        : (gfloat) ((kc_random (&random) >> kc_random_below (&random, 12)) | 1);

    for (guint j = 0; j < G_N_ELEMENTS (numerators); j++) {
      if (quotient (numerators[j], d) != numerators[j] / d) {
        kc_case_fail (run, "%g / %.9g is not %.9g", numerators[j], d,
            quotient (numerators[j], d));
        i = 2 * n;
        break;
      }
    }
  }
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  kc_check_filter (run, &filter);
  check_frames (run, GST_VIDEO_FORMAT_GRAY8);
  /* An emulator takes its time for 65536 bins. */
  if (!run->quick)
    check_frames (run, GST_VIDEO_FORMAT_GRAY16_LE);
  check_frames (run, GST_VIDEO_FORMAT_BGRA);
  check_quotient (run);
}

static void
bench (KcRun * run)
{
  static const struct
  {
    GstVideoFormat format;
    gint width, height;
    const MgpuHisteqParams *params;
  } cases[] = {
    {GST_VIDEO_FORMAT_GRAY8, 512, 512, &luma},
    {GST_VIDEO_FORMAT_GRAY8, 1280, 720, &luma},
    {GST_VIDEO_FORMAT_GRAY8, 1920, 1080, &luma},
    {GST_VIDEO_FORMAT_GRAY8, 3840, 2160, &luma},
    {GST_VIDEO_FORMAT_GRAY16_LE, 1920, 1080, &luma},
    {GST_VIDEO_FORMAT_NV12, 1920, 1080, &luma},
    {GST_VIDEO_FORMAT_BGR, 1920, 1080, &luma},
    {GST_VIDEO_FORMAT_BGR, 1920, 1080, &each}
  };
  /* NPP makes the histogram alone. */
  static const KcPeer peers[] = {
    {"OpenCV", kc_opencv_histeq, 0, 0.0},
    {"NPP histogram", kc_npp_histogram, -1, 0.0},
    {NULL}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const KcFilterBench bench = {
      .what = cases[i].params == &luma ? "channels=luma" : "channels=each",
      .params = cases[i].params,
      .format = cases[i].format,
      .width = cases[i].width,
      .height = cases[i].height,
      .peers = cases[i].format == GST_VIDEO_FORMAT_GRAY8 ? peers : NULL
    };

    kc_bench_filter (run, &filter, &bench);
  }
}

const KcFunction kc_histeq = { "histeq", check, bench };

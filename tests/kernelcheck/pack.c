/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks packed formats: each is unpacked to its plain format, and packed again. */
#include "private.h"
#include "peers.h"

#include <gst/vision/pack/pack.h>

#include "../cases/packed.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY16_BE, GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_BGR16,
  GST_VIDEO_FORMAT_RGB15, GST_VIDEO_FORMAT_BGR15, GST_VIDEO_FORMAT_Y210,
  GST_VIDEO_FORMAT_Y212_LE, GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_Y410,
  GST_VIDEO_FORMAT_NV12_4L4, GST_VIDEO_FORMAT_NV12_32L32,
  GST_VIDEO_FORMAT_UNKNOWN
};

/* Parameters of a variant: whether the input, not the output, is packed */
static const gboolean unpack = TRUE, pack = FALSE;

static const KcVariant variants[] = {
  {"unpack", &unpack, 0},
  {"pack", &pack, 0}
};

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const gboolean *unpacks = params;

  if (test_packed_find (GST_VIDEO_INFO_FORMAT (in)) == NULL)
    return FALSE;
  if (*unpacks) {
    test_packed_plain (in, out);
  } else {
    *out = *in;
    test_packed_plain (out, in);
  }
  return TRUE;
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return mgpu_object_new (&mgpu_pack, context, in, NULL, out, NULL, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  mgpu_pack.enqueue (self, job, work);
}

static RefPacked
describe (const KcPicture * picture)
{
  guint8 *data[2];

  for (guint i = 0; i < 2; i++)
    data[i] = picture->data + picture->info.offset[i];
  return test_packed_describe (&picture->info, data);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const gboolean *unpacks = params;
  const KcPicture *plain = *unpacks ? out : in;
  RefPacked packed = describe (*unpacks ? in : out);
  RefPlane planes[GST_VIDEO_MAX_COMPONENTS];
  gint n = GST_VIDEO_INFO_N_COMPONENTS (&plain->info);

  kc_picture_planes (plain, planes);
  if (*unpacks)
    ref_unpack (&packed, planes, n);
  else
    ref_pack (planes, n, &packed);
}

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 3,
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = mgpu_object_free,
  .reference = reference
};

/* Compares the references with GStreamer. 8-bit formats, RGB of 5 and 6 bits and byte-swapped gray
 * equal, byte for byte, what GStreamer unpacks to 8 bits, or to the plain format. Packed RGB
 * differs by at most one 5-bit step, because GStreamer drops bits and does not round. */
static void
check_gstreamer (KcRun * run, GstVideoFormat format, gboolean unpacks)
{
  gint width = 50, height = 37, step = 0;
  GstVideoInfo in_info, out_info;
  g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
  KcRandom random;

  gst_video_info_set_format (&in_info, format, width, height);
  prepare (&unpacks, &in_info, &out_info);
  if (!unpacks && GST_VIDEO_INFO_IS_RGB (&in_info))
    step = 1;
  kc_case_begin (run, KC_RANDOM, "GStreamer, %s to %s, %dx%d",
      GST_VIDEO_INFO_NAME (&in_info), GST_VIDEO_INFO_NAME (&out_info), width,
      height);
  kc_random_init (&random, 1);
  in = kc_picture_make (&in_info, KC_LAYOUT_DEFAULT, KC_CONTENT_RANDOM,
      &random);
  ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
  theirs = kc_picture_copy (ours);
  reference (&unpacks, in, ours);
  kc_gstreamer_convert (in, theirs, FALSE, 1);
  if (unpacks) {
    kc_compare_picture (run, theirs, ours);
  } else {
    GstVideoInfo plain;
    g_autoptr (KcPicture) a = NULL, b = NULL;

    test_packed_plain (&out_info, &plain);
    a = kc_picture_new (&plain, KC_LAYOUT_DEFAULT, &random);
    b = kc_picture_copy (a);
    reference (&unpack, ours, a);
    reference (&unpack, theirs, b);
    for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&plain); c++) {
      KcArray x = kc_picture_array (a, c), y = kc_picture_array (b, c);
      gdouble largest = 0;

      for (gint i = 0; i < x.width * x.height; i++)
        largest = MAX (largest, ABS (kc_array_get (&x, i % x.width, i / x.width)
                - kc_array_get (&y, i % x.width, i / x.width)));
      if (largest > 9 * step)
        kc_case_fail (run, "samples of component %u differ by %g", c, largest);
    }
  }
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  static gboolean done = FALSE;

  kc_check_filter (run, &filter);
  for (guint i = 0; !done && formats[i] != GST_VIDEO_FORMAT_UNKNOWN; i++) {
    check_gstreamer (run, formats[i], TRUE);
    check_gstreamer (run, formats[i], FALSE);
  }
  done = TRUE;
}

const KcFunction kc_pack = { "pack", check, NULL };

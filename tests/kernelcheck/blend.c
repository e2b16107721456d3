/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the kernels that blend frames by masks. */
#include "kernelcheck.h"

#include <gst/vision/blend/blend.h>

#include "../reference/blend.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_UNKNOWN
};

static const gint sizes[][2] = {
  {33, 9}, {1, 1}, {70, 34}, {2, 3}, {64, 16}, {129, 33}, {321, 65}
};

/* Masks of one case: percentages of pixels that are covered completely, and partly */
typedef struct
{
  guint share;
  gboolean is_inverted;
  guint mix;
} Way;

static const Way ways[] = {
  {50, FALSE, 256}, {10, TRUE, 256}, {0, FALSE, 256}, {100, FALSE, 200},
  {90, TRUE, 77}, {3, FALSE, 1}
};

/* Makes a mask whose gray values are 0, 255, or any value. If the width or height is odd, the last
 * column or row is repeated. */
static guint8 *
make_mask (gint width, gint height, guint share, KcRandom * random)
{
  gint stride = GST_ROUND_UP_2 (width);
  guint8 *mask = g_malloc0 ((gsize) stride * GST_ROUND_UP_2 (height));

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      if (kc_random_below (random, 100) < share)
        mask[y * stride + x] = kc_random_below (random, 2) ? 255
            : kc_random_below (random, 256);
  for (gint y = 0; y < height; y++)
    mask[y * stride + stride - 1] = mask[y * stride + width - 1];
  for (gint x = 0; x < stride; x++)
    mask[(GST_ROUND_UP_2 (height) - 1) * stride + x] =
        mask[(height - 1) * stride + x];
  return mask;
}

/* Blends with the reference: @frame becomes the expected result. */
static void
refer (const KcPicture * result, KcPicture * frame, const guint8 * mask,
    const Way * way)
{
  const GstVideoInfo *info = &frame->info;
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info), stride = GST_ROUND_UP_2 (width);

  for (guint i = 0; i < MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3); i++) {
    RefPlane to = kc_picture_plane (frame, i);
    RefPlane from = kc_picture_plane (result, i);

    ref_blend (&to, &from, mask, stride, GST_ROUND_UP_2 (height),
        info->finfo->w_sub[i], info->finfo->h_sub[i], way->is_inverted,
        way->mix);
  }
}

/* Copies the kernel's result to @picture. Returns: whether the kernel ran */
static gboolean
blend (KcRun * run, const KcPicture * result, KcPicture * picture,
    const guint8 * mask, const Way * way)
{
  gint stride = GST_ROUND_UP_2 (picture->info.width);
  gsize size = (gsize) stride * GST_ROUND_UP_2 (picture->info.height);
  g_autoptr (KcFrame) frame = kc_frame_new (run, picture);
  g_autoptr (KcFrame) other = kc_frame_new (run, result);
  GError *error = NULL;
  gboolean ok = FALSE;
  GstMgpuJob job;
  gpointer self = mgpu_object_new (&mgpu_blend, run->context, &picture->info,
      NULL, NULL, NULL, &error);

  if (self != NULL && frame != NULL && other != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    if (mgpu_blend_set_masks (self, &job, mask, size))
      mgpu_blend_enqueue (self, &job, &frame->image, &other->image, 0, stride,
          way->is_inverted, way->mix);
    ok = gst_mgpu_job_end (&job, &error)
        && kc_frame_read (run, frame, picture);
  }
  if (error != NULL)
    kc_case_fail_error (run, error);
  mgpu_object_free (self);
  return ok;
}

static void
check_case (KcRun * run, KcKind kind, GstVideoFormat format,
    const gint size[2], const Way * way, KcContent content, KcLayout layout,
    KcRandom * random)
{
  g_autoptr (KcPicture) result = NULL, want = NULL, got = NULL;
  GstVideoInfo info;
  g_autofree guint8 *mask = NULL;

  gst_video_info_set_format (&info, format, size[0], size[1]);
  kc_case_begin (run, kind, "%s %dx%d, %u %% covered, mix %u/256%s",
      gst_video_format_to_string (format), size[0], size[1], way->share,
      way->mix, way->is_inverted ? ", inverted" : "");
  result = kc_picture_make (&info, KC_LAYOUT_DEFAULT, content, random);
  want = kc_picture_make (&info, layout, content, random);
  got = kc_picture_copy (want);
  mask = make_mask (size[0], size[1], way->share, random);
  refer (result, want, mask, way);
  if (blend (run, result, got, mask, way))
    kc_compare_picture (run, want, got);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  guint n_sizes = run->quick ? 3 : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint f = 0; formats[f] != GST_VIDEO_FORMAT_UNKNOWN; f++)
    for (guint i = 0; i < (run->quick ? 2 : G_N_ELEMENTS (ways)); i++)
      for (guint s = 0; s < (run->quick ? 1 : n_sizes)
          && kc_goes_on (run); s++, turn++)
        check_case (run, KC_FIXED, formats[f],
            sizes[(run->quick ? turn : s) % n_sizes],
            &ways[turn % G_N_ELEMENTS (ways)], KC_CONTENT_RANDOM,
            turn % KC_N_LAYOUTS, &random);

  /* Tests words above the largest value of a sample, which count as the largest value. */
  kc_random_init (&random, run->seed);
  for (guint i = 0; i < G_N_ELEMENTS (ways) && kc_goes_on (run); i++)
    check_case (run, KC_RANDOM, GST_VIDEO_FORMAT_I420_10LE, sizes[2], &ways[i],
        KC_CONTENT_EXCESS, i % KC_N_LAYOUTS, &random);
}

const KcFunction kc_blend = { "blend", check, NULL };

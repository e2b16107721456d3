/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the reference of conversions with GStreamer and OpenCV. */
#include "convert.h"
#include "peers.h"

#include <math.h>

#include "../reference/colour.h"
#include "../reference/samples.h"

/* ---- Comparison with GStreamer's conversion -------------------------------- */

/* Draws a gentle slope in every component, so that it matters little from which neighbors chroma is
 * interpolated, and RGB stays in range. @slope: in 1/256 per pixel */
static void
fill_slope (KcPicture * picture, gint slope)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);
    gint scale = GST_VIDEO_INFO_WIDTH (&picture->info) / plane.width;

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint value = 100 + 10 * i
            + (slope * scale * (x + (i == 1 ? -y : y)) >> 8);

        plane.data[y * plane.stride + x * plane.pixel_stride] = value;
      }
    }
  }
}

/* Returns: the largest difference of samples. Alpha counts only if @has_alpha is set, because
 * GStreamer reads the x of RGBx as alpha. */
static gint
largest_difference (const KcPicture * first, const KcPicture * second,
    gboolean has_alpha)
{
  guint n = MIN (has_alpha ? 4 : 3,
      GST_VIDEO_INFO_N_COMPONENTS (&first->info));
  gint largest = 0;

  for (guint i = 0; i < n; i++) {
    RefPlane a = kc_picture_plane (first, i), b = kc_picture_plane (second, i);

    for (gint y = 0; y < a.height; y++)
      for (gint x = 0; x < a.width; x++)
        largest = MAX (largest, ABS (ref_get (&a, x, y) - ref_get (&b, x, y)));
  }
  return largest;
}

/* Checks that this project's conversions of flat and of gently sloping pictures differ from
 * GStreamer's videoconvert by at most 1. From YUV to RGB the limit is 6: from the flat color (100,
 * 110, 120) of BT.601, which is (85.04, 111.36, 61.50), GStreamer 1.22 computes (84, 107, 61). Uses
 * the references instead of the kernels, which equal them. */
static void
compare_gstreamer (KcRun * run, const Conversion * c, GstVideoFormat format,
    gint width, gint height, gint slope)
{
  GstVideoInfo in_info, out_info;
  g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
  KcRandom random;
  gint largest, allowed;

  gst_video_info_set_format (&in_info, format, width, height);
  kc_convert_prepare (c, &in_info, &out_info);
  /* Gives gray the colorimetry of the YUV format, as elements negotiate it. */
  if (GST_VIDEO_INFO_IS_GRAY (&in_info) && GST_VIDEO_INFO_IS_YUV (&out_info))
    in_info.colorimetry = out_info.colorimetry;
  if (GST_VIDEO_INFO_IS_YUV (&in_info) && GST_VIDEO_INFO_IS_GRAY (&out_info))
    out_info.colorimetry = in_info.colorimetry;
  allowed = GST_VIDEO_INFO_IS_YUV (&in_info)
      && GST_VIDEO_INFO_IS_RGB (&out_info) ? 6 : 1;

  kc_case_begin (run, KC_RANDOM, "videoconvert %s to %s, %dx%d, slope %d/256",
      GST_VIDEO_INFO_NAME (&in_info), GST_VIDEO_INFO_NAME (&out_info), width,
      height, slope);
  kc_random_init (&random, 1);
  in = kc_picture_new (&in_info, KC_LAYOUT_DEFAULT, &random);
  fill_slope (in, slope);
  ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
  theirs = kc_picture_copy (ours);
  kc_convert_reference (c, in, ours);
  /* Uses one thread, because with more threads GStreamer 1.22 leaves parts of some frames
   * unchanged. */
  kc_gstreamer_convert (in, theirs, FALSE, 1);
  largest = largest_difference (ours, theirs,
      GST_VIDEO_INFO_HAS_ALPHA (&in_info)
      && GST_VIDEO_INFO_HAS_ALPHA (&out_info));
  if (largest > allowed)
    kc_case_fail (run, "samples differ by %d", largest);
  kc_case_end (run);
}

/* Compares the color conversion matrices, RGB from YUV of BT.709, with arithmetic that does not
 * round. */
static void
check_exact (KcRun * run)
{
  const RefColour yuv = { 0, 0, 0, 255, 0.2126, 0.0722 };
  const RefColour rgb = { 1, 0, 1, 255, 0, 0 };
  gdouble largest = 0;
  RefColourMatrix m;

  ref_colour_matrix (&yuv, &rgb, &m);
  kc_case_begin (run, KC_RANDOM, "exact RGB from YUV");
  for (gint y = 16; y <= 235; y++) {
    for (gint u = 16; u <= 240; u += 7) {
      for (gint v = 16; v <= 240; v += 7) {
        gdouble luma = (y - 16) / 219.0, b = (u - 128) / 112.0 * (1 - 0.0722);
        gdouble r = (v - 128) / 112.0 * (1 - 0.2126);
        gdouble exact[3] = { luma + r,
          luma - (0.2126 * r + 0.0722 * b) / 0.7152, luma + b
        };

        for (guint i = 0; i < 3; i++) {
          gint64 sum = m.factor[i][0] * y + m.factor[i][1] * u
              + m.factor[i][2] * v + m.offset[i];

          largest = MAX (largest, ABS ((sum >> m.bits) - 255 * exact[i]));
        }
      }
    }
  }
  if (largest > 0.51)
    kc_case_fail (run, "a sample is %g off", largest);
  kc_case_end (run);
}

/* Compares the references with GStreamer, with the colors and chroma sites of small and of large
 * frames. Runs only once, because no device takes part in it. */
static void
check_gstreamer (KcRun * run)
{
  static gboolean done = FALSE;

  if (done || run->quick)
    return;
  done = TRUE;
  for (guint i = 0; kc_convert_formats[i] != GST_VIDEO_FORMAT_UNKNOWN; i++) {
    for (guint k = 0; kc_convert_formats[k] != GST_VIDEO_FORMAT_UNKNOWN; k++) {
      Conversion c = {
        .params.method = MGPU_CONVERT_BILINEAR,
        .format = kc_convert_formats[k]
      };

      if (gst_video_format_get_info (kc_convert_formats[i])->depth[0] > 8
          || gst_video_format_get_info (kc_convert_formats[k])->depth[0] > 8)
        continue;
      compare_gstreamer (run, &c, kc_convert_formats[i], 200, 120, 48);
      compare_gstreamer (run, &c, kc_convert_formats[i], 98, 600, 0);
    }
  }
}

#ifdef HAVE_OPENCV
/* Checks that scaled frames equal OpenCV's, byte for byte. Area means, which OpenCV sums up in
 * float, may differ by 1. Nearest-pixel scaling is tested only with odd sizes, in which no position
 * lies in the middle between two pixels, and with small sizes: OpenCV computes positions in steps
 * of 1/65536, so that of 641 columns it selects 320 where 320.5 * 641 / 640 is 321.0008. Uses the
 * references instead of the kernels, which equal them. */
static void
check_opencv (KcRun * run)
{
  static const gint sizes[][4] = {
    {97, 83, 33, 9}, {33, 9, 97, 83}, {64, 48, 1, 1}, {1, 1, 5, 7},
    {1, 40, 3, 41}, {200, 120, 73, 121}, {641, 479, 640, 480},
    {1920, 1080, 1280, 720}
  };
  static const GstVideoFormat gray_and_colour[] = {
    GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGR
  };

  for (guint i = 0; i < 6 * G_N_ELEMENTS (sizes) && kc_goes_on (run); i++) {
    const gint *size = sizes[i / 6];
    Conversion c = {.params.method = i % 3,.width = size[2],.height = size[3] };
    GstVideoFormat format = gray_and_colour[i / 3 % 2];
    gboolean is_area = c.params.method == MGPU_CONVERT_AREA;
    GstVideoInfo in_info, out_info;
    g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
    KcRandom random;

    if ((run->quick && size[0] > 200)
        || (c.params.method == MGPU_CONVERT_NEAREST
            && (size[0] % 2 == 0 || size[1] % 2 == 0 || size[0] > 200))
        || (is_area && (size[2] > size[0] || size[3] > size[1])))
      continue;
    kc_case_begin (run, KC_RANDOM, "OpenCV, %s %dx%d to %dx%d, method %u",
        gst_video_format_to_string (format), size[0], size[1], size[2],
        size[3], c.params.method);
    gst_video_info_set_format (&in_info, format, size[0], size[1]);
    kc_convert_prepare (&c, &in_info, &out_info);
    kc_random_init (&random, i);
    in = kc_picture_make (&in_info, KC_LAYOUT_DEFAULT, KC_CONTENT_RANDOM,
        &random);
    ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
    theirs = kc_picture_copy (ours);
    kc_convert_reference (&c, in, ours);
    kc_opencv_resize (&c, in, theirs);
    if (!is_area)
      kc_compare_picture (run, theirs, ours);
    else if (largest_difference (ours, theirs, FALSE) > 1)
      kc_case_fail (run, "samples differ by %d",
          largest_difference (ours, theirs, FALSE));
    kc_case_end (run);
  }
}
#endif

/* Draws waves of many pixels, so that all scaling windows with lobes give nearly the same
 * result. */
static void
fill_waves (KcPicture * picture)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++)
        ref_set (&plane, x, y, rint (plane.max * (0.5
                    + 0.4 * sin (x / 5.0 + i) * cos (y / 6.0))));
  }
}

/* Compares bicubic and Lanczos scaling. Enlarged frames are compared with OpenCV's INTER_CUBIC,
 * whose parameter is -0.75 instead of -0.5, and with INTER_LANCZOS4, which has 4 lobes instead of
 * 3. Reduced frames are compared with GStreamer's cubic method, whose window is then as wide as
 * this project's. Samples have 16 bits, because GStreamer's weights for 8-bit samples have few
 * bits. Uses the references instead of the kernels, which equal them. */
static void
check_lobes (KcRun * run)
{
  static const gint sizes[][4] = {
    {97, 83, 97, 83}, {64, 48, 128, 96}, {60, 40, 97, 83}, {200, 120, 73, 101},
    {120, 90, 40, 30}, {97, 83, 33, 19}
  };

  for (guint i = 0; i < 3 * G_N_ELEMENTS (sizes) && kc_goes_on (run); i++) {
    const gint *size = sizes[i / 3];
    gboolean is_gstreamer = i % 3 == 2, is_larger = size[2] >= size[0];
    Conversion c = {.params.method = i % 3 == 1 ? MGPU_CONVERT_LANCZOS
          : MGPU_CONVERT_BICUBIC,.width = size[2],.height = size[3]
    };
    GstVideoInfo in_info, out_info;
    g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
    KcRandom random;
    gint largest;

    if (is_larger == is_gstreamer)
      continue;
    kc_case_begin (run, KC_RANDOM, "%s, method %u, %dx%d to %dx%d",
        is_gstreamer ? "videoscale" : "OpenCV", c.params.method, size[0],
        size[1], size[2], size[3]);
    gst_video_info_set_format (&in_info, is_gstreamer
        ? GST_VIDEO_FORMAT_GRAY16_LE : GST_VIDEO_FORMAT_GRAY8, size[0],
        size[1]);
    kc_convert_prepare (&c, &in_info, &out_info);
    kc_random_init (&random, i);
    in = kc_picture_new (&in_info, KC_LAYOUT_DEFAULT, &random);
    fill_waves (in);
    ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
    theirs = kc_picture_copy (ours);
    kc_convert_reference (&c, in, ours);
    if (is_gstreamer)
      kc_gstreamer_convert (in, theirs, TRUE, 1);
#ifdef HAVE_OPENCV
    else
      kc_opencv_resize (&c, in, theirs);
#endif
    largest = largest_difference (ours, theirs, FALSE);
#ifndef HAVE_OPENCV
    largest = is_gstreamer ? largest : 0;
#endif
    if (largest > (is_gstreamer ? 2 * 256 : 2))
      kc_case_fail (run, "samples differ by %d", largest);
    kc_case_end (run);
  }
}

void
kc_convert_check_peers (KcRun * run)
{
  check_exact (run);
  check_gstreamer (run);
  check_lobes (run);
#ifdef HAVE_OPENCV
  check_opencv (run);
#endif
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls the OpenCV functions that are peers of most algorithms. */
#include "peers.h"
#include <gst/vision/bilateral/bilateral.h>
#include <gst/vision/blur/blur.h>
#include <gst/vision/convert/convert.h>
#include <gst/vision/histeq/histeq.h>
#include <gst/vision/sharpen/sharpen.h>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

static guint n_threads = 2;

void
kc_opencv_set_threads (guint n)
{
  n_threads = n;
}

/* Applies the rule of the comparison: two CPU threads, unless the program has chosen another
 * number, and no OpenCL. */
static void
use_threads ()
{
  cv::setNumThreads (n_threads);
  cv::ocl::setUseOpenCL (false);
}

/* Returns the pixels of the only plane as a matrix, without a copy. */
static cv::Mat
view (const KcPicture * picture, int type)
{
  const GstVideoInfo *info = &picture->info;

  return cv::Mat (GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_WIDTH (info),
      type, picture->data + info->offset[0], info->stride[0]);
}

gdouble
kc_opencv_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuBilateralParams *p = static_cast<const MgpuBilateralParams *> (params);
  int type = GST_VIDEO_INFO_N_COMPONENTS (&in->info) == 1 ? CV_8UC1 : CV_8UC3;
  cv::Mat dst = view (out, type);

  use_threads ();
  /* Passes a diameter of 0, with which OpenCV derives the radius from the sigma, as this project
   * does. */
  cv::bilateralFilter (view (in, type), dst,
      p->radius > 0 ? 2 * p->radius + 1 : 0, p->sigma_color, p->sigma_space);
  return -1;
}

/* Equalizes with OpenCV's histogram and lookup; the table between them is computed as in
 * docs/algorithms/histeq.md. */
static void
stretch_levels (const MgpuLevelsParams * p, const cv::Mat & src, cv::Mat & dst)
{
  const int channel = 0, n_bins = 256, m = 255;
  const float range[] = { 0, 256 }, *ranges = range;
  double least = p->low_clip * (double) src.total (), sum = 0;
  double most = p->high_clip * (double) src.total ();
  int width = (int) std::ceil (m / p->max_gain), a = -1, b = m + 1;
  cv::Mat counts, table (1, n_bins, CV_8UC1);

  cv::calcHist (&src, 1, &channel, cv::noArray (), counts, 1, &n_bins, &ranges);
  do
    sum += counts.at<float> (++a);
  while (sum <= std::floor (least));
  sum = 0;
  do
    sum += counts.at<float> (--b);
  while (sum <= std::floor (most));
  if (a > b)
    a = b = (a + b) / 2;
  if (b - a < width) {
    a = std::min (std::max ((a + b) / 2 - width / 2, 0), m - width);
    b = a + width;
  }
  for (int v = 0; v <= m; v++)
    table.at<uchar> (v) = v <= a ? 0
        : std::min ((2 * (v - a) * m + b - a) / (2 * (b - a)), m);
  cv::LUT (src, table, dst);
}

gdouble
kc_opencv_histeq (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuHisteqParams *p = static_cast<const MgpuHisteqParams *> (params);
  int type = GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0) > 8 ? CV_16UC1 : CV_8UC1;
  cv::Mat src = view (in, type), dst = view (out, type);

  use_threads ();
  if (p->method == MGPU_HISTEQ_CLAHE) {
    /* Creates the object only once, as a program would. */
    static cv::Ptr<cv::CLAHE> clahe = cv::createCLAHE ();

    clahe->setClipLimit (p->clahe.clip_limit);
    clahe->setTilesGridSize (cv::Size (p->clahe.tiles_x, p->clahe.tiles_y));
    clahe->apply (src, dst);
  } else if (p->method == MGPU_HISTEQ_LEVELS) {
    stretch_levels (&p->levels, src, dst);
  } else {
    cv::equalizeHist (src, dst);
  }
  return -1;
}

gdouble
kc_opencv_sharpen (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  static cv::Mat blurred;
  const MgpuSharpenParams *p = static_cast<const MgpuSharpenParams *> (params);
  cv::Mat src = view (in, CV_8UC1), dst = view (out, CV_8UC1);

  use_threads ();
  if (p->amount == -1) {
    cv::GaussianBlur (src, dst, cv::Size (), p->sigma);
  } else {
    cv::GaussianBlur (src, blurred, cv::Size (), p->sigma);
    cv::addWeighted (src, 1 + p->amount, blurred, -p->amount, 0, dst);
  }
  return -1;
}

/* Computes the Gaussian of all planes. */
gdouble
kc_opencv_blur (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuBlurParams *p = static_cast<const MgpuBlurParams *> (params);

  use_threads ();
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&in->info); i++) {
    RefPlane from = kc_picture_plane (in, i), to = kc_picture_plane (out, i);
    cv::Mat src (from.height, from.width, CV_8UC1, from.data, from.stride);
    cv::Mat dst (to.height, to.width, CV_8UC1, to.data, to.stride);

    cv::GaussianBlur (src, dst, cv::Size (),
        p->sigma / (1 << GST_VIDEO_FORMAT_INFO_W_SUB (in->info.finfo, i)));
  }
  return -1;
}

void
kc_opencv_remap (const gfloat * x, const gfloat * y, const KcPicture * in,
    KcPicture * out)
{
  int width = GST_VIDEO_INFO_WIDTH (&out->info);
  int height = GST_VIDEO_INFO_HEIGHT (&out->info);
  cv::Mat dst = view (out, CV_8UC1);
  cv::Mat map_x (height, width, CV_32FC1, const_cast<gfloat *> (x));
  cv::Mat map_y (height, width, CV_32FC1, const_cast<gfloat *> (y));

  use_threads ();
  cv::remap (view (in, CV_8UC1), dst, map_x, map_y, cv::INTER_LINEAR,
      cv::BORDER_CONSTANT, cv::Scalar (0));
}

static int
pixel_type (const KcPicture * picture)
{
  return GST_VIDEO_INFO_N_COMPONENTS (&picture->info) == 1 ? CV_8UC1 : CV_8UC3;
}

gdouble
kc_opencv_resize (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuConvertParams *p = static_cast<const MgpuConvertParams *> (params);
  cv::Mat dst = view (out, pixel_type (out));

  use_threads ();
  cv::resize (view (in, pixel_type (in)), dst, dst.size (), 0, 0,
      p->method == MGPU_CONVERT_AREA ? cv::INTER_AREA :
      p->method == MGPU_CONVERT_NEAREST ? cv::INTER_NEAREST_EXACT :
      p->method == MGPU_CONVERT_BICUBIC ? cv::INTER_CUBIC :
      p->method == MGPU_CONVERT_LANCZOS ? cv::INTER_LANCZOS4 :
      cv::INTER_LINEAR);
  return -1;
}

gdouble
kc_opencv_turn (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuConvertParams *p = static_cast<const MgpuConvertParams *> (params);
  cv::Mat src = view (in, pixel_type (in)), dst = view (out, pixel_type (out));

  use_threads ();
  switch (p->orientation) {
    case GST_VIDEO_ORIENTATION_UL_LR:
      cv::transpose (src, dst);
      break;
    case GST_VIDEO_ORIENTATION_HORIZ:
      cv::flip (src, dst, 1);
      break;
    case GST_VIDEO_ORIENTATION_VERT:
      cv::flip (src, dst, 0);
      break;
    case GST_VIDEO_ORIENTATION_180:
      cv::rotate (src, dst, cv::ROTATE_180);
      break;
    case GST_VIDEO_ORIENTATION_90L:
      cv::rotate (src, dst, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    default:
      cv::rotate (src, dst, cv::ROTATE_90_CLOCKWISE);
      break;
  }
  return -1;
}

void
kc_opencv_luma (const KcPicture * in, KcPicture * out)
{
  cv::Mat dst = view (out, CV_8UC1);

  cv::cvtColor (view (in, CV_8UC3), dst, cv::COLOR_BGR2GRAY);
}

gdouble
kc_opencv_nv12_to_bgr (gconstpointer, const KcPicture * in, KcPicture * out)
{
  const GstVideoInfo *info = &in->info;
  cv::Mat chroma ((GST_VIDEO_INFO_HEIGHT (info) + 1) / 2,
      (GST_VIDEO_INFO_WIDTH (info) + 1) / 2, CV_8UC2,
      in->data + info->offset[1], info->stride[1]);
  cv::Mat dst = view (out, CV_8UC3);

  use_threads ();
  cv::cvtColorTwoPlane (view (in, CV_8UC1), chroma, dst,
      cv::COLOR_YUV2BGR_NV12);
  return -1;
}

gdouble
kc_opencv_pyramid (const KcPicture * in, KcPicture * const * levels, guint n)
{
  use_threads ();
  for (guint i = 1; i <= n; i++) {
    cv::Mat dst = view (levels[i], CV_8UC1);

    cv::pyrDown (view (i == 1 ? in : levels[i - 1], CV_8UC1), dst, dst.size ());
  }
  return -1;
}

gdouble
kc_opencv_up (const KcPicture * coarse, KcPicture * up)
{
  cv::Mat dst = view (up, CV_8UC1);

  use_threads ();
  cv::pyrUp (view (coarse, CV_8UC1), dst, dst.size ());
  return -1;
}

gdouble
kc_opencv_detail (const KcPicture * fine, const KcPicture * coarse,
    KcPicture * up, gint16 * detail)
{
  cv::Mat src = view (fine, CV_8UC1), dst (src.size (), CV_16SC1, detail);

  kc_opencv_up (coarse, up);
  cv::subtract (src, view (up, CV_8UC1), dst, cv::noArray (), CV_16S);
  return -1;
}

gdouble
kc_opencv_collapse (const gint16 * detail, const KcPicture * coarse,
    KcPicture * up, KcPicture * fine)
{
  cv::Mat dst = view (fine, CV_8UC1);
  cv::Mat src (dst.size (), CV_16SC1, const_cast<gint16 *> (detail));

  kc_opencv_up (coarse, up);
  cv::add (src, view (up, CV_8UC1), dst, cv::noArray (), CV_8U);
  return -1;
}

gdouble
kc_opencv_integral (const KcPicture * in, gint32 * sum, gdouble * squares)
{
  cv::Mat src = view (in, CV_8UC1);
  cv::Mat dst (src.rows + 1, src.cols + 1, CV_32SC1, sum);

  use_threads ();
  if (squares == NULL) {
    cv::integral (src, dst, CV_32S);
  } else {
    cv::Mat dst_squares (src.rows + 1, src.cols + 1, CV_64FC1, squares);

    cv::integral (src, dst, dst_squares, CV_32S, CV_64F);
  }
  return -1;
}

gdouble
kc_opencv_sift (const KcPicture * in, GArray * keypoints, GByteArray * descriptors)
{
  cv::Mat src = view (in, CV_8UC1), found;
  std::vector<cv::KeyPoint> points;
  cv::Ptr<cv::SIFT> sift = cv::SIFT::create ();

  use_threads ();
  if (descriptors != NULL)
    sift->detectAndCompute (src, cv::noArray (), points, found);
  else
    sift->detect (src, points);
  for (size_t i = 0; keypoints != NULL && i < points.size (); i++) {
    const cv::KeyPoint &p = points[i];
    GstMgpuKeypoint k = { p.pt.x - 0.25f, p.pt.y - 0.25f, p.size, p.angle,
      p.response, (gint8) (p.octave & 255), p.octave >> 8 & 255 };

    g_array_append_val (keypoints, k);
  }
  if (keypoints != NULL && descriptors != NULL && !points.empty ()) {
    cv::Mat bytes;

    found.convertTo (bytes, CV_8U);
    g_byte_array_append (descriptors, bytes.data, 128 * points.size ());
  }
  return -1;
}

gdouble
kc_opencv_match (gconstpointer queries, guint n, gconstpointer trains, guint m,
    gboolean bytes, gint (*numbers)[2], gfloat (*distances)[2])
{
  int type = bytes ? CV_8U : CV_32F;
  cv::Mat from (n, 128, type, const_cast<gpointer> (queries));
  cv::Mat to (m, 128, type, const_cast<gpointer> (trains));
  std::vector<std::vector<cv::DMatch>> matches;
  cv::BFMatcher matcher (cv::NORM_L2);

  use_threads ();
  matcher.knnMatch (from, to, matches, 2);
  for (guint i = 0; i < n && numbers != NULL; i++) {
    for (guint k = 0; k < 2; k++) {
      bool exists = k < matches[i].size ();

      numbers[i][k] = exists ? matches[i][k].trainIdx : -1;
      distances[i][k] = exists ? matches[i][k].distance : 0;
    }
  }
  return -1;
}

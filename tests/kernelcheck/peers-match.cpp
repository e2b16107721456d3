/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches keypoints, ours and OpenCV's alike. */
#include "peers.h"

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>

#define RATIO 0.75f
#define NEAR 2.5

typedef std::vector<cv::Point2f> Points;

/* Adds the places of all matches to from and to. */
static void
find_matches (const KcSiftSide * a, const KcSiftSide * b, Points & from,
    Points & to)
{
  cv::Mat bytes_a (a->n, 128, CV_8U, const_cast<guint8 *> (a->descriptors));
  cv::Mat bytes_b (b->n, 128, CV_8U, const_cast<guint8 *> (b->descriptors));
  std::vector<std::vector<cv::DMatch>> nearest;
  cv::Mat query, train;

  bytes_a.convertTo (query, CV_32F);
  bytes_b.convertTo (train, CV_32F);
  cv::BFMatcher (cv::NORM_L2).knnMatch (query, train, nearest, 2);
  for (const auto & n : nearest) {
    if (n.size () < 2 || n[0].distance >= RATIO * n[1].distance)
      continue;
    const GstMgpuKeypoint & p = a->points[n[0].queryIdx];
    const GstMgpuKeypoint & q = b->points[n[0].trainIdx];

    from.push_back (cv::Point2f (p.x, p.y));
    to.push_back (cv::Point2f (q.x, q.y));
  }
}

static bool
estimate (const Points & from, const Points & to, cv::Mat & h)
{
  if (from.size () < 4)
    return false;
  h = cv::findHomography (from, to, cv::RANSAC, NEAR);
  return !h.empty ();
}

static Points
transform (const Points & points, const cv::Mat & h)
{
  Points moved;

  if (!points.empty ())
    cv::perspectiveTransform (points, moved, h);
  return moved;
}

static void
store (const cv::Mat & from, gdouble * h)
{
  cv::Mat to (3, 3, CV_64F, h);

  from.convertTo (to, CV_64F);
}

gboolean
kc_opencv_read_homography (const gchar * file, gdouble * h)
{
  cv::FileStorage storage (file, cv::FileStorage::READ);
  cv::Mat read;

  if (storage.isOpened ())
    storage.getFirstTopLevelNode () >> read;
  if (read.rows != 3 || read.cols != 3)
    return FALSE;
  store (read, h);
  return TRUE;
}

gboolean
kc_opencv_estimate_homography (const KcSiftSide * a, const KcSiftSide * b,
    gdouble * h)
{
  Points from, to;
  cv::Mat found;

  for (int i = 0; i < 2; i++)
    find_matches (&a[i], &b[i], from, to);
  if (!estimate (from, to, found))
    return FALSE;
  store (found, h);
  return TRUE;
}

void
kc_opencv_match_pictures (const KcSiftSide * a, const KcSiftSide * b, const gdouble * h,
    gint width, gint height, KcMatching * result)
{
  const cv::Mat truth (3, 3, CV_64F, const_cast<gdouble *> (h));
  const float right = width - 1, bottom = height - 1;
  const Points corners = { {0, 0}, {right, 0}, {0, bottom}, {right, bottom} };
  Points from, to, moved, wanted = transform (corners, truth);
  cv::Mat found;

  find_matches (a, b, from, to);
  moved = transform (from, truth);
  result->matches = from.size ();
  result->correct = 0;
  for (size_t i = 0; i < to.size (); i++)
    result->correct += cv::norm (moved[i] - to[i]) < NEAR;
  result->precision = result->correct / MAX (1.0, result->matches);
  result->score = result->correct / MAX (1.0, MIN (a->n, b->n));
  result->error = G_MAXFLOAT;
  if (!estimate (from, to, found))
    return;
  moved = transform (corners, found);
  result->error = 0;
  for (size_t i = 0; i < corners.size (); i++)
    result->error += cv::norm (moved[i] - wanted[i]) / corners.size ();
}

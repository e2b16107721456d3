/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches keypoints of this project and of OpenCV with the same matcher. */
#include "peers.h"

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>

#define RATIO 0.75f
#define NEAR 2.5

typedef std::vector<cv::Point2f> Points;

/* Appends the positions of all matches to @from and @to. */
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

static Points
transform (const Points & points, const cv::Mat & h)
{
  Points moved;

  if (!points.empty ())
    cv::perspectiveTransform (points, moved, h);
  return moved;
}

static gboolean
store (const cv::Mat & from, KcGeometry * g)
{
  cv::Mat to (3, 3, CV_64F, g->m);

  if (from.rows != 3 || from.cols != 3)
    return FALSE;
  from.convertTo (to, CV_64F);
  return TRUE;
}

gboolean
kc_opencv_read_homography (const gchar * file, KcGeometry * g)
{
  cv::FileStorage storage (file, cv::FileStorage::READ);
  cv::Mat read;

  g->is_plane = TRUE;
  if (storage.isOpened ())
    storage.getFirstTopLevelNode () >> read;
  return store (read, g);
}

gboolean
kc_opencv_estimate_fundamental (const KcSiftSide * a, const KcSiftSide * b,
    KcGeometry * g)
{
  Points from, to;

  g->is_plane = FALSE;
  for (int i = 0; i < 2; i++)
    find_matches (&a[i], &b[i], from, to);
  return from.size () >= 8
      && store (cv::findFundamentalMat (from, to, cv::FM_RANSAC, NEAR, 0.999),
      g);
}

/* Returns the distance of each point from its correct position. */
static std::vector<double>
distances (const Points & from, const Points & to, const KcGeometry * g)
{
  const cv::Mat m (3, 3, CV_64F, const_cast<gdouble *> (g->m));
  const Points moved = g->is_plane ? transform (from, m) : Points ();
  std::vector<cv::Vec3f> lines;
  std::vector<double> result;

  if (!g->is_plane && !from.empty ())
    cv::computeCorrespondEpilines (from, 1, m, lines);
  for (size_t i = 0; i < to.size (); i++)
    result.push_back (g->is_plane ? cv::norm (moved[i] - to[i])
        : fabs (lines[i][0] * to[i].x + lines[i][1] * to[i].y + lines[i][2]));
  return result;
}

/* Returns the error, in pixels, of the homography from matches. */
static double
homography_error (const Points & from, const Points & to, const KcGeometry * g,
    float right, float bottom)
{
  const Points corners = { {0, 0}, {right, 0}, {0, bottom}, {right, bottom} };
  double sum = 0;
  cv::Mat h;

  if (from.size () >= 4)
    h = cv::findHomography (from, to, cv::RANSAC, NEAR);
  if (h.empty ())
    return G_MAXFLOAT;
  for (double d : distances (corners, transform (corners, h), g))
    sum += d;
  return sum / corners.size ();
}

void
kc_opencv_match_pictures (const KcSiftSide * a, const KcSiftSide * b,
    const KcGeometry * g, gint width, gint height, KcMatching * result)
{
  Points from, to;

  find_matches (a, b, from, to);
  result->matches = from.size ();
  result->correct = 0;
  for (double d : distances (from, to, g))
    result->correct += d < NEAR;
  result->precision = result->correct / MAX (1.0, result->matches);
  result->score = result->correct / MAX (1.0, MIN (a->n, b->n));
  result->error = g->is_plane ? homography_error (from, to, g, width - 1,
      height - 1) : 0;
}

gdouble
kc_opencv_fit_homography (const gfloat * pairs, guint n, gdouble threshold,
    guint max_draws, gboolean is_magsac, gdouble matrix[9])
{
  const cv::Mat all (n, 4, CV_32F, const_cast<gfloat *> (pairs));
  const cv::Mat from = all.colRange (0, 2).clone ();
  const cv::Mat to = all.colRange (2, 4).clone ();
  const cv::Mat h = cv::findHomography (from, to, is_magsac ? cv::USAC_MAGSAC
      : cv::RANSAC, threshold, cv::noArray (), max_draws, 0.9999);

  std::fill (matrix, matrix + 9, 0);
  if (!h.empty ())
    std::copy (h.begin<double> (), h.end<double> (), matrix);
  return -1;
}

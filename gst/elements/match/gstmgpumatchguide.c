/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches the keypoints of a picture that was found with the keypoints of the frame near them, and
 * fits the homography to all of these matches. The host does this work, because a picture has few
 * keypoints, and each of them has few keypoints of the frame near it. */
#include "gstmgpumatchguide.h"

#include <math.h>

/* Maximum distance of a keypoint of the frame from the mapped position of the keypoint of the
 * picture, as a multiple of the inlier threshold. It is larger than the threshold, because the
 * first homography may have larger errors where it had no matches. */
#define REACH 1.5

/* Maximum squared distance of two matching descriptors; the length of a descriptor is about 512 */
#define MAX_DISTANCE (280 * 280)

/* Maximum ratio between the size of a keypoint of the frame and the mapped size of the keypoint of
 * the picture, and between the mapped size and the size in the frame */
#define MAX_RATIO 1.6

#define MIN_MATCHES 4

/* A keypoint of the frame; sorted by row */
typedef struct
{
  gdouble x, y, size;
  guint index;
} Point;

/* The keypoints of both images. @points: the keypoints of the frame whose positions are finite.
 * @best: for each keypoint of the frame, its best match: the keypoint of the picture with the
 * nearest descriptor. The distance of a match is G_MAXUINT32 if there is none. */
typedef struct
{
  GBytes *keypoints, *descriptors, *frame_descriptors;
  GArray *points;
  GArray *best;
} Guide;

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const Point *p = a, *q = b;

  if (p->y != q->y)
    return p->y < q->y ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

static void
guide_clear (Guide * self)
{
  g_clear_pointer (&self->keypoints, g_bytes_unref);
  g_clear_pointer (&self->descriptors, g_bytes_unref);
  g_clear_pointer (&self->frame_descriptors, g_bytes_unref);
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->best, g_array_unref);
}

/* Returns: FALSE if the keypoints or the descriptors cannot be read */
static gboolean
guide_init (Guide * self, GstMgpuKeypointMeta * picture,
    GstMgpuKeypointMeta * frame)
{
  GBytes *keypoints = gst_mgpu_keypoint_meta_get_keypoints (frame);
  const GstMgpuKeypointMatch none = { 0, 0, G_MAXUINT32 };
  const GstMgpuKeypoint *from;
  gsize size, n;

  self->keypoints = gst_mgpu_keypoint_meta_get_keypoints (picture);
  self->descriptors = gst_mgpu_keypoint_meta_get_descriptors (picture);
  self->frame_descriptors = gst_mgpu_keypoint_meta_get_descriptors (frame);
  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->best = g_array_new (FALSE, FALSE, sizeof (GstMgpuKeypointMatch));
  if (keypoints == NULL || self->keypoints == NULL || self->descriptors == NULL
      || self->frame_descriptors == NULL) {
    g_clear_pointer (&keypoints, g_bytes_unref);
    return FALSE;
  }
  from = g_bytes_get_data (keypoints, &size);
  n = MIN (size / sizeof (*from), g_bytes_get_size (self->frame_descriptors)
      / GST_MGPU_DESCRIPTOR_SIZE);
  for (gsize i = 0; i < n; i++) {
    Point point = { from[i].x, from[i].y, from[i].size, i };

    g_array_append_val (self->best, none);
    /* Ignores keypoints without a finite position, which applications may have attached. */
    if (isfinite (point.x) && isfinite (point.y))
      g_array_append_val (self->points, point);
  }
  g_array_sort (self->points, compare_rows);
  g_bytes_unref (keypoints);
  return TRUE;
}

static guint32
get_distance (const guint8 * a, const guint8 * b)
{
  guint32 sum = 0;

  for (guint i = 0; i < GST_MGPU_DESCRIPTOR_SIZE; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/* Returns: the index of the first point whose y is at least @y */
static guint
find_row (const GArray * points, gdouble y)
{
  guint low = 0, high = points->len;

  while (low < high) {
    guint middle = (low + high) / 2;

    if (g_array_index (points, Point, middle).y < y)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sets *@factor to the factor by which the homography @m scales small lengths around the point (@x,
 * @y). Returns: FALSE if it mirrors the area there, or maps it to infinity */
static gboolean
get_factor (const gdouble * m, gdouble x, gdouble y, gdouble * factor)
{
  gdouble w = m[6] * x + m[7] * y + m[8];
  gdouble det = m[0] * (m[4] * m[8] - m[5] * m[7])
      - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  gdouble area = det / (w * w * w);

  if (!(area > 1e-6 && area < 1e6))
    return FALSE;
  *factor = sqrt (area);
  return TRUE;
}

/* Matches keypoint @i of the picture, which the homography maps to (@x, @y) and to a size of @size
 * pixels. The match is the keypoint of the frame near that position whose descriptor is nearest. */
static void
match_point (Guide * self, guint i, gdouble x, gdouble y, gdouble size,
    gdouble reach)
{
  const guint8 *descriptors = g_bytes_get_data (self->descriptors, NULL);
  const guint8 *others = g_bytes_get_data (self->frame_descriptors, NULL);
  GstMgpuKeypointMatch match = { i, 0, MAX_DISTANCE }, *best;
  gboolean is_found = FALSE;

  for (guint k = find_row (self->points, y - reach); k < self->points->len; k++) {
    const Point *point = &g_array_index (self->points, Point, k);
    gdouble dx = point->x - x, dy = point->y - y;
    guint32 distance;

    if (dy > reach)
      break;
    if (dx * dx + dy * dy > reach * reach || point->size > MAX_RATIO * size
        || size > MAX_RATIO * point->size)
      continue;
    distance = get_distance (descriptors + (gsize) i * GST_MGPU_DESCRIPTOR_SIZE,
        others + (gsize) point->index * GST_MGPU_DESCRIPTOR_SIZE);
    if (distance >= match.distance)
      continue;
    match.train = point->index;
    match.distance = distance;
    is_found = TRUE;
  }
  if (!is_found)
    return;
  best = &g_array_index (self->best, GstMgpuKeypointMatch, match.train);
  if (match.distance < best->distance)
    *best = match;
}

/* Returns: (transfer full): the matches near the homography @fit, at most one for each keypoint of
 * the frame, in the order of the frame's keypoints */
static GBytes *
list_matches (Guide * self, GstMgpuFit * fit, gdouble reach)
{
  const gdouble *m = gst_mgpu_fit_get_matrix (fit);
  const GstMgpuKeypoint *keypoints;
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (GstMgpuKeypointMatch));
  gsize size, n;

  keypoints = g_bytes_get_data (self->keypoints, &size);
  n = MIN (size / sizeof (*keypoints), g_bytes_get_size (self->descriptors)
      / GST_MGPU_DESCRIPTOR_SIZE);
  for (guint i = 0; i < n; i++) {
    const GstMgpuKeypoint *from = &keypoints[i];
    gdouble x, y, factor;

    if (gst_mgpu_fit_project (fit, from->x, from->y, &x, &y)
        && get_factor (m, from->x, from->y, &factor))
      match_point (self, i, x, y, from->size * factor, reach);
  }
  for (guint i = 0; i < self->best->len; i++) {
    const GstMgpuKeypointMatch *match =
        &g_array_index (self->best, GstMgpuKeypointMatch, i);

    if (match->distance < G_MAXUINT32)
      g_array_append_val (matches, *match);
  }
  size = matches->len * sizeof (GstMgpuKeypointMatch);
  return g_bytes_new_take (g_array_free (matches, FALSE), size);
}

GstMgpuFit *
gst_mgpu_match_guide (GstMgpuKeypointMeta * picture,
    GstMgpuKeypointMeta * frame, GstMgpuFit * fit,
    const GstMgpuFitOptions * options, GError ** error)
{
  GstMgpuFit *better = NULL;
  GBytes *matches;
  Guide guide = { NULL, };

  if (!guide_init (&guide, picture, frame)) {
    guide_clear (&guide);
    return gst_mgpu_fit_ref (fit);
  }
  matches = list_matches (&guide, fit, REACH * options->threshold);
  guide_clear (&guide);
  if (g_bytes_get_size (matches) < MIN_MATCHES * sizeof (GstMgpuKeypointMatch)) {
    g_bytes_unref (matches);
    return gst_mgpu_fit_ref (fit);
  }
  better = gst_mgpu_keypoint_meta_fit (picture, frame, matches,
      GST_MGPU_FIT_MODEL_HOMOGRAPHY, options, error);
  g_bytes_unref (matches);
  if (better == NULL || gst_mgpu_fit_get_n_inliers (better)
      > gst_mgpu_fit_get_n_inliers (fit))
    return better;
  gst_mgpu_fit_unref (better);
  return gst_mgpu_fit_ref (fit);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the poses of tags and boards. The initial poses are computed according to T. Collins and A.
 * Bartoli, "Infinitesimal Plane-Based Pose Estimation" (IPPE), 2014. */
#include "pose.h"

#include <math.h>
#include <string.h>

#include "linear.h"

/* Maximum numbers of Gauss-Newton steps for a tag and for a board */
#define STEPS 5
#define BOARD_STEPS 10

/* Minimum depth of a corner relative to its distance from the camera */
#define MIN_DEPTH 0.02

/* Step of numeric derivatives, in pixels */
#define STEP 0.25

/* A tag as seen by a camera without distortion and with a focal length of 1 */
typedef struct
{
  gdouble rays[8];              /* x / z and y / z of the rays of the corners */
  gdouble information[64];      /* inverse of the covariance of @rays */
  const gdouble *points;        /* x, y and z of the corners on the tag or board */
} Seen;

void
mgpu_tag_view_set_plain (gdouble information[64])
{
  for (guint i = 0; i < 64; i++)
    information[i] = i % 9 == 0 ? 100 : 0;
}

void
mgpu_tag_view_set_square (gdouble points[12], gdouble size)
{
  for (guint i = 0; i < 4; i++) {
    points[3 * i] = (i == 1 || i == 2 ? 0.5 : -0.5) * size;
    points[3 * i + 1] = (i >= 2 ? 0.5 : -0.5) * size;
    points[3 * i + 2] = 0;
  }
}

/* ---- Vectors ------------------------------------------------------------------------- */

static gdouble
dot (const gdouble a[3], const gdouble b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
cross (const gdouble a[3], const gdouble b[3], gdouble out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Sets @out to the position of @point, of a tag or board, in the coordinates of the camera. */
static void
apply (const GstMgpuTagPose * pose, const gdouble point[3], gdouble out[3])
{
  for (guint i = 0; i < 3; i++)
    out[i] = dot (pose->rotation + 3 * i, point) + pose->position[i];
}

/* ---- Projection into the camera ------------------------------------------------------------- */

/* Sets @ray to x / z and y / z of the ray that the camera sees at @place, in pixels from the
 * center of the first pixel. Returns: FALSE if the ray is not in front of the camera */
static gboolean
get_ray (const MgpuLensModel * model, gdouble x, gdouble y, gdouble ray[2])
{
  const gdouble place[2] = { x, y };
  gdouble full[3];

  mgpu_lens_model_unproject (model, place, full);
  if (!(full[2] > MIN_DEPTH))
    return FALSE;
  ray[0] = full[0] / full[2];
  ray[1] = full[1] / full[2];
  return TRUE;
}

/* Sets @pixels to the derivative of a position in pixels with respect to x / z and y / z of its
 * ray, at the position (@x, @y). */
static gboolean
get_derivative (const MgpuLensModel * model, gdouble x, gdouble y,
    gdouble pixels[4])
{
  gdouble a[2], b[2], c[2], d[2], rays[4];

  if (!get_ray (model, x - STEP, y, a) || !get_ray (model, x + STEP, y, b)
      || !get_ray (model, x, y - STEP, c) || !get_ray (model, x, y + STEP, d))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    rays[2 * i] = (b[i] - a[i]) / (2 * STEP);
    rays[2 * i + 1] = (d[i] - c[i]) / (2 * STEP);
  }
  return mgpu_linear_invert (2, rays, pixels);
}

/* Converts @view to @seen: removes the distortion of the lens. */
static gboolean
see (const MgpuLensModel * model, const MgpuTagView * view, Seen * seen)
{
  gdouble pixels[64] = { 0 }, turned[64], half[64];

  if (model->camera.lens == MGPU_LENS_EQUIRECT)
    return FALSE;
  for (guint i = 0; i < 4; i++) {
    gdouble x = view->corners[2 * i] - 0.5, y = view->corners[2 * i + 1] - 0.5;
    gdouble block[4];

    if (!get_ray (model, x, y, seen->rays + 2 * i)
        || !get_derivative (model, x, y, block))
      return FALSE;
    for (guint k = 0; k < 4; k++)
      pixels[(2 * i + k / 2) * 8 + 2 * i + k % 2] = block[k];
  }
  mgpu_linear_transpose (8, pixels, turned);
  mgpu_linear_multiply (8, 8, 8, turned, view->information, half);
  mgpu_linear_multiply (8, 8, 8, half, pixels, seen->information);
  seen->points = view->points;
  return TRUE;
}

/* Returns: the root mean square of the distances, in pixels, between the corners of @n views and
 * the positions at which @pose projects them; -1 if the camera does not see one of the corners */
static gdouble
measure (const MgpuLensModel * model, const MgpuTagView * views, guint n,
    const GstMgpuTagPose * pose)
{
  gdouble sum = 0;

  for (guint i = 0; i < 4 * n; i++) {
    const MgpuTagView *view = &views[i / 4];
    const gdouble *corner = view->corners + 2 * (i % 4);
    gdouble ray[3], place[2], dx, dy;

    apply (pose, view->points + 3 * (i % 4), ray);
    if (!(ray[2] > 0) || mgpu_lens_model_project (model, ray, place) < 0)
      return -1;
    dx = place[0] + 0.5 - corner[0];
    dy = place[1] + 0.5 - corner[1];
    sum += dx * dx + dy * dy;
  }
  return sqrt (sum / (4 * n));
}

/* ---- Closed form ----------------------------------------------------------------------- */

/* Sets @m to the homography that maps the square from (-1, -1) to (1, 1) to the rays @c; m[8] is
 * 1. Returns: FALSE if there is no such homography */
static gboolean
find_homography (const gdouble c[8], gdouble m[9])
{
  /* Corners of the unit square first, then the square around the origin */
  gdouble ax = c[2] - c[4], ay = c[3] - c[5];
  gdouble bx = c[6] - c[4], by = c[7] - c[5];
  gdouble sx = c[0] - c[2] + c[4] - c[6], sy = c[1] - c[3] + c[5] - c[7];
  gdouble d = ax * by - bx * ay, g, h, unit[9];

  if (!(fabs (d) > 1e-14))
    return FALSE;
  g = (sx * by - bx * sy) / d;
  h = (ax * sy - sx * ay) / d;
  for (guint i = 0; i < 2; i++) {
    unit[3 * i] = c[2 + i] - c[i] + g * c[2 + i];
    unit[3 * i + 1] = c[6 + i] - c[i] + h * c[6 + i];
    unit[3 * i + 2] = c[i];
  }
  unit[6] = g;
  unit[7] = h;
  unit[8] = 1;
  for (guint i = 0; i < 9; i += 3) {
    m[i] = unit[i] / 2;
    m[i + 1] = unit[i + 1] / 2;
    m[i + 2] = unit[i + 2] + m[i] + m[i + 1];
  }
  d = m[8];
  if (!(fabs (d) > 1e-9))
    return FALSE;
  for (guint i = 0; i < 9; i++)
    m[i] /= d;
  return TRUE;
}

/* Sets @turn to the shortest rotation that brings the z axis to the direction of (x, y, 1). */
static void
find_turn (gdouble x, gdouble y, gdouble turn[9])
{
  gdouble length = sqrt (x * x + y * y + 1);
  gdouble a = x / length, b = y / length, c = 1 / length, f = 1 / (1 + c);

  turn[0] = 1 - a * a * f;
  turn[1] = turn[3] = -a * b * f;
  turn[2] = a;
  turn[4] = 1 - b * b * f;
  turn[5] = b;
  turn[6] = -a;
  turn[7] = -b;
  turn[8] = c;
}

/* Sets the position of @pose to the position that fits the rays best, by least squares of x - u z
 * and y - v z over all corners, where (u, v) is the ray of a corner. */
static gboolean
find_position (const Seen * seen, GstMgpuTagPose * pose)
{
  gdouble normal[9] = { 0 }, right[3] = { 0 }, inverse[9];

  for (guint i = 0; i < 8; i++) {
    const gdouble *point = seen->points + 3 * (i / 2);
    gdouble row[3] = { i % 2 == 0, i % 2 == 1, -seen->rays[i] }, turned[3];
    gdouble value;

    for (guint k = 0; k < 3; k++)
      turned[k] = dot (pose->rotation + 3 * k, point);
    value = -dot (row, turned);
    for (guint k = 0; k < 9; k++)
      normal[k] += row[k / 3] * row[k % 3];
    for (guint k = 0; k < 3; k++)
      right[k] += row[k] * value;
  }
  if (!mgpu_linear_invert (3, normal, inverse))
    return FALSE;
  mgpu_linear_multiply (3, 3, 1, inverse, right, pose->position);
  return pose->position[2] > 0;
}

/* Sets @poses to the two poses of a square in its own coordinates. Returns: FALSE if there are no
 * such poses */
static gboolean
find_initial (const Seen * seen, GstMgpuTagPose poses[2])
{
  gdouble m[9], turn[9], jacobian[4], b[4], inverse[4], a[4], low[2];
  gdouble first, second, mixed, gamma;

  if (!find_homography (seen->rays, m))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    jacobian[i] = m[i / 2 * 3 + i % 2] - m[6 + i % 2] * m[i / 2 * 3 + 2];
  find_turn (m[2], m[5], turn);
  for (guint i = 0; i < 4; i++)
    b[i] = turn[i / 2 * 3 + i % 2] - m[i / 2 * 3 + 2] * turn[6 + i % 2];
  if (!mgpu_linear_invert (2, b, inverse))
    return FALSE;
  mgpu_linear_multiply (2, 2, 2, inverse, jacobian, a);
  /* The largest singular value of a */
  first = a[0] * a[0] + a[1] * a[1];
  second = a[2] * a[2] + a[3] * a[3];
  mixed = a[0] * a[2] + a[1] * a[3];
  gamma = sqrt (0.5 * (first + second + sqrt ((first - second)
              * (first - second) + 4 * mixed * mixed)));
  if (!(gamma > 1e-12))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    a[i] /= gamma;
  low[0] = sqrt (MAX (1 - a[0] * a[0] - a[2] * a[2], 0));
  low[1] = sqrt (MAX (1 - a[1] * a[1] - a[3] * a[3], 0));
  if (a[0] * a[1] + a[2] * a[3] > 0)
    low[1] = -low[1];
  for (guint p = 0; p < 2; p++) {
    gdouble sign = p == 0 ? 1 : -1, columns[3][3], local[9];

    for (guint c = 0; c < 2; c++) {
      columns[c][0] = a[c];
      columns[c][1] = a[2 + c];
      columns[c][2] = sign * low[c];
    }
    cross (columns[0], columns[1], columns[2]);
    for (guint i = 0; i < 9; i++)
      local[i] = columns[i % 3][i / 3];
    mgpu_linear_multiply (3, 3, 3, turn, local, poses[p].rotation);
    if (!find_position (seen, &poses[p]))
      return FALSE;
  }
  return TRUE;
}

/* ---- Gauss-Newton ---------------------------------------------------------------------- */

/* Adds a tag to the normal equations of a step: @normal, 6 rows of 6 numbers, and @right, 6
 * numbers; both may be NULL. Returns: the weighted sum of squares; -1 if the tag is behind the
 * camera */
static gdouble
add_tag (const Seen * seen, const GstMgpuTagPose * pose, gdouble * normal,
    gdouble * right)
{
  gdouble rest[8], weighted[8], rows[8][6], heavy[48], cost = 0;

  for (guint i = 0; i < 4; i++) {
    gdouble p[3], turned[3];

    apply (pose, seen->points + 3 * i, p);
    if (!(p[2] > 0))
      return -1;
    for (guint k = 0; k < 3; k++)
      turned[k] = p[k] - pose->position[k];
    for (guint k = 0; k < 2; k++) {
      gdouble u = p[k] / p[2];
      gdouble slope[3] = { k == 0 ? 1 / p[2] : 0, k == 1 ? 1 / p[2] : 0,
        -u / p[2]
      };

      rest[2 * i + k] = seen->rays[2 * i + k] - u;
      cross (turned, slope, rows[2 * i + k]);
      memcpy (rows[2 * i + k] + 3, slope, sizeof (slope));
    }
  }
  mgpu_linear_multiply (8, 8, 1, seen->information, rest, weighted);
  for (guint i = 0; i < 8; i++)
    cost += rest[i] * weighted[i];
  if (normal == NULL)
    return cost;
  mgpu_linear_multiply (8, 8, 6, seen->information, rows[0], heavy);
  for (guint i = 0; i < 8; i++)
    for (guint r = 0; r < 6; r++) {
      right[r] += rows[i][r] * weighted[i];
      for (guint c = 0; c < 6; c++)
        normal[6 * r + c] += rows[i][r] * heavy[6 * i + c];
    }
  return cost;
}

static gdouble
add_tags (const Seen * seen, guint n, const GstMgpuTagPose * pose,
    gdouble * normal, gdouble * right)
{
  gdouble sum = 0;

  for (guint i = 0; i < n; i++) {
    gdouble cost = add_tag (&seen[i], pose, normal, right);

    if (!(cost >= 0))
      return -1;
    sum += cost;
  }
  return sum;
}

/* Turns @pose by the small rotation in @step, and moves it by the three numbers after it. The rotation is
 * the Cayley transform of the angle, which is exact in its axis and needs no sine. */
static void
move (const GstMgpuTagPose * pose, const gdouble step[6], GstMgpuTagPose * out)
{
  gdouble x = step[0] / 2, y = step[1] / 2, z = step[2] / 2;
  gdouble f = 1 / (1 + x * x + y * y + z * z);
  const gdouble turn[9] = {
    f * (1 + x * x - y * y - z * z), 2 * f * (x * y - z), 2 * f * (x * z + y),
    2 * f * (x * y + z), f * (1 - x * x + y * y - z * z), 2 * f * (y * z - x),
    2 * f * (x * z - y), 2 * f * (y * z + x), f * (1 - x * x - y * y + z * z)
  };

  mgpu_linear_multiply (3, 3, 3, turn, pose->rotation, out->rotation);
  for (guint i = 0; i < 3; i++)
    out->position[i] = pose->position[i] + step[3 + i];
}

/* Improves @pose by up to @n_steps steps, as long as each lowers the weighted sum of squares. Sets
 * @covariance (nullable) to the covariance of the result. */
static gboolean
refine (const Seen * seen, guint n, guint n_steps, GstMgpuTagPose * pose,
    gdouble * covariance)
{
  for (guint s = 0; s <= n_steps; s++) {
    gdouble normal[36] = { 0 }, right[6] = { 0 }, inverse[36], step[6];
    gdouble cost = add_tags (seen, n, pose, normal, right);
    GstMgpuTagPose moved;

    if (!(cost >= 0) || !mgpu_linear_invert (6, normal, inverse))
      return FALSE;
    if (covariance != NULL)
      memcpy (covariance, inverse, sizeof (inverse));
    if (s == n_steps)
      break;
    mgpu_linear_multiply (6, 6, 1, inverse, right, step);
    move (pose, step, &moved);
    {
      gdouble now = add_tags (seen, n, &moved, NULL, NULL);

      if (!(now >= 0 && now < cost))
        break;
    }
    *pose = moved;
  }
  return TRUE;
}

/* ---- Tags ------------------------------------------------------------------------------ */

/* Returns: whether both poses are the same, because the Gauss-Newton steps converged to the same
 * pose */
static gboolean
are_same (const GstMgpuTagPose * a, const GstMgpuTagPose * b)
{
  gdouble most = 0;

  for (guint i = 0; i < 9; i++)
    most = MAX (most, fabs (a->rotation[i] - b->rotation[i]));
  return most < 1e-4;
}

guint
mgpu_tag_pose_find (const MgpuLensModel * model, const MgpuTagView * view,
    GstMgpuTagPose poses[2], gdouble covariance[36])
{
  gdouble covariances[2][36];
  GstMgpuTagPose found[2];
  guint n = 0, first;
  Seen seen;

  if (!see (model, view, &seen) || !find_initial (&seen, found))
    return 0;
  for (guint p = 0; p < 2; p++) {
    if (!refine (&seen, 1, STEPS, &found[p], covariances[n]))
      continue;
    found[p].error = measure (model, view, 1, &found[p]);
    if (found[p].error >= 0)
      found[n++] = found[p];
  }
  if (n == 0)
    return 0;
  first = n == 2 && found[1].error < found[0].error;
  poses[0] = found[first];
  if (covariance != NULL)
    memcpy (covariance, covariances[first], sizeof (covariances[0]));
  if (n == 2)
    poses[1] = found[!first];
  return n == 2 && are_same (&found[0], &found[1]) ? 1 : n;
}

/* ---- Boards ------------------------------------------------------------------------------ */

/* Sets @own to the pose of a tag on its board: the coordinates of the tag have their origin in the
 * middle of the corners @points, and point along its sides. Returns: the length of a side */
static gdouble
find_own (const gdouble points[12], GstMgpuTagPose * own)
{
  gdouble axes[3][3], size, length;

  for (guint i = 0; i < 3; i++) {
    own->position[i] = (points[i] + points[3 + i] + points[6 + i]
        + points[9 + i]) / 4;
    axes[0][i] = points[3 + i] - points[i] + points[6 + i] - points[9 + i];
    axes[1][i] = points[9 + i] - points[i] + points[6 + i] - points[3 + i];
  }
  size = sqrt (dot (axes[0], axes[0]));
  cross (axes[0], axes[1], axes[2]);
  length = sqrt (dot (axes[2], axes[2]));
  for (guint i = 0; i < 3; i++) {
    axes[0][i] /= size;
    axes[2][i] /= length;
  }
  cross (axes[2], axes[0], axes[1]);
  for (guint i = 0; i < 9; i++)
    own->rotation[i] = axes[i % 3][i / 3];
  return size / 2;
}

/* Sets @board to the pose of a board on which a tag has the pose @own, while the camera sees that
 * tag at the pose @tag. */
static void
find_board (const GstMgpuTagPose * tag, const GstMgpuTagPose * own,
    GstMgpuTagPose * board)
{
  gdouble back[9];

  mgpu_linear_transpose (3, own->rotation, back);
  mgpu_linear_multiply (3, 3, 3, tag->rotation, back, board->rotation);
  for (guint i = 0; i < 3; i++)
    board->position[i] = tag->position[i]
        - dot (board->rotation + 3 * i, own->position);
}

gboolean
mgpu_tag_pose_find_board (const MgpuLensModel * model,
    const MgpuTagView * views, guint n, GstMgpuTagPose * pose)
{
  Seen *seen = g_new (Seen, MAX (n, 1));
  gdouble best = -1;
  gboolean ok = n > 0;

  for (guint i = 0; ok && i < n; i++)
    ok = see (model, &views[i], &seen[i]);
  for (guint i = 0; ok && i < n; i++) {
    GstMgpuTagPose own, poses[2], board;
    MgpuTagView alone = views[i];
    guint n_poses;

    mgpu_tag_view_set_square (alone.points, find_own (views[i].points, &own));
    n_poses = mgpu_tag_pose_find (model, &alone, poses, NULL);
    for (guint p = 0; p < n_poses; p++) {
      gdouble cost;

      find_board (&poses[p], &own, &board);
      cost = add_tags (seen, n, &board, NULL, NULL);
      if (cost >= 0 && (best < 0 || cost < best)) {
        best = cost;
        *pose = board;
      }
    }
  }
  ok = ok && best >= 0 && refine (seen, n, BOARD_STEPS, pose, NULL);
  g_free (seen);
  if (ok)
    pose->error = measure (model, views, n, pose);
  return ok && pose->error >= 0;
}

void
mgpu_tag_pose_get_quaternion (const gdouble r[9], gdouble quaternion[4])
{
  /* Computes four times the square of each component; the largest is not near 0. */
  const gdouble squares[4] = {
    1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8],
    1 + r[0] + r[4] + r[8]
  };
  /* Computes four times the products of two components. */
  const gdouble products[4][4] = {
    {squares[0], r[1] + r[3], r[2] + r[6], r[7] - r[5]},
    {r[1] + r[3], squares[1], r[5] + r[7], r[2] - r[6]},
    {r[2] + r[6], r[5] + r[7], squares[2], r[3] - r[1]},
    {r[7] - r[5], r[2] - r[6], r[3] - r[1], squares[3]}
  };
  guint best = 0;
  gdouble length;

  for (guint i = 1; i < 4; i++)
    if (squares[i] > squares[best])
      best = i;
  length = 2 * sqrt (squares[best]);
  if (products[best][3] < 0)
    length = -length;
  for (guint i = 0; i < 4; i++)
    quaternion[i] = products[best][i] / length;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Refines models by Gauss-Newton steps, for kernels and for the host (see model.h; the host
 * includes model.h separately). */
#ifndef GEOMETRY_POLISH_H
#define GEOMETRY_POLISH_H

#ifndef ON_HOST
#include "geometry/model.h"
#endif

/* Adds the terms of a pair to the N_SUMS sums from which take_step() computes a step. In
 * kernels, each lane (element of the vectors) has a separate pair and separate sums. @mask is
 * 1, or 0 in a lane that has no pair. */
static void
add_pair (int model, const Moved * p, floatn mask, floatn * sums)
{
  floatn near = 1.0f - p->e, w, wx, wy, wz, q, s[6];

  /* Sets the weight of pairs with a large residual to 0: products with a tiny weight would be
   * subnormal numbers. */
  near = near < 0x1p-12f ? (floatn) (0.0f) : near;
  w = near * near * mask;
  wx = w * p->gx;
  wy = w * p->gy;
  wz = w * p->gz;
  s[0] = wx * p->gx;
  s[1] = wx * p->gy;
  s[2] = wx * p->gz;
  s[3] = wy * p->gy;
  s[4] = wy * p->gz;
  s[5] = wz * p->gz;
  for (int i = 0; i < 6; i++)
    sums[i] += s[i];
  sums[6] += wx * p->eu;
  sums[7] += wy * p->eu;
  sums[8] += wz * p->eu;
  sums[9] += wx * p->ev;
  sums[10] += wy * p->ev;
  sums[11] += wz * p->ev;
  if (model == HOMOGRAPHY) {
    for (int i = 0; i < 5; i++) {
      sums[12 + i] += s[i] * p->u;
      sums[17 + i] += s[i] * p->v;
    }
    q = p->u * p->u + p->v * p->v;
    sums[22] += s[0] * q;
    sums[23] += s[1] * q;
    sums[24] += s[3] * q;
    q = p->u * p->eu + p->v * p->ev;
    sums[25] += wx * q;
    sums[26] += wy * q;
  }
}

/* Solves the n linear equations a x = b by the factorization a = L D L^T, and writes x to @b.
 * The matrix @a must be symmetric; only its lower half is read, and it is overwritten. Returns
 * false if @a is singular. */
static bool
solve (float (*a)[8], float *b, int n)
{
  float inverses[8];

  for (int j = 0; j < n; j++) {
    float d = a[j][j], row[8];

    /* Computes row j of L D, then divides it by D to get row j of L. */
    for (int k = 0; k < j; k++) {
      row[k] = a[j][k];
      for (int i = 0; i < k; i++)
        row[k] -= a[k][i] * row[i];
      a[j][k] = row[k] * inverses[k];
      d -= a[j][k] * row[k];
      b[j] -= a[j][k] * b[k];
    }
    if (!(d > 1e-6f * a[j][j] && d > 0x1p-90f && d < 0x1p90f))
      return false;
    inverses[j] = inverse_of (d);
  }
  for (int j = n - 1; j >= 0; j--) {
    b[j] *= inverses[j];
    for (int i = j + 1; i < n; i++)
      b[j] -= a[i][j] * b[i];
  }
  return true;
}

/* Computes the Gauss-Newton step of an affine model or a homography, and writes it to @b. @s is
 * an array of sums over all pairs, computed by add_pair(). Returns false if the sums determine
 * no step. */
static bool
solve_full (int model, const float *s, float *b)
{
  float a[8][8];

  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      a[i][j] = 0;
  for (int i = 0; i < 6; i += 3) {
    a[i][i] = s[0];
    a[i + 1][i] = s[1];
    a[i + 2][i] = s[2];
    a[i + 1][i + 1] = s[3];
    a[i + 2][i + 1] = s[4];
    a[i + 2][i + 2] = s[5];
  }
  for (int i = 0; i < 6; i++)
    b[i] = s[6 + i];
  if (model == AFFINE)
    return solve (a, b, 6);
  for (int i = 0; i < 6; i += 3) {
    const float *t = s + (i == 0 ? 12 : 17);

    a[6][i] = -t[0];
    a[6][i + 1] = a[7][i] = -t[1];
    a[6][i + 2] = -t[2];
    a[7][i + 1] = -t[3];
    a[7][i + 2] = -t[4];
  }
  a[6][6] = s[22];
  a[7][6] = s[23];
  a[7][7] = s[24];
  b[6] = -s[25];
  b[7] = -s[26];
  return solve (a, b, 8);
}

/* Computes the Gauss-Newton step of a similarity, and writes it to @b: the changes of its
 * numbers m[0], m[3], m[2] and m[5]. @s is an array of sums over all pairs, computed by
 * add_pair(). Returns false if the sums determine no step. */
static bool
solve_similarity (const float *s, float *b)
{
  float a[8][8];

  a[0][0] = a[1][1] = s[0] + s[3];
  a[1][0] = a[3][2] = 0;
  a[2][0] = a[3][1] = s[2];
  a[3][0] = s[4];
  a[2][1] = -s[4];
  a[2][2] = a[3][3] = s[5];
  b[0] = s[6] + s[10];
  b[1] = s[9] - s[7];
  b[2] = s[8];
  b[3] = s[11];
  return solve (a, b, 4);
}

/* Changes the model @m by a Gauss-Newton step, computed from @s, the sums over all pairs. If
 * the sums determine no step, the model stays unchanged. */
static void
take_step (int model, float zoom, const float *s, float *m)
{
  float b[8];

  if (model >= AFFINE) {
    if (solve_full (model, s, b))
      for (int i = 0; i < (model == AFFINE ? 6 : 8); i++)
        m[i] += b[i];
  } else if (model == TRANSLATION) {
    if (s[5] > 0x1p-90f) {
      m[2] += s[8] * inverse_of (s[5]);
      m[5] += s[11] * inverse_of (s[5]);
    }
  } else if (solve_similarity (s, b)) {
    float cosine = m[0] + b[0], sine = m[3] + b[1];

    m[2] += b[2];
    m[5] += b[3];
    if (model == RIGID && cosine * cosine + sine * sine > 0x1p-40f) {
      float f = zoom * inverse_root (cosine * cosine + sine * sine);
      float dx = s[2] * inverse_of (s[5]), dy = s[4] * inverse_of (s[5]);
      float dc = cosine - cosine * f, ds = sine - sine * f;

      /* Corrects the translation, so that the rigid model moves the weighted center of the pairs to
       * the same point as the similarity did. */
      m[2] += dc * dx - ds * dy;
      m[5] += ds * dx + dc * dy;
      cosine *= f;
      sine *= f;
    }
    m[0] = m[4] = cosine;
    m[3] = sine;
    m[1] = -sine;
  }
}

#endif

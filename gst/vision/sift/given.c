/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds, for each keypoint that the caller gives, the octave, layer, row and column of the sample
 * in the scale space at which the keypoint is described. */
#include "sift-private.h"

#include <math.h>

/* Row or column, in samples, that replaces all positions far outside of the frame */
#define FAR (1 << 20)

/* Relative tolerance for the comparison of a keypoint's size with the range of sizes of its
 * octave. It is larger than the errors of the polynomials with which kernels compute sizes. */
#define TOLERANCE 1e-5

gboolean
mgpu_sift_can_describe (const GstMgpuKeypoint * point)
{
  return isfinite (point->x) && isfinite (point->y) && isfinite (point->size)
      && point->size > 0;
}

/* Finds octave and layer in which the keypoint @point is described, and the blur of this layer,
 * in samples of the octave. Octave 0 is the first octave of the scale space. Uses the octave and
 * layer stored in the keypoint if they exist in the scale space and match the keypoint's size;
 * otherwise chooses the octave and layer that match its size best. */
static void
choose_level (const MgpuSift * self, const GstMgpuKeypoint * point,
    gint * octave, gint * layer, gfloat * blur)
{
  gint scales = self->params.scales, up = self->params.upsample;
  gdouble sigma = self->params.sigma;
  gdouble least = sigma * exp2 (0.5 / scales);
  gdouble most = sigma * exp2 ((scales + 0.5) / scales);
  gdouble step, size;

  *layer = point->layer;
  *octave = -1;
  if (*layer >= 1 && *layer <= scales && point->octave >= -up
      && point->octave < self->n_octaves - up) {
    *octave = point->octave + up;
    size = ldexp (point->size, up - *octave - 1);
    if (size < least * (1 - TOLERANCE) || size > most * (1 + TOLERANCE))
      *octave = -1;
  }
  if (*octave < 0) {
    step = rint (scales * log2 (ldexp (point->size, up - 1) / sigma));
    *layer = CLAMP (step, 1, (gdouble) scales * self->n_octaves);
    *octave = (*layer - 1) / scales;
    *layer -= *octave * scales;
    size = ldexp (point->size, up - *octave - 1);
    size = CLAMP (size, least, most);
  }
  *blur = size;
}

/* Returns: the row or column of the sample, in the octave with the index @octave, that is
 * nearest to the coordinate @x of the frame, in pixels */
static gint
find_sample (const MgpuSift * self, gfloat x, gint octave)
{
  gint up = self->params.upsample;
  gdouble place = rint (ldexp (x + 0.25 * up, up - octave));

  return CLAMP (place, -FAR, FAR);
}

/* Extends the range of pixels from *@low to *@high - 1 to include the pixels around the
 * coordinate @x. The range stays within 0 to @size - 1. */
static void
widen (gint * low, gint * high, gfloat x, gint size)
{
  gdouble begin = floor (x) - 1, end = ceil (x) + 2;

  *low = MIN (*low, CLAMP (begin, 0, size - 1));
  *high = MAX (*high, CLAMP (end, 1, size));
}

GArray *
mgpu_sift_place_given (const MgpuSift * self, const GstMgpuKeypoint * points,
    guint n, MgpuSiftRegion * box)
{
  gint left = self->width, top = self->height, right = 0, bottom = 0;
  GArray *words = mgpu_words_new ();

  for (guint i = 0; i < n; i++) {
    const GstMgpuKeypoint *point = &points[i];
    /* Starts with a position far outside of the frame. Keypoints that cannot be described keep
     * this position; kernels skip them, because the frame has no samples there. */
    gint octave = 0, layer = 1, row = -FAR, column = -FAR;
    gfloat blur = self->params.sigma;
    gboolean is_known = point->angle >= 0 && point->angle < 360;
    gint *to;

    if (mgpu_sift_can_describe (point) && self->n_octaves > 0) {
      choose_level (self, point, &octave, &layer, &blur);
      row = find_sample (self, point->y, octave);
      column = find_sample (self, point->x, octave);
      widen (&left, &right, point->x, self->width);
      widen (&top, &bottom, point->y, self->height);
    }
    to = mgpu_words_at (words, mgpu_words_grow (words, POINT));
    to[0] = octave;
    to[1] = layer;
    to[2] = row;
    to[3] = column;
    mgpu_word_set_float (to + GIVEN_SCALE, blur);
    mgpu_word_set_float (to + GIVEN_ANGLE, is_known ? point->angle : -1);
  }
  *box = (MgpuSiftRegion) { MIN (left, self->width - 1),
    MIN (top, self->height - 1), MAX (right - left, 1), MAX (bottom - top, 1)
  };
  return words;
}

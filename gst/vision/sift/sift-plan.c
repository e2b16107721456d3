/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the plan of a scale space. The plan is a table for the kernels: it says where the
 * levels of the scale space begin in memory, and has the weights of the blurs and the
 * tiles of each kernel launch. */
#include "sift-private.h"

#include <math.h>

/* Number of unused floats before the first level of the scale space and behind the last
 * one. They are needed because the windows of keypoints reach over the edges of a level;
 * the values that kernels read there have no effect. */
#define MARGIN 1024

/* Number of unused floats behind each level of the scale space. They are needed because
 * the kernel that blurs reads STEP floats at a time, and must not read from a level that
 * other work-items write. */
#define STEP 64

/* Largest number of tiles of the first level of a small octave. One work-group computes
 * all tiles of the small octaves, one after the other, which takes less time than a
 * kernel launch for each level. */
#define SMALL_OCTAVE 2

/* Number of samples around the region of interest, scaled to the octave, in which extrema
 * are searched. A keypoint lies within half a sample of the sample where its refinement
 * ends, which is at most REACH samples away from the extremum. */
#define SEARCH_REACH (REACH + 1)

/* Number of samples around the region of interest that the refinement of keypoints may
 * read: it moves from sample to sample, and reads the neighbours of each. */
#define REFINE_REACH (SEARCH_REACH + REACH + 1)

/* Number of samples of a column that a work-item of a blur computes at once. The height of a tile
 * is a multiple of it. */
#define BLUR_ROWS 8

static const gint *
octave_at (MgpuSift * self, gint o)
{
  return mgpu_words_at (self->words, OCTAVE * o);
}

static void
plan_octaves (MgpuSift * self)
{
  gint width = self->width << self->params.upsample;
  gint height = self->height << self->params.upsample;
  gint n = rint (log2 (MIN (width, height)) - 2) + self->params.upsample;
  gsize offset = MARGIN, marks = 0;

  if (self->params.octaves > 0)
    n = MIN (n, (gint) self->params.octaves);
  /* Leaves out octaves that are so small that they consist only of the border, in which
   * no keypoints are searched. Keeps the first octave in any case, because the frame is
   * loaded into it. */
  for (gint o = 0; o == 0 || (o < n && MIN (width, height) > 2 * BORDER); o++) {
    /* Makes the pitch (distance from one row to the next) an odd number of cache lines.
     * With an even number, the samples of a column would map to the same few cache
     * sets. */
    gint pitch = GST_ROUND_UP_16 (width) | 16;
    gsize size = (gsize) pitch * height + STEP;

    g_array_append_vals (self->words, ((const gint[OCTAVE]) {
          width, height, pitch, offset, size, marks}), OCTAVE);
    offset += size * (self->params.scales + 3);
    marks += size * self->params.scales;
    if (n > 0 && MIN (width, height) > 2 * BORDER)
      self->n_octaves++;
    width /= 2;
    height /= 2;
  }
  self->n_scale = offset + MARGIN;
  self->n_state = MARKED + marks / 32 + 1;
}

/* Checks that kernels can count all samples of the scale space in an int. FALSE: the
 * error is set. */
static gboolean
check_size (const MgpuSift * self, GError ** error)
{
  if (self->n_scale <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the scale space of a frame of %dx%d has %" G_GSIZE_FORMAT " samples, and "
      "may have %d: set \"upsample\" to false, lower \"scales-per-octave\", or "
      "scale the frames down before this element", self->width, self->height,
      self->n_scale, G_MAXINT);
  return FALSE;
}

static gint
radius_of (gdouble sigma)
{
  return (gint) rint (8 * sigma + 1) / 2;
}

/* Sets element i of @sigmas to the standard deviation, in samples, of the blur with which
 * level i of an octave is computed from level i - 1; element 0 is for level 0 of the
 * first octave, which is computed from the frame.
 * Returns: the largest radius of these blurs, in samples */
static gint
make_sigmas (const MgpuSiftParams * params, gdouble * sigmas)
{
  gdouble had = params->upsample ? 1 : 0.5;
  gdouble k = pow (2, 1.0 / params->scales);
  gint radius;

  sigmas[0] = sqrt (MAX (params->sigma * params->sigma - had * had, 0.01));
  radius = radius_of (sigmas[0]);
  for (guint i = 1; i < params->scales + 3; i++) {
    gdouble before = pow (k, (gint) i - 1) * params->sigma, after = before * k;

    sigmas[i] = sqrt (after * after - before * before);
    radius = MAX (radius, radius_of (sigmas[i]));
  }
  return radius;
}

/* Adds to the plan (the tables for kernels), for each level of an octave, the weights of
 * the blur from which it is computed, from the centre outwards, and then the radius of
 * the blur, in samples. */
static void
plan_weights (MgpuSift * self)
{
  gdouble sigmas[MAX_LEVELS];
  gint widest = make_sigmas (&self->params, sigmas);

  self->widest = widest;
  self->weights = self->words->len;
  self->weights_pitch = widest + 2;
  for (guint l = 0; l < self->params.scales + 3; l++) {
    gdouble sum = 0;
    gint radius = radius_of (sigmas[l]);

    for (gint i = -radius; i <= radius; i++)
      sum += exp (-0.5 * i * i / (sigmas[l] * sigmas[l]));
    for (gint i = 0; i <= widest; i++) {
      gfloat weight = exp (-0.5 * i * i / (sigmas[l] * sigmas[l])) / sum;

      mgpu_words_add_float (self->words, i <= radius ? weight : 0);
    }
    mgpu_words_add (self->words, radius);
  }
}

/* Computes, for each level of the scale space, how far beyond the region of interest
 * samples must be computed: kernels read these samples to find and describe keypoints, or
 * to compute other levels. */
static void
plan_reaches (MgpuSift * self)
{
  gint scales = self->params.scales, below = 0;
  gdouble sigmas[MAX_LEVELS];
  gdouble widest = self->params.sigma * exp2 ((scales + 0.5) / scales);
  /* Computes the largest radius, in samples, of the window of a descriptor, with the
   * neighbours that gradients need. The window in which the direction of a keypoint is
   * found is smaller. */
  gint window = (gint) ceil (3.5355339 * 3 * widest) + 2;

  make_sigmas (&self->params, sigmas);
  for (gint o = self->n_octaves - 1; o >= 0; o--) {
    gint reach = 0;

    for (gint l = scales + 2; l >= 0; l--) {
      reach = MAX (reach, REFINE_REACH);
      if (l >= 1 && l <= scales)
        reach = MAX (reach, window);
      if (l == scales && o < self->n_octaves - 1)
        reach = MAX (reach, 2 * below + 1);
      self->reaches[o][l] = reach;
      reach += radius_of (sigmas[l]);
    }
    below = self->reaches[o][0];
    self->load_reach = reach;
  }
}

/* Adds to the plan (the tables for kernels) the tiles of the level @level of octave @o,
 * without @border samples at the top, right and bottom. Tiles begin at the left edge of
 * the level, so that loads are aligned. */
static void
add_tiles (MgpuSift * self, Tiles * tiles, gint o, gint level, gint border,
    gint reach, gint tile_x, gint tile_y)
{
  gint width = octave_at (self, o)[WIDTH], height = octave_at (self, o)[HEIGHT];

  for (gint y = border; y < height - border; y += tile_y) {
    for (gint x = 0; x < width - border; x += tile_x) {
      g_array_append_vals (self->words, ((const gint[TILE]) {
            o, level, x, y, reach}), TILE);
      tiles->n++;
    }
  }
}

gint
mgpu_sift_get_pad (const MgpuSift * self)
{
  return GST_ROUND_UP_16 (self->widest);
}

/* Lowers the height of the tiles of a blur until the rows of a tile, which a work-group keeps in
 * local memory, fit. A single work-item does not keep them there. */
static void
lower_tiles (MgpuSift * self)
{
  gint *knobs = self->object.knobs;
  gsize row = sizeof (gfloat)
      * (knobs[BLUR_X] + 2 * mgpu_sift_get_pad (self) + 1);

  while (knobs[BLUR_GROUP] > 1 && knobs[BLUR_Y] > BLUR_ROWS
      && knobs[BLUR_Y] * row > self->object.traits->local_memory_size)
    knobs[BLUR_Y] /= 2;
}

/* Returns: the number of large octaves, for each level of which there is a kernel launch;
 * one work-group computes all others */
static gint
count_large_octaves (MgpuSift * self)
{
  gint tile_x = self->object.knobs[BLUR_X], n = 0;
  gint tile_y = self->object.knobs[BLUR_Y];

  while (n < self->n_octaves
      && (octave_at (self, n)[WIDTH] + tile_x - 1) / tile_x
      * ((octave_at (self, n)[HEIGHT] + tile_y - 1) / tile_y) > SMALL_OCTAVE)
    n++;
  return n;
}

/* Adds to the plan (the tables for kernels) the tiles of the level @level of octave @o,
 * if there is such a level. Leaves out level 0 of all octaves but the first, because it
 * is computed together with the previous octave. */
static void
add_level (MgpuSift * self, Tiles * tiles, gint o, gint level)
{
  if (level >= (o == 0 ? 0 : 1) && level < (gint) self->params.scales + 3)
    add_tiles (self, tiles, o, level, 0, self->reaches[o][level],
        self->object.knobs[BLUR_X], self->object.knobs[BLUR_Y]);
}

/* Makes the lists of tiles for each launch of the kernel that blurs levels, and for the
 * search for extrema. The work on octave o + 1 begins as soon as level @scales of octave o
 * has been computed; from then on each launch computes a level of both octaves. One
 * work-group computes all small octaves. */
static void
plan_tiles (MgpuSift * self)
{
  gint scales = self->params.scales, n_large = count_large_octaves (self);
  Tiles small;

  for (gint step = 0; n_large > 0 && step < scales * n_large + 3; step++) {
    Tiles tiles = { self->words->len, 0, 1 };

    for (gint o = 0; o < n_large; o++)
      add_level (self, &tiles, o, step - scales * o);
    g_array_append_val (self->steps, tiles);
  }
  small = (Tiles) { self->words->len, 0, 0 };
  for (gint o = n_large; o < self->n_octaves; o++)
    for (gint level = 0; level < scales + 3; level++)
      add_level (self, &small, o, level);
  small.per_group = small.n;
  if (small.n > 0)
    g_array_append_val (self->steps, small);
  self->search.begin = self->words->len;
  for (gint o = 0; o < self->n_octaves; o++)
    add_tiles (self, &self->search, o, 0, BORDER, SEARCH_REACH,
        self->object.knobs[FIND_X], self->object.knobs[FIND_Y]);
}

gboolean
mgpu_sift_make_plan (MgpuSift * self, GError ** error)
{
  self->words = mgpu_words_new ();
  self->steps = g_array_new (FALSE, FALSE, sizeof (Tiles));
  plan_octaves (self);
  if (!check_size (self, error))
    return FALSE;
  plan_weights (self);
  lower_tiles (self);
  plan_reaches (self);
  plan_tiles (self);
  return TRUE;
}

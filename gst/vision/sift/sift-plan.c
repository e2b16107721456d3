/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the plan of a scale space. The plan is a table for the kernels. It contains the offsets
 * of the levels of the scale space in memory, the weights of the blurs, and the tiles of each
 * kernel launch. */
#include "sift-private.h"

#include <math.h>

/* Number of unused floats before the first level of the scale space and after the last one. They
 * are needed because the windows of keypoints extend past the edges of a level. The values that
 * kernels read there have no effect. */
#define MARGIN 1024

/* Number of unused floats after each level of the scale space. The kernel that blurs reads STEP
 * floats at a time. Without the unused floats, it might read from a level that other work-items
 * write. */
#define STEP 64

/* Largest number of tiles of the first level of a small octave. One work-group computes all
 * tiles of the small octaves one after the other. This takes less time than a kernel launch for
 * each level. */
#define SMALL_OCTAVE 2

/* Number of samples around the region of interest, scaled to the octave, in which extrema are
 * searched for. Refinement ends at a sample at most REACH samples away from the extremum, and
 * the keypoint lies within half a sample of that sample. */
#define SEARCH_REACH (REACH + 1)

/* Number of samples around the region of interest that the refinement of keypoints may read.
 * Refinement moves from sample to sample, and reads the neighbors of each. */
#define REFINE_REACH (SEARCH_REACH + REACH + 1)

/* Number of vertically adjacent samples that a work-item of a blur computes at once. The height
 * of a tile is a multiple of it. */
#define BLUR_ROWS 8

/* Largest margin, in samples, of a tile if a work-group computes several levels of the tile.
 * With this margin, the first level of a 32x32 tile has four times as many samples. */
#define MAX_MARGIN 16

/* Levels of an octave that one kernel launch computes, each from the level before. */
typedef struct
{
  gint first, n;                /* first level, and number of levels */
  gint margin;                  /* number of samples around a tile that are also computed in the
                                 * first level, because the other levels need them; a multiple of
                                 * 4 */
} Levels;

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
  /* Omits octaves so small that they consist only of the border, where extrema are not searched
   * for. Always keeps the first octave, because the frame is loaded into it. */
  for (gint o = 0; o == 0 || (o < n && MIN (width, height) > 2 * BORDER); o++) {
    /* Rounds the pitch (distance from one row to the next) to an odd number of cache lines. With
     * an even number, the samples of a column would map to the same few cache sets. */
    gint pitch = GST_ROUND_UP_16 (width) | 16;
    gsize size = (gsize) pitch * height + STEP;

    g_array_append_vals (self->words, ((const gint[OCTAVE]) {
              width, height, pitch, offset, size, marks
            }), OCTAVE);
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

/* Checks that the number of samples of the scale space fits into an int. Returns: FALSE if not;
 * @error is set */
static gboolean
check_size (const MgpuSift * self, GError ** error)
{
  if (self->n_scale <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the scale space of a frame of %dx%d has %" G_GSIZE_FORMAT
      " samples, and %d are possible: set \"upsample\" to false, lower "
      "\"scales-per-octave\", or scale the frames down before this element",
      self->width, self->height, self->n_scale, G_MAXINT);
  return FALSE;
}

static gint
radius_of (gdouble sigma)
{
  return (gint) rint (8 * sigma + 1) / 2;
}

/* Computes the standard deviations, in samples, of the blurs. Element i of @sigmas is for level
 * i of an octave, which is computed from level i - 1. Element 0 is for level 0 of the first
 * octave, which is computed from the frame. Returns: the largest radius of these blurs, in
 * samples */
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

/* Adds the weights of the blurs to the plan. For each level of an octave, these are the weights
 * of the blur that computes the level, from the center outwards, followed by the radius of the
 * blur, in samples. */
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
    gint radius = self->radii[l] = radius_of (sigmas[l]);

    for (gint i = -radius; i <= radius; i++)
      sum += exp (-0.5 * i * i / (sigmas[l] * sigmas[l]));
    for (gint i = 0; i <= widest; i++) {
      gfloat weight = exp (-0.5 * i * i / (sigmas[l] * sigmas[l])) / sum;

      mgpu_words_add_float (self->words, i <= radius ? weight : 0);
    }
    mgpu_words_add (self->words, radius);
  }
}

/* Computes, for each level of the scale space, how far outside of the region of interest samples
 * must be computed. Kernels read these samples to find and describe keypoints, and to compute
 * other levels. */
static void
plan_reaches (MgpuSift * self)
{
  gint scales = self->params.scales, below = 0;
  gdouble widest = self->params.sigma * exp2 ((scales + 0.5) / scales);
  /* Computes the largest radius, in samples, of the window of a descriptor, including the
   * neighbors that gradients need. The window for finding the direction of a keypoint is
   * smaller. */
  gint window = (gint) ceil (3.5355339 * 3 * widest) + 2;

  for (gint o = self->n_octaves - 1; o >= 0; o--) {
    gint reach = 0;

    for (gint l = scales + 2; l >= 0; l--) {
      reach = MAX (reach, REFINE_REACH);
      if (l >= 1 && l <= scales)
        reach = MAX (reach, window);
      if (l == scales && o < self->n_octaves - 1)
        reach = MAX (reach, 2 * below + 1);
      self->reaches[o][l] = reach;
      reach += self->radii[l];
    }
    below = self->reaches[o][0];
    self->load_reach = reach;
  }
}

/* Adds the tiles of the levels @levels of octave @o to the plan. Omits @border samples at the
 * top, right and bottom. Tiles begin at the left edge of the level, so that loads are aligned. */
static void
add_tiles (MgpuSift * self, Tiles * tiles, gint o, Levels levels, gint border,
    gint reach, gint tile_x, gint tile_y)
{
  gint width = octave_at (self, o)[WIDTH], height = octave_at (self, o)[HEIGHT];

  for (gint y = border; y < height - border; y += tile_y) {
    for (gint x = 0; x < width - border; x += tile_x) {
      g_array_append_vals (self->words, ((const gint[TILE]) {
                o, levels.first, x, y, reach, levels.n, levels.margin
              }), TILE);
      tiles->n++;
    }
  }
}

gint
mgpu_sift_get_pad (const MgpuSift * self)
{
  return GST_ROUND_UP_16 (self->widest);
}

/* Reduces the height of the tiles of a blur until the rows of a tile, before and after the
 * horizontal blur, fit into local memory. Not needed for work-groups of a single work-item, which
 * do not use local memory. */
static void
lower_tiles (MgpuSift * self)
{
  gint *knobs = self->object.knobs;
  gsize row = sizeof (gfloat)
      * (knobs[BLUR_X] + 2 * mgpu_sift_get_pad (self) + 1 + knobs[BLUR_X] + 1);

  while (knobs[BLUR_GROUP] > 1 && knobs[BLUR_Y] > BLUR_ROWS
      && knobs[BLUR_Y] * row > self->object.traits->local_memory_size)
    knobs[BLUR_Y] /= 2;
}

/* Returns: the number of tiles of @tile_x x @tile_y samples of a level of octave @o */
static gint
count_tiles (MgpuSift * self, gint o, gint tile_x, gint tile_y)
{
  return (octave_at (self, o)[WIDTH] + tile_x - 1) / tile_x
      * ((octave_at (self, o)[HEIGHT] + tile_y - 1) / tile_y);
}

/* Returns: the largest margin of tiles, in samples, for which the arrays of a work-group that
 * computes several levels fit into local memory. If it is below 1, work-groups compute one
 * level. */
static gint
find_largest_margin (MgpuSift * self)
{
  const gint *knobs = self->object.knobs;
  gint margin = MAX_MARGIN;
  gsize size;

  if (MIN (knobs[BLUR_GROUP], knobs[LEVELS_GROUP]) == 1)
    return 0;
  do {
    gsize width = LEVELS_X + 2 * margin;

    size = (LEVELS_Y + 2 * margin)
        * (width + 2 * self->widest + 1 + width + 1) * sizeof (gfloat);
  } while (size > self->object.traits->local_memory_size && (margin -= 4) > 0);
  return margin;
}

/* Returns: the margin, in samples, of a tile when a work-group computes @n levels starting at
 * level @first */
static gint
get_margin (const MgpuSift * self, gint first, gint n)
{
  gint margin = 0;

  for (gint l = first + n - 1; l > first; l--)
    margin = GST_ROUND_UP_4 (margin + self->radii[l]);
  return margin;
}

/* Returns: the levels of octave @o that a kernel launch computes, starting at level @first.
 * These are several levels if each level has few tiles, because a launch with few tiles takes as
 * long as a launch with many. A launch that starts at or below level @scales does not go beyond
 * level @scales, because the next octave can be started after it. Level 0 of the first octave is
 * always computed alone, because level 1 would overwrite the samples from which level 0 is
 * computed. */
static Levels
find_levels (MgpuSift * self, gint o, gint first)
{
  gint scales = self->params.scales;
  gint last = first <= scales ? scales : scales + 2;
  Levels levels = { first, 1, 0 };

  if (first == 0 || count_tiles (self, o, LEVELS_X, LEVELS_Y)
      > self->object.knobs[LEVELS_TILES])
    return levels;
  while (first + levels.n <= last && get_margin (self, first, levels.n + 1)
      <= self->largest_margin)
    levels.n++;
  levels.margin = get_margin (self, first, levels.n);
  self->n_levels = MAX (self->n_levels, levels.n);
  self->margin = MAX (self->margin, levels.margin);
  return levels;
}

/* Returns: the number of large octaves. Each level of a large octave is computed by kernel
 * launches with many work-groups. A single work-group computes all other octaves, unless
 * launches may compute several levels at once. */
static gint
count_large_octaves (MgpuSift * self)
{
  const gint *knobs = self->object.knobs;
  gint n = 0;

  while (n < self->n_octaves
      && (count_tiles (self, n, knobs[BLUR_X], knobs[BLUR_Y]) > SMALL_OCTAVE
          || (self->largest_margin > 0 && knobs[LEVELS_TILES] > SMALL_OCTAVE)))
    n++;
  return n;
}

/* Adds the tiles of the levels @levels of octave @o to the list of a launch. */
static void
add_levels (MgpuSift * self, Tiles * tiles, gint o, Levels levels)
{
  const gint *knobs = self->object.knobs;

  add_tiles (self, tiles, o, levels, 0, self->reaches[o][levels.first],
      tiles->has_levels ? LEVELS_X : knobs[BLUR_X],
      tiles->has_levels ? LEVELS_Y : knobs[BLUR_Y]);
}

/* Makes the list of tiles of each launch of the kernel that blurs levels, for the first @n_large
 * octaves. The array @next contains the next level to compute of each octave. An octave can be
 * started as soon as level @scales of the previous octave has been computed. From then on, each
 * launch computes levels of both octaves. Level 0 of the first octave is computed by a blur; level
 * 0 of each other octave is written together with level @scales of the previous octave. */
static void
plan_launches (MgpuSift * self, gint n_large)
{
  gint scales = self->params.scales, next[MAX_OCTAVES];

  for (gint o = 0; o < n_large; o++)
    next[o] = o == 0 ? 0 : 1;
  while (n_large > 0 && next[n_large - 1] < scales + 3) {
    Tiles tiles = { self->words->len, 0, 1 };
    Levels levels[MAX_OCTAVES];
    gint n = 0;

    /* All tiles of a launch have one size, which depends on whether the work-group of any tile
     * computes several levels. */
    for (gboolean begins = TRUE; n < n_large && begins; n++) {
      begins = next[n] > scales;
      if (next[n] < scales + 3) {
        levels[n] = find_levels (self, n, next[n]);
        tiles.has_levels |= levels[n].n > 1;
      }
    }
    for (gint o = 0; o < n; o++) {
      if (next[o] < scales + 3) {
        add_levels (self, &tiles, o, levels[o]);
        next[o] += levels[o].n;
      }
    }
    g_array_append_val (self->steps, tiles);
  }
}

/* Makes the lists of tiles for the launches of the kernel that blurs levels, and for the search
 * for extrema. One work-group computes all small octaves. */
static void
plan_tiles (MgpuSift * self)
{
  gint n_large = count_large_octaves (self);
  Levels levels = { 0, 1, 0 };
  Tiles small = { 0, 0, 0 };

  plan_launches (self, n_large);
  small.begin = self->words->len;
  for (gint o = n_large; o < self->n_octaves; o++)
    for (levels.first = o == 0 ? 0 : 1;
        levels.first < (gint) self->params.scales + 3; levels.first++)
      add_levels (self, &small, o, levels);
  small.per_group = small.n;
  if (small.n > 0)
    g_array_append_val (self->steps, small);
  self->search.begin = self->words->len;
  levels.first = 0;
  for (gint o = 0; o < self->n_octaves; o++)
    add_tiles (self, &self->search, o, levels, BORDER, SEARCH_REACH,
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
  self->largest_margin = find_largest_margin (self);
  self->n_levels = 1;
  plan_reaches (self);
  plan_tiles (self);
  return TRUE;
}

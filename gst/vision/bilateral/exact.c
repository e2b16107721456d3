/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the bilateral filter by its definition (method exact). */
#include "bilateral-private.h"

#include <math.h>

#include <kernels/base/base-shared.h>
#include <kernels/bilateral/bilateral-shared.h>

/* Maximum local memory, in bytes, that a work-group of the exact filter uses for its tile of
 * samples and for its table of weights. If work-groups used more, too few of them would run on
 * a compute unit at once. */
#define MAX_TILE_BYTES (32 * 1024)
#define MAX_TABLE_BYTES (32 * 1024)

static gdouble
limit_sigma (gdouble sigma)
{
  return CLAMP (sigma, 1e-3, 1e6);
}

/* Computes the factor by which samples are scaled, sqrt (log2 (e) / 2) / sigma. With this
 * factor, log2 of a range weight is minus the square of the difference of two scaled samples.
 * For samples of 8 bits the factor is rounded to so few bits that its products with all
 * differences, up to 255 for one channel and 765 for RGB, are exact. A weight is then a
 * function of the unscaled difference, and a table can hold it. Returns: the factor */
static gfloat
color_scale (MgpuBilateral * self, gdouble sigma)
{
  gint digits = self->guide_max > 255 ? 24 : self->channels == 3 ? 14 : 16;
  gdouble scale, fraction;
  gint exponent;

  scale = sqrt (M_LOG2E / 2) / (limit_sigma (sigma) * self->guide_max / 255);
  fraction = frexp (scale, &exponent);
  return ldexp (rint (ldexp (fraction, digits)), exponent - digits);
}

/* Returns: half the height of the disc in the column at distance @dx from the center column:
 * the largest distance of a sample from the center row. @radius and @dx are in units of the
 * height of a sample */
static gint
half_height (gint radius, gint dx)
{
  gint h = 0;

  while (dx * dx + (h + 1) * (h + 1) <= radius * radius)
    h++;
  return h;
}

/* Returns: EXP2_BIAS plus log2 of the spatial weight of a sample. Its distance from the center
 * of the filter's disc is the square root of @square */
static gfloat
spatial_weight (gdouble sigma, gint square)
{
  sigma = limit_sigma (sigma);
  return EXP2_BIAS - square * M_LOG2E / (2 * sigma * sigma);
}

/* Returns: the number of values that kernels load for each pixel: its samples and, if alpha
 * weights the colors, alpha */
static gint
count_values (MgpuBilateral * self)
{
  return self->channels + (self->is_weighted ? 1 : 0);
}

/* Returns: the size, in bytes, of a work-group's tile of samples, which has a margin of @radius
 * samples on each side */
static gsize
tile_bytes (MgpuBilateral * self, gint radius)
{
  const gint *knobs = self->object.knobs;

  return sizeof (gfloat) * count_values (self) * (knobs[TILE_X] + 2 * radius)
      * (knobs[TILE_Y] * TILE_LANES + 2 * radius);
}

/* The table of weights of the exact filter has a row for each distance of a sample of the disc
 * from its center. A row has a weight for each difference of two values or, for RGB, for each
 * sum of the differences of three channels. Returns: the number of weights in a row */
static gint
table_row (MgpuBilateral * self)
{
  return self->channels == 3 ? 768 : 256;
}

/* Numbers the distances between the samples of a disc and its center; each distance has a row
 * in the table of weights. Sets @group[i] to the row for the distance sqrt (i), or to -1 if no
 * sample has this distance.
 * Returns: the number of rows */
static gint
find_groups (gint radius, gint16 * group)
{
  gint n = 0;

  for (gint i = 0; i <= radius * radius; i++)
    group[i] = -1;
  for (gint x = 0; x <= radius; x++)
    for (gint y = half_height (radius, x); y >= 0; y--)
      group[x * x + y * y] = 0;
  for (gint i = 0; i <= radius * radius; i++)
    if (group[i] == 0)
      group[i] = n++;
  return n;
}

static MgpuBilateralWay
choose_way (MgpuBilateral * self, const MgpuBilateralExact * plan,
    const MgpuBilateralPass * pass)
{
  gsize local = self->object.traits->local_memory_size;
  gsize tile = tile_bytes (self, plan->params.radius);
  gsize table = plan->n_weights * sizeof (gfloat);

  if (!self->object.knobs[TILES] || pass->aspect > 1
      || tile > MIN (local, MAX_TILE_BYTES))
    return BY_PLANES;
  if (self->bytes > 1 || table > MAX_TABLE_BYTES || tile + table > local)
    return BY_TILE;
  return BY_TILE_TABLE;
}

/* Returns: the number of columns of a padded plane that the kernels fill if rows have @width
 * samples */
static gint
plane_width (MgpuBilateral * self, const MgpuBilateralExact * plan, gint width)
{
  gint lanes = self->object.knobs[LANES];

  return GST_ROUND_UP_N (GST_ROUND_UP_N (width, lanes)
      + 2 * plan->params.radius, lanes);
}

static void
plan_planes (MgpuBilateral * self, MgpuBilateralExact * plan, GArray * words,
    const MgpuBilateralPass * pass)
{
  gint r = plan->params.radius;
  gint aspect = pass->aspect;
  gdouble sigma = plan->params.sigma_space * aspect;

  /* Makes rows wide enough for a whole vector that begins at the last pixel. Planes for a part of a
   * frame have the same stride as planes for the whole frame, because the sample offsets in the
   * table @words depend on the stride. */
  plan->plane_stride = plane_width (self, plan, pass->whole.width);
  plan->plane_size =
      plan->plane_stride * (pass->whole.height + 2 * plan->radius_y);

  for (gint dx = -r; dx <= r; dx++) {
    gint h = half_height (aspect * r, aspect * ABS (dx));

    for (gint dy = -h; dy <= h; dy++) {
      mgpu_words_add (words, dy * plan->plane_stride + dx);
      mgpu_words_add_float (words, spatial_weight (sigma,
              aspect * dx * aspect * dx + dy * dy));
    }
  }
  plan->n_taps = words->len / 2;
}

/* Appends the data for the tile kernels to the table @words: the shape of the disc and its
 * spatial weights. Returns: the index in @words of the spatial weights, one for each row of the
 * table of weights */
static gint
plan_tile (MgpuBilateral * self, MgpuBilateralExact * plan, GArray * words,
    const gint16 * group)
{
  gint squares = plan->params.radius * plan->params.radius + 1;
  gint row = table_row (self), groups;

  for (gint dx = 0; dx <= plan->params.radius; dx++)
    mgpu_words_add (words, half_height (plan->params.radius, dx));

  plan->steps = words->len;
  for (gint i = 0; i < squares; i++)
    mgpu_words_add_float (words, plan->way == BY_TILE
        ? spatial_weight (plan->params.sigma_space, i)
        : ROUND_BIAS + group[i] * row * (gint) sizeof (gfloat));

  groups = words->len;
  for (gint i = 0; i < squares; i++)
    if (plan->way == BY_TILE_TABLE && group[i] >= 0)
      mgpu_words_add_float (words,
          spatial_weight (plan->params.sigma_space, i));
  return groups;
}

/* Enqueues the kernel that fills the exact filter's table of weights, in the scratch buffer
 * WEIGHTS + @i. @groups, a result of plan_tile(), is the index of the spatial weights in the
 * scratch buffer SHAPE + @i. */
static gboolean
fill_table (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralExact * plan, guint i, gint groups)
{
  cl_kernel kernel = self->object.kernels[WEIGH];
  gint row = table_row (self);
  gsize global[2] = {
    row / self->object.knobs[LANES], plan->n_weights / row
  };
  cl_mem weights = mgpu_slot_write (self, WEIGHTS + i, job,
      plan->n_weights * sizeof (gfloat));

  if (weights == NULL)
    return FALSE;
  gst_mgpu_job_set_args (job, kernel, "mifmi", weights, row,
      (gdouble) plan->scale, mgpu_slot_read (self, SHAPE + i, job), groups);
  gst_mgpu_job_launch (job, kernel, 2, global, NULL);
  return TRUE;
}

gboolean
mgpu_bilateral_exact_plan (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  gint16 group[MGPU_BILATERAL_MAX_RADIUS * MGPU_BILATERAL_MAX_RADIUS + 1];
  MgpuBilateralExact *plan = &self->exact[i];
  g_autoptr (GArray) words = mgpu_words_new ();
  gint groups = 0;
  gboolean ok;

  plan->scale = color_scale (self, plan->params.sigma_color);
  plan->inverse = 1.0 / plan->scale;
  plan->radius_y = pass->aspect * plan->params.radius;
  plan->n_weights = table_row (self) * find_groups (plan->params.radius, group);
  plan->way = choose_way (self, plan, pass);
  if (plan->way == BY_PLANES)
    plan_planes (self, plan, words, pass);
  else
    groups = plan_tile (self, plan, words, group);
  ok = mgpu_slot_set_words (self, SHAPE + i, job, words)
      && (plan->way != BY_TILE_TABLE || fill_table (self, job, plan, i,
          groups));
  return ok;
}

/* Enqueues the kernels that copy the frame, and the guide image if there is one, to padded
 * planes of floats. They are the input of the kernel that filters. */
static gboolean
enqueue_expand (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralExact * plan, const MgpuBilateralPass * pass)
{
  gint lanes = self->object.knobs[LANES];
  gint width = plane_width (self, plan, pass->place.width);
  gint height = pass->place.height + 2 * plan->radius_y;
  cl_kernel kernel = self->object.kernels[EXPAND];
  cl_mem planes = mgpu_slot_write (self, PLANES, job, sizeof (gfloat)
      * plan->plane_size * (count_values (self) + (self->is_guided ? 1 : 0)));

  if (planes == NULL)
    return FALSE;
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "miiiifii"
      MGPU_BILATERAL_PIXEL, MGPU_READ (job, &pass->in, pass->in), planes,
      plan->plane_stride, plan->plane_size, plan->params.radius,
      plan->radius_y, self->is_guided ? 1.0 : plan->scale, pass->place.width,
      pass->place.height, MGPU_BILATERAL_PIXEL_OF (&pass->in));
  mgpu_launch (job, kernel, width, height, lanes, 1, self->group);
  if (!self->is_guided)
    return TRUE;
  kernel = self->object.kernels[EXPAND_GUIDE];
  gst_mgpu_job_set_args (job, kernel, MGPU_BILATERAL_GUIDE "miiiifii",
      MGPU_BILATERAL_GUIDE_OF (job, pass), planes, plan->plane_stride,
      plan->plane_size, plan->params.radius, plan->radius_y,
      (gdouble) plan->scale, pass->place.width, pass->place.height);
  mgpu_launch (job, kernel, width, height, lanes, 1, self->group);
  return TRUE;
}

static void
enqueue_planes (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  const MgpuBilateralExact *plan = &self->exact[i];
  cl_kernel kernel = self->object.kernels[FILTER];

  if (!enqueue_expand (self, job, plan, pass))
    return;
  gst_mgpu_job_set_args (job, kernel, "miiiimif" MGPU_PLANE MGPU_PLANE "ii"
      MGPU_BILATERAL_PIXEL, mgpu_slot_read (self, PLANES, job),
      plan->plane_stride, plan->plane_size, plan->params.radius,
      plan->radius_y, mgpu_slot_read (self, SHAPE + i, job), plan->n_taps,
      self->is_guided ? 1.0 : plan->inverse,
      MGPU_READ (job, &pass->in, pass->in),
      MGPU_WRITE (job, &pass->out, pass->out), pass->place.width,
      pass->copied, MGPU_BILATERAL_PIXEL_OF (&pass->in));
  mgpu_launch (job, kernel, MAX (pass->place.width, pass->copied),
      pass->place.height, self->object.knobs[LANES], 1, self->group);
}

#define TILE_ARGS MGPU_PLANE MGPU_PLANE "miiffl"
#define TILE_ARGS_OF(self, job, i, plan, pass) \
    MGPU_READ (job, &(pass)->in, (pass)->in), \
    MGPU_WRITE (job, &(pass)->out, (pass)->out), \
    mgpu_slot_read (self, SHAPE + (i), job), \
    (plan)->params.radius, (plan)->steps, (gdouble) (plan)->scale, \
    (gdouble) (plan)->inverse, tile_bytes (self, (plan)->params.radius)

#define SIZE_ARGS "iii" MGPU_BILATERAL_PIXEL
#define SIZE_ARGS_OF(pass) (pass)->place.width, (pass)->place.height, (pass)->copied, \
    MGPU_BILATERAL_PIXEL_OF (&(pass)->in)

static void
enqueue_tile (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  const MgpuBilateralExact *plan = &self->exact[i];
  const gint *knobs = self->object.knobs;
  const gsize local[2] = { knobs[TILE_X], knobs[TILE_Y] };
  gboolean has_table = plan->way == BY_TILE_TABLE;
  cl_kernel kernel = self->object.kernels[has_table ? TILE_TABLE : TILE];

  if (has_table)
    gst_mgpu_job_set_args (job, kernel, TILE_ARGS "mil" SIZE_ARGS,
        TILE_ARGS_OF (self, job, i, plan, pass),
        mgpu_slot_read (self, WEIGHTS + i, job), plan->n_weights,
        plan->n_weights * sizeof (gfloat), SIZE_ARGS_OF (pass));
  else
    gst_mgpu_job_set_args (job, kernel, TILE_ARGS SIZE_ARGS,
        TILE_ARGS_OF (self, job, i, plan, pass), SIZE_ARGS_OF (pass));
  mgpu_launch (job, kernel, MAX (pass->place.width, pass->copied),
      pass->place.height, 1, TILE_LANES, local);
}

void
mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  if (self->exact[i].way == BY_PLANES)
    enqueue_planes (self, job, i, pass);
  else
    enqueue_tile (self, job, i, pass);
}

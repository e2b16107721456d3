/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The bilateral filter: its parameters, and the code that all its methods share. */
#include "bilateral-private.h"

#include <math.h>

#include <gst/vision/colour/alpha.h>
#include <kernels/bilateral/bilateral-shared.h>

/* Indices of the sets of kernels. A set is compiled when one of its kernels is needed for the first
 * time. */
enum
{
  SET_EXACT = 1,                /* Sets begin at 1, since the kernels of set 0 would always be
                                 * compiled, but none is always needed */
  SET_GUIDED,
  SET_TILES,
  SET_GRID,
  SET_CELLS                     /* kernels of the methods grid and constant-time that are
                                 * independent of the format of frames */
};

static const MgpuKnob knobs[] = {
  [LANES] = {"LANES", {16, 4, 4}, "4 16", "number of samples in a vector"},
  [GROUP] = {"GROUP", {32, 64, 64}, "16 32 64 128",
      "width of a work-group, in work-items"},
  [TILES] = {"TILES", {0, 1, 0}, "0 1",
      "whether one kernel filters small discs in local memory"},
  [TILE_X] = {"TILE_X", {32, 32, 32}, "16 32 64",
      "width of a tile, in work-items of one pixel"},
  [TILE_Y] = {"TILE_Y", {16, 16, 16}, "4 8 16",
      "height of a tile, in work-items of 4 pixels; half of it for RGB frames"},
  [BAND] = {"BAND", {8, 128, 128}, "2 4 8 16 32 64 128",
      "size in MiB of the band of the grid whose sums are computed at once"},
  [ROWS] = {"ROWS", {8, 1, 1}, "1 2 4 8 16",
      "number of rows of cells that a work-item blurs"},
  [RUN] = {"RUN", {16, 1, 1}, "1 2 4 8 16 32",
      "number of vectors, in a row of cells, that a work-item blurs"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [EXPAND] = {"bilateral/bilateral", "bilateral_expand", SET_EXACT},
  [FILTER] = {"bilateral/bilateral", "bilateral_filter", SET_EXACT},
  [EXPAND_GUIDE] = {"bilateral/bilateral", "bilateral_expand_guide",
      SET_GUIDED},
  [WEIGH] = {"bilateral/tile", "bilateral_weights", SET_TILES},
  [TILE] = {"bilateral/tile", "bilateral_tile", SET_TILES},
  [TILE_TABLE] = {"bilateral/tile", "bilateral_tile_table", SET_TILES},
  [GRID_FILL] = {"bilateral/grid", "bilateral_grid_fill", SET_GRID},
  [GRID_READ] = {"bilateral/grid", "bilateral_grid_read", SET_GRID},
  [GRID_WEIGH] = {"bilateral/blur", "bilateral_grid_weights", SET_CELLS},
  [BLUR_ROWS] = {"bilateral/blur", "bilateral_grid_blur_rows", SET_CELLS},
  [BLUR_COLUMNS] = {"bilateral/blur", "bilateral_grid_blur_columns",
      SET_CELLS},
  {NULL}
};

/* Builds the OpenCL kernels that the filter method @method needs, unless they were built
 * before. */
static gboolean
build (MgpuBilateral * self, MgpuBilateralMethod method, GError ** error)
{
  if (method != MGPU_BILATERAL_EXACT)
    return mgpu_object_build (self, SET_GRID, error)
        && mgpu_object_build (self, SET_CELLS, error);
  return mgpu_object_build (self, SET_EXACT, error)
      && (!self->is_guided || mgpu_object_build (self, SET_GUIDED, error))
      && (!self->object.knobs[TILES]
      || mgpu_object_build (self, SET_TILES, error));
}

/* Sets the tuning parameter TILES to off if frames cannot be filtered in tiles of local memory.
 * Tiles need vectors of 4 samples and a work-group of TILE_X x TILE_Y work-items, and cannot
 * read a guide image. Lowers TILE_Y, but only for frames that may be filtered in tiles, because
 * the programs of SET_CELLS are compiled with the values of all tuning parameters, and all other
 * frames should share them. */
static void
lower_knobs (MgpuBilateral * self)
{
  gint limit = self->object.traits->max_work_group_size;
  gint *knobs = self->object.knobs;

  mgpu_group (self->object.context, knobs[GROUP], 1, self->group);
  if (self->is_guided || knobs[LANES] != TILE_LANES)
    knobs[TILES] = 0;
  if (!knobs[TILES])
    return;
  if (self->channels == 3 || knobs[TILE_X] * knobs[TILE_Y] > limit)
    knobs[TILE_Y] /= 2;
  if (knobs[TILE_X] * knobs[TILE_Y] > limit)
    knobs[TILES] = 0;
}

/* Returns: the format of the guide image, whose values determine the range weights. Without a
 * guide image, the format of the frame */
static const GstVideoInfo *
get_guide_info (MgpuBilateral * self)
{
  return self->is_guided ? &self->object.guide : &self->object.in;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuBilateral *self = object;
  const GstVideoInfo *in = &self->object.in;
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (in, 0);

  self->is_guided =
      GST_VIDEO_INFO_FORMAT (&self->object.guide) != GST_VIDEO_FORMAT_UNKNOWN;
  self->is_weighted = mgpu_colour_has_alpha (in);
  self->channels = GST_VIDEO_INFO_IS_RGB (in) ? 3 : 1;
  self->bytes = depth > 8 ? 2 : 1;
  self->guide_max =
      (1 << GST_VIDEO_INFO_COMP_DEPTH (get_guide_info (self), 0)) - 1;
  lower_knobs (self);
  return build (self, ((const MgpuBilateralParams *) params)->method, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuBilateral *self = object;

  if (set != SET_CELLS)
    g_string_append_printf (options, " -DBYTES=%d -DCHANNELS=%d -DGUIDED=%d"
        " -DWEIGHTED=%d -DMAX=%d -DGUIDE_BYTES=%d -DGUIDE_CHANNELS=%d -DGUIDE_MAX=%d",
        self->bytes, self->channels, self->is_guided, self->is_weighted,
        (1 << GST_VIDEO_INFO_COMP_DEPTH (&self->object.in, 0)) - 1,
        self->guide_max > 255 ? 2 : 1,
        GST_VIDEO_INFO_IS_RGB (get_guide_info (self)) ? 3 : 1,
        self->guide_max);
}

/* Returns: the memory layout of @n color components of @image, starting at component
 * @component */
static MgpuBilateralView
get_view (const MgpuImage * image, guint component, guint n)
{
  MgpuComponent c = mgpu_get_component (&image->info, component);
  MgpuBilateralView view = {
    .memory = image->memory,.offset = c.offset - c.position,
    .stride = c.stride,.pixel_stride = c.pixel_stride,.shift = c.shift
  };

  for (guint i = 0; i < n; i++)
    view.position[i] =
        mgpu_get_component (&image->info, component + i).position;
  return view;
}

/* Returns: the ratio of the width of a sample of a component to its height, in
 * pixels: 2 for chroma of 4:2:2 */
static gint
get_aspect (const MgpuBilateral * self, guint component)
{
  const GstVideoFormatInfo *finfo = self->object.in.finfo;

  return 1 << (finfo->w_sub[component] - finfo->h_sub[component]);
}

static void
pass_init (const MgpuBilateral * self, MgpuBilateralPass * pass,
    const MgpuWork * work, guint component, guint n)
{
  const GstVideoInfo *info = &self->object.in;
  const GstVideoFormatInfo *finfo = work->in->info.finfo;
  MgpuComponent c = mgpu_get_component (&work->in->info, component);

  *pass = (MgpuBilateralPass) {
    .in = get_view (work->in, component, n),
    .out = get_view (work->out, component, n),
    .place = mgpu_get_place (info, component, work->part),
    .whole = mgpu_get_place (info, component, NULL),
    .aspect = get_aspect (self, component),
    .lo = c.lo,.hi = c.hi
  };
  /* In the pass that filters component 0, also copies the bytes between the filtered samples:
   * alpha, padding, or the chroma of YUY2. Rows of YUY2 have chroma for an even number of
   * pixels. */
  if (component == 0 && c.pixel_stride > (gint) n * c.bytes)
    pass->copied = n == 1 ? GST_ROUND_UP_2 (c.width) : c.width;
  if (work->guide == NULL) {
    pass->guide = pass->in;
    return;
  }
  pass->guide = get_view (work->guide, 0,
      GST_VIDEO_INFO_IS_RGB (&work->guide->info) ? 3 : 1);
  pass->guide_x_shift = finfo->w_sub[component];
  pass->guide_y_shift = finfo->h_sub[component];
}

/* Converts the parameters @params to the units of the samples of a component. Returns: the
 * converted parameters; members that the method does not use are 0 */
static MgpuBilateralParams
get_params (MgpuBilateral * self, const MgpuBilateralParams * params,
    guint component)
{
  MgpuComponent c = mgpu_get_component (get_guide_info (self),
      self->is_guided ? 0 : component);
  gint shift = self->object.in.finfo->w_sub[component];
  MgpuBilateralParams p = {
    .method = params->method,.sigma_color = params->sigma_color,
    .sigma_space = params->sigma_space / (1 << shift)
  };
  gint radius = params->radius >> shift;

  if (c.hi - c.lo < c.max)
    p.sigma_color *= (gdouble) (c.hi - c.lo) / c.max;
  if (params->radius == 0)
    radius = rint (MIN (1.5 * p.sigma_space, MGPU_BILATERAL_MAX_RADIUS));
  if (p.method == MGPU_BILATERAL_EXACT)
    p.radius = CLAMP (radius, 1, MGPU_BILATERAL_MAX_RADIUS);
  if (p.method == MGPU_BILATERAL_CONSTANT_TIME)
    p.levels = params->levels;
  return p;
}

static gboolean
is_same (const MgpuBilateralParams * a, const MgpuBilateralParams * b)
{
  return a->method == b->method && a->sigma_color == b->sigma_color
      && a->sigma_space == b->sigma_space && a->radius == b->radius
      && a->levels == b->levels;
}

/* Enqueues the kernels that filter @n color components with the same weights, starting at
 * component @component. Creates the tables that the kernels read, unless they exist already for
 * the same parameters.
 * Returns: FALSE after an error, which is in @job */
static gboolean
enqueue_pass (MgpuBilateral * self, GstMgpuJob * job, const MgpuWork * work,
    guint component, guint n)
{
  MgpuBilateralParams params = get_params (self, work->params, component);
  gboolean is_exact = params.method == MGPU_BILATERAL_EXACT;
  MgpuBilateralPass pass;
  MgpuBilateralParams *planned;
  guint i = component > 0;

  pass_init (self, &pass, work, component, n);
  planned = is_exact ? &self->exact[i].params : &self->grid[i].params;
  if (!is_same (planned, &params)) {
    *planned = params;
    if (!(is_exact ? mgpu_bilateral_exact_plan : mgpu_bilateral_grid_plan)
        (self, job, i, &pass)) {
      /* Marks the tables as invalid: with a sigma that no frame has, the next frame creates new
       * tables. */
      planned->sigma_color = 0;
      return FALSE;
    }
  }
  (is_exact ? mgpu_bilateral_exact_enqueue : mgpu_bilateral_grid_enqueue)
      (self, job, i, &pass);
  return job->error == NULL;
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuBilateral *self = object;
  const MgpuBilateralParams *params = work->params;
  GError *error = NULL;

  if (!build (self, params->method, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  if (!enqueue_pass (self, job, work, 0, self->channels)
      || !GST_VIDEO_INFO_IS_YUV (&work->in->info))
    return;
  if (!params->all_planes)
    mgpu_image_copy_planes (job, work->in, work->out, ~1u);
  else if (enqueue_pass (self, job, work, 1, 1))
    enqueue_pass (self, job, work, 2, 1);
}

/* Returns: the largest distance, in pixels, from which component @component of an output pixel
 * depends on input pixels */
static gint
reach_of (MgpuBilateral * self, const MgpuBilateralParams * params,
    guint component)
{
  const GstVideoFormatInfo *finfo = self->object.in.finfo;
  MgpuBilateralParams p = get_params (self, params, component);
  MgpuPlace whole = mgpu_get_place (&self->object.in, component, NULL);
  gint aspect = get_aspect (self, component);
  gint x = p.radius, y = aspect * p.radius;

  if (p.method != MGPU_BILATERAL_EXACT) {
    x = mgpu_bilateral_grid_get_reach (&p, whole.width, p.sigma_space);
    y = mgpu_bilateral_grid_get_reach (&p, whole.height,
        aspect * p.sigma_space);
  }
  return MAX (x << finfo->w_sub[component], y << finfo->h_sub[component]);
}

static gint
reach (gpointer object, gconstpointer params, gint * step)
{
  MgpuBilateral *self = object;
  const MgpuBilateralParams *p = params;
  gint result = reach_of (self, p, 0);

  *step = 2;
  if (p->all_planes && GST_VIDEO_INFO_IS_YUV (&self->object.in))
    result = MAX (result, reach_of (self, p, 1));
  return result;
}

static const MgpuEnumValue planes[] = {
  {FALSE, "Luma; chroma is copied", "luma"},
  {TRUE, "Luma and chroma", "all"},
  {0}
};

static const MgpuEnumValue methods[] = {
  {MGPU_BILATERAL_EXACT, "Computes each sample exactly, from all samples in "
      "the disc around it",
      "exact"},
  {MGPU_BILATERAL_GRID, "Approximates the filter with a bilateral grid; fast "
      "for any value of sigma-space",
      "grid"},
  {MGPU_BILATERAL_CONSTANT_TIME, "Approximates the filter by weighted means "
      "for some gray levels, between which it interpolates",
      "constant-time"},
  {0}
};

static const MgpuEnum planes_enum = { "GstMgpuBilateralPlanes", planes };
static const MgpuEnum method_enum = { "GstMgpuBilateralMethod", methods };

/* Limits of sigma-color and sigma-space. Below MIN_SIGMA, all neighbors would have the weight
 * 0; above MAX_SIGMA, all would have the same weight. */
#define MIN_SIGMA 0.01
#define MAX_SIGMA 1000.0

#define MEMBER(name) G_STRUCT_OFFSET (MgpuBilateralParams, name)

static const MgpuParam params[] = {
  {"sigma-color", MGPU_PARAM_DOUBLE, MEMBER (sigma_color), MIN_SIGMA,
        MAX_SIGMA, 30.0, NULL,
      "Standard deviation of the range weight (the weight by difference of "
        "values), on the 8-bit scale for any bit depth; a larger value also "
        "smooths stronger edges"},
  {"sigma-space", MGPU_PARAM_DOUBLE, MEMBER (sigma_space), MIN_SIGMA,
        MAX_SIGMA, 3.0, NULL,
      "Standard deviation of the spatial weight (the weight by distance), in "
      "pixels"},
  {"radius", MGPU_PARAM_INT, MEMBER (radius), 0, MGPU_BILATERAL_MAX_RADIUS, 0,
      NULL, "With method=exact: radius, in pixels, of the disc of samples that "
        "are averaged (0 = 1.5 sigma-space)"},
  {"planes", MGPU_PARAM_ENUM, MEMBER (all_planes), 0, 0, FALSE, &planes_enum,
      "Which planes of a YUV frame are filtered"},
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_BILATERAL_EXACT,
      &method_enum, "Method by which the bilateral filter is computed"},
  {"levels", MGPU_PARAM_INT, MEMBER (levels), 4, 256, 16, NULL,
      "With method=constant-time: number of gray levels for which means are "
      "computed"},
  {NULL}
};

const MgpuAlgorithm mgpu_bilateral = {
  .size = sizeof (MgpuBilateral),
  .params_size = sizeof (MgpuBilateralParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .reach = reach
};

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/kernels.h>
#include <gst/vision/base/map.h>

/* As in kernels/base/math.h */
#define EXP2_BIAS 488.5
#define ROUND_BIAS 12582912.0

/* As in kernels/bilateral/bilateral.cl */
#define TILE_X 32
#define TILE_Y 8
#define TALL_TILE_Y 16          /* with one component, where a group can be so large */
#define TILE_LANES 4

/* What one work-group takes of local memory: more would leave processors with
 * too few of them. */
#define MAX_TILE_BYTES (32 * 1024)
#define MAX_TABLE_BYTES (32 * 1024)

/* Of bilateral_expand and bilateral_filter on a CPU: PoCL calls the kernel
 * once for a work-group. */
#define CPU_GROUP_X 32

typedef enum
{
  METHOD_PLANES,
  METHOD_TILE,
  METHOD_TILE_TABLE
} Method;

/* Components that are filtered alike, and what is computed for them once. */
typedef struct
{
  gdouble sigma_color, sigma_space;
  gint radius;

  Method method;
  gfloat scale, inverse;        /* of the values, and 1 / scale */
  gint plane_stride, plane_size;        /* METHOD_PLANES, in floats */
  gint n_taps;                  /* METHOD_PLANES */
  gint steps;                   /* METHOD_TILE*: see bilateral_tile */
  gint n_weights;               /* METHOD_TILE_TABLE */
  GstMemory *shape;             /* the taps or the shape */
  GstMemory *weights;           /* METHOD_TILE_TABLE */
} Plan;

struct _MgpuBilateral
{
  GstMgpuContext *context;
  GstVideoInfo info, guide_info;
  gboolean guided;
  gboolean rgb;
  gint bytes;                   /* of a sample */
  gint range_max;               /* of what decides on the weights */
  gint chroma_shift;            /* horizontal subsampling, as a shift */
  gint lanes, tile_y;
  gboolean tiles;

  gboolean built;               /* these kernels */
  cl_kernel expand, filter;
  cl_kernel expand_guide;       /* with a guide */
  cl_kernel tile, tile_table, weights;  /* with tiles */

  Plan luma, chroma;            /* luma: RGB too */
  GstMemory *planes;

  MgpuBilateralGrid *grid;      /* the other methods, once one was asked for */
};

static gboolean
create_kernels (MgpuBilateral * self, GError ** error)
{
  GstMgpuProgram *program;
  gchar *options = g_strdup_printf ("-DLANES=%d -DBYTES=%d -DCHANNELS=%d "
      "-DTILE_Y=%d -DGUIDED=%d -DGUIDE_BYTES=%d -DGUIDE_CHANNELS=%d",
      self->lanes, self->bytes, self->rgb ? 3 : 1, self->tile_y, self->guided,
      self->guided && GST_VIDEO_INFO_COMP_DEPTH (&self->guide_info, 0) > 8
      ? 2 : 1, self->guided && GST_VIDEO_INFO_IS_RGB (&self->guide_info)
      ? 3 : 1);
  const struct
  {
    const gchar *name;
    cl_kernel *kernel;
    gboolean wanted;
  } kernels[] = {
    {"bilateral_expand", &self->expand, TRUE},
    {"bilateral_expand_guide", &self->expand_guide, self->guided},
    {"bilateral_filter", &self->filter, TRUE},
    {"bilateral_tile", &self->tile, self->tiles},
    {"bilateral_tile_table", &self->tile_table, self->tiles},
    {"bilateral_weights", &self->weights, self->tiles},
  };
  gboolean ok;

  program = mgpu_kernels_build (self->context, "bilateral/bilateral", options, error);
  g_free (options);
  ok = program != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (kernels) && ok; i++) {
    if (!kernels[i].wanted || *kernels[i].kernel != NULL)
      continue;
    *kernels[i].kernel =
        gst_mgpu_program_create_kernel (program, kernels[i].name, error);
    ok = *kernels[i].kernel != NULL;
  }
  g_clear_object (&program);
  return ok;
}

/* FALSE after an error. */
static gboolean
ensure_kernels (MgpuBilateral * self, MgpuBilateralMethod method,
    GError ** error)
{
  if (method == MGPU_BILATERAL_EXACT)
    return self->built || (self->built = create_kernels (self, error));
  if (self->grid == NULL)
    self->grid = mgpu_bilateral_grid_new (self->context, &self->info,
        self->guided ? &self->guide_info : NULL, error);
  return self->grid != NULL;
}

MgpuBilateral *
mgpu_bilateral_new (GstMgpuContext * context, const GstVideoInfo * info,
    const GstVideoInfo * guide, MgpuBilateralMethod method, GError ** error)
{
  MgpuBilateral *self = g_new0 (MgpuBilateral, 1);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);

  self->context = gst_object_ref (context);
  self->info = *info;
  self->guided = guide != NULL;
  if (guide != NULL)
    self->guide_info = *guide;
  self->rgb = GST_VIDEO_INFO_IS_RGB (info);
  self->bytes = depth > 8 ? 2 : 1;
  if (guide != NULL)
    depth = GST_VIDEO_INFO_COMP_DEPTH (guide, 0);
  self->range_max = (1 << depth) - 1;
  if (GST_VIDEO_INFO_IS_YUV (info))
    self->chroma_shift = info->finfo->w_sub[1];

  self->lanes = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU ? 16 : 4;
  self->tiles = guide == NULL
      && traits->device_class == GST_MGPU_DEVICE_CLASS_DISCRETE
      && traits->max_work_group_size >= TILE_X * TILE_Y;
  self->tile_y = !self->rgb
      && traits->max_work_group_size >= TILE_X * TALL_TILE_Y
      ? TALL_TILE_Y : TILE_Y;

  if (!ensure_kernels (self, method, error))
    g_clear_pointer (&self, mgpu_bilateral_free);
  return self;
}

static gdouble
limit_sigma (gdouble sigma)
{
  return CLAMP (sigma, 1e-3, 1e6);
}

/* sqrt (log2 (e) / 2) / sigma: the square of a difference of scaled values is
 * what it takes from log2 of the weight. With 8 bit samples the scale has so
 * few digits that its products with all differences, up to 255 or 765, are
 * exact: then the weight is a function of the difference, fit for a table. */
static gfloat
color_scale (MgpuBilateral * self, gdouble sigma)
{
  gint digits = self->range_max > 255 ? 24 : self->rgb ? 14 : 16;
  gdouble scale, fraction;
  gint exponent;

  scale = sqrt (M_LOG2E / 2) / (limit_sigma (sigma) * self->range_max / 255);
  fraction = frexp (scale, &exponent);
  return ldexp (rint (ldexp (fraction, digits)), exponent - digits);
}

/* Half the height of the disc at distance dx from its middle column. */
static gint
half_height (gint radius, gint dx)
{
  gint h = 0;

  while (dx * dx + (h + 1) * (h + 1) <= radius * radius)
    h++;
  return h;
}

void
mgpu_bilateral_append_int (GArray * words, gint32 value)
{
  g_array_append_val (words, value);
}

void
mgpu_bilateral_append_float (GArray * words, gfloat value)
{
  gint32 bits;

  memcpy (&bits, &value, sizeof (bits));
  g_array_append_val (words, bits);
}

/* log2 of the spatial weight, biased. square: of the distance */
static gfloat
spatial_weight (gdouble sigma, gint square)
{
  sigma = limit_sigma (sigma);
  return EXP2_BIAS - square * M_LOG2E / (2 * sigma * sigma);
}

GstMemory *
mgpu_bilateral_allocate (GstMgpuJob * job, gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);

  if (memory == NULL)
    gst_mgpu_job_fail (job, error);
  return memory;
}

GstMemory *
mgpu_bilateral_upload (GstMgpuJob * job, const GArray * words)
{
  return mgpu_upload (job, words->data, words->len * sizeof (gint32));
}

static gsize
tile_bytes (MgpuBilateral * self, gint radius)
{
  return sizeof (gfloat) * (self->rgb ? 3 : 1) * (TILE_X + 2 * radius)
      * (self->tile_y * TILE_LANES + 2 * radius);
}

/* The table has a row for each distance in the disc, and in it the differences
 * of two values without sign, or the distances of two colours. */
static gint
table_row (MgpuBilateral * self)
{
  return self->rgb ? 768 : 256;
}

/* Sets the index of the row for each square of a distance, -1 for those that
 * no tap has. Returns the number of rows. */
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

static Method
choose_method (MgpuBilateral * self, const Plan * plan)
{
  gsize local = gst_mgpu_context_get_traits (self->context)->local_memory_size;
  gsize tile = tile_bytes (self, plan->radius);
  gsize table = plan->n_weights * sizeof (gfloat);

  if (!self->tiles || tile > MIN (local, MAX_TILE_BYTES))
    return METHOD_PLANES;
  if (self->bytes > 1 || table > MAX_TABLE_BYTES || tile + table > local)
    return METHOD_TILE;
  return METHOD_TILE_TABLE;
}

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

static void
plan_planes (MgpuBilateral * self, Plan * plan, GArray * words,
    const MgpuBilateralPass * pass)
{
  gint lanes = self->lanes, r = plan->radius;

  /* The last vector of a row may begin at the last pixel. */
  plan->plane_stride = round_up (round_up (pass->width, lanes) + 2 * r, lanes);
  plan->plane_size = plan->plane_stride * (pass->height + 2 * r);

  for (gint dx = -r; dx <= r; dx++) {
    gint h = half_height (r, ABS (dx));

    for (gint dy = -h; dy <= h; dy++) {
      mgpu_bilateral_append_int (words, dy * plan->plane_stride + dx);
      mgpu_bilateral_append_float (words, spatial_weight (plan->sigma_space,
              dx * dx + dy * dy));
    }
  }
  plan->n_taps = words->len / 2;
}

/* Returns the position in words of the spatial weights of the groups. */
static gint
plan_tile (MgpuBilateral * self, Plan * plan, GArray * words,
    const gint16 * group)
{
  gint squares = plan->radius * plan->radius + 1;
  gint row = table_row (self), groups;

  for (gint dx = 0; dx <= plan->radius; dx++)
    mgpu_bilateral_append_int (words, half_height (plan->radius, dx));

  plan->steps = words->len;
  for (gint i = 0; i < squares; i++)
    mgpu_bilateral_append_float (words, plan->method == METHOD_TILE
        ? spatial_weight (plan->sigma_space, i)
        : ROUND_BIAS + group[i] * row * (gint) sizeof (gfloat));

  groups = words->len;
  for (gint i = 0; i < squares; i++)
    if (plan->method == METHOD_TILE_TABLE && group[i] >= 0)
      mgpu_bilateral_append_float (words, spatial_weight (plan->sigma_space, i));
  return groups;
}

/* groups: see plan_tile() */
static void
fill_table (MgpuBilateral * self, GstMgpuJob * job, Plan * plan, gint groups)
{
  gint row = table_row (self);
  gsize global[2] = { row / self->lanes, plan->n_weights / row };

  plan->weights =
      mgpu_bilateral_allocate (job, plan->n_weights * sizeof (gfloat));
  if (plan->weights == NULL)
    return;
  gst_mgpu_job_set_args (job, self->weights, "mifmi",
      gst_mgpu_job_write (job, (GstMgpuMemory *) plan->weights), row,
      (gdouble) plan->scale,
      gst_mgpu_job_read (job, (GstMgpuMemory *) plan->shape), groups);
  gst_mgpu_job_launch (job, self->weights, 2, global, NULL);
}

static void
plan_clear (Plan * plan)
{
  g_clear_pointer (&plan->shape, gst_memory_unref);
  g_clear_pointer (&plan->weights, gst_memory_unref);
}

/* Makes plan fit the sigmas and the radius. */
static void
plan_update (MgpuBilateral * self, GstMgpuJob * job, Plan * plan,
    gdouble sigma_color, gdouble sigma_space, gint radius,
    const MgpuBilateralPass * pass)
{
  gint16 group[MGPU_BILATERAL_MAX_RADIUS * MGPU_BILATERAL_MAX_RADIUS + 1];
  GArray *words;
  gint groups = 0;

  if (plan->shape != NULL && plan->sigma_color == sigma_color
      && plan->sigma_space == sigma_space && plan->radius == radius)
    return;

  plan_clear (plan);
  plan->sigma_color = sigma_color;
  plan->sigma_space = sigma_space;
  plan->radius = radius;
  plan->scale = color_scale (self, sigma_color);
  plan->inverse = 1.0 / plan->scale;
  plan->n_weights = table_row (self) * find_groups (radius, group);
  plan->method = choose_method (self, plan);

  words = g_array_new (FALSE, FALSE, sizeof (gint32));
  if (plan->method == METHOD_PLANES)
    plan_planes (self, plan, words, pass);
  else
    groups = plan_tile (self, plan, words, group);
  plan->shape = mgpu_bilateral_upload (job, words);
  if (plan->shape != NULL && plan->method == METHOD_TILE_TABLE)
    fill_table (self, job, plan, groups);
  if (plan->method == METHOD_TILE_TABLE && plan->weights == NULL)
    plan_clear (plan);
  g_array_unref (words);
}

/* n: components. base: where their plane begins */
static void
pixel_init (MgpuBilateralPixel * pixel, const MgpuImage * image,
    guint component, gint n, gint * base, gint * stride)
{
  guint plane = GST_VIDEO_INFO_COMP_PLANE (&image->info, component);

  *base = GST_VIDEO_INFO_PLANE_OFFSET (&image->info, plane);
  for (gint i = 0; i < n; i++) {
    MgpuComponent c;

    mgpu_image_get_component (image, component + i, &c);
    pixel->position[i] = c.offset - *base;
    pixel->pixel_stride = c.pixel_stride;
    pixel->shift = c.shift;
    *stride = c.stride;
  }
}

static void
pass_init (MgpuBilateralPass * pass, const MgpuImage * in,
    const MgpuImage * guide, const MgpuImage * out, guint component,
    gint n_components)
{
  MgpuComponent c;

  *pass = (MgpuBilateralPass) { .chroma = component > 0 };
  pixel_init (&pass->pixel, out, component, n_components, &pass->out_base,
      &pass->out_stride);
  pixel_init (&pass->pixel, in, component, n_components, &pass->in_base,
      &pass->in_stride);

  mgpu_image_get_component (in, component, &c);
  pass->width = c.width;
  pass->height = c.height;
  /* The first pass takes along what shares its plane: alpha, padding, the
   * chroma of YUY2, which has it for an even number of pixels. */
  if (component == 0 && c.pixel_stride > n_components * c.bytes)
    pass->copied = n_components == 1 ? GST_ROUND_UP_2 (c.width) : c.width;

  if (guide != NULL) {
    pass->guide.x_shift = in->info.finfo->w_sub[component];
    pass->guide.y_shift = in->info.finfo->h_sub[component];
    component = 0;
    n_components = GST_VIDEO_INFO_IS_RGB (&guide->info) ? 3 : 1;
  } else {
    guide = in;
  }
  pass->guide.memory = guide->memory;
  pixel_init (&pass->guide.pixel, guide, component, n_components,
      &pass->guide.base, &pass->guide.stride);
}

static void
enqueue_planes (MgpuBilateral * self, GstMgpuJob * job, const Plan * plan,
    const MgpuBilateralPass * pass, const MgpuImage * in, const MgpuImage * out)
{
  gsize size = sizeof (gfloat) * plan->plane_size
      * ((self->rgb ? 3 : 1) + (self->guided ? 1 : 0));
  gint columns = MAX (pass->width, pass->copied), group = 1;
  gsize global[2], local[2] = { CPU_GROUP_X, 1 };
  gboolean cpu = self->lanes != TILE_LANES;

  if (self->planes == NULL || self->planes->size < size) {
    g_clear_pointer (&self->planes, gst_memory_unref);
    self->planes = mgpu_bilateral_allocate (job, size);
    if (self->planes == NULL)
      return;
  }

  if (cpu)
    group = CPU_GROUP_X;
  global[0] = round_up (plan->plane_stride / self->lanes, group);
  global[1] = pass->height + 2 * plan->radius;
  gst_mgpu_job_set_args (job, self->expand, "miimiiifii" MGPU_BILATERAL_PIXEL,
      gst_mgpu_job_read (job, in->memory), pass->in_base, pass->in_stride,
      gst_mgpu_job_write (job, (GstMgpuMemory *) self->planes),
      plan->plane_stride, plan->plane_size, plan->radius,
      self->guided ? 1.0 : plan->scale, pass->width, pass->height,
      MGPU_BILATERAL_PIXEL_OF (&pass->pixel));
  gst_mgpu_job_launch (job, self->expand, 2, global, cpu ? local : NULL);
  if (self->guided) {
    gst_mgpu_job_set_args (job, self->expand_guide, MGPU_BILATERAL_GUIDE
        "miiifii", MGPU_BILATERAL_GUIDE_OF (job, pass),
        gst_mgpu_job_write (job, (GstMgpuMemory *) self->planes),
        plan->plane_stride, plan->plane_size, plan->radius,
        (gdouble) plan->scale, pass->width, pass->height);
    gst_mgpu_job_launch (job, self->expand_guide, 2, global,
        cpu ? local : NULL);
  }

  global[0] = round_up ((columns + self->lanes - 1) / self->lanes, group);
  global[1] = pass->height;
  gst_mgpu_job_set_args (job, self->filter, "miiimifmiimiiii" MGPU_BILATERAL_PIXEL,
      gst_mgpu_job_read (job, (GstMgpuMemory *) self->planes),
      plan->plane_stride, plan->plane_size, plan->radius,
      gst_mgpu_job_read (job, (GstMgpuMemory *) plan->shape), plan->n_taps,
      self->guided ? 1.0 : plan->inverse,
      gst_mgpu_job_read (job, in->memory), pass->in_base, pass->in_stride,
      gst_mgpu_job_write (job, out->memory), pass->out_base, pass->out_stride,
      pass->width, pass->copied, MGPU_BILATERAL_PIXEL_OF (&pass->pixel));
  gst_mgpu_job_launch (job, self->filter, 2, global, cpu ? local : NULL);
}

static void
enqueue_tile (MgpuBilateral * self, GstMgpuJob * job, const Plan * plan,
    const MgpuBilateralPass * pass, const MgpuImage * in, const MgpuImage * out)
{
  const gsize local[2] = { TILE_X, self->tile_y };
  gsize global[2] = {
    round_up (MAX (pass->width, pass->copied), TILE_X),
    round_up ((pass->height + TILE_LANES - 1) / TILE_LANES, self->tile_y)
  };
  cl_mem in_mem = gst_mgpu_job_read (job, in->memory);
  cl_mem out_mem = gst_mgpu_job_write (job, out->memory);
  cl_mem shape = gst_mgpu_job_read (job, (GstMgpuMemory *) plan->shape);

  if (plan->method == METHOD_TILE) {
    gst_mgpu_job_set_args (job, self->tile, "miimiimiiffliii" MGPU_BILATERAL_PIXEL,
        in_mem, pass->in_base, pass->in_stride,
        out_mem, pass->out_base, pass->out_stride,
        shape, plan->radius, plan->steps,
        (gdouble) plan->scale, (gdouble) plan->inverse,
        tile_bytes (self, plan->radius), pass->width, pass->height,
        pass->copied, MGPU_BILATERAL_PIXEL_OF (&pass->pixel));
    gst_mgpu_job_launch (job, self->tile, 2, global, local);
  } else {
    gst_mgpu_job_set_args (job, self->tile_table, "miimiimiifflmiliii" MGPU_BILATERAL_PIXEL,
        in_mem, pass->in_base, pass->in_stride,
        out_mem, pass->out_base, pass->out_stride,
        shape, plan->radius, plan->steps,
        (gdouble) plan->scale, (gdouble) plan->inverse,
        tile_bytes (self, plan->radius),
        gst_mgpu_job_read (job, (GstMgpuMemory *) plan->weights),
        plan->n_weights, plan->n_weights * sizeof (gfloat),
        pass->width, pass->height, pass->copied, MGPU_BILATERAL_PIXEL_OF (&pass->pixel));
    gst_mgpu_job_launch (job, self->tile_table, 2, global, local);
  }
}

static void
enqueue_exact (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralParams * params, gint shift,
    const MgpuBilateralPass * pass, const MgpuImage * in,
    const MgpuImage * out)
{
  gdouble sigma_space = params->sigma_space / (1 << shift);
  Plan *plan = shift > 0 ? &self->chroma : &self->luma;
  gint radius;

  if (params->radius > 0)
    radius = params->radius >> shift;
  else
    radius = rint (MIN (1.5 * sigma_space, MGPU_BILATERAL_MAX_RADIUS));
  radius = CLAMP (radius, 1, MGPU_BILATERAL_MAX_RADIUS);

  plan_update (self, job, plan, params->sigma_color, sigma_space, radius, pass);
  if (plan->shape == NULL)
    return;
  if (plan->method == METHOD_PLANES)
    enqueue_planes (self, job, plan, pass, in, out);
  else
    enqueue_tile (self, job, plan, pass, in, out);
}

/* Filters n_components components from component on as one. */
static void
enqueue_pass (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralParams * params, const MgpuImage * in,
    const MgpuImage * guide, const MgpuImage * out, guint component,
    gint n_components)
{
  gint shift = component > 0 ? self->chroma_shift : 0;
  MgpuBilateralPass pass;

  pass_init (&pass, in, guide, out, component, n_components);
  if (params->method == MGPU_BILATERAL_EXACT)
    enqueue_exact (self, job, params, shift, &pass, in, out);
  else
    mgpu_bilateral_grid_enqueue (self->grid, job, params,
        params->sigma_space / (1 << shift), &pass, in, out);
}

void
mgpu_bilateral_enqueue (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralParams * params, const MgpuImage * in,
    const MgpuImage * guide, const MgpuImage * out)
{
  gboolean chroma = GST_VIDEO_INFO_IS_YUV (&in->info);
  GError *error = NULL;

  if (!ensure_kernels (self, params->method, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  enqueue_pass (self, job, params, in, guide, out, 0, self->rgb ? 3 : 1);
  if (chroma && params->all_planes) {
    enqueue_pass (self, job, params, in, guide, out, 1, 1);
    enqueue_pass (self, job, params, in, guide, out, 2, 1);
  } else if (chroma) {
    mgpu_image_copy_planes (job, in, out, ~1u);
  }
}

static void
release_kernel (cl_kernel kernel)
{
  if (kernel != NULL)
    clReleaseKernel (kernel);
}

void
mgpu_bilateral_free (MgpuBilateral * self)
{
  release_kernel (self->expand);
  release_kernel (self->expand_guide);
  release_kernel (self->filter);
  release_kernel (self->tile);
  release_kernel (self->tile_table);
  release_kernel (self->weights);
  plan_clear (&self->luma);
  plan_clear (&self->chroma);
  g_clear_pointer (&self->planes, gst_memory_unref);
  mgpu_bilateral_grid_free (self->grid);
  gst_object_unref (self->context);
  g_free (self);
}

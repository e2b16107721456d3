/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sharpens frames by an unsharp mask, and computes the Gaussian for other algorithms. */
#include "sharpen.h"

#include <math.h>
#include <string.h>

#include <gst/vision/colour/alpha.h>
#include <gst/vision/colour/colour.h>
#include <kernels/sharpen/sharpen-shared.h>

/* Maximum of the parameter @sigma, the standard deviation of the Gaussian, in pixels */
#define MAX_SIGMA 256.0

/* Largest number of times that the frame is scaled to half its width and height before the
 * Gaussian */
#define MAX_LEVEL 7

/* Number of samples outside each edge of a scaled frame that the kernel gaussian_double reads */
#define MARGIN 2

/* Describes a plane of 16-bit samples that contains a level: the frame, scaled to half its width
 * and height zero or more times. The plane has @width x @height samples, and @margin additional
 * samples on each side. @stride is the number of samples from one row to the next. */
typedef struct
{
  gint width, height, margin;
  gint stride;
} Level;

/* Directions of a convolution with a Gaussian */
enum
{
  ALONG_COLUMNS,
  ALONG_ROWS
};

/* Steps of the computation of a Gaussian blur. The frame is scaled to half its width and height
 * @n_levels times, convolved with a small Gaussian, and scaled to twice its width and height
 * @n_levels times.
 * @levels: element i is the frame after i halvings
 * @radius: radius of the small Gaussian, in samples
 * @weights: weights of the small Gaussian, from the center outwards, for each direction
 *   (ALONG_COLUMNS, ALONG_ROWS) */
typedef struct
{
  gint n_levels;
  Level levels[MAX_LEVEL + 1];  /* element i: the frame after i halvings of its size */
  gint radius;
  guint weights[2][MAX_RADIUS + 1];
} Plan;

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  LANES,
  ROWS,
  TILE,
  GROUP_X,
  GROUP_Y,
  ALL_IN_ONE
};

static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "4 8 16", "number of samples in a vector"},
  {"ROWS", {8, 2, 2}, "2 4 8 16", "number of rows that a work-item computes"},
  {"TILE", {256, 256, 256}, "64 128 256 512",
      "width of a tile of sharpen_direct, in pixels"},
  {"GROUP_X", {16, 32, 32}, "8 16 32 64",
      "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4 8", "height of a work-group, in work-items"},
  {"ALL_IN_ONE", {1, 0, 0}, "0 1",
      "whether one kernel does all steps of a small Gaussian (used only if "
      "LANES is 16)"},
  {NULL}
};

/* Indices into the array @kernels, which lists the OpenCL kernels of sharpening */
enum
{
  WEIGH_COLUMNS,
  WEIGH_ROWS,
  HALVE_FRAME,
  HALVE,
  CONVOLVE,
  DOUBLE,
  DOUBLE_FRAME,
  DIRECT
};

/* Numbers of the sets of kernels. The kernels of a set are compiled together. DIRECT_SET is
 * compiled only if the tuning parameter ALL_IN_ONE is 1. The kernels of PLANE_SET do not depend
 * on the format of frames; all other kernels do. */
enum
{
  FRAME_SET,
  DIRECT_SET,
  PLANE_SET
};

static const MgpuKernel kernels[] = {
  [WEIGH_COLUMNS] = {"sharpen/sharpen", "sharpen_columns", FRAME_SET},
  [WEIGH_ROWS] = {"sharpen/sharpen", "sharpen_rows", FRAME_SET},
  [HALVE_FRAME] = {"sharpen/sharpen", "sharpen_halve_frame", FRAME_SET},
  [HALVE] = {"sharpen/gaussian", "gaussian_halve", PLANE_SET},
  [CONVOLVE] = {"sharpen/gaussian", "gaussian_convolve", PLANE_SET},
  [DOUBLE] = {"sharpen/gaussian", "gaussian_double", PLANE_SET},
  [DOUBLE_FRAME] = {"sharpen/sharpen", "sharpen_double", FRAME_SET},
  [DIRECT] = {"sharpen/direct", "sharpen_direct", DIRECT_SET},
  {NULL}
};

/* Indices of the slots: two scratch buffers in device memory with planes of 16-bit samples. Each
 * kernel reads one of them and writes the other. */
enum
{
  PLANES,
  N_SLOTS = PLANES + 2
};

typedef struct
{
  MgpuObject object;
  MgpuColourLuma *colour;       /* object that computes and replaces the luma of RGB frames;
                                 * NULL for other formats, and for mgpu_gaussian */
  MgpuColourAlpha *alpha;       /* object that weights luma by alpha, for frames with alpha; NULL
                                 * for other formats, and for mgpu_gaussian */
  gpointer gaussian;            /* object of mgpu_gaussian that blurs weighted luma and alpha;
                                 * NULL if @alpha is NULL */
  guint component;              /* index of a color component. Kernels are compiled for its
                                 * memory layout, and process only components with this layout */
  gsize group[2];               /* size of a work-group */
} Sharpen;

#define WEIGHTS "iuuuuuuuuuu"
#define WEIGHTS_OF(plan, direction) \
    (plan)->radius, (plan)->weights[direction][0], \
    (plan)->weights[direction][1], (plan)->weights[direction][2], \
    (plan)->weights[direction][3], (plan)->weights[direction][4], \
    (plan)->weights[direction][5], (plan)->weights[direction][6], \
    (plan)->weights[direction][7], (plan)->weights[direction][8], \
    (plan)->weights[direction][9]

#define FRAME MGPU_PLANE "ii"
#define FRAME_OF(job, image, c) \
    MGPU_READ (job, image, *(c)), (c)->width, (c)->height

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

/* Builds the sets of kernels PLANE_SET and, if needed, DIRECT_SET. Set 0 was built by
 * mgpu_object_new(). */
static gboolean
build (Sharpen * self, GError ** error)
{
  gint *knobs = self->object.knobs;

  /* Sets the tuning parameter ALL_IN_ONE to 0 if vectors do not have 16 samples, because the
   * kernel of DIRECT_SET supports only vectors of 16 samples. */
  if (knobs[LANES] != 16)
    knobs[ALL_IN_ONE] = 0;
  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y],
      self->group);
  return mgpu_object_build (self, PLANE_SET, error)
      && (!knobs[ALL_IN_ONE] || mgpu_object_build (self, DIRECT_SET, error));
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Sharpen *self = object;
  const GstVideoInfo *in = &self->object.in;

  if (GST_VIDEO_INFO_IS_RGB (in)) {
    self->colour = mgpu_colour_luma_new (self->object.context, in, error);
    if (self->colour == NULL)
      return FALSE;
  }
  if (mgpu_colour_has_alpha (in)) {
    guint component = 0;
    GstVideoInfo plane;

    mgpu_colour_alpha_info (in, &plane);
    self->alpha = mgpu_colour_alpha_new (self->object.context, in, 1, error);
    if (self->alpha == NULL)
      return FALSE;
    self->gaussian = mgpu_object_new (&mgpu_gaussian, self->object.context,
        &plane, NULL, NULL, &component, error);
    if (self->gaussian == NULL)
      return FALSE;
  }
  return build (self, error);
}

static gboolean
init_gaussian (gpointer object, gconstpointer params, GError ** error)
{
  Sharpen *self = object;

  self->component = *(const guint *) params;
  return build (self, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  Sharpen *self = object;
  /* Format of the images that the kernels sharpen: the format of the luma images for RGB frames,
   * otherwise the format of the frames */
  const GstVideoInfo *info = self->colour != NULL
      ? &self->colour->object.out : &self->object.in;
  MgpuComponent c = mgpu_get_component (info, self->component);

  if (set == PLANE_SET)
    return;
  mgpu_define_samples (options, &c);
  g_string_append_printf (options, " -DDEPTH=%d -DLO=%d -DHI=%d",
      (gint) GST_VIDEO_INFO_COMP_DEPTH (info, 0), c.lo, c.hi);
}

/* Computes the weights of one half of a Gaussian with the variance @variance, from the center
 * outwards. Returns: the radius in samples, that is, the number of weights without the center
 * weight */
static gint
plan_weights (guint weights[MAX_RADIUS + 1], gdouble variance)
{
  gdouble g[MAX_RADIUS + 1], sum = 1.0;
  gint radius = MIN (ceil (3.0 * sqrt (variance)), MAX_RADIUS);

  for (gint i = 1; i <= radius; i++) {
    g[i] = exp (-i * i / (2.0 * variance));
    sum += 2.0 * g[i];
  }

  /* Sets the center weight to 65536 minus all other weights. The rounded weights then add up to
   * 65536, and frames of a single color do not change. */
  weights[0] = 65536;
  for (gint i = 1; i <= radius; i++) {
    weights[i] = floor (65536.0 * g[i] / sum + 0.5);
    weights[0] -= 2 * weights[i];
  }
  return radius;
}

/* Plans the computation of a Gaussian for images of @width x @height samples.
 * @sigma_x: standard deviation along rows, in samples
 * @sigma_y: standard deviation along columns, in samples; either @sigma_x or 2 * @sigma_x
 * @lanes: number of samples of a vector */
static void
plan_init (Plan * plan, gdouble sigma_x, gdouble sigma_y, gint width,
    gint height, gint lanes)
{
  const gdouble sigmas[2] = {[ALONG_COLUMNS] = sigma_y,[ALONG_ROWS] = sigma_x };
  gdouble scale = 1.0;
  gint margin;

  memset (plan, 0, sizeof (*plan));
  while (plan->n_levels < MAX_LEVEL && sigma_y >= 3.0 * scale) {
    plan->n_levels++;
    scale *= 2.0;
  }
  /* Computes the variance of the small Gaussian: the variance of the blur minus the variance of
   * the scaling steps. All halvings together have a variance of (@scale^2 - 1) / 4, and all
   * doublings have the same variance. */
  for (guint i = 0; i < 2; i++) {
    gint radius = plan_weights (plan->weights[i], (sigmas[i] * sigmas[i]
            - (scale * scale - 1.0) / 2.0) / (scale * scale));

    plan->radius = MAX (plan->radius, radius);
  }

  for (gint i = 0; i <= plan->n_levels; i++) {
    plan->levels[i].width = width;
    plan->levels[i].height = height;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  margin = plan->radius + (plan->n_levels > 0 ? MARGIN : 0);
  for (gint i = plan->n_levels; i >= 0; i--) {
    Level *level = &plan->levels[i];

    level->margin = margin;
    level->stride = round_up (level->width + 2 * margin, 2 * lanes);
    margin = 2 * margin + 2;
  }
}

gint
mgpu_gaussian_get_reach (gdouble sigma_x, gdouble sigma_y, gint * step)
{
  Plan plan;

  plan_init (&plan, sigma_x, sigma_y, 1, 1, 1);
  *step = 1 << plan.n_levels;
  return plan.levels[0].margin;
}

/* Allocates the two scratch buffers with planes of 16-bit samples, if they are too small. New
 * buffers are filled with zeros, because the last vectors of a plane also read the words after
 * its samples. */
static gboolean
ensure_planes (Sharpen * self, GstMgpuJob * job, const Plan * plan)
{
  const Level *largest = &plan->levels[MIN (plan->n_levels, 1)];
  gsize rows = largest->height + 2 * largest->margin + 1;
  gsize size = sizeof (guint16) * (largest->stride * rows
      + 4 * self->object.knobs[LANES]);

  return mgpu_slot_ensure_zeros (self, PLANES, job, size)
      && mgpu_slot_ensure_zeros (self, PLANES + 1, job, size);
}

static cl_mem
read_plane (Sharpen * self, GstMgpuJob * job, gint plane)
{
  return mgpu_slot_read (self, PLANES + plane, job);
}

static cl_mem
write_plane (Sharpen * self, GstMgpuJob * job, gint plane)
{
  return mgpu_slot_write (self, PLANES + plane, job, 0);
}

/* Enqueues the kernels that scale the frame @in to half its width and height plan->n_levels
 * times. Returns: the index, 0 or 1, of the scratch buffer that contains the smallest level */
static gint
enqueue_halvings (Sharpen * self, GstMgpuJob * job, const Plan * plan,
    const MgpuImage * in, const MgpuComponent * c)
{
  const gint *knobs = self->object.knobs;
  gint plane = 0;

  for (gint i = 1; i <= plan->n_levels; i++) {
    const Level *level = &plan->levels[i];
    gint height = level->height + 2 * level->margin;
    cl_kernel kernel = self->object.kernels[i == 1 ? HALVE_FRAME : HALVE];

    if (i == 1) {
      gst_mgpu_job_set_args (job, kernel, FRAME "miii",
          FRAME_OF (job, in, c), write_plane (self, job, plane),
          level->stride, height, level->margin);
    } else {
      gst_mgpu_job_set_args (job, kernel, "mimii",
          read_plane (self, job, plane), level[-1].stride,
          write_plane (self, job, !plane), level->stride, height);
      plane = !plane;
    }
    mgpu_launch (job, kernel, level->stride, height, knobs[LANES], knobs[ROWS],
        self->group);
  }
  return plane;
}

/* Enqueues the kernels that convolve the smallest level with the small Gaussian, first along
 * columns, then along rows. @plane is the index of the scratch buffer that contains the level,
 * both before and afterwards. */
static void
enqueue_convolution (Sharpen * self, GstMgpuJob * job, Plan * plan, gint plane)
{
  Level *level = &plan->levels[plan->n_levels];
  cl_kernel kernel = self->object.kernels[CONVOLVE];
  gint lanes = self->object.knobs[LANES];
  gint height = level->height + 2 * MARGIN, in_stride = level->stride;

  gst_mgpu_job_set_args (job, kernel, "miimii" WEIGHTS,
      read_plane (self, job, plane), in_stride, in_stride,
      write_plane (self, job, !plane), in_stride, height,
      WEIGHTS_OF (plan, ALONG_COLUMNS));
  mgpu_launch (job, kernel, in_stride, height, lanes, 1, self->group);

  level->stride = round_up (level->width + 2 * MARGIN, 2 * lanes);
  gst_mgpu_job_set_args (job, kernel, "miimii" WEIGHTS,
      read_plane (self, job, !plane), in_stride, 1,
      write_plane (self, job, plane), level->stride, height,
      WEIGHTS_OF (plan, ALONG_ROWS));
  mgpu_launch (job, kernel, level->stride, height, lanes, 1, self->group);
}

/* Enqueues the kernels that compute level 1 of the blurred frame, that is, the blurred frame at
 * half its width and height. Returns: the index, 0 or 1, of the scratch buffer that contains
 * level 1 */
static gint
enqueue_levels (Sharpen * self, GstMgpuJob * job, Plan * plan,
    const MgpuImage * in, const MgpuComponent * c)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[DOUBLE];
  gint plane = enqueue_halvings (self, job, plan, in, c);

  enqueue_convolution (self, job, plan, plane);
  for (Level * level = &plan->levels[plan->n_levels];
      level > &plan->levels[1]; level--) {
    gint height = level->height + 2;

    level[-1].stride =
        round_up (level[-1].width + 2 * MARGIN, 2 * knobs[LANES]);
    gst_mgpu_job_set_args (job, kernel, "miimi",
        read_plane (self, job, plane), level->stride, height,
        write_plane (self, job, !plane), level[-1].stride);
    mgpu_launch (job, kernel, level[-1].stride, height, 2 * knobs[LANES],
        knobs[ROWS], self->group);
    plane = !plane;
  }
  return plane;
}

/* Parameters of sharpening in the units of the kernels: @amount in units of 2^-AMOUNT_BITS,
 * @threshold in units of 1/256 of an 8-bit step. */
typedef struct
{
  gint amount, threshold;
} Strength;

#define SHARPEN MGPU_PLANE "ii"
#define SHARPEN_OF(job, image, c, strength) \
    MGPU_WRITE (job, image, *(c)), (strength)->amount, (strength)->threshold

/* Enqueues the kernels that sharpen a color component with a small Gaussian, which is computed
 * without scaling the frame. @c and @to are the memory layouts of the component in @in and in
 * @out. */
static void
enqueue_small (Sharpen * self, GstMgpuJob * job, const Plan * plan,
    const Strength * strength, const MgpuImage * in, const MgpuComponent * c,
    const MgpuImage * out, const MgpuComponent * to)
{
  const gint *knobs = self->object.knobs;
  gint stride = plan->levels[0].stride;
  cl_kernel kernel;

  if (knobs[ALL_IN_ONE] && memcmp (plan->weights[ALONG_COLUMNS],
          plan->weights[ALONG_ROWS], sizeof (plan->weights[0])) == 0) {
    kernel = self->object.kernels[DIRECT];
    gst_mgpu_job_set_args (job, kernel, FRAME WEIGHTS SHARPEN,
        FRAME_OF (job, in, c), WEIGHTS_OF (plan, ALONG_ROWS),
        SHARPEN_OF (job, out, to, strength));
    mgpu_launch (job, kernel, c->width, c->height, knobs[TILE], knobs[ROWS],
        self->group);
    return;
  }
  kernel = self->object.kernels[WEIGH_COLUMNS];
  gst_mgpu_job_set_args (job, kernel, FRAME "mi" WEIGHTS,
      FRAME_OF (job, in, c), write_plane (self, job, 0), stride,
      WEIGHTS_OF (plan, ALONG_COLUMNS));
  mgpu_launch (job, kernel, stride, c->height, knobs[LANES], knobs[ROWS],
      self->group);
  kernel = self->object.kernels[WEIGH_ROWS];
  gst_mgpu_job_set_args (job, kernel, "mi" WEIGHTS FRAME SHARPEN,
      read_plane (self, job, 0), stride, WEIGHTS_OF (plan, ALONG_ROWS),
      FRAME_OF (job, in, c), SHARPEN_OF (job, out, to, strength));
  mgpu_launch (job, kernel, c->width, c->height, knobs[LANES], 1, self->group);
}

/* Enqueues the kernels that sharpen the color component with the index @number of the frame @in
 * and write it to the same component of @out. */
static void
enqueue_component (Sharpen * self, GstMgpuJob * job, const Strength * strength,
    gdouble sigma_x, gdouble sigma_y, const MgpuImage * in,
    const MgpuImage * out, guint number)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[DOUBLE_FRAME];
  MgpuComponent c = mgpu_get_component (&in->info, number);
  MgpuComponent to = mgpu_get_component (&out->info, number);
  Plan plan;
  gint plane;

  plan_init (&plan, sigma_x, sigma_y, c.width, c.height, knobs[LANES]);
  if (!ensure_planes (self, job, &plan))
    return;
  if (plan.n_levels == 0) {
    enqueue_small (self, job, &plan, strength, in, &c, out, &to);
    return;
  }
  plane = enqueue_levels (self, job, &plan, in, &c);
  gst_mgpu_job_set_args (job, kernel, "mi" FRAME SHARPEN,
      read_plane (self, job, plane), plan.levels[1].stride,
      FRAME_OF (job, in, &c), SHARPEN_OF (job, out, &to, strength));
  mgpu_launch (job, kernel, c.width, c.height, 2 * knobs[LANES],
      2 * knobs[ROWS], self->group);
}

void
mgpu_gaussian_enqueue (gpointer object, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint component, gdouble sigma_x, gdouble sigma_y)
{
  /* With a negative threshold, the kernel writes the blurred frame instead of a sharpened one. */
  const Strength blur = { -(1 << AMOUNT_BITS), -1 };

  enqueue_component (object, job, &blur, sigma_x, sigma_y, in, out, component);
}

static Strength
get_strength (const MgpuSharpenParams * params, const MgpuImage * in)
{
  MgpuComponent c = mgpu_get_component (&in->info, 0);

  return (Strength) {
    floor (params->amount * (1 << AMOUNT_BITS) + 0.5),
        floor (params->threshold * mgpu_get_steps (&c) * 256 + 0.5)
  };
}

/* Enqueues the kernels that sharpen the first component of the frame @in and write it to the
 * first component of @out. */
static void
enqueue_luma (Sharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  const Strength strength = get_strength (params, in);

  enqueue_component (self, job, &strength, params->sigma, params->sigma, in,
      out, 0);
}

/* Enqueues the kernels that sharpen luma[0], the luma of the frame @in with alpha, and write it
 * to luma[1]. First blurs luma weighted by alpha. Then sharpens with this blurred plane. For
 * this purpose, the second step uses a Gaussian with the single weight 1, which does not change
 * the plane. */
static void
enqueue_weighted_luma (Sharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage luma[2])
{
  MgpuImage before[MGPU_COLOUR_ALPHA_PLANES], after[MGPU_COLOUR_ALPHA_PLANES];
  MgpuComponent c = mgpu_get_component (&luma[0].info, 0);
  MgpuComponent to = mgpu_get_component (&luma[1].info, 0);
  const Strength strength = get_strength (params, &luma[0]);
  cl_kernel kernel = self->object.kernels[WEIGH_ROWS];
  gint lanes = self->object.knobs[LANES];
  MgpuImage blurred;
  Plan plan;

  plan_init (&plan, 0, 0, c.width, c.height, lanes);
  if (!mgpu_colour_alpha_split (self->alpha, job, in, &luma[0], before, after)
      || !ensure_planes (self, job, &plan))
    return;
  for (guint i = 0; i < self->alpha->n_planes; i++)
    mgpu_gaussian_enqueue (self->gaussian, job, &before[i], &after[i], 0,
        params->sigma, params->sigma);
  mgpu_colour_alpha_info (&in->info, &blurred.info);
  blurred.memory = (GstMgpuMemory *) self->object.slots[PLANES];
  blurred.info.stride[0] = plan.levels[0].stride * sizeof (guint16);
  mgpu_colour_alpha_join (self->alpha, job, in, &luma[0], after, &blurred);
  gst_mgpu_job_set_args (job, kernel, "mi" WEIGHTS FRAME SHARPEN,
      read_plane (self, job, 0), plan.levels[0].stride,
      WEIGHTS_OF (&plan, ALONG_ROWS), FRAME_OF (job, &luma[0], &c),
      SHARPEN_OF (job, &luma[1], &to, &strength));
  mgpu_launch (job, kernel, c.width, c.height, lanes, 1, self->group);
}

static void
enqueue_rgb (Sharpen * self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuSharpenParams *params = work->params;
  MgpuImage luma[2];

  if (!mgpu_colour_luma_split (self->colour, job, work->in, luma))
    return;
  /* Ignores alpha if sigma is 0, because the Gaussian then mixes no pixels, so that alpha has no
   * effect. */
  if (self->alpha != NULL && params->sigma > 0)
    enqueue_weighted_luma (self, job, params, work->in, luma);
  else
    enqueue_luma (self, job, params, &luma[0], &luma[1]);
  mgpu_colour_luma_join (self->colour, job, work->in, luma, work->out);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Sharpen *self = object;
  MgpuComponent c = mgpu_get_component (&work->in->info, 0);

  if (self->colour != NULL) {
    enqueue_rgb (self, job, work);
    return;
  }
  /* Copies the planes of the color components that are not sharpened. In packed formats such as
   * YUY2, the luma plane also contains chroma and must be copied as well. */
  mgpu_image_copy_planes (job, work->in, work->out,
      c.pixel_stride > c.bytes ? ~0u : ~1u);
  enqueue_luma (self, job, work->params, work->in, work->out);
}

static gboolean
passes (gconstpointer params)
{
  const MgpuSharpenParams *p = params;

  return p->amount == 0 || p->sigma == 0;
}

static gint
reach (gpointer object, gconstpointer params, gint * step)
{
  gdouble sigma = ((const MgpuSharpenParams *) params)->sigma;
  gint result = mgpu_gaussian_get_reach (sigma, sigma, step);

  *step = MAX (*step, 2);
  return result;
}

static void
clear (gpointer object)
{
  Sharpen *self = object;

  mgpu_object_free (self->gaussian);
  mgpu_object_free (self->alpha);
  mgpu_object_free (self->colour);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuSharpenParams, name)

static const MgpuParam params[] = {
  {"amount", MGPU_PARAM_DOUBLE, MEMBER (amount), -1.0, 16.0, 1.0, NULL,
      "Factor by which the difference from the blurred frame is multiplied "
        "before it is added to the frame (-1 = the blurred frame, 0 = frames "
        "unchanged)"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 0.0, MAX_SIGMA, 1.5, NULL,
      "Standard deviation of the Gaussian, in pixels (0 = frames unchanged)"},
  {"threshold", MGPU_PARAM_DOUBLE, MEMBER (threshold), 0.0, 255.0, 0.0, NULL,
      "Minimum difference from the blurred frame at which samples change, on "
        "the 8-bit scale for any bit depth (0 = all samples change)"},
  {NULL}
};

const MgpuAlgorithm mgpu_sharpen = {
  .size = sizeof (Sharpen),
  .params_size = sizeof (MgpuSharpenParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .passes = passes,
  .reach = reach,
  .clear = clear
};

const MgpuAlgorithm mgpu_gaussian = {
  .size = sizeof (Sharpen),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init_gaussian,
  .define = define
};

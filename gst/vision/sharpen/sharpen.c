/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sharpen.h"

#include <math.h>
#include <string.h>

#include <gst/vision/colour/colour.h>
#include <kernels/sharpen/shared.h>

/* Largest sigma of the Gaussian, in pixels. */
#define MAX_SIGMA 256.0

/* Largest number of times that the size of the frame is halved. */
#define MAX_LEVEL 7

/* Samples of a level beyond each of its edges that the kernel gaussian_double needs. */
#define MARGIN 2

/* Describes a plane of 16 bit samples: a level, which is the frame or the frame after one
 * or more halvings. The plane has width x height samples and margin more on each side;
 * stride is in samples. */
typedef struct
{
  gint width, height, margin;
  gint stride;
} Level;

/* Tells how the Gaussian of one sigma is computed: by n_levels halvings, a small Gaussian
 * of this radius, and as many doublings. */
typedef struct
{
  gint n_levels;
  Level levels[MAX_LEVEL + 1];  /* levels; number 0 is the frame */
  gint radius;
  guint weights[MAX_RADIUS + 1];
} Plan;

/* Indices of the knobs in their list */
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
  {"LANES", {16, 4, 4}, "4 8 16", "samples of a vector"},
  {"ROWS", {8, 2, 2}, "2 4 8 16", "rows of a work-item"},
  {"TILE", {256, 256, 256}, "64 128 256 512",
      "width of a tile of sharpen_direct, in pixels"},
  {"GROUP_X", {16, 32, 32}, "8 16 32 64", "work-items side by side"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4 8", "work-items below each other"},
  {"ALL_IN_ONE", {1, 0, 0}, "0 1",
      "whether one kernel does all of a small Gaussian, with 16 LANES alone"},
  {NULL}
};

/* Indices of the kernels in their list */
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

/* Sets of kernels. DIRECT_SET is for devices whose knob ALL_IN_ONE is 1. The kernels of
 * PLANE_SET do not depend on the format of frames. */
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

/* Slots: two planes of 16 bit samples, one of which each kernel reads while it writes the
 * other */
enum
{
  PLANES,
  N_SLOTS = PLANES + 2
};

typedef struct
{
  MgpuObject object;
  MgpuColourLuma *colour;       /* makes luma images from RGB frames; NULL for YUV and grey */
  gsize group[2];               /* size of a work-group */
} Sharpen;

#define WEIGHTS "iuuuuuuuuuu"
#define WEIGHTS_OF(plan) \
    (plan)->radius, (plan)->weights[0], (plan)->weights[1], \
    (plan)->weights[2], (plan)->weights[3], (plan)->weights[4], \
    (plan)->weights[5], (plan)->weights[6], (plan)->weights[7], \
    (plan)->weights[8], (plan)->weights[9]

#define FRAME MGPU_PLANE "ii"
#define FRAME_OF(job, image, c) \
    MGPU_READ (job, image, *(c)), (c)->width, (c)->height

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Sharpen *self = object;
  const GstVideoInfo *in = &self->object.in;
  gint *knobs = self->object.knobs;

  /* The kernel that does all in one has vectors of 16 samples. */
  if (knobs[LANES] != 16)
    knobs[ALL_IN_ONE] = 0;
  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y],
      self->group);
  if (GST_VIDEO_INFO_IS_RGB (in))
    self->colour = mgpu_colour_luma_new (self->object.context, in, error);
  return (!GST_VIDEO_INFO_IS_RGB (in) || self->colour != NULL)
      && mgpu_object_build (self, PLANE_SET, error)
      && (!knobs[ALL_IN_ONE] || mgpu_object_build (self, DIRECT_SET, error));
}

static void
define (gpointer object, guint set, GString * options)
{
  Sharpen *self = object;
  /* Format of the images that are sharpened */
  const GstVideoInfo *info = self->colour != NULL
      ? &self->colour->object.out : &self->object.in;
  MgpuComponent c = mgpu_get_component (info, 0);

  if (set == PLANE_SET)
    return;
  mgpu_define_samples (options, &c);
  g_string_append_printf (options, " -DDEPTH=%d",
      (gint) GST_VIDEO_INFO_COMP_DEPTH (info, 0));
}

static void
plan_weights (Plan * plan, gdouble variance)
{
  gdouble g[MAX_RADIUS + 1], sum = 1.0;

  plan->radius = MIN (ceil (3.0 * sqrt (variance)), MAX_RADIUS);
  for (gint i = 1; i <= plan->radius; i++) {
    g[i] = exp (-i * i / (2.0 * variance));
    sum += 2.0 * g[i];
  }

  /* The middle weight takes up what rounding changed: the sum of all weights is 65536, so
   * that flat frames stay as they are. */
  plan->weights[0] = 65536;
  for (gint i = 1; i <= plan->radius; i++) {
    plan->weights[i] = floor (65536.0 * g[i] / sum + 0.5);
    plan->weights[0] -= 2 * plan->weights[i];
  }
}

static void
plan_init (Plan * plan, gdouble sigma, gint width, gint height, gint lanes)
{
  gdouble scale = 1.0;
  gint margin;

  memset (plan, 0, sizeof (*plan));
  while (plan->n_levels < MAX_LEVEL && sigma >= 3.0 * scale) {
    plan->n_levels++;
    scale *= 2.0;
  }
  /* The halvings blur by a variance of (scale^2 - 1) / 4, and the doublings by as much;
   * the small Gaussian adds the rest. */
  plan_weights (plan, (sigma * sigma - (scale * scale - 1.0) / 2.0)
      / (scale * scale));

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

/* Allocates the two planes, unless they are large enough. New planes are filled with
 * zeros, because the last vectors of a plane also read what lies behind it. */
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

/* Enqueues the kernels that make the smallest level of the frame.
 * Returns: the number of the plane that holds it, 0 or 1 */
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

/* Enqueues the kernels that convolve the smallest level with the small Gaussian, first
 * columns, then rows. */
static void
enqueue_convolution (Sharpen * self, GstMgpuJob * job, Plan * plan, gint plane)
{
  Level *level = &plan->levels[plan->n_levels];
  cl_kernel kernel = self->object.kernels[CONVOLVE];
  gint lanes = self->object.knobs[LANES];
  gint height = level->height + 2 * MARGIN, in_stride = level->stride;

  gst_mgpu_job_set_args (job, kernel, "miimii" WEIGHTS,
      read_plane (self, job, plane), in_stride, in_stride,
      write_plane (self, job, !plane), in_stride, height, WEIGHTS_OF (plan));
  mgpu_launch (job, kernel, in_stride, height, lanes, 1, self->group);

  level->stride = round_up (level->width + 2 * MARGIN, 2 * lanes);
  gst_mgpu_job_set_args (job, kernel, "miimii" WEIGHTS,
      read_plane (self, job, !plane), in_stride, 1,
      write_plane (self, job, plane), level->stride, height,
      WEIGHTS_OF (plan));
  mgpu_launch (job, kernel, level->stride, height, lanes, 1, self->group);
}

/* Enqueues the kernels that make level 1 of the blurred frame, of half its size.
 * Returns: the number of the plane that holds it, 0 or 1 */
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

/* Holds parameters in the units of the kernels: amount in 2^-AMOUNT_BITS, threshold in
 * 1 / 256 of an 8-bit step. */
typedef struct
{
  gint amount, threshold;
} Strength;

#define SHARPEN MGPU_PLANE "ii"
#define SHARPEN_OF(job, image, c, strength) \
    MGPU_WRITE (job, image, *(c)), (strength)->amount, (strength)->threshold

/* Enqueues the kernels that sharpen with a Gaussian so small that no halvings are needed. */
static void
enqueue_small (Sharpen * self, GstMgpuJob * job, const Plan * plan,
    const Strength * strength, const MgpuImage * in, const MgpuComponent * c,
    const MgpuImage * out, const MgpuComponent * to)
{
  const gint *knobs = self->object.knobs;
  gint stride = plan->levels[0].stride;
  cl_kernel kernel;

  if (knobs[ALL_IN_ONE]) {
    kernel = self->object.kernels[DIRECT];
    gst_mgpu_job_set_args (job, kernel, FRAME WEIGHTS SHARPEN,
        FRAME_OF (job, in, c), WEIGHTS_OF (plan),
        SHARPEN_OF (job, out, to, strength));
    mgpu_launch (job, kernel, c->width, c->height, knobs[TILE], knobs[ROWS],
        self->group);
    return;
  }
  kernel = self->object.kernels[WEIGH_COLUMNS];
  gst_mgpu_job_set_args (job, kernel, FRAME "mi" WEIGHTS,
      FRAME_OF (job, in, c), write_plane (self, job, 0), stride,
      WEIGHTS_OF (plan));
  mgpu_launch (job, kernel, stride, c->height, knobs[LANES], knobs[ROWS],
      self->group);
  kernel = self->object.kernels[WEIGH_ROWS];
  gst_mgpu_job_set_args (job, kernel, "mi" WEIGHTS FRAME SHARPEN,
      read_plane (self, job, 0), stride, WEIGHTS_OF (plan),
      FRAME_OF (job, in, c), SHARPEN_OF (job, out, to, strength));
  mgpu_launch (job, kernel, c->width, c->height, knobs[LANES], 1, self->group);
}

/* Enqueues the kernels that sharpen the first component of in and write it to the first
 * component of out. */
static void
enqueue_component (Sharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  const gint *knobs = self->object.knobs;
  const Strength strength = {
    floor (params->amount * (1 << AMOUNT_BITS) + 0.5),
    floor (params->threshold * 256 + 0.5)
  };
  cl_kernel kernel = self->object.kernels[DOUBLE_FRAME];
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  MgpuComponent to = mgpu_get_component (&out->info, 0);
  Plan plan;
  gint plane;

  plan_init (&plan, params->sigma, c.width, c.height, knobs[LANES]);
  if (!ensure_planes (self, job, &plan))
    return;
  if (plan.n_levels == 0) {
    enqueue_small (self, job, &plan, &strength, in, &c, out, &to);
    return;
  }
  plane = enqueue_levels (self, job, &plan, in, &c);
  gst_mgpu_job_set_args (job, kernel, "mi" FRAME SHARPEN,
      read_plane (self, job, plane), plan.levels[1].stride,
      FRAME_OF (job, in, &c), SHARPEN_OF (job, out, &to, &strength));
  mgpu_launch (job, kernel, c.width, c.height, 2 * knobs[LANES],
      2 * knobs[ROWS], self->group);
}

static void
enqueue_rgb (Sharpen * self, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuImage luma[2];

  if (!mgpu_colour_luma_split (self->colour, job, work->in, luma))
    return;
  enqueue_component (self, job, work->params, &luma[0], &luma[1]);
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
  /* In YUY2, chroma lies in the plane of luma, which is therefore copied as well. */
  mgpu_image_copy_planes (job, work->in, work->out,
      c.pixel_stride > c.bytes ? ~0u : ~1u);
  enqueue_component (self, job, work->params, work->in, work->out);
}

static gboolean
passes (gconstpointer params)
{
  const MgpuSharpenParams *p = params;

  return p->amount == 0 || p->sigma == 0;
}

static void
clear (gpointer object)
{
  mgpu_object_free (((Sharpen *) object)->colour);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuSharpenParams, name)

static const MgpuParam params[] = {
  {"amount", MGPU_PARAM_DOUBLE, MEMBER (amount), -1.0, 16.0, 1.0, NULL,
      "How much of the difference from the Gaussian is added "
        "(-1 = the Gaussian alone, 0 = frames pass as they are)"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 0.0, MAX_SIGMA, 1.5, NULL,
      "Standard deviation of the Gaussian, in pixels (0 = frames pass as "
        "they are)"},
  {"threshold", MGPU_PARAM_DOUBLE, MEMBER (threshold), 0.0, 255.0, 0.0, NULL,
      "Samples that differ less from the Gaussian stay as they are, in "
        "8-bit steps for every bit depth"},
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
  .clear = clear
};

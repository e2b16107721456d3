/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sharpen.h"

#include <math.h>
#include <string.h>

#include "colour.h"
#include "kernels.h"
#include "map.h"

/* As in kernels/sharpen.cl and gaussian.cl */
#define AMOUNT_BITS 10
#define MAX_RADIUS 9

/* Of sharpen_direct */
#define TILE 256

/* Halvings of the frame, at most. */
#define MAX_LEVEL 7

/* What gaussian_double needs of a level beyond its edges. */
#define MARGIN 2

/* A plane of 16 bit samples that stand for width x height of the frame or of
 * one of its levels, and for margin more on each side. */
typedef struct
{
  gint width, height, margin;
  gint stride;
} Level;

/* How the Gaussian of one sigma is made. */
typedef struct
{
  gint n_levels;
  Level levels[MAX_LEVEL + 1];  /* 0 is the frame */
  gint radius;
  guint weights[MAX_RADIUS + 1];
} Plan;

struct _MgpuSharpen
{
  gboolean is_cpu;
  gint lanes, rows;             /* LANES and ROWS of the kernels */
  gsize local[2];
  cl_kernel direct;             /* all in one */
  cl_kernel columns_kernel, rows_kernel;        /* the same on a GPU */
  cl_kernel halve_frame, halve, convolve, twice, twice_frame;
  GstMemory *planes[2];         /* each step reads one and writes the other */

  MgpuColourLuma *colour;       /* RGB only */
  GstVideoInfo luma_info;
  GstMemory *luma[2];           /* before and after */
};

#define WEIGHTS "iuuuuuuuuuu"
#define WEIGHTS_OF(plan) \
    (plan)->radius, (plan)->weights[0], (plan)->weights[1], \
    (plan)->weights[2], (plan)->weights[3], (plan)->weights[4], \
    (plan)->weights[5], (plan)->weights[6], (plan)->weights[7], \
    (plan)->weights[8], (plan)->weights[9]

#define FRAME "miiii"
#define FRAME_OF(job, image, c) \
    gst_mgpu_job_read (job, (image)->memory), (c)->offset, (c)->stride, \
    (c)->width, (c)->height

#define SHARPEN "miiii"
#define SHARPEN_OF(job, image, c) \
    gst_mgpu_job_write (job, (image)->memory), (c)->offset, (c)->stride, \
    amount, threshold

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

typedef struct
{
  const gchar *name;
  cl_kernel *kernel;
} Kernel;

static gboolean
build_kernels (GstMgpuContext * context, const gchar * file,
    const gchar * options, const Kernel * kernels, guint n, GError ** error)
{
  GstMgpuProgram *program = mgpu_kernels_build (context, file, options, error);
  gboolean ok = program != NULL;

  for (guint i = 0; i < n && ok; i++) {
    *kernels[i].kernel =
        gst_mgpu_program_create_kernel (program, kernels[i].name, error);
    ok = *kernels[i].kernel != NULL;
  }
  g_clear_object (&program);
  return ok;
}

static gboolean
create_kernels (MgpuSharpen * self, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  const Kernel direct[] = { {"sharpen_direct", &self->direct} };
  const Kernel kernels[] = {
    {"sharpen_columns", &self->columns_kernel},
    {"sharpen_rows", &self->rows_kernel},
    {"sharpen_halve_frame", &self->halve_frame},
    {"gaussian_halve", &self->halve},
    {"gaussian_convolve", &self->convolve},
    {"gaussian_double", &self->twice},
    {"sharpen_double", &self->twice_frame},
  };
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);
  gchar *options = g_strdup_printf ("-DLANES=%d -DROWS=%d -DBYTES=%d -DDEPTH=%d"
      " -DSHIFT=%u -DPIXEL_STRIDE=%d -DTILE=%d", self->lanes, self->rows,
      depth > 8 ? 2 : 1, depth, info->finfo->shift[0],
      GST_VIDEO_INFO_COMP_PSTRIDE (info, 0), TILE);
  gboolean ok = build_kernels (context, "sharpen", options, kernels,
      G_N_ELEMENTS (kernels), error)
      && (!self->is_cpu || build_kernels (context, "sharpen-direct", options,
          direct, G_N_ELEMENTS (direct), error));

  g_free (options);
  return ok;
}

MgpuSharpen *
mgpu_sharpen_new (GstMgpuContext * context, const GstVideoInfo * info,
    GError ** error)
{
  MgpuSharpen *self = g_new0 (MgpuSharpen, 1);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  gboolean ok = TRUE;

  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  if (self->is_cpu) {
    self->lanes = 16;
    self->rows = 8;
    self->local[0] = MIN (16, traits->max_work_group_size);
    self->local[1] = 1;
  } else {
    self->lanes = 4;
    self->rows = 2;
    self->local[0] = MIN (32, traits->max_work_group_size);
    self->local[1] = CLAMP (traits->max_work_group_size / 32, 1, 4);
  }

  self->luma_info = *info;
  if (GST_VIDEO_INFO_IS_RGB (info)) {
    gst_video_info_set_format (&self->luma_info, GST_VIDEO_FORMAT_GRAY8,
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    self->colour = mgpu_colour_luma_new (context, info, error);
    ok = self->colour != NULL;
  }
  if (!ok || !create_kernels (self, context, &self->luma_info, error))
    g_clear_pointer (&self, mgpu_sharpen_free);
  return self;
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

  /* The middle takes what rounding leaves: a flat frame stays as it is. */
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
  /* The halvings make for a variance of (scale^2 - 1) / 4, and so do the
   * doublings. */
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

/* Allocates *memory unless it has that size. */
static gboolean
ensure_memory (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  GError *error = NULL;
  GstMapInfo map;

  if (*memory != NULL && (*memory)->size >= size)
    return TRUE;
  g_clear_pointer (memory, gst_memory_unref);
  *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL) {
    gst_mgpu_job_fail (job, error);
    return FALSE;
  }
  /* The last vectors of a plane read on behind it. */
  if (!mgpu_map_in_job (job, *memory, &map, GST_MAP_WRITE)) {
    g_clear_pointer (memory, gst_memory_unref);
    return FALSE;
  }
  memset (map.data, 0, map.size);
  gst_memory_unmap (*memory, &map);
  return gst_mgpu_job_read (job, (GstMgpuMemory *) *memory) != NULL;
}

static gboolean
ensure_planes (MgpuSharpen * self, GstMgpuJob * job, const Plan * plan)
{
  const Level *largest = &plan->levels[MIN (plan->n_levels, 1)];
  gsize rows = largest->height + 2 * largest->margin + 1;
  gsize size = sizeof (guint16) * (largest->stride * rows + 4 * self->lanes);

  return ensure_memory (&self->planes[0], job, size)
      && ensure_memory (&self->planes[1], job, size);
}

/* Work-items that take columns x rows samples each of width x height. */
static void
launch (MgpuSharpen * self, GstMgpuJob * job, cl_kernel kernel, gint width,
    gint height, gint columns, gint rows)
{
  gsize global[2] = {
    round_up ((width + columns - 1) / columns, self->local[0]),
    round_up ((height + rows - 1) / rows, self->local[1])
  };

  gst_mgpu_job_launch (job, kernel, 2, global, self->local);
}

static cl_mem
read_plane (MgpuSharpen * self, GstMgpuJob * job, gint plane)
{
  return gst_mgpu_job_read (job, (GstMgpuMemory *) self->planes[plane]);
}

static cl_mem
write_plane (MgpuSharpen * self, GstMgpuJob * job, gint plane)
{
  return gst_mgpu_job_write (job, (GstMgpuMemory *) self->planes[plane]);
}

/* Makes the lowest level of the frame. Returns the plane that it is in. */
static gint
enqueue_halvings (MgpuSharpen * self, GstMgpuJob * job, const Plan * plan,
    const MgpuImage * in, const MgpuComponent * c)
{
  gint plane = 0;

  for (gint i = 1; i <= plan->n_levels; i++) {
    const Level *level = &plan->levels[i];
    gint height = level->height + 2 * level->margin;
    cl_kernel kernel;

    if (i == 1) {
      kernel = self->halve_frame;
      gst_mgpu_job_set_args (job, kernel, FRAME "miii",
          FRAME_OF (job, in, c), write_plane (self, job, plane),
          level->stride, height, level->margin);
    } else {
      kernel = self->halve;
      gst_mgpu_job_set_args (job, kernel, "mimii",
          read_plane (self, job, plane), level[-1].stride,
          write_plane (self, job, !plane), level->stride, height);
      plane = !plane;
    }
    launch (self, job, kernel, level->stride, height, self->lanes,
        self->rows);
  }
  return plane;
}

/* Makes the first level of the blurred frame. Returns the plane that it is
 * in. */
static gint
enqueue_levels (MgpuSharpen * self, GstMgpuJob * job, Plan * plan,
    const MgpuImage * in, const MgpuComponent * c)
{
  Level *level = &plan->levels[plan->n_levels];
  gint plane = enqueue_halvings (self, job, plan, in, c);
  gint height = level->height + 2 * MARGIN;
  gint in_stride = level->stride;

  gst_mgpu_job_set_args (job, self->convolve, "miimii" WEIGHTS,
      read_plane (self, job, plane), in_stride, in_stride,
      write_plane (self, job, !plane), in_stride, height, WEIGHTS_OF (plan));
  launch (self, job, self->convolve, in_stride, height, self->lanes, 1);

  level->stride = round_up (level->width + 2 * MARGIN, 2 * self->lanes);
  gst_mgpu_job_set_args (job, self->convolve, "miimii" WEIGHTS,
      read_plane (self, job, !plane), in_stride, 1,
      write_plane (self, job, plane), level->stride, height,
      WEIGHTS_OF (plan));
  launch (self, job, self->convolve, level->stride, height, self->lanes, 1);

  for (; level > &plan->levels[1]; level--) {
    height = level->height + 2;
    in_stride = level->stride;
    level[-1].stride =
        round_up (level[-1].width + 2 * MARGIN, 2 * self->lanes);
    gst_mgpu_job_set_args (job, self->twice, "miimi",
        read_plane (self, job, plane), in_stride, height,
        write_plane (self, job, !plane), level[-1].stride);
    launch (self, job, self->twice, level[-1].stride, height,
        2 * self->lanes, self->rows);
    plane = !plane;
  }
  return plane;
}

/* Of the first components of in and out. */
static void
enqueue_component (MgpuSharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  gint amount = floor (CLAMP (params->amount, MGPU_SHARPEN_MIN_AMOUNT,
          MGPU_SHARPEN_MAX_AMOUNT) * (1 << AMOUNT_BITS) + 0.5);
  gint threshold = floor (CLAMP (params->threshold, 0, 255) * 256 + 0.5);
  MgpuComponent c, to;
  Plan plan;

  mgpu_image_get_component (in, 0, &c);
  mgpu_image_get_component (out, 0, &to);
  plan_init (&plan, CLAMP (params->sigma, 0, MGPU_SHARPEN_MAX_SIGMA),
      c.width, c.height, self->lanes);
  if (!ensure_planes (self, job, &plan))
    return;

  if (plan.n_levels == 0 && self->is_cpu) {
    gst_mgpu_job_set_args (job, self->direct, FRAME WEIGHTS SHARPEN,
        FRAME_OF (job, in, &c), WEIGHTS_OF (&plan), SHARPEN_OF (job, out, &to));
    launch (self, job, self->direct, c.width, c.height, TILE, self->rows);
  } else if (plan.n_levels == 0) {
    gint stride = plan.levels[0].stride;

    gst_mgpu_job_set_args (job, self->columns_kernel, FRAME "mi" WEIGHTS,
        FRAME_OF (job, in, &c), write_plane (self, job, 0), stride,
        WEIGHTS_OF (&plan));
    launch (self, job, self->columns_kernel, stride, c.height, self->lanes,
        self->rows);
    gst_mgpu_job_set_args (job, self->rows_kernel, "mi" WEIGHTS FRAME SHARPEN,
        read_plane (self, job, 0), stride, WEIGHTS_OF (&plan),
        FRAME_OF (job, in, &c), SHARPEN_OF (job, out, &to));
    launch (self, job, self->rows_kernel, c.width, c.height, self->lanes, 1);
  } else {
    gint plane = enqueue_levels (self, job, &plan, in, &c);

    gst_mgpu_job_set_args (job, self->twice_frame, "mi" FRAME SHARPEN,
        read_plane (self, job, plane), plan.levels[1].stride,
        FRAME_OF (job, in, &c), SHARPEN_OF (job, out, &to));
    launch (self, job, self->twice_frame, c.width, c.height, 2 * self->lanes,
        2 * self->rows);
  }
}

static void
enqueue_rgb (MgpuSharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuImage luma[2];

  for (guint i = 0; i < 2; i++) {
    if (!ensure_memory (&self->luma[i], job,
            GST_VIDEO_INFO_SIZE (&self->luma_info)))
      return;
    luma[i].memory = (GstMgpuMemory *) self->luma[i];
    luma[i].info = self->luma_info;
  }
  mgpu_colour_luma_enqueue (self->colour, job, in, &luma[0]);
  enqueue_component (self, job, params, &luma[0], &luma[1]);
  mgpu_colour_luma_enqueue_replace (self->colour, job, in, &luma[0], &luma[1],
      out);
}

void
mgpu_sharpen_enqueue (MgpuSharpen * self, GstMgpuJob * job,
    const MgpuSharpenParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuComponent c;

  if (self->colour != NULL) {
    enqueue_rgb (self, job, params, in, out);
    return;
  }
  /* The chroma of YUY2 lies between its luma. */
  mgpu_image_get_component (in, 0, &c);
  mgpu_image_copy_planes (job, in, out,
      c.pixel_stride > c.bytes ? ~0u : ~1u);
  enqueue_component (self, job, params, in, out);
}

static void
release_kernel (cl_kernel kernel)
{
  if (kernel != NULL)
    clReleaseKernel (kernel);
}

void
mgpu_sharpen_free (MgpuSharpen * self)
{
  if (self == NULL)
    return;
  release_kernel (self->direct);
  release_kernel (self->columns_kernel);
  release_kernel (self->rows_kernel);
  release_kernel (self->halve_frame);
  release_kernel (self->halve);
  release_kernel (self->convolve);
  release_kernel (self->twice);
  release_kernel (self->twice_frame);
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&self->planes[i], gst_memory_unref);
    g_clear_pointer (&self->luma[i], gst_memory_unref);
  }
  mgpu_colour_luma_free (self->colour);
  g_free (self);
}

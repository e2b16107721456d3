/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blurs, pixelates or fills frames. */
#include "blur.h"

#include <gst/vision/colour/alpha.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/sharpen/sharpen.h>

#define MAX_SIGMA 256.0
#define MAX_BLOCK 1024

/* Number of samples of a vector. In the kernels that fill, split and join frames, a work-item
 * processes one vector in each of its rows. */
#define VECTOR 16

/* Indices into the array @knobs of the tuning constants of the kernels */
enum
{
  GROUP,
  ROWS,
  FILL_X,
  FILL_Y
};

static const MgpuKnob knobs[] = {
  {"GROUP", {1, 64, 64}, "1 64 128 256",
      "number of work-items that share a block (1: each work-item processes "
      "whole vectors)"},
  {"ROWS", {16, 2, 2}, "1 2 4 16", "number of rows that a work-item fills"},
  {"FILL_X", {8, 16, 16}, "1 8 16 32", "width of a work-group that fills, in "
      "work-items"},
  {"FILL_Y", {1, 8, 8}, "1 4 8", "height of a work-group that fills, in "
      "work-items"},
  {NULL}
};

/* Number of memory layouts of samples in a frame: one for the first component, one for chroma */
#define N_LAYOUTS 2

/* Indices of the kernels for one memory layout, relative to the first of these kernels in the
 * array @kernels */
enum
{
  PIXELATE,
  FILL,
  N_KERNELS
};

/* Kernels for the memory layout with the index i. They form set 1 + i of kernels that are
 * compiled together. Set 0 is empty, because it would always be compiled. */
#define LAYOUT(i) \
  {"blur/blur", "blur_pixelate", 1 + (i)}, \
  {"blur/blur", "blur_fill", 1 + (i)}

/* Indices of the kernels that split RGB frames into planes, and of those that join planes to
 * form frames */
enum
{
  SPLIT = N_LAYOUTS * N_KERNELS,
  JOIN,
  PIXELATE_WEIGHTED
};

/* Two sets of kernels: for planes of RGB frames, and for planes that are weighted by alpha */
enum
{
  PLANES_SET = 1 + N_LAYOUTS,
  WEIGHTED_SET
};

static const MgpuKernel kernels[] = {
  LAYOUT (0),
  LAYOUT (1),
  [SPLIT] = {"blur/planes", "blur_split", PLANES_SET},
  [JOIN] = {"blur/planes", "blur_join", PLANES_SET},
  [PIXELATE_WEIGHTED] = {"blur/blur", "blur_pixelate", WEIGHTED_SET},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. They hold the planes of an RGB frame before and after the blur */
enum
{
  BEFORE,
  AFTER,
  N_SLOTS
};

typedef struct
{
  MgpuObject object;
  gpointer gaussians[N_LAYOUTS];        /* objects of mgpu_gaussian that blur, one for each
                                         * memory layout of samples; NULL until needed */
  gboolean is_rgb;
  GstVideoInfo info;            /* format of the images that are blurred. For RGB frames, these
                                 * are three planes of red, green and blue; otherwise, the
                                 * frames */
  MgpuColourAlpha *alpha;       /* object that weights the colors of frames with alpha; NULL
                                 * for other formats */
  gpointer weighted_gaussian;   /* object of mgpu_gaussian that blurs planes weighted by alpha;
                                 * NULL until needed */
  gsize group[2];               /* number of work-items of a work-group in x and y; the kernel
                                 * PIXELATE has another size */
} Blur;

/* Returns: the index of the memory layout of a color component: 0 if its samples have the
 * layout of the first component, otherwise 1 */
static guint
get_layout (const Blur * self, guint component)
{
  return mgpu_get_component (&self->info, component).pixel_stride
      != mgpu_get_component (&self->info, 0).pixel_stride;
}

static guint
count_components (const Blur * self)
{
  return MIN (GST_VIDEO_INFO_N_COMPONENTS (&self->info), 3);
}

/* Returns: whether the blur method @method has to weight colors by alpha: frames have alpha,
 * and the method mixes the colors of pixels */
static gboolean
is_weighted (const Blur * self, MgpuBlurMethod method)
{
  return self->alpha != NULL && method != MGPU_BLUR_FILL;
}

/* Builds the kernels and objects that the blur method @method needs for planes weighted by
 * alpha, unless they were built before. */
static gboolean
build_weighted (Blur * self, MgpuBlurMethod method, GError ** error)
{
  guint component = 0;
  GstVideoInfo plane;

  if (method == MGPU_BLUR_PIXELATE)
    return mgpu_object_build (self, WEIGHTED_SET, error);
  mgpu_colour_alpha_info (&self->object.in, &plane);
  if (self->weighted_gaussian == NULL)
    self->weighted_gaussian = mgpu_object_new (&mgpu_gaussian,
        self->object.context, &plane, NULL, NULL, &component, error);
  return self->weighted_gaussian != NULL;
}

/* Builds the kernels and objects that the blur method @method needs, unless they were
 * built before. */
static gboolean
build (Blur * self, MgpuBlurMethod method, GError ** error)
{
  if (is_weighted (self, method))
    return build_weighted (self, method, error);
  for (guint i = 0; i < count_components (self); i++) {
    guint layout = get_layout (self, i);

    if (method != MGPU_BLUR_GAUSSIAN) {
      if (!mgpu_object_build (self, 1 + layout, error))
        return FALSE;
    } else if (self->gaussians[layout] == NULL) {
      self->gaussians[layout] = mgpu_object_new (&mgpu_gaussian,
          self->object.context, &self->info, NULL, NULL, &i, error);
      if (self->gaussians[layout] == NULL)
        return FALSE;
    }
  }
  return !self->is_rgb || mgpu_object_build (self, PLANES_SET, error);
}

/* Sets @info to a format with three planes, 8 bits for each sample and no subsampling. */
static void
set_planes (GstVideoInfo * info, gint width, gint height)
{
  gst_video_info_set_format (info, GST_VIDEO_FORMAT_Y444, width, height);
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Blur *self = object;
  gint *knobs = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  while (knobs[GROUP] > limit)
    knobs[GROUP] /= 2;
  mgpu_group (self->object.context, knobs[FILL_X], knobs[FILL_Y], self->group);
  self->is_rgb = GST_VIDEO_INFO_IS_RGB (&self->object.in);
  self->info = self->object.in;
  if (self->is_rgb)
    set_planes (&self->info, self->object.in.width, self->object.in.height);
  if (mgpu_colour_has_alpha (&self->object.in)) {
    self->alpha = mgpu_colour_alpha_new (self->object.context,
        &self->object.in, 3, error);
    if (self->alpha == NULL)
      return FALSE;
  }
  return build (self, ((const MgpuBlurParams *) params)->method, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  Blur *self = object;
  const GstVideoInfo *in = &self->object.in;
  GstVideoInfo plane;
  MgpuComponent c;

  if (set == PLANES_SET) {
    g_string_append_printf (options, " -DSAMPLES=%d -DRED=%d -DGREEN=%d "
        "-DBLUE=%d", GST_VIDEO_INFO_COMP_PSTRIDE (in, 0),
        GST_VIDEO_INFO_COMP_POFFSET (in, 0),
        GST_VIDEO_INFO_COMP_POFFSET (in, 1),
        GST_VIDEO_INFO_COMP_POFFSET (in, 2));
    return;
  }
  if (set == WEIGHTED_SET) {
    /* Weighted planes are only rounded once, when they are interleaved to form a frame. */
    mgpu_colour_alpha_info (in, &plane);
    c = mgpu_get_component (&plane, 0);
    g_string_append (options, " -DROUNDS=0");
  } else {
    c = mgpu_get_component (&self->info, set - 1);
  }
  mgpu_define_samples (options, &c);
}

/* Returns: the width and height, in pixels, of the blocks of the method pixelate; an even
 * number */
static guint
get_block (const MgpuBlurParams * params, const GstVideoInfo * info)
{
  guint size = params->block_size;

  if (size == 0)
    size = MAX (8, GST_VIDEO_INFO_HEIGHT (info) / 32);
  return MIN (GST_ROUND_UP_2 (size), MAX_BLOCK);
}

static cl_kernel
get_kernel (Blur * self, guint component, guint kernel)
{
  return self->object.kernels[N_KERNELS * get_layout (self,
          component) + kernel];
}

static void
enqueue_pixelate (Blur * self, GstMgpuJob * job, const MgpuWork * work,
    cl_kernel kernel, guint component)
{
  const GstVideoInfo *info = &work->in->info;
  MgpuComponent c = mgpu_get_component (info, component);
  MgpuComponent to = mgpu_get_component (&work->out->info, component);
  gint block = get_block (work->params, &self->object.in);
  gint width = block >> info->finfo->w_sub[component];
  gint height = block >> info->finfo->h_sub[component];
  const gsize group[2] = { self->object.knobs[GROUP], 1 };

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiiii",
      MGPU_READ (job, work->in, c), MGPU_WRITE (job, work->out, to),
      c.position, c.width, c.height, width, height);
  mgpu_launch (job, kernel, (c.width + width - 1) / width * group[0], c.height,
      1, height, group);
}

static void
enqueue_fill (Blur * self, GstMgpuJob * job, const MgpuWork * work,
    guint component, gint value)
{
  guint opacity = ((const MgpuBlurParams *) work->params)->colour >> 24;
  cl_kernel kernel = get_kernel (self, component, FILL);
  MgpuComponent c = mgpu_get_component (&work->in->info, component);
  MgpuComponent to = mgpu_get_component (&work->out->info, component);

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiiii",
      MGPU_READ (job, work->in, c), MGPU_WRITE (job, work->out, to),
      c.position, c.width, c.height, value, (gint) (opacity + (opacity >> 7)));
  mgpu_launch (job, kernel, c.width, c.height, VECTOR,
      self->object.knobs[ROWS], self->group);
}

static void
enqueue_gaussian (GstMgpuJob * job, const MgpuWork * work, gpointer gaussian,
    guint component)
{
  const GstVideoFormatInfo *format = work->in->info.finfo;
  gdouble sigma = ((const MgpuBlurParams *) work->params)->sigma;

  mgpu_gaussian_enqueue (gaussian, job, work->in, work->out, component,
      sigma / (1 << format->w_sub[component]),
      sigma / (1 << format->h_sub[component]));
}

#define PLANES "miiii"
#define PLANES_OF(memory, image) \
    memory, (gint) (image)->info.offset[0], (gint) (image)->info.offset[1], \
    (gint) (image)->info.offset[2], (image)->info.stride[0]

/* Splits the RGB frame @in into three planes, and describes them in @images[0]. Describes three
 * more planes, for the blurred frame, in @images[1].
 * Returns: FALSE after an error, which is in @job */
static gboolean
split (Blur * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage images[2])
{
  cl_kernel kernel = self->object.kernels[SPLIT];
  gint width = in->info.width, height = in->info.height;
  GstVideoInfo info;

  set_planes (&info, width, height);
  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_image (self, BEFORE + i, job, &info, &images[i]))
      return FALSE;
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE PLANES "ii",
      MGPU_READ_PLANE (job, in, 0), PLANES_OF (mgpu_slot_write (self, BEFORE,
              job, 0), &images[0]), width, height);
  mgpu_launch (job, kernel, width, height, VECTOR, self->object.knobs[ROWS],
      self->group);
  return TRUE;
}

/* Enqueues a kernel that joins the three planes of @planes to form the RGB frame @out. The
 * fourth sample of each pixel is copied from the frame @in. */
static void
join (Blur * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * planes, const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[JOIN];
  gint width = in->info.width, height = in->info.height;

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE PLANES MGPU_PLANE "ii",
      MGPU_READ_PLANE (job, in, 0), PLANES_OF (mgpu_slot_read (self, AFTER,
              job), planes), MGPU_WRITE_PLANE (job, out, 0), width, height);
  mgpu_launch (job, kernel, width, height, VECTOR, self->object.knobs[ROWS],
      self->group);
}

/* Enqueues the kernels that blur, pixelate or fill all color components except alpha. */
static void
enqueue_components (Blur * self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuBlurParams *params = work->params;
  gint colour[3];

  mgpu_colour_from_argb (&self->object.in, params->colour, colour);
  for (guint i = 0; i < count_components (self); i++) {
    if (params->method == MGPU_BLUR_FILL)
      enqueue_fill (self, job, work, i, colour[i]);
    else if (params->method == MGPU_BLUR_PIXELATE)
      enqueue_pixelate (self, job, work, get_kernel (self, i, PIXELATE), i);
    else
      enqueue_gaussian (job, work, self->gaussians[get_layout (self, i)], i);
  }
}

/* Enqueues the kernels that blur or pixelate a frame with alpha. */
static void
enqueue_weighted (Blur * self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuBlurParams *params = work->params;
  MgpuImage before[MGPU_COLOUR_ALPHA_PLANES], after[MGPU_COLOUR_ALPHA_PLANES];

  if (!mgpu_colour_alpha_split (self->alpha, job, work->in, NULL, before,
          after))
    return;
  for (guint i = 0; i < self->alpha->n_planes; i++) {
    const MgpuWork plane = { params, &before[i], NULL, &after[i] };

    if (params->method == MGPU_BLUR_PIXELATE)
      enqueue_pixelate (self, job, &plane,
          self->object.kernels[PIXELATE_WEIGHTED], 0);
    else
      enqueue_gaussian (job, &plane, self->weighted_gaussian, 0);
  }
  mgpu_colour_alpha_join (self->alpha, job, work->in, NULL, after, work->out);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Blur *self = object;
  const MgpuBlurParams *params = work->params;
  GError *error = NULL;
  MgpuImage images[2];
  MgpuWork planes = { params, &images[0], NULL, &images[1] };

  if (!build (self, params->method, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  if (is_weighted (self, params->method)) {
    enqueue_weighted (self, job, work);
    return;
  }
  if (self->is_rgb) {
    if (!split (self, job, work->in, images))
      return;
    enqueue_components (self, job, &planes);
    join (self, job, work->in, &images[1], work->out);
    return;
  }
  /* Copies bytes that no kernel writes, because in YUY2, rows with an odd number of pixels end with
   * a pixel that does not belong to the frame. */
  if (GST_VIDEO_INFO_N_PLANES (&self->info) == 1
      && GST_VIDEO_INFO_IS_YUV (&self->info) && work->in->info.width % 2 == 1)
    mgpu_image_copy_planes (job, work->in, work->out, 1);
  enqueue_components (self, job, work);
}

static gboolean
passes (gconstpointer params)
{
  const MgpuBlurParams *p = params;

  return (p->method == MGPU_BLUR_GAUSSIAN && p->sigma == 0)
      || (p->method == MGPU_BLUR_FILL && p->colour >> 24 == 0);
}

static gint
reach (gpointer object, gconstpointer params, gint * step)
{
  Blur *self = object;
  const MgpuBlurParams *p = params;
  gint result = 0;

  *step = p->method == MGPU_BLUR_PIXELATE ? get_block (p, &self->object.in) : 2;
  for (guint i = 0; p->method == MGPU_BLUR_GAUSSIAN
      && i < count_components (self); i++) {
    guint x_shift = self->info.finfo->w_sub[i];
    guint y_shift = self->info.finfo->h_sub[i];
    gint own_step, own = mgpu_gaussian_get_reach (p->sigma / (1 << x_shift),
        p->sigma / (1 << y_shift), &own_step);

    result = MAX (result, own << x_shift);
    *step = MAX (*step, own_step << x_shift);
  }
  return result;
}

static void
clear (gpointer object)
{
  Blur *self = object;

  for (guint i = 0; i < N_LAYOUTS; i++)
    mgpu_object_free (self->gaussians[i]);
  mgpu_object_free (self->weighted_gaussian);
  mgpu_object_free (self->alpha);
}

static const MgpuEnumValue methods[] = {
  {MGPU_BLUR_GAUSSIAN, "A Gaussian", "gaussian"},
  {MGPU_BLUR_PIXELATE, "Blocks of one color", "pixelate"},
  {MGPU_BLUR_FILL, "One color", "fill"},
  {0}
};

static const MgpuEnum method_enum = { "GstMgpuBlurMethod", methods };

#define MEMBER(name) G_STRUCT_OFFSET (MgpuBlurParams, name)

static const MgpuParam params[] = {
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_BLUR_GAUSSIAN,
      &method_enum, "Method by which frames, or parts of frames, are made "
        "unrecognizable"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 0.0, MAX_SIGMA, 12.0, NULL,
      "With method=gaussian: standard deviation of the Gaussian, in pixels (0 "
        "= frames unchanged)"},
  {"block-size", MGPU_PARAM_UINT, MEMBER (block_size), 0, MAX_BLOCK, 0, NULL,
      "With method=pixelate: width and height of a block, in pixels, an even "
        "number (0 = 1/32 of the frame height, at least 8)"},
  {"color", MGPU_PARAM_UINT, MEMBER (colour), 0, G_MAXUINT, 0xff000000, NULL,
      "With method=fill: fill color, opacity first (big-endian ARGB)"},
  {NULL}
};

const MgpuAlgorithm mgpu_blur = {
  .size = sizeof (Blur),
  .params_size = sizeof (MgpuBlurParams),
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

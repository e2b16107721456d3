/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Changes local contrast with local Laplacian filters. */
#include "localcontrast.h"

#include <math.h>

#include <gst/vision/colour/colour.h>

#define MAX_LEVELS 64
#define MAX_STEPS 16

/* The stride of a plane is a multiple of ALIGNMENT samples. The last plane in a memory is
 * followed by 2 * ALIGNMENT unused samples. */
#define ALIGNMENT 64

/* Number of columns, and number of rows, that a work-item computes in the kernels which collapse
 * (add up) the output pyramid */
#define COLUMNS 32
#define ROWS_OF_QUADS 2

/* Number of samples of a vector. A work-item that loads a frame processes one vector. */
#define VECTOR 16

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  SPAN,
  ROWS,
  SHORTS,
  GROUP_X,
  GROUP_Y
};

static const MgpuKnob knobs[] = {
  {"SPAN", {128, 16, 16}, "16 32 64 128",
      "number of columns that a work-item computes when it halves a level"},
  {"ROWS", {32, 4, 4}, "1 2 4 8 16 32",
      "number of rows that a work-item computes when it halves a level"},
  {"SHORTS", {1, 0, 0}, "0 1", "whether the curve is computed in 16-bit "
      "numbers"},
  {"GROUP_X", {1, 8, 8}, "1 8 16 32", "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 8, 8}, "1 4 8", "height of a work-group, in work-items"},
  {NULL}
};

enum
{
  LOAD,
  REMAP,
  DOWN,
  COLLAPSE,
  STORE
};

/* Numbers of the sets of kernels. The kernels of a set are compiled together. FRAME_SET contains
 * the kernels that depend on the format of frames, PLANE_SET the others. */
enum
{
  FRAME_SET,
  PLANE_SET
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"localcontrast/localcontrast", "localcontrast_load", FRAME_SET},
  [REMAP] = {"localcontrast/down", "localcontrast_remap", PLANE_SET},
  [DOWN] = {"localcontrast/down", "localcontrast_down", PLANE_SET},
  [COLLAPSE] = {"localcontrast/localcontrast", "localcontrast_collapse",
      FRAME_SET},
  [STORE] = {"localcontrast/localcontrast", "localcontrast_store", FRAME_SET},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. A remapped frame is the frame after the tone curve for one gray value. The pyramids
 * of remapped frames have no level 0. */
enum
{
  FRAME,                        /* pyramid of the frame */
  REMAPPED,                     /* pyramids of the remapped frames, one for each gray value; the
                                 * parameter @levels sets the number of gray values */
  ANSWER,                       /* output pyramid: the levels of the change that is added to the
                                 * frame */
  N_SLOTS
};

/* Describes a pyramid level. @width, @height and @stride are in samples. @offset is the index of
 * the first sample of the level in the memory of the pyramid. */
typedef struct
{
  gint width, height, stride, offset;
} Level;

typedef struct
{
  MgpuObject object;
  MgpuColourLuma *colour;       /* object that computes the luma of RGB frames; NULL for
                                 * YUV and gray frames */
  gint n_steps;                 /* number of pyramid levels other than level 0 */
  Level levels[MAX_STEPS + 1];
  gint size;                    /* number of samples of all levels of a pyramid */
  gsize group[2];               /* size of a work-group */
} Localcontrast;

/* Parameters of the change of local contrast for one frame, in the units of the kernels. They
 * describe the tone curves that remap frames. */
typedef struct
{
  gint low, high;               /* lowest and highest nominal sample value (black and white) */
  gint reach, inverse, detail, shadows, highlights;
  gint black, white, n_levels;
  gint places;
} Curve;

#define CURVE "iiiiiiii"
#define CURVE_OF(c) \
    (c)->reach, (c)->inverse, (c)->detail, (c)->shadows, (c)->highlights, \
    (c)->black, (c)->white, (c)->n_levels

/* Returns: the format of the images that the kernels change: the format of the luma images for
 * RGB frames, otherwise the format of the frames */
static const GstVideoInfo *
get_info (const Localcontrast * self)
{
  return self->colour != NULL ? &self->colour->object.out : &self->object.in;
}

/* Computes size and position of the levels of a pyramid. Returns: FALSE if the number of samples
 * does not fit into an int; @error is set */
static gboolean
plan_levels (Localcontrast * self, GError ** error)
{
  gsize size = 0;
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);

  self->n_steps = MAX ((gint) g_bit_storage (MIN (width, height)) - 2, 1);
  for (gint i = 0; i <= self->n_steps; i++) {
    Level *level = &self->levels[i];

    level->width = width;
    level->height = height;
    level->stride = GST_ROUND_UP_N (width, ALIGNMENT);
    level->offset = size;
    /* Rounds the number of rows up to an even number, because work-items always read two rows of
     * COLUMNS columns, even if only one row is left. */
    size += (gsize) level->stride * GST_ROUND_UP_2 (height);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  self->size = size;
  if (size <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "local contrast can be changed in frames of up to about %d million "
      "pixels, but these frames have %dx%d: scale them down before this "
      "element",
      G_MAXINT / 4 * 3 / 1000000, GST_VIDEO_INFO_WIDTH (&self->object.in),
      GST_VIDEO_INFO_HEIGHT (&self->object.in));
  return FALSE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Localcontrast *self = object;
  const gint *knobs = self->object.knobs;

  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y],
      self->group);
  if (!plan_levels (self, error))
    return FALSE;
  if (GST_VIDEO_INFO_IS_RGB (&self->object.in)) {
    self->colour = mgpu_colour_luma_new (self->object.context,
        &self->object.in, error);
    if (self->colour == NULL)
      return FALSE;
  }
  return mgpu_object_build (self, PLANE_SET, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  const GstVideoInfo *info = get_info (object);
  MgpuComponent c = mgpu_get_component (info, 0);

  if (set == PLANE_SET)
    return;
  mgpu_define_samples (options, &c);
  g_string_append_printf (options, " -DDEPTH=%d",
      (gint) GST_VIDEO_INFO_COMP_DEPTH (info, 0));
}

static void
curve_init (Curve * c, const Localcontrast * self,
    const MgpuLocalcontrastParams * p)
{
  const GstVideoInfo *info = get_info (self);
  gint up = GST_VIDEO_INFO_COMP_DEPTH (info, 0) - 8;

  mgpu_get_range (&self->object.in, 0, &c->low, &c->high);
  c->black = (c->low << 6) >> up;
  c->white = (c->high << 6) >> up;
  c->reach = rint (128 * p->sigma * ((c->high - c->low) >> up) / 255);
  c->inverse = rint ((1 << 29) / (gdouble) c->reach);
  c->detail = rint (256 * p->detail);
  c->shadows = rint (-128 * p->shadows);
  c->highlights = rint (128 * p->highlights);
  c->n_levels = p->levels > 0 ? p->levels : ceil (255 / p->sigma) + 1;
  c->n_levels = CLAMP (c->n_levels, 4, MAX_LEVELS);
  c->places = rint ((1 << 24) * (gdouble) (c->n_levels - 1)
      / (c->white - c->black));
}

/* Returns: the number of samples of level 0 of the frame's pyramid. The pyramids of remapped
 * frames have no level 0 and are smaller by this number. */
static gint
get_first (const Localcontrast * self)
{
  return self->levels[1].offset;
}

/* Allocates the scratch buffers of the pyramids. New buffers are filled with zeros, because
 * kernels read whole vectors, and the last vector of a row extends past the end of the row. */
static gboolean
ensure_pyramids (Localcontrast * self, GstMgpuJob * job, const Curve * curve)
{
  gsize bytes = sizeof (gint16), slack = 2 * ALIGNMENT * bytes;
  gsize size = self->size * bytes;
  gsize remapped = (gsize) (self->size - get_first (self)) * bytes;

  return mgpu_slot_ensure_zeros (self, FRAME, job, size + slack)
      && mgpu_slot_ensure_zeros (self, ANSWER, job, size + slack)
      && mgpu_slot_ensure_zeros (self, REMAPPED, job,
      remapped * curve->n_levels + slack);
}

/* Enqueues the kernel that computes level @i of each of the @n pyramids in the scratch buffer
 * @slot, from level @i - 1 of the same pyramid. @offset is subtracted from the level offsets in
 * self->levels. It is the size of level 0 for pyramids without level 0, otherwise 0. */
static void
enqueue_down (Localcontrast * self, GstMgpuJob * job, guint slot, guint n,
    gint i, gint offset)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[DOWN];
  const Level *fine = &self->levels[i - 1], *coarse = &self->levels[i];
  cl_mem memory = mgpu_slot_write (self, slot, job, 0);

  gst_mgpu_job_set_args (job, kernel, "miiiimiii", memory,
      fine->offset - offset, fine->stride, fine->width, fine->height, memory,
      coarse->offset - offset, coarse->stride, self->size - offset);
  mgpu_launch_planes (job, kernel, n, coarse->stride, coarse->height,
      knobs[SPAN], knobs[ROWS], self->group);
}

/* Enqueues the kernels that compute the pyramid of the frame and the pyramids of the remapped
 * frames, without level 0. Level 0 of the frame's pyramid must have been computed. */
static void
enqueue_pyramids (Localcontrast * self, GstMgpuJob * job, const Curve * curve)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[REMAP];
  const Level *levels = self->levels;
  gint first = get_first (self);

  for (gint i = 1; i < self->n_steps; i++)
    enqueue_down (self, job, FRAME, 1, i, 0);
  gst_mgpu_job_set_args (job, kernel, "miiimiii" CURVE,
      mgpu_slot_read (self, FRAME, job), levels[0].stride, levels[0].width,
      levels[0].height, mgpu_slot_write (self, REMAPPED, job, 0), 0,
      levels[1].stride, self->size - first, CURVE_OF (curve));
  mgpu_launch_planes (job, kernel, curve->n_levels, levels[1].stride,
      levels[1].height, knobs[SPAN], knobs[ROWS], self->group);
  for (gint i = 2; i <= self->n_steps; i++)
    enqueue_down (self, job, REMAPPED, curve->n_levels, i, first);
}

#define LEVELS "miiiimiiiimi"
/* Macros for gst_mgpu_job_set_args(): types and values of the arguments that describe the input
 * levels for level @i of the output pyramid. Pyramids of remapped frames have no level 0. */
#define LEVELS_OF(self, job, i) \
    mgpu_slot_read (self, FRAME, job), (self)->levels[i].offset, \
    (self)->levels[i].stride, (self)->levels[i].width, \
    (self)->levels[i].height, mgpu_slot_read (self, REMAPPED, job), \
    (i) > 0 ? (self)->levels[i].offset - get_first (self) : 0, \
    (self)->levels[(i) + 1].offset - get_first (self), \
    (self)->levels[(i) + 1].stride, (self)->size - get_first (self), \
    mgpu_slot_read (self, ANSWER, job), (self)->levels[(i) + 1].offset

/* Enqueues the kernels that compute all levels of the output pyramid except level 0. */
static void
enqueue_answer (Localcontrast * self, GstMgpuJob * job, const Curve * curve)
{
  cl_kernel collapse = self->object.kernels[COLLAPSE];

  for (gint i = self->n_steps - 1; i > 0; i--) {
    gst_mgpu_job_set_args (job, collapse, LEVELS "ii" CURVE "mi",
        LEVELS_OF (self, job, i), curve->places, i < self->n_steps - 1,
        CURVE_OF (curve), mgpu_slot_write (self, ANSWER, job, 0),
        self->levels[i].offset);
    mgpu_launch (job, collapse, self->levels[i].width, self->levels[i].height,
        COLUMNS, ROWS_OF_QUADS, self->group);
  }
}

/* Enqueues the kernel that adds the output pyramid to a frame, or to the part of a frame
 * that @work describes. */
static void
enqueue_store (Localcontrast * self, GstMgpuJob * job, const Curve * curve,
    const MgpuWork * work)
{
  cl_kernel kernel = self->object.kernels[STORE];
  MgpuComponent c = mgpu_get_component (&work->in->info, 0);
  MgpuComponent to = mgpu_get_component (&work->out->info, 0);
  MgpuPlace place = mgpu_get_place (&self->object.in, 0, work->part);

  gst_mgpu_job_set_args (job, kernel, LEVELS "ii" CURVE MGPU_PLANE MGPU_PLANE
      "iiiiiii", LEVELS_OF (self, job, 0), curve->places, self->n_steps > 1,
      CURVE_OF (curve), MGPU_READ (job, work->in, c),
      MGPU_WRITE (job, work->out, to), c.position, curve->low, curve->high,
      place.x, place.y, place.x + place.width, place.y + place.height);
  mgpu_launch (job, kernel, c.width, c.height, COLUMNS, ROWS_OF_QUADS,
      self->group);
}

/* Enqueues the kernels that compute the pyramids of the first component of @in, which is a frame
 * or a luma image of a frame. */
static void
enqueue_frame (Localcontrast * self, GstMgpuJob * job, const Curve * curve,
    const MgpuImage * in)
{
  cl_kernel kernel = self->object.kernels[LOAD];
  MgpuComponent c = mgpu_get_component (&in->info, 0);

  if (!ensure_pyramids (self, job, curve))
    return;
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iiimi",
      MGPU_READ (job, in, c), c.position, c.width, c.height,
      mgpu_slot_write (self, FRAME, job, 0), self->levels[0].stride);
  mgpu_launch (job, kernel, c.width, c.height, VECTOR, 1, self->group);
  enqueue_pyramids (self, job, curve);
  enqueue_answer (self, job, curve);
}

/* Enqueues all kernels that process the first component of work->in and write the first
 * component of work->out. When @work describes a part of a frame, the pyramids exist already: an
 * earlier call for the whole frame, with work->out NULL, computed them. */
static void
enqueue_luma (Localcontrast * self, GstMgpuJob * job, const MgpuWork * work)
{
  Curve curve;

  curve_init (&curve, self, work->params);
  if (work->part == NULL)
    enqueue_frame (self, job, &curve, work->in);
  if (work->out != NULL && job->error == NULL)
    enqueue_store (self, job, &curve, work);
}

static void
enqueue_rgb (Localcontrast * self, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuWork luma_work = *work;
  MgpuImage luma[2];

  if (!mgpu_colour_luma_split (self->colour, job, work->in, luma))
    return;
  luma_work.in = &luma[0];
  luma_work.out = work->out != NULL ? &luma[1] : NULL;
  enqueue_luma (self, job, &luma_work);
  if (work->out != NULL)
    mgpu_colour_luma_join (self->colour, job, work->in, luma, work->out);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Localcontrast *self = object;
  MgpuComponent c = mgpu_get_component (&work->in->info, 0);

  if (self->colour != NULL) {
    enqueue_rgb (self, job, work);
    return;
  }
  /* Copies the planes that the kernels do not write, that is, the chroma planes. In packed
   * formats such as YUY2, the luma plane also contains chroma and must be copied as well. */
  if (work->out != NULL)
    mgpu_image_copy_planes (job, work->in, work->out,
        c.pixel_stride > c.bytes ? ~0u : ~1u);
  enqueue_luma (self, job, work);
}

static gboolean
passes (gconstpointer params)
{
  const MgpuLocalcontrastParams *p = params;

  return p->detail == 0 && p->shadows == 0 && p->highlights == 0;
}

static void
clear (gpointer object)
{
  mgpu_object_free (((Localcontrast *) object)->colour);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuLocalcontrastParams, name)

static const MgpuParam params[] = {
  {"detail", MGPU_PARAM_DOUBLE, MEMBER (detail), -1, 4, 0.5, NULL,
      "Relative increase of detail, that is, of small differences between "
        "samples (-1 = detail is removed, 0 = unchanged)"},
  {"shadows", MGPU_PARAM_DOUBLE, MEMBER (shadows), -1, 1, 0, NULL,
      "Relative brightening of dark areas (0 = unchanged, below 0 = darker)"},
  {"highlights", MGPU_PARAM_DOUBLE, MEMBER (highlights), -1, 1, 0, NULL,
      "Relative brightening of bright areas (0 = unchanged, below 0 = darker)"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 4, 127, 30, NULL,
      "Maximum difference between samples that counts as detail, on the 8-bit "
        "scale"},
  {"levels", MGPU_PARAM_UINT, MEMBER (levels), 0, MAX_LEVELS, 0, NULL,
      "Number of gray levels, at least 4, for which the remapped frame is "
        "computed; between these levels, results are interpolated (0 = as many "
        "levels as sigma needs)"},
  {NULL}
};

const MgpuAlgorithm mgpu_localcontrast = {
  .size = sizeof (Localcontrast),
  .params_size = sizeof (MgpuLocalcontrastParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .passes = passes,
  .reach = mgpu_reach_nothing,
  .surveys = TRUE,
  .clear = clear
};

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces the noise of a video by averaging over time and space. */
#include "denoise.h"

#include <math.h>

#include <kernels/denoise/denoise-shared.h>

#include "source.h"

/* Number of unused samples after each row of a plane; the last vector of 16 of a row may extend
 * into them */
#define SLACK 32

#define MAX_COMPONENTS 3

enum
{
  LANES,
  ROWS,
  SPAN,
  GROUP_X,
  GROUP_Y,
  GROUP
};

static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, "1 16", "number of samples in a vector"},
  {"ROWS", {16, 4, 4}, "1 2 4 8 16 32",
      "number of rows in which a work-item finds motion"},
  {"SPAN", {16, 1, 1}, "1 4 16 64 128",
      "number of vectors of a row that a work-item processes"},
  {"GROUP_X", {1, 32, 32}, "1 16 32 64",
      "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 8, 8}, "1 2 4 8", "height of a work-group, in work-items"},
  {"GROUP", {1, 256, 256}, "1 64 128 256",
      "number of work-items that estimate the noise"},
  {NULL}
};

enum
{
  COMPARE,
  MOTION,
  JOIN,
  UPDATE,
  SMOOTH,
  MEASURE,
  ESTIMATE,
  MOVE,
  WEIGH,
  CHOOSE,
  TAKE_BACK,
  MEASURE_ALONG
};

/* Numbers of the sets of kernels. All kernels of a set are compiled together. */
enum
{
  FILTER_SET,
  NOISE_SET,
  MOVE_SET
};

static const MgpuKernel kernels[] = {
  [COMPARE] = {"denoise/denoise", "denoise_compare", FILTER_SET},
  [MOTION] = {"denoise/denoise", "denoise_motion", FILTER_SET},
  [JOIN] = {"denoise/denoise", "denoise_join", FILTER_SET},
  [UPDATE] = {"denoise/denoise", "denoise_update", FILTER_SET},
  [SMOOTH] = {"denoise/denoise", "denoise_smooth", FILTER_SET},
  [MEASURE] = {"denoise/noise", "denoise_measure", NOISE_SET},
  [ESTIMATE] = {"denoise/noise", "denoise_estimate", NOISE_SET},
  [MOVE] = {"denoise/move", "denoise_move", MOVE_SET},
  [WEIGH] = {"denoise/move", "denoise_weigh", MOVE_SET},
  [CHOOSE] = {"denoise/move", "denoise_choose", MOVE_SET},
  [TAKE_BACK] = {"denoise/move", "denoise_take_back", MOVE_SET},
  [MEASURE_ALONG] = {"denoise/noise", "denoise_measure_along", NOISE_SET},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. Each color component has two planes of running means of samples (MEANS), and two
 * planes of the numbers of frames in these means (COUNTS). One of the two planes was written
 * for the last frame, the other is written for this frame. */
enum
{
  MEANS,
  COUNTS = MEANS + 2 * MAX_COMPONENTS,
  MOTIONS = COUNTS + 2 * MAX_COMPONENTS,        /* motion at each sample; one plane for each
                                                 * color component */
  DIFFERENCES = MOTIONS + MAX_COMPONENTS,       /* differences between a frame and the running
                                                 * means, for the color component that is being
                                                 * processed */
  BEFORE,                       /* luma of the last frame, or green of an RGB frame, converted
                                 * to 8 bits */
  BINS_SLOT,
  NOISE_SLOT,

  /* With motion=flow only: running means and counts of the last frame that were moved along the
   * flow, one plane for each color component; differences from these means; sums of differences and
   * choices of the cells; flow that the object measures, its confidence, and luma of RGB frames */
  MOVED_MEANS,
  MOVED_COUNTS = MOVED_MEANS + MAX_COMPONENTS,
  MOVED_DIFFERENCES = MOVED_COUNTS + MAX_COMPONENTS,
  CELL_SUMS,
  CHOICES,
  FLOW_SLOTS,
  N_SLOTS = FLOW_SLOTS + MGPU_DENOISE_SOURCE_N_SLOTS
};

typedef struct
{
  MgpuObject object;
  gsize group[2];               /* number of work-items, in x and y, of a work-group of most
                                 * kernels */
  gboolean has_past;
  guint old;                    /* index, 0 or 1, of the planes of running means and counts that
                                 * were written for the last frame */
  MgpuDenoisePlanes planes;     /* value of the parameter @planes in the last frame */
  gboolean is_moved;            /* whether the running means of the last frame were moved along the
                                 * flow to the frame that is being processed */
  MgpuDenoiseSource source;     /* source of the optical flow */
} Denoise;

/* The parameters for one frame, in the fixed-point units of the kernels. */
typedef struct
{
  guint n_components;
  gint base, strength, spatial, limit;
  guint copied;                 /* bit i is set if plane i is copied before the color
                                 * components are filtered */
  GstMgpuMemory *flow;          /* flow field to the last frame; NULL: the running means are not
                                 * moved */
  MgpuFlowSize flow_size;
} Frame;

#define FRAME MGPU_PLANE "iiii"
#define FRAME_OF(job, image, c) \
    gst_mgpu_job_read (job, (image)->memory), (c)->offset - (c)->position, \
    (c)->stride, (c)->pixel_stride, (c)->position, (c)->width, (c)->height

/* The component whose running means determine the noise of another component (LIGHT in
 * kernels/denoise/denoise.h), the length of a row of these means, and the number of means that each
 * sample covers */
typedef struct
{
  guint component;
  gint stride, shift_x, shift_y;
} Light;

#define LIGHT "miii"
#define LIGHT_OF(memory, light) \
    memory, (light).stride, (light).shift_x, (light).shift_y

static gint
round_up (gint value)
{
  return (value + 15) / 16 * 16;
}

static gint
plane_stride (const MgpuComponent * c)
{
  return round_up (c->width) + SLACK;
}

static gsize
plane_samples (const MgpuComponent * c)
{
  /* Adds memory after the last row, for a vector that begins at the last column of this row. */
  return (gsize) plane_stride (c) * (c->height + 2 * MARGIN) + SLACK;
}

/* Returns: the component whose running means determine the noise of color component @component:
 * luma for chroma, otherwise the component itself */
static Light
get_light (const GstVideoInfo * info, guint component)
{
  const GstVideoFormatInfo *format = info->finfo;
  MgpuComponent luma = mgpu_get_component (info, 0);

  if (component == 0 || GST_VIDEO_INFO_IS_RGB (info))
    return (Light) {
    component, 0, OWN, 0};
  return (Light) {
  0, plane_stride (&luma), (gint) format->w_sub[component],
        (gint) format->h_sub[component]};
}

/* Launches a kernel. Each of its work-items processes SPAN vectors of one row. */
static void
launch (Denoise * self, GstMgpuJob * job, guint kernel, gint width, gint height)
{
  const gint *knobs = self->object.knobs;

  mgpu_launch (job, self->object.kernels[kernel], width, height,
      knobs[LANES] * knobs[SPAN], 1, self->group);
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  const MgpuDenoiseParams *p = params;
  Denoise *self = object;
  gint *knobs = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  while (knobs[GROUP] > limit)
    knobs[GROUP] /= 2;
  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y],
      self->group);
  return mgpu_object_build (self, NOISE_SET, error) && (p == NULL
      || p->motion == MGPU_DENOISE_NONE
      || (mgpu_denoise_source_make (&self->source, object, error)
          && mgpu_object_build (self, MOVE_SET, error)));
}

static void
define (gpointer object, guint set, GString * options)
{
  const GstVideoInfo *info = &((MgpuObject *) object)->in;
  MgpuComponent c = mgpu_get_component (info, 0);

  /* Describes samples of running means instead of samples of frames, because the kernels of this
   * set read running means. */
  if (set == MOVE_SET) {
    g_string_append (options, " -DBYTES=2 -DMAX=32767");
    return;
  }
  g_string_append_printf (options, " -DBYTES=%d -DDEPTH=%d -DSHIFT=%u",
      c.bytes, (gint) GST_VIDEO_INFO_COMP_DEPTH (info, 0), c.shift);
}

/* ---- Measuring the noise --------------------------------------------------- */

/* Enqueues the kernel that adds the differences from the last frame along the flow to the
 * histogram. @c: the color component in which noise is measured */
static void
enqueue_measure_along (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame, const MgpuComponent * c)
{
  const MgpuFlowSize *size = &frame->flow_size;
  gint columns = self->object.knobs[LANES] == 1 ? BLOCK : 2 * BLOCK;
  gint shift = GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0) - 8;

  gst_mgpu_job_set_args (job, self->object.kernels[MEASURE_ALONG],
      FRAME "mimiimiii", FRAME_OF (job, in, c),
      mgpu_slot_read (self, BEFORE, job), round_up (c->width),
      mgpu_slot_write (self, BINS_SLOT, job, 0), c->lo >> shift,
      c->hi >> shift, gst_mgpu_job_read (job, frame->flow), size->width,
      size->height, size->shift);
  mgpu_launch (job, self->object.kernels[MEASURE_ALONG], c->width, c->height,
      columns, BLOCK, self->group);
}

static void
enqueue_noise (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame)
{
  const cl_kernel *kernels = self->object.kernels;
  gsize group = self->object.knobs[GROUP];
  gint columns = self->object.knobs[LANES] == 1 ? BLOCK : 2 * BLOCK;
  /* Measures the noise in luma, or in green of RGB frames: camera sensors have more green
   * samples than red or blue ones. */
  MgpuComponent c = mgpu_get_component (&in->info,
      GST_VIDEO_INFO_IS_RGB (&in->info) ? 1 : 0);
  gint stride = round_up (c.width);
  gint shift = GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0) - 8;
  gboolean is_empty = !self->has_past || c.width < BLOCK || c.height < BLOCK;
  cl_mem bins;

  if (!mgpu_slot_ensure (self, BEFORE, job, (gsize) stride * c.height)
      || !mgpu_slot_ensure_zeros (self, BINS_SLOT, job,
          CLASSES * BINS * sizeof (gint32))
      || !mgpu_slot_ensure_zeros (self, NOISE_SLOT, job,
          N_WORDS * sizeof (gint32)))
    return;
  if (frame->flow != NULL)
    enqueue_measure_along (self, job, in, frame, &c);
  bins = mgpu_slot_write (self, BINS_SLOT, job, 0);
  gst_mgpu_job_set_args (job, kernels[MEASURE], FRAME "mimiii",
      FRAME_OF (job, in, &c), mgpu_slot_write (self, BEFORE, job, 0), stride,
      bins, !self->has_past || frame->flow != NULL, c.lo >> shift,
      c.hi >> shift);
  mgpu_launch (job, kernels[MEASURE], c.width, c.height, columns, BLOCK,
      self->group);
  gst_mgpu_job_set_args (job, kernels[ESTIMATE], "mmiiiiiii", bins,
      mgpu_slot_write (self, NOISE_SLOT, job, 0), is_empty, !self->has_past,
      frame->base, frame->strength, frame->spatial, c.lo >> shift,
      c.hi >> shift);
  mgpu_launch_items (job, kernels[ESTIMATE], group, group);
}

/* ---- Finding motion -------------------------------------------------------- */

/* Returns: the slot of the running means of the last frame for color component @component, moved
 * along the flow if @is_moved is set */
static guint
get_means (const Denoise * self, guint component, gboolean is_moved)
{
  return is_moved ? MOVED_MEANS + component : MEANS + 2 * component + self->old;
}

/* Returns: the slot of the counts of frames in these running means */
static guint
get_counts (const Denoise * self, guint component, gboolean is_moved)
{
  return is_moved ? MOVED_COUNTS + component
      : COUNTS + 2 * component + self->old;
}

/* Enqueues the kernel that writes the differences between color component @component of the frame
 * @in and its means to the slot @differences. @is_moved: whether to use the means that were moved
 * along the flow */
static void
enqueue_compare (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, gboolean is_moved, guint differences)
{
  MgpuComponent c = mgpu_get_component (&in->info, component);
  Light light = get_light (&in->info, component);
  gint stride = plane_stride (&c);

  gst_mgpu_job_set_args (job, self->object.kernels[COMPARE],
      FRAME "mmi" LIGHT "m", FRAME_OF (job, in, &c),
      mgpu_slot_read (self, get_means (self, component, is_moved), job),
      mgpu_slot_write (self, differences, job,
          plane_samples (&c) * sizeof (guint16)), stride,
      LIGHT_OF (mgpu_slot_read (self, get_means (self, light.component,
                  is_moved), job), light),
      mgpu_slot_read (self, NOISE_SLOT, job));
  launch (self, job, COMPARE, stride, c.height + 2 * MARGIN);
}

/* Enqueues the kernels that find motion at each sample of color component @component of
 * the frame @in, and write it to the scratch buffer MOTIONS + @component. */
static void
enqueue_motion (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    guint component)
{
  const cl_kernel *kernels = self->object.kernels;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  gint stride = plane_stride (&c);

  enqueue_compare (self, job, in, component, self->is_moved, DIFFERENCES);
  gst_mgpu_job_set_args (job, kernels[MOTION], "mimiii",
      mgpu_slot_read (self, DIFFERENCES, job), stride,
      mgpu_slot_write (self, MOTIONS + component, job, 0), stride, c.width,
      c.height);
  mgpu_launch (job, kernels[MOTION], c.width, c.height,
      self->object.knobs[LANES], self->object.knobs[ROWS], self->group);
}

/* Enqueues a kernel that raises the motion of color component @component. At each sample, the
 * new value is the larger of its motion and the motion of color component @other. This
 * component has the same size or is luma. */
static void
enqueue_join (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, guint other)
{
  const GstVideoFormatInfo *format = in->info.finfo;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  MgpuComponent from = mgpu_get_component (&in->info, other);

  gst_mgpu_job_set_args (job, self->object.kernels[JOIN], "miiimiiii",
      mgpu_slot_write (self, MOTIONS + component, job, 0), plane_stride (&c),
      c.width, c.height, mgpu_slot_read (self, MOTIONS + other, job),
      plane_stride (&from), from.height,
      (gint) (format->w_sub[component] - format->w_sub[other]),
      (gint) (format->h_sub[component] - format->h_sub[other]));
  launch (self, job, JOIN, c.width, c.height);
}

static void
enqueue_motions (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame)
{
  for (guint i = 0; i < frame->n_components; i++)
    enqueue_motion (self, job, in, i);
  if (GST_VIDEO_INFO_IS_RGB (&in->info)) {
    /* Computes the largest motion of R, G and B in component 0. All three components then use
     * it. */
    enqueue_join (self, job, in, 0, 1);
    enqueue_join (self, job, in, 0, 2);
  } else {
    for (guint i = 1; i < frame->n_components; i++)
      enqueue_join (self, job, in, i, 0);
  }
}

/* ---- Following motion ------------------------------------------------------ */

/* Allocates the planes of a color component for running means and counts that are moved.
 * Returns: FALSE after an error, which is in @job */
static gboolean
ensure_moved (Denoise * self, GstMgpuJob * job, const MgpuComponent * c,
    guint component)
{
  gsize n = plane_samples (c);

  return mgpu_slot_ensure_zeros (self, MOVED_MEANS + component, job,
      n * sizeof (guint16))
      && mgpu_slot_ensure_zeros (self, MOVED_COUNTS + component, job, n);
}

/* Enqueues the kernel that moves the means and counts of color component @component along the
 * flow. */
static void
enqueue_move (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame, guint component)
{
  const MgpuFlowSize *size = &frame->flow_size;
  const GstVideoFormatInfo *format = in->info.finfo;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  gint stride = plane_stride (&c);

  if (!ensure_moved (self, job, &c, component))
    return;
  gst_mgpu_job_set_args (job, self->object.kernels[MOVE], "mmmmiiimiiiii",
      mgpu_slot_read (self, get_means (self, component, FALSE), job),
      mgpu_slot_read (self, get_counts (self, component, FALSE), job),
      mgpu_slot_write (self, get_means (self, component, TRUE), job, 0),
      mgpu_slot_write (self, get_counts (self, component, TRUE), job, 0),
      stride, c.width, c.height, gst_mgpu_job_read (job, frame->flow),
      size->width, size->height, size->shift, (gint) format->w_sub[component],
      (gint) format->h_sub[component]);
  launch (self, job, MOVE, c.width + 2 * MARGIN, c.height + 2 * MARGIN);
}

/* Enqueues the kernels that decide, for each cell, whether the running means are moved. The
 * decision depends on the differences of luma or green. Returns: number of cells in a row */
static gint
enqueue_choice (Denoise * self, GstMgpuJob * job, const MgpuImage * in)
{
  const cl_kernel *kernels = self->object.kernels;
  guint component = GST_VIDEO_INFO_IS_RGB (&in->info) ? 1 : 0;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  gint columns = (c.width + CELL - 1) / CELL;
  gint rows = (c.height + CELL - 1) / CELL;
  gsize n = (gsize) columns * rows;

  enqueue_compare (self, job, in, component, FALSE, DIFFERENCES);
  enqueue_compare (self, job, in, component, TRUE, MOVED_DIFFERENCES);
  gst_mgpu_job_set_args (job, kernels[WEIGH], "mmiiimi",
      mgpu_slot_read (self, DIFFERENCES, job),
      mgpu_slot_read (self, MOVED_DIFFERENCES, job), plane_stride (&c), c.width,
      c.height, mgpu_slot_write (self, CELL_SUMS, job, n * sizeof (cl_int2)),
      columns);
  launch (self, job, WEIGH, columns, rows);
  gst_mgpu_job_set_args (job, kernels[CHOOSE], "mmiiii",
      mgpu_slot_read (self, CELL_SUMS, job),
      mgpu_slot_write (self, CHOICES, job, n), c.width, c.height, columns,
      rows);
  launch (self, job, CHOOSE, columns, rows);
  return columns;
}

/* Enqueues the kernels that move the running means of the last frame along the flow to the frame
 * @in, where the moved means are closer to the frame than the means that were not moved. */
static void
enqueue_moves (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame)
{
  const GstVideoFormatInfo *format = in->info.finfo;
  gint columns;

  for (guint i = 0; i < frame->n_components; i++)
    enqueue_move (self, job, in, frame, i);
  columns = enqueue_choice (self, job, in);
  for (guint i = 0; i < frame->n_components; i++) {
    MgpuComponent c = mgpu_get_component (&in->info, i);

    gst_mgpu_job_set_args (job, self->object.kernels[TAKE_BACK], "mmmmiiimiii",
        mgpu_slot_read (self, get_means (self, i, FALSE), job),
        mgpu_slot_read (self, get_counts (self, i, FALSE), job),
        mgpu_slot_write (self, get_means (self, i, TRUE), job, 0),
        mgpu_slot_write (self, get_counts (self, i, TRUE), job, 0),
        plane_stride (&c), c.width, c.height,
        mgpu_slot_read (self, CHOICES, job), columns, (gint) format->w_sub[i],
        (gint) format->h_sub[i]);
    launch (self, job, TAKE_BACK, c.width + 2 * MARGIN, c.height + 2 * MARGIN);
  }
}

/* ---- Filtering a frame ----------------------------------------------------- */

/* Allocates the planes of a color component for running means, counts of frames and motion.
 * Returns: FALSE after an error, which is in @job */
static gboolean
ensure_planes (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    guint component)
{
  MgpuComponent c = mgpu_get_component (&in->info, component);
  gsize n = plane_samples (&c);

  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_ensure_zeros (self, MEANS + 2 * component + i, job,
            n * sizeof (guint16))
        || !mgpu_slot_ensure_zeros (self, COUNTS + 2 * component + i, job, n))
      return FALSE;
  return mgpu_slot_ensure_zeros (self, MOTIONS + component, job, n);
}

/* Enqueues the kernel that computes the new running means of a color component, and the new counts
 * of frames. It reads the old means and counts, and the frame @in. */
static void
enqueue_update (Denoise * self, GstMgpuJob * job, const MgpuImage * in,
    const Frame * frame, guint component)
{
  const cl_kernel *kernels = self->object.kernels;
  guint motion = MOTIONS + (GST_VIDEO_INFO_IS_RGB (&in->info) ? 0 : component);
  guint means = MEANS + 2 * component, counts = COUNTS + 2 * component;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  gint stride = plane_stride (&c);

  gst_mgpu_job_set_args (job, kernels[UPDATE], FRAME "mmmmimiii",
      FRAME_OF (job, in, &c),
      mgpu_slot_read (self, get_means (self, component, self->is_moved), job),
      mgpu_slot_read (self, get_counts (self, component, self->is_moved), job),
      mgpu_slot_write (self, means + !self->old, job, 0),
      mgpu_slot_write (self, counts + !self->old, job, 0), stride,
      mgpu_slot_read (self, motion, job), stride, frame->limit,
      !self->has_past);
  launch (self, job, UPDATE, stride, c.height + 2 * MARGIN);
}

/* Enqueues the kernel that computes color component @component of the frame work->out. It
 * reads the running means and counts of frames in the planes with the index @now, 0 or 1. */
static void
enqueue_smooth (Denoise * self, GstMgpuJob * job, const MgpuWork * work,
    const Frame * frame, guint component, guint now)
{
  const cl_kernel *kernels = self->object.kernels;
  MgpuComponent c = mgpu_get_component (&work->in->info, component);
  MgpuComponent to = mgpu_get_component (&work->out->info, component);
  MgpuComponent whole = mgpu_get_component (&self->object.in, component);
  MgpuPlace place = mgpu_get_place (&self->object.in, component, work->part);
  Light light = get_light (&self->object.in, component);
  gint stride = plane_stride (&whole);

  gst_mgpu_job_set_args (job, kernels[SMOOTH],
      FRAME "mmii" MGPU_PLANE "mi" LIGHT "i",
      FRAME_OF (job, work->in, &c),
      mgpu_slot_read (self, MEANS + 2 * component + now, job),
      mgpu_slot_read (self, COUNTS + 2 * component + now, job), stride,
      place.y * stride + place.x, MGPU_WRITE (job, work->out, to),
      mgpu_slot_read (self, NOISE_SLOT, job), frame->spatial > 0,
      LIGHT_OF (mgpu_slot_read (self, MEANS + 2 * light.component + now, job),
          light), light.shift_x == OWN ? 0
      : (place.y << light.shift_y) * light.stride + (place.x << light.shift_x));
  launch (self, job, SMOOTH, c.width, c.height);
}

static void
forget (gpointer object)
{
  Denoise *self = object;

  self->has_past = FALSE;
  mgpu_denoise_source_forget (&self->source);
}

/* Finds the planes that have to be copied because no kernel writes all their bytes: chroma that
 * is not filtered, alpha, and unused bytes of pixels. Returns: a mask; bit i is set if plane i
 * has to be copied */
static guint
get_copied (const GstVideoInfo * info, gboolean is_whole)
{
  gboolean is_packed = GST_VIDEO_INFO_N_PLANES (info) == 1
      && GST_VIDEO_INFO_N_COMPONENTS (info) > 1;

  if (is_packed)
    return GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 3 ? 0 : 1;
  return is_whole ? 0 : ~1u;
}

static void
frame_init (Frame * frame, const MgpuDenoiseParams * params,
    const GstVideoInfo * info)
{
  gboolean is_whole = params->planes == MGPU_DENOISE_ALL
      || GST_VIDEO_INFO_N_COMPONENTS (info) == 1
      || GST_VIDEO_INFO_IS_RGB (info);

  frame->n_components = is_whole
      ? MIN (GST_VIDEO_INFO_N_COMPONENTS (info), MAX_COMPONENTS) : 1;
  frame->base = rint (16.0 * params->noise);
  frame->strength = rint (256.0 * params->strength);
  frame->spatial = rint (16.0 * params->spatial);
  frame->limit = MIN (16 * params->frames, 255);
  frame->flow = NULL;
  frame->flow_size = (MgpuFlowSize) {
  0, 0, 0};
  frame->copied = get_copied (info, is_whole);
}

/* Enqueues the kernels that measure the noise and the motion of the whole frame
 * work->in. */
static void
begin (Denoise * self, GstMgpuJob * job, const MgpuWork * work, Frame * frame)
{
  const MgpuDenoiseParams *params = work->params;

  if (self->planes != params->planes)
    forget (self);
  self->planes = params->planes;
  for (guint i = 0; i < frame->n_components; i++)
    if (!ensure_planes (self, job, work->in, i))
      break;
  if (params->motion == MGPU_DENOISE_FLOW
      && mgpu_object_ensure (self, MOVE_SET, job))
    frame->flow = mgpu_denoise_source_get (&self->source, self, FLOW_SLOTS, job,
        work->in, &frame->flow_size);
  else
    mgpu_denoise_source_drop (&self->source);
  if (!self->has_past)
    frame->flow = NULL;
  self->is_moved = frame->flow != NULL;
  enqueue_noise (self, job, work->in, frame);
  if (self->is_moved)
    enqueue_moves (self, job, work->in, frame);
  if (self->has_past)
    enqueue_motions (self, job, work->in, frame);
  /* Releases the buffer here, so that mgpuflow can use its memory again; the job keeps the memory
   * as long as needed. */
  g_clear_pointer (&self->source.given, gst_memory_unref);
}

/* Enqueues the kernels that filter a frame or a part of a frame. For a part, the kernels use
 * the running means, counts and noise of the whole frame. These were computed by an earlier
 * call, with a NULL work->out. */
static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Denoise *self = object;
  const MgpuDenoiseParams *params = work->params;
  gboolean is_whole = work->part == NULL;
  guint now = is_whole ? !self->old : self->old;
  Frame frame;

  frame_init (&frame, params, &work->in->info);
  if (work->out != NULL)
    mgpu_image_copy_planes (job, work->in, work->out, frame.copied);
  if (is_whole)
    begin (self, job, work, &frame);
  for (guint i = 0; i < frame.n_components; i++) {
    if (is_whole)
      enqueue_update (self, job, work->in, &frame, i);
    if (work->out != NULL)
      enqueue_smooth (self, job, work, &frame, i, now);
  }
  self->old = now;
  self->has_past = TRUE;
  if (job->error != NULL)
    forget (self);
}

static gboolean
passes (gconstpointer params)
{
  return ((const MgpuDenoiseParams *) params)->strength == 0;
}

static gboolean
remembers (gconstpointer params)
{
  return TRUE;
}

static void
look (gpointer object, gconstpointer params, GstBuffer * in)
{
  const MgpuDenoiseParams *p = params;
  Denoise *self = object;

  mgpu_denoise_source_look (&self->source, self->object.context, in,
      p->motion == MGPU_DENOISE_FLOW, !passes (params));
}

static void
clear (gpointer object)
{
  mgpu_denoise_source_clear (&((Denoise *) object)->source);
}

/* ---- Handling of parameters ------------------------------------------------- */

static const MgpuEnumValue planes_values[] = {
  {MGPU_DENOISE_LUMA, "Luma; chroma is copied", "luma"},
  {MGPU_DENOISE_ALL, "Luma and chroma", "all"},
  {0}
};

static const MgpuEnum planes = { "GstMgpuDenoisePlanes", planes_values };

static const MgpuEnumValue motion_values[] = {
  {MGPU_DENOISE_NONE, "Averages over time only where nothing moves", "none"},
  {MGPU_DENOISE_FLOW, "Also averages moving content over time, along the "
        "optical flow of an upstream mgpuflow, or else of the element itself",
      "flow"},
  {0}
};

static const MgpuEnum motion = { "GstMgpuDenoiseMotion", motion_values };

#define MEMBER(name) G_STRUCT_OFFSET (MgpuDenoiseParams, name)

static const MgpuParam params[] = {
  {"strength", MGPU_PARAM_DOUBLE, MEMBER (strength), 0, 4, 1, NULL,
      "Strength: factor by which the given or measured standard deviation of "
        "the noise is multiplied (0 = frames unchanged)"},
  {"noise", MGPU_PARAM_DOUBLE, MEMBER (noise), 0, 32, 0, NULL,
      "Standard deviation of the noise, on the 8-bit scale for any bit depth "
        "(0 = the noise is measured)"},
  {"spatial", MGPU_PARAM_DOUBLE, MEMBER (spatial), 0, 8, 3, NULL,
      "Neighboring samples are averaged if they differ by less than this "
        "multiple of the standard deviation of the noise that remains after "
        "the temporal average (0 = no spatial average)"},
  {"frames", MGPU_PARAM_UINT, MEMBER (frames), 1, 16, 8, NULL,
      "Maximum number of frames over which the temporal average is taken where "
        "nothing moves"},
  {"planes", MGPU_PARAM_ENUM, MEMBER (planes), 0, 0, MGPU_DENOISE_ALL, &planes,
      "Which planes of YUV frames are filtered; all planes of RGB frames are filtered"},
  {"motion", MGPU_PARAM_ENUM, MEMBER (motion), 0, 0, MGPU_DENOISE_NONE, &motion,
      "How the average over time treats moving content"},
  {NULL}
};

const MgpuAlgorithm mgpu_denoise = {
  .size = sizeof (Denoise),
  .params_size = sizeof (MgpuDenoiseParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .passes = passes,
  .look = look,
  .reach = mgpu_reach_nothing,
  .surveys = TRUE,
  .remembers = remembers,
  .forget = forget,
  .clear = clear
};

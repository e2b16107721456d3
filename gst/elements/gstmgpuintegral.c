/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuintegral
 * @title: mgpuintegral
 * @short_description: attaches integral images, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstMgpuIntegralMeta. It has a table of luma from which the sum
 * of any rectangle is computed with four look-ups. On request it also has a table of squared
 * values, for variances.
 *
 * With #GstMgpuIntegral:box-radius, the element is a box filter whose computation time does not
 * depend on the radius.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuintegral box-radius=12 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpufilter.h>

#include <gst/vision/colour/alpha.h>
#include <gst/vision/integral/integral.h>

#include "elements.h"
#include "gstmgpuluma.h"

#define MAX_BOX_RADIUS 32768

#define MAX_COMPONENTS 3

typedef struct
{
  gboolean squared;
  guint box_radius;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"squared", MGPU_PARAM_BOOLEAN, MEMBER (squared), 0, 1, FALSE, NULL,
      "Whether to attach the integral image of the squared values in addition "
      "to that of the values"},
  {"box-radius", MGPU_PARAM_UINT, MEMBER (box_radius), 0, MAX_BOX_RADIUS, 0,
      NULL, "Radius of the box filter in pixels (0 = frames pass unchanged)"},
  {NULL}
};

#define GST_TYPE_MGPU_INTEGRAL (gst_mgpu_integral_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuIntegral, gst_mgpu_integral, GST,
    MGPU_INTEGRAL, GstMgpuFilter);

struct _GstMgpuIntegral
{
  GstMgpuFilter parent;

  GstMgpuLuma luma;
  MgpuIntegral *integral;       /* object with the kernels that compute the integral
                                 * images of luma */
  GstBufferPool *sum_pool, *squared_pool;

  /* Members of the box filter: for each color component, an object and the device memory of an
   * integral image, which is reused for each frame. The first object exists only for RGB: in
   * other formats, component 0 is luma, and @integral computes its integral image. For frames
   * with alpha, @alpha splits the frame into planes, and the first object processes all planes;
   * @alpha is NULL for other formats. */
  MgpuIntegral *components[MAX_COMPONENTS];
  GstMemory *tables[MAX_COMPONENTS];
  MgpuColourAlpha *alpha;

  /* buffers with the integral images of luma (@sum) and of squared luma (@squared_sum) of the
   * current frame; set by enqueue(), and taken over by attach() */
  GstBuffer *sum, *squared_sum;
};

G_DEFINE_TYPE (GstMgpuIntegral, gst_mgpu_integral, GST_TYPE_MGPU_FILTER);

static const Params *
get_params (GstMgpuIntegral * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

static void
gst_mgpu_integral_unprepare (GstMgpuFilter * filter)
{
  GstMgpuIntegral *self = GST_MGPU_INTEGRAL (filter);

  gst_clear_buffer (&self->sum);
  gst_clear_buffer (&self->squared_sum);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->integral, mgpu_object_free);
  gst_mgpu_clear_pool (&self->sum_pool);
  gst_mgpu_clear_pool (&self->squared_pool);
  for (guint i = 0; i < MAX_COMPONENTS; i++) {
    g_clear_pointer (&self->components[i], mgpu_object_free);
    g_clear_pointer (&self->tables[i], gst_memory_unref);
  }
  g_clear_pointer (&self->alpha, mgpu_object_free);
}

/* Gets buffers for the integral images of the current frame. */
static gboolean
acquire_tables (GstMgpuIntegral * self, GError ** error)
{
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  gboolean squared = get_params (self)->squared;
  guint columns, rows, bytes;
  gsize n;

  mgpu_integral_get_layout (self->integral, &columns, &rows, &bytes);
  n = (gsize) columns * rows;
  GST_MGPU_LOG_OBJECT (self, "computing an integral image of %ux%u sums of %u "
      "bytes; also an integral image of squared values: %d", columns,
      rows, bytes, squared);
  gst_clear_buffer (&self->sum);
  gst_clear_buffer (&self->squared_sum);
  self->sum = gst_mgpu_device_base_acquire_table (base, &self->sum_pool,
      n * bytes, error);
  if (self->sum != NULL && squared)
    self->squared_sum = gst_mgpu_device_base_acquire_table (base,
        &self->squared_pool, n * sizeof (guint64), error);
  return self->sum != NULL && (self->squared_sum != NULL || !squared);
}

/* Builds the box filter kernels for component @i of frames of the format @info, and allocates
 * memory for its integral image, unless this was done before. */
static gboolean
prepare_component (GstMgpuIntegral * self, const GstVideoInfo * info, guint i,
    GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  guint columns, rows, bytes;

  if (self->tables[i] != NULL)
    return TRUE;
  /* The planes of frames with alpha are not rounded here, but once, when they are interleaved
   * again. */
  if (self->components[i] == NULL)
    self->components[i] = mgpu_integral_new (filter->base.context, info, i,
        FALSE, TRUE, self->alpha == NULL, error);
  if (self->components[i] == NULL)
    return FALSE;
  mgpu_integral_get_layout (self->components[i], &columns, &rows, &bytes);
  GST_MGPU_DEBUG_OBJECT (self, "the integral image of the box filter of "
      "component %u has %ux%u cells", i,
      columns, rows);
  self->tables[i] = gst_mgpu_memory_new (filter->base.queue,
      (gsize) columns * rows * bytes, NULL, error);
  return self->tables[i] != NULL;
}

/* Builds the box filter kernels for frames with alpha, unless this was done before. */
static gboolean
prepare_weighted_box (GstMgpuIntegral * self, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const GstVideoInfo *info = &filter->input.info;
  GstVideoInfo plane;

  if (self->alpha == NULL)
    self->alpha = mgpu_colour_alpha_new (filter->base.context, info, 3, error);
  mgpu_colour_alpha_info (info, &plane);
  return self->alpha != NULL && prepare_component (self, &plane, 0, error);
}

/* Builds the box filter kernels for chroma, or for red, green and blue, and allocates memory for
 * the integral images of these components, unless this was done before. */
static gboolean
prepare_box (GstMgpuIntegral * self, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const GstVideoInfo *info = &filter->input.info;
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), MAX_COMPONENTS);

  if (mgpu_colour_has_alpha (info))
    return prepare_weighted_box (self, error);
  for (guint i = gst_mgpu_luma_is_made (&self->luma) ? 0 : 1; i < n; i++)
    if (!prepare_component (self, info, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
gst_mgpu_integral_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuIntegral *self = GST_MGPU_INTEGRAL (filter);
  const Params *p = get_params (self);

  if (gst_mgpu_luma_prepare (&self->luma, &filter->input, error))
    self->integral = mgpu_integral_new (context, &self->luma.info, 0,
        p->squared, p->box_radius > 0 && !GST_VIDEO_INFO_IS_RGB (info), TRUE, error);
  /* Allocates buffers for the integral images now, so that caps of frames that are too large are
   * refused. */
  return self->integral != NULL && acquire_tables (self, error)
      && (p->box_radius == 0 || prepare_box (self, error));
}

static gboolean
gst_mgpu_integral_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  return get_params (GST_MGPU_INTEGRAL (filter))->box_radius == 0;
}

/* Enqueues the box filter of one color component of @in, which is the frame or a part of it.
 * Computes the integral image of this part only. */
static void
enqueue_component (GstMgpuIntegral * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, guint component)
{
  guint radius = get_params (self)->box_radius;
  const GstVideoFormatInfo *format = in->info.finfo;
  const MgpuRadii radii = {
    radius >> format->w_sub[component], radius >> format->h_sub[component]
  };
  MgpuPlace place = mgpu_get_place (&in->info, component, NULL);
  GstMgpuMemory *table = (GstMgpuMemory *) self->tables[component];

  mgpu_integral_enqueue (self->components[component], job, in, table, NULL);
  mgpu_integral_enqueue_box (self->components[component], job, table,
      place.width, place.height, &radii, &place, out);
}

/* Enqueues the box filter of luma or gray, which reads the integral image of the whole frame. */
static void
enqueue_luma (GstMgpuIntegral * self, GstMgpuJob * job, const MgpuWork * work)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->input.info;
  guint radius = get_params (self)->box_radius;
  const MgpuRadii radii = { radius, radius };
  MgpuPlace place = mgpu_get_place (info, 0, work->part);

  mgpu_integral_enqueue_box (self->integral, job,
      gst_mgpu_peek_table (self->sum), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), &radii, &place, work->out);
}

/* Enqueues the box filter of a frame with alpha. Colors are weighted by alpha. */
static void
enqueue_weighted_box (GstMgpuIntegral * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  MgpuImage before[MGPU_COLOUR_ALPHA_PLANES], after[MGPU_COLOUR_ALPHA_PLANES];

  if (!mgpu_colour_alpha_split (self->alpha, job, in, NULL, before, after))
    return;
  for (guint i = 0; i < self->alpha->n_planes; i++)
    enqueue_component (self, job, &before[i], &after[i], 0);
  mgpu_colour_alpha_join (self->alpha, job, in, NULL, after, out);
}

static void
enqueue_box (GstMgpuIntegral * self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuImage *in = work->in, *out = work->out;
  const GstVideoInfo *info = &in->info;

  if (self->alpha != NULL) {
    enqueue_weighted_box (self, job, in, out);
    return;
  }
  /* Copies all bytes of four-byte pixels first, so that the padding byte is kept. */
  if (GST_VIDEO_INFO_IS_RGB (info) && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4)
    mgpu_image_copy_planes (job, in, out, ~0u);
  if (!gst_mgpu_luma_is_made (&self->luma))
    enqueue_luma (self, job, work);
  for (guint i = 0; i < MAX_COMPONENTS; i++)
    if (self->tables[i] != NULL)
      enqueue_component (self, job, in, out, i);
}

static gint
gst_mgpu_integral_reach (GstMgpuFilter * filter, gint * step)
{
  return get_params (GST_MGPU_INTEGRAL (filter))->box_radius;
}

/* Enqueues the kernels that compute the integral images of luma, for the frame's meta. */
static void
enqueue_tables (GstMgpuIntegral * self, GstMgpuJob * job, const MgpuImage * in)
{
  MgpuImage luma;
  GError *error = NULL;

  if (!acquire_tables (self, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  mgpu_integral_enqueue (self->integral, job, gst_mgpu_luma_enqueue (&self->luma,
          job, in, &luma), gst_mgpu_peek_table (self->sum),
      gst_mgpu_peek_table (self->squared_sum));
}

static void
gst_mgpu_integral_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuIntegral *self = GST_MGPU_INTEGRAL (filter);
  GError *error = NULL;

  if (work->out != NULL)
    GST_MGPU_LOG_OBJECT (self, "box filter of radius %u", get_params (self)->box_radius);
  if (work->out != NULL && !prepare_box (self, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  if (work->part == NULL)
    enqueue_tables (self, job, work->in);
  if (work->out != NULL && job->error == NULL)
    enqueue_box (self, job, work);
}

static gboolean
gst_mgpu_integral_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuIntegral *self = GST_MGPU_INTEGRAL (filter);
  guint columns, rows, bytes;

  mgpu_integral_get_layout (self->integral, &columns, &rows, &bytes);
  gst_buffer_add_mgpu_integral_meta (buffer, columns - 1, rows - 1, bytes,
      g_steal_pointer (&self->sum), g_steal_pointer (&self->squared_sum));
  return TRUE;
}

static void
gst_mgpu_integral_init (GstMgpuIntegral * self)
{
}

static void
gst_mgpu_integral_class_init (GstMgpuIntegralClass * klass)
{
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  filter_class->prepare = gst_mgpu_integral_prepare;
  filter_class->unprepare = gst_mgpu_integral_unprepare;
  filter_class->passes = gst_mgpu_integral_passes;
  filter_class->enqueue = gst_mgpu_integral_enqueue;
  filter_class->attach = gst_mgpu_integral_attach;
  filter_class->reach = gst_mgpu_integral_reach;
  filter_class->surveys = TRUE;

  gst_mgpu_filter_class_set_params_and_regions (filter_class, params,
      sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL integral image", "Filter/Analyzer/Video",
      "Attaches integral images, with which the mean of any rectangle takes "
        "only four look-ups",
      "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the bilateral filter with a guide image. */
#include "bilateral-guide.h"

#include "../cases/bilateral.h"

#define EXACT MGPU_BILATERAL_EXACT
#define GRID MGPU_BILATERAL_GRID
#define CONSTANT MGPU_BILATERAL_CONSTANT_TIME

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_UNKNOWN
};

typedef struct
{
  MgpuBilateralParams params;
  GstVideoFormat guide;
} Guided;

/* Cases with guides of 8, 10 and 16 bits, of luma and of three channels */
static const Guided exact_gray = {
  {30, 3, 0, TRUE, EXACT, 0}, GST_VIDEO_FORMAT_GRAY8
};

static const Guided exact_colour = {
  {60, 2, 5, FALSE, EXACT, 0}, GST_VIDEO_FORMAT_BGRx
};

static const Guided exact_deep = {
  {20, 2, 3, TRUE, EXACT, 0}, GST_VIDEO_FORMAT_GRAY16_LE
};

static const Guided grid_deep = {
  {25, 6, 0, TRUE, GRID, 0}, GST_VIDEO_FORMAT_P010_10LE
};

static const Guided grid_colour = {
  {40, 9, 0, FALSE, GRID, 0}, GST_VIDEO_FORMAT_RGB
};

static const Guided constant_packed = {
  {30, 8, 0, TRUE, CONSTANT, 16}, GST_VIDEO_FORMAT_UYVY
};

static const Guided constant_deep = {
  {50, 4, 0, FALSE, CONSTANT, 20}, GST_VIDEO_FORMAT_GRAY16_LE
};

static const KcVariant variants[] = {
  {"exact, guide GRAY8, all planes", &exact_gray, 130 * 130},
  {"exact, guide BGRx", &exact_colour, 130 * 130},
  {"exact, guide GRAY16_LE, all planes", &exact_deep, 130 * 130},
  {"grid, guide P010_10LE, all planes", &grid_deep, 130 * 130},
  {"grid, guide RGB", &grid_colour, 130 * 130},
  {"constant-time, guide UYVY, all planes", &constant_packed, 130 * 130},
  {"constant-time, guide GRAY16_LE", &constant_deep, 130 * 130},
};

/* Guide formats whose words can have values above the largest value of their samples */
static const GstVideoFormat excess_formats[] = {
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_UNKNOWN
};

static const Guided exact_excess = {
  {30, 3, 0, TRUE, EXACT, 0}, GST_VIDEO_FORMAT_I420_10LE
};

static const Guided grid_excess = {
  {25, 6, 0, TRUE, GRID, 0}, GST_VIDEO_FORMAT_I420_10LE
};

static const Guided constant_excess = {
  {50, 4, 0, FALSE, CONSTANT, 20}, GST_VIDEO_FORMAT_I420_10LE
};

static const KcVariant excess_variants[] = {
  {"exact, guide I420_10LE, all planes", &exact_excess, 130 * 130},
  {"grid, guide I420_10LE, all planes", &grid_excess, 130 * 130},
  {"constant-time, guide I420_10LE", &constant_excess, 130 * 130},
};

/* Describes a filter and its guide. */
typedef struct
{
  gpointer bilateral;
  KcFrame *guide;
} Self;

static KcRun *current;

/* Returns: a guide, the same for all frames of a size */
static KcPicture *
guide_new (const Guided * guided, const GstVideoInfo * like)
{
  KcPicture *picture;
  GstVideoInfo info;
  KcRandom random;

  gst_video_info_set_format (&info, guided->guide, GST_VIDEO_INFO_WIDTH (like),
      GST_VIDEO_INFO_HEIGHT (like));
  kc_random_init (&random, 7);
  picture =
      kc_picture_make (&info, KC_LAYOUT_PADDED,
      guided->guide ==
      GST_VIDEO_FORMAT_I420_10LE ? KC_CONTENT_EXCESS :
      KC_CONTENT_NOISY_GRADIENT, &random);
  return picture;
}

static void
destroy (gpointer data)
{
  Self *self = data;

  mgpu_object_free (self->bilateral);
  g_clear_pointer (&self->guide, kc_frame_free);
  g_free (self);
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  const Guided *guided = params;
  KcPicture *guide = guide_new (guided, in);
  Self *self = g_new0 (Self, 1);

  self->bilateral = mgpu_object_new (&mgpu_bilateral, context, in,
      &guide->info, out, &guided->params, error);
  if (self->bilateral != NULL)
    self->guide = kc_frame_new (current, guide);
  kc_picture_free (guide);
  if (self->bilateral == NULL)
    g_clear_pointer (&self, destroy);
  return self;
}

static void
enqueue (gpointer data, GstMgpuJob * job, const MgpuWork * work)
{
  Self *self = data;

  if (self->guide != NULL) {
    const MgpuWork guided = {
      &((const Guided *) work->params)->params, work->in, &self->guide->image,
      work->out
    };

    mgpu_bilateral.enqueue (self->bilateral, job, &guided);
  }
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  g_autoptr (KcPicture) guide = guide_new (params, &in->info);
  gint n_guide = GST_VIDEO_INFO_IS_RGB (&guide->info) ? 3 : 1;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  RefPlane by[GST_VIDEO_MAX_COMPONENTS];

  kc_picture_copy_planes (in, out, ~0u);
  kc_picture_planes (guide, by);
  kc_picture_planes (in, from);
  kc_picture_planes (out, to);
  cases_bilateral_filter (&((const Guided *) params)->params, &in->info, from,
      to, by, n_guide);
}

#define FILTER(formats_, variants_) { \
    .formats = formats_, \
    .variants = variants_, \
    .n_variants = G_N_ELEMENTS (variants_), \
    .n_sizes = 3, \
    .create = create, \
    .enqueue = enqueue, \
    .free = destroy, \
    .reference = reference \
  }

static const KcFilter filter = FILTER (formats, variants);
static const KcFilter excess_filter = FILTER (excess_formats, excess_variants);

void
kc_check_bilateral_guide (KcRun * run)
{
  current = run;
  kc_check_filter (run, &filter);
  kc_check_excess (run, &excess_filter);
}

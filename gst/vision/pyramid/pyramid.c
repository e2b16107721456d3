/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes and collapses Gaussian and Laplacian pyramids. */
#include "pyramid.h"

#include <kernels/pyramid/pyramid-shared.h>

/* Smallest number of rows of a band; a work-item computes one band of an image. Smaller bands save
 * no time. */
#define MIN_ROWS 8

#define MAX_COMPONENTS 4

/* Alignment, in bytes, of the planes and rows that contain the detail of a level of a Laplacian
 * pyramid */
#define ALIGNMENT 64

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  BANDS,
  GROUP,
  TILE_X,
  TILE_Y
};

/* Tuning parameters (knobs) of the kernels. The largest tile needs 27.2 KiB of local memory with
 * samples of 16 bits, and 29.4 KiB with samples of 8 bits. All devices have at least 32 KiB. */
static const MgpuKnob knobs[] = {
  {"BANDS", {1, 0, 0}, "0 1",
      "whether a work-item computes a band of rows; otherwise a work-group "
      "computes a tile"},
  {"GROUP", {384, 384, 384}, "64 128 192 256 384",
      "number of work-items that compute a tile"},
  {"TILE_X", {8, 8, 8}, "4 8",
      "width of a tile in its last level, in samples of 8 bits"},
  {"TILE_Y", {4, 4, 4}, "2 4",
      "height of a tile in its last level, in samples of 8 bits"},
  {NULL}
};

/* Indices of the kernels for one memory layout of samples, relative to the first kernel of the
 * layout in the array @kernels. Each memory layout has N_KERNELS kernels. */
enum
{
  ROWS,
  TILES,
  DETAIL,
  SHOW,
  COLLAPSE,
  N_KERNELS
};

/* Numbers of the sets of kernels for one memory layout of samples. The sets of the next memory
 * layout have the next numbers. */
enum
{
  GAUSSIAN_SET,
  LAPLACIAN_SET,
  N_SETS
};

G_STATIC_ASSERT (N_SETS * MAX_COMPONENTS <= MGPU_MAX_SETS);

#define LAYOUT(i) \
  {"pyramid/pyramid", "pyramid_rows", N_SETS * (i) + GAUSSIAN_SET}, \
  {"pyramid/pyramid", "pyramid_tile", N_SETS * (i) + GAUSSIAN_SET}, \
  {"pyramid/laplacian", "laplacian_detail", N_SETS * (i) + LAPLACIAN_SET}, \
  {"pyramid/laplacian", "laplacian_show", N_SETS * (i) + LAPLACIAN_SET}, \
  {"pyramid/laplacian", "laplacian_collapse", N_SETS * (i) + LAPLACIAN_SET}

static const MgpuKernel kernels[] = {
  LAYOUT (0), LAYOUT (1), LAYOUT (2), LAYOUT (3), {NULL}
};

G_STATIC_ASSERT (G_N_ELEMENTS (kernels) == N_KERNELS * MAX_COMPONENTS + 1);

/* The object that computes image pyramids. If a later kernel needs pyramid level i, but the
 * caller does not want it, scratch buffer i contains it. */
struct _MgpuPyramid
{
  MgpuObject object;
  MgpuPyramidParams params;
  guint n_bands;                /* if the tuning parameter BANDS is 1: largest number of bands of
                                 * rows into which a level is divided */
  GstVideoInfo infos[MGPU_PYRAMID_MAX_LEVELS];  /* format and size of each pyramid level */

  guint n_components;
  guint n_layouts;
  MgpuComponent layouts[MAX_COMPONENTS];        /* for each memory layout that occurs in the
                                                 * frame: a color component with this layout */
  guint layout_of[MAX_COMPONENTS];      /* for each color component: the index of its memory
                                         * layout in the array @layouts */
};

guint
mgpu_pyramid_get_max_levels (gint width, gint height)
{
  guint n = 1;

  for (gint size = MAX (width, height); size > 1; size = (size + 1) / 2)
    n++;
  return MIN (n, MGPU_PYRAMID_MAX_LEVELS);
}

/* Returns: the memory layout of the color component with the index @i, like
 * mgpu_get_component(). Here the unused byte of formats such as RGBx counts as a component after
 * red, green and blue, so that kernels compute it for all levels. */
static MgpuComponent
get_component (const GstVideoInfo * info, guint i)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (info);
  MgpuComponent c = mgpu_get_component (info, MIN (i, n - 1));

  if (i < n)
    return c;
  c.position = 0 + 1 + 2 + 3;
  for (guint j = 0; j < n; j++)
    c.position -= GST_VIDEO_INFO_COMP_POFFSET (info, j);
  c.offset = (gint) info->offset[0] + c.position;
  return c;
}

static guint
count_components (const GstVideoInfo * info)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (info);

  if (GST_VIDEO_INFO_IS_RGB (info) && n == 3
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4)
    n++;
  return n;
}

static gboolean
create_kernels (MgpuPyramid * self, guint layout, GError ** error)
{
  guint first = N_SETS * layout;

  return mgpu_object_build (self, first + GAUSSIAN_SET, error)
      && (self->params.type != MGPU_PYRAMID_LAPLACIAN
      || mgpu_object_build (self, first + LAPLACIAN_SET, error));
}

/* Finds the different memory layouts of the color components. Components with the same layout
 * use the same kernels. */
static void
set_layouts (MgpuPyramid * self)
{
  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent c = get_component (&self->infos[0], i);
    guint j = 0;

    while (j < self->n_layouts
        && (self->layouts[j].pixel_stride != c.pixel_stride
            || self->layouts[j].shift != c.shift
            || self->layouts[j].max != c.max))
      j++;
    self->layout_of[i] = j;
    self->layouts[j] = c;
    self->n_layouts = MAX (self->n_layouts, j + 1);
  }
}

/* Returns: the kernel with the index @kernel (such as ROWS), compiled for the memory
 * layout of the color component with the index @component */
static cl_kernel
get_kernel (MgpuPyramid * self, guint component, guint kernel)
{
  return self->object.kernels[N_KERNELS * self->layout_of[component] + kernel];
}

static void
set_infos (MgpuPyramid * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);

  self->infos[0] = *info;
  for (guint i = 1; i < self->params.levels; i++) {
    GstVideoInfo *level = &self->infos[i];

    width = (width + 1) / 2;
    height = (height + 1) / 2;
    gst_video_info_set_format (level, GST_VIDEO_INFO_FORMAT (info), width,
        height);
    level->interlace_mode = info->interlace_mode;
    level->flags = info->flags;
    level->views = info->views;
    level->chroma_site = info->chroma_site;
    level->colorimetry = info->colorimetry;
    level->par_n = info->par_n;
    level->par_d = info->par_d;
    level->fps_n = info->fps_n;
    level->fps_d = info->fps_d;
  }
}

static void
lower_knobs (MgpuPyramid * self)
{
  gint *knobs = self->object.knobs;
  gsize limit = self->object.traits->max_work_group_size;

  knobs[GROUP] = MIN ((gsize) knobs[GROUP], limit);
  if (self->layouts[0].bytes > 1) {
    knobs[TILE_X] /= 2;
    knobs[TILE_Y] /= 2;
  }
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuPyramid *self = object;
  const GstVideoInfo *info = &self->object.in;
  gboolean ok = TRUE;

  self->params = *(const MgpuPyramidParams *) params;
  self->params.levels = CLAMP (self->params.levels, 1,
      mgpu_pyramid_get_max_levels (GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info)));
  self->n_bands = 4 * MAX (self->object.traits->compute_units, 1);
  self->n_components = count_components (info);
  set_infos (self, info);
  set_layouts (self);
  lower_knobs (self);
  for (guint i = 0; i < self->n_layouts && ok; i++)
    ok = create_kernels (self, i, error);
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  mgpu_define_samples (options,
      &((MgpuPyramid *) object)->layouts[set / N_SETS]);
}

guint
mgpu_pyramid_get_n_levels (MgpuPyramid * self)
{
  return self->params.levels;
}

const GstVideoInfo *
mgpu_pyramid_get_info (MgpuPyramid * self, guint level)
{
  g_return_val_if_fail (level < self->params.levels, NULL);

  return &self->infos[level];
}

guint
mgpu_pyramid_get_n_components (MgpuPyramid * self)
{
  return self->n_components;
}

void
mgpu_pyramid_get_detail (MgpuPyramid * self, guint level, guint component,
    MgpuComponent * result)
{
  gint offset = 0;

  for (guint i = 0; i <= component; i++) {
    *result = get_component (&self->infos[level], i);
    result->offset = offset;
    result->bytes *= 2;
    result->pixel_stride = result->bytes;
    result->position = 0;
    result->shift = 0;
    result->stride =
        (result->width * result->bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    offset += result->stride * result->height;
  }
}

gsize
mgpu_pyramid_get_detail_size (MgpuPyramid * self, guint level)
{
  MgpuComponent c;

  mgpu_pyramid_get_detail (self, level, self->n_components - 1, &c);
  return (gsize) c.offset + (gsize) c.stride * c.height;
}

/* Returns: the number of rows of a band when @height rows are divided into bands, one for each
 * work-item. There are at most self->n_bands bands. The number is even, because kernels compute
 * two rows at a time. */
static gint
rows_of_band (const MgpuPyramid * self, gint height)
{
  gint n = (height + self->n_bands - 1) / self->n_bands;

  return GST_ROUND_UP_2 (MAX (n, MIN_ROWS));
}

/* Memory layout of the color components of an image, or of the detail of a pyramid level, in
 * the device memory @memory. */
typedef struct
{
  GstMgpuMemory *memory;
  MgpuComponent c[MAX_COMPONENTS];
} Planes;

static Planes
get_planes (const MgpuPyramid * self, const MgpuImage * image)
{
  Planes planes = {.memory = image->memory };

  for (guint i = 0; i < self->n_components; i++)
    planes.c[i] = get_component (&image->info, i);
  return planes;
}

static Planes
get_detail_planes (MgpuPyramid * self, guint level, GstMgpuMemory * detail)
{
  Planes planes = {.memory = detail };

  for (guint i = 0; i < self->n_components; i++)
    mgpu_pyramid_get_detail (self, level, i, &planes.c[i]);
  return planes;
}

/* Enqueues kernels that smooth the pyramid level @from, scale it to half its width and height,
 * and write the result to @to, the next level. */
static void
enqueue_rows (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * from,
    const MgpuImage * to)
{
  const Planes f = get_planes (self, from), t = get_planes (self, to);

  for (guint i = 0; i < self->n_components; i++) {
    cl_kernel kernel = get_kernel (self, i, ROWS);
    gint n_rows = rows_of_band (self, t.c[i].height);

    gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "ii" MGPU_PLANE "ii",
        MGPU_READ (job, &f, f.c[i]), f.c[i].width, f.c[i].height,
        MGPU_WRITE (job, &t, t.c[i]), f.c[i].position, n_rows);
    mgpu_launch_items (job, kernel, (t.c[i].height + n_rows - 1) / n_rows, 1);
  }
}

/* Enqueues a kernel for each color component that computes pyramid levels @first to @last, at most
 * DEPTH levels, from level @first - 1. It writes level @last, and the other levels that have a
 * memory in the array @images. */
static void
enqueue_tiles (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * images,
    guint first, guint last)
{
  const gint *knobs = self->object.knobs;
  const gsize group[2] = { knobs[GROUP], 1 };
  gint width = knobs[TILE_X] << DEPTH, height = knobs[TILE_Y] << DEPTH;
  const Planes from = get_planes (self, &images[first - 1]);
  Planes t[DEPTH];
  guint keep = 0;

  for (guint j = 0; j < DEPTH; j++) {
    guint level = MIN (first + j, last);

    if (images[level].memory == NULL)
      level = last;
    else if (first + j <= last)
      keep |= 1 << j;
    t[j] = get_planes (self, &images[level]);
  }

  for (guint i = 0; i < self->n_components; i++) {
    cl_kernel kernel = get_kernel (self, i, TILES);
    MgpuComponent f = from.c[i];

    gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "ii" MGPU_PLANE MGPU_PLANE
        MGPU_PLANE MGPU_PLANE "ii", MGPU_READ (job, &from, f), f.width,
        f.height, MGPU_WRITE (job, &t[0], t[0].c[i]),
        MGPU_WRITE (job, &t[1], t[1].c[i]), MGPU_WRITE (job, &t[2], t[2].c[i]),
        MGPU_WRITE (job, &t[3], t[3].c[i]), last - first + 1,
        keep | ((f.offset | f.stride) % 4 == 0 ? 1 << DEPTH : 0));
    mgpu_launch (job, kernel, (f.width + width - 1) / width * knobs[GROUP],
        (f.height + height - 1) / height, 1, 1, group);
  }
}

/* Enqueues the kernels that compute levels 1 to @n of a Gaussian pyramid.
 * @wanted: for each level, the image to which it is written. If it is NULL and later kernels
 *   need the level, the level is written to the scratch buffer with the level's index.
 * @images: written, the image of each level; it has no memory if the level is not written
 * Returns: FALSE after an error, which is in @job */
static gboolean
enqueue_gaussian (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * const *wanted, guint n, MgpuImage * images)
{
  gboolean in_bands = self->object.knobs[BANDS];
  gboolean needs_all = in_bands || self->params.type == MGPU_PYRAMID_LAPLACIAN;

  images[0] = *in;
  for (guint i = 1; i <= n; i++) {
    gboolean is_last = i == n || i % DEPTH == 0;

    images[i].memory = NULL;
    if (wanted[i] != NULL)
      images[i] = *wanted[i];
    else if ((needs_all || is_last)
        && !mgpu_slot_image (self, i, job, &self->infos[i], &images[i]))
      return FALSE;

    if (in_bands)
      enqueue_rows (self, job, &images[i - 1], &images[i]);
    else if (is_last)
      enqueue_tiles (self, job, images, (i - 1) / DEPTH * DEPTH + 1, i);
  }
  return TRUE;
}

/* Enqueues a kernel of the Laplacian pyramid (DETAIL, SHOW or COLLAPSE) for all color
 * components of a level. The kernel computes @out from @in, which has the same size, and from
 * the image @coarse of the next smaller level. */
static void
enqueue_level (MgpuPyramid * self, GstMgpuJob * job, guint kernel, Planes in,
    const MgpuImage * coarse, Planes out)
{
  const Planes half = get_planes (self, coarse);

  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent from = in.c[i], c = half.c[i];
    cl_kernel step = get_kernel (self, i, kernel);
    gint n_rows = rows_of_band (self, c.height);
    const gsize samples[2] = { from.width, from.height };

    gst_mgpu_job_set_args (job, step, MGPU_PLANE "ii" MGPU_PLANE MGPU_PLANE
        "ii", MGPU_READ (job, &in, from), from.width, from.height,
        MGPU_READ (job, &half, c), MGPU_WRITE (job, &out, out.c[i]),
        c.position, n_rows);
    if (self->object.knobs[BANDS])
      mgpu_launch_items (job, step, (c.height + n_rows - 1) / n_rows, 1);
    else
      gst_mgpu_job_launch (job, step, 2, samples, NULL);
  }
}

void
mgpu_pyramid_enqueue (MgpuPyramid * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * const *levels,
    GstMgpuMemory * const *details)
{
  MgpuImage images[MGPU_PYRAMID_MAX_LEVELS];
  const MgpuImage *wanted[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  guint last = self->params.levels - 1, deepest = 0;

  for (guint i = 0; i <= last; i++) {
    gboolean is_detail =
        self->params.type == MGPU_PYRAMID_LAPLACIAN && i < last;

    if (is_detail && (levels[i] != NULL
            || (details != NULL && details[i] != NULL)))
      deepest = i + 1;
    if (!is_detail && levels[i] != NULL) {
      wanted[i] = levels[i];
      deepest = i;
    }
  }

  if (wanted[0] != NULL)
    mgpu_image_copy_planes (job, in, wanted[0], ~0u);
  if (!enqueue_gaussian (self, job, in, wanted, deepest, images))
    return;
  if (self->params.type == MGPU_PYRAMID_GAUSSIAN)
    return;

  for (guint i = 0; i < last; i++) {
    if (details != NULL && details[i] != NULL)
      enqueue_level (self, job, DETAIL, get_planes (self, &images[i]),
          &images[i + 1], get_detail_planes (self, i, details[i]));
    if (levels[i] != NULL)
      enqueue_level (self, job, SHOW, get_planes (self, &images[i]),
          &images[i + 1], get_planes (self, levels[i]));
  }
}

void
mgpu_pyramid_enqueue_collapse (MgpuPyramid * self, GstMgpuJob * job,
    GstMgpuMemory * const *details, const MgpuImage * last,
    const MgpuImage * out)
{
  MgpuImage coarse = *last, fine;

  g_return_if_fail (self->params.type == MGPU_PYRAMID_LAPLACIAN);

  if (self->params.levels == 1)
    mgpu_image_copy_planes (job, last, out, ~0u);
  for (guint i = self->params.levels - 1; i > 0; i--) {
    if (i == 1)
      fine = *out;
    else if (!mgpu_slot_image (self, i - 1, job, &self->infos[i - 1], &fine))
      return;
    enqueue_level (self, job, COLLAPSE, get_detail_planes (self, i - 1,
            details[i - 1]), &coarse, get_planes (self, &fine));
    coarse = fine;
  }
}

void
mgpu_pyramid_drop_scratch (MgpuPyramid * self)
{
  for (guint i = 0; i < MGPU_PYRAMID_MAX_LEVELS; i++)
    g_clear_pointer (&self->object.slots[i], gst_memory_unref);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuPyramidParams, name)

static const MgpuEnumValue types[] = {
  {MGPU_PYRAMID_GAUSSIAN, "Gaussian pyramid: each level is the previous level, "
        "smoothed and with half the size",
      "gaussian"},
  {MGPU_PYRAMID_LAPLACIAN, "Laplacian pyramid: each level but the last holds "
        "the detail that the next level lacks",
      "laplacian"},
  {0, NULL, NULL}
};

static const MgpuEnum type = { "GstMgpuPyramidType", types };

static const MgpuParam params[] = {
  {"levels", MGPU_PARAM_UINT, MEMBER (levels), 1, MGPU_PYRAMID_MAX_LEVELS, 4,
        NULL,
      "Number of levels, including the frame itself (level 0); small frames "
        "have fewer, because the last level has a single pixel", TRUE},
  {"type", MGPU_PARAM_ENUM, MEMBER (type), 0, 0, MGPU_PYRAMID_GAUSSIAN, &type,
        "Kind of pyramid: levels are smaller frames (Gaussian) or detail "
        "(Laplacian)",
      TRUE},
  {NULL}
};

const MgpuAlgorithm mgpu_pyramid = {
  .size = sizeof (MgpuPyramid),
  .params_size = sizeof (MgpuPyramidParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = MGPU_PYRAMID_MAX_LEVELS,
  .init = init,
  .define = define
};

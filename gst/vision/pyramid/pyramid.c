/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "pyramid.h"

#include <gst/vision/base/kernels.h>

/* As in kernels/pyramid/pyramid.cl: levels at once, and samples of the last of them.
 * Tiles of 16 bits take 27.2 KiB of local memory, of which a device has 32 at
 * least; those of 8 bits take 29.4. */
#define DEPTH 4
#define TILE_X(bytes) ((bytes) == 1 ? 8 : 4)
#define TILE_Y(bytes) ((bytes) == 1 ? 4 : 2)

/* Work-items of a work-group, at most. */
#define TILE_GROUP 384

/* Rows of a level that are worth a work-item of their own. */
#define MIN_ROWS 8

#define MAX_COMPONENTS 4

/* Bytes between the beginnings of planes and rows of detail. */
#define ALIGNMENT 64

/* The kernels for one layout of samples. */
typedef struct
{
  gint bytes, pixel_stride, shift, max;
  cl_kernel down;
  cl_kernel detail, show, collapse;     /* MGPU_PYRAMID_LAPLACIAN */
} Kernels;

struct _MgpuPyramid
{
  MgpuPyramidType type;
  gboolean is_cpu;
  guint n_bands;                /* of rows, with is_cpu */
  gsize group;                  /* work-items that make a tile, otherwise */

  guint n_levels;
  GstVideoInfo infos[MGPU_PYRAMID_MAX_LEVELS];
  GstMemory *scratch[MGPU_PYRAMID_MAX_LEVELS];  /* from the first use on */

  guint n_components;
  guint n_kernels;
  Kernels kernels[MAX_COMPONENTS];
  Kernels *of[MAX_COMPONENTS];  /* each component */
};

guint
mgpu_pyramid_get_max_levels (gint width, gint height)
{
  guint n = 1;

  for (gint size = MAX (width, height); size > 1; size = (size + 1) / 2)
    n++;
  return MIN (n, MGPU_PYRAMID_MAX_LEVELS);
}

/* As mgpu_image_get_component(), and after red, green and blue the byte that
 * completes a pixel: it is in every level, as it is in every frame. */
static void
get_component (const MgpuImage * image, guint i, MgpuComponent * result)
{
  const GstVideoInfo *info = &image->info;

  mgpu_image_get_component (image, MIN (i,
          GST_VIDEO_INFO_N_COMPONENTS (info) - 1), result);
  if (i < GST_VIDEO_INFO_N_COMPONENTS (info))
    return;
  result->position = 0 + 1 + 2 + 3;
  for (guint j = 0; j < GST_VIDEO_INFO_N_COMPONENTS (info); j++)
    result->position -= GST_VIDEO_INFO_COMP_POFFSET (info, j);
  result->offset = (gint) info->offset[0] + result->position;
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
kernels_init (Kernels * self, const MgpuPyramid * pyramid,
    GstMgpuContext * context, GError ** error)
{
  GstMgpuProgram *program;
  gchar *options = g_strdup_printf ("-DBYTES=%d -DPIXEL_STRIDE=%d -DSHIFT=%d "
      "-DMAX=%d -DBANDS=%d -DTILE_X=%d -DTILE_Y=%d -DGROUP=%d", self->bytes,
      self->pixel_stride, self->shift, self->max, pyramid->is_cpu,
      TILE_X (self->bytes), TILE_Y (self->bytes), (gint) pyramid->group);
  gboolean ok;

  program = mgpu_kernels_build (context, "pyramid/pyramid", options, error);
  ok = program != NULL && mgpu_kernels_create (program,
      pyramid->is_cpu ? "pyramid_rows" : "pyramid_tile", &self->down, error);
  g_clear_object (&program);

  if (ok && pyramid->type == MGPU_PYRAMID_LAPLACIAN) {
    program = mgpu_kernels_build (context, "pyramid/laplacian", options, error);
    ok = program != NULL
        && mgpu_kernels_create (program, "laplacian_detail", &self->detail, error)
        && mgpu_kernels_create (program, "laplacian_show", &self->show, error)
        && mgpu_kernels_create (program, "laplacian_collapse", &self->collapse,
        error);
    g_clear_object (&program);
  }
  g_free (options);
  return ok;
}

/* Components with the same layout share their kernels. */
static gboolean
create_kernels (MgpuPyramid * self, GstMgpuContext * context, GError ** error)
{
  MgpuImage image = {.info = self->infos[0] };

  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent c;
    guint j = 0;

    get_component (&image, i, &c);
    while (j < self->n_kernels
        && (self->kernels[j].pixel_stride != c.pixel_stride
            || self->kernels[j].shift != c.shift
            || self->kernels[j].max != c.max))
      j++;
    self->of[i] = &self->kernels[j];
    if (j < self->n_kernels)
      continue;
    self->n_kernels++;
    self->of[i]->bytes = c.bytes;
    self->of[i]->pixel_stride = c.pixel_stride;
    self->of[i]->shift = c.shift;
    self->of[i]->max = c.max;
    if (!kernels_init (self->of[i], self, context, error))
      return FALSE;
  }
  return TRUE;
}

static void
set_infos (MgpuPyramid * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);

  self->infos[0] = *info;
  for (guint i = 1; i < self->n_levels; i++) {
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

MgpuPyramid *
mgpu_pyramid_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint n_levels, MgpuPyramidType type, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  MgpuPyramid *self = g_new0 (MgpuPyramid, 1);

  self->type = type;
  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  self->n_bands = 4 * MAX (traits->compute_units, 1);
  self->group = MIN (TILE_GROUP, traits->max_work_group_size);
  self->n_levels = CLAMP (n_levels, 1,
      mgpu_pyramid_get_max_levels (GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info)));
  self->n_components = count_components (info);
  set_infos (self, info);

  if (!create_kernels (self, context, error))
    g_clear_pointer (&self, mgpu_pyramid_free);
  return self;
}

guint
mgpu_pyramid_get_n_levels (MgpuPyramid * self)
{
  return self->n_levels;
}

const GstVideoInfo *
mgpu_pyramid_get_info (MgpuPyramid * self, guint level)
{
  g_return_val_if_fail (level < self->n_levels, NULL);

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
  MgpuImage image = {.info = self->infos[level] };
  gint offset = 0;

  for (guint i = 0; i <= component; i++) {
    get_component (&image, i, result);
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

/* Makes image the frame that holds a level between two kernels. */
static gboolean
get_scratch (MgpuPyramid * self, GstMgpuJob * job, guint level,
    MgpuImage * image)
{
  GstMemory **memory = &self->scratch[level];
  GError *error = NULL;

  if (*memory == NULL)
    *memory = gst_mgpu_memory_new (job->queue,
        GST_VIDEO_INFO_SIZE (&self->infos[level]), NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  image->memory = (GstMgpuMemory *) * memory;
  image->info = self->infos[level];
  return *memory != NULL;
}

/* Rows of a level that one of at most n_bands work-items takes: an even
 * number, because they are made two by two. */
static gint
rows_of_band (const MgpuPyramid * self, gint height)
{
  gint n = (height + self->n_bands - 1) / self->n_bands;

  return GST_ROUND_UP_2 (MAX (n, MIN_ROWS));
}

/* Makes the level above from. */
static void
enqueue_rows (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * from,
    const MgpuImage * to)
{
  cl_mem from_mem = gst_mgpu_job_read (job, from->memory);
  cl_mem to_mem = gst_mgpu_job_write (job, to->memory);

  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent f, t;
    gsize global, local = 1;
    gint n_rows;

    get_component (from, i, &f);
    get_component (to, i, &t);
    n_rows = rows_of_band (self, t.height);
    global = (t.height + n_rows - 1) / n_rows;
    gst_mgpu_job_set_args (job, self->of[i]->down, "miiiimiiii",
        from_mem, f.offset, f.stride, f.width, f.height,
        to_mem, t.offset, t.stride, f.position, n_rows);
    gst_mgpu_job_launch (job, self->of[i]->down, 1, &global, &local);
  }
}

/* Makes levels first to last, DEPTH of them at most, from the one below the
 * first; of those below the last, the ones that have memory. */
static void
enqueue_tiles (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * images,
    guint first, guint last)
{
  const MgpuImage *from = &images[first - 1], *to[DEPTH];
  cl_mem from_mem = gst_mgpu_job_read (job, from->memory), to_mem[DEPTH];
  guint keep = 0;

  for (guint j = 0; j < DEPTH; j++) {
    to[j] = &images[MIN (first + j, last)];
    if (to[j]->memory == NULL)
      to[j] = &images[last];
    else if (first + j <= last)
      keep |= 1 << j;
    to_mem[j] = gst_mgpu_job_write (job, to[j]->memory);
  }

  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent f, t[DEPTH];
    gsize global[2], local[2] = { self->group, 1 };
    gint width, height;

    get_component (from, i, &f);
    for (guint j = 0; j < DEPTH; j++)
      get_component (to[j], i, &t[j]);
    width = TILE_X (f.bytes) << DEPTH;
    height = TILE_Y (f.bytes) << DEPTH;
    global[0] = (f.width + width - 1) / width * local[0];
    global[1] = (f.height + height - 1) / height * local[1];
    gst_mgpu_job_set_args (job, self->of[i]->down, "miiiimiimiimiimiiii",
        from_mem, f.offset, f.stride, f.width, f.height,
        to_mem[0], t[0].offset, t[0].stride,
        to_mem[1], t[1].offset, t[1].stride,
        to_mem[2], t[2].offset, t[2].stride,
        to_mem[3], t[3].offset, t[3].stride, last - first + 1,
        keep | ((f.offset | f.stride) % 4 == 0 ? 1 << DEPTH : 0));
    gst_mgpu_job_launch (job, self->of[i]->down, 2, global, local);
  }
}

/* Makes levels 1 to n, where wanted[i] or scratch holds level i. images: where
 * each of them lies afterwards, those without memory nowhere. */
static gboolean
enqueue_gaussian (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * const *wanted, guint n, MgpuImage * images)
{
  gboolean needs_all = self->is_cpu || self->type == MGPU_PYRAMID_LAPLACIAN;

  images[0] = *in;
  for (guint i = 1; i <= n; i++) {
    gboolean is_last = i == n || i % DEPTH == 0;

    images[i].memory = NULL;
    if (wanted[i] != NULL)
      images[i] = *wanted[i];
    else if ((needs_all || is_last)
        && !get_scratch (self, job, i, &images[i]))
      return FALSE;

    if (self->is_cpu)
      enqueue_rows (self, job, &images[i - 1], &images[i]);
    else if (is_last)
      enqueue_tiles (self, job, images, (i - 1) / DEPTH * DEPTH + 1, i);
  }
  return TRUE;
}

typedef enum
{
  STEP_DETAIL,
  STEP_SHOW,
  STEP_COLLAPSE
} Step;

/* One component. in and out are as large as each other. */
static void
enqueue_step (MgpuPyramid * self, GstMgpuJob * job, cl_kernel kernel,
    cl_mem in_mem, const MgpuComponent * in, cl_mem coarse_mem,
    const MgpuComponent * coarse, cl_mem out_mem, const MgpuComponent * out,
    gint position)
{
  gint n_rows = rows_of_band (self, coarse->height);
  gsize bands = (coarse->height + n_rows - 1) / n_rows, one = 1;
  gsize samples[2] = { in->width, in->height };

  gst_mgpu_job_set_args (job, kernel, "miiiimiimiiii",
      in_mem, in->offset, in->stride, in->width, in->height,
      coarse_mem, coarse->offset, coarse->stride,
      out_mem, out->offset, out->stride, position, n_rows);
  if (self->is_cpu)
    gst_mgpu_job_launch (job, kernel, 1, &bands, &one);
  else
    gst_mgpu_job_launch (job, kernel, 2, samples, NULL);
}

/* All components of a level. detail: of it, read by STEP_COLLAPSE, written by
 * STEP_DETAIL. */
static void
enqueue_level (MgpuPyramid * self, GstMgpuJob * job, Step step, guint level,
    const MgpuImage * in, const MgpuImage * coarse, GstMgpuMemory * detail,
    const MgpuImage * out)
{
  cl_mem in_mem = gst_mgpu_job_read (job,
      step == STEP_COLLAPSE ? detail : in->memory);
  cl_mem coarse_mem = gst_mgpu_job_read (job, coarse->memory);
  cl_mem out_mem = gst_mgpu_job_write (job,
      step == STEP_DETAIL ? detail : out->memory);

  for (guint i = 0; i < self->n_components; i++) {
    MgpuComponent a, b, c, d;
    Kernels *kernels = self->of[i];

    mgpu_pyramid_get_detail (self, level, i, &d);
    get_component (coarse, i, &b);
    if (step != STEP_COLLAPSE)
      get_component (in, i, &a);
    if (step != STEP_DETAIL)
      get_component (out, i, &c);
    enqueue_step (self, job, step == STEP_DETAIL ? kernels->detail
        : step == STEP_SHOW ? kernels->show : kernels->collapse,
        in_mem, step == STEP_COLLAPSE ? &d : &a, coarse_mem, &b,
        out_mem, step == STEP_DETAIL ? &d : &c, b.position);
  }
}

void
mgpu_pyramid_enqueue (MgpuPyramid * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * const *levels,
    GstMgpuMemory * const *details)
{
  MgpuImage images[MGPU_PYRAMID_MAX_LEVELS];
  const MgpuImage *wanted[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  guint last = self->n_levels - 1, deepest = 0;

  for (guint i = 0; i <= last; i++) {
    gboolean is_detail = self->type == MGPU_PYRAMID_LAPLACIAN && i < last;

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
  if (self->type == MGPU_PYRAMID_GAUSSIAN)
    return;

  for (guint i = 0; i < last; i++) {
    if (details != NULL && details[i] != NULL)
      enqueue_level (self, job, STEP_DETAIL, i, &images[i], &images[i + 1],
          details[i], NULL);
    if (levels[i] != NULL)
      enqueue_level (self, job, STEP_SHOW, i, &images[i], &images[i + 1], NULL,
          levels[i]);
  }
}

void
mgpu_pyramid_enqueue_collapse (MgpuPyramid * self, GstMgpuJob * job,
    GstMgpuMemory * const *details, const MgpuImage * last,
    const MgpuImage * out)
{
  MgpuImage coarse = *last, fine;

  g_return_if_fail (self->type == MGPU_PYRAMID_LAPLACIAN);

  if (self->n_levels == 1)
    mgpu_image_copy_planes (job, last, out, ~0u);
  for (guint i = self->n_levels - 1; i > 0; i--) {
    if (i == 1)
      fine = *out;
    else if (!get_scratch (self, job, i - 1, &fine))
      return;
    enqueue_level (self, job, STEP_COLLAPSE, i - 1, NULL, &coarse,
        details[i - 1], &fine);
    coarse = fine;
  }
}

void
mgpu_pyramid_drop_scratch (MgpuPyramid * self)
{
  for (guint i = 0; i < MGPU_PYRAMID_MAX_LEVELS; i++)
    g_clear_pointer (&self->scratch[i], gst_memory_unref);
}

void
mgpu_pyramid_free (MgpuPyramid * self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_kernels; i++) {
    cl_kernel kernels[] = {
      self->kernels[i].down, self->kernels[i].detail, self->kernels[i].show,
      self->kernels[i].collapse
    };

    for (guint j = 0; j < G_N_ELEMENTS (kernels); j++)
      if (kernels[j] != NULL)
        clReleaseKernel (kernels[j]);
  }
  mgpu_pyramid_drop_scratch (self);
  g_free (self);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes binary images by a local threshold. */
#include "threshold.h"

#include <string.h>

/* Indices of the tuning parameters in the list */
enum
{
  GROUP
};

static const MgpuKnob knobs[] = {
  {"GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that process a block of 32x32 tiles"},
  {NULL}
};

enum
{
  LOAD,
  HALVE,
  TILES,
  LEVELS
};

/* Numbers the sets of kernels. LOAD_SET depends on the format of frames. */
enum
{
  THRESHOLD_SET,
  LOAD_SET
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"threshold/load", "threshold_load", LOAD_SET},
  [HALVE] = {"threshold/tiles", "threshold_halve", THRESHOLD_SET},
  [TILES] = {"threshold/tiles", "threshold_tiles", THRESHOLD_SET, TRUE},
  [LEVELS] = {"threshold/levels", "threshold_levels", THRESHOLD_SET, TRUE},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory */
enum
{
  PICTURES,
  MAPS,
  PLANE,                        /* the pixels of frames in other formats, converted to 8 bits */
  HALVES,
  LEAST,
  MOST,
  MEAN,
  THRESHOLDS,
  BITS,
  N_SLOTS
};

struct _MgpuThreshold
{
  MgpuObject object;
  MgpuComponent component;      /* layout of the first component of frames; its offset and stride
                                 * are not used */
  gboolean is_plane;            /* whether the pixels of frames already have 8 bits */
  guint n_pictures, n_maps;
  ThresholdPicture pictures[MGPU_THRESHOLD_MAX_PICTURES];
  ThresholdMap maps[MGPU_THRESHOLD_MAX_MAPS];
  /* Halved copies of the frame: offset, size and stride of each */
  guint n_halvings;
  ThresholdPicture halvings[8];
  guint n_launches;             /* number of halved copies that are made by separate launches */
  gsize n_halved, n_tiles, n_thresholds, n_words;
  guint n_blocks, n_map_blocks;
  gsize group[2];
};

/* ---- Making the object ----------------------------------------------------- */

static void
plan_halvings (MgpuThreshold * self, const MgpuThresholdSetup * setup)
{
  gint width = self->component.width, height = self->component.height;

  for (guint i = 0; i < setup->n_pictures; i++)
    self->n_halvings = MAX (self->n_halvings,
        (guint) setup->pictures[i].halvings);
  for (guint i = 1; i <= self->n_halvings; i++) {
    ThresholdPicture *half = &self->halvings[i];

    width = MAX (width / 2, 1);
    height = MAX (height / 2, 1);
    half->width = width;
    half->height = height;
    half->plane = self->n_halved;
    /* Aligns rows to 16 pixels, because kernels write 16 pixels at once. */
    half->stride = GST_ROUND_UP_16 (width);
    self->n_halved += (gsize) half->stride * height;
  }
}

static void
plan_picture (MgpuThreshold * self, ThresholdPicture * picture, gint halvings,
    gint tile)
{
  if (halvings > 0)
    *picture = self->halvings[halvings];
  else {
    picture->width = self->component.width;
    picture->height = self->component.height;
  }
  picture->halvings = halvings;
  picture->tile = tile;
  for (gint l = 0; l < THRESHOLD_LEVELS; l++) {
    gint columns = l == 0 ? picture->width : picture->columns[l - 1];
    gint rows = l == 0 ? picture->height : picture->rows[l - 1];
    gint by = l == 0 ? tile : 2;

    picture->columns[l] = (columns + by - 1) / by;
    picture->rows[l] = (rows + by - 1) / by;
    picture->levels[l] = self->n_tiles;
    self->n_tiles += (gsize) picture->columns[l] * picture->rows[l];
  }
  picture->blocks = picture->columns[THRESHOLD_LEVELS - 1];
  picture->first_block = self->n_blocks;
  self->n_blocks += picture->blocks * picture->rows[THRESHOLD_LEVELS - 1];
}

/* Lets the kernel that finds the tiles also make the last halved copy, if only one image needs
 * it. */
static void
plan_last_halving (MgpuThreshold * self)
{
  ThresholdPicture *last = NULL;
  guint n = 0;

  for (guint i = 0; i < self->n_pictures; i++)
    if (self->n_halvings > 0
        && self->pictures[i].halvings == (gint) self->n_halvings) {
      last = &self->pictures[i];
      n++;
    }
  self->n_launches = self->n_halvings - (n == 1);
  if (n == 1)
    last->is_made = TRUE;
}

static void
plan_map (MgpuThreshold * self, ThresholdMap * map, gint number,
    gboolean is_mean)
{
  const ThresholdPicture *picture = &self->pictures[number];

  map->picture = number;
  map->is_mean = is_mean;
  map->thresholds = self->n_thresholds;
  self->n_thresholds += (gsize) picture->columns[0] * picture->rows[0];
  map->bits = self->n_words;
  map->words = (picture->width + 31) / 32;
  self->n_words += (gsize) map->words * picture->height;
  map->blocks = picture->blocks;
  map->first_block = self->n_map_blocks;
  self->n_map_blocks += picture->blocks * picture->rows[THRESHOLD_LEVELS - 1];
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuThreshold *self = object;
  const MgpuThresholdSetup *setup = params;
  gint limit = self->object.traits->max_work_group_size;

  while (self->object.knobs[GROUP] > limit)
    self->object.knobs[GROUP] /= 2;
  self->component = mgpu_get_component (&self->object.in, 0);
  self->is_plane = self->component.bytes == 1
      && self->component.pixel_stride == 1;
  plan_halvings (self, setup);
  self->n_pictures = setup->n_pictures;
  self->n_maps = setup->n_maps;
  for (guint i = 0; i < setup->n_pictures; i++)
    plan_picture (self, &self->pictures[i], setup->pictures[i].halvings,
        setup->pictures[i].tile);
  plan_last_halving (self);
  for (guint i = 0; i < setup->n_maps; i++)
    plan_map (self, &self->maps[i], setup->maps[i].picture,
        setup->maps[i].is_mean);
  mgpu_group (self->object.context, 32, 4, self->group);
  return self->is_plane || mgpu_object_build (self, LOAD_SET, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuThreshold *self = object;

  if (set == LOAD_SET)
    mgpu_define_samples (options, &self->component);
}

const ThresholdMap *
mgpu_threshold_get_maps (const MgpuThreshold * self, guint * n_maps)
{
  *n_maps = self->n_maps;
  return self->maps;
}

const ThresholdPicture *
mgpu_threshold_get_pictures (const MgpuThreshold * self)
{
  return self->pictures;
}

gsize
mgpu_threshold_count_words (const MgpuThreshold * self)
{
  return self->n_words;
}

/* ---- Work on a frame -------------------------------------------------------- */

static cl_mem
read_table (MgpuThreshold * self, guint slot, GstMgpuJob * job,
    gconstpointer data, gsize size)
{
  if (!mgpu_slot_has (self, slot, size)
      && !mgpu_slot_upload (self, slot, job, data, size, 0))
    return NULL;
  return mgpu_slot_read (self, slot, job);
}

/* Lets kernels read the frame as 8-bit pixels, which are copied if needed. */
static void
enqueue_plane (MgpuThreshold * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuThresholdResult * result)
{
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  cl_kernel kernel = self->object.kernels[LOAD];
  gint bits = g_bit_storage (c.max);

  if (self->is_plane) {
    result->frame = gst_mgpu_job_read (job, in->memory);
    result->offset = c.offset;
    result->stride = c.stride;
    return;
  }
  result->offset = 0;
  result->stride = GST_ROUND_UP_16 (c.width);
  result->frame = mgpu_slot_write (self, PLANE, job,
      (gsize) result->stride * c.height);
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iiimi",
      MGPU_READ (job, in, c), c.width, c.height, bits, result->frame,
      result->stride);
  mgpu_launch (job, kernel, c.width, c.height, 16, 1, self->group);
}

static void
enqueue_halvings (MgpuThreshold * self, GstMgpuJob * job,
    MgpuThresholdResult * result)
{
  cl_kernel kernel = self->object.kernels[HALVE];

  result->halves = result->frame;
  if (self->n_halvings == 0)
    return;
  result->halves = mgpu_slot_write (self, HALVES, job, self->n_halved);
  for (guint i = 1; i <= self->n_launches; i++) {
    const ThresholdPicture *half = &self->halvings[i], *before = half - 1;

    gst_mgpu_job_set_args (job, kernel, "miiiimiiii",
        i == 1 ? result->frame : result->halves,
        i == 1 ? result->offset : before->plane,
        i == 1 ? result->stride : before->stride,
        i == 1 ? self->component.width : before->width,
        i == 1 ? self->component.height : before->height, result->halves,
        half->plane, half->stride, half->width, half->height);
    mgpu_launch (job, kernel, half->width, half->height, 16, 1, self->group);
  }
}

void
mgpu_threshold_enqueue (MgpuThreshold * self, GstMgpuJob * job,
    const MgpuImage * in, gint contrast, MgpuThresholdResult * result)
{
  cl_kernel *list = self->object.kernels;
  gint group = self->object.knobs[GROUP];
  guint n = self->n_launches;
  const ThresholdPicture *from = &self->halvings[n];
  cl_mem least, most, mean;

  memset (result, 0, sizeof (*result));
  result->pictures = self->pictures;
  result->maps = self->maps;
  result->picture_table = read_table (self, PICTURES, job, self->pictures,
      sizeof (self->pictures));
  result->map_table = read_table (self, MAPS, job, self->maps,
      sizeof (self->maps));
  enqueue_plane (self, job, in, result);
  enqueue_halvings (self, job, result);
  least = mgpu_slot_write (self, LEAST, job, self->n_tiles);
  most = mgpu_slot_write (self, MOST, job, self->n_tiles);
  mean = mgpu_slot_write (self, MEAN, job, self->n_tiles * sizeof (guint16));
  result->thresholds = mgpu_slot_write (self, THRESHOLDS, job,
      self->n_thresholds);
  result->bits = mgpu_slot_write (self, BITS, job,
      self->n_words * sizeof (guint32));
  gst_mgpu_job_set_args (job, list[TILES], "mimiimiiiimmm",
      result->picture_table, self->n_pictures, result->frame, result->offset,
      result->stride, result->halves, n == 0 ? -1 : from->plane,
      n == 0 ? result->stride : from->stride,
      n == 0 ? self->component.width : from->width,
      n == 0 ? self->component.height : from->height, least, most, mean);
  mgpu_launch_items (job, list[TILES], (gsize) self->n_blocks * group, group);
  gst_mgpu_job_set_args (job, list[LEVELS], "mmimiimmmmimm",
      result->picture_table, result->map_table, self->n_maps, result->frame,
      result->offset, result->stride, result->halves, least, most, mean,
      contrast, result->thresholds, result->bits);
  mgpu_launch_items (job, list[LEVELS], (gsize) self->n_map_blocks * group,
      group);
}

const MgpuAlgorithm mgpu_threshold = {
  .size = sizeof (MgpuThreshold),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define
};

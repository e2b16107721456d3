/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sift.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/kernels.h>
#include <gst/vision/base/scratch.h>

/* As in kernels/sift/sift.h */
#define OCTAVE 6
#define BORDER 5
#define REACH 10
#define N_BINS (20 << 9)
#define MARKED (4 + 2 * N_BINS + 1)
#define POINT 8

/* As in kernels/sift/describe.cl */
#define MAX_DIRECTIONS MGPU_SIFT_MAX_ORIENTATIONS

/* The largest gradient of values from 0 to 255, rounded up. */
#define MAX_GRADIENT 361.0

/* Points that there is memory for: FEWEST, and one for so many pixels. Noise
 * has one for 94. */
#define FEWEST_POINTS 1024
#define PIXELS_PER_POINT 40

/* Floats before and behind the levels: windows of keypoints reach over the
 * edges of a level, and what they read there counts for nothing. */
#define MARGIN 1024

/* Floats behind each level: a blur reads that many at a time, and must not
 * reach into a level that is being written. */
#define STEP 64

/* Tiles of a level up to which a launch for it takes longer than the tiles in
 * turn. */
#define SMALL_OCTAVE 2

#define MAX_LEVELS (MGPU_SIFT_MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* How far around the octave's part of the region samples are looked at in search
 * of extrema: points lie within half a sample of one, and come from REACH
 * farther away. */
#define SEARCH_REACH (REACH + 1)

/* And which they ask for then, on their way and to their neighbours. */
#define REFINE_REACH (SEARCH_REACH + REACH + 1)

/* What suits a device. */
typedef struct
{
  gint lanes;
  gint group;                   /* work-items for a tile of a search */
  gint point_group;             /* for a point */
  gint blur_group;              /* for a tile of a blur */
  gint all_group;               /* for all points */
  gint blur_x, blur_y;          /* a tile */
  gint find_x, find_y;
} Knobs;

/* One list of tiles. */
typedef struct
{
  gint begin;                   /* in the plan */
  guint n;
  guint per_group;              /* tiles that a work-group makes in turn */
} Tiles;

struct _MgpuSift
{
  Knobs knobs;
  MgpuSiftParams params;
  gint width, height;
  gint n_octaves;
  guint capacity;
  gfloat orientation_unit, descriptor_unit;
  gfloat factor;                /* from samples to values from 0 to 255 */

  GArray *words;                /* the plan */
  gint weights, weights_pitch;
  gint reaches[MAX_OCTAVES][MAX_LEVELS];        /* of the region */
  gint load_reach;
  GArray *steps;                /* Tiles of the blurs, one after the other */
  Tiles search;
  gsize n_scale, n_state;       /* words */

  cl_kernel load, blur, find, starts, bin, sort, orient, place, describe;

  /* From the first frame on */
  GstMemory *plan, *scale, *state, *points, *sorted, *order;
  GstMemory *angles, *n_angles, *places;
};

/* ---- The plan ------------------------------------------------------------- */

static gint *
octave_at (MgpuSift * self, gint o)
{
  return &g_array_index (self->words, gint, OCTAVE * o);
}

static void
add_word (MgpuSift * self, gint word)
{
  g_array_append_val (self->words, word);
}

static void
plan_octaves (MgpuSift * self)
{
  gint width = self->width << self->params.upsample;
  gint height = self->height << self->params.upsample;
  gint n = rint (log2 (MIN (width, height)) - 2) + self->params.upsample;
  gsize offset = MARGIN, marks = 0;

  if (self->params.octaves > 0)
    n = MIN (n, (gint) self->params.octaves);
  /* Smaller octaves are all border. The frame is loaded into the first one even
   * when nothing is looked for there. */
  for (gint o = 0; o == 0 || (o < n && MIN (width, height) > 2 * BORDER); o++) {
    /* An odd number of cache lines: columns would share few of them. */
    gint pitch = GST_ROUND_UP_16 (width) | 16;
    gsize size = (gsize) pitch * height + STEP;

    add_word (self, width);
    add_word (self, height);
    add_word (self, pitch);
    add_word (self, offset);
    add_word (self, size);
    add_word (self, marks);
    offset += size * (self->params.scales + 3);
    marks += size * self->params.scales;
    if (n > 0 && MIN (width, height) > 2 * BORDER)
      self->n_octaves++;
    width /= 2;
    height /= 2;
  }
  self->n_scale = offset + MARGIN;
  self->n_state = MARKED + marks / 32 + 1;
}

/* The plan counts samples in int. FALSE with an error when there are more. */
static gboolean
check_size (const MgpuSift * self, GError ** error)
{
  if (self->n_scale <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the scale space of a frame of %dx%d has %" G_GSIZE_FORMAT " samples, and "
      "may have %d: set \"upsample\" to false, lower \"scales-per-octave\", or "
      "scale the frames down before this element", self->width, self->height,
      self->n_scale, G_MAXINT);
  return FALSE;
}

static gint
radius_of (gdouble sigma)
{
  return (gint) rint (8 * sigma + 1) / 2;
}

/* By how much each level is blurred more than what it is made of. Returns the
 * largest radius. */
static gint
make_sigmas (const MgpuSiftParams * params, gdouble * sigmas)
{
  gdouble had = params->upsample ? 1 : 0.5;
  gdouble k = pow (2, 1.0 / params->scales);
  gint radius;

  sigmas[0] = sqrt (MAX (params->sigma * params->sigma - had * had, 0.01));
  radius = radius_of (sigmas[0]);
  for (guint i = 1; i < params->scales + 3; i++) {
    gdouble before = pow (k, (gint) i - 1) * params->sigma, after = before * k;

    sigmas[i] = sqrt (after * after - before * before);
    radius = MAX (radius, radius_of (sigmas[i]));
  }
  return radius;
}

/* For each level the weights of a blur from its middle outwards, and last its
 * radius. */
static gint
plan_weights (MgpuSift * self)
{
  gdouble sigmas[MAX_LEVELS];
  gint widest = make_sigmas (&self->params, sigmas);

  self->weights = self->words->len;
  self->weights_pitch = widest + 2;
  for (guint l = 0; l < self->params.scales + 3; l++) {
    gdouble sum = 0;
    gint radius = radius_of (sigmas[l]);

    for (gint i = -radius; i <= radius; i++)
      sum += exp (-0.5 * i * i / (sigmas[l] * sigmas[l]));
    for (gint i = 0; i <= widest; i++) {
      gfloat weight = exp (-0.5 * i * i / (sigmas[l] * sigmas[l])) / sum;
      gint bits;

      memcpy (&bits, &weight, sizeof (bits));
      add_word (self, i <= radius ? bits : 0);
    }
    add_word (self, radius);
  }
  return widest;
}

/* How far around the region each level is needed, for what is done with it and
 * for what is made of it. */
static void
plan_reaches (MgpuSift * self)
{
  gint scales = self->params.scales, below = 0;
  gdouble sigmas[MAX_LEVELS];
  gdouble widest = self->params.sigma * exp2 ((scales + 0.5) / scales);
  /* Of a descriptor, whose window is wider than that of a direction; and the
   * neighbours for a gradient. */
  gint window = (gint) ceil (3.5355339 * 3 * widest) + 2;

  make_sigmas (&self->params, sigmas);
  for (gint o = self->n_octaves - 1; o >= 0; o--) {
    gint reach = 0;

    for (gint l = scales + 2; l >= 0; l--) {
      reach = MAX (reach, REFINE_REACH);
      if (l >= 1 && l <= scales)
        reach = MAX (reach, window);
      if (l == scales && o < self->n_octaves - 1)
        reach = MAX (reach, 2 * below + 1);
      self->reaches[o][l] = reach;
      reach += radius_of (sigmas[l]);
    }
    below = self->reaches[o][0];
    self->load_reach = reach;
  }
}

/* Columns begin at the edge, where loads are aligned. */
static void
add_tiles (MgpuSift * self, Tiles * tiles, gint o, gint level, gint border,
    gint reach, gint tile_x, gint tile_y)
{
  gint width = octave_at (self, o)[0], height = octave_at (self, o)[1];

  for (gint y = border; y < height - border; y += tile_y) {
    for (gint x = 0; x < width - border; x += tile_x) {
      add_word (self, o);
      add_word (self, level);
      add_word (self, x);
      add_word (self, y);
      add_word (self, reach);
      tiles->n++;
    }
  }
}

/* Octaves that are worth launches of their own: the others have few tiles. */
static gint
count_large_octaves (MgpuSift * self)
{
  gint tile_x = self->knobs.blur_x, tile_y = self->knobs.blur_y, n = 0;

  while (n < self->n_octaves
      && (octave_at (self, n)[0] + tile_x - 1) / tile_x
      * ((octave_at (self, n)[1] + tile_y - 1) / tile_y) > SMALL_OCTAVE)
    n++;
  return n;
}

/* Others than the first octave have their level 0 from the octave before. */
static void
add_level (MgpuSift * self, Tiles * tiles, gint o, gint level)
{
  if (level >= (o == 0 ? 0 : 1) && level < (gint) self->params.scales + 3)
    add_tiles (self, tiles, o, level, 0, self->reaches[o][level],
        self->knobs.blur_x, self->knobs.blur_y);
}

/* An octave can begin once the one before has its level scales; both go on side
 * by side then. Small octaves are made by one work-group. */
static void
plan_tiles (MgpuSift * self)
{
  gint scales = self->params.scales, n_large = count_large_octaves (self);
  Tiles small;

  for (gint step = 0; n_large > 0 && step < scales * n_large + 3; step++) {
    Tiles tiles = { self->words->len, 0, 1 };

    for (gint o = 0; o < n_large; o++)
      add_level (self, &tiles, o, step - scales * o);
    g_array_append_val (self->steps, tiles);
  }
  small = (Tiles) { self->words->len, 0, 0 };
  for (gint o = n_large; o < self->n_octaves; o++)
    for (gint level = 0; level < scales + 3; level++)
      add_level (self, &small, o, level);
  small.per_group = small.n;
  if (small.n > 0)
    g_array_append_val (self->steps, small);
  self->search.begin = self->words->len;
  for (gint o = 0; o < self->n_octaves; o++)
    add_tiles (self, &self->search, o, 0, BORDER, SEARCH_REACH,
        self->knobs.find_x, self->knobs.find_y);
}

/* ---- Kernels --------------------------------------------------------------- */

/* GPUs need many small pieces, processors few with long rows. A step of the
 * small octaves is a few tiles of a blur: it takes as long as one, which a
 * large group makes sooner. */
static void
choose_knobs (MgpuSift * self, const GstMgpuTraits * traits)
{
  static const Knobs cpu = { 16, 1, 1, 1, 1, 224, 32, 1024, 8 };
  static const Knobs discrete = { 1, 64, 128, 256, 1024, 32, 32, 64, 8 };
  static const Knobs mobile = { 1, 32, 32, 32, 64, 16, 8, 32, 8 };

  self->knobs = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU ? cpu
      : traits->device_class == GST_MGPU_DEVICE_CLASS_DISCRETE ? discrete
      : mobile;
  while ((gsize) self->knobs.all_group > traits->max_work_group_size)
    self->knobs.all_group /= 2;
}

static gboolean
create_kernels (MgpuSift * self, GstMgpuContext * context,
    const MgpuComponent * c, gint widest, GError ** error)
{
  const Knobs *k = &self->knobs;
  gchar *common = g_strdup_printf ("-DLANES=%d -DALL_GROUP=%d", k->lanes,
      k->all_group);
  gchar *options[] = {
    g_strdup_printf ("%s -DGROUP=%d -DUPSAMPLE=%d -DCOLUMNS=%d -DBYTES=%d "
        "-DPIXEL_STRIDE=%d -DSHIFT=%d -DMAX=%d", common, k->group,
        self->params.upsample, k->group, c->bytes, c->pixel_stride, c->shift,
        c->max),
    g_strdup_printf ("-DLANES=%d -DGROUP=%d -DTILE_X=%d -DTILE_Y=%d -DPAD=%d",
        k->lanes, k->blur_group, k->blur_x, k->blur_y,
        GST_ROUND_UP_16 (widest)),
    g_strdup_printf ("%s -DGROUP=%d -DTILE_X=%d -DTILE_Y=%d -DSCALES=%d",
        common, k->group, k->find_x, k->find_y,
        /* One program for all where it can be. */
        k->lanes == 1 ? (gint) self->params.scales : 0),
    g_strdup_printf ("%s -DGROUP=%d", common, k->point_group)
  };
  static const gchar *const files[] = {
    "sift/load", "sift/scale", "sift/points", "sift/describe"
  };
  GstMgpuProgram *programs[G_N_ELEMENTS (files)] = { NULL, };
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    if (ok)
      programs[i] = mgpu_kernels_build (context, files[i], options[i], error);
    ok = programs[i] != NULL;
    g_free (options[i]);
  }
  g_free (common);
  ok = ok && mgpu_kernels_create (programs[0], "sift_load", &self->load, error)
      && mgpu_kernels_create (programs[1], "sift_blur", &self->blur, error)
      && mgpu_kernels_create (programs[2], "sift_find", &self->find, error)
      && mgpu_kernels_create (programs[2], "sift_starts", &self->starts, error)
      && mgpu_kernels_create (programs[2], "sift_bin", &self->bin, error)
      && mgpu_kernels_create (programs[2], "sift_sort", &self->sort, error)
      && mgpu_kernels_create (programs[3], "sift_orient", &self->orient, error)
      && mgpu_kernels_create (programs[3], "sift_place", &self->place, error)
      && mgpu_kernels_create (programs[3], "sift_describe", &self->describe,
          error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_clear_object (&programs[i]);
  return ok;
}

/* The largest power of two by which a sum of at most bound stays below limit. */
static gfloat
unit_for (gdouble bound, gdouble limit)
{
  return exp2 (floor (log2 (limit / bound)));
}

MgpuSift *
mgpu_sift_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuSiftParams * params, GError ** error)
{
  MgpuSift *self = g_new0 (MgpuSift, 1);
  MgpuImage image = {.info = *info };
  gdouble widest = params->sigma * pow (2, (params->scales + 0.5)
      / params->scales);
  MgpuComponent c;

  mgpu_image_get_component (&image, 0, &c);
  self->params = *params;
  self->width = c.width;
  self->height = c.height;
  self->capacity = FEWEST_POINTS + (guint64) c.width * c.height
      / PIXELS_PER_POINT;
  self->orientation_unit = unit_for (MAX_GRADIENT * 16 * (widest + 1)
      * (widest + 1), 0x1p28);
  self->descriptor_unit = unit_for (MAX_GRADIENT * (3 * widest + 1)
      * (3 * widest + 1), 0x1p31);
  self->factor = 255.0 / (params->upsample ? 16.0 * c.max : c.max);

  choose_knobs (self, gst_mgpu_context_get_traits (context));
  self->words = g_array_new (FALSE, FALSE, sizeof (gint));
  self->steps = g_array_new (FALSE, FALSE, sizeof (Tiles));
  plan_octaves (self);
  if (!check_size (self, error)
      || !create_kernels (self, context, &c, plan_weights (self), error)) {
    mgpu_sift_free (self);
    return NULL;
  }
  plan_reaches (self);
  plan_tiles (self);
  return self;
}

guint
mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params)
{
  return params->max_features > 0
      ? MIN (params->max_features, self->capacity) : self->capacity;
}

/* ---- A frame --------------------------------------------------------------- */

/* n: words of 4 bytes */
static cl_mem
write_words (GstMemory ** memory, GstMgpuJob * job, gsize n)
{
  return mgpu_scratch_write (memory, job, n * 4);
}

/* Starts n work-groups. */
static void
launch (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize local)
{
  gsize global = n * local;

  if (n > 0)
    gst_mgpu_job_launch (job, kernel, 1, &global, &local);
}

/* Starts a work-item for each of n, and some more. */
static void
launch_each (GstMgpuJob * job, cl_kernel kernel, gsize n)
{
  gsize local = 64, global = (n + local - 1) / local * local;

  gst_mgpu_job_launch (job, kernel, 1, &global, &local);
}

/* What a frame's kernels work on. */
typedef struct
{
  GstMgpuJob *job;
  const MgpuSiftParams *params;
  const MgpuSiftRegion *region; /* or NULL */
  gint left, top, right, bottom;        /* of it, in samples */
  gint room;
  cl_mem plan, scale, state;
} Frame;

static void
set_region (MgpuSift * self, Frame * f, const MgpuSiftRegion * region)
{
  guint up = self->params.upsample;

  f->region = region;
  f->left = region != NULL ? region->x << up : 0;
  f->top = region != NULL ? region->y << up : 0;
  f->right = (region != NULL ? region->x + region->width : self->width) << up;
  f->bottom = (region != NULL ? region->y + region->height : self->height)
      << up;
}

static void
enqueue_scale (MgpuSift * self, Frame * f, const MgpuImage * in)
{
  GstMgpuJob *job = f->job;
  gsize global[2] = { self->knobs.group,
    (gsize) self->height << self->params.upsample
  };
  gsize local[2] = { self->knobs.group, 1 };
  MgpuComponent c;

  mgpu_image_get_component (in, 0, &c);
  gst_mgpu_job_set_args (job, self->load, "miiiifmmmiii",
      gst_mgpu_job_read (job, in->memory), c.offset, c.stride, c.width,
      c.height, self->factor, f->plan, f->scale, f->state,
      (gint) self->n_state, f->top - self->load_reach,
      f->bottom + 1 + self->load_reach);
  gst_mgpu_job_launch (job, self->load, 2, global, local);

  for (guint i = 0; i < self->steps->len; i++) {
    Tiles tiles = g_array_index (self->steps, Tiles, i);

    gst_mgpu_job_set_args (job, self->blur, "mmiiiiiiiiii", f->scale, f->plan,
        self->weights, self->weights_pitch, tiles.begin,
        (gint) tiles.per_group, (gint) self->params.scales, self->n_octaves,
        f->left, f->top, f->right, f->bottom);
    launch (job, self->blur, tiles.n / tiles.per_group,
        self->knobs.blur_group);
    /* On a GPU the first blurs take as long as it takes to enqueue the rest. */
    if (i == 0)
      gst_mgpu_job_flush (job);
  }
}

/* Where points count; memory that is not looked at where they do everywhere. */
static void
read_region (MgpuSift * self, Frame * f, cl_mem * rectangles,
    gint * n_rectangles, cl_mem * mask, gint * mask_pitch)
{
  const MgpuSiftRegion *region = f->region;

  *rectangles = *mask = f->plan;
  *n_rectangles = -1;
  *mask_pitch = 0;
  if (region != NULL && region->rectangles != NULL) {
    *rectangles = gst_mgpu_job_read (f->job, region->rectangles);
    *n_rectangles = region->n_rectangles;
  }
  if (region != NULL && region->mask != NULL) {
    *mask = gst_mgpu_job_read (f->job, region->mask);
    *mask_pitch = self->width;
  }
}

/* Returns the points, strongest first. */
static cl_mem
enqueue_points (MgpuSift * self, Frame * f)
{
  GstMgpuJob *job = f->job;
  cl_mem points = write_words (&self->points, job, POINT * self->capacity);
  cl_mem order = write_words (&self->order, job, self->capacity);
  cl_mem sorted = write_words (&self->sorted, job, POINT * self->capacity);
  cl_mem rectangles, mask;
  gint n_rectangles, mask_pitch;
  gfloat contrast = f->params->contrast;
  gfloat threshold = floorf (0.5f * contrast / self->params.scales * 255);

  read_region (self, f, &rectangles, &n_rectangles, &mask, &mask_pitch);
  for (gint second = 0; second < 2; second++) {
    gst_mgpu_job_set_args (job, self->find, "mmiifffiimmiiiiimimi", f->scale,
        f->plan, self->search.begin, (gint) self->params.scales, threshold,
        contrast, f->params->edge, second, (gint) self->capacity, points,
        f->state, f->left, f->top, f->right, f->bottom, self->params.upsample,
        rectangles, n_rectangles, mask, mask_pitch);
    launch (job, self->find, self->search.n, self->knobs.group);
    if (!second) {
      gst_mgpu_job_set_args (job, self->starts, "imm", (gint) self->capacity,
          f->state, f->state);
      launch (job, self->starts, 1, self->knobs.all_group);
    }
  }
  gst_mgpu_job_set_args (job, self->bin, "mmm", points, f->state, order);
  launch_each (job, self->bin, self->capacity);
  gst_mgpu_job_set_args (job, self->sort, "mmmm", points, f->state, order,
      sorted);
  launch_each (job, self->sort, self->capacity);
  return sorted;
}

/* Makes keypoints and descriptors of the points. */
static void
enqueue_tables (MgpuSift * self, Frame * f, cl_mem sorted,
    const MgpuSiftTables * tables)
{
  GstMgpuJob *job = f->job;
  const MgpuSiftParams *params = f->params;
  gboolean full = params->max_features == 0
      || params->max_features > self->capacity;
  gfloat per_scale = 1.0f / self->params.scales;
  cl_mem angles = write_words (&self->angles, job,
      (gsize) self->capacity * MAX_DIRECTIONS);
  cl_mem n_angles = write_words (&self->n_angles, job, self->capacity);
  cl_mem places = write_words (&self->places, job, self->capacity);
  cl_mem table = gst_mgpu_job_write (job, tables->keypoints);

  gst_mgpu_job_set_args (job, self->orient, "mmmmifffimm", f->scale, f->plan,
      sorted, f->state, f->room, self->params.sigma, per_scale,
      self->orientation_unit, (gint) params->max_orientations, angles,
      n_angles);
  launch (job, self->orient, GST_ROUND_UP_64 (f->room),
      self->knobs.point_group);
  gst_mgpu_job_set_args (job, self->place, "mmiimmm", f->state, n_angles,
      f->room, full, places, table, tables->report != NULL
      ? gst_mgpu_job_write (job, tables->report) : table);
  launch (job, self->place, 1, self->knobs.all_group);
  gst_mgpu_job_set_args (job, self->describe, "mmmmmfffiimm", f->scale,
      f->plan, sorted, angles, places, self->params.sigma, per_scale,
      self->descriptor_unit, self->params.upsample,
      tables->descriptors != NULL ? (gint) params->descriptor : 0, table,
      tables->descriptors != NULL
      ? gst_mgpu_job_write (job, tables->descriptors) : table);
  launch (job, self->describe, GST_ROUND_UP_64 (f->room),
      self->knobs.point_group);
}

void
mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job,
    const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables)
{
  Frame f = {.job = job,.params = params,
    .room = mgpu_sift_get_room (self, params),
    .plan = mgpu_scratch_read_words (&self->plan, job, self->words),
    .scale = write_words (&self->scale, job, self->n_scale),
    .state = write_words (&self->state, job, self->n_state)
  };

  set_region (self, &f, region);
  enqueue_scale (self, &f, in);
  enqueue_tables (self, &f, enqueue_points (self, &f), tables);
}

void
mgpu_sift_free (MgpuSift * self)
{
  cl_kernel kernels[] = { self->load, self->blur, self->find, self->starts,
    self->bin, self->sort, self->orient, self->place, self->describe
  };
  GstMemory **memories[] = { &self->plan, &self->scale, &self->state,
    &self->points, &self->sorted, &self->order, &self->angles,
    &self->n_angles, &self->places
  };

  mgpu_kernels_release (kernels, G_N_ELEMENTS (kernels));
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    g_clear_pointer (memories[i], gst_memory_unref);
  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self);
}

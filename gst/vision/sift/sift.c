/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sift.h"

#include <math.h>
#include <string.h>

#include <kernels/sift/shared.h>

/* Largest length of a gradient of values from 0 to 255, rounded up. */
#define MAX_GRADIENT 361.0

/* The list of points has room for FEWEST_POINTS points, and for one more for each
 * PIXELS_PER_POINT pixels of the frame. Frames of noise have one point for 94 pixels. */
#define FEWEST_POINTS 1024
#define PIXELS_PER_POINT 40

/* Number of unused floats before the first level and behind the last one. Windows of
 * keypoints reach over the edges of a level; what kernels read there has no effect. */
#define MARGIN 1024

/* Number of unused floats behind each level. A blur reads so many floats at a time, and
 * must not reach into a level that other work-items write. */
#define STEP 64

/* Largest number of tiles of a level for which a launch of its own takes longer than to
 * let one work-group make the tiles one after the other. */
#define SMALL_OCTAVE 2

#define MAX_SCALES 8
#define MAX_LEVELS (MAX_SCALES + 3)
#define MAX_OCTAVES 32

/* Number of samples around the region, scaled to the octave, in which extrema are looked
 * for. A point lies within half a sample of the place where its refinement ends, which is
 * at most REACH samples away from the extremum. */
#define SEARCH_REACH (REACH + 1)

/* Number of samples around the same region that the refinement of points may read, on
 * its way and at neighbours. */
#define REFINE_REACH (SEARCH_REACH + REACH + 1)

/* Names the indices of the array knobs. */
enum
{
  LANES,
  COLUMNS,
  BLUR_GROUP,
  BLUR_X,
  BLUR_Y,
  FIND_GROUP,
  FIND_X,
  FIND_Y,
  ALL_GROUP,
  POINT_GROUP
};

/* Holds the knobs. GPUs need many small tiles, processors need few tiles with long rows.
 * A step of the small octaves has few tiles, and takes as long as one tile, which a large
 * work-group finishes sooner. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, "1 16", "samples of a vector"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "work-items that share a row of the frame"},
  {"BLUR_GROUP", {1, 256, 32}, NULL, "work-items that blur a tile"},
  {"BLUR_X", {224, 32, 16}, NULL, "width of a tile of a blur, in samples"},
  {"BLUR_Y", {32, 32, 8}, "8 16 32", "height of a tile of a blur, in samples"},
  {"FIND_GROUP", {1, 64, 32}, NULL, "work-items that search a tile"},
  {"FIND_X", {1024, 64, 32}, NULL,
      "width of a tile of a search, in samples: FIND_GROUP where LANES is 1"},
  {"FIND_Y", {8, 8, 8}, "4 8 16 32",
      "height of a tile of a search, in samples"},
  {"ALL_GROUP", {1, 1024, 64}, NULL,
      "work-items that sort the points, a power of two"},
  {"POINT_GROUP", {1, 128, 32}, NULL, "work-items that describe a point"},
  {NULL}
};

/* Names the sets of kernels. Kernels of one set are built with the same options. */
enum
{
  FRAME_SET,
  BLUR_SET,
  FIND_SET,
  POINT_SET,
  N_SETS
};

/* Names the indices of the array kernels. */
enum
{
  LOAD,
  BLUR,
  FIND,
  START_BINS,
  BIN,
  SORT,
  PLACE,
  ORIENT,
  DESCRIBE
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"sift/load", "sift_load", FRAME_SET},
  [BLUR] = {"sift/scale", "sift_blur", BLUR_SET},
  [FIND] = {"sift/points", "sift_find", FIND_SET},
  [START_BINS] = {"sift/list", "sift_starts", POINT_SET},
  [BIN] = {"sift/list", "sift_bin", POINT_SET},
  [SORT] = {"sift/list", "sift_sort", POINT_SET},
  [PLACE] = {"sift/list", "sift_place", POINT_SET},
  [ORIENT] = {"sift/orient", "sift_orient", POINT_SET},
  [DESCRIBE] = {"sift/describe", "sift_describe", POINT_SET},
  {NULL}
};

/* Names the slots: memories that kernels leave for each other. */
enum
{
  PLAN,
  SCALE,
  STATE,
  POINTS,
  SORTED,
  ORDER,
  ANGLES,
  N_ANGLES,
  PLACES,
  N_SLOTS
};

/* Describes a list of n tiles in the plan. */
typedef struct
{
  gint begin;                   /* place of the list in the plan */
  guint n;
  guint per_group;              /* tiles that a work-group makes in turn */
} Tiles;

struct _MgpuSift
{
  MgpuObject object;
  MgpuSiftParams params;
  MgpuComponent component;      /* component of the frame in which points are found */
  gint width, height;           /* size of the component, in samples */
  gint n_octaves;
  guint capacity;               /* largest number of points in the list */
  gfloat orientation_unit, descriptor_unit;
  gfloat factor;                /* turns loaded samples into values from 0 to 255 */

  GArray *words;                /* the plan: tables that kernels read */
  gint weights, weights_pitch, widest;
  /* number of samples around the region that are needed, of each level, of the frame */
  gint reaches[MAX_OCTAVES][MAX_LEVELS];
  gint load_reach;
  GArray *steps;                /* Tiles of each launch of the blur, in order */
  Tiles search;                 /* tiles of the search for extrema */
  gsize n_scale, n_state;       /* sizes of SCALE and STATE, in words of 4 bytes */
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
  /* Stops before octaves that have nothing but border. Keeps the first octave, into which
   * the frame is loaded, even when no points are looked for in it. */
  for (gint o = 0; o == 0 || (o < n && MIN (width, height) > 2 * BORDER); o++) {
    /* Makes the pitch an odd number of cache lines. With an even one, the samples of a
     * column would have to share few lines of the cache. */
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

/* Checks that the plan can count all samples in an int. FALSE: the error is set. */
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

/* Sets sigmas to how much each level is blurred more than the level it is made of.
 * Returns: the largest radius */
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

/* Adds to the plan, for each level, the weights of its blur, from the middle outwards,
 * and the radius of the blur. */
static void
plan_weights (MgpuSift * self)
{
  gdouble sigmas[MAX_LEVELS];
  gint widest = make_sigmas (&self->params, sigmas);

  self->widest = widest;
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
}

/* Sets how many samples around the region each level needs: those that kernels read to
 * find and describe points, and those from which other levels are made. */
static void
plan_reaches (MgpuSift * self)
{
  gint scales = self->params.scales, below = 0;
  gdouble sigmas[MAX_LEVELS];
  gdouble widest = self->params.sigma * exp2 ((scales + 0.5) / scales);
  /* Radius of the window of a descriptor, which is wider than the window in which the
   * direction is found, with the neighbours for gradients. */
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

/* Adds the tiles of a level to the plan, without the border at the top, right and bottom.
 * Tiles begin at the left edge of the level, so that loads are aligned. */
static void
add_tiles (MgpuSift * self, Tiles * tiles, gint o, gint level, gint border,
    gint reach, gint tile_x, gint tile_y)
{
  gint width = octave_at (self, o)[WIDTH], height = octave_at (self, o)[HEIGHT];

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

/* Returns: the number of octaves that have enough tiles for launches of their own */
static gint
count_large_octaves (MgpuSift * self)
{
  gint tile_x = self->object.knobs[BLUR_X], n = 0;
  gint tile_y = self->object.knobs[BLUR_Y];

  while (n < self->n_octaves
      && (octave_at (self, n)[WIDTH] + tile_x - 1) / tile_x
      * ((octave_at (self, n)[HEIGHT] + tile_y - 1) / tile_y) > SMALL_OCTAVE)
    n++;
  return n;
}

/* Adds the tiles of a level to the plan, if there is such a level. Leaves out level 0 of
 * each octave but the first, because it is made together with the octave before. */
static void
add_level (MgpuSift * self, Tiles * tiles, gint o, gint level)
{
  if (level >= (o == 0 ? 0 : 1) && level < (gint) self->params.scales + 3)
    add_tiles (self, tiles, o, level, 0, self->reaches[o][level],
        self->object.knobs[BLUR_X], self->object.knobs[BLUR_Y]);
}

/* Plans the launches of the blur and the search. Octave o + 1 begins as soon as level
 * number scales of octave o is there; from then on a launch makes a level of each of
 * these octaves. One work-group makes all small octaves. */
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
        self->object.knobs[FIND_X], self->object.knobs[FIND_Y]);
}

/* ---- The object ------------------------------------------------------------ */

/* Returns: the largest power of two by which a sum of at most bound can be multiplied
 * without getting larger than limit */
static gfloat
unit_for (gdouble bound, gdouble limit)
{
  return exp2 (floor (log2 (limit / bound)));
}

static void
set_units (MgpuSift * self)
{
  const MgpuSiftParams *p = &self->params;
  gdouble widest = p->sigma * pow (2, (p->scales + 0.5) / p->scales);
  gint max = self->component.max;

  self->orientation_unit = unit_for (MAX_GRADIENT * 16 * (widest + 1)
      * (widest + 1), 0x1p28);
  self->descriptor_unit = unit_for (MAX_GRADIENT * (3 * widest + 1)
      * (3 * widest + 1), 0x1p31);
  self->factor = 255.0 / (p->upsample ? 16.0 * max : max);
}

static void
lower_knobs (MgpuSift * self)
{
  gint limit = gst_mgpu_context_get_traits (self->object.context)
      ->max_work_group_size;

  while (self->object.knobs[ALL_GROUP] > limit)
    self->object.knobs[ALL_GROUP] /= 2;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuSift *self = object;
  MgpuImage image = {.info = self->object.in };
  gboolean ok;

  self->params = *(const MgpuSiftParams *) params;
  mgpu_image_get_component (&image, 0, &self->component);
  self->width = self->component.width;
  self->height = self->component.height;
  self->capacity = FEWEST_POINTS + (guint64) self->width * self->height
      / PIXELS_PER_POINT;
  self->words = g_array_new (FALSE, FALSE, sizeof (gint));
  self->steps = g_array_new (FALSE, FALSE, sizeof (Tiles));
  set_units (self);
  lower_knobs (self);
  plan_octaves (self);
  ok = check_size (self, error);
  if (ok) {
    plan_weights (self);
    plan_reaches (self);
    plan_tiles (self);
  }
  for (guint set = 1; set < N_SETS && ok; set++)
    ok = mgpu_object_build (self, set, error);
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuSift *self = object;
  const MgpuComponent *c = &self->component;

  if (set == FRAME_SET)
    g_string_append_printf (options, " -DUPSAMPLE=%d -DBYTES=%d "
        "-DPIXEL_STRIDE=%d -DSHIFT=%d -DMAX=%d", self->params.upsample,
        c->bytes, c->pixel_stride, c->shift, c->max);
  if (set == BLUR_SET)
    g_string_append_printf (options, " -DPAD=%d",
        GST_ROUND_UP_16 (self->widest));
  /* Defines SCALES for kernels without vectors only: kernels with vectors have one
   * program for all numbers of scales. */
  if (set == FIND_SET && self->object.knobs[LANES] == 1)
    g_string_append_printf (options, " -DSCALES=%u", self->params.scales);
}

static void
clear (gpointer object)
{
  MgpuSift *self = object;

  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
}

guint
mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params)
{
  return params->max_features > 0
      ? MIN (params->max_features, self->capacity) : self->capacity;
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Lets job write a slot of n words of 4 bytes. Returns: the memory of the slot */
static cl_mem
write_words (MgpuSift * self, guint slot, GstMgpuJob * job, gsize n)
{
  return mgpu_slot_write (self, slot, job, n * 4);
}

/* Starts a kernel with n work-groups, each with local work-items. */
static void
launch (GstMgpuJob * job, cl_kernel kernel, gint n, gint local)
{
  const gsize group[2] = { local, 1 };

  if (n > 0)
    mgpu_launch (job, kernel, n * local, 1, 1, 1, group);
}

/* Starts a kernel with at least one work-item for each point for which there is room. */
static void
launch_for_points (MgpuSift * self, GstMgpuJob * job, cl_kernel kernel)
{
  launch (job, kernel, (self->capacity + 63) / 64, 64);
}

/* Holds the arguments that the kernels for a frame share. */
typedef struct
{
  GstMgpuJob *job;
  const MgpuSiftParams *params;
  const MgpuSiftRegion *region; /* NULL for the whole frame */
  gint left, top, right, bottom;        /* edges of the region, in samples of octave 0 */
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
  const gint *knobs = self->object.knobs;
  const gsize group[2] = { knobs[COLUMNS], 1 };
  cl_kernel load = self->object.kernels[LOAD];
  cl_kernel blur = self->object.kernels[BLUR];
  MgpuComponent c;

  mgpu_image_get_component (in, 0, &c);
  gst_mgpu_job_set_args (job, load, "miiiifmmmiii",
      gst_mgpu_job_read (job, in->memory), c.offset, c.stride, c.width,
      c.height, self->factor, f->plan, f->scale, f->state,
      (gint) self->n_state, f->top - self->load_reach,
      f->bottom + 1 + self->load_reach);
  mgpu_launch (job, load, knobs[COLUMNS],
      self->height << self->params.upsample, 1, 1, group);

  for (guint i = 0; i < self->steps->len; i++) {
    Tiles tiles = g_array_index (self->steps, Tiles, i);

    gst_mgpu_job_set_args (job, blur, "mmiiiiiiiiii", f->scale, f->plan,
        self->weights, self->weights_pitch, tiles.begin,
        (gint) tiles.per_group, (gint) self->params.scales, self->n_octaves,
        f->left, f->top, f->right, f->bottom);
    launch (job, blur, tiles.n / tiles.per_group, knobs[BLUR_GROUP]);
    /* Lets the device begin: on a GPU the first blurs take as long as the host needs to
     * enqueue the rest. */
    if (i == 0)
      gst_mgpu_job_flush (job);
  }
}

/* Gets the rectangles and the mask in which points count. Without them sets the memories
 * to f->plan, which only fills the arguments: kernels read no rectangles or mask then. */
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

/* Finds the points of a frame. Returns: the memory of the points, strongest first */
static cl_mem
enqueue_points (MgpuSift * self, Frame * f)
{
  GstMgpuJob *job = f->job;
  const gint *knobs = self->object.knobs;
  cl_kernel *kernels = self->object.kernels;
  cl_mem points = write_words (self, POINTS, job, POINT * self->capacity);
  cl_mem order = write_words (self, ORDER, job, self->capacity);
  cl_mem sorted = write_words (self, SORTED, job, POINT * self->capacity);
  cl_mem rectangles, mask;
  gint n_rectangles, mask_pitch;
  gfloat contrast = f->params->contrast;
  gfloat threshold = floorf (0.5f * contrast / self->params.scales * 255);

  read_region (self, f, &rectangles, &n_rectangles, &mask, &mask_pitch);
  for (gint second = 0; second < 2; second++) {
    gst_mgpu_job_set_args (job, kernels[FIND], "mmiifffiimmiiiiimimi", f->scale,
        f->plan, self->search.begin, (gint) self->params.scales, threshold,
        contrast, f->params->edge, second, (gint) self->capacity, points,
        f->state, f->left, f->top, f->right, f->bottom, self->params.upsample,
        rectangles, n_rectangles, mask, mask_pitch);
    launch (job, kernels[FIND], self->search.n, knobs[FIND_GROUP]);
    if (!second) {
      gst_mgpu_job_set_args (job, kernels[START_BINS], "imm", (gint) self->capacity,
          f->state, f->state);
      launch (job, kernels[START_BINS], 1, knobs[ALL_GROUP]);
    }
  }
  gst_mgpu_job_set_args (job, kernels[BIN], "mmm", points, f->state, order);
  launch_for_points (self, job, kernels[BIN]);
  gst_mgpu_job_set_args (job, kernels[SORT], "mmmm", points, f->state, order,
      sorted);
  launch_for_points (self, job, kernels[SORT]);
  return sorted;
}

/* Writes the keypoints and descriptors of the points to tables. */
static void
enqueue_tables (MgpuSift * self, Frame * f, cl_mem sorted,
    const MgpuSiftTables * tables)
{
  GstMgpuJob *job = f->job;
  const gint *knobs = self->object.knobs;
  cl_kernel *kernels = self->object.kernels;
  const MgpuSiftParams *params = f->params;
  gboolean full = params->max_features == 0
      || params->max_features > self->capacity;
  gfloat per_scale = 1.0f / self->params.scales;
  cl_mem angles = write_words (self, ANGLES, job,
      (gsize) self->capacity * MAX_DIRECTIONS);
  cl_mem n_angles = write_words (self, N_ANGLES, job, self->capacity);
  cl_mem places = write_words (self, PLACES, job, self->capacity);
  cl_mem table = gst_mgpu_job_write (job, tables->keypoints);

  gst_mgpu_job_set_args (job, kernels[ORIENT], "mmmmifffimm", f->scale, f->plan,
      sorted, f->state, f->room, self->params.sigma, per_scale,
      self->orientation_unit, (gint) params->max_orientations, angles,
      n_angles);
  launch (job, kernels[ORIENT], GST_ROUND_UP_64 (f->room),
      knobs[POINT_GROUP]);
  gst_mgpu_job_set_args (job, kernels[PLACE], "mmiimmm", f->state, n_angles,
      f->room, full, places, table, tables->report != NULL
      ? gst_mgpu_job_write (job, tables->report) : table);
  launch (job, kernels[PLACE], 1, knobs[ALL_GROUP]);
  gst_mgpu_job_set_args (job, kernels[DESCRIBE], "mmmmmfffiimm", f->scale,
      f->plan, sorted, angles, places, self->params.sigma, per_scale,
      self->descriptor_unit, self->params.upsample,
      tables->descriptors != NULL ? (gint) params->descriptor : 0, table,
      tables->descriptors != NULL
      ? gst_mgpu_job_write (job, tables->descriptors) : table);
  launch (job, kernels[DESCRIBE], GST_ROUND_UP_64 (f->room),
      knobs[POINT_GROUP]);
}

void
mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job,
    const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables)
{
  Frame f = {.job = job,.params = params,
    .room = mgpu_sift_get_room (self, params),
    .plan = mgpu_slot_read_words (self, PLAN, job, self->words),
    .scale = write_words (self, SCALE, job, self->n_scale),
    .state = write_words (self, STATE, job, self->n_state)
  };

  set_region (self, &f, region);
  enqueue_scale (self, &f, in);
  enqueue_tables (self, &f, enqueue_points (self, &f), tables);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuSiftParams, name)

/* Names the type of the parameter descriptor. libgstmgpu registers this type. */
static const MgpuEnum descriptor_type = { "GstMgpuDescriptorType", NULL };

static const MgpuParam params[] = {
  {"max-features", MGPU_PARAM_UINT, MEMBER (max_features), 0, G_MAXINT, 0,
      NULL, "How many keypoints are kept, the strongest (0 = all)"},
  {"scales-per-octave", MGPU_PARAM_UINT, MEMBER (scales), 1, MAX_SCALES, 3,
      NULL, "In how many steps the size of what is looked for doubles"},
  {"octaves", MGPU_PARAM_UINT, MEMBER (octaves), 0, 16, 0, NULL,
      "How often the size doubles (0 = up to the size of the frame)"},
  {"contrast-threshold", MGPU_PARAM_DOUBLE, MEMBER (contrast), 0, 1, 0.04,
      NULL, "Points with less contrast are left out"},
  {"edge-threshold", MGPU_PARAM_DOUBLE, MEMBER (edge), 1, 1000000, 10, NULL,
      "Points are left out that are so many times more curved in one "
        "direction than in the other"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 0.5, 4, 1.6, NULL,
      "Blur of the first level of an octave in pixels"},
  {"upsample", MGPU_PARAM_BOOLEAN, MEMBER (upsample), 0, 1, TRUE, NULL,
      "Whether the first octave has twice the size of the frame"},
  {"descriptor", MGPU_PARAM_ENUM, MEMBER (descriptor), 0, 0,
        GST_MGPU_DESCRIPTOR_TYPE_SIFT, &descriptor_type,
      "What describes the keypoints"},
  {"max-orientations", MGPU_PARAM_UINT, MEMBER (max_orientations), 1,
        MAX_DIRECTIONS, 4, NULL,
      "Keypoints that a point with several directions becomes at most"},
  {NULL}
};

const MgpuAlgorithm mgpu_sift = {
  .size = sizeof (MgpuSift),
  .params_size = sizeof (MgpuSiftParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .clear = clear
};

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds SIFT keypoints in frames and computes their descriptors. */
#include <math.h>

#include <gst/vision/base/map.h>

#include "sift-private.h"

/* Upper bound for the length of a gradient in an image with samples from 0 to 255, rounded up. */
#define MAX_GRADIENT 361.0

/* The list of points (candidates for keypoints) has memory for FEWEST_POINTS points, and for one
 * additional point for each PIXELS_PER_POINT pixels of the frame. This number is sufficient,
 * because even frames of noise have only one point for each 94 pixels. */
#define FEWEST_POINTS 1024
#define PIXELS_PER_POINT 40

/* Tuning parameters (knobs) of the kernels. GPUs need many small tiles, CPUs need few tiles with
 * long rows. BLUR_GROUP is large on GPUs because a launch for small octaves has few tiles. Such
 * a launch takes as long as a single tile, and a large work-group finishes a tile sooner. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, NULL, "number of samples in a vector"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that share a row of the frame"},
  {"BLUR_GROUP", {1, 128, 32}, NULL, "number of work-items that blur a tile"},
  {"BLUR_X", {224, 96, 16}, NULL, "width of a tile of a blur, in samples"},
  {"BLUR_Y", {32, 32, 8}, "8 16 32", "height of a tile of a blur, in samples"},
  {"LEVELS_GROUP", {1, 512, 32}, "128 256 512 1024",
      "number of work-items that compute several levels of a tile"},
  {"LEVELS_TILES", {0, 100, 0}, "0 100 400 1600",
      "maximum number of tiles of an octave for which one launch computes "
      "several levels"},
  {"FIND_GROUP", {1, 64, 32}, NULL, "number of work-items that search a tile"},
  {"FIND_X", {1024, 64, 32}, NULL,
      "width of a tile of a search, in samples; equals FIND_GROUP if LANES is "
      "1"},
  {"FIND_Y", {8, 8, 8}, "4 8 16 32",
      "height of a tile of a search, in samples"},
  {"ALL_GROUP", {1, 1024, 64}, NULL,
      "number of work-items that sort the points, a power of two"},
  {"POINT_GROUP", {1, 128, 32}, NULL,
      "number of work-items that describe a point"},
  {NULL}
};

/* Numbers of the sets of kernels. The kernels of a set are compiled with the same options. */
enum
{
  FRAME_SET,
  BLUR_SET,
  LEVELS_SET,
  FIND_SET,
  POINT_SET,
  N_SETS
};

/* Indices into the array @kernels, which lists the OpenCL kernels of SIFT */
enum
{
  LOAD,
  BLUR,
  BLUR_LEVELS,
  FIND,
  START_BINS,
  SORT,
  CELLS,
  RANK,
  SPREAD,
  PLACE,
  ORIENT,
  DESCRIBE
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"sift/load", "sift_load", FRAME_SET},
  [BLUR] = {"sift/scale", "sift_blur", BLUR_SET, TRUE},
  [BLUR_LEVELS] = {"sift/scale", "sift_blur", LEVELS_SET, TRUE},
  [FIND] = {"sift/points", "sift_find", FIND_SET, TRUE},
  [START_BINS] = {"sift/list", "sift_starts", POINT_SET},
  [SORT] = {"sift/list", "sift_sort", POINT_SET},
  [CELLS] = {"sift/list", "sift_cells", POINT_SET},
  [RANK] = {"sift/list", "sift_rank", POINT_SET},
  [SPREAD] = {"sift/list", "sift_spread", POINT_SET},
  [PLACE] = {"sift/list", "sift_place", POINT_SET},
  [ORIENT] = {"sift/orient", "sift_orient", POINT_SET, TRUE},
  [DESCRIBE] = {"sift/describe", "sift_describe", POINT_SET, TRUE},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for
 * later kernels */
enum
{
  PLAN,
  SCALE,
  STATE,
  POINTS,
  SORTED,
  ORDER,
  CELL_OF_POINT,
  ANGLES,
  N_ANGLES,
  PLACES,
  N_SLOTS
};

/* ---- Making the object ----------------------------------------------------- */

/* Returns: the scale factor of fixed-point sums, that is, the largest power of two for which
 * @bound times the factor is at most @limit */
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
  MgpuComponent c = self->component;
  gint weights = p->upsample ? 16 : 1;
  /* Increases the bound for the length of a gradient, because samples may lie outside of the
   * nominal range. */
  gdouble most = MAX_GRADIENT * c.max / (c.hi - c.lo);

  self->orientation_unit = unit_for (most * 16 * (widest + 1) * (widest + 1),
      0x1p28);
  self->descriptor_unit = unit_for (most * (3 * widest + 1) * (3 * widest + 1),
      0x1p31);
  self->low = weights * c.lo;
  self->factor = 255.0 / (weights * (gdouble) (c.hi - c.lo));
}

/* Halves the numbers of work-items of work-groups until the device allows them. The kernels that
 * orient and describe points need at least 32 work-items, even if the device allows fewer. */
static void
lower_groups (MgpuSift * self)
{
  static const guint groups[] =
      { COLUMNS, BLUR_GROUP, LEVELS_GROUP, FIND_GROUP, ALL_GROUP, POINT_GROUP };
  gint limit = self->object.traits->max_work_group_size;
  gint *knobs = self->object.knobs;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    while (knobs[groups[i]] > (groups[i] == POINT_GROUP ? MAX (limit, 32)
            : limit))
      knobs[groups[i]] /= 2;
  /* Without vectors, each work-item of the search processes one column of a tile, so that the
   * width of a tile is the size of the work-group. */
  if (knobs[LANES] == 1)
    knobs[FIND_X] = knobs[FIND_GROUP];
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuSift *self = object;
  gboolean ok;

  self->params = *(const MgpuSiftParams *) params;
  self->component = mgpu_get_component (&self->object.in, 0);
  self->width = self->component.width;
  self->height = self->component.height;
  self->capacity = FEWEST_POINTS + (guint64) self->width * self->height
      / PIXELS_PER_POINT;
  set_units (self);
  lower_groups (self);
  ok = mgpu_sift_make_plan (self, error);
  for (guint set = 1; set < N_SETS && ok; set++)
    ok = (set == LEVELS_SET && self->n_levels == 1)
        || mgpu_object_build (self, set, error);
  return ok;
}

/* Returns: the radii of blurs for which the kernel contains unrolled loops: bit r is set for
 * radius r, bit 0 if there are blurs with a radius above 15 */
static guint
get_radii (const MgpuSift * self)
{
  guint radii = 0;

  for (guint l = 0; l < self->params.scales + 3; l++)
    radii |= 1 << (self->radii[l] > 15 ? 0 : self->radii[l]);
  return radii;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuSift *self = object;

  if (set == FRAME_SET) {
    g_string_append_printf (options, " -DUPSAMPLE=%d", self->params.upsample);
    mgpu_define_samples (options, &self->component);
  }
  if (set == BLUR_SET)
    g_string_append_printf (options, " -DPAD=%d", mgpu_sift_get_pad (self));
  if (set == BLUR_SET && self->object.knobs[BLUR_GROUP] > 1)
    g_string_append_printf (options, " -DRADII=%u", get_radii (self));
  if (set == LEVELS_SET)
    g_string_append_printf (options, " -DPAD=%d -DN_LEVELS=%d -DMARGIN=%d",
        self->widest, self->n_levels, self->margin);
  /* Defines SCALES, the number of scales of an octave, only for kernels without vectors. Kernels
   * with vectors get the number as an argument, and are compiled only once for all values. */
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

/* Gets the scratch buffer @slot with a size of @n words of 4 bytes, which kernels of @job may
 * write. Returns: the memory of @slot; NULL after an error, which is in @job */
static cl_mem
write_words (MgpuSift * self, guint slot, GstMgpuJob * job, gsize n)
{
  return mgpu_slot_write (self, slot, job, n * 4);
}

/* Arguments that several kernels for one frame share. */
typedef struct
{
  GstMgpuJob *job;
  const MgpuSiftParams *params;
  MgpuSiftRegion region;
  gint left, top, right, bottom;        /* edges of the region of interest, in samples of octave
                                         * 0 */
  gint room;
  gboolean given;               /* whether the caller gave the keypoints; if so, they are only
                                 * described */
  cl_mem plan, scale, state;
} Frame;

static void
set_region (MgpuSift * self, Frame * f, const MgpuSiftRegion * region)
{
  const MgpuSiftRegion whole = {.width = self->width,.height = self->height };
  guint up = self->params.upsample;

  f->region = region != NULL ? *region : whole;
  f->left = f->region.x << up;
  f->top = f->region.y << up;
  f->right = (f->region.x + f->region.width) << up;
  f->bottom = (f->region.y + f->region.height) << up;
}

static void
enqueue_scale (MgpuSift * self, Frame * f, const MgpuImage * in)
{
  GstMgpuJob *job = f->job;
  const gint *knobs = self->object.knobs;
  const gsize group[2] = { knobs[COLUMNS], 1 };
  cl_kernel load = self->object.kernels[LOAD];
  MgpuComponent c = mgpu_get_component (&in->info, 0);

  gst_mgpu_job_set_args (job, load, MGPU_PLANE "iiifmmmiii",
      MGPU_READ (job, in, c), c.width, c.height, self->low, self->factor,
      f->plan, f->scale, f->state, (gint) self->n_state,
      f->top - self->load_reach, f->bottom + 1 + self->load_reach);
  mgpu_launch (job, load, knobs[COLUMNS], self->height << self->params.upsample,
      1, 1, group);

  for (guint i = 0; i < self->steps->len; i++) {
    Tiles tiles = g_array_index (self->steps, Tiles, i);
    gint group = knobs[tiles.has_levels ? LEVELS_GROUP : BLUR_GROUP];
    cl_kernel blur =
        self->object.kernels[tiles.has_levels ? BLUR_LEVELS : BLUR];

    gst_mgpu_job_set_args (job, blur, "mmiiiiiiiiii", f->scale, f->plan,
        self->weights, self->weights_pitch, tiles.begin,
        (gint) tiles.per_group, (gint) self->params.scales, self->n_octaves,
        f->left, f->top, f->right, f->bottom);
    mgpu_launch_items (job, blur, tiles.n / tiles.per_group * group, group);
    /* Submits the first blur at once, so that the device begins to work, because on a GPU, the
     * first blurs take as long as the host needs to enqueue all other kernels. */
    if (i == 0)
      gst_mgpu_job_flush (job);
  }
}

/* Enqueues the kernels that find the points (candidates for keypoints) of a frame. Returns: the
 * memory with the points, strongest first */
static cl_mem
enqueue_points (MgpuSift * self, Frame * f)
{
  GstMgpuJob *job = f->job;
  const gint *knobs = self->object.knobs;
  cl_kernel *kernels = self->object.kernels;
  cl_mem points = write_words (self, POINTS, job, POINT * self->capacity);
  cl_mem order = write_words (self, ORDER, job, self->capacity);
  cl_mem sorted = write_words (self, SORTED, job, POINT * self->capacity);
  /* If the region has no rectangles or no mask, passes the memory of the plan instead, because the
   * kernel requires a memory as argument, but does not read it. */
  const MgpuSiftRegion *region = &f->region;
  cl_mem rectangles = region->rectangles == NULL ? f->plan
      : gst_mgpu_job_read (job, region->rectangles);
  cl_mem mask = region->mask == NULL ? f->plan
      : gst_mgpu_job_read (job, region->mask);
  gint n_rectangles = region->rectangles == NULL ? -1
      : (gint) region->n_rectangles;
  gint mask_pitch = region->mask == NULL ? 0 : self->width;
  gfloat contrast = f->params->contrast;
  gfloat threshold = floorf (0.5f * contrast / self->params.scales * 255);

  for (gint second = 0; second < 2; second++) {
    gst_mgpu_job_set_args (job, kernels[FIND], "mmiifffiimmmiiiiimimi",
        f->scale, f->plan, self->search.begin, (gint) self->params.scales,
        threshold, contrast, f->params->edge, second, (gint) self->capacity,
        points, f->state, order, f->left, f->top, f->right, f->bottom,
        self->params.upsample, rectangles, n_rectangles, mask, mask_pitch);
    mgpu_launch_items (job, kernels[FIND], self->search.n * knobs[FIND_GROUP],
        knobs[FIND_GROUP]);
    if (!second) {
      gst_mgpu_job_set_args (job, kernels[START_BINS], "imm",
          (gint) self->capacity, f->state, f->state);
      mgpu_launch_items (job, kernels[START_BINS], 1, knobs[ALL_GROUP]);
    }
  }
  gst_mgpu_job_set_args (job, kernels[SORT], "mmmm", points, f->state, order,
      sorted);
  mgpu_launch_items (job, kernels[SORT], self->capacity, 64);
  return sorted;
}

/* Enqueues the kernels that reorder the points (candidates for keypoints) in @sorted by grid
 * cell. The strongest point of each cell comes first, then the second strongest of each cell,
 * and so on. Points with the same rank in their cells are ordered by strength. Returns: the
 * memory with the points in the new order */
static cl_mem
enqueue_grid (MgpuSift * self, Frame * f, cl_mem sorted)
{
  GstMgpuJob *job = f->job;
  cl_kernel *kernels = self->object.kernels;
  cl_mem cells = write_words (self, CELL_OF_POINT, job, self->capacity);
  /* Reuses the scratch buffers ORDER and POINTS. Their content is no longer needed, because
   * @sorted contains a copy of the points. */
  cl_mem ranks = write_words (self, ORDER, job, self->capacity);
  cl_mem points = write_words (self, POINTS, job, POINT * self->capacity);

  gst_mgpu_job_set_args (job, kernels[CELLS], "mmiiim", sorted, f->state,
      self->params.upsample, (gint) f->params->grid,
      MAX (self->width, self->height), cells);
  mgpu_launch_items (job, kernels[CELLS], self->capacity, 64);
  gst_mgpu_job_set_args (job, kernels[RANK], "mmm", cells, f->state, ranks);
  mgpu_launch_items (job, kernels[RANK], self->capacity, 64);
  gst_mgpu_job_set_args (job, kernels[SPREAD], "mmmm", sorted, f->state, ranks,
      points);
  mgpu_launch_items (job, kernels[SPREAD], self->capacity, 64);
  return points;
}

/* Enqueues the kernel that assigns an entry of the keypoint table to each direction of each
 * point. A point with several directions becomes several keypoints. Returns: the memory that
 * contains, for each entry of the table, its point and direction */
static cl_mem
enqueue_places (MgpuSift * self, Frame * f, cl_mem n_angles, cl_mem table,
    const MgpuSiftTables * tables)
{
  GstMgpuJob *job = f->job;
  cl_kernel kernel = self->object.kernels[PLACE];
  gboolean full = f->params->max_features == 0
      || f->params->max_features > self->capacity;
  cl_mem places = write_words (self, PLACES, job, self->capacity);

  gst_mgpu_job_set_args (job, kernel, "mmiimmm", f->state, n_angles,
      f->room, full, places, table, tables->report != NULL
      ? gst_mgpu_job_write (job, tables->report) : table);
  mgpu_launch_items (job, kernel, 1, self->object.knobs[ALL_GROUP]);
  return places;
}

/* Enqueues the kernels that compute keypoints and descriptors for the points in @points, and
 * write them to the memories in @tables. If the caller gave the keypoints, @tables already
 * contains them and a header. Kernels then read the number of points from the header instead of
 * the scratch buffer STATE. */
static void
enqueue_tables (MgpuSift * self, Frame * f, cl_mem points,
    const MgpuSiftTables * tables)
{
  GstMgpuJob *job = f->job;
  const gint *knobs = self->object.knobs;
  cl_kernel *kernels = self->object.kernels;
  const MgpuSiftParams *params = f->params;
  gfloat per_scale = 1.0f / self->params.scales;
  gsize n_items = (gsize) GST_ROUND_UP_64 (f->room) * knobs[POINT_GROUP];
  gsize most = f->given ? (guint) f->room : self->capacity;
  cl_mem angles = write_words (self, ANGLES, job, most * MAX_DIRECTIONS);
  cl_mem n_angles = write_words (self, N_ANGLES, job, most);
  cl_mem places = n_angles, table = NULL;

  if (f->given)
    gst_mgpu_job_read (job, tables->keypoints);
  table = gst_mgpu_job_write (job, tables->keypoints);
  gst_mgpu_job_set_args (job, kernels[ORIENT], "mmmmifffiimm", f->scale,
      f->plan, points, f->given ? table : f->state, f->room,
      self->params.sigma, per_scale, self->orientation_unit,
      f->given ? 1 : (gint) params->max_orientations, f->given, angles,
      n_angles);
  mgpu_launch_items (job, kernels[ORIENT], n_items, knobs[POINT_GROUP]);
  if (!f->given)
    places = enqueue_places (self, f, n_angles, table, tables);
  gst_mgpu_job_set_args (job, kernels[DESCRIBE], "mmmmmfffiiimm", f->scale,
      f->plan, points, angles, places, self->params.sigma, per_scale,
      self->descriptor_unit, self->params.upsample,
      tables->descriptors != NULL ? (gint) params->descriptor : 0, f->given,
      table,
      tables->descriptors != NULL
      ? gst_mgpu_job_write (job, tables->descriptors) : table);
  mgpu_launch_items (job, kernels[DESCRIBE], n_items, knobs[POINT_GROUP]);
}

/* Enqueues the kernels that compute the scale space of the frame @in. Sets the members of @f
 * that later kernels get as arguments. */
static void
begin (MgpuSift * self, Frame * f, const MgpuImage * in,
    const MgpuSiftRegion * region)
{
  f->plan = mgpu_slot_read_words (self, PLAN, f->job, self->words);
  f->scale = write_words (self, SCALE, f->job, self->n_scale);
  f->state = write_words (self, STATE, f->job, self->n_state);
  set_region (self, f, region);
  enqueue_scale (self, f, in);
}

void
mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job,
    const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables)
{
  Frame f = {.job = job,.params = params,
    .room = mgpu_sift_get_room (self, params)
  };
  cl_mem points;

  begin (self, &f, in, region);
  points = enqueue_points (self, &f);
  if (params->grid > 0)
    points = enqueue_grid (self, &f, points);
  enqueue_tables (self, &f, points, tables);
}

/* Writes a header and the @n keypoints @points of the caller to the memory @table. Returns:
 * FALSE after an error, which is in @job */
static gboolean
write_given (GstMgpuJob * job, const GstMgpuKeypoint * points, guint n,
    GstMgpuMemory * table)
{
  const GstMgpuKeypointHeader header = {.n = n };
  GstMapInfo map;

  if (!mgpu_map_in_job (job, (GstMemory *) table, &map, GST_MAP_WRITE))
    return FALSE;
  memcpy (map.data, &header, sizeof (header));
  if (n > 0)
    memcpy (map.data + sizeof (header), points, n * sizeof (*points));
  gst_memory_unmap ((GstMemory *) table, &map);
  return TRUE;
}

void
mgpu_sift_enqueue_given (MgpuSift * self, GstMgpuJob * job,
    const MgpuSiftParams * params, const MgpuImage * in,
    const GstMgpuKeypoint * points, guint n, const MgpuSiftTables * tables)
{
  Frame f = {.job = job,.params = params,.room = n,.given = TRUE };
  MgpuSiftRegion box;
  GArray *words;

  if (!write_given (job, points, n, tables->keypoints) || n == 0)
    return;
  words = mgpu_sift_place_given (self, points, n, &box);
  if (mgpu_slot_set_words (self, SORTED, job, words)) {
    begin (self, &f, in, &box);
    enqueue_tables (self, &f, mgpu_slot_read (self, SORTED, job), tables);
  }
  g_array_unref (words);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuSiftParams, name)

/* Name of the GType of the parameter "descriptor"; libgstmgpu registers this type. */
static const MgpuEnum descriptor_type = { "GstMgpuDescriptorType", NULL };

static const MgpuParam params[] = {
  {"max-features", MGPU_PARAM_UINT, MEMBER (max_features), 0, G_MAXINT, 0,
        NULL,
      "Maximum number of keypoints in a frame; the strongest are kept (0 "
        "= all)"},
  {"scales-per-octave", MGPU_PARAM_UINT, MEMBER (scales), 1, MAX_SCALES, 3,
        NULL,
      "Number of scales in an octave, over which the size of keypoints doubles"},
  {"octaves", MGPU_PARAM_UINT, MEMBER (octaves), 0, 16, 0, NULL,
      "Number of octaves, over each of which the size of keypoints doubles (0 "
        "= as many as the frame size allows)"},
  {"contrast-threshold", MGPU_PARAM_DOUBLE, MEMBER (contrast), 0, 1, 0.04,
      NULL, "Minimum contrast of keypoints; keypoints with less contrast are "
        "dropped"},
  {"edge-threshold", MGPU_PARAM_DOUBLE, MEMBER (edge), 1, 1000000, 10, NULL,
      "Maximum ratio of the principal curvatures of a point; points with a "
        "larger ratio (edges) are dropped"},
  {"sigma", MGPU_PARAM_DOUBLE, MEMBER (sigma), 0.5, 4, 1.6, NULL,
      "Standard deviation of the blur of the first level in an octave, in "
        "pixels"},
  {"upsample", MGPU_PARAM_BOOLEAN, MEMBER (upsample), 0, 1, TRUE, NULL,
      "Whether to double the frame size for the first octave, so that smaller "
        "keypoints are found"},
  {"descriptor", MGPU_PARAM_ENUM, MEMBER (descriptor), 0, 0,
        GST_MGPU_DESCRIPTOR_TYPE_SIFT, &descriptor_type,
      "Kind of descriptors that are computed for keypoints"},
  {"max-orientations", MGPU_PARAM_UINT, MEMBER (max_orientations), 1,
        MAX_DIRECTIONS, 4, NULL,
      "Maximum number of keypoints at one position, one for each dominant "
        "orientation"},
  {"grid", MGPU_PARAM_UINT, MEMBER (grid), 0, 256, 0, NULL,
      "Number of grid cells along the longer edge of the frame; with "
        "\"max-features\", the strongest point of each cell is preferred to "
        "all second strongest points, so that keypoints are spread over the "
        "frame (0 = no grid)"},
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

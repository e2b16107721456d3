/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plans the filling of a hole: objects, search windows, pyramid levels and method. */
#include "inpaint-plan.h"

#include <string.h>

#include <kernels/inpaint/inpaint-shared.h>

/* First search factor to try if the window without a margin contains no source patch. The search
 * factor is the margin of an object's search window, as a multiple of the object's size. It is
 * doubled until the window contains a source patch. */
#define FIRST_FACTOR 0.05

/* Largest number of objects that are divided into lanes (independent groups). If there are more
 * objects, they share one lane, because it would take too long to determine which objects are
 * close to each other. */
#define MAX_APART 1024

/* A mask counts as thin if the distance between each unknown pixel and the nearest known pixel
 * is at most this, in pixels. */
#define MAX_THIN 1

/* ---- Finding source patches ------------------------------------------------ */

/* Marks the centers of source patches in the array @sources of @self. All pixels of a source
 * patch are known and may be copied. Returns: the number of source patches */
static guint
find_sources (MgpuInpaintPlan * self, const guint8 * unknown,
    const guint8 * forbidden, gint patch_size)
{
  gint width = self->width, r = patch_size / 2;
  gint *column = g_new0 (gint, width);  /* for each column: the number of vertically adjacent
                                         * pixels, from row @y upwards, that a source patch may
                                         * contain */
  guint n = 0;

  for (gint y = 0; y < self->height; y++) {
    gint run = 0;
    guint8 *row = self->sources + (gsize) (y - r) * width;

    for (gint x = 0; x < width; x++) {
      gsize i = (gsize) y * width + x;

      column[x] = unknown[i] || (forbidden != NULL && forbidden[i]) ? 0
          : column[x] + 1;
      run = column[x] >= patch_size ? run + 1 : 0;
      if (run >= patch_size) {
        row[x - r] = 1;
        n++;
      }
    }
  }
  g_free (column);
  return n;
}

static gboolean
has_source (const MgpuInpaintPlan * self, MgpuBox box)
{
  for (gint y = box.y0; y < box.y1; y++)
    if (memchr (self->sources + (gsize) y * self->width + box.x0, 1,
            box.x1 - box.x0) != NULL)
      return TRUE;
  return FALSE;
}

static gint
grow_by (gdouble factor, gint size, gint limit)
{
  return factor * size >= limit ? limit : (gint) (factor * size);
}

/* Returns: the search window for the source patches of the object in @box. The search window is
 * enlarged until it contains a source patch. The frame must have at least one source patch. */
static MgpuBox
find_window (const MgpuInpaintPlan * self, MgpuBox box, gint radius,
    gdouble factor)
{
  const MgpuBox all = { 0, 0, self->width, self->height };
  MgpuBox window;

  if (factor < 0)
    return all;
  for (;;) {
    window = mgpu_box_grow (box,
        radius + grow_by (factor, box.x1 - box.x0, self->width),
        radius + grow_by (factor, box.y1 - box.y0, self->height),
        self->width, self->height);
    if (has_source (self, window))
      return window;
    factor = factor == 0 ? FIRST_FACTOR : 2 * factor;
  }
}

/* ---- Objects: connected unknown pixels ------------------------------------- */

/* Flood fill: assigns all unknown pixels that are connected with the pixel @start to the object
 * @number. Uses @todo as a stack of pixel indices. Returns: the box around the object */
static MgpuBox
find_object (MgpuInpaintPlan * self, const guint8 * unknown, gint start,
    gint number, GArray * todo)
{
  gint width = self->width, height = self->height;
  MgpuBox box = { width, height, 0, 0 };

  self->object[start] = number;
  g_array_append_val (todo, start);
  while (todo->len > 0) {
    gint i = g_array_index (todo, gint, todo->len - 1);
    gint x = i % width, y = i / width;
    MgpuBox here = { x, y, x + 1, y + 1 };
    MgpuBox around = mgpu_box_grow (here, 1, 1, width, height);

    g_array_set_size (todo, todo->len - 1);
    box = mgpu_box_union (box, here);
    for (gint v = around.y0; v < around.y1; v++) {
      for (gint u = around.x0; u < around.x1; u++) {
        gint next = v * width + u;

        if (!unknown[next] || self->object[next] != 0)
          continue;
        self->object[next] = number;
        g_array_append_val (todo, next);
      }
    }
  }
  return box;
}

/* Divides the objects into lanes, which are boxes around objects that are filled independently.
 * A patch changes gradients up to one pixel outside its edge. Two lanes are merged if a patch in
 * one lane can change the gradient of a pixel next to the other lane. */
static void
find_lanes (MgpuInpaintPlan * self, const GArray * boxes, gint radius,
    gboolean side_by_side)
{
  g_autofree MgpuBox *lanes =
      g_memdup2 (boxes->data, boxes->len * sizeof (MgpuBox));
  guint n = boxes->len;
  gboolean again = side_by_side && n <= MAX_APART;

  while (again) {
    again = FALSE;
    for (guint i = 0; i < n; i++) {
      for (guint j = n - 1; j > i; j--) {
        MgpuBox near =
            mgpu_box_grow (lanes[i], radius + 2, radius + 2, self->width,
            self->height);

        if (!mgpu_boxes_meet (near, lanes[j]))
          continue;
        lanes[i] = mgpu_box_union (lanes[i], lanes[j]);
        lanes[j] = lanes[--n];
        again = TRUE;
      }
    }
  }
  self->n_lanes = n;
  if (n > MGPU_INPAINT_MAX_LANES || !side_by_side) {
    self->n_lanes = 1;
    lanes[0] = self->hole;
  }
  memcpy (self->lanes, lanes, self->n_lanes * sizeof (MgpuBox));
}

/* Assigns numbers to the objects, and sets the array @boxes of @self to the boxes around them. */
static void
find_objects (MgpuInpaintPlan * self, const guint8 * unknown)
{
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (gint));
  gint n = self->width * self->height;

  for (gint i = 0; i < n; i++) {
    MgpuBox box;

    if (!unknown[i] || self->object[i] != 0)
      continue;
    box = find_object (self, unknown, i, self->boxes->len + 1, todo);
    g_array_append_val (self->boxes, box);
  }
}

static void
find_windows (MgpuInpaintPlan * self, const MgpuInpaintParams * params)
{
  /* Includes a border around patches if all patches are found at once, because their textures
   * also depend on the pixels next to the patches. */
  gint radius = self->patch_size / 2
      + (self->method == MGPU_INPAINT_PATCHMATCH);

  for (guint i = 0; i < self->boxes->len; i++) {
    MgpuBox box = g_array_index (self->boxes, MgpuBox, i);
    MgpuBox window = find_window (self, box, radius, params->search_factor);
    MgpuBox seen = mgpu_box_grow (mgpu_box_union (box, window), radius + 2,
        radius + 2, self->width, self->height);

    g_array_append_val (self->windows, window);
    self->view = i == 0 ? seen : mgpu_box_union (self->view, seen);
  }
  find_lanes (self, self->boxes, radius,
      (params->shortcuts & MGPU_INPAINT_SIDE_BY_SIDE) != 0);
}

/* ---- Frames without a source patch ------------------------------------------ */

/* Sorts the unknown pixels by their distance from the nearest known pixel into the arrays @order
 * and @passes of @self. Used if there is no source patch. */
static void
find_passes (MgpuInpaintPlan * self, const guint8 * unknown)
{
  const MgpuBox all = { 0, 0, self->width, self->height };
  gint passes = mgpu_inpaint_find_distances (unknown, self->width, self->height,
      all, self->object);

  self->hole = self->view = all;
  g_array_unref (self->order);
  self->order = mgpu_inpaint_sort (self->object, self->width * self->height,
      passes, self->passes);
}

/* ---- Choice of the method --------------------------------------------------- */

/* Counts the unknown pixels, and sets the member @hole of @self to the box around them. */
static void
find_hole (MgpuInpaintPlan * self, const guint8 * unknown)
{
  MgpuBox box = { self->width, self->height, 0, 0 };

  for (gint y = 0; y < self->height; y++) {
    const guint8 *row = unknown + (gsize) y * self->width;

    for (gint x = 0; x < self->width; x++) {
      if (!row[x])
        continue;
      self->n_unknown++;
      box = mgpu_box_union (box, (MgpuBox) {
          x, y, x + 1, y + 1}
      );
    }
  }
  self->hole = box;
}

/* Returns: whether a whole row and a whole column of the frame are unknown */
static gboolean
has_cross (const MgpuInpaintPlan * self, const guint8 * unknown)
{
  g_autofree gboolean *columns = g_new0 (gboolean, self->width);
  gboolean has_row = FALSE, has_column = FALSE;

  for (gint y = 0; y < self->height; y++) {
    gboolean is_row = TRUE;

    for (gint x = 0; x < self->width; x++) {
      gboolean is_known = !unknown[(gsize) y * self->width + x];

      is_row = is_row && !is_known;
      columns[x] = columns[x] || is_known;
    }
    has_row = has_row || is_row;
  }
  for (gint x = 0; x < self->width; x++)
    has_column = has_column || !columns[x];
  return has_row && has_column;
}

/* Returns: the method to use. This is @method, the method requested by the caller, with two
 * exceptions:
 * - MGPU_INPAINT_AUTO is replaced by a membrane for thin masks, otherwise by patches from coarse
 *   to fine.
 * - Patches from coarse to fine are replaced by patches one after the other if @follows is TRUE.
 * @depth is the largest distance of an unknown pixel from the nearest known pixel, in pixels. */
static MgpuInpaintMethod
choose_method (MgpuInpaintMethod method, gint depth, gboolean follows)
{
  if (method == MGPU_INPAINT_AUTO)
    method = depth <= MAX_THIN ? MGPU_INPAINT_HARMONIC
        : MGPU_INPAINT_PATCHMATCH;
  return method == MGPU_INPAINT_PATCHMATCH && follows ? MGPU_INPAINT_EXEMPLAR
      : method;
}

/* ---- Making and freeing plans ----------------------------------------------- */

/* Computes the data that the method needs. @distances contains the distance from the nearest
 * known pixel for each pixel of the box around the hole; @depth is the largest of them. */
static void
make_plan (MgpuInpaintPlan * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params,
    const gint * distances, gint depth)
{
  gboolean has_shades;

  if (self->method == MGPU_INPAINT_PATCHMATCH)
    self->patch_size = MATCH_SIZE;
  if (self->method == MGPU_INPAINT_DIRECTIONAL) {
    for (gint i = 0; i < self->width * self->height; i++) {
      self->object[i] = unknown[i];
      if (unknown[i])
        g_array_append_val (self->order, i);
    }
    return;
  }
  if (self->method != MGPU_INPAINT_HARMONIC)
    self->has_sources = find_sources (self, unknown, forbidden,
        self->patch_size) > 0;
  has_shades = depth >= MGPU_INPAINT_WIDE && !params->keep
      && (self->method == MGPU_INPAINT_HARMONIC
      || (self->method == MGPU_INPAINT_PATCHMATCH && self->has_sources));
  if (self->has_sources || has_shades)
    find_objects (self, unknown);
  if (has_shades)
    mgpu_inpaint_shades_init (self, unknown, forbidden, distances,
        params->search_factor);
  if (self->method == MGPU_INPAINT_HARMONIC) {
    for (gint i = 0; i < self->width * self->height; i++)
      self->object[i] = unknown[i];
    return;
  }
  if (self->has_sources)
    find_windows (self, params);
  else
    find_passes (self, unknown);
  if (self->has_sources && self->method == MGPU_INPAINT_PATCHMATCH)
    mgpu_inpaint_levels_init (&self->levels, self, unknown, forbidden);
}

MgpuInpaintPlan *
mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden,
    gint width, gint height, const MgpuInpaintParams * params, gboolean follows)
{
  MgpuInpaintPlan *self = g_new0 (MgpuInpaintPlan, 1);
  gsize n = (gsize) width * height;
  gint *distances, depth = 0;

  self->width = width;
  self->height = height;
  self->patch_size = params->patch_size;
  self->object = g_new0 (gint, n);
  self->sources = g_new0 (guint8, n);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  self->windows = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  self->order = g_array_new (FALSE, TRUE, sizeof (gint));
  self->passes = g_array_new (FALSE, TRUE, sizeof (gint));
  self->shades = g_array_new (FALSE, FALSE, sizeof (MgpuInpaintShade));
  self->shade_words = g_array_new (FALSE, TRUE, sizeof (gint));
  find_hole (self, unknown);
  if (self->n_unknown == 0 || self->n_unknown == n)
    return self;
  distances = g_new (gint, mgpu_box_area (&self->hole));
  if (params->method != MGPU_INPAINT_EXEMPLAR)
    depth = mgpu_inpaint_find_distances (unknown, width, height, self->hole,
        distances);
  self->method = choose_method (params->method, depth, follows);
  /* Uses the membrane in this case: a line through a pixel where such a row and such a column meet
   * may have no end. */
  if (self->method == MGPU_INPAINT_DIRECTIONAL && has_cross (self, unknown))
    self->method = MGPU_INPAINT_HARMONIC;
  make_plan (self, unknown, forbidden, params, distances, depth);
  g_free (distances);
  return self;
}

void
mgpu_inpaint_plan_free (MgpuInpaintPlan * self)
{
  if (self == NULL)
    return;
  g_free (self->object);
  g_free (self->sources);
  mgpu_inpaint_levels_clear (&self->levels);
  g_array_unref (self->boxes);
  g_array_unref (self->windows);
  g_array_unref (self->order);
  g_array_unref (self->passes);
  g_array_unref (self->shades);
  g_array_unref (self->shade_words);
  g_free (self);
}

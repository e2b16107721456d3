/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds regions: connected cells of the mask. The algorithm is described in
 * docs/algorithms/moving.md. */
#include "moving/moving.h"
#include "moving/components.h"

/* Number of frames after which the background is learned again at a ghost, a place that an object
 * has left */
#define GHOST_FRAMES 12

/* ---- Cells -------------------------------------------------------------------------- */

static int
get_gradient (global const ushort * p, int x, int y, LAYOUT)
{
  int dx = (int) p[AT (min (x + 1, width - 1), y)] - (int) p[AT (max (x - 1, 0), y)];
  int dy = (int) p[AT (x, min (y + 1, height - 1))] - (int) p[AT (x, max (y - 1, 0))];

  return (int) (abs (dx) + abs (dy)) >> 4;
}

/* Adds up the pixels of a cell in which a bit of the mask is set. */
static void
add_pixels (global const ushort * words, global const uchar * bytes, LAYOUT, int x0, int y0,
    int x1, int y1, int bit, global int *sums)
{
  int n = 0, evidence = 0, frame = 0, model = 0, dark = 0;
  int left = 255, up = 255, right = 0, down = 0;
  global const uchar *bits = BYTE (MOVING_BITS);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) {
      int at = AT (x, y);
      bool is_border;

      if ((bits[at] >> bit & 1) == 0)
        continue;
      is_border = ((bits[AT (max (x - 1, 0), y)] & bits[AT (min (x + 1, width - 1), y)]
              & bits[AT (x, max (y - 1, 0))] & bits[AT (x, min (y + 1, height - 1))])
          >> bit & 1) == 0;
      if (is_border) {
        frame += get_gradient (WORD (MOVING_VALUE), x, y, LAYOUT_VALUES);
        model += get_gradient (WORD (MOVING_M0), x, y, LAYOUT_VALUES);
      }
      n++;
      dark += BYTE (MOVING_SHADE)[at] >> (1 + bit) & 1;
      evidence += min ((int) BYTE (MOVING_EVIDENCE)[at], 192);
      left = min (left, x - x0);
      up = min (up, y - y0);
      right = max (right, x + 1 - x0);
      down = max (down, y + 1 - y0);
    }
  sums[0] = n;
  sums[1] = evidence;
  sums[2] = frame;
  sums[3] = model;
  sums[4] = dark;
  sums[5] = left | up << 8 | right << 16 | down << 24;
}

static void
measure_cell (global const ushort * words, global const uchar * bytes, LAYOUT, int cell, int cx,
    int cy, int c, global int *cells, global uint *sums)
{
  int x0 = cx * cell, y0 = cy * cell, n = 0;
  int x1 = min (x0 + cell, width), y1 = min (y0 + cell, height);

  /* Treats the mask outside the image as 0. */
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x += 4)
      n += (int) popcount (as_uint (vload4 (0, BYTE (MOVING_BITS) + AT (x, y))) & 0x01010101u);
  cells[MOVING_COUNTS_AT + c] = 4 * n >= (x1 - x0) * (y1 - y0) ? n : -n;
  cells[MOVING_CELL_PARENTS_AT + c] = c;
  cells[MOVING_SIZES_AT + c] = 0;
  cells[MOVING_LABELS_AT + c] = cells[MOVING_NUMBERS_AT + c] = -1;
  if (n > 0)
    cells[MOVING_LIST_AT + atomic_inc (&sums[MOVING_SUM_LISTED])] = c;
  for (int bit = 0; bit < 2 && n > 0; bit++)
    add_pixels (words, bytes, LAYOUT_VALUES, x0, y0, x1, y1, bit,
        cells + MOVING_CELLS_AT + c * MOVING_CELL_WORDS + bit * MOVING_CELL_SUMS);
}

/* Adds up the moving pixels of each cell, and lists the cells that have moving pixels. A work-item
 * processes every get_global_size (0)-th cell of a row. */
kernel void
moving_cells (global const ushort * words, global const uchar * bytes, LAYOUT, int cell,
    int columns, int rows, global int *cells, global uint *sums)
{
  int y = get_global_id (1);

  if (y >= rows)
    return;
  for (int x = get_global_id (0); x < columns; x += get_global_size (0))
    measure_cell (words, bytes, LAYOUT_VALUES, cell, x, y, y * columns + x, cells,
        sums);
}

/* ---- Components --------------------------------------------------------------------- */

static void
add_cell (volatile global int *to, global const int *from, int x0, int y0)
{
  int box = from[5];

  if (from[0] == 0)
    return;
  for (int i = 0; i < 5; i++)
    atomic_add (&to[i], from[i]);
  atomic_min (&to[5], x0 + (box & 255));
  atomic_min (&to[6], y0 + (box >> 8 & 255));
  atomic_max (&to[7], x0 + (box >> 16 & 255));
  atomic_max (&to[8], y0 + (box >> 24 & 255));
}

/* Adds up the words of the cells of each component. All work-items call this function. @n: number
 * of cells in the list */
static inline __attribute__ ((always_inline)) void
add_cells (global const int *cells, int cell, int columns, int n, global int *components)
{
  for (int i = get_local_id (0); i < n; i += WIDE) {
    int c = cells[MOVING_LIST_AT + i], label = cells[MOVING_LABELS_AT + c];
    int number = label >= 0 ? cells[MOVING_NUMBERS_AT + label] : -1;

    for (int bit = 0; bit < 2 && number >= 0; bit++)
      add_cell (COMPONENT (number) + bit * MOVING_COMPONENT_SUMS,
          cells + MOVING_CELLS_AT + c * MOVING_CELL_WORDS + bit * MOVING_CELL_SUMS,
          c % columns * cell, c / columns * cell);
  }
  SYNC (CLK_GLOBAL_MEM_FENCE);
}

/* Decides which bit of the mask counts for a component, and whether the component is a ghost.
 * Returns whether it is a region. */
static bool
judge (global int *component, int keeps_shadows, int least, int most)
{
  int n0 = component[0], n1 = component[MOVING_COMPONENT_SUMS];
  int bit = !keeps_shadows && 5 * n1 >= 2 * n0;
  global const int *sums = component + bit * MOVING_COMPONENT_SUMS;
  bool is_ghost = sums[0] >= MIN_PIXELS && (long) sums[3] * 16 > (long) sums[2] * 24;
  bool is_shadow = !keeps_shadows && 7 * (long) sums[4] >= 6 * (long) sums[0];

  component[MOVING_COMPONENT_BIT] = bit;
  component[MOVING_COMPONENT_GHOST] = is_ghost;
  return !is_ghost && !is_shadow && sums[0] >= least && sums[0] <= most;
}

static void
put_region (global MgpuMovingRegion * region, global const int *component)
{
  global const int *sums = component
      + component[MOVING_COMPONENT_BIT] * MOVING_COMPONENT_SUMS;

  region->area = sums[0];
  region->evidence = sums[1];
  region->frame_edge = sums[2];
  region->model_edge = sums[3];
  region->x0 = sums[5];
  region->y0 = sums[6];
  region->x1 = sums[7];
  region->y1 = sums[8];
  region->n_shadow = component[0] - sums[0];
  region->cell = component[MOVING_COMPONENT_CELL];
  region->reserved[0] = region->reserved[1] = 0;
}

/* Writes the results for the whole frame, and sets its sums to 0. */
static void
put_head (global MgpuMovingHead * head, global uint *sums, int n_learned)
{
  head->light = (int) sums[MOVING_SUM_LIGHT];
  head->has_tone = (int) sums[MOVING_SUM_TONE];
  head->brightness = sums[MOVING_SUM_BRIGHTNESS];
  head->n_strong = sums[MOVING_SUM_STRONG];
  head->n_survived = sums[MOVING_SUM_SURVIVED];
  head->frame_energy = sums[MOVING_SUM_FRAME];
  head->model_energy = sums[MOVING_SUM_MODEL];
  head->n_learned = n_learned;
  head->is_flat = (int) sums[MOVING_SUM_FLAT];
  head->reserved[0] = head->reserved[1] = 0;
  for (int i = 0; i < MOVING_N_SUMS; i++)
    sums[i] = 0;
}

/* Finds the regions of a frame. @least, @most: minimum and maximum area of a region, in pixels
 * of the reduced frame; @most is -1 if the frame must have no regions. A single work-group runs. */
kernel void __attribute__ ((reqd_work_group_size (WIDE, 1, 1)))
moving_regions (global int *cells, int cell, int columns, int rows, int keeps_shadows, int least,
    int most, int n_learned, global int *components, global uint *sums,
    global MgpuMovingResults * results)
{
  local int parts[N_PARTS], tops[N_PARTS / PART], n_active, n_ghosts, n_moving;
  local uint firsts[N_PARTS];
  int id = get_local_id (0), n = (int) sums[MOVING_SUM_LISTED], all, active;

  for (int i = id; i < MOVING_MAX_REGIONS * MOVING_COMPONENT_WORDS; i += WIDE) {
    int word = i % MOVING_COMPONENT_WORDS % MOVING_COMPONENT_SUMS;

    components[i] = word == 5 || word == 6 ? INT_MAX : 0;
  }
  if (id == 0)
    n_active = n_ghosts = n_moving = 0;
  active = label_cells (cells, columns, rows, n);
  all = number_components (cells, n, components, firsts, parts, tops);
  atomic_add (&n_active, active);
  add_cells (cells, cell, columns, n, components);
  for (int i = id; i < MOVING_MAX_REGIONS; i += WIDE) {
    global int *component = COMPONENT (i);

    parts[i] = i < all && judge (component, keeps_shadows, least, most);
    if (i < all && component[MOVING_COMPONENT_GHOST])
      atomic_inc (&n_ghosts);
    if (parts[i])
      atomic_add (&n_moving,
          component[component[MOVING_COMPONENT_BIT] * MOVING_COMPONENT_SUMS]);
  }
  sum_parts (parts, MOVING_MAX_REGIONS, tops);
  for (int i = id; i < MOVING_MAX_REGIONS; i += WIDE) {
    global int *component = COMPONENT (i);
    int before = sum_first (parts, tops, i);

    component[MOVING_COMPONENT_NUMBER] = parts[i] ? before + 1 : 0;
    if (parts[i])
      put_region (&results->regions[before], component);
  }
  if (id == 0) {
    results->head.n_regions = sum_first (parts, tops, MOVING_MAX_REGIONS);
    results->head.n_dropped = max (all - MOVING_MAX_REGIONS, 0);
    results->head.n_ghosts = n_ghosts;
    results->head.n_moving = n_moving;
    results->head.n_active = n_active;
    put_head (&results->head, sums, n_learned);
  }
}

/* ---- Application of the regions ------------------------------------------------------ */

/* Writes the mask of the pixels of a cell. Resets the background at pixels that have belonged to a
 * ghost for GHOST_FRAMES frames. @region: number of the cell's region, or 0. @bit: number of the
 * bit of the mask that counts */
static void
apply_cell (global ushort * words, global uchar * bytes, LAYOUT, int cell, int cx, int cy, int bit,
    int region, int is_ghost, global uchar * shown)
{
  for (int y = cy * cell; y < min ((cy + 1) * cell, height); y++)
    for (int x = cx * cell; x < min ((cx + 1) * cell, width); x++) {
      int at = AT (x, y), bits = BYTE (MOVING_BITS)[at], moves = bits >> bit & 1;
      int ghost = is_ghost && moves ? BYTE (MOVING_GHOST)[at] + 1 : 0;

      shown[y * width + x] = region == 0 || bits == 0 ? 0 : moves ? MOVING_MASK : MOVING_SHADOW;
      if (ghost == GHOST_FRAMES) {
        WORD (MOVING_M0)[at] = WORD (MOVING_X)[at];
        BYTE (MOVING_S0)[at] = 10;
        BYTE (MOVING_CB0)[at] = BYTE (MOVING_CB)[at];
        BYTE (MOVING_CR0)[at] = BYTE (MOVING_CR)[at];
        ghost = 0;
      }
      BYTE (MOVING_GHOST)[at] = ghost;
    }
}

/* Sets the mask and the ghosts of a cell without a component to 0; apply_cell() processes the
 * other cells. */
static void
clear_cell (global uchar * bytes, LAYOUT, int cell, int cx, int cy, global uchar * shown)
{
  for (int y = cy * cell; y < min ((cy + 1) * cell, height); y++)
    for (int x = cx * cell; x < min ((cx + 1) * cell, width); x += 4) {
      global uchar *ghost = BYTE (MOVING_GHOST) + AT (x, y), *p = shown + y * width + x;

      if (as_uint (vload4 (0, ghost)) != 0)
        vstore4 ((uchar4) (0), 0, ghost);
      if (x + 4 <= width)
        vstore4 ((uchar4) (0), 0, p);
      else
        for (int i = 0; i < width - x; i++)
          p[i] = 0;
    }
}

/* Applies the regions to the cells: writes the mask, the region number and the heat of each cell,
 * and resets the background at ghosts. A work-item processes every get_global_size (0)-th cell of a
 * row. */
kernel void
moving_apply (global ushort * words, global uchar * bytes, LAYOUT, int cell, int columns, int rows,
    global const int *cells, global const int *components, int is_first, global uchar * shown,
    global ushort * labels, global ushort * heat)
{
  int y = get_global_id (1);

  if (y >= rows)
    return;
  for (int x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int c = y * columns + x, label = cells[MOVING_LABELS_AT + c];
    int number = label >= 0 ? cells[MOVING_NUMBERS_AT + label] : -1;
    global const int *component = COMPONENT (max (number, 0));
    int region = number < 0 ? 0 : component[MOVING_COMPONENT_NUMBER];
    int warm = is_first ? 0 : heat[c];

    if (number < 0)
      clear_cell (bytes, LAYOUT_VALUES, cell, x, y, shown);
    else
      apply_cell (words, bytes, LAYOUT_VALUES, cell, x, y, component[MOVING_COMPONENT_BIT], region,
          component[MOVING_COMPONENT_GHOST], shown);
    warm += (region > 0 ? 256 : 0) - (warm >> 8);
    labels[c] = (ushort) region;
    heat[c] = (ushort) min (warm, 65535);
  }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds, for each cell, frames that show what is hidden in the cell, and its motion. A work-group
 * processes a cell. Its window has SIDE x SIDE samples, of every second column and row, around its
 * center. */

/* Number of work-items of the work-group that processes a cell */
#ifndef GROUP
#define GROUP 1
#endif

#include "layers/propose.h"

/* ---- choice ----------------------------------------------------------------- */

/* State of the refinement of a candidate: its start, its current motion, and whether it still
 * changes */
typedef struct
{
  Candidate start, now;
  int moves;
} Refined;

/* Copies the candidates with the lowest costs to @best; of candidates with equal costs, the first
 * ones. Returns the number of copied candidates. */
static inline __attribute__ ((always_inline)) int
select_best (local const Candidate * list, int n, local Refined * best)
{
  int last_cost = -1, last = -1, count = min (n, N_REFINED), i, k;

  for (i = 0; i < count; i++) {
    int at = -1, cost = INT_MAX;

    for (k = 0; k < n; k++) {
      int here = list[k].cost;
      int is_left = here > last_cost || (here == last_cost && k > last);

      if (is_left && here < cost) {
        cost = here;
        at = k;
      }
    }
    best[i].start = best[i].now = list[at];
    best[i].moves = cost < NEVER;
    last_cost = cost;
    last = at;
  }
  return count;
}

/* Moves a candidate to the neighboring displacement with the lowest cost. @costs: for each
 * neighbor, the cost in x and the opacity in y. */
static inline __attribute__ ((always_inline)) void
step (local Refined * r, local const uint2 * costs)
{
  Candidate best = r->now;
  int is_better = 0, k;

  for (k = 0; k < 9; k++) {
    uint cost = costs[k].x;

    if (r->moves && k != 4 && cost < best.cost) {
      best.cost = cost;
      best.alpha = costs[k].y;
      best.d = r->now.d + (short2) (8 * (k % 3 - 1), 8 * (k / 3 - 1));
      is_better = 1;
    }
  }
  r->now = best;
  r->moves &= is_better;
}

/* Returns the refined candidate @now, with the motion that follows from its displacement. */
static Candidate
finish (Candidate start, Candidate now)
{
  if (now.is_continued)
    now.v = start.v + (short) 8 * (now.d - start.d);
  else
    now.v = convert_short2 (32 * convert_int2 (now.d) / now.age);
  return now;
}

/* Copies the candidates with the lowest costs to @best, leaving out a candidate that is less than a
 * pixel away from a better one. Returns the number of copied candidates. */
static inline __attribute__ ((always_inline)) int
keep_best (local const Refined * list, int n, Candidate * best)
{
  int kept = 0, is_used = 0, i, k, b;

  for (i = 0; i < n; i++) {
    int at = -1, cost = NEVER, is_new = 1;

    for (k = 0; k < n; k++)
      if (!(is_used >> k & 1) && list[k].now.cost < cost) {
        cost = list[k].now.cost;
        at = k;
      }
    if (at < 0 || kept == LAYERS_BEST)
      continue;
    is_used |= 1 << at;
    for (b = 0; b < kept; b++)
      is_new &= best[b].age != list[at].now.age
          || abs (best[b].d.x - list[at].now.d.x) >= 8
          || abs (best[b].d.y - list[at].now.d.y) >= 8;
    if (is_new)
      best[kept++] = finish (list[at].start, list[at].now);
  }
  return kept;
}

/* ---- kernel ----------------------------------------------------------------- */

/* Data that the work-items of a group share. @costs: costs and opacities of the candidates that are
 * compared */
typedef struct
{
  Window window;
  Proposals list;
  Candidate found[2 * MAX_MOTIONS];
  int2 motions[MAX_MOTIONS];
  int4 sides[8];
  Refined refined[N_REFINED];
  uint2 costs[MAX_PROPOSALS];
  int n_sides, n_motions, n_refined;
  uint all, opacity, visible;
} Work;

constant int2 neighbours[9] = {
  (int2) (0, 0), (int2) (0, -1), (int2) (-1, 0), (int2) (1, 0), (int2) (0, 1),
  (int2) (0, -2), (int2) (-2, 0), (int2) (2, 0), (int2) (0, 2)
};

/* Loads row @r of the window of the cell with the center (x, y). */
static inline __attribute__ ((always_inline)) void
load_window (const Frame * f, global const uint * plate, int x, int y, int r,
    local Work * work)
{
  global const uint *picture = get_picture (f, f->number);
  global const uint *row = get_row (f, picture, x, y, r);
  global const uint *plate_row = plate + (row - picture);
  uint all = 0, opacity = 0, visible = 0;
  int dy = 1 - SIDE + 2 * r, c;

  for (c = 0; c < ROW; c++) {
    int dx = 1 - SIDE + 2 * c;
    uint p = row[2 * c];
    int is_visible = c < SIDE && get_alpha (p) != LAYERS_HIDDEN;
    uint weight = is_visible ? get_weight (dx * dx + dy * dy) : 0;

    work->window.pixels[ROW * r + c] = is_visible ? p : 0;
    work->window.plate[ROW * r + c] = plate_row[2 * c];
    work->window.weights[ROW * r + c] = weight;
    all += weight;
    opacity += is_visible ? get_alpha (p) : 0;
    visible += is_visible;
  }
  atomic_add (&work->all, all);
  atomic_add (&work->opacity, opacity);
  atomic_add (&work->visible, visible);
}

/* Returns whether anything moves near cell (i, j): in its window, or, in the last frame, in a cell
 * at most two cells away. */
static inline __attribute__ ((always_inline)) int
is_active (local const Work * work, global const Cell * before, int has_before,
    int columns, int rows, int i, int j)
{
  int is = work->opacity > 2 * work->visible, di, dj;

  for (dj = max (j - 2, 0); dj <= min (j + 2, rows - 1) && has_before; dj++)
    for (di = max (i - 2, 0); di <= min (i + 2, columns - 1); di++)
      is |= before[dj * columns + di].alpha > 30;
  return is;
}

/* Lists the motions of the pixels next to the cell, and the motions that cells had in the last
 * frame. */
static inline __attribute__ ((always_inline)) void
list_motions (local Work * work, global const Cell * before, int has_before,
    int columns, int rows, int i, int j)
{
  int n = 0, k;

  for (k = 0; k < 8; k++)
    if (work->sides[k].z) {
      work->sides[n] = work->sides[k];
      work->motions[n++] = work->sides[k].xy;
    }
  work->n_sides = n;
  for (k = 0; k < 9; k++) {
    int u = i + neighbours[k].x, v = j + neighbours[k].y;

    if (has_before && u >= 0 && v >= 0 && u < columns && v < rows
        && before[v * columns + u].best[0].age != 0)
      work->motions[n++] = convert_int2 (before[v * columns + u].best[0].v);
  }
  work->n_motions = n;
}

/* Lists the proposed candidates: those from the frames that were found for the motions, and those
 * that continue candidates of the last frame. */
static inline __attribute__ ((always_inline)) void
list_proposals (const Frame * f, local Work * work, global const Cell * before,
    int has_before, int columns, int rows, int i, int j)
{
  global const Cell *own = &before[j * columns + i];
  int k, b;

  for (k = 0; k < 2 * work->n_motions; k++)
    propose (&work->list, work->found[k]);
  for (k = 0; k < 5 * 2; k++) {
    int u = i + neighbours[k / 2].x, v = j + neighbours[k / 2].y;

    if (has_before && u >= 0 && v >= 0 && u < columns && v < rows) {
      Candidate c = before[v * columns + u].best[k % 2];

      propose (&work->list, continue_candidate (f, c, convert_int2 (c.v)));
    }
  }
  for (b = -1; b < work->n_sides && has_before; b++)
    propose (&work->list, continue_candidate (f, own->best[0],
            b < 0 ? (int2) (0) : work->sides[max (b, 0)].xy));
}

/* Returns candidate number @k of the search round @round. Sets *@is_needed to whether its cost must be
 * computed, and *@away to its distance, in pixels, from the candidate that is being refined. */
static inline __attribute__ ((always_inline)) Candidate
get_job (local const Work * work, int round, int k, int *is_needed, int *away)
{
  local const Refined *r = &work->refined[round > 0 ? k / 9 : 0];
  Candidate c = round > 0 ? r->now : work->list.all[k];
  short2 move = (short2) (8 * (k % 9 % 3 - 1), 8 * (k % 9 / 3 - 1));
  short2 from;

  *is_needed = 1;
  *away = 0;
  if (round > 0) {
    c.d += move;
    from = c.d - r->start.d;
    *is_needed = r->moves && k % 9 != 4 && is_near (convert_int2 (c.d));
    *away = max (abs (from.x), abs (from.y)) / 8;
  }
  return c;
}

/* Writes the state of a cell. */
static inline __attribute__ ((always_inline)) void
store_cell (local const Work * work, int active, global Cell * cell,
    global uint * sums)
{
  Cell c;
  int n, k;

  for (k = 0; k < LAYERS_BEST; k++)
    c.best[k].age = 0;
  n = keep_best (work->refined, work->n_refined, c.best);
  c.plate_cost = active ? get_plate_cost (&work->window) : 0;
  c.alpha = n > 0 && c.best[0].cost < c.plate_cost ? c.best[0].alpha : 0;
  c.is_active = active ? 2 : 1;
  *cell = c;
  atomic_add (&sums[LAYERS_COUNTS + LAYERS_COST], n > 0 ? c.best[0].cost : 0);
  atomic_add (&sums[LAYERS_COUNTS + LAYERS_COSTS], n > 0);
}

/* Updates the states of the cells that have hidden pixels. A work-group processes a cell.
 * @list: indices of these cells
 * @before, @cells: states of all cells in the last frame, and in this one
 * @flow, @confidence: flow from frame @number to the previous frame
 * @back, @back_confidence: flow from the next frame to frame @number
 * @has_flow: 0 if there is no flow
 * @flow_at, @back_at: indices of the first samples of the two flow fields
 * @shift, @flow_columns: a flow sample covers 2^shift x 2^shift pixels; number of columns of
 *   samples */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
layers_search (global const uint * pixels, global const uint * plates,
    global const int *state, int number, int slots, int oldest, int keep,
    int later, int width, int height, int stride, int area,
    global const int *list, global const Cell * before,
    global const short2 * flow, global const uchar * confidence,
    global const short2 * back, global const uchar * back_confidence,
    int has_flow, int flow_at, int back_at, int shift, int flow_columns,
    global Cell * cells, global uint * sums)
{
  Scene scene = get_scene (state, slots, number);
  const Frame f = { pixels, scene, number, slots, oldest, later, keep, width,
    height, stride, area
  };
  int columns = (width + LAYERS_CELL - 1) / LAYERS_CELL;
  int rows = (height + LAYERS_CELL - 1) / LAYERS_CELL;
  int cell = list[get_group_id (0)], i = cell % columns, j = cell / columns;
  int x = LAYERS_CELL * i + LAYERS_CELL / 2;
  int y = LAYERS_CELL * j + LAYERS_CELL / 2;
  int has_before = state[LAYERS_FILLED] == scene.scene;
  int item = get_local_id (0), k, round, active;
  global const uint *plate = plates + (size_t) scene.which * area;
  local Work work;

  if (item == 0) {
    work.all = work.opacity = work.visible = 0;
    work.list.n = work.n_refined = 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (k = item; k < SIDE; k += GROUP)
    load_window (&f, plate, x, y, k, &work);
  barrier (CLK_LOCAL_MEM_FENCE);
  active = is_active (&work, before, has_before, columns, rows, i, j);
  for (k = item; k < 8; k += GROUP) {
    int side = k / 2, is_back = k % 2, is_used = active && has_flow
        && (is_back ? later > 0 && has (&f, number + 1) : scene.age > 0);
    int4 found = (int4) (0);

    if (is_used)
      found = find_side (&f, is_back ? back + back_at : flow + flow_at,
          is_back ? back_confidence + back_at : confidence + flow_at, shift, flow_columns, is_back ? -1 : 1, x, y,
          side == 0 ? -1 : side == 1, side == 2 ? -1 : side == 3);
    work.sides[k] = found;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    list_motions (&work, before, has_before && active, columns, rows, i, j);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (k = item; k < 2 * work.n_motions; k += GROUP)
    work.found[k] = find_frame (&f, x, y, work.motions[k / 2],
        k % 2 == 0 ? 1 : -1);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    list_proposals (&f, &work, before, has_before && active, columns, rows, i,
        j);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (round = 0; round < 4; round++) {
    int n = round == 0 ? work.list.n : 9 * work.n_refined, is_needed, away;
    int n_first = item == 0 && round == 0 ? n : 0;
    int n_steps = item == 0 && round > 0 ? work.n_refined : 0;

    for (k = item; k < n; k += GROUP) {
      Candidate c = get_job (&work, round, k, &is_needed, &away);
      uint2 cost = (uint2) (NEVER, 0);

      if (is_needed)
        cost = get_cost (&f, &work.window, work.all, x, y, c.age, c.d);
      cost.x = min (cost.x + STEP_COST * away, (uint) NEVER);
      work.costs[k] = cost;
    }
    barrier (CLK_LOCAL_MEM_FENCE);
    for (k = 0; k < n_first; k++) {
      work.list.all[k].cost = work.costs[k].x;
      work.list.all[k].alpha = work.costs[k].y;
    }
    for (k = 0; k < n_steps; k++)
      step (&work.refined[k], &work.costs[9 * k]);
    if (item == 0 && round == 0)
      work.n_refined = select_best (work.list.all, n, work.refined);
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    store_cell (&work, active, &cells[cell], sums);
}

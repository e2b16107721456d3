/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements inpainting in the eight kernels of Wang, Xiong, Yun and Cavallaro (2013), as this
 * project understands them, and two kernels that choose. In a pixel, w is KNOWN, FILLED or 0. P is
 * the width of a patch. */

#define R (P / 2)
#define KNOWN 255
#define FILLED 128
#define GROUP 8                 /* edge length of the square work-groups of best_patch */
#define EDGE (GROUP + 2 * R)
#define CHOOSE 256              /* work-items that choose together */

/* Places in state. */
#define TARGET 0                /* target pixel; -1: nothing is left to fill */
#define SOURCE 1
#define COMPARED 2              /* number of known pixels of the target's patch */
#define CONFIDENCE 3            /* of the target */

/* ---- 1: grey ---------------------------------------------------------------- */

int
grey_of (uchar4 c)
{
  return (77 * c.x + 150 * c.y + 29 * c.z + 128) >> 8;
}

__kernel void
to_grey (__global const uchar4 * colours, __global int *grey, __global int *confidence)
{
  int i = get_global_id (0);

  grey[i] = grey_of (colours[i]);
  confidence[i] = colours[i].w != 0 ? 65536 : 0;
}

/* ---- 2: border -------------------------------------------------------------- */

int
is_known (__global const uchar4 * colours, int width, int height, int x, int y)
{
  return x >= 0 && x < width && y >= 0 && y < height && colours[y * width + x].w != 0;
}

__kernel void
find_border (__global const uchar4 * colours, __global uchar * border, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);

  border[y * width + x] = colours[y * width + x].w == 0 && (is_known (colours, width, height, x - 1, y)
      || is_known (colours, width, height, x + 1, y) || is_known (colours, width, height, x, y - 1)
      || is_known (colours, width, height, x, y + 1));
}

/* ---- 3: sources ------------------------------------------------------------- */

/* Marks candidates that are known and whose patch is inside of the frame; the patch may overlap the
 * hole. */
__kernel void
mark_sources (__global const uchar4 * colours, __global uchar * sources, int width, int height, int4 window)
{
  int x = get_global_id (0), y = get_global_id (1);

  sources[y * width + x] = colours[y * width + x].w == KNOWN && x >= max (window.x, R)
      && x < min (window.z, width - R) && y >= max (window.y, R) && y < min (window.w, height - R);
}

/* Marks, as this project's method does, candidates whose whole patch is known. */
__kernel void
mark_whole (__global const uchar4 * colours, __global uchar * sources, int width, int height, int4 window)
{
  int x = get_global_id (0), y = get_global_id (1);
  int n = 0;

  for (int v = max (y - R, 0); v <= min (y + R, height - 1); v++)
    for (int u = max (x - R, 0); u <= min (x + R, width - 1); u++)
      n += colours[v * width + u].w == KNOWN;
  sources[y * width + x] = n == P * P && x >= window.x && x < window.z && y >= window.y && y < window.w;
}

/* ---- 4: priorities ---------------------------------------------------------- */

/* Computes the priority, confidence times data term. The data term is the steepest gradient in
 * the patch, along the border. */
__kernel void
find_priorities (__global const uchar4 * colours, __global const int *grey, __global const int *confidence,
    __global const uchar * border, __global uint * priorities, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  int best = -1, gx = 0, gy = 0, n = 0, nx, ny;
  uint sum = 0, data;

  if (border[y * width + x] == 0) {
    priorities[y * width + x] = 0;
    return;
  }
  for (int v = max (y - R, 0); v <= min (y + R, height - 1); v++)
    for (int u = max (x - R, 0); u <= min (x + R, width - 1); u++) {
      int i = v * width + u;

      sum += confidence[i];
      n++;
      if (u > 0 && u < width - 1 && v > 0 && v < height - 1 && colours[i - 1].w != 0 && colours[i + 1].w != 0
          && colours[i - width].w != 0 && colours[i + width].w != 0) {
        int dx = grey[i + 1] - grey[i - 1], dy = grey[i + width] - grey[i - width];

        if (dx * dx + dy * dy > best) {
          best = dx * dx + dy * dy;
          gx = dx;
          gy = dy;
        }
      }
    }
  nx = is_known (colours, width, height, x - 1, y) - is_known (colours, width, height, x + 1, y);
  ny = is_known (colours, width, height, x, y - 1) - is_known (colours, width, height, x, y + 1);
  data = max (abs (gx * ny - gy * nx), 1u);
  priorities[y * width + x] = sum / n * min (data, 65535u);
}

/* Chooses the highest priority, the first of several equal ones, in one work-group. */
__kernel __attribute__ ((reqd_work_group_size (CHOOSE, 1, 1)))
void
choose_target (__global const uint * priorities, __global const uchar4 * colours, __global const int *confidence,
    __global int *state, int width, int height)
{
  __local uint values[CHOOSE];
  __local int places[CHOOSE];
  int id = get_local_id (0), place = -1;
  uint value = 0;

  for (int i = id; i < width * height; i += CHOOSE)
    if (priorities[i] > value) {
      value = priorities[i];
      place = i;
    }
  values[id] = value;
  places[id] = place;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    int n = 0, all = 0;
    uint sum = 0;

    for (int i = 1; i < CHOOSE; i++)
      if (values[i] > value || (values[i] == value && value > 0 && places[i] < place)) {
        value = values[i];
        place = places[i];
      }
    for (int dy = -R; dy <= R && place >= 0; dy++)
      for (int dx = -R; dx <= R; dx++) {
        int x = place % width + dx, y = place / width + dy;

        if (x >= 0 && x < width && y >= 0 && y < height) {
          n += colours[y * width + x].w != 0;
          sum += confidence[y * width + x];
          all++;
        }
      }
    state[TARGET] = place;
    state[COMPARED] = n;
    state[CONFIDENCE] = all > 0 ? (int) (sum / all) : 0;
  }
}

/* ---- 5: best patch ---------------------------------------------------------- */

/* Returns the squared differences of the pixels that both patches know, for 64 of them. */
uint
cost_of (uint sum, uint n)
{
  return n > 0 ? sum * 64 / n : 0xfffffffeu;
}

uint
difference (uchar4 a, uchar4 b)
{
  int4 d = convert_int4 (a) - convert_int4 (b);

  return d.x * d.x + d.y * d.y + d.z * d.z;
}

/* Computes the cost of one candidate of the window per work-item. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, GROUP, 1)))
void
best_patch (__global const uchar4 * colours, __global const uchar * sources, __global const int *state,
    __global uint * costs, int width, int height, int4 window)
{
  int x = window.x + get_global_id (0), y = window.y + get_global_id (1), target = state[TARGET];
  int tx = target % width, ty = target / width;
  uint sum = 0, n = 0;

  if (x >= window.z || y >= window.w || target < 0)
    return;
  if (sources[y * width + x] == 0) {
    costs[y * width + x] = 0xffffffffu;
    return;
  }
  for (int dy = -R; dy <= R; dy++)
    for (int dx = -R; dx <= R; dx++) {
      int qx = tx + dx, qy = ty + dy;

      if (qx >= 0 && qx < width && qy >= 0 && qy < height) {
        uchar4 s = colours[(y + dy) * width + x + dx], t = colours[qy * width + qx];

        if (s.w == KNOWN && t.w != 0) {
          sum += difference (s, t);
          n++;
        }
      }
    }
  costs[y * width + x] = cost_of (sum, n);
}

/* Computes the cost of one candidate per work-item, with the pixels of a work-group, and the
 * target's patch, in local memory. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, GROUP, 1)))
void
best_patch_local (__global const uchar4 * colours, __global const uchar * sources, __global const int *state,
    __global uint * costs, int width, int height, int4 window)
{
  __local uchar4 tile[EDGE * EDGE], patch[P * P];
  int lx = get_local_id (0), ly = get_local_id (1), id = ly * GROUP + lx;
  int x = window.x + get_global_id (0), y = window.y + get_global_id (1), target = max (state[TARGET], 0);
  int tx = target % width - R, ty = target / width - R;
  uint sum = 0, n = 0;

  for (int i = id; i < EDGE * EDGE; i += GROUP * GROUP) {
    int sx = x - lx - R + i % EDGE, sy = y - ly - R + i / EDGE;
    uchar4 s = colours[clamp (sy, 0, height - 1) * width + clamp (sx, 0, width - 1)];

    s.w = sx >= 0 && sx < width && sy >= 0 && sy < height ? s.w : 0;
    tile[i] = s;
  }
  for (int i = id; i < P * P; i += GROUP * GROUP) {
    int qx = tx + i % P, qy = ty + i / P;
    uchar4 t = colours[clamp (qy, 0, height - 1) * width + clamp (qx, 0, width - 1)];

    t.w = qx >= 0 && qx < width && qy >= 0 && qy < height ? t.w : 0;
    patch[i] = t;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (x >= window.z || y >= window.w)
    return;
  if (sources[y * width + x] == 0) {
    costs[y * width + x] = 0xffffffffu;
    return;
  }
  for (int j = 0; j < P; j++)
    for (int i = 0; i < P; i++) {
      uchar4 s = tile[(ly + j) * EDGE + lx + i], t = patch[j * P + i];

      if (s.w == KNOWN && t.w != 0) {
        sum += difference (s, t);
        n++;
      }
    }
  costs[y * width + x] = cost_of (sum, n);
}

/* Chooses the lowest cost, the first of several equal ones, in one work-group. */
__kernel __attribute__ ((reqd_work_group_size (CHOOSE, 1, 1)))
void
choose_source (__global const uint * costs, __global int *state, int width, int4 window)
{
  __local uint values[CHOOSE];
  __local int places[CHOOSE];
  int id = get_local_id (0), place = -1, columns = window.z - window.x;
  int n = columns * (window.w - window.y);
  uint value = 0xffffffffu;

  for (int i = id; i < n; i += CHOOSE) {
    int at = (window.y + i / columns) * width + window.x + i % columns;

    if (costs[at] < value) {
      value = costs[at];
      place = at;
    }
  }
  values[id] = value;
  places[id] = place;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    for (int i = 1; i < CHOOSE; i++)
      if (values[i] < value || (values[i] == value && places[i] >= 0 && places[i] < place)) {
        value = values[i];
        place = places[i];
      }
    state[SOURCE] = place;
  }
}

/* ---- 6 to 8: updates after a patch was copied -------------------------------- */

/* Returns: the pixel that a work-item fills, one work-item for each pixel of the patch; -1: none */
int
find_pixel (__global const uchar4 * colours, __global const int *state, int width, int height, int *from)
{
  int dx = (int) get_global_id (0) % P - R, dy = (int) get_global_id (0) / P - R;
  int target = max (state[TARGET], 0), source = max (state[SOURCE], 0);
  int tx = target % width + dx, ty = target / width + dy, sx = source % width + dx, sy = source / width + dy;
  int is_in = state[TARGET] >= 0 && tx >= 0 && tx < width && ty >= 0 && ty < height && sx >= 0 && sx < width
      && sy >= 0 && sy < height;
  int at = clamp (ty, 0, height - 1) * width + clamp (tx, 0, width - 1);

  *from = clamp (sy, 0, height - 1) * width + clamp (sx, 0, width - 1);
  return is_in && colours[at].w == 0 && colours[*from].w == KNOWN ? at : -1;
}

__kernel void
update_confidence (__global const uchar4 * colours, __global const int *state, __global int *confidence, int width,
    int height)
{
  int from, at = find_pixel (colours, state, width, height, &from);

  if (at >= 0)
    confidence[at] = state[CONFIDENCE];
}

__kernel void
update_grey (__global const uchar4 * colours, __global const int *state, __global int *grey, int width, int height)
{
  int from, at = find_pixel (colours, state, width, height, &from);

  if (at >= 0)
    grey[at] = grey[from];
}

/* Runs last, because pixels count as known after it. */
__kernel void
update_colours (__global uchar4 * colours, __global const int *state, int width, int height)
{
  int from, at = find_pixel (colours, state, width, height, &from);

  if (at >= 0)
    colours[at] = (uchar4) (colours[from].xyz, FILLED);
}

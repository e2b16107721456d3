/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adds up statistics of a frame at the reduced size, and finds its change of brightness since
 * the background was learned. The algorithm is described in docs/algorithms/moving.md. */
#include "moving/moving.h"
#include "moving/light.h"
#include "moving/sync.h"

#if GROUP == 1 && WIDE == 1
#define COUNT(bins, i, n) ((bins)[i] += (n))
#else
#define COUNT(bins, i, n) atomic_add (&(bins)[i], n)
#endif

/* ---- Sums of the frame -------------------------------------------------------------- */

/* Returns the differences of the right and left neighbors of LANES pixels of a plane. */
static intn
get_across (global const ushort * p, intn column, int at, int width)
{
  intn here = convert_intn (vloadn (0, p + at));
  intn left = WHERE (column == 0, here, convert_intn (vloadn (0, p + at - 1)));
  intn right = WHERE (column == width - 1, here, convert_intn (vloadn (0, p + at + 1)));

  return right - left;
}

/* Returns the differences of the lower and upper neighbors of LANES pixels of a plane. */
static intn
get_along (global const ushort * p, int up, int down)
{
  return convert_intn (vloadn (0, p + down)) - convert_intn (vloadn (0, p + up));
}

#if LANES == 1
#define ADD_LANES(v) ((uint) (v))
#else
static uint
add_lanes (intn v)
{
  int lanes[LANES];
  uint sum = 0;

  vstoren (v, 0, lanes);
  for (int l = 0; l < LANES; l++)
    sum += (uint) lanes[l];
  return sum;
}

#define ADD_LANES(v) add_lanes (v)
#endif

/* Adds up brightness and gradients over the pixels of the reduced frame, and over those of the
 * background. Each work-group processes one row. */
kernel void
moving_measure (global const ushort * words, global uint *sums, LAYOUT)
{
  local uint found[MOVING_N_MEASURES];
  int id = get_local_id (0), y = get_global_id (1);
  intn light = 0, strong = 0, survived = 0, frame = 0, model = 0, edges = 0, kept = 0;

  for (int i = id; i < MOVING_N_MEASURES; i += GROUP)
    found[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int x = id * LANES; x < width; x += GROUP * LANES) {
    intn column = COLUMNS_FROM (x), v, m, vx, vy, mx, my, is_strong;
    int at = AT (x, y), up = AT (x, max (y - 1, 0)), down = AT (x, min (y + 1, height - 1));

    vx = get_across (WORD (MOVING_VALUE), column, at, width);
    vy = get_along (WORD (MOVING_VALUE), up, down);
    mx = get_across (WORD (MOVING_M0), column, at, width);
    my = get_along (WORD (MOVING_M0), up, down);
    v = WHERE (column < width, (absolutes (vx) + absolutes (vy)) >> 4, 0);
    m = WHERE (column < width, (absolutes (mx) + absolutes (my)) >> 4, 0);
    is_strong = WHERE (m > 400 >> 4, 1, 0);
    light += WHERE (column < width, LOAD_WORDS (MOVING_LUMA, at) >> 4, 0);
    strong += is_strong;
    survived += WHERE (2 * v > m, is_strong, 0);
    frame += v;
    model += m;
    edges += m * is_strong;
    kept += ((WHERE (mx < 0, -vx, vx) + WHERE (my < 0, -vy, vy) + 16) >> 5) * is_strong;
  }
  atomic_add (&found[MOVING_SUM_BRIGHTNESS], ADD_LANES (light));
  atomic_add (&found[MOVING_SUM_STRONG], ADD_LANES (strong));
  atomic_add (&found[MOVING_SUM_SURVIVED], ADD_LANES (survived));
  atomic_add (&found[MOVING_SUM_FRAME], ADD_LANES (frame));
  atomic_add (&found[MOVING_SUM_MODEL], ADD_LANES (model));
  atomic_add (&found[MOVING_SUM_MODEL_EDGES], ADD_LANES (edges));
  atomic_add (&found[MOVING_SUM_FRAME_EDGES], ADD_LANES (kept));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = id; i < MOVING_N_MEASURES; i += GROUP)
    atomic_add (&sums[i], found[i]);
}

/* ---- Tone -------------------------------------------------------------------------- */

/* Computes a histogram of the changes of brightness for each range of gray values; @bins contains
 * the histograms of all ranges, one after the other. A work-group counts @rows rows, at most 65535
 * pixels: two counters share a word of local memory. */
kernel void __attribute__ ((reqd_work_group_size (WIDE, 1, 1)))
moving_count (global const ushort * words, global uint *bins, int rows, LAYOUT)
{
  local uint counts[MOVING_TONES * MOVING_TONE_BINS / 2];
  int id = get_local_id (0), first = get_group_id (0) * rows;

  for (int i = id; i < MOVING_TONES * MOVING_TONE_BINS / 2; i += WIDE)
    counts[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int y = first; y < min (first + rows, height); y++)
    for (int x = id; x < width; x += WIDE) {
      int m = WORD (MOVING_M0)[AT (x, y)], d = (int) WORD (MOVING_VALUE)[AT (x, y)] - m;
      int at = clamp ((d + 4096) >> 5, 0, MOVING_TONE_BINS - 1) * MOVING_TONES
          + min (m >> 7, MOVING_TONES - 1);

      COUNT (counts, at >> 1, (at & 1) != 0 ? 65536u : 1u);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = id; i < MOVING_TONES * MOVING_TONE_BINS / 2; i += WIDE) {
    uint n = counts[i];

    if ((n & 0xffff) > 0)
      atomic_add (&bins[2 * i], n & 0xffff);
    if (n >> 16 > 0)
      atomic_add (&bins[2 * i + 1], n >> 16);
  }
}

/* Returns the median of the c pixels of range @tone, in bins of 32; *near: number of pixels in
 * bins near that of the median. @parts: number of pixels in each quarter of the bins. */
static int
find_tone (global const uint *bins, local const uint *parts, int tone, int c, int *near)
{
  int sum = 0, k = 0, n = 0, done = 0;

  for (int i = 0; i < 3; i++) {
    int part = (int) parts[i * MOVING_TONES + tone];

    done |= sum + part > c / 2;
    sum += done ? 0 : part;
    k += done ? 0 : MOVING_TONE_BINS / 4;
  }
  done = 0;
  for (int i = 0; i < MOVING_TONE_BINS / 4; i++) {
    int h = (int) bins[min (k, MOVING_TONE_BINS - 1) * MOVING_TONES + tone];

    done |= sum + h > c / 2;
    sum += done ? 0 : h;
    k += done ? 0 : 1;
  }
  k = min (k, MOVING_TONE_BINS - 1);
  for (int i = max (k - 4, 0); i <= min (k + 4, MOVING_TONE_BINS - 1); i++)
    n += (int) bins[i * MOVING_TONES + tone];
  *near = n;
  n = max ((int) bins[k * MOVING_TONES + tone], 1);
  return (k << 5) - 4096 + ((c / 2 - sum) * 32 + 16) / n;
}

/* Returns the change of brightness (tone) of range i of gray values: the median over its pixels or,
 * if counts[i] is 0, an interpolation between the medians of other ranges. */
static int
spread_tone (local const int *values, local const int *counts, int i)
{
  int left = i, right = i, from, to;

  while (left >= 0 && counts[max (left, 0)] == 0)
    left--;
  while (right < MOVING_TONES && counts[min (right, MOVING_TONES - 1)] == 0)
    right++;
  from = values[left >= 0 ? left : min (right, MOVING_TONES - 1)];
  to = values[right < MOVING_TONES ? right : max (left, 0)];
  return from + (to - from) * (i - left) / max (right - left, 1);
}

/* Determines whether the frame is flat but the background is not. @agree: number of pixels whose
 * change of brightness is near the tone of their range. @most: maximum number of successive flat
 * frames that are not learned; -1 while the background is not known yet, and may consist of
 * noise */
static void
find_flat (global int *light, global uint *sums, int n, int agree, int most)
{
  bool is_even = 4 * (long) agree >= 3 * (long) n;
  bool has_edges = 256 * (long) sums[MOVING_SUM_STRONG] >= (long) n;
  bool looks_flat = is_even && has_edges
      && 16 * (long) (int) sums[MOVING_SUM_FRAME_EDGES] < (long) sums[MOVING_SUM_MODEL_EDGES];
  int before = most >= 0 ? min (light[MOVING_N_FLAT_AT], INT_MAX - 1) : 0;
  int flat = looks_flat && most >= 0 ? before + 1 : 0;

  light[MOVING_N_FLAT_AT] = flat;
  light[MOVING_FLAT_AT] = flat > 0 && flat <= most;
  sums[MOVING_SUM_FLAT] = flat > 0 && flat <= most;
}

/* Finds the tone curve of a frame, which is the change of brightness as a function of the
 * background's value, from the histograms. Then sets the histograms to 0. A single work-group
 * runs. */
kernel void __attribute__ ((reqd_work_group_size (WIDE, 1, 1)))
moving_tone (global uint *bins, int n, int most_flat, global int *light, global uint *sums)
{
  local uint parts[4 * MOVING_TONES];
  local int totals[MOVING_TONES], values[MOVING_TONES], counts[MOVING_TONES];
  local int nears[MOVING_TONES], tones[MOVING_TONES];
  int id = get_local_id (0), agree = 0;
  bool has_tone;

  for (int i = id; i < 4 * MOVING_TONES; i += WIDE) {
    uint sum = 0;

    for (int k = 0; k < MOVING_TONE_BINS / 4; k++)
      sum += bins[(i / MOVING_TONES * (MOVING_TONE_BINS / 4) + k) * MOVING_TONES
          + i % MOVING_TONES];
    parts[i] = sum;
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int i = id; i < MOVING_TONES; i += WIDE) {
    int c = (int) (parts[i] + parts[MOVING_TONES + i] + parts[2 * MOVING_TONES + i]
        + parts[3 * MOVING_TONES + i]), near;

    values[i] = find_tone (bins, parts, i, c, &near);
    totals[i] = c;
    counts[i] = c >= max (16, n / 1024) && 2 * near >= c;
    nears[i] = counts[i] ? near : 0;
  }
  SYNC (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int i = 0; i < MOVING_TONES; i++)
    agree += nears[i];
  has_tone = 10 * (long) agree >= 9 * (long) n;
  for (int i = id; i < MOVING_TONES; i += WIDE) {
    int tone = spread_tone (values, counts, i);

    tone = has_tone ? tone : 0;
    tones[i] = tone;
  }
  for (int i = id; i < MOVING_TONES * MOVING_TONE_BINS; i += WIDE)
    bins[i] = 0;
  SYNC (CLK_LOCAL_MEM_FENCE);
  /* Interpolates the tone curve linearly between the centers of the ranges. */
  for (int i = id; i < MOVING_N_TONES; i += WIDE) {
    /* Avoids the sum of i and 64, which Oclgrind 21.10 computes wrongly: its compiler makes 7-bit
     * integers of them, and Oclgrind does not let these overflow. */
    int at = i >> 7, part = i & 127;
    int from = tones[max (at - 1, 0)], to = tones[min (at, MOVING_TONES - 1)];

    light[MOVING_TONE_AT + i] = (from * 128 + (to - from) * part + 64) >> 7;
  }
  if (id == 0) {
    long sum = 0;

    for (int i = 0; i < MOVING_TONES; i++)
      sum += (long) totals[i] * tones[i];
    sums[MOVING_SUM_LIGHT] = (uint) divide_rounded (sum, n);
    sums[MOVING_SUM_TONE] = has_tone;
    sums[MOVING_SUM_LISTED] = 0;
    find_flat (light, sums, n, agree, most_flat);
  }
}

/* ---- Blocks ------------------------------------------------------------------------- */

static void
count_pixel (global const ushort * words, global const int *light, int plane, int at,
    local uint * bins)
{
  int m = WORD (MOVING_M0)[at], d = (int) WORD (MOVING_VALUE)[at] - m - get_tone (light, m);

  COUNT (bins, clamp ((d + 8192) >> 5, 0, MOVING_BLOCK_BINS - 1), 1u);
}

/* Finds the change of brightness of a block in addition to the tone curve: the median over its
 * pixels. A work-group processes one block of @block x @block pixels of the reduced frame. */
kernel void __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
moving_blocks (global const ushort * words, global int *light, int block, int columns, LAYOUT)
{
  local uint bins[MOVING_BLOCK_BINS];
  local uint parts[GROUP];
  const int own = MOVING_BLOCK_BINS / GROUP;
  int id = get_local_id (0), b = get_group_id (0);
  int x0 = b % columns * block, y0 = b / columns * block;
  int nx = min (block, width - x0), ny = min (block, height - y0), c = nx * ny;
  int before = 0, k = id * own, n = 0;
  uint sum = 0;
  bool is_mine;

  for (int i = id; i < MOVING_BLOCK_BINS; i += GROUP)
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#if GROUP == 1
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      count_pixel (words, light, plane, AT (x0 + x, y0 + y), bins);
#else
  for (int i = id; i < c; i += GROUP)
    count_pixel (words, light, plane, AT (x0 + i % nx, y0 + i / nx), bins);
#endif
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < own; i++) {
    uint bin = bins[id * own + i];

    sum += bin;
    if (bin > 0)
      atomic_add (&light[MOVING_ALL_AT + id * own + i], (int) bin);
  }
  parts[id] = sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < GROUP; i++)
    before += i < id ? (int) parts[i] : 0;
  is_mine = before <= c / 2 && before + (int) sum > c / 2;
  if (is_mine) {
    while (before + (int) bins[k] <= c / 2) {
      before += (int) bins[k];
      k++;
    }
    for (int i = max (k - 3, 0); i <= min (k + 3, MOVING_BLOCK_BINS - 1); i++)
      n += (int) bins[i];
    light[MOVING_BLOCKS_AT + b] = (k << 5) - 8192 + ((c / 2 - before) * 32 + 16) / (int) bins[k];
    light[MOVING_AGREES_AT + b] = 2 * n >= c;
  }
}

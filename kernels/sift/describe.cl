/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the descriptors of SIFT points. A work-group processes one point. */

#include "sift/window.h"

LOOSE (uint8, loose_uint8);

/* HEADER is the number of words before the first keypoint in the table of keypoints. KEYPOINT is
 * the number of words of a keypoint, and ANGLE the index of its angle. */
#define HEADER 4
#define KEYPOINT 7
#define ANGLE 3

/* Each sample contributes to the eight histogram bins around it: the bins of two rows and two
 * columns of cells, and of two directions. All samples between the same eight bins share a slot,
 * which is an array of eight sums, one for each of these bins. The 4x4 cells of the descriptor
 * are surrounded by a border of cells, which the result omits. */
#define SLOT 8
#define SLOT_ROW (5 * 8)
#define SLOTS (5 * SLOT_ROW)

/* Returns the cosine (in x) and the sine (in y) of an angle from 0 to 360 degrees. */
static float2
turn (float angle)
{
  int quarter = round_to_int (angle * (1.0f / 90));
  float r = fma ((float) quarter, -90.0f, angle) * 0.0174532925f;
  float u = r * r, c, s;

  s = fma (-1.9503963e-4f, u, 8.3320364e-3f);
  s = fma (s, u, -0.16666651f);
  s = fma (s * u, r, r);
  c = fma (2.437988e-5f, u, -1.3886619e-3f);
  c = fma (c, u, 4.1666616e-2f);
  c = fma (c, u, -0.5f);
  c = fma (c, u, 1.0f);
  u = quarter & 1 ? s : c;
  s = quarter & 1 ? c : s;
  return (float2) ((quarter & 3) == 1 || (quarter & 3) == 2 ? -u : u,
      quarter & 2 ? -s : s);
}

/* Narrows the range of x from *@begin to *@end: removes values at both ends for which x * @step
 * + @start is not between -2.5 and 2.5. Some values close to these limits may remain. */
static void
narrow (float step, float start, int *begin, int *end)
{
  float inverse = reciprocal1 (max (fabs (step), 1e-12f));
  float middle = -start * (step < 0 ? -inverse : inverse);
  float half_width = 2.0f + 2.500004f * inverse;
  float low = max (middle - half_width, (float) *begin);
  float high = min (middle + half_width, (float) *end);

  /* If no x of the range qualifies, @low or @high may be far outside the range. Limits
   * both, so that they exceed the range by at most 1. */
  *begin = (int) min (low, (float) (*end + 1));
  *end = (int) max (high, (float) (*begin - 1));
}

/* Adds the weighted gradient lengths @mag of samples to the histogram bins around them. Only the
 * first n of the LANES samples are used. */
static void
spread (floatn mag, floatn row, floatn column, floatn turned, int n,
    SHARED uint * slots)
{
  intn r = convert_intn (row), c = convert_intn (column);
  intn o = convert_intn (turned);
  floatn fr = row - convert_floatn (r), fc = column - convert_floatn (c);
  floatn fo = turned - convert_floatn (o);
#if LANES == 1
  SHARED uint *slot = slots + SLOT * (r * SLOT_ROW + c * 8 + (o & 7));
  float nearer[2] = { mag * (1 - fr), mag * fr };

#pragma unroll
  for (int i = 0; i < 2; i++) {
    float left = nearer[i] * (1 - fc), right = nearer[i] * fc;

    ADD (slot + 4 * i, (uint) fma (left, 1 - fo, 0.5f));
    ADD (slot + 4 * i + 1, (uint) fma (left, fo, 0.5f));
    ADD (slot + 4 * i + 2, (uint) fma (right, 1 - fo, 0.5f));
    ADD (slot + 4 * i + 3, (uint) fma (right, fo, 0.5f));
  }
#else
  int slot[LANES];
  float amount[LANES], rows[LANES], columns[LANES], turns[LANES];

  STORE_INTS (slot, SLOT * (r * SLOT_ROW + c * 8 + (o & 7)));
  STORE_NEAR (amount, mag);
  STORE_NEAR (rows, fr);
  STORE_NEAR (columns, fc);
  STORE_NEAR (turns, fo);
  for (int lane = 0; lane < n; lane++) {
    SHARED loose_uint8 *to = (SHARED loose_uint8 *) (slots + slot[lane]);
    /* Distributes the weighted gradient length of a sample among eight histogram bins (trilinear
     * interpolation). Along each axis, the bin before the sample has the weight 1 - fraction,
     * and the bin after it has the weight fraction. */
    float8 v = amount[lane] * fma ((float8) (rows[lane]),
        (float8) (-1, -1, -1, -1, 1, 1, 1, 1), (float8) (1, 1, 1, 1, 0, 0, 0, 0));

    v *= fma ((float8) (columns[lane]), (float8) (-1, -1, 1, 1, -1, -1, 1, 1),
        (float8) (1, 1, 0, 0, 1, 1, 0, 0));
    v = fma (v, fma ((float8) (turns[lane]),
            (float8) (-1, 1, -1, 1, -1, 1, -1, 1),
            (float8) (1, 0, 1, 0, 1, 0, 1, 0)), (float8) (0.5f));
    to->v += as_uint8 (convert_int8 (v));
  }
#endif
}

/* Returns bin o of the histogram of a cell. It is the sum of the weighted gradient lengths that
 * samples around the cell have added to it in eight slots. */
static uint
cell_of (SHARED const uint *slots, int row, int column, int o)
{
  SHARED const uint *a = slots + SLOT * (row * SLOT_ROW + column * 8 + o);
  SHARED const uint *b =
      slots + SLOT * (row * SLOT_ROW + column * 8 + ((o + 7) & 7));

  /* Adds up the eight slots around the bin: rows row - 1 and row, columns column - 1 and column,
   * directions o - 1 and o. */
  return a[0] + b[1] + a[2 - SLOT * 8] + b[3 - SLOT * 8]
      + a[4 - SLOT * SLOT_ROW] + b[5 - SLOT * SLOT_ROW]
      + a[6 - SLOT * (SLOT_ROW + 8)] + b[7 - SLOT * (SLOT_ROW + 8)];
}

/* Returns LANES of the 16 partial sums of the 128 values, or of their squares. sum_of() adds up
 * the 16 partial sums after a barrier (SYNC). */
static floatn
sum_part (SHARED const float *values, bool squares)
{
  floatn sum = 0.0f;

#pragma unroll
  for (int i = 0; i < 128; i += 16) {
    floatn v = LOAD_NEAR (values + i);

    sum = squares ? fma (v, v, sum) : sum + v;
  }
  return sum;
}

static float
sum_of (SHARED const float *sums)
{
  float8 a = vload8 (0, sums) + vload8 (1, sums);
  float4 b = a.lo + a.hi;
  float2 c = b.lo + b.hi;

  return c.x + c.y;
}

/* Adds the samples of row y of the window of a point to the histograms. The work-items of a row
 * share the work.
 * @step: cosine and sine of the angle of the point, divided by the width of a cell
 * @unit: scale factor that converts weighted gradient lengths to integers */
static void
spread_row (const global float *scale, const global int *octave,
    const global int *point, int y, int radius, float2 step, float angle,
    float unit, SHARED uint * slots)
{
  int row = point[2] + y, pitch = octave[PITCH];
  int begin = max (-radius, 1 - point[3]);
  int end = min (radius, octave[WIDTH] - 2 - point[3]);
  int last = end;

  if (row <= 0 || row >= octave[HEIGHT] - 1)
    return;
  narrow (step.x, -(float) y * step.y, &begin, &end);
  narrow (step.y, (float) y * step.x, &begin, &end);
  for (int x = begin + LOCAL_ID % ACROSS * LANES; x <= end;
      x += ACROSS * LANES) {
    const global float *p = level_of (scale, octave, point) + y * pitch + x;
    intn lanes = LANE_NUMBERS + x;
    floatn dx = convert_floatn (lanes), a;
    floatn dc = fma (dx, (floatn) (step.x), (floatn) (-((float) y * step.y)));
    floatn dr = fma (dx, (floatn) (step.y), (floatn) ((float) y * step.x));
    floatn column = dc + 2.5f, row = dr + 2.5f, mag;
    intn inside = (lanes <= last) & (column > 0.0f) & (column < 5.0f)
        & (row > 0.0f) & (row < 5.0f);

    LOAD_AHEAD (p, pitch);
    if (!ANY (inside))
      continue;
    mag = unit * gradient (p, pitch, &a)
        * exp2_biased (fma (-fma (dc, dc, dr * dr),
            (floatn) ((float) (1.4426950408889634 / 8)),
            (floatn) (EXP2_BIAS)));
    a = fma (a - angle, (floatn) (8.0f / 360), (floatn) (8.0f));
    /* For samples outside of the cells, adds 0 to the first slot instead, because their values
     * may be NaN. */
    spread (inside ? mag : (floatn) (0.0f),
        inside ? row : (floatn) (0.0f), inside ? column : (floatn) (0.0f),
        inside ? a : (floatn) (0.0f), min (LANES, end - x + 1), slots);
  }
}

/* Writes a point with one of its angles to the keypoint at the address @k in the table of
 * keypoints. @s is the standard deviation of the blur of the point's layer. */
static void
write_keypoint (const global int *point, float s, float angle, int upsample,
    global int *k)
{
  float zoom = as_float ((127 + point[0] - upsample) << 23);
  float shift = upsample ? -0.25f : 0.0f;

  k[0] = as_int (fma ((float) point[3] + as_float (point[D_COLUMN]), zoom,
          shift));
  k[1] = as_int (fma ((float) point[2] + as_float (point[D_ROW]), zoom,
          shift));
  k[2] = as_int (2.0f * s * zoom);
  k[ANGLE] = as_int (angle);
  k[4] = point[RESPONSE];
  k[5] = point[0] - upsample;
  k[6] = point[1];
}

/* Writes a descriptor of bytes. Its elements are the elements of @values times @norm. For
 * RootSIFT (kind 2), they are the square roots of these products. */
static void
write_descriptor (SHARED const float *values, int n_values, float norm,
    int kind, global uchar * to)
{
  for (int i = LOCAL_ID * LANES; i < n_values; i += GROUP * LANES) {
    floatn share = LOAD_NEAR (values + i) * norm;

    if (kind == 2)
      share = root (share);
    share *= 512.0f;
    /* Rounds the values. Values above 255, which are rare, are clamped to 255. */
    vstoren (convert_ucharn (min (round_to_uint (share), (uintn) (255u))), 0,
        to + i);
  }
}

/* Writes one keypoint of the table and its descriptor in each work-group.
 * @descriptor: 0 for no descriptor, 1 for SIFT, 2 for RootSIFT
 * @given: 1 if the table already contains the keypoints, in the order of the array @sorted;
 *   only their angles are written */
kernel void
sift_describe (const global float *restrict scale,
    const global int *restrict plan, const global int *restrict sorted,
    const global float *restrict angles, const global int *restrict places,
    float sigma, float per_scale, float unit, int upsample, int descriptor,
    int given, global int *restrict table, global uchar *restrict descriptors)
{
  int number = POINT_ID;
  bool is_used = number < table[0];
  int place = !is_used ? 0 : given ? number * MAX_DIRECTIONS : places[number];
  const global int *point = sorted + POINT * (place / MAX_DIRECTIONS);
  const global int *octave = plan + OCTAVE * (is_used ? point[0] : 0);
  int radius = -1;
  float2 step = 0;
  float angle = 0, limit, norm;
  /* Makes all loops empty if the work-group has no keypoint. This is the case for most
   * work-groups. */
  int n_slots = is_used && descriptor ? SLOT * SLOTS : 0;
  int n_values = is_used && descriptor ? 128 : 0, n_sums = n_values / 8;
  SHARED uint slots[SLOT * SLOTS];
  SHARED float values[128];
  SHARED float sums[16];

  RETURN_UNLESS (is_used)
  if (is_used) {
    float s = scale_of (point, sigma, per_scale, given);
    global int *keypoint = table + HEADER + KEYPOINT * number;

    angle = angles[place];
    if (LOCAL_ID == 0 && given)
      keypoint[ANGLE] = as_int (angle);
    else if (LOCAL_ID == 0)
      write_keypoint (point, s, angle, upsample, keypoint);
    angle = angle > 0.0f ? 360.0f - angle : 0.0f;
    if (descriptor) {
      radius = round_to_int (3.5355339f * (3.0f * s));
      step = turn (angle) * reciprocal1 (3.0f * s);
    }
  }

  for (int i = LOCAL_ID; i < n_slots; i += GROUP)
    slots[i] = 0;
  SYNC
  for (int y = -radius + LOCAL_ID / ACROSS; y <= radius; y += GROUP / ACROSS)
    spread_row (scale, octave, point, y, radius, step, angle, unit, slots);
  SYNC
  for (int i = LOCAL_ID; i < n_values; i += GROUP)
    values[i] = convert_float_rte (cell_of (slots, i / 32 + 1, i / 8 % 4 + 1,
            i % 8));
  SYNC
  for (int i = LOCAL_ID * LANES; i < n_sums; i += GROUP * LANES)
    STORE_NEAR (sums + i, sum_part (values + i, true));
  SYNC
  limit = 0.2f * FIRST (root ((floatn) (sum_of (sums))));
  for (int i = LOCAL_ID; i < n_values; i += GROUP)
    values[i] = values[i] < limit ? values[i] : limit;
  SYNC
  for (int i = LOCAL_ID * LANES; i < n_sums; i += GROUP * LANES)
    STORE_NEAR (sums + i, sum_part (values + i, descriptor == 1));
  SYNC
  norm = sum_of (sums);
  norm = descriptor == 1 ? FIRST (root ((floatn) (norm))) : norm;
  norm = reciprocal1 (max (norm, 1.0f));
  write_descriptor (values, n_values, norm, descriptor,
      descriptors + 128 * (size_t) number);
}

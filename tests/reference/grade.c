/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tone mapping and of lookup tables: see docs/algorithms/grade.md. */
#include "grade.h"

#include <math.h>
#include <stdlib.h>

#include "samples.h"

#define TOP 4095

typedef struct
{
  uint32_t light[TOP + 1];      /* linear light of each code value, in units of 2^-32 */
  uint32_t system[2049], gain[2049], signal[2049];
} Tables;

static double
from_pq (double v)
{
  double x = pow (v, 32 / 2523.0), top = x - 3424 / 4096.0;

  return 10000 * pow ((top > 0 ? top : 0) / (2413 / 128.0 - 2392 / 128.0 * x),
      16384 / 2610.0);
}

static double
to_pq (double nits)
{
  double x = pow (nits / 10000, 2610 / 16384.0);

  return pow ((3424 / 4096.0 + 2413 / 128.0 * x) / (1 + 2392 / 128.0 * x),
      2523 / 32.0);
}

static double
from_hlg (double v)
{
  return v <= 0.5 ? v * v / 3
      : (exp ((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}

/* Computes the tone mapping curve of BT.2390-11, section 5.4.1, with the black level at 0. */
static double
eetf (double nits, double peak)
{
  double scale = to_pq (peak), e1 = to_pq (nits) / scale;
  double max_lum = to_pq (203) / scale, ks = 1.5 * max_lum - 0.5;
  double t, t2, t3;

  if (peak <= 203 || e1 < ks)
    return nits < 203 ? nits : 203;
  e1 = e1 > 1 ? 1 : e1;
  t = (e1 - ks) / (1 - ks);
  t2 = t * t;
  t3 = t2 * t;
  return from_pq (((2 * t3 - 3 * t2 + 1) * ks + (t3 - 2 * t2 + t) * (1 - ks)
          + (-2 * t3 + 3 * t2) * max_lum) * scale);
}

static uint32_t
round_word (double v)
{
  v = floor (v + 0.5);
  return v > 4294967295.0 ? 4294967295u : v;
}

static void
make_tables (Tables * t, const RefGrade * g)
{
  double peak = g->tone == REF_TONE_HLG ? 1000 : g->peak;

  peak = peak < 203 ? 203 : peak > 10000 ? 10000 : peak;
  for (int i = 0; i <= TOP; i++)
    t->light[i] = round_word (4294967296.0 * (g->tone == REF_TONE_HLG
            ? from_hlg ((double) i / TOP) : from_pq ((double) i / TOP) /
            10000));
  for (int i = 0; i <= 2048; i++) {
    double v = (64 + i % 64) / 64.0 * pow (2, i / 64);
    double nits = v / 4294967296.0 * 10000, s = v / 268435456.0;

    s = s > 1 ? 1 : s;
    t->system[i] = round_word (pow (v / 4294967296.0, 0.2) * 429496729.6);
    t->gain[i] = round_word (eetf (nits, peak) / nits * 10000 / 203 * 67108864);
    s = !g->is_srgb ? pow (s, 1 / 2.4) : s <= 0.0031308 ? 12.92 * s
        : 1.055 * pow (s, 1 / 2.4) - 0.055;
    t->signal[i] = round_word (s * TOP * 65536);
  }
}

static uint32_t
look (const uint32_t * curve, uint32_t v)
{
  int octave = 0, i;
  uint64_t from_entry;

  v = v == 0 ? 1 : v;
  while (v >> octave > 1)
    octave++;
  /* @from_entry: distance from the first entry of the octave, in units of 2^-31 of the distance
   * between entries */
  from_entry = ((uint64_t) v << (37 - octave)) - ((uint64_t) 1 << 37);
  i = 64 * octave + (from_entry >> 31);
  return curve[i] + 2 * (int32_t) (((int64_t) curve[i + 1] - curve[i])
      * (int64_t) (from_entry & 0x7fffffff) >> 32);
}

static void
map_tone (const Tables * t, const RefGrade * g, int code[3])
{
  static const double to_709[3][3] = {
    {1.660491, -0.587641, -0.072850},
    {-0.124550, 1.132900, -0.008350},
    {-0.018151, -0.100579, 1.118730}
  };
  static const double weights[3] = { 0.2627, 0.6780, 0.0593 };
  uint64_t light[3], luminance = 0, highest = 0;
  int64_t mapped[3];

  for (int i = 0; i < 3; i++) {
    light[i] = t->light[code[i]];
    luminance += light[i] * round_word (weights[i] * 4294967296.0) >> 32;
  }
  for (int i = 0; i < 3; i++) {
    if (g->tone == REF_TONE_HLG)
      light[i] = light[i] * look (t->system, luminance) >> 32;
    highest = light[i] > highest ? light[i] : highest;
  }
  for (int i = 0; i < 3; i++) {
    mapped[i] = light[i] * look (t->gain, highest) >> 32;
    mapped[i] = (mapped[i] > 67108864 ? 67108864 : mapped[i]) * 16;
  }
  for (int i = 0; i < 3; i++) {
    int64_t sum = 0;

    for (int k = 0; k < 3; k++) {
      double factor = g->changes_primaries ? to_709[i][k] : i == k;

      sum += mapped[k] * (int64_t) floor (factor * 1073741824 + 0.5) >> 32;
    }
    sum = sum < 0 ? 0 : sum > 268435456 ? 268435456 : sum;
    code[i] = (look (t->signal, sum) + 32768) >> 16;
  }
}

static double
clamp_to (double v, double most)
{
  return v < 0 ? 0 : v > most ? most : v;
}

static double
find_position (const RefGrade * g, int code, int i)
{
  double v = ((double) code / TOP - g->min[i]) / (g->max[i] - g->min[i]);

  return clamp_to (v, 1) * (g->size - 1);
}

static void
look_up_line (const RefGrade * g, int code[3])
{
  for (int i = 0; i < 3; i++) {
    double at = find_position (g, code[i], i);
    int k = at < g->size - 2 ? (int) at : g->size - 2;
    double a = g->values[3 * k + i], b = g->values[3 * k + 3 + i];

    code[i] = rint (clamp_to (a + (b - a) * (at - k), 1) * TOP);
  }
}

/* Returns component @i of an entry of the lookup cube, in units of 2^-14. */
static int64_t
get_entry (const RefGrade * g, const int at[3], int i)
{
  size_t n = g->size, k = at[0] + n * (at[1] + n * at[2]);
  double v = rint (g->values[3 * k + i] * 16384.0);

  return v < -32768 ? -32768 : v > 32767 ? 32767 : v;
}

/* Walks from the lowest corner of the cube cell to the highest one, along the axis with the largest
 * fraction first. The visited corners are those of the tetrahedron that contains the point. */
static void
look_up_cube (const RefGrade * g, int code[3])
{
  int at[3], fraction[3], order[3] = { 0, 1, 2 };
  int64_t sum[3];

  for (int i = 0; i < 3; i++) {
    int position = rint (find_position (g, code[i], i) * 4096);

    at[i] = position >> 12;
    fraction[i] = position & 4095;
  }
  for (int i = 0; i < 3; i++)
    for (int k = i + 1; k < 3; k++)
      if (fraction[order[k]] > fraction[order[i]]) {
        int old = order[i];

        order[i] = order[k];
        order[k] = old;
      }
  for (int i = 0; i < 3; i++)
    sum[i] = get_entry (g, at, i) * (4096 - fraction[order[0]]);
  for (int k = 0; k < 3; k++) {
    int weight = fraction[order[k]] - (k < 2 ? fraction[order[k + 1]] : 0);

    /* Uses fraction 0 at the last entry of an axis, after which there is no entry. */
    at[order[k]] += fraction[order[k]] > 0;
    for (int i = 0; i < 3; i++)
      sum[i] += get_entry (g, at, i) * weight;
  }
  for (int i = 0; i < 3; i++) {
    int64_t v = (((sum[i] + 2048) >> 12) * TOP + 8192) >> 14;

    code[i] = v < 0 ? 0 : v > TOP ? TOP : v;
  }
}

int
ref_grade (const RefPlane in[3], const RefPlane out[3], const RefGrade * g)
{
  Tables *tables = malloc (sizeof (*tables));

  if (tables == NULL)
    return 0;
  if (g->tone != REF_TONE_NONE)
    make_tables (tables, g);
  for (int y = 0; y < in[0].height; y++)
    for (int x = 0; x < in[0].width; x++) {
      int code[3];

      for (int i = 0; i < 3; i++) {
        code[i] = ref_get (&in[i], x, y);
        if (in[i].max == 255)
          code[i] = (code[i] * TOP + 127) / 255;
      }
      if (g->tone != REF_TONE_NONE)
        map_tone (tables, g, code);
      if (g->size > 0 && g->is_cube)
        look_up_cube (g, code);
      else if (g->size > 0)
        look_up_line (g, code);
      for (int i = 0; i < 3; i++)
        ref_set (&out[i], x, y, in[i].max == 255 ? (code[i] * 255 + TOP / 2)
            / TOP : code[i]);
    }
  free (tables);
  return 1;
}

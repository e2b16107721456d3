/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds, for each descriptor of one list (the query descriptors, or queries), the nearest
 * descriptor of another list (the train descriptors, or trains). The algorithm is described in
 * docs/algorithms/matching.md.
 *
 * Squared distances are computed as |a|^2 + |b|^2 - 2 ab, in integers. match_search divides the
 * train descriptors into parts, and the train descriptors of a part among lanes. The lanes are
 * the elements of a vector, or the work-items of a row of a work-group. For each query, each
 * lane writes the distances of its nearest and its second nearest train descriptor, and the
 * index of the nearest train descriptor. match_merge combines the results of all lanes. */

/* Width and height of a work-group in work-items. A work-group keeps its descriptors in local
 * memory. If EDGE is 1, a single work-item keeps them in vectors of floats. */
#ifndef EDGE
#define EDGE 1
#endif

#include "base/pixels.h"
#include "match/match-shared.h"

#pragma OPENCL FP_CONTRACT OFF

/* Size of a descriptor in bytes. */
#define SIZE 128

/* Replaces the distance if there is no train descriptor. It is larger than all distances, which
 * are at most 128 * 255^2. */
#define NONE 0x2000000

#define LANES LANES_OF (EDGE)

#if EDGE == 1
/* Numbers of queries and of train descriptors that a work-item holds at once, as floats. The
 * sums of their products are exact, because no sum exceeds 2^24. */
#define QUERIES QUERIES_OF (EDGE)
#define TRAINS TRAINS_OF (EDGE)

/* VECTORS is the number of vectors for one byte of each of the TRAINS train descriptors of a
 * work-item. ROWS_AT_ONCE is the number of queries that are multiplied with the train
 * descriptors at once. It is limited by the number of registers for their sums. */
#define VECTORS (TRAINS / LANES)
#define ROWS_AT_ONCE 4

/* TURNS_LO interleaves the bytes of the first halves of the vectors @a and @b, and TURNS_HI the
 * bytes of their second halves. */
#define TURNS_LO(a, b) (uchar16) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, \
    a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define TURNS_HI(a, b) (uchar16) (a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, \
    a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)

/* Loads LANES descriptors, starting with descriptor @first. After the last of the n descriptors
 * of the list, repeats the last one. Sets to[i * VECTORS] to byte i of all LANES descriptors.
 * Returns their squared norms. */
static float16
load_trains (const global uchar * list, int first, int n, float16 * to)
{
  float16 norms = 0;

  for (int k = 0; k < SIZE; k += 16) {
    uchar16 v[16];

#pragma unroll
    for (int i = 0; i < 16; i++)
      v[i] = LOAD_LOOSE (loose_uchar16,
          list + (size_t) SIZE * min (first + i, n - 1) + k);
    /* Interleaving four times transposes the 16 x 16 bytes. */
#pragma unroll
    for (int times = 0; times < 4; times++) {
      uchar16 u[16];

#pragma unroll
      for (int i = 0; i < 8; i++) {
        u[2 * i] = TURNS_LO (v[i], v[i + 8]);
        u[2 * i + 1] = TURNS_HI (v[i], v[i + 8]);
      }
#pragma unroll
      for (int i = 0; i < 16; i++)
        v[i] = u[i];
    }
#pragma unroll
    for (int i = 0; i < 16; i++) {
      to[(k + i) * VECTORS] = convert_float16 (v[i]);
      norms += to[(k + i) * VECTORS] * to[(k + i) * VECTORS];
    }
  }
  return norms;
}

/* Loads descriptor i, or the last of the n descriptors if there is no descriptor i. Returns its
 * squared norm. */
static float
load_query (const global uchar * list, int i, int n, float16 * to)
{
  const global uchar *from = list + (size_t) SIZE * min (i, n - 1);
  float16 sums = 0;
  float8 v8;
  float4 v4;

  for (int k = 0; k < SIZE / 16; k++) {
    to[k] = convert_float16 (LOAD_LOOSE (loose_uchar16, from + 16 * k));
    sums += to[k] * to[k];
  }
  v8 = sums.lo + sums.hi;
  v4 = v8.lo + v8.hi;
  return v4.x + v4.y + v4.z + v4.w;
}

/* Compares QUERIES queries with part y of the train descriptors, in work-item (x, y). A lane of
 * its vectors compares every 16th train descriptor. */
kernel void
match_search (const global uchar *restrict queries, int n,
    const global uchar *restrict trains, int m, int part_tiles,
    global int *restrict left)
{
  int first = get_global_id (0) * QUERIES, n_here = min (QUERIES, n - first);
  int n_parts = get_global_size (1), part = get_global_id (1);
  int begin = part * part_tiles * TRAINS;
  int end = min (begin + part_tiles * TRAINS, m);
  const int16 lanes = (int16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
      15);
  float16 q[QUERIES * SIZE / 16], t[SIZE * VECTORS], t_norms[VECTORS];
  float q_norms[QUERIES];
  float16 nearest[QUERIES], second[QUERIES];
  int16 number[QUERIES];

  for (int i = 0; i < QUERIES; i++) {
    q_norms[i] = load_query (queries, first + i, n, q + SIZE / 16 * i);
    nearest[i] = second[i] = (float16) (NONE);
    number[i] = (int16) (0);
  }
  for (int base = begin; base < end; base += TRAINS) {
    for (int v = 0; v < VECTORS; v++) {
      int16 numbers = lanes + (base + v * LANES);
      float16 norms = load_trains (trains, base + v * LANES, m, t + v);

      /* Sets the norm of a lane without a train descriptor to a number so large that its
       * distance exceeds the distances of all train descriptors. */
      t_norms[v] = numbers < end ? norms : (float16) (2.0f * NONE);
    }
    for (int i = 0; i < n_here; i += ROWS_AT_ONCE) {
      const float *row = (const float *) (q + SIZE / 16 * i);
      float16 sums[ROWS_AT_ONCE * VECTORS];

#pragma unroll
      for (int j = 0; j < ROWS_AT_ONCE * VECTORS; j++)
        sums[j] = 0;
      for (int k = 0; k < SIZE; k++) {
#pragma unroll
        for (int j = 0; j < ROWS_AT_ONCE * VECTORS; j++)
          sums[j] = fma ((float16) (row[j / VECTORS * SIZE + k]),
              t[k * VECTORS + j % VECTORS], sums[j]);
      }
#pragma unroll
      for (int j = 0; j < ROWS_AT_ONCE * VECTORS; j++) {
        int r = i + j / VECTORS, v = j % VECTORS;
        float16 d = (t_norms[v] + q_norms[r]) - 2.0f * sums[j];
        int16 is_nearer = d < nearest[r];
        float16 larger = is_nearer ? nearest[r] : d;

        second[r] = larger < second[r] ? larger : second[r];
        number[r] = is_nearer ? lanes + (base + v * LANES) : number[r];
        nearest[r] = is_nearer ? d : nearest[r];
      }
    }
  }
  for (int i = 0; i < n_here; i++) {
    global int16 *to = (global int16 *) left + ROWS
        * ((size_t) (first + i) * n_parts + part);

    to[0] = convert_int16 (nearest[i]);
    to[1] = convert_int16 (second[i]);
    to[2] = number[i];
  }
}

#else
/* Number of queries, and of train descriptors, that a work-group compares at once. */
#define TILE (SIDE * EDGE)

/* WORDS is the number of words of a descriptor. PITCH is the distance, in words, between
 * descriptors in local memory. It is odd, so that the same word of successive descriptors is in
 * different memory banks. */
#define WORDS (SIZE / 4)
#define PITCH (WORDS + 1)

/* Returns @sum plus the dot product of the bytes of two words. */
#ifdef __opencl_c_integer_dot_product_input_4x8bit_packed
#define MULTIPLY(a, b, sum) ((sum) + dot_4x8packed_uu_uint (a, b))
#else
#define MULTIPLY(a, b, sum) ((sum) + ((a) & 255) * ((b) & 255) \
    + ((a) >> 8 & 255) * ((b) >> 8 & 255) \
    + ((a) >> 16 & 255) * ((b) >> 16 & 255) + ((a) >> 24) * ((b) >> 24))
#endif

/* Loads TILE descriptors of @list into @tile, starting with descriptor @first, and their squared
 * norms into @norms. After the last of the n descriptors of the list, repeats the last one. */
static void
load_tile (const global uint * list, int first, int n, local uint * tile,
    local uint * norms)
{
  int item = get_local_id (1) * EDGE + get_local_id (0);

  for (int i = item; i < TILE * WORDS; i += EDGE * EDGE)
    tile[i / WORDS * PITCH + i % WORDS] =
        list[(size_t) min (first + i / WORDS, n - 1) * WORDS + i % WORDS];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < TILE) {
    uint sum = 0;

    for (int k = 0; k < WORDS; k++) {
      uint word = tile[item * PITCH + k];

      sum = MULTIPLY (word, word, sum);
    }
    norms[item] = sum;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Compares TILE queries with a part of the train descriptors, in each work-group. Work-item (x,
 * y) of the group compares every EDGE-th query, starting with query y, with every EDGE-th train
 * descriptor, starting with train descriptor x. Its lane has the index x. */
kernel __attribute__ ((reqd_work_group_size (EDGE, EDGE, 1)))
void
match_search (const global uint *restrict queries, int n,
    const global uint *restrict trains, int m, int part_tiles,
    global int *restrict left)
{
  local uint q[TILE * PITCH], t[TILE * PITCH], q_norms[TILE], t_norms[TILE];
  int x = get_local_id (0), y = get_local_id (1);
  int first = get_group_id (0) * TILE, part = get_group_id (1);
  int n_parts = get_num_groups (1);
  int begin = part * part_tiles * TILE;
  int end = min (begin + part_tiles * TILE, m);
  int nearest[SIDE], second[SIDE], number[SIDE];

#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    nearest[i] = second[i] = NONE;
    number[i] = 0;
  }
  load_tile (queries, first, n, q, q_norms);
  for (int base = begin; base < end; base += TILE) {
    uint sums[SIDE * SIDE];

    load_tile (trains, base, m, t, t_norms);
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; i++)
      sums[i] = 0;
    /* Skips the multiplication in work-items without a query or a train descriptor. These lie
     * after the end of a list of descriptors. */
    for (int k = 0; k < (first + y < n && base + x < end ? WORDS : 0); k++) {
      uint a[SIDE], b[SIDE];

#pragma unroll
      for (int i = 0; i < SIDE; i++) {
        a[i] = q[(y + EDGE * i) * PITCH + k];
        b[i] = t[(x + EDGE * i) * PITCH + k];
      }
#pragma unroll
      for (int i = 0; i < SIDE * SIDE; i++)
        sums[i] = MULTIPLY (a[i / SIDE], b[i % SIDE], sums[i]);
    }
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; i++) {
      int j = x + EDGE * (i % SIDE), row = i / SIDE;
      int d = q_norms[y + EDGE * row] + t_norms[j] - 2 * sums[i];

      d = base + j < end ? d : NONE;
      second[row] = min (second[row], max (nearest[row], d));
      number[row] = d < nearest[row] ? base + j : number[row];
      nearest[row] = min (nearest[row], d);
    }
    barrier (CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    int query = first + y + EDGE * i;
    global int *to = left + ROWS * LANES * ((size_t) query * n_parts + part);

    if (query < n) {
      to[x] = nearest[i];
      to[LANES + x] = second[i];
      to[2 * LANES + x] = number[i];
    }
  }
}
#endif

/* Writes three numbers for query i, in work-item i: the index of the nearest train descriptor, its
 * squared distance, and the squared distance of the second nearest train descriptor. If there is no
 * second nearest one, its distance is 0xffffffff. */
kernel void
match_merge (const global int *restrict left, int n, int n_parts,
    global uint *restrict matches)
{
  int i = get_global_id (0), nearest = NONE, second = NONE, number = 0;

  if (i >= n)
    return;
  for (int part = 0; part < n_parts; part++) {
    const global int *from = left + ROWS * LANES
        * ((size_t) i * n_parts + part);

    for (int lane = 0; lane < LANES; lane++) {
      int d = from[lane], j = from[2 * LANES + lane];
      bool is_nearer = d < nearest || (d == nearest && j < number);

      second = min (second, min (from[LANES + lane], max (nearest, d)));
      number = is_nearer ? j : number;
      nearest = min (nearest, d);
    }
  }
  matches[3 * i] = number;
  matches[3 * i + 1] = nearest;
  matches[3 * i + 2] = second < NONE ? (uint) second : 0xffffffffu;
}

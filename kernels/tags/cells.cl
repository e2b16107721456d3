/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the edges between the cells of each tag, and sums up the normal equations for the
 * correction of its homography. */

/* Number of work-items that process a tag, a power of two */
#ifndef WIDE
#define WIDE 1
#endif
#undef GROUP
#define GROUP WIDE

#include "tags/pick.h"
#include "tags/solve.h"

#define MAX_CELLS (TAGS_MAX_WIDTH * TAGS_MAX_WIDTH)

/* Number of profiles across each edge of a cell, and of steps of 1/4 pixel on each side of it */
#define ACROSS 3
#define MAX_STEPS 8

/* Color of a cell that the code does not determine */
#define UNKNOWN 2
#define N_ENTRIES 45            /* upper triangle of 9 x 9: equations, right side, squares */

/* Number of groups of profiles that are added up at the same time */
#define N_GROUPS (GROUP < 2 * N_ENTRIES ? 1 : GROUP / N_ENTRIES)

/* Number of measured profiles: PoCL needs loops of a known length around barriers. */
#define LENGTH(n) (CAN_LEAVE ? (n) : 6 * TAGS_MAX_WIDTH * (TAGS_MAX_WIDTH - 1))

/* A profile across an edge: its equation, in units of 2^-12; whether it counts and was tried */
typedef struct
{
  int j[9];
  int is_used, is_tried;
} Profile;

typedef struct
{
  uchar colours[MAX_CELLS];
  Profile profiles[GROUP];
  long parts[N_GROUPS * N_ENTRIES], sums[N_ENTRIES];
  int n_used, n_tried;
  Homography h;                 /* homography of the corners, relative to (ox, oy) */
  int ox, oy, corners[8];
  int is_ok;                    /* whether the equations have a solution */
} Work;

typedef struct
{
  int border, width, offset, is_white, is_inverted;
} Layout;

/* Returns the color of cell i if it is in the border or the margin around it, otherwise UNKNOWN. */
static uchar
find_colour (Layout layout, int i)
{
  int x = i % layout.width - layout.offset, y = i / layout.width - layout.offset;
  int n = layout.border;
  bool is_in = x >= 0 && y >= 0 && x < n && y < n;
  bool is_ring = is_in && (x == 0 || y == 0 || x == n - 1 || y == n - 1);
  bool is_margin = !is_in && x >= -1 && y >= -1 && x <= n && y <= n;
  int colour = layout.is_white ^ layout.is_inverted;

  return is_ring ? colour : is_margin ? 1 - colour : UNKNOWN;
}

/* Finds the row and the column of entry k of the upper triangle of a 9 x 9 matrix. */
static void
find_entry (int k, int *row, int *column)
{
  int r = 0;

  while (k >= 9 - r) {
    k -= 9 - r;
    r++;
  }
  *row = r;
  *column = r + k;
}

/* Returns whether profile i of a tag crosses an edge between cells of different color. */
static bool
is_edge (Layout layout, SHARED const uchar * colours, int i)
{
  int n = layout.width, x = i / ACROSS % (n - 1) + 1;
  int y = i / ACROSS / (n - 1) % n, is_down = i / ACROSS / (n - 1) / n;
  int before = colours[is_down ? (x - 1) * n + y : y * n + x - 1];
  int behind = colours[is_down ? x * n + y : y * n + x];

  return before != UNKNOWN && behind != UNKNOWN && before != behind;
}

/* Measures profile i of a tag. @is_again: whether the homography was already corrected */
static Profile
measure_profile (Frame frame, SHARED const Work * work, Layout layout, int i,
    bool is_again)
{
  const Homography of = work->h, *h = &of;
  SHARED const uchar *colours = work->colours;
  int n = layout.width, k = i % ACROSS, x = i / ACROSS % (n - 1) + 1;
  int y = i / ACROSS / (n - 1) % n, is_down = i / ACROSS / (n - 1) / n;
  bool is_darker = colours[is_down ? (x - 1) * n + y : y * n + x - 1]
      > colours[is_down ? x * n + y : y * n + x];
  float step = reciprocal (convert_float_rte (layout.border));
  float along = (convert_float_rte (y - layout.offset) + 0.25f + 0.25f * k)
      * step - 0.5f;
  float at = convert_float_rte (x - layout.offset) * step - 0.5f;
  float u = is_down ? along : at, v = is_down ? at : along;
  float r = inverse (1.0f + h->h[6] * u + h->h[7] * v);
  float2 p = project (h, u, v);
  float2 du = (float2) ((h->h[0] - p.x * h->h[6]) * r,
      (h->h[3] - p.y * h->h[6]) * r);
  float2 dv = (float2) ((h->h[1] - p.x * h->h[7]) * r,
      (h->h[4] - p.y * h->h[7]) * r);
  float2 tangent = is_down ? du : dv, other = is_down ? dv : du;
  float scale = reciprocal_root (max (tangent.x * tangent.x
          + tangent.y * tangent.y, 0.0001f));
  float nx = -tangent.y * scale, ny = tangent.x * scale;
  float pitch = other.x * nx + other.y * ny, reach, edge, turn, moment;
  int steps, dx, dy, left, top, values[2 * MAX_STEPS + 5];
  long weight;
  Profile profile = { {0}, 0, 0 };

  turn = pitch < 0.0f ? -1.0f : 1.0f;
  nx = nx * turn;
  ny = ny * turn;
  reach = clamp (0.4f * absolute (pitch) * step, 0.5f, 2.0f);
  steps = convert_int_rtz (reach * 4.0f);
  left = place_sample (p.x, work->ox);
  top = place_sample (p.y, work->oy);
  dx = to_int (nx * 65536.0f);
  dy = to_int (ny * 65536.0f);
  profile.is_tried = left >= (3 << POSITION_BITS) && top >= (3 << POSITION_BITS)
      && left <= (frame.width - 4) << POSITION_BITS
      && top <= (frame.height - 4) << POSITION_BITS;
  if (!profile.is_tried)
    return profile;
  for (int s = 0; s < 2 * steps + 5; s++) {
    int far = s - steps - 2;

    values[s] = sample_at (frame, left + ((far * dx) >> 8),
        top + ((far * dy) >> 8));
  }
  edge = 0.25f * find_edge (values, steps, is_darker ? -1 : 1, &weight);
  profile.is_used = weight >= 64 << 16
      && !(is_again && (edge > 0.6f || edge < -0.6f));
  if (!profile.is_used)
    return profile;
  moment = nx * p.x + ny * p.y;
  r = r * 4096.0f;
  profile.j[0] = to_int (nx * u * r);
  profile.j[1] = to_int (nx * v * r);
  profile.j[2] = to_int (nx * r);
  profile.j[3] = to_int (ny * u * r);
  profile.j[4] = to_int (ny * v * r);
  profile.j[5] = to_int (ny * r);
  profile.j[6] = to_int (-moment * u * r);
  profile.j[7] = to_int (-moment * v * r);
  profile.j[8] = to_int (edge * 4096.0f);
  return profile;
}

#if GROUP == 1
static void
add_profile (const Profile * profile, SHARED Work * work)
{
  work->n_tried += profile->is_tried;
  if (!profile->is_used)
    return;
  for (int row = 0, k = 0; row < 9; row++)
    for (int column = row; column < 9; column++, k++)
      work->sums[k] += (long) profile->j[row] * profile->j[column];
  work->n_used++;
}
#else
/* Adds the products of the profiles of all work-items to the normal equations. */
static __attribute__ ((always_inline)) void
add_profiles (SHARED Work * work)
{
  for (int k = LOCAL_ID; k < N_GROUPS * N_ENTRIES; k += GROUP) {
    int row, column;
    long sum = 0;

    find_entry (k % N_ENTRIES, &row, &column);
    for (int j = k / N_ENTRIES; j < GROUP; j += N_GROUPS)
      sum += (long) work->profiles[j].j[row] * work->profiles[j].j[column];
    work->parts[k] += sum;
  }
}
#endif

/* Adds up the products of the profiles that the work-items measured in one round. */
static __attribute__ ((always_inline)) void
sum_profiles (Frame frame, Layout layout, int n, bool is_again,
    SHARED Work * work)
{
  for (int k = LOCAL_ID; k < N_GROUPS * N_ENTRIES; k += GROUP)
    work->parts[k] = 0;
  for (int k = LOCAL_ID; k < N_ENTRIES; k += GROUP)
    work->sums[k] = 0;
  if (LOCAL_ID == 0)
    work->n_used = work->n_tried = 0;
  SYNC
  for (int first = 0; first < LENGTH (n); first += GROUP) {
    Profile none = { {0}, 0, 0 };
    int i = first + LOCAL_ID;
    Profile profile = i < n && is_edge (layout, work->colours, i)
        ? measure_profile (frame, work, layout, i, is_again) : none;

#if GROUP == 1
    add_profile (&profile, work);
#else
    work->profiles[LOCAL_ID] = profile;
    ADD_SHARED (&work->n_tried, profile.is_tried);
    ADD_SHARED (&work->n_used, profile.is_used);
    SYNC
    add_profiles (work);
    SYNC
#endif
  }
#if GROUP > 1
  for (int k = LOCAL_ID; k < N_ENTRIES; k += GROUP)
    for (int part = 0; part < N_GROUPS; part++)
      work->sums[k] += work->parts[part * N_ENTRIES + k];
  SYNC
#endif
}

static bool
is_enough (SHARED const Work * work)
{
  return work->n_used >= 24 && 2 * work->n_used >= work->n_tried;
}

/* Initializes the corners to @corners. */
static void
begin_corners (const global int *corners, SHARED Work * work)
{
  float2 q[4];
  int ox, oy;

  load_corners (corners, q, &ox, &oy);
  for (int i = 0; i < 8; i++)
    work->corners[i] = corners[i];
  work->ox = ox;
  work->oy = oy;
  work->h = find_homography (q);
}

/* Moves the corners by the solution, unless this would move a corner by more than 1.5 pixels. */
static void
step_corners (const global int *corners, SHARED Work * work)
{
  Homography h = work->h;
  float x[8], size = max (absolute (h.h[0]) + absolute (h.h[3])
      + absolute (h.h[1]) + absolute (h.h[4]), 1.0f);
  bool ok = is_enough (work);
  float2 q[4];
  int ox, oy;

  ok = solve (work->sums, size, x) && ok;
  load_corners (corners, q, &ox, &oy);
  for (int i = 0; i < 8; i++)
    h.h[i] = h.h[i] + x[i];
  for (int i = 0; i < 4; i++) {
    float u = i == 0 || i == 3 ? -0.5f : 0.5f, v = i < 2 ? -0.5f : 0.5f, dx, dy;
    float2 moved = project (&h, u, v);

    dx = moved.x - q[i].x;
    dy = moved.y - q[i].y;
    ok = ok && dx * dx + dy * dy <= 2.25f;
    q[i] = moved;
  }
  work->is_ok = ok;
  if (!ok)
    return;
  for (int i = 0; i < 4; i++) {
    work->corners[2 * i] = store_corner (q[i].x, ox);
    work->corners[2 * i + 1] = store_corner (q[i].y, oy);
    q[i].x = load_corner (work->corners[2 * i], ox);
    q[i].y = load_corner (work->corners[2 * i + 1], oy);
  }
  work->h = find_homography (q);
}

static void
write_record (global TagsRecord * to, const global TagsRead * read,
    SHARED const Work * work, bool is_ok)
{
  to->map = read->map;
  to->root = read->root;
  to->family = read->family;
  to->id = read->id;
  to->hamming = read->hamming;
  to->ring_errors = read->ring_errors;
  to->turn = read->turn;
  to->is_inverted = read->is_inverted;
  to->margin = read->margin;
  to->contrast = read->contrast;
  to->origin_x = work->ox;
  to->origin_y = work->oy;
  for (int i = 0; i < 8; i++) {
    to->edges[i] = read->corners[i];
    to->corners[i] = is_ok ? work->corners[i] : read->corners[i];
  }
  to->n_used = is_ok ? work->n_used : 0;
  to->n_tried = is_ok ? work->n_tried : 0;
  for (int row = 0, k = 0, n = 0; row < 8; row++, k++)
    for (int column = row; column < 8; column++, k++)
      to->normal[n++] = is_ok ? work->sums[k] : 0;
  for (int row = 0, k = 8; row < 8; k += 8 - row, row++)
    to->right[row] = is_ok ? work->sums[k] : 0;
  to->square = is_ok ? work->sums[N_ENTRIES - 1] : 0;
}

static __attribute__ ((always_inline)) void
refine_tag (Frame frame, const global TagsFamily * families,
    const global int *places, const global TagsCode * codes,
    bool is_refined, bool exists, const global TagsRead * read,
    global TagsRecord * to, SHARED Work * work)
{
  const global TagsFamily *family = families + (exists ? read->family : 0);
  TagsCode code = codes[family->first_code + (exists ? read->id : 0)];
  Layout layout;
  int n;

  layout.border = family->border;
  layout.width = max (family->width, family->border + 2);
  layout.offset = (layout.width - layout.border) / 2;
  layout.is_white = family->is_white != 0;
  layout.is_inverted = exists ? read->is_inverted : 0;
  n = exists && is_refined ? 2 * ACROSS * layout.width * (layout.width - 1) : 0;
  if (LOCAL_ID == 0)
    begin_corners (read->corners, work);
  for (int i = LOCAL_ID; i < layout.width * layout.width; i += GROUP)
    work->colours[i] = find_colour (layout, i);
  SYNC
  for (int i = LOCAL_ID; i < family->n_bits; i += GROUP) {
    const global int *cell = places + family->first_cell + 2 * i;

    work->colours[(cell[1] + layout.offset) * layout.width + cell[0]
        + layout.offset] = (code >> (family->n_bits - 1 - i) & 1)
        ^ layout.is_inverted;
  }
  SYNC
  /* Keeps the loop, because LLVM in PoCL 6 fails if its code exists twice. */
#pragma unroll 1
  for (int round = 0; round < 2; round++) {
    n = round == 0 || work->is_ok ? n : 0;
    sum_profiles (frame, layout, n, round > 0, work);
    if (LOCAL_ID == 0 && round == 0)
      step_corners (read->corners, work);
    SYNC
  }
  if (LOCAL_ID == 0 && exists)
    write_record (to, read, work, n > 0 && is_enough (work));
  SYNC
}

/* Measures the tags, in the order of the quads in which they were read, and writes the header of the
 * results. */
kernel void
tags_cells (const global uchar * restrict pixels, int offset, int stride,
    int width, int height, const global TagsFamily * restrict families,
    const global int *restrict places, const global TagsCode * restrict codes,
    int refine, const global int *restrict listed,
    const global int *restrict state, const global TagsRead * restrict reads,
    global uchar * restrict result)
{
  const Frame frame = { pixels + offset, stride, width, height };
  global TagsRecord *records =
      (global TagsRecord *) (result + sizeof (TagsHeader));
  int i = GROUP_ID, n = state[TAGS_N_QUADS], n_tags = 0;
  SHARED Work work;
#if GROUP == 1
  for (int k = 0; k < n; k++) {
    if (reads[k].family < 0)
      continue;
    if (n_tags < TAGS_MAX_TAGS && n_tags % (int) get_global_size (0) == i)
      refine_tag (frame, families, places, codes, refine > 1, true, reads + k,
          records + n_tags, &work);
    n_tags++;
  }
  if (i == 0)
    write_header ((global TagsHeader *) result, listed, state, n_tags);
#else
  SHARED Pick pick;

  n_tags = pick_tag (reads, n, i, &pick);
  if (i == 0 && LOCAL_ID == 0)
    write_header ((global TagsHeader *) result, listed, state, n_tags);
  LEAVE_UNLESS (i < n_tags);
  refine_tag (frame, families, places, codes, refine > 1, i < n_tags,
      reads + pick.picked, records + min (i, TAGS_MAX_TAGS - 1), &work);
#endif
}

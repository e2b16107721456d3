/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Updates the list of tracks: drops the tracks that were lost, and adds new points. The
 * algorithm is described in docs/algorithms/tracks.md. */
#include "tracks/tracks-shared.h"

/* Number of work-items of the single work-group that runs */
#ifndef LIST_GROUP
#define LIST_GROUP 64
#endif

/* Parameters for the tables that a GstMgpuKeypointMeta and other readers use: the keypoints after
 * a header; the ids of the tracks; and for each track, its position in the previous frame and its
 * motion. (left, top) is added to positions. */
#define TABLES global uint *keypoints, global uint *ids, global float4 *motions, \
    float left, float top
#define TABLES_ARGS keypoints, ids, motions, left, top

#define HEADER_WORDS 4
#define KEYPOINT_WORDS 7

/* Returns the number of preceding work-items that have @flag set; sets *n to the number of all
 * work-items that have it set. All work-items call this. */
static inline __attribute__ ((always_inline)) int
count_before (int flag, int *n, local int *flags)
{
  int before = 0, all = 0;

  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  flags[get_local_id (0)] = flag;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < LIST_GROUP; i++) {
    before += i < (int) get_local_id (0) ? flags[i] : 0;
    all += flags[i];
  }
  *n = all;
  return before;
}

static void
put_track (global uint8 * tracks, int i, uint8 track, TABLES)
{
  global uint *k = keypoints + HEADER_WORDS + i * KEYPOINT_WORDS;

  tracks[1 + i] = track;
  k[0] = as_uint (as_float (track.s0) + left);
  k[1] = as_uint (as_float (track.s1) + top);
  k[2] = as_uint (16.0f);
  k[3] = as_uint (-1.0f);
  k[4] = track.s6;
  k[5] = 0x80000000u;
  k[6] = 0;
  ids[i] = track.s7;
  motions[i] = as_float4 (track.s2345) + (float4) (left, top, 0, 0);
}

/* Returns the index of the cell that contains a position. */
static int
get_cell (uint8 track, int cell, int columns, int rows)
{
  int x = (int) as_float (track.s0), y = (int) as_float (track.s1);

  return min (y / cell, rows - 1) * columns + min (x / cell, columns - 1);
}

/* Drops the tracks for which is_alive is not set. Then adds the points in @points of cells without
 * a track, until there are @most tracks. Cells are visited in steps of @step, modulo the number of
 * cells. The ids of new tracks are above @first_id and above the last id that was given. A single
 * work-group runs. old_most: maximum number of tracks before this launch; 0: no track is kept.
 * taken: scratch memory, a word for each cell */
kernel void __attribute__ ((reqd_work_group_size (LIST_GROUP, 1, 1)))
tracks_list (global uint8 * tracks, global const int *is_alive, int old_most,
    global const float4 * points, int cell, int columns, int rows, int step,
    int most, int first_id, global int *taken, TABLES)
{
  local int flags[LIST_GROUP];
  int id = get_local_id (0), n_old = old_most > 0 ? (int) tracks[0].s0 : 0;
  uint last_id = max (tracks[0].s1, (uint) first_id);
  int n_cells = columns * rows, n = 0, n_kept, n_more, at;
  uint8 header = 0;

  for (int i = id; i < n_cells; i += LIST_GROUP)
    taken[i] = 0;
  for (int first = 0; first < old_most; first += LIST_GROUP) {
    int i = first + id;
    uint8 track = tracks[1 + i];
    bool is_kept = i < n_old && is_alive[i] != 0;

    at = n + count_before (is_kept, &n_more, flags);
    if (is_kept && at < most) {
      put_track (tracks, at, track, TABLES_ARGS);
      atomic_or (&taken[get_cell (track, cell, columns, rows)], 1);
    }
    n = min (n + n_more, most);
  }
  n_kept = n;
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (int first = 0; first < n_cells; first += LIST_GROUP) {
    int i = (int) ((ulong) (first + id) * step % n_cells);
    float4 point = points[i];
    bool is_new = first + id < n_cells && taken[i] == 0 && point.z > 0;

    at = n + count_before (is_new, &n_more, flags);
    if (is_new && at < most)
      put_track (tracks, at, (uint8) (as_uint4 (point.xyxy), 0, 0,
              as_uint (point.z), last_id + 1 + at - n_kept), TABLES_ARGS);
    n = min (n + n_more, most);
  }
  if (id == 0) {
    header.s0 = n;
    header.s1 = last_id + n - n_kept;
    tracks[0] = header;
    keypoints[0] = n;
    keypoints[1] = keypoints[2] = keypoints[3] = 0;
  }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows regions of moving pixels from frame to frame. */
#include "gstmgpumotiontracks.h"

#include <string.h>

/* Maximum number of tracks. Further regions get no track until one ends. */
#define MAX_TRACKS 1024
/* Number of shifts between frames whose mean is the motion of a box */
#define N_SHIFTS 4

typedef struct
{
  guint64 id;                   /* id of the track; 0 until the track is confirmed */
  guint age;
  guint missed;                 /* number of frames since the track last had a region */
  guint64 hits[2];              /* history of 128 bits; bit i: whether the track had a region i
                                 * frames ago */
  GstMgpuMotionBox box;         /* the smoothed box */
  GstMgpuMotionBox last;        /* box of the last region of the track */
  gint centers[N_SHIFTS + 1][2];        /* centers of the last boxes, multiplied by 2; newest
                                         * first */
  guint n_centers;
  gint dx, dy;                  /* mean shift, in 1/16 pixel */
  gint region;                  /* index of the region in the current frame; -1 if there is none */
} Track;

struct _GstMgpuMotionTracks
{
  GArray *tracks;               /* array of Track, in the order in which they began */
  guint64 last_id;
};

/* A region that may continue a track. */
typedef struct
{
  guint track, region;
  gint64 overlap;               /* area, in pixels, of the intersection of the region's box with the
                                 * expected box */
} Candidate;

GstMgpuMotionTracks *
gst_mgpu_motion_tracks_new (void)
{
  GstMgpuMotionTracks *self = g_new0 (GstMgpuMotionTracks, 1);

  self->tracks = g_array_new (FALSE, TRUE, sizeof (Track));
  return self;
}

void
gst_mgpu_motion_tracks_free (GstMgpuMotionTracks * self)
{
  g_array_unref (self->tracks);
  g_free (self);
}

void
gst_mgpu_motion_tracks_forget (GstMgpuMotionTracks * self)
{
  g_array_set_size (self->tracks, 0);
}

/* --- Merging regions --- */

/* Returns: whether the gap between two boxes is less than @merge pixels in both directions */
static gboolean
is_near (const GstMgpuMotionBox * a, const GstMgpuMotionBox * b, gint merge)
{
  gint x = MAX (a->left, b->left) - MIN (a->right, b->right);
  gint y = MAX (a->top, b->top) - MIN (a->bottom, b->bottom);

  return MAX (x, y) < merge;
}

static void
join (GstMgpuMotionRegion * a, const GstMgpuMotionRegion * b)
{
  a->box.left = MIN (a->box.left, b->box.left);
  a->box.top = MIN (a->box.top, b->box.top);
  a->box.right = MAX (a->box.right, b->box.right);
  a->box.bottom = MAX (a->box.bottom, b->box.bottom);
  a->area += b->area;
  a->n_pixels += b->n_pixels;
  a->evidence += b->evidence;
}

/* Merges into region number @i all later regions that are near it. Returns: whether there were
 * any */
static gboolean
join_others (GArray * regions, guint i, guint merge)
{
  gboolean has_joined = FALSE;
  guint j = i + 1;

  while (j < regions->len) {
    GstMgpuMotionRegion *a = &g_array_index (regions, GstMgpuMotionRegion, i);
    const GstMgpuMotionRegion *b =
        &g_array_index (regions, GstMgpuMotionRegion, j);

    if (is_near (&a->box, &b->box, merge)) {
      join (a, b);
      g_array_remove_index (regions, j);
      has_joined = TRUE;
    } else {
      j++;
    }
  }
  return has_joined;
}

void
gst_mgpu_motion_regions_merge (GArray * regions, guint merge)
{
  gboolean changes = merge > 0;

  while (changes) {
    changes = FALSE;
    for (guint i = 0; i < regions->len; i++)
      while (join_others (regions, i, merge))
        changes = TRUE;
  }
}

/* --- Assigning regions to tracks --- */

/* Returns: the expected position of the track's region in the current frame */
static GstMgpuMotionBox
expect (const Track * track)
{
  gint n = track->missed + 1;
  gint x = track->dx * n / 16, y = track->dy * n / 16;
  GstMgpuMotionBox box = track->last;

  box.left += x;
  box.right += x;
  box.top += y;
  box.bottom += y;
  return box;
}

static gint64
overlap (const GstMgpuMotionBox * a, const GstMgpuMotionBox * b)
{
  gint width = MIN (a->right, b->right) - MAX (a->left, b->left);
  gint height = MIN (a->bottom, b->bottom) - MAX (a->top, b->top);

  return (gint64) MAX (width, 0) * MAX (height, 0);
}

/* Orders candidates by overlap in descending order; if overlaps are equal, older tracks and earlier
 * regions come first. */
static gint
compare (gconstpointer x, gconstpointer y)
{
  const Candidate *a = x, *b = y;

  if (a->overlap != b->overlap)
    return a->overlap > b->overlap ? -1 : 1;
  if (a->track != b->track)
    return a->track < b->track ? -1 : 1;
  return a->region < b->region ? -1 : a->region > b->region;
}

static GArray *
list_candidates (GstMgpuMotionTracks * self, const GArray * regions)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < self->tracks->len; i++) {
    GstMgpuMotionBox box = expect (&g_array_index (self->tracks, Track, i));

    for (guint j = 0; j < regions->len; j++) {
      const GstMgpuMotionRegion *region =
          &g_array_index (regions, GstMgpuMotionRegion, j);
      Candidate candidate = { i, j, overlap (&box, &region->box) };

      if (candidate.overlap > 0)
        g_array_append_val (list, candidate);
    }
  }
  g_array_sort (list, compare);
  return list;
}

/* Assigns to each track the region that overlaps its expected box most. @taken: a byte for each
 * region, set to 1 when the region is assigned. */
static void
assign (GstMgpuMotionTracks * self, const GArray * regions, guint8 * taken)
{
  GArray *list = list_candidates (self, regions);

  for (guint i = 0; i < self->tracks->len; i++)
    g_array_index (self->tracks, Track, i).region = -1;
  for (guint i = 0; i < list->len; i++) {
    const Candidate *candidate = &g_array_index (list, Candidate, i);
    Track *track = &g_array_index (self->tracks, Track, candidate->track);

    if (track->region >= 0 || taken[candidate->region])
      continue;
    track->region = candidate->region;
    taken[candidate->region] = 1;
  }
  g_array_unref (list);
}

/* --- The state of a track --- */

/* Computes the mean shift: the difference of the newest and the oldest center, divided by the
 * number of frames between them. */
static void
measure_shift (Track * track)
{
  gint n = (gint) track->n_centers - 1;

  track->dx = track->dy = 0;
  if (n < 1)
    return;
  track->dx = (track->centers[0][0] - track->centers[n][0]) * 8 / n;
  track->dy = (track->centers[0][1] - track->centers[n][1]) * 8 / n;
}

static void
add_center (Track * track, const GstMgpuMotionBox * box)
{
  memmove (track->centers[1], track->centers[0],
      N_SHIFTS * sizeof (track->centers[0]));
  track->centers[0][0] = box->left + box->right;
  track->centers[0][1] = box->top + box->bottom;
  track->n_centers = MIN (track->n_centers + 1, N_SHIFTS + 1);
}

/* Continues a track with the box of its region. The smoothed box has the mean edges of the old and
 * the new box, and contains the new box. */
static void
follow (Track * track, const GstMgpuMotionBox * box)
{
  GstMgpuMotionBox old = track->box;

  if (track->age == 0)
    old = *box;
  /* Restarts the mean after missed frames, because the shift over several frames would be taken for
   * the shift of one frame. */
  if (track->missed > 0)
    track->n_centers = 0;
  add_center (track, box);
  if (track->n_centers > 1)
    measure_shift (track);
  track->box.left = MIN (box->left, (old.left + box->left) / 2);
  track->box.top = MIN (box->top, (old.top + box->top) / 2);
  track->box.right = MAX (box->right, (old.right + box->right + 1) / 2);
  track->box.bottom = MAX (box->bottom, (old.bottom + box->bottom + 1) / 2);
  track->last = *box;
  track->missed = 0;
}

static void
note_hit (Track * track, gboolean hit)
{
  track->hits[1] = track->hits[1] << 1 | track->hits[0] >> 63;
  track->hits[0] = track->hits[0] << 1 | (hit ? 1 : 0);
}

/* Returns: the number of the last @n frames (up to 128) in which the track had a region */
static guint
count_hits (const Track * track, guint n)
{
  guint count = 0;

  for (guint i = 0; i < n; i++)
    count += track->hits[i / 64] >> i % 64 & 1;
  return count;
}

static void
begin_tracks (GstMgpuMotionTracks * self, const GArray * regions,
    const guint8 * taken)
{
  for (guint i = 0; i < regions->len; i++) {
    Track track = {.region = i };

    if (taken[i] || self->tracks->len >= MAX_TRACKS)
      continue;
    g_array_append_val (self->tracks, track);
  }
}

static void
end_tracks (GstMgpuMotionTracks * self, const GstMgpuMotionTrackParams * params)
{
  guint slack = params->min_frames / 4;
  guint i = 0;

  while (i < self->tracks->len) {
    const Track *track = &g_array_index (self->tracks, Track, i);
    guint hold = track->id != 0 ? params->hold : MAX (params->hold, slack);

    if (track->missed > hold)
      g_array_remove_index (self->tracks, i);
    else
      i++;
  }
}

static gint
compare_ids (gconstpointer x, gconstpointer y)
{
  const GstMgpuMotionTrack *a = x, *b = y;

  return a->id < b->id ? -1 : a->id > b->id;
}

void
gst_mgpu_motion_tracks_update (GstMgpuMotionTracks * self, GArray * regions,
    const GstMgpuMotionTrackParams * params, GArray * found)
{
  guint window = params->min_frames + params->min_frames / 4;
  guint8 *taken;

  gst_mgpu_motion_regions_merge (regions, params->merge);
  taken = g_malloc0 (regions->len + 1);
  assign (self, regions, taken);
  begin_tracks (self, regions, taken);
  g_free (taken);
  for (guint i = 0; i < self->tracks->len; i++) {
    Track *track = &g_array_index (self->tracks, Track, i);
    GstMgpuMotionTrack result;

    note_hit (track, track->region >= 0);
    if (track->region < 0) {
      track->missed++;
      track->age++;
      continue;
    }
    result.region = g_array_index (regions, GstMgpuMotionRegion, track->region);
    follow (track, &result.region.box);
    track->age++;
    if (track->id == 0 && count_hits (track, window) >= params->min_frames)
      track->id = ++self->last_id;
    if (track->id == 0)
      continue;
    result.id = track->id;
    result.age = track->age;
    result.dx = track->dx;
    result.dy = track->dy;
    result.region.box = track->box;
    g_array_append_val (found, result);
  }
  end_tracks (self, params);
  g_array_sort (found, compare_ids);
}

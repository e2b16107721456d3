/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tracks objects: predicts tracks with Kalman filters and associates regions with them. */
#include "gstmgputracker.h"

#include "gstmgputrackpairs.h"

#include <math.h>

/* Maximum number of tracks. Three limits bound the time for a frame, regardless of the number
 * and overlap of its regions: this one, the limit of regions that are considered for a track,
 * and the limit of work for an association. */
#define MAX_TRACKS 4096

/* Minimum IoU (intersection over union) with which a detected region of low confidence
 * is assigned to a track */
#define LOW_OVERLAP 0.5

/* Standard deviations that the Kalman filter assumes: of positions (in pixels), of speeds,
 * and of the first speed of a track (both in pixels per frame). They are given as fractions
 * of the object's height, or of MIN_HEIGHT pixels if that is more. ByteTrack uses 1/160 for
 * speeds. With that value, the predicted position of an unseen object drifts away sooner, and
 * fewer people of tests/tools/people.py get their ids back. */
#define PLACE_NOISE (1.0 / 20)
#define SPEED_NOISE (1.0 / 400)
#define FIRST_SPEED (1.0 / 16)
#define MIN_HEIGHT 8.0

/* Number of frames in which an object was found for each frame for which its position is predicted,
 * unless "coast" was set. Most false detections do not last that long, and the speed of an object is
 * known better the longer it was seen. */
#define SEEN_PER_COAST 8

/* Standard deviation, in pixels, of a motion that was measured by flow */
#define MOTION_NOISE 0.5

struct _GstMgpuTracker
{
  GPtrArray *tracks;            /* array of GstMgpuTrackerTrack, oldest first */
  GPtrArray *ended;             /* tracks that ended in the last call of
                                 * gst_mgpu_tracker_step() or gst_mgpu_tracker_end();
                                 * owned by this array */
  guint64 next_id;
  guint since_regions;          /* number of frames since the last frame with a region */
  gboolean is_full;

  /* temporary arrays, kept from frame to frame to avoid allocations */
  GArray *pairs;                /* array of GstMgpuTrackPair */
  GArray *rows, *columns;       /* arrays of GstMgpuTrackItem: tracks and regions that may
                                 * be associated */
  GByteArray *is_taken;         /* a byte for each detected region of the frame: whether it
                                 * is assigned to a track */
};

static void
track_free (gpointer data)
{
  g_free (data);
}

GstMgpuTracker *
gst_mgpu_tracker_new (void)
{
  GstMgpuTracker *self = g_new0 (GstMgpuTracker, 1);

  self->tracks = g_ptr_array_new ();
  self->ended = g_ptr_array_new_with_free_func (track_free);
  self->next_id = 1;
  self->pairs = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackPair));
  self->rows = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackItem));
  self->columns = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackItem));
  self->is_taken = g_byte_array_new ();
  return self;
}

void
gst_mgpu_tracker_free (GstMgpuTracker * self)
{
  g_ptr_array_set_free_func (self->tracks, track_free);
  g_ptr_array_unref (self->tracks);
  g_ptr_array_unref (self->ended);
  g_array_unref (self->pairs);
  g_array_unref (self->rows);
  g_array_unref (self->columns);
  g_byte_array_unref (self->is_taken);
  g_free (self);
}

const GPtrArray *
gst_mgpu_tracker_end (GstMgpuTracker * self, guint64 first_id)
{
  g_ptr_array_set_size (self->ended, 0);
  for (guint i = 0; i < self->tracks->len; i++)
    g_ptr_array_add (self->ended, self->tracks->pdata[i]);
  g_ptr_array_set_size (self->tracks, 0);
  self->since_regions = 0;
  if (first_id != 0)
    self->next_id = first_id;
  return self->ended;
}

const GPtrArray *
gst_mgpu_tracker_get_tracks (GstMgpuTracker * self)
{
  return self->tracks;
}

gboolean
gst_mgpu_tracker_is_full (GstMgpuTracker * self)
{
  return self->is_full;
}

/* --- The Kalman filter of a track --- */

static gdouble
square (gdouble value)
{
  return value * value;
}

static gdouble
get_height (const GstMgpuTrackerTrack * track)
{
  return MAX (track->at[3], MIN_HEIGHT);
}

static GstMgpuTrackerTrack *
track_new (const GstMgpuTrackerRegion * region)
{
  GstMgpuTrackerTrack *track = g_new0 (GstMgpuTrackerTrack, 1);

  track->type = region->type;
  track->at[0] = region->x + region->width / 2;
  track->at[1] = region->y + region->height / 2;
  track->at[2] = region->width;
  track->at[3] = region->height;
  track->p00 = square (2 * PLACE_NOISE * get_height (track));
  track->p11 = square (FIRST_SPEED * get_height (track));
  track->n_seen = 1;
  return track;
}

/* Updates the speed in the Kalman filter with the measured motion of the object. Also corrects the
 * position, so that predict() moves the box exactly by the measured motion, even if the filter
 * changes the speed by less. */
static void
measure_speed (GstMgpuTrackerTrack * track)
{
  gdouble gain = track->p11 / (track->p11 + square (MOTION_NOISE));

  for (guint i = 0; i < 2; i++) {
    gdouble change = gain * (track->motion[i] - track->speed[i]);

    track->speed[i] += change;
    track->at[i] += track->motion[i] - track->speed[i];
  }
  track->p01 -= gain * track->p01;
  track->p11 -= gain * track->p11;
}

/* Predicts the position and size of a tracked object in the next frame. If no detected region
 * was assigned to the track when the detector ran last, the size does not change. */
static void
predict (GstMgpuTrackerTrack * track)
{
  gdouble height = get_height (track);

  if (track->missed)
    track->speed[2] = track->speed[3] = 0;
  if (track->is_carried)
    measure_speed (track);
  for (guint i = 0; i < 4; i++)
    track->at[i] += track->speed[i];
  /* Keeps the predicted width and height positive if the box has shrunk in the last frames. */
  track->at[2] = MAX (track->at[2], 1);
  track->at[3] = MAX (track->at[3], 1);
  track->p00 += 2 * track->p01 + track->p11 + square (PLACE_NOISE * height);
  track->p01 += track->p11;
  track->p11 += square (SPEED_NOISE * height);
  track->age++;
  track->unseen++;
  track->region = -1;
  track->is_predicted = FALSE;
  track->is_carried = FALSE;
}

/* Corrects the predicted position and size of a tracked object with the detected region that
 * was assigned to the track. */
static void
correct (GstMgpuTrackerTrack * track, const GstMgpuTrackerRegion * region)
{
  const gdouble found[4] = { region->x + region->width / 2,
    region->y + region->height / 2, region->width, region->height
  };
  gdouble s = track->p00 + square (PLACE_NOISE * get_height (track));
  gdouble gain0 = track->p00 / s, gain1 = track->p01 / s;

  for (guint i = 0; i < 4; i++) {
    gdouble error = found[i] - track->at[i];

    track->at[i] += gain0 * error;
    track->speed[i] += gain1 * error;
  }
  track->p11 -= gain1 * track->p01;
  track->p01 -= gain0 * track->p01;
  track->p00 -= gain0 * track->p00;
  track->unseen = 0;
  track->missed = FALSE;
}

static void
move_track (GstMgpuTrackerTrack * track, const gdouble * m)
{
  gdouble x = track->at[0], y = track->at[1];
  gdouble w = m[6] * x + m[7] * y + m[8];
  gdouble to_x = m[0] * x + m[1] * y + m[2];
  gdouble to_y = m[3] * x + m[4] * y + m[5];
  gdouble a, b, c, d, scale, dx = track->speed[0], dy = track->speed[1];

  if (!(w > 1e-6))
    return;
  to_x /= w;
  to_y /= w;
  /* Transforms width, height and speed with the derivative (Jacobian) of the camera motion at
   * the center of the box. */
  a = (m[0] - to_x * m[6]) / w;
  b = (m[1] - to_x * m[7]) / w;
  c = (m[3] - to_y * m[6]) / w;
  d = (m[4] - to_y * m[7]) / w;
  scale = a * d - b * c;
  if (!(scale > 1e-6 && scale < 1e6))
    return;
  scale = sqrt (scale);
  track->at[0] = to_x;
  track->at[1] = to_y;
  track->speed[0] = a * dx + b * dy;
  track->speed[1] = c * dx + d * dy;
  for (guint i = 2; i < 4; i++) {
    track->at[i] *= scale;
    track->speed[i] *= scale;
  }
}

/* Sets @product to the matrix product @a times @b; all are 3 x 3 matrices, row by row. */
static void
multiply (const gdouble * a, const gdouble * b, gdouble * product)
{
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++)
      product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j]
          + a[3 * i + 2] * b[6 + j];
}

/* Sets @adjugate to the adjugate of the 3 x 3 matrix @m: the inverse of @m times its
 * determinant. */
static void
get_adjugate (const gdouble * m, gdouble * adjugate)
{
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++) {
      const gdouble *a = m + 3 * ((j + 1) % 3), *b = m + 3 * ((j + 2) % 3);
      guint k = (i + 1) % 3, l = (i + 2) % 3;

      adjugate[3 * i + j] = a[k] * b[l] - a[l] * b[k];
    }
}

void
gst_mgpu_tracker_move (GstMgpuTracker * self, const gdouble * before,
    const gdouble * motion, const gdouble * after)
{
  gdouble back[9], moved[9], m[9], scale;

  get_adjugate (before, back);
  multiply (motion, back, moved);
  multiply (after, moved, m);
  scale = m[8];
  /* A homography whose last number (its scale) is 0 or NaN describes no motion: ignores it. */
  if (!(scale < 0 || scale > 0))
    return;
  /* Divides the homography by its last number. A homography is only defined up to a factor,
   * but its sign matters here. */
  for (guint i = 0; i < 9; i++)
    m[i] /= scale;
  /* Removes the camera motion from the measured motion of objects, which contains it. */
  for (guint i = 0; i < self->tracks->len; i++)
    if (!((GstMgpuTrackerTrack *) self->tracks->pdata[i])->is_carried)
      move_track (self->tracks->pdata[i], m);
}

/* --- Association of regions with tracks --- */

/* Assigns at most one of the detected regions in self->columns to each of the tracks in
 * self->rows, such that the sum of their overlaps is maximal. @min_overlap is the minimum
 * overlap, 0 to 1. */
static void
associate (GstMgpuTracker * self, gdouble min_overlap)
{
  /* Requires a positive overlap, even if @min_overlap is 0. */
  gst_mgpu_track_list_pairs (self->rows, self->columns, MAX (1,
          (gint64) (min_overlap * GST_MGPU_TRACK_OVERLAP_ONE)), self->pairs);
  gst_mgpu_track_assign (self->pairs, self->tracks->len, self->is_taken->len);
  for (guint i = 0; i < self->pairs->len; i++) {
    const GstMgpuTrackPair *p = &g_array_index (self->pairs, GstMgpuTrackPair,
        i);

    ((GstMgpuTrackerTrack *) self->tracks->pdata[p->row])->region = p->column;
    self->is_taken->data[p->column] = TRUE;
  }
}

/* Lists in self->columns the detected regions that are not assigned to a track yet and
 * whose confidence is at least @low and below @high. */
static void
list_regions (GstMgpuTracker * self, const GstMgpuTrackerRegion * regions,
    gdouble low, gdouble high)
{
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < self->is_taken->len; i++) {
    const GstMgpuTrackerRegion *r = &regions[i];
    GstMgpuTrackItem item;

    if (self->is_taken->data[i] || !(r->confidence >= low)
        || !(r->confidence < high))
      continue;
    item = gst_mgpu_track_item (i, r->type, r->x, r->y, r->width, r->height);
    g_array_append_val (self->columns, item);
  }
}

/* Lists in self->rows the tracks to which no region is assigned in this frame yet: those with
 * an id if @confirmed is TRUE, otherwise those without an id. */
static void
list_tracks (GstMgpuTracker * self, gboolean confirmed)
{
  g_array_set_size (self->rows, 0);
  for (guint i = 0; i < self->tracks->len; i++) {
    const GstMgpuTrackerTrack *t = self->tracks->pdata[i];
    GstMgpuTrackItem item;

    if (t->region >= 0 || (t->id != 0) != confirmed)
      continue;
    item = gst_mgpu_track_item (i, t->type, t->at[0] - t->at[2] / 2,
        t->at[1] - t->at[3] / 2, t->at[2], t->at[3]);
    g_array_append_val (self->rows, item);
  }
}

/* --- Regions far from their tracks --- */

/* Returns: the index of the track of the type of @region that is nearest to it, among the tracks
 * without an assigned region in this frame; -1 if there is none */
static gint
find_track_of_tag (GstMgpuTracker * self, const GstMgpuTrackerRegion * region)
{
  gdouble nearest = G_MAXDOUBLE;
  gint found = -1;

  for (guint i = 0; i < self->tracks->len; i++) {
    const GstMgpuTrackerTrack *t = self->tracks->pdata[i];
    gdouble distance;

    if (t->region >= 0 || t->type != region->type)
      continue;
    distance = square (region->x + region->width / 2 - t->at[0])
        + square (region->y + region->height / 2 - t->at[1]);
    if (found < 0 || distance < nearest) {
      nearest = distance;
      found = i;
    }
  }
  return found;
}

/* Assigns regions of tags to tracks of the same tag, regardless of their distance. */
static void
assign_tags (GstMgpuTracker * self, const GstMgpuTrackerRegion * regions)
{
  for (guint i = 0; i < self->is_taken->len; i++) {
    gint track = regions[i].is_tag && !self->is_taken->data[i]
        ? find_track_of_tag (self, &regions[i]) : -1;

    if (track < 0)
      continue;
    ((GstMgpuTrackerTrack *) self->tracks->pdata[track])->region = i;
    self->is_taken->data[i] = TRUE;
  }
}

/* Maximum speed of an object whose speed is unknown: distance per frame, as a fraction of the
 * sum of its width and height */
#define REACH 0.1

/* Ratio test: minimum ratio of the distance of the second nearest region or
 * track to the distance of the nearest one */
#define CLEARANCE 2.0

/* Maximum ratio of the widths, and of the heights, of two boxes of the same
 * object */
#define RATIO 1.4

/* Maximum number of pairs of tracks and regions that are compared */
#define MAX_FAR_PAIRS (1 << 20)

/* The nearest candidate found so far: the region nearest to a track, or the track nearest to a
 * region. */
typedef struct
{
  guint best;                   /* index of the candidate in the array of
                                 * regions or tracks */
  gdouble nearest, second;      /* squared distances, in pixels, to the nearest and to
                                 * the second nearest candidate */
} Choice;

static Choice *
make_choices (guint n)
{
  Choice *choices = g_new (Choice, n);

  for (guint i = 0; i < n; i++)
    choices[i] = (Choice) {
    0, G_MAXDOUBLE, G_MAXDOUBLE};
  return choices;
}

static void
offer (Choice * choice, guint i, gdouble distance)
{
  if (distance < choice->nearest) {
    choice->second = choice->nearest;
    choice->nearest = distance;
    choice->best = i;
  } else if (distance < choice->second) {
    choice->second = distance;
  }
}

static gboolean
is_similar (gdouble a, gdouble b)
{
  return a <= RATIO * b && b <= RATIO * a;
}

/* Returns: the square of the distance between the centers of @track and @region, in pixels;
 * G_MAXDOUBLE if they differ in class or size */
static gdouble
get_distance (const GstMgpuTrackerTrack * track,
    const GstMgpuTrackerRegion * region)
{
  if (track->type != region->type || !is_similar (track->at[2], region->width)
      || !is_similar (track->at[3], region->height))
    return G_MAXDOUBLE;
  return square (region->x + region->width / 2 - track->at[0])
      + square (region->y + region->height / 2 - track->at[1]);
}

/* Lists in self->rows the tracks whose speed is unknown because they were seen in only one
 * frame, when the detector ran last. */
static void
list_new_tracks (GstMgpuTracker * self)
{
  g_array_set_size (self->rows, 0);
  for (guint i = 0; i < self->tracks->len; i++) {
    const GstMgpuTrackerTrack *t = self->tracks->pdata[i];
    GstMgpuTrackItem item = { i, t->type, {0}
    };

    if (t->region < 0 && t->unseen == t->age && !t->missed)
      g_array_append_val (self->rows, item);
  }
}

/* Assigns regions to tracks that were seen only once. Since the detector ran last, such an
 * object may have moved so far that its region does not overlap the track. A region is
 * assigned only if the choice is unambiguous: track and region are mutual nearest neighbors,
 * and all others are much farther away. */
static void
bridge (GstMgpuTracker * self, const GstMgpuTrackerRegion * regions)
{
  guint n_rows = self->rows->len, n_columns = self->columns->len;
  Choice *of_rows, *of_columns;

  if (n_rows == 0 || n_columns == 0
      || (guint64) n_rows * n_columns > MAX_FAR_PAIRS)
    return;
  of_rows = make_choices (n_rows);
  of_columns = make_choices (n_columns);
  for (guint i = 0; i < n_rows; i++)
    for (guint j = 0; j < n_columns; j++) {
      gdouble distance = get_distance (self->tracks->pdata[g_array_index
              (self->rows, GstMgpuTrackItem, i).index],
          &regions[g_array_index (self->columns, GstMgpuTrackItem, j).index]);

      offer (&of_rows[i], j, distance);
      offer (&of_columns[j], i, distance);
    }
  for (guint i = 0; i < n_rows; i++) {
    GstMgpuTrackerTrack *track = self->tracks->pdata[g_array_index
        (self->rows, GstMgpuTrackItem, i).index];
    const Choice *row = &of_rows[i], *column = &of_columns[row->best];
    gdouble reach = REACH * track->unseen * (track->at[2] + track->at[3]);
    guint region;

    if (row->nearest > square (reach) || column->best != i
        || MIN (row->second,
            column->second) < square (CLEARANCE) * row->nearest)
      continue;
    region = g_array_index (self->columns, GstMgpuTrackItem, row->best).index;
    track->region = region;
    self->is_taken->data[region] = TRUE;
    /* Restarts the count of frames in which the object is seen, because only motion at the
     * same speed in later frames confirms that this is one object. */
    track->n_seen = 0;
  }
  g_free (of_columns);
  g_free (of_rows);
}

static void
find_regions (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions)
{
  list_tracks (self, TRUE);
  list_regions (self, regions, params->high, G_MAXDOUBLE);
  associate (self, params->min_overlap);

  /* Unlike ByteTrack, also includes tracks that were not seen for some frames. A person who
   * reappears from behind another person has a low confidence at first; until the confidence
   * is high, the predicted position of the track would drift away. */
  list_tracks (self, TRUE);
  list_regions (self, regions, params->low, params->high);
  associate (self, LOW_OVERLAP);

  list_tracks (self, FALSE);
  list_regions (self, regions, params->high, G_MAXDOUBLE);
  associate (self, params->min_overlap);

  assign_tags (self, regions);
  if (params->interval > 1) {
    list_new_tracks (self);
    list_regions (self, regions, params->high, G_MAXDOUBLE);
    bridge (self, regions);
  }
}

/* --- Work on a frame --- */

static void
confirm (GstMgpuTracker * self, GstMgpuTrackerTrack * track,
    const GstMgpuTrackerParams * params)
{
  if (track->id == 0 && track->n_seen >= params->min_frames)
    track->id = self->next_id++;
}

/* Returns: whether @track has to end, because no detected region was assigned to it for too
 * many frames */
static gboolean
is_over (const GstMgpuTrackerTrack * track, const GstMgpuTrackerParams * params)
{
  if (track->region >= 0)
    return FALSE;
  if (track->id == 0)
    return track->missed;
  return track->unseen > (guint64) params->max_lost + params->interval - 1;
}

/* Returns: the number of frames for which the position of @track is predicted after the detector
 * missed the object */
static guint64
get_coast (const GstMgpuTrackerTrack * track,
    const GstMgpuTrackerParams * params)
{
  guint64 earned = (guint64) track->n_seen * params->interval / SEEN_PER_COAST;

  return params->coast_was_set ? params->coast : MIN (params->coast, earned);
}

/* Corrects the tracks to which a detected region was assigned in this frame, and ends the
 * tracks to which none was assigned for too many frames. */
static void
update_tracks (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions, gboolean is_detected)
{
  guint n = 0;

  for (guint i = 0; i < self->tracks->len; i++) {
    GstMgpuTrackerTrack *track = self->tracks->pdata[i];

    if (track->region >= 0) {
      correct (track, &regions[track->region]);
      track->n_seen++;
      confirm (self, track, params);
    } else if (is_detected) {
      track->missed = TRUE;
    }
    if (is_over (track, params)) {
      g_ptr_array_add (self->ended, track);
      continue;
    }
    track->is_predicted = track->region < 0 && track->id != 0
        && track->unseen <= get_coast (track, params) + params->interval - 1;
    self->tracks->pdata[n++] = track;
  }
  g_ptr_array_set_size (self->tracks, n);
}

static void
begin_tracks (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions)
{
  list_regions (self, regions, MAX (params->high, params->fresh), G_MAXDOUBLE);
  for (guint i = 0; i < self->columns->len; i++) {
    guint column = g_array_index (self->columns, GstMgpuTrackItem, i).index;
    GstMgpuTrackerTrack *track;

    if (self->tracks->len >= MAX_TRACKS) {
      self->is_full = TRUE;
      return;
    }
    track = track_new (&regions[column]);
    track->region = column;
    confirm (self, track, params);
    g_ptr_array_add (self->tracks, track);
  }
}

const GPtrArray *
gst_mgpu_tracker_step (GstMgpuTracker * self,
    const GstMgpuTrackerParams * params, const GstMgpuTrackerRegion * regions,
    guint n)
{
  gboolean is_detected;

  g_ptr_array_set_size (self->ended, 0);
  self->is_full = FALSE;
  /* A frame without regions is assumed to be one on which the detector did not run. After
   * @interval such frames, the detector must have run and found nothing. */
  self->since_regions = n > 0 ? 0 : self->since_regions + 1;
  is_detected = self->since_regions % params->interval == 0;
  for (guint i = 0; i < self->tracks->len; i++)
    predict (self->tracks->pdata[i]);
  g_byte_array_set_size (self->is_taken, n);
  for (guint i = 0; i < n; i++)
    self->is_taken->data[i] = FALSE;
  if (is_detected)
    find_regions (self, params, regions);
  update_tracks (self, params, regions, is_detected);
  if (is_detected)
    begin_tracks (self, params, regions);
  return self->ended;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the motion of tracked boxes with the optical flow that is attached to a frame. */
#include "gstmgputrackflow.h"

#include <gst/mgpu/gstmgpuflowmeta.h>
#include <gst/mgpu/gstmgpukeypointmeta.h>

#include <math.h>

/* Minimum number of followed points in a box, and minimum fraction of known flow samples in a box.
 * If a box has fewer, its object is probably hidden. */
#define MIN_POINTS 3
#define MIN_SHARE 0.25

/* Fraction of the width and of the height of a box, around its center, in which motions are read.
 * Pixels near the edges of a box often show background. */
#define INNER 0.5

/* A point that is followed: its position in the last frame, and its motion from there, in pixels */
typedef struct
{
  gfloat x, y, dx, dy;
} Point;

typedef struct
{
  gdouble x, y, width, height;
} Box;

static gint
compare_floats (gconstpointer a, gconstpointer b)
{
  const gfloat *p = a, *q = b;

  return *p < *q ? -1 : *p > *q;
}

static gdouble
get_median (GArray * numbers)
{
  g_array_sort (numbers, compare_floats);
  return g_array_index (numbers, gfloat, (numbers->len - 1) / 2);
}

/* Sets @motion to the median of the motions of the points in the box. Returns: FALSE if there are
 * too few */
static gboolean
read_points (GBytes * motions, const Box * box, gdouble * motion)
{
  gsize size;
  const Point *points = g_bytes_get_data (motions, &size);
  GArray *numbers[2];
  gboolean ok;

  for (guint i = 0; i < 2; i++)
    numbers[i] = g_array_new (FALSE, FALSE, sizeof (gfloat));
  for (gsize i = 0; i < size / sizeof (*points); i++) {
    const Point *p = &points[i];

    /* Skips points without motion, because a new point has no motion yet. If the object really
     * stands still, dense flow or the Kalman filter shows this. */
    if ((p->dx == 0 && p->dy == 0) || !(p->x >= box->x
            && p->x < box->x + box->width && p->y >= box->y
            && p->y < box->y + box->height))
      continue;
    g_array_append_val (numbers[0], p->dx);
    g_array_append_val (numbers[1], p->dy);
  }
  ok = numbers[0]->len >= MIN_POINTS;
  for (guint i = 0; i < 2; i++) {
    if (ok)
      motion[i] = get_median (numbers[i]);
    g_array_unref (numbers[i]);
  }
  return ok;
}

static gboolean
read_field (GstMgpuFlowMeta * meta, GstMgpuFlowField field, const Box * box,
    gdouble dx, gdouble dy, gdouble * motion)
{
  gdouble sign = field == GST_MGPU_FLOW_FIELD_TO_PREVIOUS ? -1 : 1;
  gfloat u, v, share;

  if (!(fabs (box->x + dx) < 1e6 && fabs (box->y + dy) < 1e6)
      || !gst_mgpu_flow_meta_median_in_box (meta, field, floor (box->x + dx),
          floor (box->y + dy), MAX (ceil (box->width), 1),
          MAX (ceil (box->height), 1), &u, &v, &share) || share < MIN_SHARE)
    return FALSE;
  motion[0] = sign * u;
  motion[1] = sign * v;
  return TRUE;
}

/* Sets @motion to the optical flow in @box, a box in the last frame. @speed: last known motion of
 * the box. Returns: FALSE if too much of the flow is unknown */
static gboolean
read_flow (GstMgpuFlowMeta * meta, const Box * box, const gdouble * speed,
    gdouble * motion)
{
  if (gst_mgpu_flow_meta_get_field (meta, GST_MGPU_FLOW_FIELD_FROM_PREVIOUS,
          NULL, NULL, NULL))
    return read_field (meta, GST_MGPU_FLOW_FIELD_FROM_PREVIOUS, box, 0, 0,
        motion);
  if (!gst_mgpu_flow_meta_get_field (meta, GST_MGPU_FLOW_FIELD_TO_PREVIOUS,
          NULL, NULL, NULL))
    return FALSE;
  /* Reads the flow in two steps, because this field has the flow for positions in the new frame:
   * first at the predicted box, and then at the box to which that flow leads. */
  if (!read_field (meta, GST_MGPU_FLOW_FIELD_TO_PREVIOUS, box, speed[0],
          speed[1], motion))
    return FALSE;
  return read_field (meta, GST_MGPU_FLOW_FIELD_TO_PREVIOUS, box, motion[0],
      motion[1], motion);
}

guint
gst_mgpu_track_flow_carry (GstBuffer * buffer, const GPtrArray * tracks)
{
  GstMgpuFlowMeta *flow = gst_buffer_get_mgpu_flow_meta (buffer);
  GstMgpuKeypointMeta *points = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GBytes *motions = NULL;
  guint n = 0;

  if (tracks->len > 0 && points != NULL
      && gst_mgpu_keypoint_meta_has_tracks (points))
    motions = gst_mgpu_keypoint_meta_get_motions (points);
  for (guint i = 0; i < tracks->len && (flow != NULL || motions != NULL); i++) {
    GstMgpuTrackerTrack *track = tracks->pdata[i];
    const gdouble *at = track->at;
    const Box box = { at[0] - INNER * at[2] / 2, at[1] - INNER * at[3] / 2,
      INNER * at[2], INNER * at[3]
    };

    track->is_carried = (motions != NULL && read_points (motions, &box,
            track->motion)) || (flow != NULL && read_flow (flow, &box,
            track->speed, track->motion));
    n += track->is_carried;
  }
  g_clear_pointer (&motions, g_bytes_unref);
  return n;
}

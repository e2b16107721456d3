/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows a camera with a rolling shutter: see docs/algorithms/stabilize.md. */
#include "gstmgpurolling.h"

void
gst_mgpu_rolling_cut (GstMgpuRolling * self)
{
  g_clear_pointer (&self->pairs[0], g_bytes_unref);
  g_clear_pointer (&self->pairs[1], g_bytes_unref);
}

gdouble
gst_mgpu_rolling_get_share (GstMgpuRolling * self, GstElement * element,
    gdouble share)
{
  if (share >= 0)
    return share;
  GST_OBJECT_LOCK (element);
  share = self->search.is_found ? self->search.share : 0;
  GST_OBJECT_UNLOCK (element);
  return share;
}

/* Searches for the readout time (as a share of the frame interval) with the tracks of three
 * frames. */
static void
search (GstMgpuRolling * self, GstElement * element,
    const MgpuRollingTracks * tracks, gint width, gint height)
{
  MgpuRollingSearch next = self->search;
  MgpuRollingAnswer answer =
      mgpu_rolling_search_add (&next, tracks, width, height);

  GST_OBJECT_LOCK (element);
  self->search = next;
  GST_OBJECT_UNLOCK (element);
  if (answer == MGPU_ROLLING_FOUND)
    GST_MGPU_INFO_OBJECT (element, "found rolling-shutter=%.2f", next.share);
  if (answer == MGPU_ROLLING_UNKNOWN && !self->has_logged_unknown) {
    GST_MGPU_INFO_OBJECT (element, "cannot estimate \"rolling-shutter\" yet, "
        "because the camera moves too little: using 0 for now");
    self->has_logged_unknown = TRUE;
  }
}

/* Appends the tracks that two frames have in common. Returns: FALSE if there are none */
static gboolean
append (GstMgpuRolling * self, GstElement * element, GstMgpuPoints * from,
    GstMgpuPoints * to)
{
  guint n;
  GBytes *pairs = gst_mgpu_points_pair_tracks (from, to, &n);

  if (pairs == NULL) {
    gst_mgpu_rolling_cut (self);
    if (!self->has_warned && to->tracks == NULL)
      GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
          ("%s: \"rolling-shutter\" has no effect on frames without tracks: set "
              "\"points\" to tracks and \"mode\" to smooth or measure, and "
              "remove elements before this one that attach keypoints with "
              "descriptors", GST_OBJECT_NAME (element)), (NULL));
    self->has_warned |= to->tracks == NULL;
    return FALSE;
  }
  g_clear_pointer (&self->pairs[0], g_bytes_unref);
  self->pairs[0] = self->pairs[1];
  self->zooms[0] = self->zooms[1];
  self->pairs[1] = pairs;
  self->zooms[1] = to->track_zoom;
  return TRUE;
}

gboolean
gst_mgpu_rolling_add (GstMgpuRolling * self, GstElement * element,
    GstMgpuPoints * from, GstMgpuPoints * to, gdouble share, gint width,
    gint height, MgpuRollingPath * path)
{
  MgpuRollingTracks tracks[2];
  guint n = 0;

  if (!append (self, element, from, to))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (self->pairs[i] != NULL) {
      gsize size;

      tracks[n].pairs = g_bytes_get_data (self->pairs[i], &size);
      tracks[n].n = size / (4 * sizeof (gfloat));
      tracks[n++].zoom = self->zooms[i];
    }
  if (share < 0 && !self->search.is_found && n == MGPU_ROLLING_FRAMES - 1)
    search (self, element, tracks, width, height);
  *path = (MgpuRollingPath) {
  .width = width,.height = height,.share =
        gst_mgpu_rolling_get_share (self, element, share)};
  if (path->share == 0 || !mgpu_rolling_fit (tracks, n + 1, path))
    return FALSE;
  GST_MGPU_LOG_OBJECT (element, "fitted the path of the camera to tracks: %u "
      "of %u tracks agree with it during %u frames; their median distance from "
      "it is %.3f pixels",
      path->n_inliers, tracks[n - 1].n, path->n_frames, path->residual);
  return TRUE;
}

/* The parameters of find_place() */
typedef struct
{
  const MgpuRollingPath *path;
  guint i;
  const gdouble *matrix;
} Warp;

/* Sets @place to the position in the input frame of the pixel (x, y) of the output frame. */
static void
find_place (gpointer data, gdouble x, gdouble y, gdouble place[2])
{
  const Warp *warp = data;
  const gdouble *m = warp->matrix;
  const gdouble half[2] = { (warp->path->width - 1) / 2.0,
    (warp->path->height - 1) / 2.0
  };
  const gdouble straight[2] = { m[0] * x + m[1] * y + m[2] - half[0],
    m[3] * x + m[4] * y + m[5] - half[1]
  };

  mgpu_rolling_find (warp->path, warp->i, straight, place);
  place[0] += half[0];
  place[1] += half[1];
}

MgpuLensMap *
gst_mgpu_rolling_map_new (const MgpuRollingPath * path, guint i,
    const gdouble matrix[9], const GstVideoInfo * out)
{
  Warp warp = { path, i, matrix };

  return mgpu_lens_map_new_from_function (find_place, &warp, out->width,
      out->height, path->width, path->height);
}

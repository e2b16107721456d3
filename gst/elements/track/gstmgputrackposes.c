/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Stores the orientation of tags, and chooses the more plausible of the two possible poses of a
 * tag. */
#include "gstmgputrackposes.h"

#include <gst/mgpu/gstmgputagmeta.h>
#include <gst/video/video.h>

#include <string.h>

#include <gst/elements/tagboard.h>
#include "gstmgputrackmetas.h"

/* Minimum ratio of the errors of the first and the second pose of an ambiguous tag: if the ratio is
 * higher, the corners do not show which pose is right */
#define MAX_AMBIGUITY 0.8

/* Returns: the object of the tag @tag, or NULL */
static GstMgpuTrackObject *
find_object (GstBuffer * buffer, const GstMgpuTag * tag,
    const GPtrArray * tracks)
{
  GstVideoRegionOfInterestMeta *roi = tag->roi_id < 0 ? NULL
      : gst_buffer_get_video_region_of_interest_meta_id (buffer, tag->roi_id);
  const GstStructure *tracking = roi == NULL ? NULL
      : gst_video_region_of_interest_meta_get_param (roi, "tracking");
  guint64 id;

  if (tracking == NULL || !gst_structure_get_uint64 (tracking, "id", &id))
    return NULL;
  for (guint i = 0; i < tracks->len; i++) {
    const GstMgpuTrackerTrack *track = tracks->pdata[i];

    if (track->id == id)
      return track->data;
  }
  return NULL;
}

/* Returns: the trace of the rotation from @a to @b, which is largest if @a and @b are equal */
static gdouble
get_trace (const gdouble a[9], const gdouble b[9])
{
  gdouble sum = 0;

  for (guint i = 0; i < 9; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Makes the pose of @tag that is nearer to the last pose of @object the first pose, and stores it
 * in @object. Returns: whether @tag has changed */
static gboolean
choose (GstMgpuTrackObject * object, gdouble ambiguity, GstMgpuTag * tag)
{
  const gdouble *last = object->rotation;
  gboolean swaps = object->has_rotation && tag->n_poses > 1
      && ambiguity > MAX_AMBIGUITY && get_trace (last, tag->poses[1].rotation)
      > get_trace (last, tag->poses[0].rotation);

  if (swaps) {
    const GstMgpuTagPose first = tag->poses[0];

    tag->poses[0] = tag->poses[1];
    tag->poses[1] = first;
  }
  memcpy (object->rotation, tag->poses[0].rotation, sizeof (object->rotation));
  object->has_rotation = TRUE;
  return swaps;
}

gboolean
gst_mgpu_track_poses_choose (GstBuffer * buffer, const GPtrArray * tracks)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  guint n = meta != NULL ? gst_mgpu_tag_meta_get_n_tags (meta) : 0;
  g_autofree GstMgpuTag *tags = g_new0 (GstMgpuTag, n);
  gboolean has_changed = FALSE;

  for (guint i = 0; i < n; i++) {
    GstMgpuTag *tag = &tags[i];
    GstMgpuTrackObject *object;

    gst_mgpu_tag_meta_get_tag (meta, i, tag);
    object = tag->n_poses > 0 ? find_object (buffer, tag, tracks) : NULL;
    if (object != NULL)
      has_changed |= choose (object, gst_mgpu_tag_meta_get_ambiguity (meta, i),
          tag);
  }
  if (has_changed) {
    GstMgpuTagPose board;
    gboolean has_board = gst_mgpu_copy_board (meta, &board);

    gst_buffer_add_mgpu_tag_meta (buffer, tags, n, has_board ? &board : NULL);
  }
  return has_changed;
}

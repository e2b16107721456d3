/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgputrack
 * @title: mgputrack
 * @short_description: tracks objects: gives them ids that persist from frame to frame
 *
 * Tracks the objects that mgpuhog or another detector upstream has found, and gives each an id.
 * The id is written to the params of #GstVideoRegionOfInterestMeta and, since GStreamer 1.24, as
 * GstAnalyticsTrackingMtd. Counts the objects that cross lines and those that are inside zones.
 * The element works on the host and does not read pixels; frames may be in any memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuhog ! mgputrack lines=middle:0,0.5,1,0.5 ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/base/gstbasetransform.h>
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpucrop.h>
#include <gst/mgpu/gstmgpumotionmeta.h>
#include <gst/frame/gstmgpuwatch.h>
#include <gst/mgpu/gstmgpustats.h>
#include <gst/video/video.h>

#include <gst/elements/elements.h>
#include "gstmgputrackevents.h"
#include "gstmgputrackflow.h"
#include "gstmgputrackparams.h"
#include "gstmgputrackplaces.h"
#include "gstmgputrackposes.h"
#include <gst/elements/messages.h>
#include <gst/elements/region.h>

#include <string.h>

enum
{
  PROP_0,
  PROP_STATS,
  PROP_COUNTS,
  PROP_PARAMS                   /* id of the first property of gst_mgpu_track_params; the
                                 * other ids follow */
};

enum
{
  SIGNAL_RESET,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

#define GST_TYPE_MGPU_TRACK (gst_mgpu_track_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuTrack, gst_mgpu_track, GST, MGPU_TRACK,
    GstBaseTransform);

struct _GstMgpuTrack
{
  GstBaseTransform parent;

  GstMgpuStats *stats;

  /* Members that only the streaming thread uses */
  GstMgpuTrackParams frame_params;      /* copy of the member @params for the current frame */
  GstMgpuTracker *tracker;
  gint width, height;           /* size of frames, in pixels; 0: unknown */
  gchar *types_text;            /* text from which @types was read */
  GArray *types;                /* array of GQuark: types of the regions of interest that
                                 * are tracked; empty: all types */
  gchar *lines_text, *zones_text, *circles_text;        /* texts from which the lines and zones in
                                                         * @places were read */
  GstClockTime time;            /* running time of the last frame, in ns */
  GArray *regions;              /* array of GstMgpuTrackerRegion: detections of the current frame
                                 * that are passed to the tracker */
  GArray *numbers;              /* array of guint: for each element of @regions, the index
                                 * of its detection among all detections of the frame */
  GPtrArray *shown;             /* array of GstMgpuTrackerTrack: tracks for which the
                                 * current frame gets metas */
  GstMgpuTrackEvents *events;   /* events of the current frame */
  gdouble correction[9];        /* correction in the last GstMgpuMotionMeta that arrived: a
                                 * homography, row by row */
  gboolean warned_full;
  GstMgpuWatch watch;

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  GstMgpuTrackParams params;
  GstMgpuTrackPlaces *places;
  guint64 n_total;              /* number of ids that were given to objects since the last
                                 * reset */
  guint n_present;              /* number of objects with an id that were present in the
                                 * last frame */
  gboolean is_reset;            /* whether the signal "reset" was emitted since the last
                                 * frame */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

#define gst_mgpu_track_parent_class parent_class
G_DEFINE_TYPE (GstMgpuTrack, gst_mgpu_track, GST_TYPE_BASE_TRANSFORM);

/* --- Tracked objects --- */

/* Frees the data of the objects whose tracks are in the array @ended, and adds an event "lost"
 * for each of them. The caller holds the object lock. */
static void
lose_tracks (GstMgpuTrack * self, const GPtrArray * ended)
{
  for (guint i = 0; i < ended->len; i++) {
    GstMgpuTrackerTrack *track = ended->pdata[i];
    GstMgpuTrackObject *object = track->data;

    if (object == NULL)
      continue;
    if (object->visits != NULL && self->places != NULL)
      gst_mgpu_track_places_end (self->places, object->visits, self->time,
          gst_mgpu_track_events_get_news (self->events));
    gst_mgpu_track_events_add_news (self->events, track);
    gst_mgpu_track_events_add (self->events, "lost", track);
    g_clear_pointer (&object->zones, gst_structure_free);
    g_free (object->visits);
    g_free (object);
    track->data = NULL;
  }
}

/* Logs and posts the events of the current frame. The caller must not hold the object lock. */
static void
post_events (GstMgpuTrack * self)
{
  gst_mgpu_track_events_post (self->events, GST_BASE_TRANSFORM (self),
      self->frame_params.post_messages);
}

/* Ends all tracks. The ids of new tracks begin at @first_id; if @first_id is 0, at the next
 * unused id. */
static void
end_tracks (GstMgpuTrack * self, guint64 first_id)
{
  GST_MGPU_DEBUG_OBJECT (self,
      "ending %u tracks; new ids begin at %" G_GUINT64_FORMAT
      " (0 = ids continue)", gst_mgpu_tracker_get_tracks (self->tracker)->len,
      first_id);
  GST_OBJECT_LOCK (self);
  lose_tracks (self, gst_mgpu_tracker_end (self->tracker, first_id));
  self->n_present = 0;
  GST_OBJECT_UNLOCK (self);
  post_events (self);
}

/* Creates the data of the tracked object of @track, which has just got an id. */
static void
make_object (GstMgpuTrack * self, GstMgpuTrackerTrack * track,
    GstClockTime time, GstClockTime duration)
{
  /* Relies on the track having a region in the frame in which it gets its id. */
  const GstMgpuTrackerRegion *region = &g_array_index (self->regions,
      GstMgpuTrackerRegion, track->region);
  GstMgpuTrackObject *object = g_new0 (GstMgpuTrackObject, 1);
  GstClockTime before = GST_CLOCK_TIME_IS_VALID (duration)
      ? track->age * duration : 0;

  track->data = object;
  object->first_seen = time;
  if (region->is_tag)
    object->tag = g_quark_to_string (region->type);
  if (GST_CLOCK_TIME_IS_VALID (time))
    object->first_seen = time > before ? time - before : 0;
  self->n_total++;
}

/* Logs the tracks that got their ids in this frame. */
static void
log_new_tracks (GstMgpuTrack * self)
{
  const GPtrArray *tracks = gst_mgpu_tracker_get_tracks (self->tracker);

  for (guint i = 0; i < tracks->len; i++) {
    const GstMgpuTrackerTrack *track = tracks->pdata[i];

    if (track->id != 0 && track->data == NULL)
      GST_MGPU_DEBUG_OBJECT (self, "object %" G_GUINT64_FORMAT " of type %s, "
          "followed for %u frames, now has an id", track->id,
          g_quark_to_string (g_array_index (self->regions,
                  GstMgpuTrackerRegion, track->region).type), track->age);
  }
}

static void
visit_places (GstMgpuTrack * self, const GstMgpuTrackerTrack * track)
{
  const GstMgpuTrackParams *p = &self->frame_params;
  GstMgpuTrackObject *object = track->data;
  GstMgpuTrackPosition position = {
    (object->x + object->width / 2.0) / self->width,
    (object->y + object->height / 2.0) / self->height,
    (gdouble) self->width / self->height, self->time, p->side_frames,
    p->dwell_time * GST_SECOND
  };

  g_clear_pointer (&object->zones, gst_structure_free);
  if (gst_mgpu_track_places_get_n (self->places) == 0)
    return;
  if (p->anchor == GST_MGPU_TRACK_ANCHOR_BOTTOM)
    position.y = (gdouble) (object->y + object->height) / self->height;
  if (object->visits == NULL)
    object->visits = g_new0 (GstMgpuTrackVisit,
        gst_mgpu_track_places_get_n (self->places));
  gst_mgpu_track_places_visit (self->places, object->visits, &position,
      gst_mgpu_track_events_get_news (self->events));
  object->zones = gst_mgpu_track_places_list (self->places, object->visits,
      self->time);
}

/* Lists in self->shown the tracks for which the frame gets metas, and updates the data of
 * their objects. The caller holds the object lock. */
static void
show_tracks (GstMgpuTrack * self, const GPtrArray * detections,
    GstClockTime time, GstClockTime duration)
{
  const GPtrArray *tracks = gst_mgpu_tracker_get_tracks (self->tracker);

  g_ptr_array_set_size (self->shown, 0);
  for (guint i = 0; i < tracks->len; i++) {
    GstMgpuTrackerTrack *track = tracks->pdata[i];
    gboolean is_new = track->id != 0 && track->data == NULL;

    if (track->id == 0)
      continue;
    if (is_new)
      make_object (self, track, time, duration);
    if (track->region >= 0)
      gst_mgpu_track_object_see (track->data, detections->pdata[g_array_index
              (self->numbers, guint, track->region)]);
    else if (!track->is_predicted
        || !gst_mgpu_track_object_guess (track->data, track, self->width,
            self->height))
      continue;
    g_ptr_array_add (self->shown, track);
    if (is_new)
      gst_mgpu_track_events_add (self->events, "appeared", track);
    visit_places (self, track);
    gst_mgpu_track_events_add_news (self->events, track);
  }
  self->n_present = self->shown->len;
}

/* --- Handling of parameters --- */

/* Reads the lines and zones from the properties if these have changed; all counts are then reset
 * to 0. */
static gboolean
update_places (GstMgpuTrack * self)
{
  const GstMgpuTrackParams *p = &self->frame_params;
  GstMgpuTrackPlaces *places, *old;
  const GPtrArray *tracks = gst_mgpu_tracker_get_tracks (self->tracker);
  GError *error = NULL;

  if (self->places != NULL && g_strcmp0 (p->lines, self->lines_text) == 0
      && g_strcmp0 (p->zones, self->zones_text) == 0
      && g_strcmp0 (p->circles, self->circles_text) == 0)
    return TRUE;
  places = gst_mgpu_track_places_new (p->lines, p->zones, p->circles, &error);
  if (places == NULL) {
    gst_mgpu_message_fail (GST_ELEMENT (self), error);
    return FALSE;
  }
  for (guint i = 0; i < tracks->len; i++) {
    GstMgpuTrackObject *object =
        ((GstMgpuTrackerTrack *) tracks->pdata[i])->data;

    if (object != NULL) {
      g_clear_pointer (&object->visits, g_free);
      g_clear_pointer (&object->zones, gst_structure_free);
    }
  }
  g_free (self->lines_text);
  g_free (self->zones_text);
  self->lines_text = g_strdup (p->lines);
  self->zones_text = g_strdup (p->zones);
  g_free (self->circles_text);
  self->circles_text = g_strdup (p->circles);
  GST_OBJECT_LOCK (self);
  old = self->places;
  self->places = places;
  GST_OBJECT_UNLOCK (self);
  GST_MGPU_DEBUG_OBJECT (self, "counting at %u lines and zones, beginning at 0",
      gst_mgpu_track_places_get_n (places));
  g_clear_pointer (&old, gst_mgpu_track_places_free);
  return TRUE;
}

static void
update_types (GstMgpuTrack * self)
{
  const gchar *text = self->frame_params.types;
  gchar **names;

  if (g_strcmp0 (text, self->types_text) == 0)
    return;
  g_free (self->types_text);
  self->types_text = g_strdup (text);
  g_array_set_size (self->types, 0);
  names = g_strsplit (text != NULL ? text : "", ",", -1);
  for (guint i = 0; names[i] != NULL; i++) {
    GQuark type = g_quark_from_string (g_strstrip (names[i]));

    if (names[i][0] != '\0')
      g_array_append_val (self->types, type);
  }
  GST_MGPU_DEBUG_OBJECT (self, "following objects of %u types (0 = all): %s",
      self->types->len, text);
  g_strfreev (names);
}

/* Copies the values of the properties for a frame. Returns: FALSE if a value is invalid; an error
 * message was posted then */
static gboolean
update_params (GstMgpuTrack * self)
{
  gboolean is_reset;

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_copy (gst_mgpu_track_params, sizeof (GstMgpuTrackParams),
      &self->params, &self->frame_params);
  is_reset = self->is_reset;
  self->is_reset = FALSE;
  GST_OBJECT_UNLOCK (self);

  if (is_reset) {
    GST_MGPU_DEBUG_OBJECT (self, "resetting: ids restart at 1, and counts at "
        "0");
    end_tracks (self, 1);
    GST_OBJECT_LOCK (self);
    self->n_total = 0;
    if (self->places != NULL)
      gst_mgpu_track_places_reset (self->places);
    GST_OBJECT_UNLOCK (self);
  }
  update_types (self);
  return update_places (self);
}

/* --- Work on frames --- */

static gboolean
is_followed (GstMgpuTrack * self, GQuark type)
{
  if (self->types->len == 0)
    return TRUE;
  for (guint i = 0; i < self->types->len; i++)
    if (g_array_index (self->types, GQuark, i) == type)
      return TRUE;
  return FALSE;
}

/* Lists the regions of @buffer that are tracked. In @detections, the regions of interest come
 * first. */
static void
list_regions (GstMgpuTrack * self, GstBuffer * buffer,
    const GPtrArray * detections)
{
  gpointer state = NULL;

  g_array_set_size (self->regions, 0);
  g_array_set_size (self->numbers, 0);
  for (guint i = 0; i < detections->len; i++) {
    const GstMgpuDetection *d = detections->pdata[i];
    GstMgpuTrackerRegion region = { g_quark_try_string (d->label), d->x, d->y,
      d->width, d->height, d->confidence == -1 ? 1 : d->confidence
    };
    gboolean is_followed_type = is_followed (self, region.type);
    GQuark tag = d->region < 0 ? 0 : gst_mgpu_track_find_tag (
        (GstVideoRegionOfInterestMeta *)
        gst_buffer_iterate_meta_filtered (buffer, &state,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));

    if (d->width <= 0 || d->height <= 0 || !is_followed_type)
      continue;
    if (tag != 0) {
      region.is_tag = TRUE;
      region.type = tag;
      region.confidence = GST_MGPU_TRACKER_CERTAIN;
    }
    g_array_append_val (self->regions, region);
    g_array_append_val (self->numbers, i);
  }
}

/* Moves the tracks according to the motion of the camera between the frames. If the frame begins
 * another scene, ends all tracks. */
static void
follow_camera (GstMgpuTrack * self, GstBuffer * buffer)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (buffer);
  GstMgpuMotionState state;
  const gdouble *correction;

  if (meta == NULL)
    return;
  state = gst_mgpu_motion_meta_get_state (meta);
  correction = gst_mgpu_motion_meta_get_correction (meta);
  GST_MGPU_LOG_OBJECT (self, "moving tracks with the camera, whose motion has "
      "the GstMgpuMotionState %d", state);
  if (state == GST_MGPU_MOTION_STATE_CUT)
    end_tracks (self, 0);
  if (state != GST_MGPU_MOTION_STATE_LOST)
    gst_mgpu_tracker_move (self->tracker, self->correction,
        gst_mgpu_motion_meta_get_motion (meta), correction);
  memcpy (self->correction, correction, sizeof (self->correction));
}

/* Attaches a meta to the frame that has the outlines of lines and zones. */
static void
attach_places (GstMgpuTrack * self, GstBuffer * buffer)
{
  GstCustomMeta *meta;

  if (gst_mgpu_track_places_get_n (self->places) == 0)
    return;
  meta = gst_buffer_add_custom_meta (buffer, gst_mgpu_places_meta_get_name ());
  gst_mgpu_track_places_outline (self->places, (gdouble) self->width
      / self->height, gst_custom_meta_get_structure (meta));
}

static void
track_frame (GstMgpuTrack * self, GstBuffer * buffer)
{
  GPtrArray *detections = gst_mgpu_buffer_get_detections (buffer);
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime pts = GST_BUFFER_PTS (buffer), time = GST_CLOCK_TIME_NONE;
  GstClockTime duration = GST_BUFFER_DURATION (buffer);
  const GPtrArray *ended;
  guint n_carried;

  gst_mgpu_track_events_set_time (self->events, pts, duration);
  n_carried = gst_mgpu_track_flow_carry (buffer,
      gst_mgpu_tracker_get_tracks (self->tracker));
  if (self->frame_params.camera_motion)
    follow_camera (self, buffer);
  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (pts))
    time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts);
  self->time = time;
  list_regions (self, buffer, detections);
  gst_mgpu_watch_regions (&self->watch, buffer, detections,
      self->types->len > 0 ? self->regions->len : detections->len,
      "types", self->types->len > 0 ? self->types_text : NULL);
  ended = gst_mgpu_tracker_step (self->tracker, &self->frame_params.tracker,
      (const GstMgpuTrackerRegion *) self->regions->data, self->regions->len);
  GST_MGPU_LOG_OBJECT (self,
      "following %u of %u regions; tracks: %u, ended: %u, moved with the "
      "optical flow: %u", self->regions->len, detections->len,
      gst_mgpu_tracker_get_tracks (self->tracker)->len, ended->len, n_carried);
  if (gst_mgpu_tracker_is_full (self->tracker) && !self->warned_full) {
    self->warned_full = TRUE;
    GST_MGPU_WARNING_OBJECT (self, "some regions have no id, because there are "
        "too many objects: raise \"new-threshold\" or lower \"max-lost\"");
  }
  log_new_tracks (self);
  GST_OBJECT_LOCK (self);
  lose_tracks (self, ended);
  show_tracks (self, detections, time, duration);
  GST_OBJECT_UNLOCK (self);
  gst_mgpu_track_metas_write (GST_ELEMENT (self), buffer, detections,
      self->numbers, self->shown, time);
  if (gst_mgpu_track_poses_choose (buffer, self->shown))
    GST_MGPU_LOG_OBJECT (self, "choosing the second pose of a tag, because it "
        "is nearer to the last pose of the tag");
  attach_places (self, buffer);
  g_ptr_array_unref (detections);
  post_events (self);
}

static GstFlowReturn
gst_mgpu_track_transform_ip (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (trans);

  if (!update_params (self))
    return GST_FLOW_ERROR;
  if (!self->frame_params.enabled) {
    GST_MGPU_LOG_OBJECT (self, "passing the frame unchanged, because "
        "\"enabled\" is off");
    end_tracks (self, 0);
    return GST_FLOW_OK;
  }
  track_frame (self, buffer);
  gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static gboolean
gst_mgpu_track_set_caps (GstBaseTransform * trans, GstCaps * in, GstCaps * out)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (trans);
  gint width, height;

  if (!gst_mgpu_caps_get_size (in, &width, &height))
    return FALSE;
  GST_MGPU_INFO_OBJECT (self, "caps: %" GST_PTR_FORMAT, in);
  if (self->width != width || self->height != height) {
    GST_MGPU_DEBUG_OBJECT (self, "the frame size changes to %dx%d", width,
        height);
    end_tracks (self, 0);
  }
  self->width = width;
  self->height = height;
  return TRUE;
}

static gboolean
gst_mgpu_track_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP
      || GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    end_tracks (GST_MGPU_TRACK (trans), 0);
  GST_MGPU_DEBUG_OBJECT (trans, "%" GST_PTR_FORMAT, event);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static gboolean
gst_mgpu_track_start (GstBaseTransform * trans)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (trans);

  gst_mgpu_stats_reset (self->stats);
  self->width = self->height = 0;
  self->time = GST_CLOCK_TIME_NONE;
  gst_mgpu_track_events_set_time (self->events, GST_CLOCK_TIME_NONE,
      GST_CLOCK_TIME_NONE);
  memcpy (self->correction, identity, sizeof (identity));
  self->warned_full = FALSE;
  gst_mgpu_watch_reset (&self->watch);
  GST_OBJECT_LOCK (self);
  /* Resets the tracker before the next frame: all counts are 0, and the first track gets
   * the id 1. */
  self->is_reset = TRUE;
  GST_OBJECT_UNLOCK (self);
  return update_params (self);
}

static gboolean
gst_mgpu_track_stop (GstBaseTransform * trans)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (trans);

  self->frame_params.post_messages = FALSE;
  end_tracks (self, 0);
  return TRUE;
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_track_reset (GstMgpuTrack * self)
{
  GST_OBJECT_LOCK (self);
  self->is_reset = TRUE;
  GST_OBJECT_UNLOCK (self);
}

static GstStructure *
make_counts (GstMgpuTrack * self)
{
  GstStructure *counts;

  GST_OBJECT_LOCK (self);
  counts = gst_structure_new ("mgpu-counts", "present", G_TYPE_UINT,
      self->n_present, "total", G_TYPE_UINT64, self->n_total, NULL);
  if (self->places != NULL)
    gst_mgpu_track_places_tell (self->places, counts);
  GST_OBJECT_UNLOCK (self);
  return counts;
}

static void
gst_mgpu_track_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * spec)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (object);

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_set (gst_mgpu_track_params, id - PROP_PARAMS, &self->params,
      value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_track_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * spec)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_mgpu_stats_to_structure (self->stats));
  } else if (id == PROP_COUNTS) {
    g_value_take_boxed (value, make_counts (self));
  } else {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_get (gst_mgpu_track_params, id - PROP_PARAMS, &self->params,
        value);
    GST_OBJECT_UNLOCK (self);
  }
}

static void
gst_mgpu_track_finalize (GObject * object)
{
  GstMgpuTrack *self = GST_MGPU_TRACK (object);

  gst_mgpu_watch_clear (&self->watch);
  gst_mgpu_tracker_free (self->tracker);
  g_clear_pointer (&self->places, gst_mgpu_track_places_free);
  g_free (self->types_text);
  g_free (self->lines_text);
  g_free (self->zones_text);
  g_free (self->circles_text);
  g_array_unref (self->types);
  g_array_unref (self->regions);
  g_array_unref (self->numbers);
  gst_mgpu_track_events_free (self->events);
  g_ptr_array_unref (self->shown);
  gst_mgpu_stats_unref (self->stats);
  gst_mgpu_params_clear (gst_mgpu_track_params, &self->params);
  gst_mgpu_params_clear (gst_mgpu_track_params, &self->frame_params);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_track_init (GstMgpuTrack * self)
{
  gst_mgpu_params_init (G_OBJECT_GET_CLASS (self), gst_mgpu_track_params,
      &self->params);
  gst_mgpu_watch_init (&self->watch, GST_BASE_TRANSFORM (self));
  self->stats = gst_mgpu_stats_new ();
  self->tracker = gst_mgpu_tracker_new ();
  self->types = g_array_new (FALSE, FALSE, sizeof (GQuark));
  self->regions = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackerRegion));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  self->events = gst_mgpu_track_events_new ();
  self->shown = g_ptr_array_new ();
}

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstMgpuTrack:stats:
   *
   * A structure "mgpu-stats", see gst_mgpu_stats_to_structure(). The device fields are 0.
   *
   * Since: 1.0
   */
  gst_mgpu_params_install_stats (klass, PROP_STATS);

  /**
   * GstMgpuTrack:counts:
   *
   * A structure "mgpu-counts" with these fields: present (#guint), the number of objects in the
   * last frame; total (#guint64), the number of ids given since the start or the last
   * #GstMgpuTrack::reset; NAME-in and NAME-out (#guint64) for each line; NAME-in, NAME-out and
   * NAME-inside (#guint64) for each zone.
   *
   * Since: 1.0
   */
  g_object_class_install_property (klass, PROP_COUNTS,
      g_param_spec_boxed ("counts", "Counts",
          "Structure with the number of objects in the last frame, the number "
          "of ids given since the start, for each line the number of objects "
          "that crossed it, and for each zone the numbers of objects that "
          "entered it, left it and are in it", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_mgpu_params_install (klass, gst_mgpu_track_params, PROP_PARAMS);
}

static void
gst_mgpu_track_class_init (GstMgpuTrackClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_mgpu_track_set_property;
  object_class->get_property = gst_mgpu_track_get_property;
  object_class->finalize = gst_mgpu_track_finalize;
  trans_class->start = gst_mgpu_track_start;
  trans_class->stop = gst_mgpu_track_stop;
  trans_class->set_caps = gst_mgpu_track_set_caps;
  trans_class->sink_event = gst_mgpu_track_sink_event;
  trans_class->propose_allocation = gst_mgpu_crop_withhold;
  trans_class->before_transform = gst_mgpu_params_sync;
  trans_class->transform_ip = gst_mgpu_track_transform_ip;
  install_properties (object_class);

  /**
   * GstMgpuTrack::reset:
   * @element: the element
   *
   * Before the next frame, ends all tracks and sets all counts to 0. New ids start at 1 again.
   *
   * Since: 1.0
   */
  signals[SIGNAL_RESET] = g_signal_new_class_handler ("reset",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_mgpu_track_reset), NULL, NULL, NULL, G_TYPE_NONE, 0);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Object tracker",
      "Filter/Analyzer/Video",
      "Tracks detected objects: gives them ids that they keep from frame to "
      "frame", "The gst-mgpu authors");
}

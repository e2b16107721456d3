/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Collects the events of a frame of mgputrack (objects, lines, zones) and posts them. */
#include "gstmgputrackevents.h"

#include "gstmgputrackplaces.h"
#include <gst/elements/messages.h>
#include <gst/frame/gstmgpulog.h>

/* Describes an event: for example, an object appeared or crossed a line. */
typedef struct
{
  const gchar *name;
  guint64 id;
  const gchar *label;
  gint x, y, width, height;
  gdouble dx, dy;               /* motion of the object, in pixels a frame */
  GstMgpuTrackNews news;        /* what happened at a line or zone; @news.name is NULL if
                                 * the event is not about a line or zone */
} Event;

struct _GstMgpuTrackEvents
{
  GArray *list;                 /* array of Event */
  GArray *news;                 /* array of GstMgpuTrackNews */
  GstClockTime time, duration;
};

GstMgpuTrackEvents *
gst_mgpu_track_events_new (void)
{
  GstMgpuTrackEvents *self = g_new0 (GstMgpuTrackEvents, 1);

  self->list = g_array_new (FALSE, FALSE, sizeof (Event));
  self->news = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackNews));
  gst_mgpu_track_events_set_time (self, GST_CLOCK_TIME_NONE,
      GST_CLOCK_TIME_NONE);
  return self;
}

void
gst_mgpu_track_events_free (GstMgpuTrackEvents * self)
{
  g_array_unref (self->list);
  g_array_unref (self->news);
  g_free (self);
}

void
gst_mgpu_track_events_set_time (GstMgpuTrackEvents * self, GstClockTime time,
    GstClockTime duration)
{
  self->time = time;
  self->duration = duration;
}

static void
add (GstMgpuTrackEvents * self, const gchar * name,
    const GstMgpuTrackerTrack * track, const GstMgpuTrackNews * news)
{
  const GstMgpuTrackObject *object = track->data;
  Event event = { name, track->id, object->label, object->x, object->y,
    object->width, object->height, track->speed[0], track->speed[1]
  };

  if (news != NULL)
    event.news = *news;
  g_array_append_val (self->list, event);
}

void
gst_mgpu_track_events_add (GstMgpuTrackEvents * self, const gchar * event,
    const GstMgpuTrackerTrack * track)
{
  add (self, event, track, NULL);
}

GArray *
gst_mgpu_track_events_get_news (GstMgpuTrackEvents * self)
{
  return self->news;
}

void
gst_mgpu_track_events_add_news (GstMgpuTrackEvents * self,
    const GstMgpuTrackerTrack * track)
{
  static const gchar *const names[] = {
    [GST_MGPU_TRACK_CROSSED_IN] = "crossed",
    [GST_MGPU_TRACK_CROSSED_OUT] = "crossed",
    [GST_MGPU_TRACK_ENTERED] = "entered",
    [GST_MGPU_TRACK_LEFT] = "left",
    [GST_MGPU_TRACK_STAYED] = "stayed"
  };

  for (guint i = 0; i < self->news->len; i++) {
    const GstMgpuTrackNews *news =
        &g_array_index (self->news, GstMgpuTrackNews, i);

    add (self, names[news->deed], track, news);
  }
  g_array_set_size (self->news, 0);
}

static void
post (GstMgpuTrackEvents * self, GstBaseTransform * element,
    const Event * event)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-track", element,
      self->time, self->duration);

  gst_structure_set (s, "event", G_TYPE_STRING, event->name,
      "id", G_TYPE_UINT64, event->id,
      "x", G_TYPE_INT, event->x, "y", G_TYPE_INT, event->y,
      "width", G_TYPE_INT, event->width, "height", G_TYPE_INT, event->height,
      "dx", G_TYPE_DOUBLE, event->dx, "dy", G_TYPE_DOUBLE, event->dy, NULL);
  gst_mgpu_message_set_text (s, "type", event->label);
  if (event->news.name != NULL) {
    gst_mgpu_message_set_text (s, "name", event->news.name);
    gst_structure_set (s, "in", G_TYPE_UINT64, event->news.in,
        "out", G_TYPE_UINT64, event->news.out, NULL);
  }
  if (g_str_equal (event->name, "crossed"))
    gst_structure_set (s, "direction", G_TYPE_STRING,
        event->news.deed == GST_MGPU_TRACK_CROSSED_IN ? "in" : "out", NULL);
  else if (event->news.name != NULL)
    gst_structure_set (s, "inside", G_TYPE_UINT64,
        event->news.in - event->news.out, NULL);
  if (event->news.name != NULL && GST_CLOCK_TIME_IS_VALID (event->news.dwell))
    gst_structure_set (s, "dwell", G_TYPE_UINT64, event->news.dwell, NULL);
  gst_element_post_message (GST_ELEMENT (element),
      gst_message_new_element (GST_OBJECT (element), s));
}

void
gst_mgpu_track_events_post (GstMgpuTrackEvents * self,
    GstBaseTransform * element, gboolean wanted)
{
  for (guint i = 0; i < self->list->len; i++) {
    const Event *event = &g_array_index (self->list, Event, i);

    GST_MGPU_DEBUG_OBJECT (element,
        "object %" G_GUINT64_FORMAT " of type %s at (%d, %d): %s %s", event->id,
        event->label, event->x, event->y, event->name,
        event->news.name != NULL ? event->news.name : "");
    if (wanted)
      post (self, element, event);
  }
  g_array_set_size (self->list, 0);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Posts messages when tags appear and disappear. */
#include "gstmgputagsevents.h"

#include <gst/elements/messages.h>
#include <gst/elements/presence.h>
#include <gst/frame/gstmgpulog.h>
#include <gst/vision/tags/pose.h>

/* A tag that was in one of the last frames */
typedef struct
{
  GstMgpuPresence presence;
  guint number;                 /* number of the appearance, from 1; 0 if the tag has not
                                 * appeared */
  gboolean is_found;            /* whether the tag is in the current frame */
  GstMgpuTag last;              /* the tag, as it was in the last frame in which it was found */
} Entry;

struct _GstMgpuTagsEvents
{
  GstBaseTransform *trans;
  GArray *entries;              /* array of Entry, in the order in which they were found */
  guint n_appeared;
  GstClockTime time, duration;  /* timestamp of the last frame, in ns */
};

GstMgpuTagsEvents *
gst_mgpu_tags_events_new (GstBaseTransform * trans)
{
  GstMgpuTagsEvents *self = g_new0 (GstMgpuTagsEvents, 1);

  self->trans = trans;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->time = self->duration = GST_CLOCK_TIME_NONE;
  return self;
}

void
gst_mgpu_tags_events_free (GstMgpuTagsEvents * self)
{
  g_array_unref (self->entries);
  g_free (self);
}

/* Sets the field @name of @s to an array of @n numbers. */
static void
set_numbers (GstStructure * s, const gchar * name, const gdouble * numbers,
    guint n)
{
  GValue array = G_VALUE_INIT;

  g_value_init (&array, GST_TYPE_ARRAY);
  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value, numbers[i]);
    gst_value_array_append_and_take_value (&array, &value);
  }
  gst_structure_take_value (s, name, &array);
}

static void
post (GstMgpuTagsEvents * self, const Entry * entry, const gchar * event)
{
  const GstMgpuTag *tag = &entry->last;
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-tag", self->trans,
      self->time, self->duration);

  gst_structure_set (s, "event", G_TYPE_STRING, event, "family", G_TYPE_STRING,
      tag->family, "id", G_TYPE_UINT, tag->id, "number", G_TYPE_UINT,
      entry->number, NULL);
  set_numbers (s, "corners", tag->corners, 8);
  if (tag->n_poses > 0) {
    gdouble quaternion[4];

    mgpu_tag_pose_get_quaternion (tag->poses[0].rotation, quaternion);
    set_numbers (s, "position", tag->poses[0].position, 3);
    set_numbers (s, "quaternion", quaternion, 4);
  }
  gst_element_post_message (GST_ELEMENT (self->trans),
      gst_message_new_element (GST_OBJECT (self->trans), s));
}

/* Posts a message for @event (nullable), "appeared" or "disappeared", of a tag. */
static void
change (GstMgpuTagsEvents * self, Entry * entry, const gchar * event,
    gboolean posts)
{
  if (event == NULL)
    return;
  if (entry->presence.is_present)
    entry->number = ++self->n_appeared;
  GST_MGPU_DEBUG_OBJECT (self->trans, "tag %s:%u %s", entry->last.family,
      entry->last.id, event);
  if (posts)
    post (self, entry, event);
}

/* Marks the entry of @tag as found. Makes an entry if there is none. */
static void
mark (GstMgpuTagsEvents * self, const GstMgpuTag * tag)
{
  Entry fresh = {.is_found = TRUE,.last = *tag };

  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    if (entry->last.family == tag->family && entry->last.id == tag->id) {
      entry->is_found = TRUE;
      entry->last = *tag;
      return;
    }
  }
  g_array_append_val (self->entries, fresh);
}

void
gst_mgpu_tags_events_note (GstMgpuTagsEvents * self,
    const GstMgpuTagsRules * rules, const GstMgpuTagsResults * results,
    GstBuffer * buffer)
{
  guint n = 0;

  self->time = GST_BUFFER_PTS (buffer);
  self->duration = GST_BUFFER_DURATION (buffer);
  for (guint i = 0; i < self->entries->len; i++)
    g_array_index (self->entries, Entry, i).is_found = FALSE;
  for (guint i = 0; i < results->tags->len; i++)
    mark (self, &g_array_index (results->tags, GstMgpuTag, i));
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    change (self, entry, gst_mgpu_presence_note (&entry->presence,
            entry->is_found, rules->appear_frames, rules->disappear_frames),
        rules->post_messages);
    if (entry->is_found || entry->presence.is_present)
      g_array_index (self->entries, Entry, n++) = *entry;
  }
  g_array_set_size (self->entries, n);
}

void
gst_mgpu_tags_events_forget (GstMgpuTagsEvents * self, gboolean posts)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    change (self, entry, gst_mgpu_presence_forget (&entry->presence), posts);
  }
  g_array_set_size (self->entries, 0);
}

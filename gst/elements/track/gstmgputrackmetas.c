/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the tracks of mgputrack to the metas of a frame. */
#include "gstmgputrackmetas.h"

#include <gst/elements/region.h>
#include <gst/frame/gstmgpulog.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* The quarks of the names of structures and fields in metas. They are stored because
 * looking up a name for each region would take longer than tracking the region. */
typedef struct
{
  GQuark tracking, object_id, detection, tag;
  GQuark label, id, age, first_seen, predicted, dx, dy, confidence, score,
      label_id;
} Names;

static const Names *
get_names (void)
{
  static Names names;
  static gsize is_made = 0;

  if (g_once_init_enter (&is_made)) {
    names = (Names) {
    g_quark_from_static_string ("tracking"),
          g_quark_from_static_string ("object_id"),
          g_quark_from_static_string ("detection"),
          g_quark_from_static_string ("tag"),
          g_quark_from_static_string ("label"),
          g_quark_from_static_string ("id"),
          g_quark_from_static_string ("age"),
          g_quark_from_static_string ("first-seen"),
          g_quark_from_static_string ("predicted"),
          g_quark_from_static_string ("dx"),
          g_quark_from_static_string ("dy"),
          g_quark_from_static_string ("confidence"),
          g_quark_from_static_string ("score"),
          g_quark_from_static_string ("label-id")};
    g_once_init_leave (&is_made, TRUE);
  }
  return &names;
}

/* Describes how the tracker used a detection of the frame. */
typedef struct
{
  gboolean is_ours;             /* whether the detection was passed to the tracker */
  const GstMgpuTrackerTrack *track;     /* track with an id to which the detection was
                                         * assigned, or NULL */
} Slot;

GQuark
gst_mgpu_track_find_tag (const GstVideoRegionOfInterestMeta * roi)
{
  for (const GList * l = roi->params; l != NULL; l = l->next) {
    const gchar *family;
    gchar *name;
    GQuark tag;
    guint id;

    if (gst_structure_get_name_id (l->data) != get_names ()->tag)
      continue;
    family = gst_structure_get_string (l->data, "family");
    if (family == NULL || !gst_structure_get_uint (l->data, "id", &id))
      return 0;
    name = g_strdup_printf ("%s:%u", family, id);
    tag = g_quark_from_string (name);
    g_free (name);
    return tag;
  }
  return 0;
}

void
gst_mgpu_track_object_see (GstMgpuTrackObject * object,
    const GstMgpuDetection * detection)
{
  object->label = detection->label;
  object->confidence = detection->confidence;
  object->score = detection->score;
  object->label_id = detection->label_id;
  object->has_region = detection->region >= 0;
  object->has_mtd = detection->mtd >= 0;
  object->x = detection->x;
  object->y = detection->y;
  object->width = detection->width;
  object->height = detection->height;
}

/* Returns: @value, in pixels, rounded and limited to the range from 0 to @most */
static gint
to_pixel (gdouble value, gint most)
{
  return (gint) (CLAMP (value, 0, most) + 0.5);
}

gboolean
gst_mgpu_track_object_guess (GstMgpuTrackObject * object,
    const GstMgpuTrackerTrack * track, gint width, gint height)
{
  gint x = to_pixel (track->at[0] - track->at[2] / 2, width);
  gint y = to_pixel (track->at[1] - track->at[3] / 2, height);
  gint right = to_pixel (track->at[0] + track->at[2] / 2, width);
  gint bottom = to_pixel (track->at[1] + track->at[3] / 2, height);

  if (right <= x || bottom <= y)
    return FALSE;
  object->x = x;
  object->y = y;
  object->width = right - x;
  object->height = bottom - y;
  return TRUE;
}

/* --- Work on regions of interest --- */

static void
drop_param (GstVideoRegionOfInterestMeta * roi, GQuark name)
{
  GList *l = roi->params;

  while (l != NULL) {
    GList *next = l->next;
    GstStructure *param = l->data;

    if (gst_structure_get_name_id (param) == name) {
      gst_structure_free (param);
      roi->params = g_list_delete_link (roi->params, l);
    }
    l = next;
  }
}

static void
add_params (GstVideoRegionOfInterestMeta * roi,
    const GstMgpuTrackerTrack * track)
{
  const GstMgpuTrackObject *object = track->data;
  const Names *n = get_names ();

  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new_id (n->tracking, n->id, G_TYPE_UINT64, track->id,
          n->age, G_TYPE_UINT, track->age,
          n->first_seen, GST_TYPE_CLOCK_TIME, object->first_seen,
          n->predicted, G_TYPE_BOOLEAN, track->region < 0,
          n->dx, G_TYPE_DOUBLE, track->speed[0],
          n->dy, G_TYPE_DOUBLE, track->speed[1], NULL));
  if (object->zones != NULL)
    gst_video_region_of_interest_meta_add_param (roi,
        gst_structure_copy (object->zones));
  /* Also adds the id in a structure "object_id", which elements of DL Streamer read and
   * write. */
  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new_id (n->object_id, n->id, G_TYPE_INT,
          (gint) MIN (track->id, G_MAXINT), NULL));
}

static void
add_region (GstBuffer * buffer, gint id, const GstMgpuTrackerTrack * track)
{
  const GstMgpuTrackObject *object = track->data;
  const GstVideoRectangle box = { object->x, object->y, object->width,
    object->height
  };
  const Names *n = get_names ();
  GstStructure *detection = gst_structure_new_id_empty (n->detection);

  if (object->confidence != -1)
    gst_structure_id_set (detection, n->confidence, G_TYPE_DOUBLE,
        object->confidence, n->score, G_TYPE_DOUBLE, object->score, NULL);
  if (object->tag != NULL)
    gst_structure_id_set (detection, n->label, G_TYPE_STRING, object->tag,
        NULL);
  if (object->label_id >= 0)
    gst_structure_id_set (detection, n->label_id, G_TYPE_INT, object->label_id,
        NULL);
  add_params (gst_mgpu_add_region (buffer, id, object->label, &box, detection),
      track);
}

/* Writes ids to the regions of interest of the buffer. @slots has an element for each
 * detection of the buffer; the regions of interest come first, in the order of the
 * buffer. */
static void
write_regions (GstBuffer * buffer, const Slot * slots)
{
  gpointer state = NULL;
  GstMeta *meta;

  for (guint i = 0; (meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL; i++) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (!slots[i].is_ours)
      continue;
    drop_param (roi, get_names ()->tracking);
    drop_param (roi, get_names ()->object_id);
    if (slots[i].track != NULL)
      add_params (roi, slots[i].track);
  }
}

/* --- Work on metas of GstAnalytics --- */

#ifdef HAVE_ANALYTICS
/* Removes the tracking ids of other trackers from the object detection @od. */
static void
drop_tracking (GstAnalyticsRelationMeta * meta, guint od)
{
  gpointer state = NULL;
  GstAnalyticsMtd mtd;

  while (gst_analytics_relation_meta_get_direct_related (meta, od,
          GST_ANALYTICS_REL_TYPE_ANY,
          gst_analytics_tracking_mtd_get_mtd_type (), &state, &mtd))
    gst_analytics_relation_meta_set_relation (meta,
        GST_ANALYTICS_REL_TYPE_NONE, od, mtd.id);
}

static void
add_tracking (GstElement * element, GstAnalyticsRelationMeta * meta, guint od,
    const GstMgpuTrackerTrack * track, GstClockTime time)
{
  const GstMgpuTrackObject *object = track->data;
  GstAnalyticsTrackingMtd mtd;

  if (!gst_analytics_relation_meta_add_tracking_mtd (meta, track->id,
          object->first_seen, &mtd)) {
    GST_MGPU_WARNING_OBJECT (element, "cannot add a tracking id, because the "
        "GstAnalyticsRelationMeta is full");
    return;
  }
  if (track->region >= 0)
    gst_analytics_tracking_mtd_update_last_seen (&mtd, time);
  gst_analytics_relation_meta_set_relation (meta,
      GST_ANALYTICS_REL_TYPE_RELATE_TO, od, mtd.id);
}

static void
add_od (GstElement * element, GstAnalyticsRelationMeta * meta,
    const GstMgpuTrackerTrack * track, GstClockTime time)
{
  const GstMgpuTrackObject *object = track->data;
  GstAnalyticsODMtd mtd;

  if (gst_analytics_relation_meta_add_od_mtd (meta,
          g_quark_try_string (object->label), object->x, object->y,
          object->width, object->height, MAX (object->confidence, 0), &mtd))
    add_tracking (element, meta, mtd.id, track, time);
  else
    GST_MGPU_WARNING_OBJECT (element, "cannot add a detection, because the "
        "GstAnalyticsRelationMeta is full");
}

static void
write_analytics (GstElement * element, GstBuffer * buffer,
    const GPtrArray * detections, const Slot * slots, const GPtrArray * tracks,
    GstClockTime time)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);

  for (guint i = 0; i < detections->len; i++) {
    const GstMgpuDetection *d = detections->pdata[i];

    if (d->mtd < 0 || !slots[i].is_ours)
      continue;
    drop_tracking (meta, d->mtd);
    if (slots[i].track != NULL)
      add_tracking (element, meta, d->mtd, slots[i].track, time);
  }
  for (guint i = 0; i < tracks->len; i++) {
    const GstMgpuTrackerTrack *track = tracks->pdata[i];

    if (track->region >= 0 || !((GstMgpuTrackObject *) track->data)->has_mtd)
      continue;
    if (meta == NULL)
      meta = gst_buffer_add_analytics_relation_meta (buffer);
    add_od (element, meta, track, time);
  }
}
#endif

void
gst_mgpu_track_metas_write (GstElement * element, GstBuffer * buffer,
    const GPtrArray * detections, const GArray * numbers,
    const GPtrArray * tracks, GstClockTime time)
{
  g_autofree Slot *slots = g_new0 (Slot, detections->len + 1);
  gint id = gst_mgpu_find_region_id (buffer);

  for (guint i = 0; i < numbers->len; i++)
    slots[g_array_index (numbers, guint, i)].is_ours = TRUE;
  for (guint i = 0; i < tracks->len; i++) {
    const GstMgpuTrackerTrack *track = tracks->pdata[i];

    if (track->region >= 0)
      slots[g_array_index (numbers, guint, track->region)].track = track;
  }
  write_regions (buffer, slots);
#ifdef HAVE_ANALYTICS
  write_analytics (element, buffer, detections, slots, tracks, time);
#endif
  for (guint i = 0; i < tracks->len; i++) {
    const GstMgpuTrackerTrack *track = tracks->pdata[i];

    if (track->region < 0
        && ((const GstMgpuTrackObject *) track->data)->has_region)
      add_region (buffer, id++, track);
  }
}

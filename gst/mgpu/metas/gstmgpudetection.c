/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpudetection
 * @title: GstMgpuDetection
 * @short_description: objects that were found in a frame
 *
 * Detectors report the objects that they found as regions of interest
 * (#GstVideoRegionOfInterestMeta), or, since GStreamer 1.24, in a #GstAnalyticsRelationMeta. Some
 * detectors use both. gst_mgpu_buffer_get_detections() reads both, and returns each object once.
 */
#include <gst/mgpu/gstmgpudetection.h>

#include <gst/mgpu/gstmgpulog-private.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

/* Maximum difference, in pixels, between the two boxes of an object that has both a
 * region of interest and a GstAnalyticsODMtd. The boxes may differ, because elements that
 * scale a frame round them differently. */
#define SLACK 1

/* Number of pixels that is larger than the width and height of every frame */
#define FAR (1 << 30)

static GstMgpuDetection *
detection_copy (const GstMgpuDetection * self)
{
  GstMgpuDetection *copy = g_new (GstMgpuDetection, 1);

  *copy = *self;
  return copy;
}

static void
detection_free (GstMgpuDetection * self)
{
  g_free (self);
}

G_DEFINE_BOXED_TYPE (GstMgpuDetection, gst_mgpu_detection, detection_copy,
    detection_free);

static GstMgpuDetection *
detection_new (GQuark label, gint x, gint y, gint width, gint height)
{
  GstMgpuDetection *self = g_new (GstMgpuDetection, 1);

  *self = (GstMgpuDetection) {
  g_quark_to_string (label), x, y, width, height, 0, -1, -1, -1, -1, -1, -1};
  return self;
}

/* Reads the number in @field, whose type differs between detectors. Does not change
 * *@number if the structure has no such field, or if the field is NaN. */
static void
read_double (const GstStructure * structure, const gchar * field,
    gdouble * number)
{
  const GValue *value = gst_structure_get_value (structure, field);
  gdouble found;

  if (value == NULL)
    return;
  if (G_VALUE_HOLDS_DOUBLE (value))
    found = g_value_get_double (value);
  else if (G_VALUE_HOLDS_FLOAT (value))
    found = g_value_get_float (value);
  else
    return;
  if (found == found)
    *number = found;
}

static void
read_params (const GstVideoRegionOfInterestMeta * roi, GstMgpuDetection * self)
{
  gint id;
  guint64 tracking_id;

  for (GList * l = roi->params; l != NULL; l = l->next) {
    const GstStructure *param = l->data;

    if (gst_structure_has_name (param, "detection")) {
      read_double (param, "confidence", &self->confidence);
      self->score = self->confidence;
      read_double (param, "score", &self->score);
      if (!gst_structure_get_int (param, "label-id", &self->label_id))
        gst_structure_get_int (param, "label_id", &self->label_id);
    } else if (gst_structure_has_name (param, "tracking")) {
      if (gst_structure_get_uint64 (param, "id", &tracking_id)
          && tracking_id <= G_MAXINT64)
        self->tracking_id = tracking_id;
    } else if (gst_structure_has_name (param, "object_id")) {
      /* Sets the tracking id only if none is known. The 64-bit id in a structure
       * "tracking" takes precedence, whether that structure comes before or after this
       * one. */
      if (self->tracking_id < 0 && gst_structure_get_int (param, "id", &id)
          && id >= 0)
        self->tracking_id = id;
    } else if (gst_structure_has_name (param, "motion")) {
      /* Reads the id of mgpumotion, unless a tracker gave an id. */
      if (self->tracking_id < 0
          && gst_structure_get_uint64 (param, "id", &tracking_id)
          && tracking_id <= G_MAXINT64)
        self->tracking_id = tracking_id;
    }
  }
}

/* Converts the extent of a region of interest along one axis to ints. The region begins
 * at @start and is *@size pixels long. A size that is too large for a gint is reduced. A
 * start that is farther than FAR from the frame is moved such that the region covers the
 * same part of every frame. Returns: the start */
static gint
fit (guint start, guint * size)
{
  /* Reads the unsigned @start as a signed number: large values stand for negative numbers, if a
   * region begins left of the frame or above it. */
  gint64 begin = (gint32) start;

  if (*size > G_MAXINT) {
    if (begin < -FAR)
      begin = MIN (begin + *size - G_MAXINT, -FAR);
    *size = G_MAXINT;
  }
  return begin;
}

static void
add_regions (GstBuffer * buffer, GPtrArray * list)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    const GstVideoRegionOfInterestMeta *roi =
        (GstVideoRegionOfInterestMeta *) meta;
    guint width = roi->w, height = roi->h;
    gint x = fit (roi->x, &width), y = fit (roi->y, &height);
    GstMgpuDetection *self = detection_new (roi->roi_type, x, y, width, height);

    read_params (roi, self);
    self->region = list->len;
    g_ptr_array_add (list, self);
  }
}

#ifdef HAVE_ANALYTICS
static gboolean
is_near (gint a, gint b)
{
  return ABS ((gint64) a - b) <= SLACK;
}

/* Looks among the first @n elements of @list, the regions of interest, for one that
 * describes the same object as @od and was not joined with another GstAnalyticsODMtd.
 * Returns: this region, or NULL */
static GstMgpuDetection *
find_region (const GPtrArray * list, guint n, const GstMgpuDetection * od)
{
  for (guint i = 0; i < n; i++) {
    GstMgpuDetection *roi = list->pdata[i];

    if (roi->mtd < 0 && roi->label == od->label && is_near (roi->x, od->x)
        && is_near (roi->y, od->y) && is_near (roi->width, od->width)
        && is_near (roi->height, od->height))
      return roi;
  }
  return NULL;
}

/* Reads the most probable class and the tracking id that are related to the object
 * detection @self, and stores both in @self. */
static void
read_related (GstAnalyticsRelationMeta * meta, GstMgpuDetection * self)
{
  gpointer state = NULL;
  GstAnalyticsMtd related;
  gfloat most = -1;

  while (gst_analytics_relation_meta_get_direct_related (meta, self->mtd,
          GST_ANALYTICS_REL_TYPE_ANY, GST_ANALYTICS_MTD_TYPE_ANY, &state,
          &related)) {
    GstAnalyticsMtdType type = gst_analytics_mtd_get_mtd_type (&related);
    GstClockTime first, last;
    gboolean lost;
    guint64 id;

    if (type == gst_analytics_tracking_mtd_get_mtd_type ()) {
      if (gst_analytics_tracking_mtd_get_info (&related, &id, &first, &last,
              &lost) && id <= G_MAXINT64)
        self->tracking_id = id;
    } else if (type == gst_analytics_cls_mtd_get_mtd_type ()) {
      gsize n = gst_analytics_cls_mtd_get_length (&related);

      for (gsize i = 0; i < n; i++) {
        gfloat level = gst_analytics_cls_mtd_get_level (&related, i);

        if (level > most && self->label == NULL) {
          most = level;
          self->label_id = i;
        }
      }
      if (most >= 0 && self->label == NULL)
        self->label = g_quark_to_string (gst_analytics_cls_mtd_get_quark
            (&related, self->label_id));
    }
  }
}

static GstMgpuDetection *
read_od (GstAnalyticsRelationMeta * meta, const GstAnalyticsODMtd * od)
{
  GstMgpuDetection *self = detection_new (gst_analytics_od_mtd_get_obj_type
      (od), 0, 0, 0, 0);
  gfloat confidence = -1;
#if GST_CHECK_VERSION (1, 26, 0)
  gfloat rotation = 0;

  if (gst_analytics_od_mtd_get_oriented_location (od, &self->x, &self->y,
          &self->width, &self->height, &rotation, &confidence))
    self->rotation = rotation;
#else
  gst_analytics_od_mtd_get_location (od, &self->x, &self->y, &self->width,
      &self->height, &confidence);
#endif
  if (confidence == confidence)
    self->score = self->confidence = confidence;
  self->mtd = od->id;
  read_related (meta, self);
  return self;
}

/* Joins the object detection @od with the region of interest in @list that describes the
 * same object. If there is no such region, appends @od to @list. Takes ownership of @od. */
static void
add_od (GPtrArray * list, guint n_regions, GstMgpuDetection * od)
{
  GstMgpuDetection *roi = find_region (list, n_regions, od);

  if (roi == NULL) {
    g_ptr_array_add (list, od);
    return;
  }
  roi->mtd = od->mtd;
  roi->rotation = od->rotation;
  if (roi->confidence == -1)
    roi->score = roi->confidence = od->confidence;
  if (roi->tracking_id < 0)
    roi->tracking_id = od->tracking_id;
  detection_free (od);
}

static void
add_ods (GstBuffer * buffer, GPtrArray * list)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  guint n_regions = list->len;
  gpointer state = NULL;
  GstAnalyticsMtd mtd;

  if (meta == NULL)
    return;
  while (gst_analytics_relation_meta_iterate (meta, &state,
          gst_analytics_od_mtd_get_mtd_type (), &mtd))
    add_od (list, n_regions, read_od (meta, &mtd));
}
#endif

/**
 * gst_mgpu_buffer_get_detections:
 * @buffer: (transfer none): a frame
 *
 * Lists the objects that detectors found in a frame. The function reads regions of interest
 * (#GstVideoRegionOfInterestMeta) and, when the library was built with GStreamer 1.24 or
 * later, object detections (GstAnalyticsODMtd) with the classes and tracking ids that are
 * related to them. An object detection and a region are the same object, and are returned
 * once, if they have the same label and their boxes differ by at most one pixel.
 *
 * Regions of interest come first, in the order in which they were attached; their ids do
 * not matter. Then come the object detections that have no region, in the order of their
 * meta.
 *
 * From Python: `for d in GstMgpu.mgpu_buffer_get_detections (buffer)`.
 *
 * Returns: (transfer container) (element-type GstMgpuDetection): the objects; an empty
 *   array when there are none. The array owns the objects, which stay valid after the frame
 *   is freed
 *
 * Since: 1.0
 */
GPtrArray *
gst_mgpu_buffer_get_detections (GstBuffer * buffer)
{
  GPtrArray *list =
      g_ptr_array_new_with_free_func ((GDestroyNotify) detection_free);

  gst_mgpu_log_init ();
  add_regions (buffer, list);
#ifdef HAVE_ANALYTICS
  add_ods (buffer, list);
#endif
  GST_TRACE ("buffer %p has %u detections", buffer, list->len);
  return list;
}

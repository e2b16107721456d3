/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the metas of a frame as a line of JSON. */
#include "gstmgpujsonline.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include <gst/vision/tags/pose.h>

/* --- Adding values to the JSON of a frame --- */

static void
add_int (JsonBuilder * b, const gchar * name, gint64 value)
{
  json_builder_set_member_name (b, name);
  json_builder_add_int_value (b, value);
}

/* Number of significant digits of measured values; images are not measured more precisely. */
#define DIGITS 6

/* Returns: @value, rounded to @digits significant digits */
static gdouble
round_to (gint digits, gdouble value)
{
  gchar format[8], text[G_ASCII_DTOSTR_BUF_SIZE];

  g_snprintf (format, sizeof (format), "%%.%dg", digits);
  return g_ascii_strtod (g_ascii_formatd (text, sizeof (text), format, value),
      NULL);
}

/* Adds a measured number to a JSON object. */
static void
add_double (JsonBuilder * b, const gchar * name, gdouble value)
{
  json_builder_set_member_name (b, name);
  json_builder_add_double_value (b, round_to (DIGITS, value));
}

/* Adds the text @value to a JSON object. Bytes that are not UTF-8 are replaced by U+FFFD.
 * Adds nothing if @value is NULL. */
static void
add_string (JsonBuilder * b, const gchar * name, const gchar * value)
{
  gchar *valid;

  if (value == NULL)
    return;
  valid = g_utf8_make_valid (value, -1);
  json_builder_set_member_name (b, name);
  json_builder_add_string_value (b, valid);
  g_free (valid);
}

static void
add_time (JsonBuilder * b, const gchar * name, GstClockTime time)
{
  json_builder_set_member_name (b, name);
  if (GST_CLOCK_TIME_IS_VALID (time))
    json_builder_add_int_value (b, time);
  else
    json_builder_add_null_value (b);
}

/* --- Classes of an object --- */

/* Adds a class of an object to the object's JSON array "classification". Begins the array if
 * this is the first class. *@n counts the classes. */
static void
add_class (JsonBuilder * b, guint * n, const gchar * label, gdouble confidence)
{
  if ((*n)++ == 0) {
    json_builder_set_member_name (b, "classification");
    json_builder_begin_array (b);
  }
  json_builder_begin_object (b);
  add_string (b, "label", label);
  add_double (b, "confidence", confidence);
  json_builder_end_object (b);
}

/* Adds the classes of a region of interest. Each param of the region that has a string field
 * "label" is a class; elements of DL Streamer attach classes in this way. */
static void
add_classes_of_region (JsonBuilder * b, guint * n,
    const GstVideoRegionOfInterestMeta * roi)
{
  for (GList * l = roi->params; l != NULL; l = l->next) {
    const GstStructure *param = l->data;
    const gchar *label = gst_structure_get_string (param, "label");
    gdouble confidence = NAN;

    if (label == NULL || gst_structure_has_name (param, "detection"))
      continue;
    gst_structure_get_double (param, "confidence", &confidence);
    add_class (b, n, label, confidence);
  }
}

#ifdef HAVE_ANALYTICS
/* Adds the most probable class of each GstAnalyticsClsMtd that is related to an object. */
static void
add_classes_of_detection (JsonBuilder * b, guint * n, GstBuffer * buffer,
    gint od)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsMtd mtd;

  while (gst_analytics_relation_meta_get_direct_related (meta, od,
          GST_ANALYTICS_REL_TYPE_ANY, gst_analytics_cls_mtd_get_mtd_type (),
          &state, &mtd)) {
    gsize length = gst_analytics_cls_mtd_get_length (&mtd), best = 0;

    for (gsize i = 1; i < length; i++)
      if (gst_analytics_cls_mtd_get_level (&mtd, i)
          > gst_analytics_cls_mtd_get_level (&mtd, best))
        best = i;
    if (length > 0)
      add_class (b, n, g_quark_to_string (gst_analytics_cls_mtd_get_quark (&mtd,
                  best)), gst_analytics_cls_mtd_get_level (&mtd, best));
  }
}
#endif

static void
add_classes (JsonBuilder * b, const GstMgpuDetection * d, GstBuffer * buffer,
    const GPtrArray * regions)
{
  guint n = 0;

  if (d->region >= 0)
    add_classes_of_region (b, &n, regions->pdata[d->region]);
#ifdef HAVE_ANALYTICS
  if (d->mtd >= 0)
    add_classes_of_detection (b, &n, buffer, d->mtd);
#endif
  if (n > 0)
    json_builder_end_array (b);
}

/* --- Describing an object --- */

/* Adds a coordinate as a fraction: @place, a position in pixels, divided by @size, the width or
 * height of the frame. */
static void
add_share (JsonBuilder * b, const gchar * name, gdouble place, gint size)
{
  add_double (b, name, CLAMP (place / size, 0, 1));
}

static void
add_detection (JsonBuilder * b, const GstMgpuDetection * d,
    const GstMgpuJsonFrame * frame)
{
  json_builder_set_member_name (b, "detection");
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "bounding_box");
  json_builder_begin_object (b);
  add_share (b, "x_min", d->x, frame->width);
  add_share (b, "y_min", d->y, frame->height);
  add_share (b, "x_max", (gdouble) d->x + d->width, frame->width);
  add_share (b, "y_max", (gdouble) d->y + d->height, frame->height);
  json_builder_end_object (b);
  /* A confidence of -1 means that the detector gave none: writes null. */
  add_double (b, "confidence", d->confidence == -1 ? NAN : d->confidence);
  add_string (b, "label", d->label);
  if (d->label_id >= 0)
    add_int (b, "label_id", d->label_id);
  add_double (b, "score", d->confidence == -1 && d->score == -1 ? NAN
      : d->score);
  json_builder_end_object (b);
}

/* --- Tags --- */

/* Adds an array of measured numbers. */
static void
add_numbers (JsonBuilder * b, const gchar * name, const gdouble * numbers,
    guint n)
{
  if (name != NULL)
    json_builder_set_member_name (b, name);
  json_builder_begin_array (b);
  for (guint i = 0; i < n; i++)
    json_builder_add_double_value (b, round_to (DIGITS, numbers[i]));
  json_builder_end_array (b);
}

/* Returns: the index of the tag whose region of interest is @roi; -1 if there is none */
static gint
find_tag (GstMgpuTagMeta * meta, const GstVideoRegionOfInterestMeta * roi,
    GstMgpuTag * tag)
{
  guint n = meta != NULL ? gst_mgpu_tag_meta_get_n_tags (meta) : 0;

  for (guint i = 0; i < n; i++)
    if (gst_mgpu_tag_meta_get_tag (meta, i, tag) && tag->roi_id == roi->id)
      return i;
  return -1;
}

static void
add_pose (JsonBuilder * b, GstMgpuTagMeta * meta, guint i)
{
  gdouble quaternion[4];

  mgpu_tag_pose_get_quaternion (gst_mgpu_tag_meta_get_rotation (meta, i, 0),
      quaternion);
  json_builder_set_member_name (b, "pose");
  json_builder_begin_object (b);
  add_numbers (b, "position", gst_mgpu_tag_meta_get_position (meta, i, 0), 3);
  add_numbers (b, "quaternion", quaternion, 4);
  add_double (b, "error", gst_mgpu_tag_meta_get_error (meta, i, 0));
  add_double (b, "ambiguity", gst_mgpu_tag_meta_get_ambiguity (meta, i));
  json_builder_end_object (b);
}

/* Adds id, corners and pose of the tag whose region of interest is @roi, if the tag was found in
 * this frame. */
static void
add_tag (JsonBuilder * b, GstBuffer * buffer,
    const GstVideoRegionOfInterestMeta * roi)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  GstMgpuTag tag;
  gint i = find_tag (meta, roi, &tag);

  if (i < 0)
    return;
  json_builder_set_member_name (b, "tag");
  json_builder_begin_object (b);
  add_string (b, "family", tag.family);
  add_int (b, "id", tag.id);
  add_int (b, "hamming", tag.hamming);
  add_double (b, "margin", tag.margin);
  json_builder_set_member_name (b, "corners");
  json_builder_begin_array (b);
  for (guint k = 0; k < 8; k += 2)
    add_numbers (b, NULL, gst_mgpu_tag_meta_get_corners (meta, i) + k, 2);
  json_builder_end_array (b);
  if (gst_mgpu_tag_meta_get_n_poses (meta, i) > 0)
    add_pose (b, meta, i);
  json_builder_end_object (b);
}

static gboolean
add_zone (GQuark field, const GValue * value, gpointer b)
{
  guint64 dwell = G_VALUE_HOLDS_UINT64 (value) ? g_value_get_uint64 (value)
      : GST_CLOCK_TIME_NONE;

  add_time (b, g_quark_to_string (field), dwell);
  return TRUE;
}

/* Adds the zones of mgputrack in which the object of a region of interest is. */
static void
add_zones (JsonBuilder * b, const GstVideoRegionOfInterestMeta * roi)
{
  for (GList * l = roi->params; l != NULL; l = l->next) {
    if (!gst_structure_has_name (l->data, "zones"))
      continue;
    json_builder_set_member_name (b, "zones");
    json_builder_begin_object (b);
    gst_structure_foreach (l->data, add_zone, b);
    json_builder_end_object (b);
    return;
  }
}

/* Adds the fields of a region that mgpumotion found. */
static void
add_moving (JsonBuilder * b, GstVideoRegionOfInterestMeta * roi)
{
  static const gchar *const names[] = { "share", "dx", "dy" };
  const GstStructure *param =
      gst_video_region_of_interest_meta_get_param (roi, "motion");
  guint age, late;

  if (param == NULL || !gst_structure_get_uint (param, "age", &age)
      || !gst_structure_get_uint (param, "late", &late))
    return;
  json_builder_set_member_name (b, "motion");
  json_builder_begin_object (b);
  add_int (b, "age", age);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gdouble value = NAN;

    gst_structure_get_double (param, names[i], &value);
    add_double (b, names[i], value);
  }
  add_int (b, "late", late);
  json_builder_end_object (b);
}

static void
add_object (JsonBuilder * b, const GstMgpuDetection * d, GstBuffer * buffer,
    const GPtrArray * regions, const GstMgpuJsonFrame * frame)
{
  json_builder_begin_object (b);
  add_int (b, "x", d->x);
  add_int (b, "y", d->y);
  add_int (b, "w", d->width);
  add_int (b, "h", d->height);
  if (d->rotation != 0)
    add_double (b, "rotation", d->rotation);
  add_string (b, "roi_type", d->label);
  if (d->tracking_id >= 0)
    add_int (b, "id", d->tracking_id);
  if (d->region >= 0)
    add_zones (b, regions->pdata[d->region]);
  add_detection (b, d, frame);
  add_classes (b, d, buffer, regions);
  if (d->region >= 0)
    add_tag (b, buffer, regions->pdata[d->region]);
  if (d->region >= 0)
    add_moving (b, regions->pdata[d->region]);
  json_builder_end_object (b);
}

static void
add_objects (JsonBuilder * b, GstBuffer * buffer, const GPtrArray * objects,
    const GstMgpuJsonFrame * frame)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new ();
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    g_ptr_array_add (regions, meta);
  json_builder_set_member_name (b, "objects");
  json_builder_begin_array (b);
  for (guint i = 0; i < objects->len; i++)
    add_object (b, objects->pdata[i], buffer, regions, frame);
  json_builder_end_array (b);
}

/* Adds the motion and tampering state that mgpumotion found in the frame, if the frame has its
 * meta. */
static void
add_motion (JsonBuilder * b, GstBuffer * buffer)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);
  GstMgpuMovingRegion region;
  gdouble share = 0;

  if (meta == NULL)
    return;
  for (guint i = 0; gst_mgpu_moving_meta_get_region (meta, i, &region); i++)
    share += region.share;
  json_builder_set_member_name (b, "motion");
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "active");
  json_builder_add_boolean_value (b, gst_mgpu_moving_meta_is_active (meta));
  add_double (b, "share", MIN (share, 1));
  add_int (b, "light", gst_mgpu_moving_meta_get_light (meta, NULL, NULL));
  json_builder_set_member_name (b, "tamper");
  if (gst_mgpu_moving_meta_get_tamper (meta) != NULL)
    json_builder_add_string_value (b, gst_mgpu_moving_meta_get_tamper (meta));
  else
    json_builder_add_null_value (b);
  json_builder_end_object (b);
}

/* Adds the camera of the frame, if it has one. */
static void
add_camera (JsonBuilder * b, GstBuffer * buffer)
{
  GstMgpuCameraMeta *meta = gst_buffer_get_mgpu_camera_meta (buffer);
  GEnumClass *models;
  GstMgpuCamera camera;

  if (meta == NULL)
    return;
  gst_mgpu_camera_meta_get_camera (meta, &camera);
  models = g_type_class_ref (GST_TYPE_MGPU_CAMERA_MODEL);
  json_builder_set_member_name (b, "camera");
  json_builder_begin_object (b);
  add_string (b, "model", g_enum_get_value (models, camera.model)->value_nick);
  add_numbers (b, "focal_length", &camera.fx, 2);
  add_numbers (b, "center", &camera.cx, 2);
  add_numbers (b, "coefficients", camera.coefficients, camera.n_coefficients);
  add_numbers (b, "rotation", camera.rotation, 9);
  json_builder_end_object (b);
  g_type_class_unref (models);
}

/* Returns: the number with the fewest digits that a reader rounds to the float @value */
static gdouble
shorten_float (gfloat value)
{
  gint digits = DIGITS;

  while (digits < FLT_DECIMAL_DIG && (gfloat) round_to (digits, value) != value)
    digits++;
  return round_to (digits, value);
}

/* Adds the list number @i of numbers; null if the list cannot be read. */
static void
add_list (JsonBuilder * b, GstMgpuNumbersMeta * meta, guint i)
{
  g_autofree gdouble *values = NULL;
  g_autofree gchar *valid = NULL;
  GstMgpuNumbersType type;
  const gchar *name;
  guint n;

  gst_mgpu_numbers_meta_get_list (meta, i, &name, &type, NULL);
  values = gst_mgpu_numbers_meta_get_values (meta, i, &n);
  valid = g_utf8_make_valid (name, -1);
  json_builder_set_member_name (b, valid);
  if (values == NULL) {
    json_builder_add_null_value (b);
  } else {
    json_builder_begin_array (b);
    for (guint k = 0; k < n; k++)
      if (type == GST_MGPU_NUMBERS_TYPE_FLOAT)
        json_builder_add_double_value (b, shorten_float (values[k]));
      else
        json_builder_add_int_value (b, values[k]);
    json_builder_end_array (b);
  }
}

/* Adds the lists of numbers of the frame, if there are any. */
static void
add_lists (JsonBuilder * b, GstBuffer * buffer)
{
  GstMgpuNumbersMeta *meta = gst_buffer_get_mgpu_numbers_meta (buffer);

  if (meta == NULL)
    return;
  json_builder_set_member_name (b, "numbers");
  json_builder_begin_object (b);
  for (guint i = 0; i < gst_mgpu_numbers_meta_get_n_lists (meta); i++)
    add_list (b, meta, i);
  json_builder_end_object (b);
}

/* --- The text of the line --- */

/* Appends @value with the fewest digits that are read as this number, and with a decimal point
 * or an exponent. JSON has neither NaN nor infinity: both become null. */
static void
append_double (GString * text, gdouble value)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  gdouble rounded = round_to (DBL_DIG, value);

  if (!isfinite (value)) {
    g_string_append (text, "null");
    return;
  }
  if (rounded == value)
    g_ascii_formatd (number, sizeof (number), "%.15g", value);
  else
    g_ascii_dtostr (number, sizeof (number), value);
  g_string_append (text, number);
  if (strpbrk (number, ".e") == NULL)
    g_string_append (text, ".0");
}

static void append_node (GString * text, JsonNode * node);

/* Appends @value, which is UTF-8, in quotes. */
static void
append_string (GString * text, const gchar * value)
{
  g_string_append_c (text, '"');
  for (; *value != '\0'; value++)
    if ((guchar) * value < ' ')
      g_string_append_printf (text, "\\u%04x", *value);
    else if (*value == '"' || *value == '\\')
      g_string_append_printf (text, "\\%c", *value);
    else
      g_string_append_c (text, *value);
  g_string_append_c (text, '"');
}

static void
append_member (JsonObject * object, const gchar * name, JsonNode * node,
    gpointer text)
{
  append_string (text, name);
  g_string_append_c (text, ':');
  append_node (text, node);
  g_string_append_c (text, ',');
}

static void
append_element (JsonArray * array, guint i, JsonNode * node, gpointer text)
{
  append_node (text, node);
  g_string_append_c (text, ',');
}

/* Replaces the comma behind the last member by @bracket, which ends an object or an array. */
static void
end_list (GString * text, gchar bracket)
{
  if (text->str[text->len - 1] == ',')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, bracket);
}

static void
append_value (GString * text, JsonNode * node)
{
  switch (json_node_get_value_type (node)) {
    case G_TYPE_DOUBLE:
      append_double (text, json_node_get_double (node));
      break;
    case G_TYPE_INT64:
      g_string_append_printf (text, "%" G_GINT64_FORMAT,
          json_node_get_int (node));
      break;
    case G_TYPE_STRING:
      append_string (text, json_node_get_string (node));
      break;
    default:
      g_string_append (text, json_node_get_boolean (node) ? "true" : "false");
  }
}

/* Appends @node as JSON. JSON-GLib would write all 17 digits of numbers, and 1.6 writes some
 * with an exponent wrongly. */
static void
append_node (GString * text, JsonNode * node)
{
  if (JSON_NODE_HOLDS_OBJECT (node)) {
    g_string_append_c (text, '{');
    json_object_foreach_member (json_node_get_object (node), append_member,
        text);
    end_list (text, '}');
  } else if (JSON_NODE_HOLDS_ARRAY (node)) {
    g_string_append_c (text, '[');
    json_array_foreach_element (json_node_get_array (node), append_element,
        text);
    end_list (text, ']');
  } else if (JSON_NODE_HOLDS_NULL (node)) {
    g_string_append (text, "null");
  } else {
    append_value (text, node);
  }
}

gchar *
gst_mgpu_json_line_make (GstBuffer * buffer, const GPtrArray * objects,
    const GstMgpuJsonFrame * frame, gsize * size)
{
  JsonBuilder *b = json_builder_new ();
  GString *text = g_string_new (NULL);
  JsonNode *root;

  json_builder_begin_object (b);
  add_int (b, "version", GST_MGPU_JSON_VERSION);
  add_time (b, "timestamp", frame->timestamp);
  add_time (b, "running_time", frame->running_time);
  add_string (b, "source", frame->source);
  if (frame->tags != NULL) {
    json_builder_set_member_name (b, "tags");
    json_builder_add_value (b, json_node_copy (frame->tags));
  }
  json_builder_set_member_name (b, "resolution");
  json_builder_begin_object (b);
  add_int (b, "width", frame->width);
  add_int (b, "height", frame->height);
  json_builder_end_object (b);
  add_motion (b, buffer);
  add_camera (b, buffer);
  add_lists (b, buffer);
  add_objects (b, buffer, objects, frame);
  json_builder_end_object (b);
  root = json_builder_get_root (b);
  append_node (text, root);
  g_string_append_c (text, '\n');
  *size = text->len;
  json_node_unref (root);
  g_object_unref (b);
  return g_string_free (text, FALSE);
}

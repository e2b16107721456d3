/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuoverlay
 * @title: mgpuoverlay
 * @short_description: draws the metadata of frames (keypoints, objects, text), on an
 *   OpenCL device
 *
 * Draws the keypoints of #GstMgpuKeypointMeta as circles of their size, with a line that shows
 * their direction; the objects that gst_mgpu_buffer_get_detections() lists, with class and
 * confidence; and a line of text with the numbers of keypoints and regions and the time from
 * frame to frame in milliseconds. Frames without metas to draw pass unchanged.
 *
 * Both pads accept frames in system memory and in memory:OpenCLMemory; mgpu elements that are
 * linked to each other do not copy frames.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpusift max-features=500 ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpuparams.h>

#include <gst/elements/elements.h>
#include <gst/elements/region.h>
#include "arrows.h"
#include "tags.h"
#include "contours.h"
#include "text.h"
#include "trails.h"

#include <math.h>

/**
 * GstMgpuOverlayDraw:
 * @GST_MGPU_OVERLAY_DRAW_KEYPOINTS: keypoints
 * @GST_MGPU_OVERLAY_DRAW_REGIONS: regions of interest
 * @GST_MGPU_OVERLAY_DRAW_TEXT: a line of text
 * @GST_MGPU_OVERLAY_DRAW_PICTURES: outlines of known pictures
 * @GST_MGPU_OVERLAY_DRAW_TAGS: outlines and axes of tags
 * @GST_MGPU_OVERLAY_DRAW_MOTION: contours of moving pixels
 * @GST_MGPU_OVERLAY_DRAW_HEAT: contours of areas in which something moved lately
 * @GST_MGPU_OVERLAY_DRAW_PLACES: lines and zones of mgputrack
 * @GST_MGPU_OVERLAY_DRAW_FLOW: arrows along optical flow
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_OVERLAY_DRAW_KEYPOINTS = 1 << 0,
  GST_MGPU_OVERLAY_DRAW_REGIONS = 1 << 1,
  GST_MGPU_OVERLAY_DRAW_TEXT = 1 << 2,
  GST_MGPU_OVERLAY_DRAW_PICTURES = 1 << 3,
  GST_MGPU_OVERLAY_DRAW_TAGS = 1 << 4,
  GST_MGPU_OVERLAY_DRAW_MOTION = 1 << 5,
  GST_MGPU_OVERLAY_DRAW_HEAT = 1 << 6,
  GST_MGPU_OVERLAY_DRAW_PLACES = 1 << 7,
  GST_MGPU_OVERLAY_DRAW_FLOW = 1 << 8
} GstMgpuOverlayDraw;

/* Period, in microseconds, over which the time from frame to frame is averaged, so that the
 * displayed number changes slowly enough to be read */
#define TIMING (G_USEC_PER_SEC / 2)

/* Values of the properties: the parameters of the drawing algorithm (@style) and those of the
 * element */
typedef struct
{
  MgpuOverlayStyle style;
  GstMgpuOverlayDraw draw;
  guint trail_length;           /* length of the trail of an object, in frames; 0: no trails */
  gchar *text;                  /* text to draw; NULL: the numbers of keypoints and regions, and
                                 * the time from frame to frame */
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue draw_values[] = {
  {GST_MGPU_OVERLAY_DRAW_KEYPOINTS, "Keypoints", "keypoints"},
  {GST_MGPU_OVERLAY_DRAW_REGIONS, "Regions of interest", "regions"},
  {GST_MGPU_OVERLAY_DRAW_TEXT, "A line of text", "text"},
  {GST_MGPU_OVERLAY_DRAW_PICTURES,
      "Outlines of the reference images that mgpumatch found", "pictures"},
  {GST_MGPU_OVERLAY_DRAW_MOTION, "Contours of the moving regions that "
        "mgpumotion found",
      "motion"},
  {GST_MGPU_OVERLAY_DRAW_HEAT,
        "Heat map: contours of the areas where something moved in 4, 32 and "
        "128 of the last frames",
      "heat"},
  {GST_MGPU_OVERLAY_DRAW_PLACES, "Lines and zones at which mgputrack counts",
      "places"},
  {GST_MGPU_OVERLAY_DRAW_FLOW, "Arrows along the flow of mgpuflow", "flow"},
  {GST_MGPU_OVERLAY_DRAW_TAGS,
      "Outlines of tags, and the axes of " "their poses", "tags"},
  {0, NULL, NULL}
};

static const MgpuEnum draw_type = { "GstMgpuOverlayDraw", draw_values };

static const MgpuParam params[] = {
  {"draw", MGPU_PARAM_FLAGS, MEMBER (draw), 0, 0,
        GST_MGPU_OVERLAY_DRAW_KEYPOINTS | GST_MGPU_OVERLAY_DRAW_REGIONS
        | GST_MGPU_OVERLAY_DRAW_TEXT | GST_MGPU_OVERLAY_DRAW_PICTURES
        | GST_MGPU_OVERLAY_DRAW_TAGS,
        &draw_type,
      "Kinds of metadata that are drawn on frames"},
  {"trail-length", MGPU_PARAM_UINT, MEMBER (trail_length), 0, 1000, 25, NULL,
      "Length, in frames, of the trail (a line through earlier positions) of "
        "each region with an id (0 = no trails)"},
  {"text", MGPU_PARAM_TEXT, MEMBER (text), 0, 0, 0, NULL,
      "Text on each frame; {keypoints} and {regions} stand for the numbers of "
        "keypoints and regions, {ms} for the milliseconds from frame to frame "
        "(unset = these three, on frames with keypoints or regions; empty = no "
        "text)"},
  {NULL}
};

#define GST_TYPE_MGPU_OVERLAY (gst_mgpu_overlay_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuOverlay, gst_mgpu_overlay, GST, MGPU_OVERLAY,
    GstMgpuFilter);

struct _GstMgpuOverlay
{
  GstMgpuFilter parent;

  MgpuOverlay *overlay;
  MgpuText *letters;
  MgpuTrails *trails;
  gboolean warned_no_font;
  gchar *checked;               /* text whose placeholders were checked last; NULL: none */

  gint64 since;                 /* monotonic time in us at which counting of @n_frames began; 0:
                                 * no frame was counted yet */
  guint n_frames;               /* number of frames counted since the time @since */
  gdouble milliseconds;         /* mean time from frame to frame, in ms; 0: unknown */
};

G_DEFINE_TYPE (GstMgpuOverlay, gst_mgpu_overlay, GST_TYPE_MGPU_FILTER);

static gboolean
gst_mgpu_overlay_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuOverlay *self = GST_MGPU_OVERLAY (filter);

  self->overlay = mgpu_object_new (&mgpu_overlay, context, info, NULL, NULL,
      NULL, error);
  if (self->overlay == NULL)
    return FALSE;
  self->letters = mgpu_text_new (mgpu_overlay_get_text_size (self->overlay),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  GST_MGPU_DEBUG_OBJECT (self,
      "letters are %d pixels high; found a font: %d",
      mgpu_overlay_get_text_size (self->overlay),
      mgpu_text_has_font (self->letters));
  return TRUE;
}

static void
gst_mgpu_overlay_unprepare (GstMgpuFilter * filter)
{
  GstMgpuOverlay *self = GST_MGPU_OVERLAY (filter);

  g_clear_pointer (&self->overlay, mgpu_object_free);
  g_clear_pointer (&self->letters, mgpu_text_free);
  /* Forgets the trails of objects, because their points would be wrong in frames of another
   * size. */
  mgpu_trails_clear (self->trails);
}

static gboolean
gst_mgpu_overlay_start (GstBaseTransform * trans)
{
  GstMgpuOverlay *self = GST_MGPU_OVERLAY (trans);

  self->since = 0;
  self->milliseconds = 0;
  self->warned_no_font = FALSE;
  g_clear_pointer (&self->checked, g_free);
  mgpu_trails_clear (self->trails);
  return GST_BASE_TRANSFORM_CLASS (gst_mgpu_overlay_parent_class)->start
      (trans);
}

/* --- Collecting the shapes and texts to draw --- */

/* Counts a frame and updates the mean time from frame to frame. */
static void
measure (GstMgpuOverlay * self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->since == 0) {
    self->since = now;
    self->n_frames = 0;
    return;
  }
  self->n_frames++;
  /* Updates the mean time from frame to frame if at least TIMING microseconds have passed since
   * the last update. The first mean is computed at the second frame. */
  if (self->milliseconds == 0 || now - self->since >= TIMING) {
    self->milliseconds = MAX (now - self->since, 1) / 1000.0 / self->n_frames;
    self->since = now;
    self->n_frames = 0;
  }
}

/* Posts a warning if @pattern contains an unknown placeholder, once for each value of the
 * property "text". Unknown placeholders are drawn literally. */
static void
check_placeholders (GstMgpuOverlay * self, const gchar * pattern)
{
  GMatchInfo *match;
  GRegex *placeholder;

  if (pattern == NULL || g_strcmp0 (pattern, self->checked) == 0)
    return;
  g_free (self->checked);
  self->checked = g_strdup (pattern);
  placeholder = g_regex_new ("\\{(?!(keypoints|regions|ms)\\})[\\w-]+\\}",
      G_REGEX_RAW, 0, NULL);
  if (g_regex_match (placeholder, pattern, 0, &match)) {
    gchar *word = g_match_info_fetch (match, 0);

    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("%s: %s in \"text\" is not a placeholder and is drawn literally: use "
            "{keypoints}, {regions} or {ms}", GST_OBJECT_NAME (self), word),
        (NULL));
    g_free (word);
  }
  g_match_info_free (match);
  g_regex_unref (placeholder);
}

/* Makes the line of text that is drawn on a frame. @pattern (nullable) is the property "text".
 * @n_keypoints and @n_regions are the numbers of keypoints and regions of interest; negative if
 * the frame has no such meta. Returns: (transfer full): the line, which is empty if no text is to
 * be drawn */
static gchar *
make_line (GstMgpuOverlay * self, const gchar * pattern, gint n_keypoints,
    gint n_regions)
{
  GString *line = g_string_new (pattern);
  gchar number[32];

  if (pattern != NULL) {
    g_snprintf (number, sizeof (number), "%d", MAX (n_keypoints, 0));
    g_string_replace (line, "{keypoints}", number, 0);
    g_snprintf (number, sizeof (number), "%d", MAX (n_regions, 0));
    g_string_replace (line, "{regions}", number, 0);
    g_snprintf (number, sizeof (number), "%.1f", self->milliseconds);
    g_string_replace (line, "{ms}", number, 0);
    return g_string_free (line, FALSE);
  }
  if (n_keypoints >= 0)
    g_string_append_printf (line, "%d keypoint%s", n_keypoints,
        n_keypoints == 1 ? "" : "s");
  if (n_regions >= 0)
    g_string_append_printf (line, "%s%d region%s", line->len > 0 ? "   " : "",
        n_regions, n_regions == 1 ? "" : "s");
  if (line->len > 0 && self->milliseconds > 0)
    g_string_append_printf (line, "   %.1f ms", self->milliseconds);
  return g_string_free (line, FALSE);
}

/* Returns: (transfer none): an image of the text @text. If there is no font, the image is empty,
 * and a warning is posted once */
static const MgpuTextImage *
get_letters (GstMgpuOverlay * self, const gchar * text)
{
  if (!mgpu_text_has_font (self->letters) && !self->warned_no_font) {
    self->warned_no_font = TRUE;
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("%s: no text is drawn, because fontconfig finds no font: install "
            "one, for example fonts-dejavu-core", GST_OBJECT_NAME (self)),
        (NULL));
  }
  return mgpu_text_get (self->letters, text);
}

static void
add_line (GstMgpuOverlay * self, const gchar * pattern, gint n_keypoints,
    gint n_regions)
{
  g_autofree gchar *line = make_line (self, pattern, n_keypoints, n_regions);

  check_placeholders (self, pattern);
  GST_MGPU_LOG_OBJECT (self, "drawing the text \"%s\"", line);
  if (line[0] != '\0')
    mgpu_overlay_add_text (self->overlay, get_letters (self, line));
}

/* Returns: (nullable): a name of an object that is more specific than its class, such as the family
 * and id of a tag */
static const gchar *
find_name (GstBuffer * buffer, const GstMgpuDetection * d)
{
  gpointer state = NULL;
  GstMeta *meta = NULL;
  GstStructure *s;

  for (gint i = 0; i <= d->region; i++)
    meta = gst_buffer_iterate_meta_filtered (buffer, &state,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  s = meta != NULL ? gst_video_region_of_interest_meta_get_param (
      (GstVideoRegionOfInterestMeta *) meta, "detection") : NULL;
  return s != NULL ? gst_structure_get_string (s, "label") : NULL;
}

/* Returns: (transfer full): class, id and confidence of an object, as text; empty if
 * nothing is known */
static gchar *
make_label (GstBuffer * buffer, const GstMgpuDetection * d)
{
  const gchar *name = find_name (buffer, d);
  GString *label = g_string_new (name != NULL ? name : d->label);

  if (d->tracking_id >= 0)
    g_string_append_printf (label, "%s#%" G_GINT64_FORMAT,
        label->len > 0 ? " " : "", d->tracking_id);
  if (d->confidence != -1 && isfinite (d->confidence))
    g_string_append_printf (label, "%s%.2f", label->len > 0 ? " " : "",
        d->confidence);
  return g_string_free (label, FALSE);
}

static void
add_regions (GstMgpuOverlay * self, GstBuffer * buffer,
    const GPtrArray * objects)
{
  for (guint i = 0; i < objects->len; i++) {
    const GstMgpuDetection *d = objects->pdata[i];
    gchar *label = make_label (buffer, d);

    GST_MGPU_TRACE_OBJECT (self, "drawing a region of %dx%d pixels at (%d, %d) "
        "with the label \"%s\"", d->width, d->height, d->x, d->y, label);
    mgpu_overlay_add_region (self->overlay, d->tracking_id, d->x, d->y,
        d->width, d->height, *label != '\0' ? get_letters (self, label) : NULL);
    g_free (label);
  }
}

/* Adds the outlines of the known pictures that mgpumatch found to the shapes that are
 * drawn. */
static void
add_pictures (GstMgpuOverlay * self, GstBuffer * buffer)
{
  GstMgpuPictureMeta *meta = gst_buffer_get_mgpu_picture_meta (buffer);
  guint n = meta != NULL ? gst_mgpu_picture_meta_get_n_pictures (meta) : 0;

  if (n > 0)
    GST_MGPU_LOG_OBJECT (self, "drawing the outlines of %u reference images",
        n);
  for (guint i = 0; i < n; i++) {
    const gdouble *corners = gst_mgpu_picture_meta_get_corners (meta, i);
    MgpuOverlayPoint points[5];

    /* Adds half a pixel to each coordinate, because whole numbers are the centers of pixels in
     * @corners, and the upper left corners of pixels in @points. */
    for (guint k = 0; k < 5; k++)
      points[k] = (MgpuOverlayPoint) {
      corners[2 * (k % 4)] + 0.5, corners[2 * (k % 4) + 1] + 0.5};
    mgpu_overlay_add_trail (self->overlay, -1, points, 5);
  }
}

/* Adds the tags that mgputags found to the shapes that are drawn. */
static void
add_tags (GstMgpuOverlay * self, GstBuffer * buffer)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  guint n = meta != NULL ? gst_mgpu_tag_meta_get_n_tags (meta) : 0;

  if (n > 0)
    GST_MGPU_LOG_OBJECT (self, "drawing %u tags", n);
  for (guint i = 0; i < n; i++)
    mgpu_tag_drawing_add (self->overlay, meta, i);
}

static gboolean
add_outline (GQuark field, const GValue * value, gpointer data)
{
  GstMgpuOverlay *self = data;
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->input.info;
  GBytes *bytes = G_VALUE_HOLDS (value, G_TYPE_BYTES)
      ? g_value_get_boxed (value) : NULL;
  guint n = bytes != NULL ? g_bytes_get_size (bytes) / (2 * sizeof (gdouble))
      : 0;
  const gdouble *points = n > 0 ? g_bytes_get_data (bytes, NULL) : NULL;
  g_autoptr (GArray) list =
      g_array_new (FALSE, FALSE, sizeof (MgpuOverlayPoint));

  for (guint i = 0; i < n; i++) {
    MgpuOverlayPoint point = { points[2 * i] * GST_VIDEO_INFO_WIDTH (info),
      points[2 * i + 1] * GST_VIDEO_INFO_HEIGHT (info)
    };

    g_array_append_val (list, point);
  }
  mgpu_overlay_add_trail (self->overlay, -1,
      (const MgpuOverlayPoint *) list->data, n);
  return TRUE;
}

/* Adds the lines and zones of mgputrack to the shapes that are drawn. */
static void
add_places (GstMgpuOverlay * self, GstBuffer * buffer)
{
  GstCustomMeta *meta =
      gst_buffer_get_custom_meta (buffer, gst_mgpu_places_meta_get_name ());

  if (meta != NULL)
    GST_MGPU_LOG_OBJECT (self, "drawing %d lines and zones",
        gst_structure_n_fields (gst_custom_meta_get_structure (meta)));
  if (meta != NULL)
    gst_structure_foreach (gst_custom_meta_get_structure (meta), add_outline,
        self);
}

/* Adds contours of moving pixels, and of areas in which something moved lately, as far as the
 * property "draw" selects them. */
static void
add_moving (GstMgpuOverlay * self, GstMgpuOverlayDraw draw, GstBuffer * buffer)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);

  if (meta != NULL && (draw & (GST_MGPU_OVERLAY_DRAW_MOTION
              | GST_MGPU_OVERLAY_DRAW_HEAT)))
    GST_MGPU_LOG_OBJECT (self, "drawing the motion of a frame with %u regions",
        gst_mgpu_moving_meta_get_n_regions (meta));
  if (meta != NULL && (draw & GST_MGPU_OVERLAY_DRAW_MOTION))
    mgpu_contours_add_motion (meta, self->overlay);
  if (meta != NULL && (draw & GST_MGPU_OVERLAY_DRAW_HEAT))
    mgpu_contours_add_heat (meta, self->overlay);
}

/* Adds arrows along the flow of the frame to the shapes that are drawn. */
static void
add_flow (GstMgpuOverlay * self, GstBuffer * buffer)
{
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (buffer);
  gint height = GST_VIDEO_INFO_HEIGHT (&GST_MGPU_FILTER (self)->input.info);

  guint n = meta != NULL ? mgpu_arrows_add (meta, height, self->overlay) : 0;

  if (n > 0)
    GST_MGPU_LOG_OBJECT (self, "drawing %u arrows", n);
}

/* Reads the keypoints of the frame @buffer, if it has any. Waits for the device. Returns: FALSE
 * with the error set if the frame has keypoints that cannot be read */
static gboolean
read_keypoints (GstBuffer * buffer, GBytes ** keypoints, GError ** error)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);

  if (meta == NULL)
    return TRUE;
  *keypoints = gst_mgpu_keypoint_meta_get_keypoints (meta);
  if (*keypoints == NULL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the keypoints of a frame cannot be read, because the device failed to "
        "compute or to transfer them: GST_DEBUG=1 shows what failed");
  return *keypoints != NULL;
}

/* Collects the keypoints, regions and text that are to be drawn on the frame @buffer. */
static gboolean
collect (GstMgpuOverlay * self, GstBuffer * buffer, GError ** error)
{
  const Params *params = GST_MGPU_FILTER (self)->frame.params;
  GPtrArray *objects;
  GBytes *keypoints = NULL;
  gsize n_keypoints = 0;

  measure (self);
  if ((params->draw & (GST_MGPU_OVERLAY_DRAW_KEYPOINTS
              | GST_MGPU_OVERLAY_DRAW_TEXT))
      && !read_keypoints (buffer, &keypoints, error))
    return FALSE;

  objects = gst_mgpu_buffer_get_detections (buffer);
  mgpu_overlay_begin (self->overlay, &params->style);
  mgpu_text_age (self->letters);
  if (keypoints != NULL)
    n_keypoints = g_bytes_get_size (keypoints) / sizeof (GstMgpuKeypoint);

  if (params->draw & GST_MGPU_OVERLAY_DRAW_TEXT)
    add_line (self, params->text, keypoints != NULL ? (gint) n_keypoints : -1,
        objects->len > 0 ? (gint) objects->len : -1);
  mgpu_trails_add (self->trails, objects, params->trail_length);
  if (params->draw & GST_MGPU_OVERLAY_DRAW_REGIONS) {
    add_regions (self, buffer, objects);
    mgpu_trails_draw (self->trails, self->overlay);
  }
  if (params->draw & GST_MGPU_OVERLAY_DRAW_PICTURES)
    add_pictures (self, buffer);
  if (params->draw & GST_MGPU_OVERLAY_DRAW_TAGS)
    add_tags (self, buffer);
  add_moving (self, params->draw, buffer);
  if (params->draw & GST_MGPU_OVERLAY_DRAW_PLACES)
    add_places (self, buffer);
  if (params->draw & GST_MGPU_OVERLAY_DRAW_FLOW)
    add_flow (self, buffer);
  if (keypoints != NULL && (params->draw & GST_MGPU_OVERLAY_DRAW_KEYPOINTS))
    mgpu_overlay_add_keypoints (self->overlay, g_bytes_get_data (keypoints,
            NULL), n_keypoints);
  GST_MGPU_LOG_OBJECT (self,
      "the frame has %" G_GSIZE_FORMAT " keypoints and %u regions; \"draw\" is "
      "0x%x; time from frame to frame: %.1f ms", n_keypoints, objects->len,
      params->draw, self->milliseconds);
  g_clear_pointer (&keypoints, g_bytes_unref);
  g_ptr_array_unref (objects);
  return TRUE;
}

static void
gst_mgpu_overlay_before_transform (GstBaseTransform * trans, GstBuffer * in)
{
  GST_BASE_TRANSFORM_CLASS (gst_mgpu_overlay_parent_class)->before_transform
      (trans, in);
  if (GST_MGPU_FILTER (trans)->frame.is_resting)
    mgpu_trails_clear (GST_MGPU_OVERLAY (trans)->trails);
}

static gboolean
gst_mgpu_overlay_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    GST_MGPU_DEBUG_OBJECT (trans, "forgetting the trails of objects, because "
        "of a flush");
    mgpu_trails_clear (GST_MGPU_OVERLAY (trans)->trails);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_mgpu_overlay_parent_class)->sink_event
      (trans, event);
}

/* Returns: whether there is nothing to draw on the frame @in */
static gboolean
gst_mgpu_overlay_passes (GstMgpuFilter * filter, GstBuffer * in,
    GError ** error)
{
  GstMgpuOverlay *self = GST_MGPU_OVERLAY (filter);

  return !collect (self, in, error) || mgpu_overlay_is_empty (self->overlay);
}

static void
gst_mgpu_overlay_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  mgpu_overlay_enqueue (GST_MGPU_OVERLAY (filter)->overlay, job, work->in,
      work->out);
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_overlay_finalize (GObject * object)
{
  GstMgpuOverlay *self = GST_MGPU_OVERLAY (object);

  mgpu_trails_free (self->trails);
  g_free (self->checked);
  G_OBJECT_CLASS (gst_mgpu_overlay_parent_class)->finalize (object);
}

static void
gst_mgpu_overlay_init (GstMgpuOverlay * self)
{
  self->trails = mgpu_trails_new ();
}

static void
gst_mgpu_overlay_class_init (GstMgpuOverlayClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_overlay_finalize;
  trans_class->start = gst_mgpu_overlay_start;
  trans_class->sink_event = gst_mgpu_overlay_sink_event;
  trans_class->before_transform = gst_mgpu_overlay_before_transform;
  filter_class->prepare = gst_mgpu_overlay_prepare;
  filter_class->unprepare = gst_mgpu_overlay_unprepare;
  filter_class->passes = gst_mgpu_overlay_passes;
  filter_class->enqueue = gst_mgpu_overlay_enqueue;

  gst_mgpu_filter_class_set_params (filter_class,
      gst_mgpu_params_join (mgpu_overlay.params, params, 0), sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL overlay", "Filter/Editor/Video",
      "Draws keypoints, regions, other metadata and text on frames, on an "
      "OpenCL device", "The gst-mgpu authors");
}

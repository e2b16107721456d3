/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuhog
 * @title: mgpuhog
 * @short_description: finds people and other objects, on an OpenCL device
 *
 * Frames pass as they are, and each person in them gets a
 * #GstVideoRegionOfInterestMeta: type "person", and a parameter "detection"
 * with the fields "confidence", "label-id" and "component". The detector is that
 * of Dalal and Triggs, as OpenCV has it. With detector=model it looks for what
 * the part models of Felzenszwalb and others in files show.
 *
 * The element waits for the device: what it attaches is there when the frame
 * leaves. With #GstMgpuHog:attach-features frames get a #GstMgpuHogMeta, too:
 * histograms of gradients at many scales, for which it does not wait.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/vtest.avi ! decodebin ! videoconvert ! identity eos-after=5 ! mgpuhog ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>
#include "elements.h"
#include "gstmgpuhogboxes.h"
#include "gstmgpuhogfeatures.h"
#include "gstmgpuhogmodels.h"

#include <gst/vision/base/boxes.h>
#include <gst/vision/people/people.h>

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_hog_debug);
#define GST_CAT_DEFAULT gst_mgpu_hog_debug

typedef enum
{
  DETECTOR_NONE,
  DETECTOR_PEOPLE,
  DETECTOR_MODEL
} Detector;

typedef enum
{
  CASCADE_OFF,
  CASCADE_ON
} Cascade;

#define DEFAULT_DETECTOR DETECTOR_PEOPLE
#define DEFAULT_CASCADE CASCADE_OFF
#define DEFAULT_THRESHOLD 0.0
#define DEFAULT_GROUP_THRESHOLD 2
#define DEFAULT_NMS_OVERLAP 0.5
#define DEFAULT_MAX_DETECTIONS 100
#define DEFAULT_FRAME_INTERVAL 1
#define DEFAULT_POST_MESSAGES FALSE

/* Windows that go on, the best: comparing all with all takes some milliseconds
 * for that many. */
#define MAX_HITS 4096

enum
{
  PROP_0,
  PROP_DETECTOR,
  PROP_MODEL,
  PROP_CASCADE,
  PROP_THRESHOLD,
  PROP_GROUP_THRESHOLD,
  PROP_NMS_OVERLAP,
  PROP_MAX_DETECTIONS,
  PROP_FRAME_INTERVAL,
  PROP_ROI_TYPE,
  PROP_POST_MESSAGES,
  PROP_FEATURES                 /* and more: see gstmgpuhogfeatures.c */
};

typedef struct
{
  Detector detector;
  gboolean has_detector;        /* FALSE: model where "model" is set */
  Cascade cascade;
  gdouble threshold;
  gboolean has_threshold;       /* FALSE: that of each model */
  guint group_threshold;
  gdouble nms_overlap;
  guint max_detections;
  guint frame_interval;
  GQuark roi_type;              /* 0: the whole frame */
  gboolean post_messages;
} Settings;

#define GST_TYPE_MGPU_HOG (gst_mgpu_hog_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuHog, gst_mgpu_hog, GST, MGPU_HOG, GstMgpuFilter);

struct _GstMgpuHog
{
  GstMgpuFilter parent;

  Settings settings;            /* under the object lock */
  gchar *roi_type, *model;

  GstMgpuHogFeatures features;

  Settings now;                 /* of the frame at hand */
  gboolean searches;            /* for people in it */
  GArray *regions;              /* its MgpuBox, where roi_type is set */
  guint to_skip;                /* frames, before the next that is looked at */
  gboolean said_too_many;

  MgpuPeople *people;
  GstMemory *scores, *hits;
  GstMgpuHogModels *models;     /* from the first need on */
  gboolean models_prepared;
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuHog, gst_mgpu_hog, GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_hog_debug, "mgpuhog", 0,
        "People by histograms of oriented gradients, on OpenCL"));
#define GST_TYPE_MGPU_HOG_DETECTOR (gst_mgpu_hog_detector_get_type ())

static GType
gst_mgpu_hog_detector_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {DETECTOR_NONE, "Nothing: frames pass", "none"},
    {DETECTOR_PEOPLE, "People who stand or walk", "people"},
    {DETECTOR_MODEL, "What the part models in files show", "model"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHogDetector",
            values));
  return type;
}

#define GST_TYPE_MGPU_HOG_CASCADE (gst_mgpu_hog_cascade_get_type ())

static GType
gst_mgpu_hog_cascade_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {CASCADE_OFF, "All places are scored", "off"},
    {CASCADE_ON, "Those that look promising with fewer features", "on"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHogCascade",
            values));
  return type;
}

/* --- Device --- */

static void
gst_mgpu_hog_unprepare (GstMgpuFilter * filter)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);

  g_clear_pointer (&self->people, mgpu_people_free);
  g_clear_pointer (&self->scores, gst_memory_unref);
  g_clear_pointer (&self->hits, gst_memory_unref);
  gst_mgpu_hog_features_unprepare (&self->features);
  if (self->models != NULL)
    gst_mgpu_hog_models_unprepare (self->models);
  self->models_prepared = FALSE;
  self->to_skip = 0;
  self->said_too_many = FALSE;
}

/* nothing: why nothing will be found */
static void
warn_of_size (GstMgpuHog * self, const gchar * nothing)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->user.info;

  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("%s: nothing will be found in frames of %dx%d, because %s; scale them "
          "up", GST_OBJECT_NAME (self), GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info), nothing), (NULL));
}

static gboolean
prepare_people (GstMgpuHog * self, GError ** error)
{
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;
  const MgpuPeopleLevel *levels;
  gsize scores, hits;

  if (self->hits != NULL)
    return TRUE;
  g_clear_pointer (&self->people, mgpu_people_free);
  g_clear_pointer (&self->scores, gst_memory_unref);
  self->people = mgpu_people_new (user->context, &user->info, error);
  if (self->people == NULL)
    return FALSE;
  if (mgpu_people_get_levels (self->people, &levels) == 0)
    warn_of_size (self, "a person takes 64x128 pixels or more");
  mgpu_people_get_sizes (self->people, &scores, &hits);
  self->scores = gst_mgpu_memory_new (user->queue, scores, user->stats, error);
  if (self->scores != NULL)
    self->hits = gst_mgpu_memory_new (user->queue, hits, user->stats, error);
  return self->hits != NULL;
}

static gboolean
load_models (GstMgpuHog * self, GError ** error)
{
  gchar *paths;

  if (self->models == NULL) {
    GST_OBJECT_LOCK (self);
    paths = g_strdup (self->model);
    GST_OBJECT_UNLOCK (self);
    self->models = gst_mgpu_hog_models_load (paths, error);
    g_free (paths);
  }
  return self->models != NULL;
}

static gboolean
prepare_models (GstMgpuHog * self, GError ** error)
{
  gboolean has_place;

  if (self->models_prepared)
    return TRUE;
  if (!load_models (self, error)
      || !gst_mgpu_hog_models_prepare (self->models,
          &GST_MGPU_FILTER (self)->user, &has_place, error))
    return FALSE;
  if (!has_place)
    warn_of_size (self, "no model has place there");
  self->models_prepared = TRUE;
  return TRUE;
}

static gboolean
prepare_detector (GstMgpuHog * self, Detector detector, GError ** error)
{
  return detector == DETECTOR_NONE
      || (detector == DETECTOR_PEOPLE && prepare_people (self, error))
      || (detector == DETECTOR_MODEL && prepare_models (self, error));
}

/* A file that is no model is an error before any frame comes; also where another
 * detector is set, which may change later. */
static gboolean
gst_mgpu_hog_start (GstBaseTransform * trans)
{
  GstMgpuHog *self = GST_MGPU_HOG (trans);
  GError *error = NULL;
  gboolean wants_models;

  GST_OBJECT_LOCK (self);
  wants_models = self->model != NULL
      || self->settings.detector == DETECTOR_MODEL;
  GST_OBJECT_UNLOCK (self);
  if (wants_models && !load_models (self, &error)) {
    gst_mgpu_device_user_fail (&GST_MGPU_FILTER (self)->user, error);
    return FALSE;
  }
  if (GST_BASE_TRANSFORM_CLASS (gst_mgpu_hog_parent_class)->start (trans))
    return TRUE;
  /* Frees the models here: GStreamer does not stop an element that did not start. */
  g_clear_pointer (&self->models, gst_mgpu_hog_models_free);
  return FALSE;
}

static gboolean
gst_mgpu_hog_stop (GstBaseTransform * trans)
{
  GstMgpuHog *self = GST_MGPU_HOG (trans);
  gboolean ok = GST_BASE_TRANSFORM_CLASS (gst_mgpu_hog_parent_class)->stop
      (trans);

  g_clear_pointer (&self->models, gst_mgpu_hog_models_free);
  return ok;
}

static gboolean
gst_mgpu_hog_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  Detector detector;
  gboolean attaches;

  GST_OBJECT_LOCK (self);
  detector = self->settings.detector;
  attaches = self->features.attach;
  GST_OBJECT_UNLOCK (self);
  if (prepare_detector (self, detector, error)
      && (!attaches || gst_mgpu_hog_features_prepare (&self->features,
              &filter->user, error)))
    return TRUE;
  gst_mgpu_hog_unprepare (filter);
  return FALSE;
}

/* --- Frames --- */

static gboolean
gst_mgpu_hog_passes (GstMgpuFilter * filter)
{
  return TRUE;
}

static void
find_regions (GstMgpuHog * self, GstBuffer * buffer)
{
  gpointer state = NULL;
  GstMeta *meta;

  g_array_set_size (self->regions, 0);
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    MgpuBox box = { roi->x, roi->y, MIN (roi->w, G_MAXINT),
      MIN (roi->h, G_MAXINT), 0, 0, 0
    };

    if (roi->roi_type == self->now.roi_type)
      g_array_append_val (self->regions, box);
  }
}

static gboolean
has_place (GstMgpuHog * self)
{
  return self->now.roi_type == 0 || self->regions->len > 0;
}

static gboolean
gst_mgpu_hog_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);

  GST_OBJECT_LOCK (self);
  self->now = self->settings;
  self->features.attach_now = self->features.attach;
  GST_OBJECT_UNLOCK (self);

  self->to_skip = MIN (self->to_skip, self->now.frame_interval - 1);
  if (self->to_skip > 0) {
    self->to_skip--;
    return FALSE;
  }
  self->to_skip = self->now.frame_interval - 1;
  if (self->now.roi_type != 0)
    find_regions (self, in);
  /* Without a place to search in, there is a message of nothing at most. */
  self->searches = self->now.detector != DETECTOR_NONE
      && (has_place (self) || self->now.post_messages);
  return self->searches || self->features.attach_now;
}

/* Of models: NULL for their own */
static const gdouble *
get_threshold (const GstMgpuHog * self)
{
  return self->now.has_threshold ? &self->now.threshold : NULL;
}

static void
gst_mgpu_hog_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  GError *error = NULL;

  if (self->features.attach_now)
    gst_mgpu_hog_features_enqueue (&self->features,
        &GST_MGPU_FILTER (self)->user, job, in);
  if (!self->searches || !has_place (self))
    return;
  if (!prepare_detector (self, self->now.detector, &error))
    gst_mgpu_job_fail (job, error);
  else if (self->now.detector == DETECTOR_MODEL)
    gst_mgpu_hog_models_enqueue (self->models, job,
        self->now.cascade == CASCADE_ON, get_threshold (self), in);
  else
    mgpu_people_enqueue (self->people, job, self->now.threshold, in,
        (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits);
}

/* The first frame after a seek is looked at: it may be the only one. */
static gboolean
gst_mgpu_hog_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    GST_MGPU_HOG (trans)->to_skip = 0;
  return GST_BASE_TRANSFORM_CLASS (gst_mgpu_hog_parent_class)->sink_event
      (trans, event);
}

/* --- What was found --- */

/* Makes detections of windows. */
static void
select_boxes (GstMgpuHog * self, GArray * boxes)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->user.info;

  if (self->now.roi_type != 0)
    mgpu_boxes_keep_inside (boxes, self->regions);
  mgpu_boxes_sort (boxes);
  if (boxes->len > MAX_HITS) {
    if (!self->said_too_many)
      GST_ELEMENT_WARNING (self, STREAM, FAILED,
          ("%s: the threshold lets %u windows of a frame through, of which the "
              "best %d count; raise it", GST_OBJECT_NAME (self), boxes->len,
              MAX_HITS), (NULL));
    self->said_too_many = TRUE;
    g_array_set_size (boxes, MAX_HITS);
  }
  if (self->now.detector == DETECTOR_PEOPLE)
    mgpu_boxes_group (boxes, self->now.group_threshold);
  mgpu_boxes_clip (boxes, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
  mgpu_boxes_sort (boxes);
  mgpu_boxes_suppress (boxes, self->now.nms_overlap);
  if (self->now.max_detections > 0
      && boxes->len > self->now.max_detections)
    g_array_set_size (boxes, self->now.max_detections);
}

static gboolean
gst_mgpu_hog_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  const GstMgpuHogModels *models =
      self->now.detector == DETECTOR_MODEL ? self->models : NULL;
  GArray *boxes;
  gboolean ok = TRUE;

  if (self->features.attach_now)
    gst_mgpu_hog_features_attach (&self->features, buffer);
  if (!self->searches)
    return TRUE;
  boxes = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  if (has_place (self))
    ok = self->now.detector == DETECTOR_MODEL
        ? gst_mgpu_hog_models_read (self->models, get_threshold (self), boxes,
        error)
        : mgpu_people_read (self->people, self->now.threshold,
        (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits, boxes,
        error);
  if (ok) {
    select_boxes (self, boxes);
    gst_mgpu_hog_boxes_attach (boxes, models, buffer);
    if (self->now.post_messages)
      gst_mgpu_hog_boxes_post (boxes, models, GST_BASE_TRANSFORM (self),
          buffer);
  }
  g_array_unref (boxes);
  return ok;
}

/* --- GObject --- */

/* Has the object lock. Empty is unset. */
static void
set_model (GstMgpuHog * self, const gchar * model)
{
  g_free (self->model);
  self->model = model != NULL && *model != '\0' ? g_strdup (model) : NULL;
  if (!self->settings.has_detector)
    self->settings.detector =
        self->model != NULL ? DETECTOR_MODEL : DEFAULT_DETECTOR;
}

static void
gst_mgpu_hog_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstMgpuHog *self = GST_MGPU_HOG (object);
  Settings *settings = &self->settings;
  Detector before;
  gboolean changed;

  GST_OBJECT_LOCK (self);
  before = settings->detector;
  switch (id) {
    case PROP_DETECTOR:
      settings->detector = g_value_get_enum (value);
      settings->has_detector = TRUE;
      break;
    case PROP_MODEL:
      set_model (self, g_value_get_string (value));
      break;
    case PROP_CASCADE:
      settings->cascade = g_value_get_enum (value);
      break;
    case PROP_THRESHOLD:
      settings->threshold = g_value_get_double (value);
      settings->has_threshold = TRUE;
      break;
    case PROP_GROUP_THRESHOLD:
      settings->group_threshold = g_value_get_uint (value);
      break;
    case PROP_NMS_OVERLAP:
      settings->nms_overlap = g_value_get_double (value);
      break;
    case PROP_MAX_DETECTIONS:
      settings->max_detections = g_value_get_uint (value);
      break;
    case PROP_FRAME_INTERVAL:
      settings->frame_interval = g_value_get_uint (value);
      break;
    case PROP_ROI_TYPE:
      g_free (self->roi_type);
      self->roi_type = g_value_dup_string (value);
      settings->roi_type = self->roi_type == NULL || *self->roi_type == '\0'
          ? 0 : g_quark_from_string (self->roi_type);
      break;
    case PROP_POST_MESSAGES:
      settings->post_messages = g_value_get_boolean (value);
      break;
    default:
      if (!gst_mgpu_hog_features_set (&self->features, id - PROP_FEATURES,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  changed = settings->detector != before;
  GST_OBJECT_UNLOCK (self);
  if (id == PROP_MODEL && changed)
    g_object_notify (object, "detector");
}

static void
gst_mgpu_hog_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuHog *self = GST_MGPU_HOG (object);
  const Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_DETECTOR:
      g_value_set_enum (value, settings->detector);
      break;
    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;
    case PROP_CASCADE:
      g_value_set_enum (value, settings->cascade);
      break;
    case PROP_THRESHOLD:
      g_value_set_double (value, settings->threshold);
      break;
    case PROP_GROUP_THRESHOLD:
      g_value_set_uint (value, settings->group_threshold);
      break;
    case PROP_NMS_OVERLAP:
      g_value_set_double (value, settings->nms_overlap);
      break;
    case PROP_MAX_DETECTIONS:
      g_value_set_uint (value, settings->max_detections);
      break;
    case PROP_FRAME_INTERVAL:
      g_value_set_uint (value, settings->frame_interval);
      break;
    case PROP_ROI_TYPE:
      g_value_set_string (value, self->roi_type);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, settings->post_messages);
      break;
    default:
      if (!gst_mgpu_hog_features_get (&self->features, id - PROP_FEATURES,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_hog_finalize (GObject * object)
{
  GstMgpuHog *self = GST_MGPU_HOG (object);

  g_free (self->roi_type);
  g_free (self->model);
  g_array_unref (self->regions);
  G_OBJECT_CLASS (gst_mgpu_hog_parent_class)->finalize (object);
}

static void
gst_mgpu_hog_init (GstMgpuHog * self)
{
  self->regions = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  self->settings.detector = DEFAULT_DETECTOR;
  self->settings.cascade = DEFAULT_CASCADE;
  self->settings.threshold = DEFAULT_THRESHOLD;
  self->settings.group_threshold = DEFAULT_GROUP_THRESHOLD;
  self->settings.nms_overlap = DEFAULT_NMS_OVERLAP;
  self->settings.max_detections = DEFAULT_MAX_DETECTIONS;
  self->settings.frame_interval = DEFAULT_FRAME_INTERVAL;
  self->settings.post_messages = DEFAULT_POST_MESSAGES;
  gst_mgpu_hog_features_init (&self->features);
}

static void
install_search_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuHog:detector:
   *
   * What is looked for. Unless it is set, it is model where #GstMgpuHog:model is.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_DETECTOR,
      g_param_spec_enum ("detector", "Detector",
          "What is looked for in frames (unless set, model where \"model\" is)",
          GST_TYPE_MGPU_HOG_DETECTOR, DEFAULT_DETECTOR, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:model:
   *
   * Files with the part models that detector=model looks for, ':' between them:
   * OpenCV's XML or voc-dpm's MATLAB files. They are read when the element
   * starts, whatever detector is set then. To set it chooses that detector,
   * unless #GstMgpuHog:detector is set.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MODEL,
      g_param_spec_string ("model", "Models",
          "Files of part models for detector=model, which they choose unless "
          "\"detector\" is set, with ':' between them",
          NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_READY));

  /**
   * GstMgpuHog:cascade:
   *
   * Whether detector=model scores all places, or those that look promising with
   * few features. It is faster and misses some.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CASCADE,
      g_param_spec_enum ("cascade", "Cascade",
          "Which places detector=model scores", GST_TYPE_MGPU_HOG_CASCADE,
          DEFAULT_CASCADE, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:threshold:
   *
   * Windows with this score or more count. Higher ones let fewer through. Unless
   * it is set, detector=model takes those of the models.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_THRESHOLD,
      g_param_spec_double ("threshold", "Threshold",
          "Windows with this score or more count (unless set, detector=model "
          "takes that of each model)", -100, 100,
          DEFAULT_THRESHOLD, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:frame-interval:
   *
   * Only every n-th frame is looked at, and the first after a seek; the others
   * pass as they are.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FRAME_INTERVAL,
      g_param_spec_uint ("frame-interval", "Frame interval",
          "Only every n-th frame is looked at", 1, G_MAXINT,
          DEFAULT_FRAME_INTERVAL, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:roi-type:
   *
   * Only windows count whose middle lies in a region of interest of this type,
   * which an element before this one attached. %NULL or empty: all.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ROI_TYPE,
      g_param_spec_string ("roi-type", "Type of regions",
          "Type of regions of interest to search in (unset = the whole frame)",
          NULL, GST_MGPU_LIVE));
}

static void
install_result_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuHog:group-threshold:
   *
   * Makes one detection of more than so many windows that are near each other,
   * and none of fewer; 0: each window is one. For detector=people.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_GROUP_THRESHOLD,
      g_param_spec_uint ("group-threshold", "Group threshold",
          "detector=people: more than so many windows near each other are a "
          "detection (0 = each)",
          0, G_MAXINT, DEFAULT_GROUP_THRESHOLD, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:nms-overlap:
   *
   * Detections are left out of which a larger share lies in a better one of
   * their class.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_NMS_OVERLAP,
      g_param_spec_double ("nms-overlap", "Overlap",
          "Detections are left out of which a larger share lies in a better one "
          "(1 = none)",
          0, 1, DEFAULT_NMS_OVERLAP, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:max-detections:
   *
   * The best so many detections are attached; 0: all.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_DETECTIONS,
      g_param_spec_uint ("max-detections", "Maximum detections",
          "How many detections are attached, the best (0 = all)", 0, G_MAXINT,
          DEFAULT_MAX_DETECTIONS, GST_MGPU_LIVE));

  /**
   * GstMgpuHog:post-messages:
   *
   * Whether each frame that is looked at makes an element message
   * "mgpu-detections" as well.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post messages",
          "Whether detections are posted as element messages too",
          DEFAULT_POST_MESSAGES, GST_MGPU_LIVE));
}

static void
gst_mgpu_hog_class_init (GstMgpuHogClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  object_class->set_property = gst_mgpu_hog_set_property;
  object_class->get_property = gst_mgpu_hog_get_property;
  object_class->finalize = gst_mgpu_hog_finalize;
  GST_BASE_TRANSFORM_CLASS (klass)->start = gst_mgpu_hog_start;
  GST_BASE_TRANSFORM_CLASS (klass)->stop = gst_mgpu_hog_stop;
  GST_BASE_TRANSFORM_CLASS (klass)->sink_event = gst_mgpu_hog_sink_event;
  filter_class->prepare = gst_mgpu_hog_prepare;
  filter_class->unprepare = gst_mgpu_hog_unprepare;
  filter_class->passes = gst_mgpu_hog_passes;
  filter_class->looks = gst_mgpu_hog_looks;
  filter_class->enqueue = gst_mgpu_hog_enqueue;
  filter_class->attach = gst_mgpu_hog_attach;

  install_search_properties (object_class);
  install_result_properties (object_class);
  gst_mgpu_hog_features_install (object_class, PROP_FEATURES);

  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HOG_DETECTOR, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HOG_CASCADE, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL HOG detector", "Filter/Analyzer/Video",
      "Finds people and part models by histograms of oriented gradients and "
      "attaches regions of interest", "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuhog
 * @title: mgpuhog
 * @short_description: finds people and other objects, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstVideoRegionOfInterestMeta for each person. Its type is
 * "person"; its parameter "detection" has the fields "confidence", "score", "label-id" and
 * "component". The detector is that of Dalal and Triggs, as in OpenCV. With detector=model, the
 * element detects objects with deformable part models (Felzenszwalb and others) or SVMs, which it
 * reads from files.
 *
 * Each frame is pushed with its own detections. If the device has its own memory, other frames are
 * processed while a frame waits for its detections. With #GstMgpuHog:attach-features, frames also
 * get a #GstMgpuHogMeta with histograms of gradients at many scales. No frame waits for these.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/vtest.avi ! decodebin ! videoconvert ! identity eos-after=5 ! mgpuhog ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <string.h>

#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpumask.h>
#include <gst/frame/gstmgpupending.h>
#include <gst/elements/elements.h>
#include "gstmgpuhogboxes.h"
#include "gstmgpuhogfeatures.h"
#include "gstmgpuhogmodels.h"
#include "gstmgpuhogwindows.h"

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

typedef enum
{
  BOX_OBJECT,
  BOX_WINDOW
} Box;

/* Maximum number of detection windows that are grouped into detections. If there are more, only
 * the best are kept, because grouping compares all pairs of windows; this takes some milliseconds
 * for this number. */
#define MAX_HITS 4096

/* Values of the properties of the element */
typedef struct
{
  gint detector, cascade, box;
  gchar *model, *roi_type;
  gdouble threshold;
  guint group_threshold;
  gdouble nms_overlap;
  gdouble confidence_slope, confidence_midpoint;
  guint min_height, max_height;
  guint max_detections;
  guint frame_interval;
  gboolean post_messages;
  gboolean attach_features;
  MgpuFhogParams features;

  /* Whether these properties were ever set. If not, the default of "detector" depends on "model",
   * and the defaults of the other properties depend on the detector and its models. */
  struct
  {
    gboolean detector, threshold, nms_overlap, confidence_slope,
        confidence_midpoint;
  } was_set;
} Params;

static const MgpuEnumValue detector_values[] = {
  {DETECTOR_NONE, "Nothing: frames pass", "none"},
  {DETECTOR_PEOPLE, "People who stand or walk", "people"},
  {DETECTOR_MODEL, "Objects that the part models or SVMs in the files of "
        "\"model\" describe",
      "model"},
  {0, NULL, NULL}
};

static const MgpuEnumValue cascade_values[] = {
  {CASCADE_OFF, "All positions", "off"},
  {CASCADE_ON, "Only positions that pass a first, faster test with fewer "
        "features (cascade)", "on"},
  {0, NULL, NULL}
};

static const MgpuEnumValue box_values[] = {
  {BOX_OBJECT, "The box of the person or object itself", "object"},
  {BOX_WINDOW, "The detection window, with a margin around the object, as "
        "OpenCV returns it",
      "window"},
  {0, NULL, NULL}
};

static const MgpuEnumValue kind_values[] = {
  {MGPU_FHOG_FELZENSZWALB, "32 features for each cell, as in part models",
      "felzenszwalb"},
  {MGPU_FHOG_DALAL_TRIGGS,
        "36 features for each cell: 9 gradient directions, normalized in 4 "
        "blocks",
      "dalal-triggs"},
  {0, NULL, NULL}
};

static const MgpuEnumValue resize_values[] = {
  {MGPU_FHOG_AREA, "Averaging of the area that an output pixel covers, as "
        "models expect",
      "area"},
  {MGPU_FHOG_LINEAR, "Triangle filter that is two output pixels wide",
      "linear"},
  {0, NULL, NULL}
};

static const MgpuEnum detectors = { "GstMgpuHogDetector", detector_values };
static const MgpuEnum cascades = { "GstMgpuHogCascade", cascade_values };
static const MgpuEnum boxes = { "GstMgpuHogBox", box_values };
static const MgpuEnum kinds = { "GstMgpuHogFeatureKind", kind_values };
static const MgpuEnum resizes = { "GstMgpuHogResize", resize_values };

/* Defaults of the property "nms-overlap", the maximum overlap of two detections that are both
 * kept. The default for people is larger, because the windows around each person were grouped
 * before: detections that still overlap are often people who walk side by side. */
#define PEOPLE_OVERLAP 0.65
#define MODEL_OVERLAP 0.5

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"detector", MGPU_PARAM_ENUM, MEMBER (detector), 0, 0, DETECTOR_PEOPLE,
        &detectors,
        "What to detect (if this property was never set, but \"model\" is: "
        "model)",
      .was_set = MEMBER (was_set.detector)},
  {"model", MGPU_PARAM_STRING, MEMBER (model), 0, 0, 0, NULL,
        "Files with part models or SVMs to search for, separated by ':'; setting "
        "this property selects detector=model, unless \"detector\" is set",
      TRUE},
  {"cascade", MGPU_PARAM_ENUM, MEMBER (cascade), 0, 0, CASCADE_OFF, &cascades,
      "With detector=model: which positions in the frame get a score"},
  {"threshold", MGPU_PARAM_DOUBLE, MEMBER (threshold), -100, 100, 0, NULL,
        "Minimum score of a detection (if never set, detector=model uses the "
        "threshold in each model)",
      .was_set = MEMBER (was_set.threshold)},
  {"group-threshold", MGPU_PARAM_UINT, MEMBER (group_threshold), 0, G_MAXINT,
        2, NULL,
      "With detector=people and SVMs: a group of neighboring windows becomes a "
        "detection if it has more windows than this number (0 = each window is "
        "a detection)"},
  {"nms-overlap", MGPU_PARAM_DOUBLE, MEMBER (nms_overlap), 0, 1,
        PEOPLE_OVERLAP, NULL,
        "Maximum fraction of a detection that a better detection may cover; a "
        "detection that is covered more is suppressed (1 = none is suppressed; "
        "if never set, 0.5 for part models)",
      .was_set = MEMBER (was_set.nms_overlap)},
  {"confidence-slope", MGPU_PARAM_DOUBLE, MEMBER (confidence_slope), 0.001,
        1000, GST_MGPU_HOG_PEOPLE_SLOPE, NULL,
        "Slope in the confidence of detections, 1 / (1 + exp (-slope (score - "
        "midpoint))) (if never set, 2 for part models, 1 for SVMs)",
      .was_set = MEMBER (was_set.confidence_slope)},
  {"confidence-midpoint", MGPU_PARAM_DOUBLE, MEMBER (confidence_midpoint),
        -100, 100, GST_MGPU_HOG_PEOPLE_MIDPOINT, NULL,
        "Score at which the confidence of a detection is 0.5 (if never set, "
        "0.6 above the threshold of each part model, 0 for SVMs)",
      .was_set = MEMBER (was_set.confidence_midpoint)},
  {"min-height", MGPU_PARAM_UINT, MEMBER (min_height), 0, G_MAXINT, 0, NULL,
      "Minimum height of the objects to find, in pixels"},
  {"max-height", MGPU_PARAM_UINT, MEMBER (max_height), 0, G_MAXINT, 0, NULL,
      "Maximum height of the objects to find, in pixels (0 = no limit)"},
  {"box", MGPU_PARAM_ENUM, MEMBER (box), 0, 0, BOX_OBJECT, &boxes,
      "With detector=people and SVMs: which box is attached to the frame for "
        "an object"},
  {"max-detections", MGPU_PARAM_UINT, MEMBER (max_detections), 0, G_MAXINT,
        100, NULL,
      "Maximum number of detections that are attached to a frame; the best are "
        "kept (0 = all)"},
  {"frame-interval", MGPU_PARAM_UINT, MEMBER (frame_interval), 1, G_MAXINT, 1,
        NULL,
      "Interval, in frames, between analyzed frames (1 = every frame is "
        "analyzed)"},
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of the regions of interest in which to search for objects, "
        "separated by commas (* = any, unset = the whole frame is searched)"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, FALSE,
      NULL, "Whether to also post detections as element messages"},
  {"attach-features", MGPU_PARAM_BOOLEAN, MEMBER (attach_features), 0, 1,
      FALSE, NULL, "Whether to attach the feature pyramid to frames"},
  {"features", MGPU_PARAM_ENUM, MEMBER (features.kind), 0, 0,
      MGPU_FHOG_FELZENSZWALB, &kinds, "Kind of features in the attached "
        "pyramid", TRUE},
  {"cell-size", MGPU_PARAM_UINT, MEMBER (features.cell_size), 4, 16, 8, NULL,
        "Width and height of a cell of the feature pyramid, in pixels (4, 8 or "
        "16)",
      TRUE},
  {"levels-per-octave", MGPU_PARAM_UINT, MEMBER (features.interval), 1,
        MGPU_FHOG_MAX_INTERVAL, 10, NULL,
      "Number of levels of the feature pyramid in an octave, over which the "
        "frame size is halved", TRUE},
  {"max-levels", MGPU_PARAM_UINT, MEMBER (features.max_levels), 0, G_MAXINT, 0,
        NULL,
        "Maximum number of levels of the feature pyramid; the finest are kept "
        "(0 = all)",
      TRUE},
  {"resize", MGPU_PARAM_ENUM, MEMBER (features.resize), 0, 0, MGPU_FHOG_AREA,
      &resizes, "Method of scaling frames for the levels of the feature "
        "pyramid", TRUE},
  {NULL}
};

#define GST_TYPE_MGPU_HOG (gst_mgpu_hog_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuHog, gst_mgpu_hog, GST, MGPU_HOG, GstMgpuFilter);

struct _GstMgpuHog
{
  GstMgpuFilter parent;

  GstMgpuHogFeatures features;
  gboolean searches;            /* whether the current frame is searched for objects */
  gboolean is_limited;          /* whether only regions of interest are searched, instead
                                 * of the whole frame */
  GArray *regions;              /* array of MgpuScoredBox: the regions of interest of the current
                                 * frame in which to search, if @is_limited is TRUE */
  GstMgpuHogWindowsSearch people_search;        /* search for people in the current frame */
  GstMgpuHogModelsSearch *models_search;        /* search for objects of models in the current
                                                 * frame; NULL if there is none */
  gboolean warned_too_many;     /* whether the warning about too many windows was posted; set by the
                                 * thread that finishes frames */

  GstMgpuHogWindows people;
  GstMgpuHogModels *models;     /* part models and SVMs from the files of the property "model";
                                 * NULL until needed */
  gboolean models_prepared;
};

G_DEFINE_TYPE (GstMgpuHog, gst_mgpu_hog, GST_TYPE_MGPU_FILTER);

/* Returns: the values of the properties for the current frame */
static const Params *
get_params (GstMgpuHog * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* Data with which a frame is completed before it is pushed */
typedef struct
{
  GstMgpuHog *self;
  Params *params;
  GArray *regions;              /* array of MgpuScoredBox: the boxes of the frame that were
                                 * searched; NULL: the whole frame */
  GstMgpuHogWindowsSearch people;       /* search for people; all bytes are 0 if people were not
                                         * searched for */
  GstMgpuHogModelsSearch *models;       /* search for objects of models; NULL if models were not
                                         * used */
} Pending;

static void
pending_free (gpointer data)
{
  Pending *pending = data;

  gst_mgpu_filter_free_params (GST_MGPU_FILTER (pending->self),
      pending->params);
  g_clear_pointer (&pending->regions, g_array_unref);
  gst_mgpu_hog_windows_search_clear (&pending->people);
  g_clear_pointer (&pending->models, gst_mgpu_hog_models_search_free);
  gst_object_unref (pending->self);
  g_free (pending);
}

/* --- Opening and closing the device --- */

static void
forget_searches (GstMgpuHog * self)
{
  gst_mgpu_hog_windows_search_clear (&self->people_search);
  g_clear_pointer (&self->models_search, gst_mgpu_hog_models_search_free);
}

static void
gst_mgpu_hog_unprepare (GstMgpuFilter * filter)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);

  forget_searches (self);
  gst_mgpu_hog_windows_unprepare (&self->people);
  gst_mgpu_hog_features_unprepare (&self->features);
  if (self->models != NULL)
    gst_mgpu_hog_models_unprepare (self->models);
  self->models_prepared = FALSE;
  self->warned_too_many = FALSE;
}

/* Warns that frames are too small for the detector. @nothing is the text that names the reason. */
static void
warn_of_size (GstMgpuHog * self, const gchar * nothing)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->input.info;

  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("%s: nothing will be found in frames of %dx%d, because %s; scale them "
          "up", GST_OBJECT_NAME (self), GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info), nothing), (NULL));
}

static gboolean
prepare_people (GstMgpuHog * self, GError ** error)
{
  gboolean is_new = self->people.people == NULL, has_place = FALSE;

  if (!gst_mgpu_hog_windows_prepare (&self->people,
          &GST_MGPU_FILTER (self)->input, &has_place, error))
    return FALSE;
  if (is_new)
    GST_MGPU_DEBUG_OBJECT (self, "it searches for people of at least 64x128 "
        "pixels");
  if (is_new && !has_place)
    warn_of_size (self, "a person needs at least 64x128 pixels");
  return TRUE;
}

static gboolean
load_models (GstMgpuHog * self, const gchar * paths, GError ** error)
{
  if (self->models == NULL) {
    self->models = gst_mgpu_hog_models_load (paths, error);
    GST_MGPU_INFO_OBJECT (self, "%s the models %s",
        self->models != NULL ? "loaded" : "cannot load", paths);
  }
  return self->models != NULL;
}

static gboolean
prepare_models (GstMgpuHog * self, GError ** error)
{
  gboolean has_place;

  if (self->models_prepared)
    return TRUE;
  if (!load_models (self, get_params (self)->model, error)
      || !gst_mgpu_hog_models_prepare (self->models,
          &GST_MGPU_FILTER (self)->input, &has_place, error))
    return FALSE;
  GST_MGPU_DEBUG_OBJECT (self, "searching with %u SVMs in addition to the part "
      "models; frames large enough: %d", gst_mgpu_hog_models_get_n_svms
      (self->models), has_place);
  if (!has_place)
    warn_of_size (self, "no model fits there");
  self->models_prepared = TRUE;
  return TRUE;
}

static gboolean
prepare_detector (GstMgpuHog * self, GError ** error)
{
  Detector detector = get_params (self)->detector;

  return detector == DETECTOR_NONE
      || (detector == DETECTOR_PEOPLE && prepare_people (self, error))
      || (detector == DETECTOR_MODEL && prepare_models (self, error));
}

/* Loads the model files when the element starts, so that a wrong file is reported before the
 * first frame. Loads them even if "detector" does not use models, because this property may be
 * changed later. */
static gboolean
gst_mgpu_hog_start (GstBaseTransform * trans)
{
  GstMgpuHog *self = GST_MGPU_HOG (trans);
  Params *now = gst_mgpu_filter_copy_params (GST_MGPU_FILTER (self));
  GError *error = NULL;
  gboolean ok;

  ok = (now->model == NULL && now->detector != DETECTOR_MODEL)
      || load_models (self, now->model, &error);
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), now);
  if (!ok) {
    gst_mgpu_device_base_fail (&GST_MGPU_FILTER (self)->base, error);
    return FALSE;
  }
  if (GST_BASE_TRANSFORM_CLASS (gst_mgpu_hog_parent_class)->start (trans))
    return TRUE;
  /* GStreamer does not call stop() after start() has failed, so the models are freed here. */
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
  const Params *p = get_params (self);

  return prepare_detector (self, error)
      && (!p->attach_features
      || gst_mgpu_hog_features_prepare (&self->features, &filter->input,
          &p->features, error));
}

/* --- Work on frames --- */

static void
find_regions (GstMgpuHog * self, GstBuffer * buffer, const gchar * types)
{
  g_autoptr (GPtrArray) list =
      gst_mgpu_watch_list_regions (&GST_MGPU_FILTER (self)->watch,
      buffer, "roi-type", types);

  g_clear_pointer (&self->regions, g_array_unref);
  self->regions = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *found = list->pdata[i];
    MgpuScoredBox box = { found->x, found->y, found->width, found->height, 0, 0,
      0
    };

    if (found->width > 0 && found->height > 0)
      g_array_append_val (self->regions, box);
  }
}

static gboolean
has_place (GstMgpuHog * self)
{
  return !self->is_limited || self->regions->len > 0;
}

static gboolean
gst_mgpu_hog_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  const Params *p = get_params (self);

  if (!gst_mgpu_filter_is_due (filter, p->frame_interval))
    return FALSE;
  self->is_limited = p->roi_type != NULL;
  if (self->is_limited)
    find_regions (self, in, p->roi_type);
  /* A frame without a region in which to search is not searched. If "post-messages" is TRUE, a
   * message without detections is posted for it. */
  self->searches = p->detector != DETECTOR_NONE
      && (has_place (self) || p->post_messages);
  if (self->is_limited)
    GST_MGPU_LOG_OBJECT (self, "searching %u regions of interest",
        self->regions->len);
  return self->searches || p->attach_features;
}

/* Returns: (nullable): the value of the property "threshold", which is used for all models; NULL
 * if it is not set, so each model's own threshold is used */
static const gdouble *
get_threshold (const Params * p)
{
  return p->was_set.threshold ? &p->threshold : NULL;
}

static void
gst_mgpu_hog_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  const Params *p = get_params (self);
  const MgpuPeoplePlaces places = {
    self->is_limited ? self->regions : NULL, p->min_height, p->max_height
  };
  GError *error = NULL;

  GST_MGPU_LOG_OBJECT (self,
      "detector: %d, searching: %d, attaching features: %d; height of objects: "
      "%u to %u pixels (0 = no limit)", p->detector, self->searches,
      p->attach_features, p->min_height, p->max_height);

  forget_searches (self);
  if (p->attach_features)
    gst_mgpu_hog_features_enqueue (&self->features, &filter->input,
        &p->features, job, work->in);
  if (!self->searches || !has_place (self))
    return;
  if (!prepare_detector (self, &error))
    gst_mgpu_job_fail (job, error);
  else if (p->detector == DETECTOR_MODEL)
    self->models_search = gst_mgpu_hog_models_enqueue (self->models, job,
        p->cascade == CASCADE_ON, get_threshold (p), &places, work->in);
  else
    gst_mgpu_hog_windows_enqueue (&self->people, job, p->threshold, &places,
        work->in, &self->people_search);
}

/* Attaches the features, starts the download of the hits, and attaches to the frame the data that
 * gst_mgpu_hog_finish() needs to read them. */
static gboolean
gst_mgpu_hog_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  Pending *pending;

  if (get_params (self)->attach_features)
    gst_mgpu_hog_features_attach (&self->features, buffer);
  if (!self->searches)
    return TRUE;
  if ((self->people_search.windows != NULL
          && !gst_mgpu_hog_windows_fetch (&self->people_search, error))
      || (self->models_search != NULL
          && !gst_mgpu_hog_models_fetch (self->models_search, error)))
    return FALSE;
  pending = g_new0 (Pending, 1);
  pending->self = gst_object_ref (self);
  pending->params = gst_mgpu_filter_copy_frame_params (filter);
  if (self->is_limited)
    pending->regions = g_steal_pointer (&self->regions);
  pending->people = self->people_search;
  memset (&self->people_search, 0, sizeof (self->people_search));
  pending->models = g_steal_pointer (&self->models_search);
  gst_mgpu_pending_set (buffer, pending, pending_free);
  return TRUE;
}

/* --- Reading and reporting detections --- */

/* Keeps only the first MAX_HITS of the windows in @boxes. @boxes is sorted by score, best first. */
static void
limit_hits (GstMgpuHog * self, GArray * boxes)
{
  if (boxes->len <= MAX_HITS)
    return;
  if (!self->warned_too_many)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("%s: %u windows of a frame reach the threshold, and only the best %d "
            "are used: raise \"threshold\"", GST_OBJECT_NAME (self), boxes->len,
            MAX_HITS), (NULL));
  self->warned_too_many = TRUE;
  g_array_set_size (boxes, MAX_HITS);
}

/* Converts @boxes, the hits of a detector in the frame of @pending, to detections, and moves them
 * to the array @all. @window describes the windows of an SVM; it is NULL for hits of part models.
 * @label is the label of the detections of an SVM. */
static void
select_boxes (GstMgpuHog * self, const Pending * pending, GArray * boxes,
    const MgpuPeopleWindow * window, gint label, GArray * all)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->input.info;
  const Params *p = pending->params;
  guint n_hits = boxes->len;

  if (pending->regions != NULL)
    mgpu_boxes_keep_inside (boxes, pending->regions);
  mgpu_boxes_sort (boxes);
  limit_hits (self, boxes);
  if (window != NULL) {
    mgpu_boxes_group (boxes, p->group_threshold);
    if (p->box == BOX_OBJECT)
      gst_mgpu_hog_boxes_shrink (boxes, window->object_width,
          window->object_height);
    for (guint i = 0; i < boxes->len; i++)
      g_array_index (boxes, MgpuScoredBox, i).label = label;
  }
  mgpu_boxes_clip (boxes, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
  mgpu_boxes_sort (boxes);
  mgpu_boxes_suppress (boxes, p->was_set.nms_overlap || window != NULL
      ? p->nms_overlap : MODEL_OVERLAP);
  GST_MGPU_LOG_OBJECT (self, "%u windows reach the threshold; after grouping, "
      "%u detections are left", n_hits, boxes->len);
  g_array_append_vals (all, boxes->data, boxes->len);
  g_array_set_size (boxes, 0);
}

/* Reads the hits of all models from the device, and appends the detections to @all. */
static gboolean
read_models (GstMgpuHog * self, const Pending * pending, GArray * boxes,
    GArray * all, GError ** error)
{
  guint n = gst_mgpu_hog_models_get_n_svms (self->models);

  if (!gst_mgpu_hog_models_read_parts (self->models, pending->models, boxes,
          error))
    return FALSE;
  select_boxes (self, pending, boxes, NULL, 0, all);
  for (guint i = 0; i < n; i++) {
    gint label;
    const MgpuPeopleWindow *window =
        gst_mgpu_hog_models_get_svm (self->models, i, &label);

    if (!gst_mgpu_hog_models_read_svm (self->models, pending->models, i, boxes,
            error))
      return FALSE;
    select_boxes (self, pending, boxes, window, label, all);
  }
  mgpu_boxes_sort (all);
  return TRUE;
}

/* Waits for the hits of a frame, and appends its detections to @all. */
static gboolean
read_hits (GstMgpuHog * self, Pending * pending, GArray * all, GError ** error)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  gboolean ok = TRUE;

  if (pending->models != NULL) {
    ok = read_models (self, pending, boxes, all, error);
  } else if (pending->people.windows != NULL) {
    ok = gst_mgpu_hog_windows_read (&self->people, &pending->people, boxes,
        error);
    if (ok)
      select_boxes (self, pending, boxes, self->people.window, 0, all);
  }
  return ok;
}

/* Attaches to a frame its detections, just before the frame is pushed. */
static GstFlowReturn
gst_mgpu_hog_finish (GstMgpuFilter * filter, gpointer data,
    GstBuffer ** buffer, GError ** error)
{
  GstMgpuHog *self = GST_MGPU_HOG (filter);
  Pending *pending = data;
  const Params *p = pending->params;
  GstMgpuHogModels *models =
      p->detector == DETECTOR_MODEL ? self->models : NULL;
  const GstMgpuHogConfidence confidence = {
    p->was_set.confidence_slope ? &p->confidence_slope : NULL,
    p->was_set.confidence_midpoint ? &p->confidence_midpoint : NULL
  };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  gboolean ok = read_hits (self, pending, all, error);

  if (ok) {
    if (p->max_detections > 0 && all->len > p->max_detections)
      GST_MGPU_LOG_OBJECT (self, "keeping the best %u of %u detections",
          p->max_detections, all->len);
    if (p->max_detections > 0 && all->len > p->max_detections)
      g_array_set_size (all, p->max_detections);
    GST_MGPU_LOG_OBJECT (self, "attaching %u detections to %" GST_PTR_FORMAT,
        all->len, *buffer);
    gst_mgpu_hog_boxes_attach (GST_ELEMENT (self), all, models, &confidence,
        *buffer);
    if (p->post_messages)
      gst_mgpu_hog_boxes_post (all, models, &confidence,
          GST_BASE_TRANSFORM (self), *buffer);
  }
  return ok ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* --- Functions of the class GObject --- */

/* Handles a changed property. If this is "model" and "detector" was never set, chooses the
 * matching detector. */
static void
gst_mgpu_hog_changed (GstMgpuFilter * filter, guint i)
{
  Params *now = filter->params;
  gint before;
  gboolean changed;

  GST_OBJECT_LOCK (filter);
  before = now->detector;
  if (params[i].offset == MEMBER (model) && !now->was_set.detector)
    now->detector = now->model != NULL ? DETECTOR_MODEL : DETECTOR_PEOPLE;
  changed = now->detector != before;
  GST_OBJECT_UNLOCK (filter);
  if (changed)
    GST_MGPU_DEBUG_OBJECT (filter, "using the \"detector\" that suits "
        "\"model\"");
  if (changed)
    g_object_notify (G_OBJECT (filter), "detector");
}

static void
gst_mgpu_hog_finalize (GObject * object)
{
  GstMgpuHog *self = GST_MGPU_HOG (object);

  g_clear_pointer (&self->regions, g_array_unref);
  G_OBJECT_CLASS (gst_mgpu_hog_parent_class)->finalize (object);
}

static void
gst_mgpu_hog_init (GstMgpuHog * self)
{
  self->people.window = &mgpu_people_default;
}

static void
gst_mgpu_hog_class_init (GstMgpuHogClass * klass)
{
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_hog_finalize;
  GST_BASE_TRANSFORM_CLASS (klass)->start = gst_mgpu_hog_start;
  GST_BASE_TRANSFORM_CLASS (klass)->stop = gst_mgpu_hog_stop;
  filter_class->prepare = gst_mgpu_hog_prepare;
  filter_class->unprepare = gst_mgpu_hog_unprepare;
  filter_class->passes = gst_mgpu_filter_passes_all;
  filter_class->looks = gst_mgpu_hog_looks;
  filter_class->enqueue = gst_mgpu_hog_enqueue;
  filter_class->attach = gst_mgpu_hog_attach;
  filter_class->finish = gst_mgpu_hog_finish;
  filter_class->changed = gst_mgpu_hog_changed;
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL HOG detector", "Filter/Analyzer/Video",
      "Detects people, and objects described by part models, with histograms "
      "of oriented gradients (HOG), and attaches regions of interest",
      "The gst-mgpu authors");
}

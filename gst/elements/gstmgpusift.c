/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpusift
 * @title: mgpusift
 * @short_description: finds SIFT keypoints, on an OpenCL device
 *
 * Frames pass as they are and get a #GstMgpuKeypointMeta: points that are found
 * again in other pictures of the same thing, however large, turned or bright it
 * is there, and descriptors that tell them apart. They are OpenCV's.
 *
 * The element does not wait for the device: who reads the meta first does.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=smpte ! mgpusift max-features=500 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>

#include <string.h>

#include <gst/vision/sift/sift.h>

#include "elements.h"
#include "gstmgpuluma.h"
#include "gstmgpusiftregion.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_sift_debug);
#define GST_CAT_DEFAULT gst_mgpu_sift_debug

#define DEFAULT_FRAME_INTERVAL 1

/* Frames that the device may be behind; the element waits for it then. */
#define MAX_PENDING 4

enum
{
  PROP_0,
  PROP_MAX_FEATURES,
  PROP_SCALES_PER_OCTAVE,
  PROP_OCTAVES,
  PROP_CONTRAST_THRESHOLD,
  PROP_EDGE_THRESHOLD,
  PROP_SIGMA,
  PROP_UPSAMPLE,
  PROP_DESCRIPTOR,
  PROP_MAX_ORIENTATIONS,
  PROP_FRAME_INTERVAL,
  PROP_ROI_TYPE,
  PROP_MASK_LOCATION
};

#define GST_TYPE_MGPU_SIFT (gst_mgpu_sift_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuSift, gst_mgpu_sift, GST, MGPU_SIFT,
    GstMgpuFilter);

/* What came of a frame: the first numbers of a GstMgpuKeypointHeader. */
typedef struct
{
  GstMemory *memory;
  gboolean pending;
  guint max_features;
} Report;

struct _GstMgpuSift
{
  GstMgpuFilter parent;

  MgpuSiftParams params;        /* these two under the object lock */
  guint frame_interval;
  GstMgpuSiftRegions regions;

  guint to_skip;                /* frames, before the next that is looked at */
  MgpuSiftRegion region;        /* of the frame at hand */

  Report reports[MAX_PENDING];
  guint next_report;            /* the oldest */
  gboolean said_full;

  GstMgpuLuma luma;
  MgpuSift *sift;
  MgpuSiftParams built;         /* what it was made for */
  guint room;                   /* keypoints in a buffer of the pools */
  GstBufferPool *keypoint_pool, *descriptor_pool;

  /* From enqueue() to attach() */
  GstBuffer *keypoints, *descriptors;
  GstMgpuDescriptorType type;
};

#define gst_mgpu_sift_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstMgpuSift, gst_mgpu_sift, GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_sift_debug, "mgpusift", 0,
        "SIFT keypoints on OpenCL"));
/* Waits for what a report is about, and says so when keypoints were lost: once,
 * because it is so in the frames that follow, too. */
static void
read_report (GstMgpuSift * self, Report * report)
{
  GstMapInfo map;
  guint32 counts[2];

  if (!report->pending)
    return;
  report->pending = FALSE;
  if (self->said_full
      || !gst_mgpu_memory_fetched ((GstMgpuMemory *) report->memory, NULL)
      || !gst_memory_map (report->memory, &map, GST_MAP_READ))
    return;
  memcpy (counts, map.data, sizeof (counts));
  gst_memory_unmap (report->memory, &map);
  if (counts[1] == 0
      || (report->max_features > 0 && counts[0] == report->max_features))
    return;
  self->said_full = TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
      ("%s: a frame has %u more keypoints than there is memory for: the weakest "
          "are left out; raise \"contrast-threshold\", or set "
          "\"max-features\" to what is needed", GST_OBJECT_NAME (self),
          counts[1]), ("%u are kept", counts[0]));
}

static void
read_reports (GstMgpuSift * self)
{
  for (guint i = 0; i < MAX_PENDING; i++)
    read_report (self, &self->reports[(self->next_report + i) % MAX_PENDING]);
}

/* Returns: (nullable): the memory for the report of the next frame, which comes
 * to count when its work is enqueued without an error */
static GstMgpuMemory *
next_report (GstMgpuSift * self, const MgpuSiftParams * params, GError ** error)
{
  Report *report = &self->reports[self->next_report];

  read_report (self, report);
  if (report->memory == NULL)
    report->memory = gst_mgpu_memory_new (GST_MGPU_FILTER (self)->user.queue,
        sizeof (guint32[2]), NULL, error);
  report->max_features = params->max_features;
  return (GstMgpuMemory *) report->memory;
}

static void
gst_mgpu_sift_unprepare (GstMgpuFilter * filter)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);

  read_reports (self);
  for (guint i = 0; i < MAX_PENDING; i++)
    g_clear_pointer (&self->reports[i].memory, gst_memory_unref);
  gst_clear_buffer (&self->keypoints);
  gst_clear_buffer (&self->descriptors);
  gst_mgpu_sift_regions_release (&self->regions);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->sift, mgpu_sift_free);
  gst_mgpu_clear_pool (&self->keypoint_pool);
  gst_mgpu_clear_pool (&self->descriptor_pool);
  self->room = 0;
  self->to_skip = 0;
}

/* Makes what looks for keypoints anew when params ask for another scale
 * space. */
static gboolean
prepare_sift (GstMgpuSift * self, const MgpuSiftParams * params,
    GError ** error)
{
  const MgpuSiftParams *built = &self->built;
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;

  if (self->sift != NULL && params->upsample == built->upsample
      && params->octaves == built->octaves && params->scales == built->scales
      && params->sigma == built->sigma)
    return TRUE;
  g_clear_pointer (&self->sift, mgpu_sift_free);
  self->sift = mgpu_sift_new (user->context, &self->luma.info, params, error);
  self->built = *params;
  return self->sift != NULL;
}

static gboolean
gst_mgpu_sift_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  MgpuSiftParams params;

  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);

  if (gst_mgpu_luma_prepare (&self->luma, &filter->user, error)
      && prepare_sift (self, &params, error))
    return TRUE;
  gst_mgpu_sift_unprepare (filter);
  return FALSE;
}

static gboolean
gst_mgpu_sift_passes (GstMgpuFilter * filter)
{
  return TRUE;
}

/* Gets the buffers of the results. */
static gboolean
acquire_tables (GstMgpuSift * self, const MgpuSiftParams * params,
    GError ** error)
{
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;
  guint room = mgpu_sift_get_room (self->sift, params);

  if (room != self->room) {
    gst_mgpu_clear_pool (&self->keypoint_pool);
    gst_mgpu_clear_pool (&self->descriptor_pool);
    self->room = room;
  }
  if (self->keypoint_pool == NULL)
    self->keypoint_pool = gst_mgpu_device_user_new_table_pool (user,
        sizeof (GstMgpuKeypointHeader) + (gsize) room *
        sizeof (GstMgpuKeypoint), error);
  if (self->keypoint_pool == NULL)
    return FALSE;
  self->keypoints = gst_mgpu_device_user_acquire (user, self->keypoint_pool,
      error);
  if (self->keypoints == NULL
      || params->descriptor == GST_MGPU_DESCRIPTOR_TYPE_NONE)
    return self->keypoints != NULL;

  if (self->descriptor_pool == NULL)
    self->descriptor_pool = gst_mgpu_device_user_new_table_pool (user,
        (gsize) room * GST_MGPU_DESCRIPTOR_SIZE, error);
  if (self->descriptor_pool != NULL)
    self->descriptors = gst_mgpu_device_user_acquire (user,
        self->descriptor_pool, error);
  return self->descriptors != NULL;
}

static gboolean
gst_mgpu_sift_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  guint interval;

  GST_OBJECT_LOCK (self);
  interval = self->frame_interval;
  GST_OBJECT_UNLOCK (self);

  self->to_skip = MIN (self->to_skip, interval - 1);
  if (self->to_skip > 0) {
    self->to_skip--;
    return FALSE;
  }
  self->to_skip = interval - 1;
  return gst_mgpu_sift_regions_find (&self->regions, &filter->user, in,
      &self->region, error);
}

static void
gst_mgpu_sift_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  MgpuSiftTables tables = { NULL, };
  MgpuSiftParams params;
  GError *error = NULL;
  MgpuImage luma;

  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);

  gst_clear_buffer (&self->keypoints);
  gst_clear_buffer (&self->descriptors);
  if (prepare_sift (self, &params, &error)
      && acquire_tables (self, &params, &error))
    tables.report = next_report (self, &params, &error);
  if (tables.report == NULL) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  self->type = params.descriptor;
  tables.keypoints = gst_mgpu_peek_table (self->keypoints);
  tables.descriptors = gst_mgpu_peek_table (self->descriptors);
  mgpu_sift_enqueue (self->sift, job, &params,
      gst_mgpu_luma_enqueue (&self->luma, job, in, &luma), &self->region,
      &tables);
}

static gboolean
gst_mgpu_sift_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  GstMgpuKeypointMeta *old = gst_buffer_get_mgpu_keypoint_meta (buffer);
  Report *report = &self->reports[self->next_report];

  if (!gst_mgpu_memory_fetch ((GstMgpuMemory *) report->memory, error))
    return FALSE;
  /* Of an element before this one. */
  if (old != NULL)
    gst_buffer_remove_meta (buffer, (GstMeta *) old);
  gst_buffer_add_mgpu_keypoint_meta (buffer,
      g_steal_pointer (&self->keypoints), self->type,
      g_steal_pointer (&self->descriptors));
  report->pending = TRUE;
  self->next_report = (self->next_report + 1) % MAX_PENDING;
  return TRUE;
}

static gboolean
gst_mgpu_sift_start (GstBaseTransform * trans)
{
  GST_MGPU_SIFT (trans)->said_full = FALSE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans);
}

static gboolean
gst_mgpu_sift_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuSift *self = GST_MGPU_SIFT (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    read_reports (self);
  /* The first frame after a seek is looked at: it may be the only one. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    self->to_skip = 0;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static void
gst_mgpu_sift_finalize (GObject * object)
{
  gst_mgpu_sift_regions_clear (&GST_MGPU_SIFT (object)->regions);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_sift_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstMgpuSift *self = GST_MGPU_SIFT (object);
  MgpuSiftParams *params = &self->params;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MAX_FEATURES:
      params->max_features = g_value_get_uint (value);
      break;
    case PROP_SCALES_PER_OCTAVE:
      params->scales = g_value_get_uint (value);
      break;
    case PROP_OCTAVES:
      params->octaves = g_value_get_uint (value);
      break;
    case PROP_CONTRAST_THRESHOLD:
      params->contrast = g_value_get_double (value);
      break;
    case PROP_EDGE_THRESHOLD:
      params->edge = g_value_get_double (value);
      break;
    case PROP_SIGMA:
      params->sigma = g_value_get_double (value);
      break;
    case PROP_UPSAMPLE:
      params->upsample = g_value_get_boolean (value);
      break;
    case PROP_DESCRIPTOR:
      params->descriptor = g_value_get_enum (value);
      break;
    case PROP_MAX_ORIENTATIONS:
      params->max_orientations = g_value_get_uint (value);
      break;
    case PROP_FRAME_INTERVAL:
      self->frame_interval = g_value_get_uint (value);
      break;
    case PROP_ROI_TYPE:
      g_free (self->regions.roi_type);
      self->regions.roi_type = g_value_dup_string (value);
      break;
    case PROP_MASK_LOCATION:
      g_free (self->regions.mask_location);
      self->regions.mask_location = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_sift_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuSift *self = GST_MGPU_SIFT (object);
  const MgpuSiftParams *params = &self->params;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MAX_FEATURES:
      g_value_set_uint (value, params->max_features);
      break;
    case PROP_SCALES_PER_OCTAVE:
      g_value_set_uint (value, params->scales);
      break;
    case PROP_OCTAVES:
      g_value_set_uint (value, params->octaves);
      break;
    case PROP_CONTRAST_THRESHOLD:
      g_value_set_double (value, params->contrast);
      break;
    case PROP_EDGE_THRESHOLD:
      g_value_set_double (value, params->edge);
      break;
    case PROP_SIGMA:
      g_value_set_double (value, params->sigma);
      break;
    case PROP_UPSAMPLE:
      g_value_set_boolean (value, params->upsample);
      break;
    case PROP_DESCRIPTOR:
      g_value_set_enum (value, params->descriptor);
      break;
    case PROP_MAX_ORIENTATIONS:
      g_value_set_uint (value, params->max_orientations);
      break;
    case PROP_FRAME_INTERVAL:
      g_value_set_uint (value, self->frame_interval);
      break;
    case PROP_ROI_TYPE:
      g_value_set_string (value, self->regions.roi_type);
      break;
    case PROP_MASK_LOCATION:
      g_value_set_string (value, self->regions.mask_location);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_sift_init (GstMgpuSift * self)
{
  const MgpuSiftParams defaults = MGPU_SIFT_PARAMS_INIT;

  self->params = defaults;
  self->frame_interval = DEFAULT_FRAME_INTERVAL;
}

static void
install_scale_space_properties (GObjectClass * object_class,
    const MgpuSiftParams * defaults, GParamFlags live)
{
  /**
   * GstMgpuSift:scales-per-octave:
   *
   * In how many steps the size of what is looked for doubles.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SCALES_PER_OCTAVE,
      g_param_spec_uint ("scales-per-octave", "Scales per octave",
          "In how many steps the size of what is looked for doubles",
          1, MGPU_SIFT_MAX_SCALES, defaults->scales, live));

  /**
   * GstMgpuSift:octaves:
   *
   * How often it doubles; 0 up to the size of the frame.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_OCTAVES,
      g_param_spec_uint ("octaves", "Octaves",
          "How often the size doubles (0 = up to the size of the frame)",
          0, 16, defaults->octaves, live));

  /**
   * GstMgpuSift:sigma:
   *
   * Blur of the first level of an octave, in pixels.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SIGMA,
      g_param_spec_double ("sigma", "Sigma",
          "Blur of the first level of an octave in pixels",
          MGPU_SIFT_MIN_SIGMA, MGPU_SIFT_MAX_SIGMA, defaults->sigma, live));

  /**
   * GstMgpuSift:upsample:
   *
   * Whether the first octave has twice the size of the frame: some three times
   * as many keypoints for four times the work.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_UPSAMPLE,
      g_param_spec_boolean ("upsample", "Upsample",
          "Whether the first octave has twice the size of the frame",
          defaults->upsample, live));
}

static void
install_keypoint_properties (GObjectClass * object_class,
    const MgpuSiftParams * defaults, GParamFlags live)
{
  /**
   * GstMgpuSift:max-features:
   *
   * The strongest so many keypoints are kept; 0: all. Others cost no time for
   * a descriptor.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_FEATURES,
      g_param_spec_uint ("max-features", "Maximum features",
          "How many keypoints are kept, the strongest (0 = all)",
          0, G_MAXINT, defaults->max_features, live));

  /**
   * GstMgpuSift:contrast-threshold:
   *
   * Points are left out whose contrast is less, divided by
   * #GstMgpuSift:scales-per-octave, for values from 0 to 1.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CONTRAST_THRESHOLD,
      g_param_spec_double ("contrast-threshold", "Contrast threshold",
          "Points with less contrast are left out", 0, 1, defaults->contrast,
          live));

  /**
   * GstMgpuSift:edge-threshold:
   *
   * Points are left out that are so many times more curved in one direction
   * than in the other: edges.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_EDGE_THRESHOLD,
      g_param_spec_double ("edge-threshold", "Edge threshold",
          "Points are left out that are so many times more curved in one "
          "direction than in the other", 1, 1000000, defaults->edge, live));

  /**
   * GstMgpuSift:max-orientations:
   *
   * A point with several directions becomes so many keypoints at most.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_ORIENTATIONS,
      g_param_spec_uint ("max-orientations", "Maximum orientations",
          "Keypoints that a point with several directions becomes at most",
          1, MGPU_SIFT_MAX_ORIENTATIONS, defaults->max_orientations, live));

  /**
   * GstMgpuSift:descriptor:
   *
   * What describes the keypoints.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_DESCRIPTOR,
      g_param_spec_enum ("descriptor", "Descriptor",
          "What describes the keypoints", GST_TYPE_MGPU_DESCRIPTOR_TYPE,
          defaults->descriptor, live));
}

static void
install_frame_properties (GObjectClass * object_class, GParamFlags live)
{
  /**
   * GstMgpuSift:frame-interval:
   *
   * Only every n-th frame is looked at, and the first after a seek; the others
   * pass without keypoints.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FRAME_INTERVAL,
      g_param_spec_uint ("frame-interval", "Frame interval",
          "Only every n-th frame is looked at", 1, G_MAXINT,
          DEFAULT_FRAME_INTERVAL, live));

  /**
   * GstMgpuSift:roi-type:
   *
   * Keypoints count only in a #GstVideoRegionOfInterestMeta of this type; frames
   * without one pass without keypoints. %NULL: everywhere.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ROI_TYPE,
      g_param_spec_string ("roi-type", "ROI type",
          "Type of the regions of interest in which keypoints count (NULL = "
          "everywhere)", NULL, live));

  /**
   * GstMgpuSift:mask-location:
   *
   * An image file (PNG, JPEG, PGM): keypoints count only where it is bright,
   * 128 of 255 or more. It is stretched to the frame. %NULL: everywhere.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MASK_LOCATION,
      g_param_spec_string ("mask-location", "Mask location",
          "PNG, JPEG or PGM image, bright where keypoints count (NULL = none)",
          NULL, live));
}

static void
gst_mgpu_sift_class_init (GstMgpuSiftClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  const MgpuSiftParams defaults = MGPU_SIFT_PARAMS_INIT;
  const GParamFlags live = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;

  object_class->finalize = gst_mgpu_sift_finalize;
  object_class->set_property = gst_mgpu_sift_set_property;
  object_class->get_property = gst_mgpu_sift_get_property;
  trans_class->start = gst_mgpu_sift_start;
  trans_class->sink_event = gst_mgpu_sift_sink_event;
  filter_class->prepare = gst_mgpu_sift_prepare;
  filter_class->unprepare = gst_mgpu_sift_unprepare;
  filter_class->passes = gst_mgpu_sift_passes;
  filter_class->looks = gst_mgpu_sift_looks;
  filter_class->enqueue = gst_mgpu_sift_enqueue;
  filter_class->attach = gst_mgpu_sift_attach;

  install_keypoint_properties (object_class, &defaults, live);
  install_scale_space_properties (object_class, &defaults, live);
  install_frame_properties (object_class, live);

  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_DESCRIPTOR_TYPE, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL SIFT", "Filter/Analyzer/Video",
      "Attaches scale invariant keypoints and their descriptors",
      "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpusift
 * @title: mgpusift
 * @short_description: finds SIFT keypoints, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstMgpuKeypointMeta. Its keypoints can be found again in other
 * images of the same object, even if size, rotation and brightness of the object differ there.
 * Descriptors distinguish the keypoints from each other. Keypoints and descriptors are the same
 * as those of OpenCV.
 *
 * The element does not wait for the device; the first read of the meta does. With points=given,
 * the element computes descriptors for the keypoints that are already attached to the frame.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=smpte ! mgpusift max-features=500 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpuparams.h>

#include <string.h>

#include <gst/vision/sift/sift.h>

#include <gst/elements/elements.h>
#include <gst/elements/gstmgpuluma.h>
#include "gstmgpusiftregion.h"

/* Maximum number of frames whose reports were not read yet. Before another frame, the element
 * waits for the oldest report. */
#define MAX_PENDING 4

/* Number of keypoints by which the buffers for given keypoints (those already attached to a
 * frame) are enlarged when they are too small */
#define GIVEN_STEP 256

typedef enum
{
  GST_MGPU_SIFT_POINTS_DETECT,
  GST_MGPU_SIFT_POINTS_GIVEN
} GstMgpuSiftPoints;

/* Values of the properties: the parameters of the SIFT algorithm (@sift) and those of the
 * element */
typedef struct
{
  MgpuSiftParams sift;
  GstMgpuSiftPoints points;
  guint frame_interval;
  gchar *roi_type, *mask_location;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue points_values[] = {
  {GST_MGPU_SIFT_POINTS_DETECT, "Keypoints are found in the frame", "detect"},
  {GST_MGPU_SIFT_POINTS_GIVEN, "Descriptors are computed for the keypoints "
        "that are already attached to the frame",
      "given"},
  {0, NULL, NULL}
};

static const MgpuEnum points_type = { "GstMgpuSiftPoints", points_values };

static const MgpuParam params[] = {
  {"points", MGPU_PARAM_ENUM, MEMBER (points), 0, 0,
      GST_MGPU_SIFT_POINTS_DETECT, &points_type, "Where keypoints come from"},
  {"frame-interval", MGPU_PARAM_UINT, MEMBER (frame_interval), 1, G_MAXINT, 1,
        NULL,
      "Interval, in frames, between analyzed frames (1 = every frame is "
        "analyzed)"},
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of the regions of interest in which to search for keypoints, "
        "separated by commas (* = any, unset = everywhere)"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (mask_location), 0, 0, 0, NULL,
      "PNG, JPEG or PGM image that is bright where keypoints are searched for "
        "(unset = everywhere)"},
  {NULL}
};

#define GST_TYPE_MGPU_SIFT (gst_mgpu_sift_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuSift, gst_mgpu_sift, GST, MGPU_SIFT,
    GstMgpuFilter);

/* The report of a frame. @memory is device memory that holds the first two members of the frame's
 * GstMgpuKeypointHeader: the number of keypoints and the number of dropped keypoints. */
typedef struct
{
  GstMemory *memory;
  gboolean pending;
  guint max_features;
} Report;

struct _GstMgpuSift
{
  GstMgpuFilter parent;

  GstMgpuSiftRegions regions;
  MgpuSiftRegion region;        /* part of the current frame in which to search for keypoints */

  Report reports[MAX_PENDING];
  guint next_report;            /* index in @reports of the oldest report, the next one to be used
                                 */
  gboolean warned_full, warned_none, warned_odd;

  GstMgpuLuma luma;
  MgpuSift *sift;
  MgpuSiftParams built;         /* parameters for which the object @sift was made */
  GstBufferPool *keypoint_pool, *descriptor_pool;

  GBytes *given;                /* keypoints already attached to the current frame, for which
                                 * descriptors are computed; NULL if the device has to find
                                 * keypoints */
  guint room;                   /* maximum number of given keypoints in a buffer */

  /* buffers with the results of the current frame; set by enqueue(), and taken over by attach() */
  GstBuffer *keypoints, *descriptors;
  GstMgpuDescriptorType type;
};

#define gst_mgpu_sift_parent_class parent_class
G_DEFINE_TYPE (GstMgpuSift, gst_mgpu_sift, GST_TYPE_MGPU_FILTER);

/* Returns: the values of the properties for the current frame */
static const Params *
get_params (GstMgpuSift * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* Waits for the report of a frame, and posts a warning if keypoints were dropped. Posts it only
 * once, because keypoints of later frames will probably also be dropped. */
static void
read_report (GstMgpuSift * self, Report * report)
{
  GstMapInfo map;
  guint32 counts[2];

  if (!report->pending)
    return;
  report->pending = FALSE;
  if (self->warned_full
      || !gst_mgpu_memory_fetched ((GstMgpuMemory *) report->memory, NULL)
      || !gst_memory_map (report->memory, &map, GST_MAP_READ))
    return;
  memcpy (counts, map.data, sizeof (counts));
  gst_memory_unmap (report->memory, &map);
  GST_MGPU_LOG_OBJECT (self, "read the counts of an earlier frame: %u "
      "keypoints, and %u more that did not fit into memory", counts[0],
      counts[1]);
  if (counts[1] == 0 || (report->max_features > 0
          && counts[0] == report->max_features))
    return;
  self->warned_full = TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
      ("%s: a frame has %u more keypoints than fit into memory: the weakest "
          "are left out; raise \"contrast-threshold\", or set "
          "\"max-features\" to the number that you need",
          GST_OBJECT_NAME (self), counts[1]), ("%u are kept", counts[0]));
}

static void
read_reports (GstMgpuSift * self)
{
  for (guint i = 0; i < MAX_PENDING; i++)
    read_report (self, &self->reports[(self->next_report + i) % MAX_PENDING]);
}

/* Returns: (nullable): the memory to which kernels write the report of the current frame (the
 * number of its keypoints). The report is read only if gst_mgpu_sift_attach() is called, that is,
 * if the work was enqueued without an error */
static GstMgpuMemory *
next_report (GstMgpuSift * self, GError ** error)
{
  Report *report = &self->reports[self->next_report];

  read_report (self, report);
  if (report->memory == NULL)
    report->memory = gst_mgpu_memory_new (GST_MGPU_FILTER (self)->base.queue,
        sizeof (guint32[2]), NULL, error);
  report->max_features = get_params (self)->sift.max_features;
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
  g_clear_pointer (&self->given, g_bytes_unref);
  gst_mgpu_sift_regions_release (&self->regions);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->sift, mgpu_object_free);
  gst_mgpu_clear_pool (&self->keypoint_pool);
  gst_mgpu_clear_pool (&self->descriptor_pool);
}

/* Makes the SIFT object, with its kernels and memory, unless there is one for the same scale
 * space (octaves, scales and sigma). */
static gboolean
prepare_sift (GstMgpuSift * self, GError ** error)
{
  const MgpuSiftParams *params = &get_params (self)->sift;
  const MgpuSiftParams *built = &self->built;
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;

  if (self->sift != NULL && params->upsample == built->upsample
      && params->octaves == built->octaves && params->scales == built->scales
      && params->sigma == built->sigma)
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (self,
      "preparing %d octaves (0 = as many as fit) of %d scales; sigma: %g, "
      "frames doubled: %d", params->octaves, params->scales,
      params->sigma, params->upsample);
  g_clear_pointer (&self->sift, mgpu_object_free);
  self->sift = mgpu_object_new (&mgpu_sift, base->context, &self->luma.info,
      NULL, NULL, params, error);
  self->built = *params;
  return self->sift != NULL;
}

static gboolean
gst_mgpu_sift_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);

  return gst_mgpu_luma_prepare (&self->luma, &filter->input, error)
      && prepare_sift (self, error);
}

/* Sets *@n to the number of given keypoints that are used, at most "max-features". Returns: the
 * keypoints already attached to the current frame */
static const GstMgpuKeypoint *
get_given (GstMgpuSift * self, guint * n)
{
  guint most = get_params (self)->sift.max_features;
  gsize size;
  const GstMgpuKeypoint *points = g_bytes_get_data (self->given, &size);

  size /= sizeof (*points);
  *n = most > 0 ? MIN (size, most) : size;
  return points;
}

/* Returns: the number of keypoints that fit into the buffers of the current frame */
static gsize
get_room (GstMgpuSift * self)
{
  guint n;

  if (self->given == NULL)
    return mgpu_sift_get_room (self->sift, &get_params (self)->sift);
  get_given (self, &n);
  self->room = MAX (self->room, n / GIVEN_STEP * GIVEN_STEP + GIVEN_STEP);
  return self->room;
}

/* Gets the buffers for keypoints and descriptors of the current frame. */
static gboolean
acquire_tables (GstMgpuSift * self, GError ** error)
{
  const MgpuSiftParams *params = &get_params (self)->sift;
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  gsize room = get_room (self);
  gboolean describes = params->descriptor != GST_MGPU_DESCRIPTOR_TYPE_NONE;

  self->keypoints = gst_mgpu_device_base_acquire_table (base,
      &self->keypoint_pool, sizeof (GstMgpuKeypointHeader)
      + room * sizeof (GstMgpuKeypoint), error);
  if (self->keypoints != NULL && describes)
    self->descriptors = gst_mgpu_device_base_acquire_table (base,
        &self->descriptor_pool, room * GST_MGPU_DESCRIPTOR_SIZE, error);
  return self->keypoints != NULL && (self->descriptors != NULL || !describes);
}

/* Posts a warning, once, if no descriptors can be computed for some of the given keypoints. */
static void
check_given (GstMgpuSift * self)
{
  guint n, n_odd = 0;
  const GstMgpuKeypoint *points = get_given (self, &n);

  for (guint i = 0; i < n; i++)
    n_odd += !mgpu_sift_can_describe (&points[i]);
  if (n_odd == 0 || self->warned_odd)
    return;
  self->warned_odd = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("%s: %u of the %u keypoints of a frame get descriptors of zeros, "
          "because x, y or size is not a finite number, or size is not above "
          "0: correct these keypoints",
          GST_OBJECT_NAME (self), n_odd, n), (NULL));
}

/* Reads the keypoints that are attached to the frame @in; blocks until the device has
 * computed them. Returns: FALSE without an error if there are none, and FALSE with the error
 * set if they cannot be read */
static gboolean
find_given (GstMgpuSift * self, GstBuffer * in, GError ** error)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (in);

  if (meta == NULL) {
    if (!self->warned_none)
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("%s: a frame has no keypoints and passes unchanged: with "
              "points=given, the application or an element before this one "
              "has to attach keypoints", GST_OBJECT_NAME (self)), (NULL));
    self->warned_none = TRUE;
    return FALSE;
  }
  self->given = gst_mgpu_keypoint_meta_get_keypoints (meta);
  if (self->given == NULL) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the keypoints of a frame cannot be read, because the device failed to "
        "compute or to transfer them: GST_DEBUG=1 shows what failed");
    return FALSE;
  }
  GST_MGPU_LOG_OBJECT (self,
      "computing descriptors for the %" G_GSIZE_FORMAT " keypoints "
      "that are attached to the frame",
      g_bytes_get_size (self->given) / sizeof (GstMgpuKeypoint));
  check_given (self);
  return TRUE;
}

static gboolean
gst_mgpu_sift_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  const Params *params = get_params (self);

  g_clear_pointer (&self->given, g_bytes_unref);
  if (!gst_mgpu_filter_is_due (filter, params->frame_interval))
    return FALSE;
  if (params->points == GST_MGPU_SIFT_POINTS_GIVEN)
    return find_given (self, in, error);
  return gst_mgpu_sift_regions_find (&self->regions, &filter->input,
      &filter->watch, in, params->roi_type, params->mask_location,
      &self->region, error);
}

static void
gst_mgpu_sift_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  const MgpuSiftParams *params = &get_params (self)->sift;
  MgpuSiftTables tables = { NULL, };
  const MgpuImage *picture;
  GError *error = NULL;
  gboolean ok;
  MgpuImage luma;

  gst_clear_buffer (&self->keypoints);
  gst_clear_buffer (&self->descriptors);
  ok = prepare_sift (self, &error) && acquire_tables (self, &error);
  if (ok && self->given == NULL) {
    tables.report = next_report (self, &error);
    ok = tables.report != NULL;
  }
  if (!ok) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  GST_MGPU_LOG_OBJECT (self, "searching for up to %u keypoints (0 = no limit) "
      "in %dx%d pixels of the frame, in %u regions of interest (0 = "
      "everywhere)", params->max_features,
      self->region.width, self->region.height, self->region.n_rectangles);
  self->type = params->descriptor;
  tables.keypoints = gst_mgpu_peek_table (self->keypoints);
  tables.descriptors = gst_mgpu_peek_table (self->descriptors);
  picture = gst_mgpu_luma_enqueue (&self->luma, job, work->in, &luma);
  if (self->given != NULL) {
    guint n;
    const GstMgpuKeypoint *points = get_given (self, &n);

    mgpu_sift_enqueue_given (self->sift, job, params, picture, points, n,
        &tables);
  } else {
    mgpu_sift_enqueue (self->sift, job, params, picture, &self->region,
        &tables);
  }
}

static gboolean
gst_mgpu_sift_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  Report *report = &self->reports[self->next_report];

  if (self->given == NULL
      && !gst_mgpu_memory_fetch ((GstMgpuMemory *) report->memory, error))
    return FALSE;
  GST_MGPU_LOG_OBJECT (self, "attaching keypoints to %" GST_PTR_FORMAT "; the "
      "device has not yet determined their number", buffer);
  gst_buffer_add_mgpu_keypoint_meta (buffer,
      g_steal_pointer (&self->keypoints), self->type,
      g_steal_pointer (&self->descriptors));
  if (self->given == NULL) {
    report->pending = TRUE;
    self->next_report = (self->next_report + 1) % MAX_PENDING;
  }
  return TRUE;
}

static gboolean
gst_mgpu_sift_start (GstBaseTransform * trans)
{
  GstMgpuSift *self = GST_MGPU_SIFT (trans);

  self->warned_full = self->warned_none = self->warned_odd = FALSE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans);
}

static gboolean
gst_mgpu_sift_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    read_reports (GST_MGPU_SIFT (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static void
gst_mgpu_sift_init (GstMgpuSift * self)
{
}

static void
gst_mgpu_sift_class_init (GstMgpuSiftClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  trans_class->start = gst_mgpu_sift_start;
  trans_class->sink_event = gst_mgpu_sift_sink_event;
  filter_class->prepare = gst_mgpu_sift_prepare;
  filter_class->unprepare = gst_mgpu_sift_unprepare;
  filter_class->passes = gst_mgpu_filter_passes_all;
  filter_class->looks = gst_mgpu_sift_looks;
  filter_class->enqueue = gst_mgpu_sift_enqueue;
  filter_class->attach = gst_mgpu_sift_attach;

  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_DESCRIPTOR_TYPE, 0);
  gst_mgpu_filter_class_set_params (filter_class,
      gst_mgpu_params_join (mgpu_sift.params, params, 0), sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL SIFT", "Filter/Analyzer/Video",
      "Finds scale-invariant keypoints (SIFT), and attaches them and their "
      "descriptors to frames", "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpusift
 * @title: mgpusift
 * @short_description: finds SIFT keypoints, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstMgpuKeypointMeta: points that are found
 * again in other pictures of the same thing, however large, turned or bright it
 * is there, and descriptors that tell the points apart. Keypoints and
 * descriptors are those that OpenCV finds.
 *
 * The element does not wait for the device: the first read of the meta does.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=smpte ! mgpusift max-features=500 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>
#include <gst/frame/gstmgpuparams.h>

#include <string.h>

#include <gst/vision/sift/sift.h>

#include "elements.h"
#include "gstmgpuluma.h"
#include "gstmgpusiftregion.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_sift_debug);
#define GST_CAT_DEFAULT gst_mgpu_sift_debug

/* Number of frames that may lack their report because the device is still at work; with
 * one more, the element waits for the oldest report. */
#define MAX_PENDING 4

/* Holds the parameters of the algorithm (the member sift) and those of the element. */
typedef struct
{
  MgpuSiftParams sift;
  guint frame_interval;
  gchar *roi_type, *mask_location;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"frame-interval", MGPU_PARAM_UINT, MEMBER (frame_interval), 1, G_MAXINT, 1,
      NULL, "Only every n-th frame is looked at"},
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of the regions of interest in which keypoints count, with commas "
        "between them (* = any, NULL = everywhere)"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (mask_location), 0, 0, 0, NULL,
      "PNG, JPEG or PGM image, bright where keypoints count (NULL = none)"},
  {NULL}
};

#define GST_TYPE_MGPU_SIFT (gst_mgpu_sift_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuSift, gst_mgpu_sift, GST, MGPU_SIFT,
    GstMgpuFilter);

/* Holds the report of a frame: memory of the device with the first two numbers of a
 * GstMgpuKeypointHeader, the keypoints kept and the keypoints lost */
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
  MgpuSiftRegion region;        /* part of the current frame to search in */

  Report reports[MAX_PENDING];
  guint next_report;            /* index of the oldest report, which is used next */
  gboolean said_full;

  GstMgpuLuma luma;
  MgpuSift *sift;
  MgpuSiftParams built;         /* parameters that sift was made for */
  GstBufferPool *keypoint_pool, *descriptor_pool;

  /* Results of the current frame, from enqueue() to attach() */
  GstBuffer *keypoints, *descriptors;
  GstMgpuDescriptorType type;
};

#define gst_mgpu_sift_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstMgpuSift, gst_mgpu_sift, GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_sift_debug, "mgpusift", 0,
        "SIFT keypoints on OpenCL"));

/* Returns: the parameters of the current frame */
static const Params *
get_params (GstMgpuSift * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* Waits for a report, and posts a warning if keypoints were lost; only once, because later
 * frames will probably lose keypoints, too. */
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

/* Returns: (nullable): the memory in which kernels report how many keypoints the current frame
 * has. It is read only after gst_mgpu_sift_attach(), which is called when the work was
 * enqueued without an error */
static GstMgpuMemory *
next_report (GstMgpuSift * self, GError ** error)
{
  Report *report = &self->reports[self->next_report];

  read_report (self, report);
  if (report->memory == NULL)
    report->memory = gst_mgpu_memory_new (GST_MGPU_FILTER (self)->user.queue,
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
  gst_mgpu_sift_regions_release (&self->regions);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->sift, mgpu_object_free);
  gst_mgpu_clear_pool (&self->keypoint_pool);
  gst_mgpu_clear_pool (&self->descriptor_pool);
}

/* Makes the kernels and their memory, again when the parameters ask for another scale
 * space. */
static gboolean
prepare_sift (GstMgpuSift * self, GError ** error)
{
  const MgpuSiftParams *params = &get_params (self)->sift;
  const MgpuSiftParams *built = &self->built;
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;

  if (self->sift != NULL && params->upsample == built->upsample
      && params->octaves == built->octaves && params->scales == built->scales
      && params->sigma == built->sigma)
    return TRUE;
  g_clear_pointer (&self->sift, mgpu_object_free);
  self->sift = mgpu_object_new (&mgpu_sift, user->context, &self->luma.info,
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

/* Gets the buffers for keypoints and descriptors. */
static gboolean
acquire_tables (GstMgpuSift * self, GError ** error)
{
  const MgpuSiftParams *params = &get_params (self)->sift;
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;
  gsize room = mgpu_sift_get_room (self->sift, params);
  gboolean describes = params->descriptor != GST_MGPU_DESCRIPTOR_TYPE_NONE;

  self->keypoints = gst_mgpu_device_user_acquire_table (user,
      &self->keypoint_pool, sizeof (GstMgpuKeypointHeader)
      + room * sizeof (GstMgpuKeypoint), error);
  if (self->keypoints != NULL && describes)
    self->descriptors = gst_mgpu_device_user_acquire_table (user,
        &self->descriptor_pool, room * GST_MGPU_DESCRIPTOR_SIZE, error);
  return self->keypoints != NULL && (self->descriptors != NULL || !describes);
}

static gboolean
gst_mgpu_sift_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  const Params *params = get_params (self);

  return gst_mgpu_filter_is_due (filter, params->frame_interval)
      && gst_mgpu_sift_regions_find (&self->regions, &filter->input, in,
      params->roi_type, params->mask_location, &self->region, error);
}

static void
gst_mgpu_sift_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuSift *self = GST_MGPU_SIFT (filter);
  const MgpuSiftParams *params = &get_params (self)->sift;
  MgpuSiftTables tables = { NULL, };
  GError *error = NULL;
  MgpuImage luma;

  gst_clear_buffer (&self->keypoints);
  gst_clear_buffer (&self->descriptors);
  if (prepare_sift (self, &error) && acquire_tables (self, &error))
    tables.report = next_report (self, &error);
  if (tables.report == NULL) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  self->type = params->descriptor;
  tables.keypoints = gst_mgpu_peek_table (self->keypoints);
  tables.descriptors = gst_mgpu_peek_table (self->descriptors);
  mgpu_sift_enqueue (self->sift, job, params,
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
  /* Removes the meta that an element upstream attached. */
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
      gst_mgpu_params_join (mgpu_sift.params, params), sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL SIFT", "Filter/Analyzer/Video",
      "Attaches scale invariant keypoints and their descriptors",
      "The gst-mgpu authors");
}

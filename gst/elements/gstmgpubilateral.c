/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpubilateral
 * @title: mgpubilateral
 * @short_description: smooths areas and keeps edges, on an OpenCL device
 *
 * Replaces each sample by a mean of the samples in a disc around it, in which
 * near samples and samples of similar value weigh most. Noise goes, edges stay.
 * Where the request pad guide is linked, the element compares the values of
 * that stream instead.
 *
 * Both pads take frames in system memory and in memory:OpenCLMemory; a chain of
 * mgpu elements passes frames on without copying them.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpubilateral sigma-color=50 sigma-space=4 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>
#include <gst/frame/gstmgpuguided.h>
#include <gst/frame/gstmgpuimport.h>

#include <gst/vision/bilateral/bilateral.h>

#include "elements.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_bilateral_debug);
#define GST_CAT_DEFAULT gst_mgpu_bilateral_debug

#define GST_TYPE_MGPU_BILATERAL (gst_mgpu_bilateral_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuBilateral, gst_mgpu_bilateral, GST, MGPU_BILATERAL,
    GstMgpuGuided);

struct _GstMgpuBilateral
{
  GstMgpuGuided parent;

  MgpuObject *bilateral;

  gboolean guided;              /* whether bilateral was built for guides */
  GstVideoInfo guide_info;      /* format of the guides that it was built for */
  GstBufferPool *guide_pool;    /* pool for guides that have to be copied to the device */
  /* The guide of the current frame: as it came, and on the device */
  GstBuffer *guide_frame, *imported;
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuBilateral, gst_mgpu_bilateral,
    GST_TYPE_MGPU_GUIDED,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_bilateral_debug, "mgpubilateral", 0,
        "Bilateral filter on OpenCL"));
#define parent_class gst_mgpu_bilateral_parent_class
static void
gst_mgpu_bilateral_unprepare (GstMgpuFilter * filter)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);

  g_clear_pointer (&self->bilateral, mgpu_object_free);
  gst_mgpu_clear_pool (&self->guide_pool);
}

/* Builds the kernels for frames of the format info. The parameter guide is (nullable): the
 * format of guides, NULL where there are none. */
static gboolean
build (GstMgpuBilateral * self, GstMgpuContext * context,
    const GstVideoInfo * info, const GstVideoInfo * guide, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  gst_mgpu_bilateral_unprepare (filter);
  self->guided = guide != NULL;
  if (guide != NULL) {
    self->guide_info = *guide;
    if (!gst_mgpu_device_user_check_size (&filter->user, guide, error))
      return FALSE;
  }
  self->bilateral = mgpu_object_new (&mgpu_bilateral, context, info, guide,
      &filter->out_info, filter->frame_params, error);
  return self->bilateral != NULL;
}

static gboolean
gst_mgpu_bilateral_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);

  /* Builds nothing yet where guides come: their format is known with the first one. */
  return gst_mgpu_guided_has_pad (GST_MGPU_GUIDED (self))
      || build (self, context, info, NULL, error);
}

static GstFlowReturn
gst_mgpu_bilateral_begin (GstMgpuFilter * filter, GstBuffer * in)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);
  GError *error = NULL;
  GstVideoInfo info;
  GstFlowReturn ret = gst_mgpu_guided_take (GST_MGPU_GUIDED (self), in,
      &self->guide_frame, &info);
  gboolean guided;

  if (ret != GST_FLOW_OK)
    return ret;
  guided = self->guide_frame != NULL;
  if (self->bilateral != NULL && self->guided == guided
      && (!guided || gst_video_info_is_equal (&self->guide_info, &info)))
    return GST_FLOW_OK;
  if (build (self, filter->user.context, &filter->user.info,
          guided ? &info : NULL, &error))
    return GST_FLOW_OK;
  return gst_mgpu_device_user_fail (&filter->user, error);
}

static void
gst_mgpu_bilateral_end (GstMgpuFilter * filter)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);

  if (self->imported != NULL)
    gst_mgpu_import_done (&filter->user, g_steal_pointer (&self->imported));
  gst_clear_buffer (&self->guide_frame);
}

/* Brings the guide of the current frame to the device. Returns: FALSE after an error,
 * which is in job */
static gboolean
import_guide (GstMgpuBilateral * self, GstMgpuJob * job, MgpuImage * image)
{
  /* Copies the struct with the filter's device and pool, and gives the copy the format
   * and the pool of guide frames. */
  GstMgpuDeviceUser user = GST_MGPU_FILTER (self)->user;
  GError *error = NULL;

  user.info = self->guide_info;
  user.import_pool = self->guide_pool;
  self->imported = gst_mgpu_import (&user, self->guide_frame, &error);
  self->guide_pool = user.import_pool;
  GST_MGPU_FILTER (self)->user.said_foreign = user.said_foreign;
  if (self->imported == NULL)
    gst_mgpu_job_fail (job, error);
  return self->imported != NULL
      && mgpu_image_from_buffer (image, self->imported, &self->guide_info);
}

static void
gst_mgpu_bilateral_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);
  MgpuImage guide;
  const MgpuWork work = {
    filter->frame_params, in, self->guided ? &guide : NULL, out
  };

  if (!self->guided || import_guide (self, job, &guide))
    mgpu_bilateral.enqueue (self->bilateral, job, &work);
}

static void
gst_mgpu_bilateral_init (GstMgpuBilateral * self)
{
}

static void
gst_mgpu_bilateral_class_init (GstMgpuBilateralClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  filter_class->begin = gst_mgpu_bilateral_begin;
  filter_class->end = gst_mgpu_bilateral_end;
  filter_class->prepare = gst_mgpu_bilateral_prepare;
  filter_class->unprepare = gst_mgpu_bilateral_unprepare;
  filter_class->enqueue = gst_mgpu_bilateral_enqueue;

  gst_mgpu_filter_class_set_params (filter_class, mgpu_bilateral.params,
      mgpu_bilateral.params_size);
  gst_mgpu_guided_class_add_pad (element_class, "guide",
      GST_MGPU_CAPS_DEVICE "; " GST_MGPU_CAPS_HOST);

  gst_element_class_set_static_metadata (element_class,
      "OpenCL bilateral filter", "Filter/Effect/Video",
      "Smooths areas and keeps edges, on an OpenCL device",
      "The gst-mgpu authors");
}

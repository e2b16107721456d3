/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuupload
 * @title: mgpuupload
 * @short_description: moves frames to an OpenCL device
 *
 * Every mgpu element takes frames in system memory. mgpuupload sets the place in
 * a pipeline where frames go to the device, and shows the cost in
 * #GstMgpuFilter:stats. Frames that are on the device already, or that the
 * device can use where they lie, pass without a copy.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuupload ! mgpubilateral ! mgpuhisteq ! mgpudownload ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>

#include "elements.h"

typedef GstMgpuFilter GstMgpuUpload;
typedef GstMgpuFilterClass GstMgpuUploadClass;

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_DEVICE));

#define gst_mgpu_upload_parent_class parent_class
G_DEFINE_TYPE (GstMgpuUpload, gst_mgpu_upload, GST_TYPE_MGPU_FILTER);

static gboolean
gst_mgpu_upload_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  /* Removes downstream's pools: a copy counts for the element that made the memory, which
   * has to be this one. */
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (trans,
      query);
}

static GstFlowReturn
gst_mgpu_upload_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GError *error = NULL;
  GstMgpuJob job;

  /* Makes a device with memory of its own start to fetch the frame now. */
  gst_mgpu_job_begin (&job, filter->user.queue, filter->user.stats);
  gst_mgpu_job_read (&job, (GstMgpuMemory *) gst_buffer_peek_memory (out, 0));
  if (!gst_mgpu_job_end (&job, &error))
    return gst_mgpu_device_user_fail (&filter->user, error);
  gst_mgpu_stats_add (filter->user.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static void
gst_mgpu_upload_init (GstMgpuUpload * self)
{
}

static void
gst_mgpu_upload_class_init (GstMgpuUploadClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  trans_class->decide_allocation = gst_mgpu_upload_decide_allocation;
  trans_class->transform = gst_mgpu_upload_transform;
  klass->passes = gst_mgpu_filter_passes_all;
  klass->is_needed = TRUE;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "OpenCL uploader",
      "Filter/Video", "Moves frames to an OpenCL device",
      "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuupload
 * @title: mgpuupload
 * @short_description: moves frames to an OpenCL device
 *
 * Every mgpu element accepts frames in system memory. With mgpuupload, the pipeline description
 * shows where frames are uploaded to the device, and the element reports the time in
 * #GstMgpuFilter:stats. Frames that are on the device already, or that the device can use in
 * place, pass without a copy. With GStreamer 1.24 and later, the element also accepts caps of
 * dma-bufs with a linear layout and of CUDA memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuupload ! mgpubilateral ! mgpuhisteq ! mgpudownload ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include "gstmgputransfer.h"

#include <gst/frame/gstmgpucaps.h>

#include <gst/elements/elements.h>
#include "gstmgpudrmcaps.h"

typedef GstMgpuTransfer GstMgpuUpload;
typedef GstMgpuFilterClass GstMgpuUploadClass;

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_DEVICE));

#define gst_mgpu_upload_parent_class parent_class
G_DEFINE_TYPE (GstMgpuUpload, gst_mgpu_upload, GST_TYPE_MGPU_FILTER);

#if GST_CHECK_VERSION (1, 24, 0)
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_ALL "; "
        GST_MGPU_CAPS_SHARED));

static gboolean
gst_mgpu_upload_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  g_autoptr (GstCaps) caps = gst_mgpu_caps_from_drm (gst_caps_ref (in_caps));
  gboolean ok = GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans,
      caps, out_caps);

  gst_mgpu_cuda_base_reset (&((GstMgpuUpload *) trans)->cuda);
  return ok;
}

static gboolean
gst_mgpu_upload_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (gst_mgpu_caps_are_cuda (caps))
    gst_mgpu_cuda_base_propose_pool (&((GstMgpuUpload *) trans)->cuda, query,
        caps);
  else if (caps == NULL || !gst_video_is_dma_drm_caps (caps))
    return GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
        decide_query, query);
  /* Proposes no buffer pool for dma-bufs, because upstream allocates them itself. */
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}
#endif

static gboolean
gst_mgpu_upload_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  /* Removes the buffer pools that downstream offers. An upload is counted for the element whose
   * pool allocated the memory, and this has to be this element. */
  GST_MGPU_DEBUG_OBJECT (trans, "using a new pool instead of one of the %u "
      "pools that downstream offers", gst_query_get_n_allocation_pools (query));
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (trans,
      query);
}

static GstFlowReturn
gst_mgpu_upload_prepare_output_buffer (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer ** out)
{
  GstMgpuUpload *self = (GstMgpuUpload *) trans;
  GstBuffer *copy = gst_mgpu_cuda_base_copy (&self->cuda, in,
      &self->filter.input.info);
  GstFlowReturn ret = GST_BASE_TRANSFORM_CLASS (parent_class)
      ->prepare_output_buffer (trans, copy != NULL ? copy : in, out);

  if (copy != NULL)
    GST_MGPU_LOG_OBJECT (self, "CUDA copied %" GST_PTR_FORMAT " to memory that OpenCL imports",
        in);
  gst_clear_buffer (&copy);
  return ret;
}

static GstFlowReturn
gst_mgpu_upload_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GError *error = NULL;
  GstMgpuJob job;

  /* Starts the upload of the frame if the device does not share memory with the host. */
  GST_MGPU_LOG_OBJECT (trans, "%" GST_PTR_FORMAT " becomes %" GST_PTR_FORMAT
      " on the device", in, out);
  gst_mgpu_job_begin (&job, filter->base.queue, filter->base.stats);
  gst_mgpu_job_read (&job, (GstMgpuMemory *) gst_buffer_peek_memory (out, 0));
  if (!gst_mgpu_job_end (&job, &error))
    return gst_mgpu_device_base_fail (&filter->base, error);
  gst_mgpu_stats_add (filter->base.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static void
gst_mgpu_upload_init (GstMgpuUpload * self)
{
  gst_mgpu_transfer_init (self, GST_PAD_SINK);
}

static void
gst_mgpu_upload_class_init (GstMgpuUploadClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_mgpu_transfer_class_init (klass);
#if GST_CHECK_VERSION (1, 24, 0)
  trans_class->set_caps = gst_mgpu_upload_set_caps;
  trans_class->propose_allocation = gst_mgpu_upload_propose_allocation;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
#endif
  trans_class->decide_allocation = gst_mgpu_upload_decide_allocation;
  trans_class->prepare_output_buffer = gst_mgpu_upload_prepare_output_buffer;
  trans_class->transform = gst_mgpu_upload_transform;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "OpenCL uploader",
      "Filter/Video", "Moves frames to an OpenCL device",
      "The gst-mgpu authors");
}

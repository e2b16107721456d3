/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpudownload
 * @title: mgpudownload
 * @short_description: moves frames from an OpenCL device to system memory
 *
 * Every mgpu element gives frames that any element can read; the first read
 * copies the frame from the device. mgpudownload sets the place in a pipeline
 * where frames leave the device, waits for them, and shows the cost in
 * #GstMgpuFilter:stats. Where device and host share memory, or the frame is in
 * system memory already, nothing is copied.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuupload ! mgpubilateral ! mgpuhisteq ! mgpudownload ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>

#include <gst/frame/gstmgpuinput.h>

#include "elements.h"

typedef GstMgpuFilter GstMgpuDownload;
typedef GstMgpuFilterClass GstMgpuDownloadClass;

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_MGPU_CAPS_HOST));

#define gst_mgpu_download_parent_class parent_class
G_DEFINE_TYPE (GstMgpuDownload, gst_mgpu_download, GST_TYPE_MGPU_FILTER);

static GstFlowReturn
gst_mgpu_download_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GError *error = NULL;
  GstVideoFrame frame;

  /* Waits by a map until the frame's bytes are in system memory, so that the next element
   * need not wait. Frames in flight are pushed only after that, and need no wait here. */
  if (gst_mgpu_output_get_max_in_flight (&filter->output) == 1) {
    if (!gst_mgpu_input_map (&filter->input.info, &frame, out, &error))
      return gst_mgpu_device_user_fail (&filter->user, error);
    gst_video_frame_unmap (&frame);
  }
  gst_mgpu_stats_add (filter->user.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static void
gst_mgpu_download_init (GstMgpuDownload * self)
{
}

static void
gst_mgpu_download_class_init (GstMgpuDownloadClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  trans_class->transform = gst_mgpu_download_transform;
  klass->passes = gst_mgpu_filter_passes_all;
  klass->is_needed = TRUE;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "OpenCL downloader",
      "Filter/Video", "Moves frames from an OpenCL device to system memory",
      "The gst-mgpu authors");
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpusharpen
 * @title: mgpusharpen
 * @short_description: sharpens or blurs frames, on an OpenCL device
 *
 * Unsharp mask: adds to each sample a multiple of its difference from a
 * Gaussian of its surroundings. A negative multiple blurs; with -1 the Gaussian
 * alone is left.
 *
 * Both pads take frames in system memory and in memory:OpenCLMemory; a chain of
 * mgpu elements passes frames on without copying them.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 pattern=zone-plate kx2=20 ky2=20 ! mgpusharpen amount=1.5 sigma=2 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include "gstmgpufilter.h"

#include <gst/vision/sharpen.h>

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_sharpen_debug);
#define GST_CAT_DEFAULT gst_mgpu_sharpen_debug

#define DEFAULT_AMOUNT 1.0
#define DEFAULT_SIGMA 1.5
#define DEFAULT_THRESHOLD 0.0

enum
{
  PROP_0,
  PROP_AMOUNT,
  PROP_SIGMA,
  PROP_THRESHOLD
};

#define GST_TYPE_MGPU_SHARPEN (gst_mgpu_sharpen_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuSharpen, gst_mgpu_sharpen, GST, MGPU_SHARPEN,
    GstMgpuFilter);

struct _GstMgpuSharpen
{
  GstMgpuFilter parent;

  MgpuSharpenParams params;     /* under the object lock */
  MgpuSharpenParams frame_params;       /* of the frame that is worked on */
  MgpuSharpen *sharpen;
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuSharpen, gst_mgpu_sharpen,
    GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_sharpen_debug, "mgpusharpen", 0,
        "Unsharp mask on OpenCL"));
GST_ELEMENT_REGISTER_DEFINE (mgpusharpen, "mgpusharpen", GST_RANK_NONE,
    GST_TYPE_MGPU_SHARPEN);

static gboolean
gst_mgpu_sharpen_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (filter);

  self->sharpen = mgpu_sharpen_new (context, info, error);
  return self->sharpen != NULL;
}

static void
gst_mgpu_sharpen_unprepare (GstMgpuFilter * filter)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (filter);

  g_clear_pointer (&self->sharpen, mgpu_sharpen_free);
}

static gboolean
gst_mgpu_sharpen_passes (GstMgpuFilter * filter)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (filter);

  GST_OBJECT_LOCK (self);
  self->frame_params = self->params;
  GST_OBJECT_UNLOCK (self);
  return self->frame_params.amount == 0 || self->frame_params.sigma == 0;
}

static void
gst_mgpu_sharpen_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (filter);

  mgpu_sharpen_enqueue (self->sharpen, job, &self->frame_params, in, out);
}

static void
gst_mgpu_sharpen_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_AMOUNT:
      self->params.amount = g_value_get_double (value);
      break;
    case PROP_SIGMA:
      self->params.sigma = g_value_get_double (value);
      break;
    case PROP_THRESHOLD:
      self->params.threshold = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_sharpen_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuSharpen *self = GST_MGPU_SHARPEN (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_AMOUNT:
      g_value_set_double (value, self->params.amount);
      break;
    case PROP_SIGMA:
      g_value_set_double (value, self->params.sigma);
      break;
    case PROP_THRESHOLD:
      g_value_set_double (value, self->params.threshold);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_sharpen_init (GstMgpuSharpen * self)
{
  self->params.amount = DEFAULT_AMOUNT;
  self->params.sigma = DEFAULT_SIGMA;
  self->params.threshold = DEFAULT_THRESHOLD;
}

static void
gst_mgpu_sharpen_class_init (GstMgpuSharpenClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  object_class->set_property = gst_mgpu_sharpen_set_property;
  object_class->get_property = gst_mgpu_sharpen_get_property;
  filter_class->prepare = gst_mgpu_sharpen_prepare;
  filter_class->unprepare = gst_mgpu_sharpen_unprepare;
  filter_class->passes = gst_mgpu_sharpen_passes;
  filter_class->enqueue = gst_mgpu_sharpen_enqueue;

  /**
   * GstMgpuSharpen:amount:
   *
   * How much of the difference between a sample and the Gaussian is added to
   * it, in steps of 1/1024. Above 0 sharpens, below blurs: -1 leaves the
   * Gaussian alone. With 0 frames pass as they are.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_AMOUNT,
      g_param_spec_double ("amount", "Amount",
          "How much of the difference from the Gaussian is added "
          "(-1 = the Gaussian alone, 0 = frames pass as they are)",
          MGPU_SHARPEN_MIN_AMOUNT, MGPU_SHARPEN_MAX_AMOUNT, DEFAULT_AMOUNT,
          GST_MGPU_LIVE));

  /**
   * GstMgpuSharpen:sigma:
   *
   * Standard deviation of the Gaussian, in pixels: about the size of the detail
   * that is sharpened. With 0 frames pass as they are.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SIGMA,
      g_param_spec_double ("sigma", "Sigma",
          "Standard deviation of the Gaussian, in pixels (0 = frames pass as "
          "they are)", 0.0, MGPU_SHARPEN_MAX_SIGMA, DEFAULT_SIGMA,
          GST_MGPU_LIVE));

  /**
   * GstMgpuSharpen:threshold:
   *
   * Samples that differ less from the Gaussian stay as they are, so that noise
   * is not sharpened; in 8-bit steps for every bit depth.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_THRESHOLD,
      g_param_spec_double ("threshold", "Threshold",
          "Samples that differ less from the Gaussian stay as they are, in "
          "8-bit steps for every bit depth", 0.0, 255.0, DEFAULT_THRESHOLD,
          GST_MGPU_LIVE));

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL unsharp mask", "Filter/Effect/Video",
      "Sharpens or blurs frames, on an OpenCL device",
      "The gst-mgpu authors");
}

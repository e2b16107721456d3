/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuhisteq
 * @title: mgpuhisteq
 * @short_description: spreads the values of a frame over the whole range, on
 *   an OpenCL device
 *
 * Global histogram equalization: afterwards all brightnesses are about equally
 * frequent, so that detail shows in frames that are too dark, too bright or
 * flat.
 *
 * Both pads take frames in system memory and in memory:OpenCLMemory; a chain of
 * mgpu elements passes frames on without copying them.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 pattern=ball ! videobalance contrast=0.3 ! mgpuhisteq ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include "gstmgpufilter.h"

#include <gst/vision/histeq.h>

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_histeq_debug);
#define GST_CAT_DEFAULT gst_mgpu_histeq_debug

#define DEFAULT_CHANNELS MGPU_HISTEQ_LUMA

#define GST_TYPE_MGPU_HISTEQ_CHANNELS (gst_mgpu_histeq_channels_get_type ())

static GType
gst_mgpu_histeq_channels_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {MGPU_HISTEQ_LUMA, "Luma; the colours stay", "luma"},
    {MGPU_HISTEQ_EACH, "Red, green and blue each by itself", "each"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHisteqChannels",
            values));
  return type;
}

enum
{
  PROP_0,
  PROP_CHANNELS
};

#define GST_TYPE_MGPU_HISTEQ (gst_mgpu_histeq_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuHisteq, gst_mgpu_histeq, GST, MGPU_HISTEQ,
    GstMgpuFilter);

struct _GstMgpuHisteq
{
  GstMgpuFilter parent;

  MgpuHisteqParams params;      /* under the object lock */
  MgpuHisteq *histeq;
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuHisteq, gst_mgpu_histeq, GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_histeq_debug, "mgpuhisteq", 0,
        "Histogram equalization on OpenCL"));
GST_ELEMENT_REGISTER_DEFINE (mgpuhisteq, "mgpuhisteq", GST_RANK_NONE,
    GST_TYPE_MGPU_HISTEQ);

static gboolean
gst_mgpu_histeq_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (filter);

  self->histeq = mgpu_histeq_new (context, info, error);
  return self->histeq != NULL;
}

static void
gst_mgpu_histeq_unprepare (GstMgpuFilter * filter)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (filter);

  g_clear_pointer (&self->histeq, mgpu_histeq_free);
}

static void
gst_mgpu_histeq_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (filter);
  MgpuHisteqParams params;

  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);
  mgpu_histeq_enqueue (self->histeq, job, &params, in, out);
}

static void
gst_mgpu_histeq_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (object);

  switch (id) {
    case PROP_CHANNELS:
      GST_OBJECT_LOCK (self);
      self->params.channels = g_value_get_enum (value);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_mgpu_histeq_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (object);

  switch (id) {
    case PROP_CHANNELS:
      GST_OBJECT_LOCK (self);
      g_value_set_enum (value, self->params.channels);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_mgpu_histeq_init (GstMgpuHisteq * self)
{
  self->params.channels = DEFAULT_CHANNELS;
}

static void
gst_mgpu_histeq_class_init (GstMgpuHisteqClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  object_class->set_property = gst_mgpu_histeq_set_property;
  object_class->get_property = gst_mgpu_histeq_get_property;
  filter_class->prepare = gst_mgpu_histeq_prepare;
  filter_class->unprepare = gst_mgpu_histeq_unprepare;
  filter_class->enqueue = gst_mgpu_histeq_enqueue;

  /**
   * GstMgpuHisteq:channels:
   *
   * What is equalized in an RGB frame. Of YUV frames it is always luma.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CHANNELS,
      g_param_spec_enum ("channels", "Channels",
          "What is equalized in an RGB frame; of YUV frames it is always luma",
          GST_TYPE_MGPU_HISTEQ_CHANNELS, DEFAULT_CHANNELS,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING));

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL histogram equalization", "Filter/Effect/Video",
      "Spreads the values of a frame over the whole range, on an OpenCL device",
      "The gst-mgpu authors");
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HISTEQ_CHANNELS, 0);
}

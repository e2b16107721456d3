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
 * Histogram equalization: afterwards all brightnesses are about equally
 * frequent, so that detail shows in frames that are too dark, too bright or
 * flat. #GstMgpuHisteq:method says whether that holds for the whole frame or for
 * each part of it, with limits to contrast (CLAHE).
 *
 * Both pads take frames in system memory and in memory:OpenCLMemory; a chain of
 * mgpu elements passes frames on without copying them.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 pattern=ball ! videobalance contrast=0.3 ! mgpuhisteq ! videoconvert ! autovideosink
 * gst-launch-1.0 videotestsrc num-buffers=60 pattern=zone-plate ! videobalance contrast=0.3 ! mgpuhisteq method=clahe clip-limit=4 temporal-smoothing=0.9 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpufilter.h>

#include <gst/vision/histeq/histeq.h>

#include "elements.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_histeq_debug);
#define GST_CAT_DEFAULT gst_mgpu_histeq_debug

#define DEFAULT_METHOD MGPU_HISTEQ_GLOBAL
#define DEFAULT_CHANNELS MGPU_HISTEQ_LUMA
#define DEFAULT_CLIP_LIMIT 40.0
#define DEFAULT_TILES 8
#define DEFAULT_TEMPORAL_SMOOTHING 0.0

/* More clips nothing, with 65536 bins. */
#define MAX_CLIP_LIMIT 65536.0

#define MAX_TILES 64

#define GST_TYPE_MGPU_HISTEQ_METHOD (gst_mgpu_histeq_method_get_type ())

static GType
gst_mgpu_histeq_method_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {MGPU_HISTEQ_GLOBAL, "The whole frame alike", "global"},
    {MGPU_HISTEQ_CLAHE, "Each part of the frame, with limited contrast",
        "clahe"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHisteqMethod",
            values));
  return type;
}

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
  PROP_METHOD,
  PROP_CHANNELS,
  PROP_CLIP_LIMIT,
  PROP_TILES_X,
  PROP_TILES_Y,
  PROP_TEMPORAL_SMOOTHING
};

#define gst_mgpu_histeq_parent_class parent_class

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
static MgpuHisteqParams
get_params (GstMgpuHisteq * self)
{
  MgpuHisteqParams params;

  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);
  return params;
}

static gboolean
gst_mgpu_histeq_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (filter);

  MgpuHisteqParams params = get_params (self);

  self->histeq = mgpu_histeq_new (context, info, &params, error);
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
  MgpuHisteqParams params = get_params (self);

  mgpu_histeq_enqueue (self->histeq, job, &params, in, out);
}

/* The next frame has nothing to do with those before. */
static void
gst_mgpu_histeq_forget (GstMgpuHisteq * self)
{
  if (self->histeq != NULL)
    mgpu_histeq_reset (self->histeq);
}

static gboolean
gst_mgpu_histeq_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    gst_mgpu_histeq_forget (GST_MGPU_HISTEQ (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static void
gst_mgpu_histeq_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  if (GST_BUFFER_IS_DISCONT (buffer)
      || gst_mgpu_filter_is_resting (GST_MGPU_FILTER (trans)))
    gst_mgpu_histeq_forget (GST_MGPU_HISTEQ (trans));
}

static void
gst_mgpu_histeq_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuHisteq *self = GST_MGPU_HISTEQ (object);
  MgpuHisteqParams *params = &self->params;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_METHOD:
      params->method = g_value_get_enum (value);
      break;
    case PROP_CHANNELS:
      params->channels = g_value_get_enum (value);
      break;
    case PROP_CLIP_LIMIT:
      params->clahe.clip_limit = g_value_get_double (value);
      break;
    case PROP_TILES_X:
      params->clahe.tiles_x = g_value_get_uint (value);
      break;
    case PROP_TILES_Y:
      params->clahe.tiles_y = g_value_get_uint (value);
      break;
    case PROP_TEMPORAL_SMOOTHING:
      params->temporal_smoothing = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_histeq_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  MgpuHisteqParams params = get_params (GST_MGPU_HISTEQ (object));

  switch (id) {
    case PROP_METHOD:
      g_value_set_enum (value, params.method);
      break;
    case PROP_CHANNELS:
      g_value_set_enum (value, params.channels);
      break;
    case PROP_CLIP_LIMIT:
      g_value_set_double (value, params.clahe.clip_limit);
      break;
    case PROP_TILES_X:
      g_value_set_uint (value, params.clahe.tiles_x);
      break;
    case PROP_TILES_Y:
      g_value_set_uint (value, params.clahe.tiles_y);
      break;
    case PROP_TEMPORAL_SMOOTHING:
      g_value_set_double (value, params.temporal_smoothing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_mgpu_histeq_init (GstMgpuHisteq * self)
{
  self->params.method = DEFAULT_METHOD;
  self->params.channels = DEFAULT_CHANNELS;
  self->params.temporal_smoothing = DEFAULT_TEMPORAL_SMOOTHING;
  self->params.clahe.clip_limit = DEFAULT_CLIP_LIMIT;
  self->params.clahe.tiles_x = DEFAULT_TILES;
  self->params.clahe.tiles_y = DEFAULT_TILES;
}

static void
install_clahe_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuHisteq:clip-limit:
   *
   * How many times its share of a tile a value may count for, with the method
   * clahe: less keeps noise in even areas down, 0 limits nothing.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CLIP_LIMIT,
      g_param_spec_double ("clip-limit", "Clip limit",
          "clahe: how many times its share of a tile a value may count for; "
          "0: any", 0, MAX_CLIP_LIMIT, DEFAULT_CLIP_LIMIT, GST_MGPU_LIVE));

  /**
   * GstMgpuHisteq:tiles-x:
   *
   * Into how many tiles the width is divided, with the method clahe.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_TILES_X,
      g_param_spec_uint ("tiles-x", "Tiles in a row",
          "clahe: into how many tiles the width is divided", 1, MAX_TILES,
          DEFAULT_TILES, GST_MGPU_LIVE));

  /**
   * GstMgpuHisteq:tiles-y:
   *
   * Into how many tiles the height is divided, with the method clahe.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_TILES_Y,
      g_param_spec_uint ("tiles-y", "Tiles in a column",
          "clahe: into how many tiles the height is divided", 1, MAX_TILES,
          DEFAULT_TILES, GST_MGPU_LIVE));
}

static void
gst_mgpu_histeq_class_init (GstMgpuHisteqClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_mgpu_histeq_set_property;
  object_class->get_property = gst_mgpu_histeq_get_property;
  filter_class->prepare = gst_mgpu_histeq_prepare;
  filter_class->unprepare = gst_mgpu_histeq_unprepare;
  filter_class->enqueue = gst_mgpu_histeq_enqueue;
  trans_class->sink_event = gst_mgpu_histeq_sink_event;
  trans_class->before_transform = gst_mgpu_histeq_before_transform;

  /**
   * GstMgpuHisteq:method:
   *
   * Whether the whole frame is equalized alike or each part by itself.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_METHOD,
      g_param_spec_enum ("method", "Method",
          "Whether the whole frame is equalized alike or each part by itself",
          GST_TYPE_MGPU_HISTEQ_METHOD, DEFAULT_METHOD, GST_MGPU_LIVE));

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
          GST_TYPE_MGPU_HISTEQ_CHANNELS, DEFAULT_CHANNELS, GST_MGPU_LIVE));
  install_clahe_properties (object_class);

  /**
   * GstMgpuHisteq:temporal-smoothing:
   *
   * What the tables of earlier frames weigh, so that live video does not
   * flicker: 0 takes each frame by itself, 1 keeps the tables of the first. A
   * new scene, a flush and a discontinuity start anew.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_TEMPORAL_SMOOTHING,
      g_param_spec_double ("temporal-smoothing", "Temporal smoothing",
          "What earlier frames weigh in how this one is equalized", 0, 1,
          DEFAULT_TEMPORAL_SMOOTHING, GST_MGPU_LIVE));

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL histogram equalization", "Filter/Effect/Video",
      "Spreads the values of a frame over the whole range, on an OpenCL device",
      "The gst-mgpu authors");
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HISTEQ_METHOD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HISTEQ_CHANNELS, 0);
}

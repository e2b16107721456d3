/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpubilateral
 * @title: mgpubilateral
 * @short_description: smooths areas and keeps edges, on an OpenCL device
 *
 * Replaces each sample by a mean of those in a disc around it, in which near
 * samples and samples of similar value weigh most. Noise goes, edges stay.
 * Where the request pad guide is linked, it is the values of that stream that
 * have to be similar.
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

#define DEFAULT_SIGMA_COLOR 30.0
#define DEFAULT_SIGMA_SPACE 3.0
#define DEFAULT_RADIUS 0
#define DEFAULT_PLANES GST_MGPU_BILATERAL_PLANES_LUMA

#define DEFAULT_METHOD MGPU_BILATERAL_EXACT
#define DEFAULT_LEVELS 16

/* Below, no neighbour has any weight; above, every one has the same. */
#define MIN_SIGMA 0.01
#define MAX_SIGMA 1000.0

/**
 * GstMgpuBilateralPlanes:
 * @GST_MGPU_BILATERAL_PLANES_LUMA: filters luma and copies chroma
 * @GST_MGPU_BILATERAL_PLANES_ALL: filters luma and chroma
 *
 * Which planes of a YUV frame are filtered. RGB frames are always filtered
 * whole.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_MGPU_BILATERAL_PLANES_LUMA,
  GST_MGPU_BILATERAL_PLANES_ALL
} GstMgpuBilateralPlanes;

#define GST_TYPE_MGPU_BILATERAL_PLANES (gst_mgpu_bilateral_planes_get_type ())

static GType
gst_mgpu_bilateral_planes_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_BILATERAL_PLANES_LUMA, "Luma; chroma is copied", "luma"},
    {GST_MGPU_BILATERAL_PLANES_ALL, "Luma and chroma", "all"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuBilateralPlanes",
            values));
  return type;
}

/**
 * GstMgpuBilateralMethod:
 * @GST_MGPU_BILATERAL_METHOD_EXACT: every sample of the disc around each sample
 * @GST_MGPU_BILATERAL_METHOD_GRID: bilateral grid: near the exact one, fast
 *   however large sigma-space is
 * @GST_MGPU_BILATERAL_METHOD_CONSTANT_TIME: means for some levels, and between
 *   them: nearer to the exact one, at a cost that #GstMgpuBilateral:levels sets
 *
 * How the filter is computed.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_MGPU_BILATERAL_METHOD_EXACT = MGPU_BILATERAL_EXACT,
  GST_MGPU_BILATERAL_METHOD_GRID = MGPU_BILATERAL_GRID,
  GST_MGPU_BILATERAL_METHOD_CONSTANT_TIME = MGPU_BILATERAL_CONSTANT_TIME
} GstMgpuBilateralMethod;

#define GST_TYPE_MGPU_BILATERAL_METHOD (gst_mgpu_bilateral_method_get_type ())

static GType
gst_mgpu_bilateral_method_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_BILATERAL_METHOD_EXACT,
        "Every sample of the disc around each sample", "exact"},
    {GST_MGPU_BILATERAL_METHOD_GRID,
        "Bilateral grid, fast however large sigma-space is", "grid"},
    {GST_MGPU_BILATERAL_METHOD_CONSTANT_TIME,
        "Means for some levels, and between them", "constant-time"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuBilateralMethod",
            values));
  return type;
}

enum
{
  PROP_0,
  PROP_SIGMA_COLOR,
  PROP_SIGMA_SPACE,
  PROP_RADIUS,
  PROP_PLANES,
  PROP_METHOD,
  PROP_LEVELS
};

#define GST_TYPE_MGPU_BILATERAL (gst_mgpu_bilateral_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuBilateral, gst_mgpu_bilateral, GST, MGPU_BILATERAL,
    GstMgpuGuided);

struct _GstMgpuBilateral
{
  GstMgpuGuided parent;

  MgpuBilateralParams params;   /* under the object lock */
  MgpuBilateral *bilateral;

  gboolean guided;              /* bilateral is for guides like guide_info */
  GstVideoInfo guide_info;
  GstBufferPool *guide_pool;    /* for what the device cannot read in place */
  GstBuffer *guide_frame, *imported;    /* of the frame in work */
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

  g_clear_pointer (&self->bilateral, mgpu_bilateral_free);
  gst_mgpu_clear_pool (&self->guide_pool);
}

/* guide: NULL, or what the guides are like. */
static gboolean
build (GstMgpuBilateral * self, GstMgpuContext * context,
    const GstVideoInfo * info, const GstVideoInfo * guide, GError ** error)
{
  MgpuBilateralMethod method;

  gst_mgpu_bilateral_unprepare (GST_MGPU_FILTER (self));
  GST_OBJECT_LOCK (self);
  method = self->params.method;
  GST_OBJECT_UNLOCK (self);
  self->guided = guide != NULL;
  if (guide != NULL) {
    self->guide_info = *guide;
    if (!gst_mgpu_device_user_check_size (&GST_MGPU_FILTER (self)->user, guide,
            error))
      return FALSE;
  }
  self->bilateral = mgpu_bilateral_new (context, info, guide, method, error);
  return self->bilateral != NULL;
}

static gboolean
gst_mgpu_bilateral_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (filter);

  /* What a guide is like is known with its first frame. */
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

/* FALSE after an error, which is in job. */
static gboolean
import_guide (GstMgpuBilateral * self, GstMgpuJob * job, MgpuImage * image)
{
  /* Like the filter in all but what the frames are. */
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
  MgpuBilateralParams params;
  MgpuImage guide;

  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);
  if (self->guided && !import_guide (self, job, &guide))
    return;
  mgpu_bilateral_enqueue (self->bilateral, job, &params, in,
      self->guided ? &guide : NULL, out);
}

static void
gst_mgpu_bilateral_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_SIGMA_COLOR:
      self->params.sigma_color = g_value_get_double (value);
      break;
    case PROP_SIGMA_SPACE:
      self->params.sigma_space = g_value_get_double (value);
      break;
    case PROP_RADIUS:
      self->params.radius = g_value_get_int (value);
      break;
    case PROP_PLANES:
      self->params.all_planes =
          g_value_get_enum (value) == GST_MGPU_BILATERAL_PLANES_ALL;
      break;
    case PROP_METHOD:
      self->params.method = g_value_get_enum (value);
      break;
    case PROP_LEVELS:
      self->params.levels = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_bilateral_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuBilateral *self = GST_MGPU_BILATERAL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_SIGMA_COLOR:
      g_value_set_double (value, self->params.sigma_color);
      break;
    case PROP_SIGMA_SPACE:
      g_value_set_double (value, self->params.sigma_space);
      break;
    case PROP_RADIUS:
      g_value_set_int (value, self->params.radius);
      break;
    case PROP_PLANES:
      g_value_set_enum (value, self->params.all_planes
          ? GST_MGPU_BILATERAL_PLANES_ALL : GST_MGPU_BILATERAL_PLANES_LUMA);
      break;
    case PROP_METHOD:
      g_value_set_enum (value, self->params.method);
      break;
    case PROP_LEVELS:
      g_value_set_int (value, self->params.levels);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_bilateral_init (GstMgpuBilateral * self)
{
  self->params.sigma_color = DEFAULT_SIGMA_COLOR;
  self->params.sigma_space = DEFAULT_SIGMA_SPACE;
  self->params.radius = DEFAULT_RADIUS;
  self->params.method = DEFAULT_METHOD;
  self->params.levels = DEFAULT_LEVELS;
  self->params.all_planes = DEFAULT_PLANES == GST_MGPU_BILATERAL_PLANES_ALL;
}

static void
install_weight_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuBilateral:sigma-color:
   *
   * How much values may differ and still be averaged: the standard deviation
   * of the range weight, in 8-bit steps for every bit depth. More smooths
   * stronger edges.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SIGMA_COLOR,
      g_param_spec_double ("sigma-color", "Sigma color",
          "Standard deviation of the range weight, in 8-bit steps for every "
          "bit depth; more smooths stronger edges",
          MIN_SIGMA, MAX_SIGMA, DEFAULT_SIGMA_COLOR, GST_MGPU_LIVE));

  /**
   * GstMgpuBilateral:sigma-space:
   *
   * How far samples may lie and still be averaged: the standard deviation of
   * the spatial weight, in pixels. It also sets the radius unless
   * #GstMgpuBilateral:radius is given.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SIGMA_SPACE,
      g_param_spec_double ("sigma-space", "Sigma space",
          "Standard deviation of the spatial weight, in pixels",
          MIN_SIGMA, MAX_SIGMA, DEFAULT_SIGMA_SPACE, GST_MGPU_LIVE));

  /**
   * GstMgpuBilateral:radius:
   *
   * Radius of the disc of method=exact, in pixels. 0 derives it: 1.5
   * sigma-space, rounded half to even, from 1 to 64. The cost grows with its
   * square.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_RADIUS,
      g_param_spec_int ("radius", "Radius",
          "Radius of the disc of samples that method=exact averages, in "
          "pixels (0 = 1.5 sigma-space)",
          0, MGPU_BILATERAL_MAX_RADIUS, DEFAULT_RADIUS, GST_MGPU_LIVE));
}

static void
install_method_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuBilateral:planes:
   *
   * Which planes of a YUV frame are filtered. RGB frames are always filtered
   * whole.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_PLANES,
      g_param_spec_enum ("planes", "Planes",
          "Which planes of a YUV frame are filtered",
          GST_TYPE_MGPU_BILATERAL_PLANES, DEFAULT_PLANES, GST_MGPU_LIVE));

  /**
   * GstMgpuBilateral:method:
   *
   * How the filter is computed. The cost of exact grows with the square of the
   * radius, that of the others does not grow with sigma-space.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_METHOD,
      g_param_spec_enum ("method", "Method", "How the filter is computed",
          GST_TYPE_MGPU_BILATERAL_METHOD, DEFAULT_METHOD, GST_MGPU_LIVE));

  /**
   * GstMgpuBilateral:levels:
   *
   * For how many values constant-time computes means. More is nearer to the
   * exact filter; too few for sigma-color raise that.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_LEVELS,
      g_param_spec_int ("levels", "Levels",
          "For how many values method=constant-time computes means",
          MGPU_BILATERAL_MIN_LEVELS, MGPU_BILATERAL_MAX_LEVELS, DEFAULT_LEVELS,
          GST_MGPU_LIVE));
}

static void
gst_mgpu_bilateral_class_init (GstMgpuBilateralClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  object_class->set_property = gst_mgpu_bilateral_set_property;
  object_class->get_property = gst_mgpu_bilateral_get_property;
  filter_class->begin = gst_mgpu_bilateral_begin;
  filter_class->end = gst_mgpu_bilateral_end;
  filter_class->prepare = gst_mgpu_bilateral_prepare;
  filter_class->unprepare = gst_mgpu_bilateral_unprepare;
  filter_class->enqueue = gst_mgpu_bilateral_enqueue;

  install_weight_properties (object_class);
  install_method_properties (object_class);

  gst_mgpu_guided_class_add_pad (element_class, "guide",
      GST_MGPU_CAPS_DEVICE "; " GST_MGPU_CAPS_HOST);

  gst_element_class_set_static_metadata (element_class,
      "OpenCL bilateral filter", "Filter/Effect/Video",
      "Smooths areas and keeps edges, on an OpenCL device",
      "The gst-mgpu authors");
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_BILATERAL_METHOD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_BILATERAL_PLANES, 0);
}

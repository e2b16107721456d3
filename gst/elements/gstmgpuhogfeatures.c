/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpuhogfeatures.h"

#define DEFAULT_ATTACH FALSE
#define DEFAULT_CELL_SIZE 8
#define DEFAULT_LEVELS_PER_OCTAVE 10
#define DEFAULT_MAX_LEVELS 0
#define DEFAULT_KIND MGPU_FHOG_FELZENSZWALB
#define DEFAULT_RESIZE MGPU_FHOG_AREA

/* The plan for frames depends on them. */
#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)

enum
{
  ATTACH_FEATURES,
  FEATURES,
  CELL_SIZE,
  LEVELS_PER_OCTAVE,
  MAX_LEVELS,
  RESIZE
};

#define GST_TYPE_MGPU_HOG_RESIZE (gst_mgpu_hog_resize_get_type ())

static GType
gst_mgpu_hog_resize_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {MGPU_FHOG_AREA, "By the area that a new pixel covers, as models expect",
        "area"},
    {MGPU_FHOG_LINEAR, "By a triangle as wide as two new pixels", "linear"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHogResize",
            values));
  return type;
}

#define GST_TYPE_MGPU_HOG_KIND (gst_mgpu_hog_kind_get_type ())

static GType
gst_mgpu_hog_kind_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {MGPU_FHOG_FELZENSZWALB, "32 for each cell, of part models",
        "felzenszwalb"},
    {MGPU_FHOG_DALAL_TRIGGS, "36 for each cell: 9 directions in 4 blocks",
        "dalal-triggs"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuHogFeatureKind",
            values));
  return type;
}

void
gst_mgpu_hog_features_init (GstMgpuHogFeatures * self)
{
  self->attach = DEFAULT_ATTACH;
  self->params.cell_size = DEFAULT_CELL_SIZE;
  self->params.interval = DEFAULT_LEVELS_PER_OCTAVE;
  self->params.max_levels = DEFAULT_MAX_LEVELS;
  self->params.resize = DEFAULT_RESIZE;
  self->params.kind = DEFAULT_KIND;
}

void
gst_mgpu_hog_features_install (GObjectClass * klass, guint first)
{
  /**
   * GstMgpuHog:attach-features:
   *
   * Whether frames that are looked at get a #GstMgpuHogMeta: features of cells
   * at many scales.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + ATTACH_FEATURES,
      g_param_spec_boolean ("attach-features", "Attach features",
          "Whether the feature pyramid is attached", DEFAULT_ATTACH,
          GST_MGPU_LIVE));

  /**
   * GstMgpuHog:features:
   *
   * Which features the pyramid has. Part models are always looked for in those of
   * Felzenszwalb.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + FEATURES,
      g_param_spec_enum ("features", "Features",
          "Which features the pyramid has", GST_TYPE_MGPU_HOG_KIND,
          DEFAULT_KIND, READY));

  /**
   * GstMgpuHog:cell-size:
   *
   * Pixels that a cell of the pyramid is wide and high: 4, 8 or 16. Those of the
   * first octave are half as large.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + CELL_SIZE,
      g_param_spec_uint ("cell-size", "Cell size",
          "Pixels that a cell of the pyramid is wide and high (4, 8 or 16)", 4, 16,
          DEFAULT_CELL_SIZE, READY));

  /**
   * GstMgpuHog:levels-per-octave:
   *
   * Levels of the pyramid from one to that of half its size.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + LEVELS_PER_OCTAVE,
      g_param_spec_uint ("levels-per-octave", "Levels per octave",
          "Levels of the pyramid from one to that of half its size", 1,
          MGPU_FHOG_MAX_INTERVAL, DEFAULT_LEVELS_PER_OCTAVE, READY));

  /**
   * GstMgpuHog:max-levels:
   *
   * How many levels of the pyramid are made, the finest; 0: all.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + MAX_LEVELS,
      g_param_spec_uint ("max-levels", "Maximum levels",
          "How many levels of the pyramid are made, the finest (0 = all)", 0,
          G_MAXINT, DEFAULT_MAX_LEVELS, READY));

  /**
   * GstMgpuHog:resize:
   *
   * How frames are scaled for the pyramid.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + RESIZE,
      g_param_spec_enum ("resize", "Resize",
          "How frames are scaled for the pyramid", GST_TYPE_MGPU_HOG_RESIZE,
          DEFAULT_RESIZE, READY));

  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HOG_RESIZE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_HOG_KIND, 0);
}

gboolean
gst_mgpu_hog_features_set (GstMgpuHogFeatures * self, guint id,
    const GValue * value)
{
  switch (id) {
    case ATTACH_FEATURES:
      self->attach = g_value_get_boolean (value);
      break;
    case FEATURES:
      self->params.kind = g_value_get_enum (value);
      break;
    case CELL_SIZE:
      self->params.cell_size = g_value_get_uint (value);
      break;
    case LEVELS_PER_OCTAVE:
      self->params.interval = g_value_get_uint (value);
      break;
    case MAX_LEVELS:
      self->params.max_levels = g_value_get_uint (value);
      break;
    case RESIZE:
      self->params.resize = g_value_get_enum (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_mgpu_hog_features_get (const GstMgpuHogFeatures * self, guint id,
    GValue * value)
{
  switch (id) {
    case ATTACH_FEATURES:
      g_value_set_boolean (value, self->attach);
      break;
    case FEATURES:
      g_value_set_enum (value, self->params.kind);
      break;
    case CELL_SIZE:
      g_value_set_uint (value, self->params.cell_size);
      break;
    case LEVELS_PER_OCTAVE:
      g_value_set_uint (value, self->params.interval);
      break;
    case MAX_LEVELS:
      g_value_set_uint (value, self->params.max_levels);
      break;
    case RESIZE:
      g_value_set_enum (value, self->params.resize);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_mgpu_hog_features_prepare (GstMgpuHogFeatures * self,
    GstMgpuDeviceUser * user, GError ** error)
{
  MgpuFhogParams params;

  if (self->pool != NULL)
    return TRUE;
  GST_OBJECT_LOCK (user->element);
  params = self->params;
  GST_OBJECT_UNLOCK (user->element);
  if (params.cell_size != 4 && params.cell_size != 8
      && params.cell_size != 16) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "cells of %d pixels are not supported: set cell-size to 4, 8 or 16",
        params.cell_size);
    return FALSE;
  }
  self->n_features = mgpu_fhog_count_features (params.kind);
  if (self->fhog == NULL)
    self->fhog = mgpu_fhog_new (user->context, &user->info, &params, error);
  if (self->fhog != NULL)
    self->pool = gst_mgpu_device_user_new_table_pool (user,
        mgpu_fhog_get_size (self->fhog), error);
  return self->pool != NULL;
}

void
gst_mgpu_hog_features_unprepare (GstMgpuHogFeatures * self)
{
  gst_clear_buffer (&self->buffer);
  gst_mgpu_clear_pool (&self->pool);
  g_clear_pointer (&self->fhog, mgpu_fhog_free);
}

void
gst_mgpu_hog_features_enqueue (GstMgpuHogFeatures * self,
    GstMgpuDeviceUser * user, GstMgpuJob * job, const MgpuImage * in)
{
  GError *error = NULL;

  gst_clear_buffer (&self->buffer);
  if (gst_mgpu_hog_features_prepare (self, user, &error))
    self->buffer = gst_mgpu_device_user_acquire (user, self->pool, &error);
  if (self->buffer == NULL)
    gst_mgpu_job_fail (job, error);
  else
    mgpu_fhog_enqueue (self->fhog, job, in,
        gst_mgpu_peek_table (self->buffer));
}

void
gst_mgpu_hog_features_attach (GstMgpuHogFeatures * self, GstBuffer * buffer)
{
  GstMgpuHogMeta *old = gst_buffer_get_mgpu_hog_meta (buffer);
  const MgpuFhogLevel *from;
  guint n = mgpu_fhog_get_levels (self->fhog, &from);
  GstMgpuHogLevel *levels = g_new (GstMgpuHogLevel, n);

  /* Of an element before this one. */
  if (old != NULL)
    gst_buffer_remove_meta (buffer, (GstMeta *) old);
  for (guint i = 0; i < n; i++)
    levels[i] = (GstMgpuHogLevel) {
      from[i].columns, from[i].rows, from[i].offset, from[i].scale,
      from[i].cell_size
    };
  gst_buffer_add_mgpu_hog_meta (buffer, g_steal_pointer (&self->buffer),
      levels, n, self->n_features);
  g_free (levels);
}

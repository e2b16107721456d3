/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Properties of filters, and the structs that hold the values of a subclass's parameters. */
#include "gstmgpufilterparams.h"

/* Ids of GObject properties: first those of GstMgpuDeviceBase, then "enabled", the only
 * property that this class adds */
#define FIRST_PROP 1
#define PROP_ENABLED (FIRST_PROP + GST_MGPU_DEVICE_N_PROPS)
/* Id of the first property that is a parameter of a subclass */
#define FIRST_PARAM 100

/* --- Structs of parameters --- */

void
gst_mgpu_filter_make_params (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  if (klass->params == NULL || self->params != NULL)
    return;
  self->params = g_malloc0 (klass->params_size);
  self->frame.params = g_malloc0 (klass->params_size);
  gst_mgpu_params_init (G_OBJECT_CLASS (klass), klass->params, self->params);
}

void
gst_mgpu_filter_take_params_locked (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  if (klass->params != NULL)
    gst_mgpu_params_copy (klass->params, klass->params_size, self->params,
        self->frame.params);
}

gpointer
gst_mgpu_filter_copy_frame_params (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  gpointer copy = g_malloc0 (klass->params_size);

  gst_mgpu_params_copy (klass->params, klass->params_size, self->frame.params,
      copy);
  return copy;
}

gpointer
gst_mgpu_filter_copy_params (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  gpointer copy = g_malloc0 (klass->params_size);

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_copy (klass->params, klass->params_size, self->params, copy);
  GST_OBJECT_UNLOCK (self);
  return copy;
}

void
gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params)
{
  gst_mgpu_params_clear (GST_MGPU_FILTER_GET_CLASS (self)->params, params);
  g_free (params);
}

void
gst_mgpu_filter_clear_params (GstMgpuFilter * self)
{
  if (self->params == NULL)
    return;
  gst_mgpu_filter_free_params (self, self->params);
  gst_mgpu_filter_free_params (self, self->frame.params);
}

/* --- Properties --- */

/* Logs that the property of @pspec was set to @value. */
static void
log_property (GstMgpuFilter * self, const GValue * value, GParamSpec * pspec)
{
  gchar *text;

  /* Converts the value to text only if the message is logged. */
  if (!gst_mgpu_log_has_level (self, GST_LEVEL_DEBUG))
    return;
  text = gst_value_serialize (value);
  GST_MGPU_DEBUG_OBJECT (self, "property \"%s\" is %s", pspec->name, text);
  g_free (text);
}

/* Checks whether the property with the id @id is a parameter of the subclass, and sets *@i
 * to the index of this parameter in the class's array of parameters. Returns: whether it is
 * a parameter */
static gboolean
is_param (GstMgpuFilter * self, guint id, guint * i)
{
  *i = id - FIRST_PARAM;
  return id >= FIRST_PARAM
      && *i < gst_mgpu_params_count (GST_MGPU_FILTER_GET_CLASS (self)->params);
}

static void
gst_mgpu_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuFilter *self = (GstMgpuFilter *) object;
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  guint i;

  gst_mgpu_filter_make_params (self);
  log_property (self, value, pspec);
  if (is_param (self, id, &i)) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_set (klass->params, i, self->params, value);
    if (klass->regions > 0)
      gst_mgpu_regions_params_note_set (G_STRUCT_MEMBER_P (self->params,
              klass->regions), klass->params[i].offset - klass->regions);
    GST_OBJECT_UNLOCK (self);
    if (klass->changed != NULL)
      klass->changed (self, i);
  } else if (id == PROP_ENABLED) {
    GST_OBJECT_LOCK (self);
    self->enabled = g_value_get_boolean (value);
    GST_OBJECT_UNLOCK (self);
  } else if (gst_mgpu_device_base_set_property (&self->base, id - FIRST_PROP,
          value)) {
    gst_mgpu_output_update_latency (&self->output);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_mgpu_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuFilter *self = (GstMgpuFilter *) object;
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  guint i;

  if (is_param (self, id, &i)) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_get (klass->params, i, self->params, value);
    GST_OBJECT_UNLOCK (self);
  } else if (id == PROP_ENABLED) {
    GST_OBJECT_LOCK (self);
    g_value_set_boolean (value, self->enabled);
    GST_OBJECT_UNLOCK (self);
  } else if (!gst_mgpu_device_base_get_property (&self->base, id - FIRST_PROP,
          value)) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  } else if (id == FIRST_PROP + GST_MGPU_DEVICE_PROP_STATS
      && klass->describe != NULL) {
    klass->describe (self, g_value_get_boxed (value));
  }
}

/* Sets the functions that set and get properties. It is also called for every subclass,
 * because GObject clears both pointers in each derived class. */
static void
set_functions (GObjectClass * klass)
{
  klass->set_property = gst_mgpu_filter_set_property;
  klass->get_property = gst_mgpu_filter_get_property;
}

void
gst_mgpu_filter_class_init_params (GstMgpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  set_functions (object_class);
  gst_mgpu_device_base_install_properties (object_class, FIRST_PROP);
  g_object_class_install_property (object_class, PROP_ENABLED,
      g_param_spec_boolean ("enabled", "Enabled",
          GST_MGPU_ENABLED_TEXT, TRUE, GST_MGPU_LIVE));
}

void
gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass,
    const MgpuParam * params, gsize size)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  klass->params = params;
  klass->params_size = size;
  set_functions (object_class);
  gst_mgpu_params_install (object_class, params, FIRST_PARAM);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes GObject properties of the parameters of algorithms. */
#include "gstmgpuparams.h"

#include <gobject/gvaluecollector.h>
#include <string.h>

guint
gst_mgpu_params_count (const MgpuParam * params)
{
  guint n = 0;

  while (params != NULL && params[n].name != NULL)
    n++;
  return n;
}

const MgpuParam *
gst_mgpu_params_join (const MgpuParam * first, const MgpuParam * rest,
    gsize offset)
{
  guint n = gst_mgpu_params_count (first);
  guint n_rest = gst_mgpu_params_count (rest);
  MgpuParam *all = g_new0 (MgpuParam, n + n_rest + 1);

  memcpy (all, first, n * sizeof (*all));
  memcpy (all + n, rest, n_rest * sizeof (*all));
  for (guint i = n; i < n + n_rest; i++) {
    all[i].offset += offset;
    if (all[i].was_set != 0)
      all[i].was_set += offset;
  }
  return all;
}

/* Returns: the GType of the parameter @p, an enum or flags. The first call for a type
 * registers it */
static GType
get_param_type (const MgpuParam * p)
{
  const MgpuEnum *values = p->values;
  GType type = g_type_from_name (values->type);
  GEnumValue *list;
  guint n = 0;

  if (type != 0)
    return type;
  while (values->values[n].nick != NULL)
    n++;
  /* The array of enum values is never freed, because a registered type keeps it forever. */
  list = g_new0 (GEnumValue, n + 1);
  for (guint i = 0; i < n; i++) {
    list[i].value = values->values[i].value;
    list[i].value_name = values->values[i].text;
    list[i].value_nick = values->values[i].nick;
  }
  /* The cast is valid, because GFlagsValue differs from GEnumValue only in the sign of its
   * member @value. */
  type = p->type == MGPU_PARAM_FLAGS
      ? g_flags_register_static (values->type, (const GFlagsValue *) list)
      : g_enum_register_static (values->type, list);
  gst_type_mark_as_plugin_api (type, 0);
  return type;
}

/* Returns: @name as a title: "Sigma space" for "sigma-space" */
static const gchar *
get_title (const gchar * name)
{
  g_autofree gchar *title = g_strdelimit (g_strdup (name), "-", ' ');
  const gchar *interned;

  title[0] = g_ascii_toupper (title[0]);
  interned = g_intern_string (title);
  return interned;
}

static GParamSpec *
make_spec (const MgpuParam * p)
{
  GParamFlags flags = p->is_fixed ? GST_MGPU_FIXED : GST_MGPU_LIVE;
  const gchar *title = get_title (p->name);

  switch (p->type) {
    case MGPU_PARAM_DOUBLE:
      return g_param_spec_double (p->name, title, p->text, p->min, p->max,
          p->value, flags);
    case MGPU_PARAM_INT:
      return g_param_spec_int (p->name, title, p->text, p->min, p->max,
          p->value, flags);
    case MGPU_PARAM_UINT:
      return g_param_spec_uint (p->name, title, p->text, p->min, p->max,
          p->value, flags);
    case MGPU_PARAM_BOOLEAN:
      return g_param_spec_boolean (p->name, title, p->text, p->value, flags);
    case MGPU_PARAM_ENUM:
      return g_param_spec_enum (p->name, title, p->text, get_param_type (p),
          p->value, flags);
    case MGPU_PARAM_FLAGS:
      return g_param_spec_flags (p->name, title, p->text, get_param_type (p),
          p->value, flags);
    case MGPU_PARAM_STRING:
    case MGPU_PARAM_TEXT:
      return g_param_spec_string (p->name, title, p->text, NULL, flags);
    default:
      g_return_val_if_reached (NULL);
  }
}

void
gst_mgpu_params_install_stats (GObjectClass * klass, guint id)
{
  g_object_class_install_property (klass, id,
      g_param_spec_boxed ("stats", "Statistics",
          "Counters since the start: frames, copies to and from the device, "
          "their bytes, and the time of the device and of waits in "
          "nanoseconds",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_mgpu_params_install (GObjectClass * klass, const MgpuParam * params,
    guint first)
{
  for (guint i = 0; i < gst_mgpu_params_count (params); i++)
    if (params[i].text != NULL)
      g_object_class_install_property (klass, first + i,
          make_spec (&params[i]));
    else
      g_object_class_override_property (klass, first + i, params[i].name);
}

#define MEMBER(type, values, p) G_STRUCT_MEMBER (type, values, (p)->offset)

static gboolean
is_string (const MgpuParam * p)
{
  return p->type == MGPU_PARAM_STRING || p->type == MGPU_PARAM_TEXT;
}

/* Records in the struct @values whether the parameter @p was set. */
static void
mark_set (const MgpuParam * p, gpointer values, gboolean was_set)
{
  if (p->was_set != 0)
    G_STRUCT_MEMBER (gboolean, values, p->was_set) = was_set;
}

void
gst_mgpu_params_init (GObjectClass * klass, const MgpuParam * params,
    gpointer values)
{
  for (guint i = 0; i < gst_mgpu_params_count (params); i++) {
    gst_mgpu_params_set (params, i, values, g_param_spec_get_default_value
        (g_object_class_find_property (klass, params[i].name)));
    mark_set (&params[i], values, FALSE);
  }
}

void
gst_mgpu_params_clear (const MgpuParam * params, gpointer values)
{
  for (const MgpuParam * p = params; p != NULL && p->name != NULL; p++)
    if (is_string (p))
      g_clear_pointer (&MEMBER (gchar *, values, p), g_free);
}

void
gst_mgpu_params_copy (const MgpuParam * params, gsize size,
    gconstpointer from, gpointer to)
{
  gst_mgpu_params_clear (params, to);
  memcpy (to, from, size);
  for (const MgpuParam * p = params; p != NULL && p->name != NULL; p++)
    if (is_string (p))
      MEMBER (gchar *, to, p) = g_strdup (MEMBER (gchar *, from, p));
}

/* Copies the content of @value to a C variable of the same type; the variadic argument is
 * the address of this variable. */
static void
store (const GValue * value, ...)
{
  gchar *error = NULL;
  va_list args;

  va_start (args, value);
  G_VALUE_LCOPY (value, args, 0, &error);
  va_end (args);
  g_assert (error == NULL);
}

/* Sets @value to the variadic argument, which has the type of @value. A string is
 * duplicated. */
static void
fetch (GValue * value, ...)
{
  gchar *error = NULL;
  va_list args;

  va_start (args, value);
  G_VALUE_COLLECT (value, args, 0, &error);
  va_end (args);
  g_assert (error == NULL);
}

gchar *
gst_mgpu_params_dup_string (const GValue * value)
{
  const gchar *text = g_value_get_string (value);

  return text != NULL && text[0] != '\0' ? g_strdup (text) : NULL;
}

void
gst_mgpu_params_set (const MgpuParam * params, guint i, gpointer values,
    const GValue * value)
{
  const MgpuParam *p = &params[i];

  mark_set (p, values, TRUE);
  if (is_string (p)) {
    gchar *text = p->type == MGPU_PARAM_STRING
        ? gst_mgpu_params_dup_string (value) : g_value_dup_string (value);

    g_free (MEMBER (gchar *, values, p));
    MEMBER (gchar *, values, p) = text;
    return;
  }
  store (value, G_STRUCT_MEMBER_P (values, p->offset));
}

void
gst_mgpu_params_get (const MgpuParam * params, guint i, gconstpointer values,
    GValue * value)
{
  const MgpuParam *p = &params[i];

  if (is_string (p))
    fetch (value, MEMBER (gchar *, values, p));
  else if (p->type == MGPU_PARAM_DOUBLE)
    fetch (value, MEMBER (gdouble, values, p));
  else                          /* Parameters of all other types have the size of a gint. */
    fetch (value, MEMBER (gint, values, p));
}

void
gst_mgpu_params_sync (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
}

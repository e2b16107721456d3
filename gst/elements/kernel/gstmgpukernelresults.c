/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts the parameters and the results of the kernels of mgpukernel to and from GStreamer
 * values. */
#include "gstmgpukernelresults.h"

#include <gst/frame/gstmgpulog.h>

#include <math.h>

#include "../messages.h"

#define NUMBER_SIZE 4           /* size in bytes of a gint32 and of a gfloat */

/* ---- Results ---------------------------------------------------------------------- */

void
gst_mgpu_kernel_attach_results (GstBuffer * buffer, const MgpuKernelText * text,
    GstMemory * memory)
{
  GstBuffer *all = gst_buffer_new ();
  gsize size = 0, offset = 0;

  for (guint i = 0; i < text->results->len; i++)
    size += g_array_index (text->results, MgpuKernelList, i).n * NUMBER_SIZE;
  if (memory == NULL) {
    gpointer zeros = g_malloc0 (size);

    memory = gst_memory_new_wrapped (0, zeros, size, 0, size, zeros, g_free);
  } else {
    gst_memory_ref (memory);
  }
  gst_buffer_append_memory (all, memory);
  for (guint i = 0; i < text->results->len; i++) {
    const MgpuKernelList *list =
        &g_array_index (text->results, MgpuKernelList, i);

    gst_buffer_add_mgpu_numbers_meta (buffer, list->name, list->is_float
        ? GST_MGPU_NUMBERS_TYPE_FLOAT : GST_MGPU_NUMBERS_TYPE_INT, list->n,
        gst_buffer_ref (all), offset);
    offset += list->n * NUMBER_SIZE;
  }
  gst_buffer_unref (all);
}

/* Sets the field @name of @s to an array of numbers. */
static void
set_list (GstStructure * s, const gchar * name, gboolean is_float,
    const gdouble * values, guint n)
{
  GValue array = G_VALUE_INIT;

  gst_value_array_init (&array, n);
  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, is_float ? G_TYPE_DOUBLE : G_TYPE_INT);
    if (is_float)
      g_value_set_double (&value, values[i]);
    else
      g_value_set_int (&value, values[i]);
    gst_value_array_append_and_take_value (&array, &value);
  }
  gst_structure_take_value (s, name, &array);
}

void
gst_mgpu_kernel_post_results (GstBaseTransform * trans, GstBuffer * buffer,
    const MgpuKernelText * text)
{
  GstMgpuNumbersMeta *meta = gst_buffer_get_mgpu_numbers_meta (buffer);
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-numbers", trans,
      GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer));

  for (guint i = 0; i < text->results->len; i++) {
    const MgpuKernelList *list =
        &g_array_index (text->results, MgpuKernelList, i);
    gint at = gst_mgpu_numbers_meta_find (meta, list->name);
    g_autofree gdouble *values = NULL;
    guint n = 0;

    if (at >= 0)
      values = gst_mgpu_numbers_meta_get_values (meta, at, &n);
    if (values == NULL)
      GST_MGPU_WARNING_OBJECT (trans, "cannot read the results \"%s\"",
          list->name);
    else if (gst_structure_has_field (s, list->name))
      GST_MGPU_DEBUG_OBJECT (trans, "the message \"mgpu-numbers\" already has "
          "a field \"%s\", so the results of this name are left out of the "
          "message", list->name);
    else
      set_list (s, list->name, list->is_float, values, n);
  }
  gst_element_post_message (GST_ELEMENT (trans),
      gst_message_new_element (GST_OBJECT (trans), s));
}

/* ---- Parameters ------------------------------------------------------------------- */

gdouble
gst_mgpu_kernel_clip_value (const MgpuKernelParam * param, gdouble value)
{
  return CLAMP (param->is_float ? value : rint (value), param->min, param->max);
}

/* Converts @value to a number. Returns: whether @value is a finite number; *@number is set to it
 * then */
static gboolean
get_number (const GValue * value, gdouble * number)
{
  GValue as_double = G_VALUE_INIT;
  gboolean ok;

  g_value_init (&as_double, G_TYPE_DOUBLE);
  if (G_VALUE_HOLDS_BOOLEAN (value)) {
    *number = g_value_get_boolean (value);
    return TRUE;
  }
  ok = !G_VALUE_HOLDS_STRING (value) && g_value_transform (value, &as_double);
  *number = g_value_get_double (&as_double);
  return ok && isfinite (*number);
}

typedef struct
{
  const MgpuKernelText *text;
  gdouble *values;
  GString *faults;
} Finder;

/* Returns: (transfer full): the names of the parameters, for a message */
static gchar *
list_params (const MgpuKernelText * text)
{
  GString *list = g_string_new (text->params->len == 0 ? "none" : NULL);

  for (guint i = 0; i < text->params->len; i++)
    g_string_append_printf (list, "%s\"%s\"", i > 0 ? ", " : "",
        g_array_index (text->params, MgpuKernelParam, i).name);
  return g_string_free (list, FALSE);
}

static gboolean
find_value (GQuark field, const GValue * value, gpointer data)
{
  Finder *f = data;
  const gchar *name = g_quark_to_string (field), *gap =
      f->faults->len > 0 ? "; " : "";
  gint i = mgpu_kernel_text_find_param (f->text, name);
  const MgpuKernelParam *param =
      i >= 0 ? &g_array_index (f->text->params, MgpuKernelParam, i) : NULL;
  gdouble number;

  if (param == NULL) {
    g_autofree gchar *list = list_params (f->text);

    g_string_append_printf (f->faults, "%s%s has no parameter \"%s\": it has "
        "%s", gap, f->text->name, name, list);
  } else if (!get_number (value, &number)) {
    g_autofree gchar *given = gst_value_serialize (value);

    g_string_append_printf (f->faults, "%sthe value %.40s of the parameter "
        "\"%s\" is not a number: its default %g is used", gap,
        given != NULL ? given : "", name, param->value);
  } else {
    f->values[i] = gst_mgpu_kernel_clip_value (param, number);
    if (number < param->min || number > param->max)
      g_string_append_printf (f->faults, "%s%g is outside the range of the "
          "parameter \"%s\", %g to %g: %g is used", gap, number, name,
          param->min, param->max, f->values[i]);
  }
  return TRUE;
}

gchar *
gst_mgpu_kernel_find_values (const MgpuKernelText * text,
    const GstStructure * set, gdouble * values)
{
  Finder f = { text, values, g_string_new (NULL) };

  for (guint i = 0; i < text->params->len; i++)
    values[i] = g_array_index (text->params, MgpuKernelParam, i).value;
  if (set != NULL)
    gst_structure_foreach (set, find_value, &f);
  return g_string_free (f.faults, f.faults->len == 0);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Replaces the text and the built program of mgpukernel. */
#include "gstmgpukernel.h"

#include <gst/frame/gstmgpulog.h>

#include <string.h>

/* ---- Log -------------------------------------------------------------------------- */

static const gchar *
get_form_name (MgpuKernelForm form)
{
  static const gchar *const names[] = { "PIXEL", "SAMPLE", "WORK" };

  return names[form];
}

/* Appends to a text a description of lists of results or buffers, for example "int 256
 * histogram". */
static void
append_lists (GString * s, const gchar * title, const GArray * lists)
{
  for (guint i = 0; i < lists->len; i++) {
    const MgpuKernelList *list = &g_array_index (lists, MgpuKernelList, i);

    g_string_append_printf (s, "%s%s %s %u%s%s", i == 0 ? title : ", ",
        list->name, list->is_float ? "float" : "int", list->n,
        list->per_pixel ? " per-pixel" : "", list->keep ? " keep" : "");
  }
}

void
gst_mgpu_kernel_log_text (GstMgpuKernel * self, const MgpuKernelText * text,
    const GPtrArray * files)
{
  GString *s;

  if (!gst_mgpu_log_has_level (self, GST_LEVEL_DEBUG))
    return;
  s = g_string_new (text->name);
  g_string_append_printf (s, " has %" G_GSIZE_FORMAT " bytes, including all "
      "included files", strlen (text->text));
  for (guint i = 0; i < files->len; i++)
    g_string_append_printf (s, "%s%s", i == 0 ? "; files: " : ", ",
        (const gchar *) g_ptr_array_index (files, i));
  for (guint i = 0; i < text->functions->len; i++) {
    const MgpuKernelFunction *f =
        &g_array_index (text->functions, MgpuKernelFunction, i);

    g_string_append_printf (s, "%s%s %s", i == 0 ? "; kernels: " : ", ",
        get_form_name (f->form), f->name);
  }
  for (guint i = 0; i < text->passes->len; i++)
    g_string_append_printf (s, "%s%s", i == 0 ? "; passes: " : ", ",
        g_array_index (text->functions, MgpuKernelFunction,
            g_array_index (text->passes, guint, i)).name);
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *p =
        &g_array_index (text->params, MgpuKernelParam, i);

    g_string_append_printf (s, "%s%s %s %g (%g to %g)",
        i == 0 ? "; parameters: " : ", ", p->name,
        p->is_float ? "float" : "int", p->value, p->min, p->max);
    if (p->control > 0)
      g_string_append_printf (s, " control-%u", p->control);
  }
  append_lists (s, "; results: ", text->results);
  append_lists (s, "; buffers: ", text->buffers);
  for (guint i = 0; i < text->boxes->len; i++) {
    const MgpuKernelList *list = &g_array_index (text->boxes, MgpuKernelList,
        i);

    g_string_append_printf (s, "%s%s %u", i == 0 ? "; boxes: " : ", ",
        list->name, list->n);
  }
  if (text->formats->len > 0) {
    g_autofree gchar *formats = gst_mgpu_kernel_list_formats (text);

    g_string_append_printf (s, "; formats: %s", formats);
  }
  if (text->output != GST_VIDEO_FORMAT_UNKNOWN)
    g_string_append_printf (s, "; output: %s",
        gst_video_format_to_string (text->output));
  if (text->reach >= 0)
    g_string_append_printf (s, "; reach: %d", text->reach);
  g_string_append_printf (s, "; reads the frame%s%s%s",
      text->second ? ", second" : "", text->previous ? ", previous" : "",
      text->feedback ? ", feedback" : "");
  GST_MGPU_DEBUG_OBJECT (self, "%s", s->str);
  g_string_free (s, TRUE);
}

/* Logs the variant of the program that is used from now on. */
static void
log_object (GstMgpuKernel * self, const gchar * kernel)
{
  const MgpuObject *object = self->object;
  GString *knobs;

  if (!gst_mgpu_log_has_level (self, GST_LEVEL_DEBUG))
    return;
  knobs = g_string_new (NULL);
  for (guint i = 0; mgpu_kernel.knobs[i].name != NULL; i++)
    g_string_append_printf (knobs, " %s=%d", mgpu_kernel.knobs[i].name,
        object->knobs[i]);
  GST_MGPU_DEBUG_OBJECT (self,
      "program of %s: kernel: %s, frames: %dx%d %s to %s, second input: %s, "
      "writes frames: %s, tuning parameters (knobs):%s", self->built->name,
      kernel != NULL ? kernel : self->built->passes->len >
      0 ? "of the passes" : g_array_index (self->built->functions,
          MgpuKernelFunction, 0).name, object->in.width, object->in.height,
      GST_VIDEO_INFO_NAME (&object->in), GST_VIDEO_INFO_NAME (&object->out),
      GST_VIDEO_INFO_FORMAT (&object->guide) !=
      GST_VIDEO_FORMAT_UNKNOWN ? GST_VIDEO_INFO_NAME (&object->guide) : "none",
      self->writes ? "yes" : "no", knobs->str);
  g_string_free (knobs, TRUE);
}

void
gst_mgpu_kernel_log_values (GstMgpuKernel * self)
{
  GString *s;

  if (!gst_mgpu_log_has_level (self, GST_LEVEL_DEBUG)
      || self->built->params->len == 0)
    return;
  s = g_string_new (NULL);
  for (guint i = 0; i < self->built->params->len; i++)
    g_string_append_printf (s, " %s=%g", g_array_index (self->built->params,
            MgpuKernelParam, i).name, self->values[i]);
  GST_MGPU_DEBUG_OBJECT (self, "parameters of %s:%s", self->built->name,
      s->str);
  g_string_free (s, TRUE);
}

/* ---- Changes ---------------------------------------------------------------------- */

void
gst_mgpu_kernel_set_text (GstMgpuKernel * self, MgpuKernelText * text,
    const gchar * kernel)
{
  MgpuKernelText *old;

  GST_OBJECT_LOCK (self);
  old = self->text;
  self->text = text != NULL ? mgpu_kernel_text_ref (text) : NULL;
  self->is_told = FALSE;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, mgpu_kernel_text_unref);
  g_atomic_int_set (&self->has_warned, FALSE);
  if (text != NULL)
    gst_mgpu_filter_set_blocks (GST_MGPU_FILTER (self), text->boxes->len > 0);
  if (self->kernel != kernel) {
    g_free (self->kernel);
    self->kernel = g_strdup (kernel);
  }
}

void
gst_mgpu_kernel_set_object (GstMgpuKernel * self, gpointer object,
    MgpuKernelText * text, const gchar * kernel)
{
  guint kept;

  if (self->object != NULL && object != NULL
      && (kept = mgpu_kernel_take_over (object, self->object)) > 0)
    GST_MGPU_DEBUG_OBJECT (self,
        "the new program continues with %u buffers and frames of the old one",
        kept);
  g_clear_pointer (&self->object, mgpu_object_free);
  g_clear_pointer (&self->built, mgpu_kernel_text_unref);
  self->object = object;
  if (object == NULL)
    return;
  self->built = mgpu_kernel_text_ref (text);
  self->writes = gst_mgpu_kernel_writes (text, kernel);
  self->is_stale = TRUE;
  log_object (self, kernel);
}

void
gst_mgpu_kernel_set_log (GstMgpuKernel * self, const gchar * log,
    const GError * error)
{
  const gchar *text = log != NULL && log[0] != '\0' ? log
      : error != NULL ? error->message : "";
  gboolean is_new;

  GST_OBJECT_LOCK (self);
  is_new = g_strcmp0 (self->log, text) != 0;
  if (is_new) {
    g_free (self->log);
    self->log = g_utf8_make_valid (text, -1);
  }
  GST_OBJECT_UNLOCK (self);
  if (is_new)
    g_object_notify (G_OBJECT (self), "log");
}

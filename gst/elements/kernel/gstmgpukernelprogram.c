/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Changes the text and the built program of mgpukernel. */
#include "gstmgpukernel.h"

void
gst_mgpu_kernel_set_text (GstMgpuKernel * self, MgpuKernelText * text,
    const gchar * kernel)
{
  MgpuKernelText *old;

  GST_OBJECT_LOCK (self);
  old = self->text;
  self->text = text != NULL ? mgpu_kernel_text_ref (text) : NULL;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, mgpu_kernel_text_unref);
  if (self->kernel != kernel) {
    g_free (self->kernel);
    self->kernel = g_strdup (kernel);
  }
}

void
gst_mgpu_kernel_set_object (GstMgpuKernel * self, gpointer object,
    MgpuKernelText * text, const gchar * kernel)
{
  if (self->object != NULL && object != NULL)
    mgpu_kernel_take_over (object, self->object);
  g_clear_pointer (&self->object, mgpu_object_free);
  g_clear_pointer (&self->built, mgpu_kernel_text_unref);
  self->object = object;
  if (object == NULL)
    return;
  self->built = mgpu_kernel_text_ref (text);
  self->writes = gst_mgpu_kernel_writes (text, kernel);
  self->is_stale = TRUE;
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

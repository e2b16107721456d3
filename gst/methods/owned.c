/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Stores the kernels of a method in the context in which they run. */
#include "owned.h"

static void
owned_free (gpointer data)
{
  MgpuOwned *self = data;

  mgpu_object_free (self->object);
  g_mutex_clear (&self->lock);
  g_free (self);
}

MgpuOwned *
mgpu_owned_lock (GstMgpuContext * context, const gchar * name)
{
  GQuark quark = g_quark_from_static_string (name);
  MgpuOwned *self;

  GST_OBJECT_LOCK (context);
  self = g_object_get_qdata (G_OBJECT (context), quark);
  if (self == NULL) {
    self = g_new0 (MgpuOwned, 1);
    g_mutex_init (&self->lock);
    g_object_set_qdata_full (G_OBJECT (context), quark, self, owned_free);
  }
  GST_OBJECT_UNLOCK (context);
  g_mutex_lock (&self->lock);
  return self;
}

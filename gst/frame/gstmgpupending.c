/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches to a frame, as a private meta, the data with which the frame is completed just before it
 * is pushed. */
#include "gstmgpupending.h"

typedef struct
{
  GstMeta meta;
  gpointer data;
  GDestroyNotify free;
} Pending;

static gboolean
pending_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  ((Pending *) meta)->data = NULL;
  return TRUE;
}

static void
pending_free (GstMeta * meta, GstBuffer * buffer)
{
  Pending *self = (Pending *) meta;

  if (self->data != NULL)
    self->free (self->data);
}

static GType
get_api (void)
{
  static const gchar *tags[] = { NULL };
  static GType type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstMgpuPendingMetaAPI", tags));
  return type;
}

static const GstMetaInfo *
get_info (void)
{
  static gsize info;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info,
        GPOINTER_TO_SIZE (gst_meta_register (get_api (), "GstMgpuPendingMeta",
                sizeof (Pending), pending_init, pending_free, NULL)));
  return GSIZE_TO_POINTER (info);
}

void
gst_mgpu_pending_set (GstBuffer * buffer, gpointer pending, GDestroyNotify free)
{
  Pending *self = (Pending *) gst_buffer_add_meta (buffer, get_info (), NULL);

  self->data = pending;
  self->free = free;
}

gpointer
gst_mgpu_pending_take (GstBuffer ** buffer, GDestroyNotify * free)
{
  Pending *self = (Pending *) gst_buffer_get_meta (*buffer, get_api ());
  gpointer pending;

  if (self == NULL)
    return NULL;
  pending = g_steal_pointer (&self->data);
  *free = self->free;
  /* Does not copy the meta, because a copy of the frame must not have pending data. */
  if (gst_buffer_is_writable (*buffer))
    gst_buffer_remove_meta (*buffer, &self->meta);
  else
    *buffer = gst_buffer_make_writable (*buffer);
  return pending;
}

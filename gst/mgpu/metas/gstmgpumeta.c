/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the functions that all metas of this library share. */
#include "gstmgpumeta-private.h"

#include <gst/mgpu/gstmgpulog-private.h>

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

gpointer
gst_mgpu_tables_new (gsize size, GstMiniObjectFreeFunction free)
{
  GstMiniObject *tables = g_malloc0 (size);

  gst_mini_object_init (tables, 0, GST_TYPE_MINI_OBJECT, NULL, NULL, free);
  return tables;
}

static gboolean
meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstMgpuMeta *self = (GstMgpuMeta *) meta;

  self->tables = NULL;
  self->holder = NULL;
  return TRUE;
}

static void
meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstMgpuMeta *) meta)->tables, gst_mini_object_unref);
}

const GstMetaInfo *
gst_mgpu_meta_register (GType api, const gchar * name,
    GstMetaTransformFunction transform)
{
  gst_mgpu_log_init ();
  return gst_meta_register (api, name, sizeof (GstMgpuMeta), meta_init,
      meta_free, transform);
}

gpointer
gst_mgpu_meta_add (GstBuffer * buffer, const GstMetaInfo * info,
    gpointer tables)
{
  GstMgpuMeta *self;
  GstMeta *old;

  while ((old = gst_buffer_get_meta (buffer, info->api)) != NULL) {
    GST_LOG ("replacing the earlier meta on buffer %p by a new %s", buffer,
        g_type_name (info->api));
    gst_buffer_remove_meta (buffer, old);
  }
  self = (GstMgpuMeta *) gst_buffer_add_meta (buffer, info, NULL);
  self->tables = tables;
  return self;
}

gboolean
gst_mgpu_meta_pass_on (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type)
      || ((GstMetaTransformCopy *) data)->region) {
    GST_LOG ("not copying to buffer %p the %s of buffer %p, because the frame "
        "was changed: %s", dest, g_type_name (meta->info->api), buffer,
        g_quark_to_string (type));
    return FALSE;
  }
  gst_mgpu_meta_add (dest, meta->info,
      gst_mini_object_ref (((GstMgpuMeta *) meta)->tables));
  return TRUE;
}

/* Copies a meta, for g_boxed_copy(). Attaches the copy to a new, empty buffer, because
 * GStreamer's core expects each meta to belong to a buffer. */
gpointer
gst_mgpu_meta_boxed_copy (gpointer meta)
{
  GstMgpuMeta *self = meta;
  GstBuffer *holder = gst_buffer_new ();
  GstMgpuMeta *copy = gst_mgpu_meta_add (holder, self->meta.info,
      gst_mini_object_ref (self->tables));

  copy->holder = holder;
  return copy;
}

/* Frees a copy of a meta by releasing its holder, the buffer to which the copy is
 * attached. */
void
gst_mgpu_meta_boxed_free (gpointer meta)
{
  gst_buffer_unref (((GstMgpuMeta *) meta)->holder);
}

typedef struct
{
  GstBuffer *buffer;
  GstMapInfo map;
} Mapped;

static void
unmap (gpointer data)
{
  Mapped *mapped = data;

  gst_memory_unmap (mapped->map.memory, &mapped->map);
  gst_buffer_unref (mapped->buffer);
  g_free (mapped);
}

/* Maps the GstMemory instead of the GstBuffer. If a memory cannot be mapped,
 * gst_buffer_map() would replace it by a copy, although other threads may use the
 * buffer. */
GBytes *
gst_mgpu_bytes_from_buffer (GstBuffer * buffer)
{
  Mapped *mapped;
  GstMapInfo map;

  if (buffer == NULL || gst_buffer_n_memory (buffer) != 1
      || !gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map,
          GST_MAP_READ)) {
    if (buffer != NULL)
      GST_WARNING ("cannot read the data of a meta from %" GST_PTR_FORMAT,
          buffer);
    return NULL;
  }
  mapped = g_new (Mapped, 1);
  mapped->map = map;
  mapped->buffer = gst_buffer_ref (buffer);
  return g_bytes_new_with_free_func (mapped->map.data, mapped->map.size, unmap,
      mapped);
}

GBytes *
gst_mgpu_bytes_from_part (GstBuffer * buffer, gsize offset, gsize size)
{
  g_autoptr (GBytes) all = gst_mgpu_bytes_from_buffer (buffer);
  gsize length = all != NULL ? g_bytes_get_size (all) : 0;

  if (all == NULL)
    return NULL;
  if (offset > length || size > length - offset) {
    GST_WARNING ("the data of a meta should be at byte %" G_GSIZE_FORMAT " of %"
        G_GSIZE_FORMAT ", and has %" G_GSIZE_FORMAT " bytes", offset, length,
        size);
    return NULL;
  }
  GST_TRACE ("reading %" G_GSIZE_FORMAT " bytes of %" GST_PTR_FORMAT, size,
      buffer);
  return g_bytes_new_from_bytes (all, offset, size);
}

GstMemory *
gst_mgpu_memory_of_buffer (GstBuffer * buffer)
{
  return buffer != NULL ? gst_buffer_peek_memory (buffer, 0) : NULL;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpubytes-private.h"

typedef struct
{
  GstBuffer *buffer;
  GstMapInfo map;
} Mapped;

static void
unmap (gpointer data)
{
  Mapped *mapped = data;

  gst_buffer_unmap (mapped->buffer, &mapped->map);
  gst_buffer_unref (mapped->buffer);
  g_free (mapped);
}

GBytes *
gst_mgpu_bytes_from_buffer (GstBuffer * buffer)
{
  Mapped *mapped = g_new (Mapped, 1);

  if (!gst_buffer_map (buffer, &mapped->map, GST_MAP_READ)) {
    g_free (mapped);
    return NULL;
  }
  mapped->buffer = gst_buffer_ref (buffer);
  return g_bytes_new_with_free_func (mapped->map.data, mapped->map.size, unmap,
      mapped);
}

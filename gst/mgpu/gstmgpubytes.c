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

  gst_memory_unmap (mapped->map.memory, &mapped->map);
  gst_buffer_unref (mapped->buffer);
  g_free (mapped);
}

/* Maps the GstMemory and not the GstBuffer: gst_buffer_map() would replace a memory
 * that cannot be mapped by a copy, while other threads use the buffer. */
GBytes *
gst_mgpu_bytes_from_buffer (GstBuffer * buffer)
{
  Mapped *mapped;
  GstMapInfo map;

  if (gst_buffer_n_memory (buffer) != 1
      || !gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map,
          GST_MAP_READ))
    return NULL;
  mapped = g_new (Mapped, 1);
  mapped->map = map;
  mapped->buffer = gst_buffer_ref (buffer);
  return g_bytes_new_with_free_func (mapped->map.data, mapped->map.size, unmap,
      mapped);
}

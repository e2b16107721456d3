/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes and checks memory blocks whose bytes are all equal. */
#pragma once

#include <gst/check/gstcheck.h>
#include <string.h>

static inline void
fill (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
}

static inline void
expect (GstMemory * memory, guint8 value)
{
  GstMapInfo map;
  gsize right = 0;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  while (right < map.size && map.data[right] == value)
    right++;
  fail_unless (right == map.size, "byte %" G_GSIZE_FORMAT " is %d, not %d",
      right, map.data[right], value);
  gst_memory_unmap (memory, &map);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Helps tests of dma-bufs: files of memfd_create() replace dma-bufs, and the device is PoCL with
 * the functions of layer.h. Define _GNU_SOURCE before the first include. */
#pragma once

#include "common.h"

#include "../layer.h"

#include <sys/mman.h>
#include <unistd.h>

/* Describes a device: how it imports dma-bufs, and whether it shares memory with the host */
typedef struct
{
  LayerRoute route;
  gboolean unified;
} Device;

/* Checks that no call to the driver was wrong and that no import of a dma-buf is left. The driver's
 * threads may hold an import a moment longer than its commands run. */
static inline void
check_end (void)
{
  fail_unless_equals_int (layer_count_wrong (), 0);
  for (guint i = 0; i < 1000 && layer_count_left () > 0; i++)
    g_usleep (10000);
  fail_unless_equals_int (layer_count_left (), 0);
}

/* Returns: the file descriptor of a new in-memory file of @size bytes */
static inline gint
new_file (gsize size)
{
  gint fd = memfd_create ("frame", MFD_CLOEXEC);

  fail_unless (fd >= 0);
  fail_unless_equals_int (ftruncate (fd, size), 0);
  return fd;
}

/* Returns: the number of open file descriptors */
static inline guint
count_files (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  fail_unless (folder != NULL);
  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

/* Returns: whether the caps of a pad of the element type @type contain @text */
static inline gboolean
pad_knows (const gchar * type, const gchar * name, const gchar * text)
{
  g_autoptr (GstElement) element = gst_element_factory_make (type, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  g_autoptr (GstCaps) known = gst_pad_query_caps (pad, caps);
  gboolean is_known = !gst_caps_is_empty (known);

  return is_known;
}

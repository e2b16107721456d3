/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies and compares arrays of any length. The data of an empty array may be NULL; memcpy()
 * and memcmp() do not allow NULL, even for 0 bytes. */
#pragma once

#include <glib.h>

#include <string.h>

G_BEGIN_DECLS

/* Copies @size bytes from @data to @at. Returns: the address that follows the copy */
static inline gpointer
mgpu_append (gpointer at, gconstpointer data, gsize size)
{
  if (size > 0)
    memcpy (at, data, size);
  return (guint8 *) at + size;
}

/* Returns: whether the arrays @a and @b have equal elements; both may be NULL. Their elements
 * must have the same size and no padding bytes */
static inline gboolean
mgpu_arrays_are_same (const GArray * a, const GArray * b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data,
          (gsize) a->len * g_array_get_element_size ((GArray *) a)) == 0);
}

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts the work-items of kernels, which measures the cost of a frame independently of the load of
 * the machine. */
#pragma once

#include <gst/gst.h>

#include <string.h>

#include "../launches.h"

/* Prefix of the names of the counted kernels; NULL: all kernels except blend */
static const gchar *counted_kernels;

/* Number of work-items that were enqueued */
static guint64 n_items;

static inline gboolean
is_counted (const gchar * name)
{
  return counted_kernels == NULL ? !g_str_equal (name, "blend")
      : g_str_has_prefix (name, counted_kernels);
}

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  gchar name[100];
  guint64 n = 1;

  for (cl_uint i = 0; i < n_dims; i++)
    n *= global[i];
  launch_get_name (kernel, name);
  if (is_counted (name))
    n_items += n;
  return CL_SUCCESS;
}

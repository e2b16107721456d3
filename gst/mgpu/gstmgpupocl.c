/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Launches that PoCL survives: see the header. */
#include "gstmgpupocl-private.h"

static GMutex lock;
static GHashTable *grids;       /* the widest, by "program kernel work-group" */
static GPtrArray *queues;

void
gst_mgpu_pocl_add_queue (cl_command_queue queue)
{
  g_mutex_lock (&lock);
  if (queues == NULL)
    queues = g_ptr_array_new ();
  g_ptr_array_add (queues, queue);
  g_mutex_unlock (&lock);
}

void
gst_mgpu_pocl_remove_queue (cl_command_queue queue)
{
  g_mutex_lock (&lock);
  g_ptr_array_remove_fast (queues, queue);
  if (queues->len == 0)
    g_clear_pointer (&queues, g_ptr_array_unref);
  g_mutex_unlock (&lock);
}

static gboolean
is_of_program (gpointer key, gpointer width, gpointer prefix)
{
  return g_str_has_prefix (key, prefix);
}

void
gst_mgpu_pocl_remove_program (cl_program program)
{
  g_autofree gchar *prefix = g_strdup_printf ("%p ", (gpointer) program);

  g_mutex_lock (&lock);
  if (grids != NULL) {
    g_hash_table_foreach_remove (grids, is_of_program, prefix);
    if (g_hash_table_size (grids) == 0)
      g_clear_pointer (&grids, g_hash_table_unref);
  }
  g_mutex_unlock (&lock);
}

/* Returns: whether there was no grid of kernel as wide as this one */
static gboolean
is_widest (cl_kernel kernel, const gsize * local, gsize width)
{
  cl_program program = NULL;
  gchar name[128] = "";
  gchar *key;
  gboolean widest;

  clGetKernelInfo (kernel, CL_KERNEL_PROGRAM, sizeof (program), &program, NULL);
  clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name) - 1, name,
      NULL);
  key = g_strdup_printf ("%p %s %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " %"
      G_GSIZE_FORMAT, (gpointer) program, name, local[0], local[1], local[2]);
  if (grids == NULL)
    grids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  widest = GPOINTER_TO_SIZE (g_hash_table_lookup (grids, key)) < width;
  if (widest)
    g_hash_table_insert (grids, key, GSIZE_TO_POINTER (width));
  else
    g_free (key);
  return widest;
}

cl_int
gst_mgpu_pocl_launch (cl_command_queue queue, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local, guint n_waits,
    const cl_event * waits, cl_event * event)
{
  gsize group[3] = { 1, 1, 1 }, width = 0;
  cl_int ret;

  for (guint i = 0; i < n_dims; i++) {
    group[i] = local[i];
    width = MAX (width, global[i]);
  }
  g_mutex_lock (&lock);
  if (is_widest (kernel, group, width))
    for (guint i = 0; i < queues->len; i++)
      clFinish (g_ptr_array_index (queues, i));
  ret = clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local,
      n_waits, waits, event);
  g_mutex_unlock (&lock);
  return ret;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Launches that PoCL survives: see the header. */
#include "gstmgpupocl-private.h"

/* PoCL forgets code that nobody uses when it has 128; other programs in the process
 * may have made some of these. */
#define SAFE_CODES 64

/* What a kernel was launched with, for one size of work-groups */
typedef struct
{
  gsize widest;
  gsize narrowest;              /* since the pause with this number: it may still run */
  guint pause;
} Grid;

static GMutex lock;
static GHashTable *grids;       /* Grid by "program kernel work-group" */
static GPtrArray *queues;
static guint n_codes, n_pauses;

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
is_of_program (gpointer key, gpointer grid, gpointer prefix)
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

static Grid *
get_grid (cl_kernel kernel, const gsize * local)
{
  cl_program program = NULL;
  gchar name[128] = "";
  gchar *key;
  Grid *grid;

  clGetKernelInfo (kernel, CL_KERNEL_PROGRAM, sizeof (program), &program, NULL);
  clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name) - 1, name,
      NULL);
  key = g_strdup_printf ("%p %s %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " %"
      G_GSIZE_FORMAT, (gpointer) program, name, local[0], local[1], local[2]);
  if (grids == NULL)
    grids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  grid = g_hash_table_lookup (grids, key);
  if (grid == NULL) {
    grid = g_new0 (Grid, 1);
    g_hash_table_insert (grids, key, grid);
  } else {
    g_free (key);
  }
  return grid;
}

/* Waits for all that runs if code may be made for a grid of width. */
static void
make_safe (Grid * grid, gsize width)
{
  gboolean runs = grid->pause == n_pauses && grid->widest > 0;

  if (width > grid->widest)
    n_codes++;
  if (width > grid->widest
      || (n_codes > SAFE_CODES && runs && width > grid->narrowest)) {
    for (guint i = 0; i < queues->len; i++)
      clFinish (g_ptr_array_index (queues, i));
    n_pauses++;
    runs = FALSE;
  }
  grid->widest = MAX (grid->widest, width);
  grid->narrowest = runs ? MIN (grid->narrowest, width) : width;
  grid->pause = n_pauses;
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
  make_safe (get_grid (kernel, group), width);
  ret = clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local,
      n_waits, waits, event);
  g_mutex_unlock (&lock);
  return ret;
}

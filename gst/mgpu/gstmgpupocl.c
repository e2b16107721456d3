/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Launches kernels on PoCL so that it does not abort: gstmgpupocl-private.h tells why. */
#include "gstmgpupocl-private.h"

#include "gstmgpuuses-private.h"

/* Describes the machine code that PoCL has for one kernel and one size of work-groups. */
typedef struct
{
  gsize local[3];               /* size of a work-group in each dimension */
  GMutex lock;                  /* held while a launch is enqueued */
  gsize width;                  /* width of the widest grid launched; 0 before the first */
} Code;

/* Guards by_name, by_kernel and queues. */
static GMutex lock;
/* Maps the text "source-key name" to an array of Code. Entries are never removed, because
 * PoCL keeps its machine code too. */
static GHashTable *by_name;
/* Maps a cl_kernel to the array that by_name holds for it. When OpenCL reuses the handle
 * of a freed kernel for another kernel, that kernel replaces the entry. */
static GHashTable *by_kernel;
/* Holds each cl_command_queue of PoCL in the process. */
static GPtrArray *queues;

void
gst_mgpu_pocl_add_kernel (cl_kernel kernel, const gchar * source_key,
    const gchar * name)
{
  gchar *key = g_strconcat (source_key, " ", name, NULL);
  GPtrArray *codes;

  g_mutex_lock (&lock);
  if (by_name == NULL) {
    by_name = g_hash_table_new (g_str_hash, g_str_equal);
    by_kernel = g_hash_table_new (NULL, NULL);
  }
  codes = g_hash_table_lookup (by_name, key);
  if (codes == NULL) {
    codes = g_ptr_array_new ();
    g_hash_table_insert (by_name, g_steal_pointer (&key), codes);
  }
  g_hash_table_insert (by_kernel, kernel, codes);
  g_mutex_unlock (&lock);
  g_free (key);
}

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
  g_mutex_unlock (&lock);
}

/* Returns: the entry of @codes for work-groups of size local, which is made if
 * need be */
static Code *
find_code (GPtrArray * codes, const gsize * local)
{
  Code *code;

  for (guint i = 0; i < codes->len; i++) {
    code = g_ptr_array_index (codes, i);
    if (memcmp (code->local, local, sizeof (code->local)) == 0)
      return code;
  }
  code = g_new0 (Code, 1);
  memcpy (code->local, local, sizeof (code->local));
  g_mutex_init (&code->lock);
  g_ptr_array_add (codes, code);
  return code;
}

/* Returns: (nullable): the Code of @kernel for work-groups of size local; NULL
 * for a kernel that gst_mgpu_program_create_kernel() did not make */
static Code *
get_code (cl_kernel kernel, const gsize * local)
{
  GPtrArray *codes = NULL;
  Code *code;

  g_mutex_lock (&lock);
  if (by_kernel != NULL)
    codes = g_hash_table_lookup (by_kernel, kernel);
  code = codes != NULL ? find_code (codes, local) : NULL;
  g_mutex_unlock (&lock);
  return code;
}

/* Blocks until all commands that are in the queues now are done. Does not call clFinish()
 * without the lock, because it could wait for ever for a queue to which other threads keep
 * adding commands. */
static void
wait_for_queues (void)
{
  GPtrArray *ends = gst_mgpu_waits_new ();

  g_mutex_lock (&lock);
  for (guint i = 0; i < queues->len; i++) {
    cl_command_queue queue = g_ptr_array_index (queues, i);
    cl_event end;

    if (clEnqueueMarkerWithWaitList (queue, 0, NULL, &end) == CL_SUCCESS) {
      g_ptr_array_add (ends, end);
      clFlush (queue);
    } else {
      clFinish (queue);
    }
  }
  g_mutex_unlock (&lock);
  /* OpenCL refuses a list of events of different contexts, so each is waited for alone. */
  for (guint i = 0; i < ends->len; i++)
    if (clWaitForEvents (1, (const cl_event *) &ends->pdata[i]) != CL_SUCCESS)
      gst_mgpu_nap_until (ends->pdata[i], CL_COMPLETE);
  g_ptr_array_unref (ends);
}

/* Returns the width of a grid, by which PoCL decides whether it needs new code. */
static gsize
get_width (guint n_dims, const gsize * global, const gsize * local)
{
  return MAX (MAX (global[0], n_dims > 1 ? global[1] : 1),
      local[2] * local[2]);
}

cl_int
gst_mgpu_pocl_launch (cl_command_queue queue, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local, guint n_waits,
    const cl_event * waits, cl_event * event)
{
  gsize group[3] = { 1, 1, 1 }, width;
  cl_event begun = NULL;
  gboolean is_wider;
  Code *code;
  cl_int ret;

  memcpy (group, local, n_dims * sizeof (gsize));
  width = get_width (n_dims, global, group);
  code = get_code (kernel, group);
  if (code == NULL)
    return clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local,
        n_waits, waits, event);

  g_mutex_lock (&code->lock);
  is_wider = width > code->width;
  if (is_wider && code->width > 0)
    wait_for_queues ();
  ret = clEnqueueNDRangeKernel (queue, kernel, n_dims, NULL, global, local,
      n_waits, waits, is_wider ? &begun : event);
  if (is_wider && ret == CL_SUCCESS) {
    code->width = width;
    clFlush (queue);
    gst_mgpu_nap_until (begun, CL_RUNNING);
    if (event != NULL)
      *event = begun;
    else
      clReleaseEvent (begun);
  }
  g_mutex_unlock (&code->lock);
  return ret;
}

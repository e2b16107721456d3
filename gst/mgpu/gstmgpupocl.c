/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Launches kernels on PoCL in a way that avoids a bug that makes PoCL abort.
 * gstmgpupocl-private.h explains the bug. */
#include "gstmgpupocl-private.h"

#include "gstmgpuerror-private.h"
#include "gstmgpulog-private.h"
#include "gstmgpuuses-private.h"

#define GST_CAT_DEFAULT gst_mgpu_device_debug

/* Describes the machine code of PoCL for one kernel and one work-group size. */
typedef struct
{
  gsize local[3];               /* work-group size, in work-items, in each dimension */
  GMutex lock;                  /* lock that is held while a launch of the kernel is
                                 * enqueued */
  gsize width;                  /* width of the widest grid launched so far, in the unit of
                                 * get_width(); 0 before the first launch */
} Code;

/* Guards the tables @by_name and @by_kernel and the array @queues. */
static GMutex lock;
/* Maps the text "source-key name" of a kernel to an array of Code, one for each work-group size.
 * Entries are never removed, because PoCL never frees its machine code. */
static GHashTable *by_name;
/* Maps a cl_kernel to the array of Code in @by_name. If OpenCL reuses the handle of a freed
 * kernel, the entry of the new kernel replaces the old entry. */
static GHashTable *by_kernel;
/* Array of all PoCL command queues (cl_command_queue) in the process. */
static GPtrArray *queues;

void
gst_mgpu_pocl_add_kernel (cl_kernel kernel, const gchar * source_key,
    const gchar * name)
{
  g_autofree gchar *key = g_strconcat (source_key, " ", name, NULL);
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
  GST_TRACE ("will count how often PoCL compiles the kernel %s", name);
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

/* Returns: the entry of @codes for the work-group size @local, which is made if it does not exist
 */
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

/* Returns: (nullable): the Code of @kernel for the work-group size @local; NULL for a
 * kernel that gst_mgpu_program_create_kernel() did not make */
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

/* Blocks until all commands that are in the command queues now are done. Enqueues a marker in
 * each queue under the lock, and waits for the markers after the lock is released. clFinish()
 * without the lock might never return for a queue to which other threads keep adding commands. */
static void
wait_for_queues (void)
{
  g_autoptr (GPtrArray) ends = gst_mgpu_waits_new ();

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
  /* Waits for the events one by one, because OpenCL refuses a list with events of several
   * contexts. */
  for (guint i = 0; i < ends->len; i++)
    if (clWaitForEvents (1, (const cl_event *) &ends->pdata[i]) != CL_SUCCESS)
      gst_mgpu_nap_until (ends->pdata[i], CL_COMPLETE);
}

/* Returns: the width of the grid of a kernel launch, by which PoCL decides whether it needs new
 * machine code */
static gsize
get_width (guint n_dims, const gsize * global, const gsize * local)
{
  return MAX (MAX (global[0], n_dims > 1 ? global[1] : 1), local[2] * local[2]);
}

cl_int
gst_mgpu_pocl_launch (cl_command_queue queue, cl_kernel kernel, guint n_dims,
    const gsize * global, const gsize * local, guint n_waits,
    const cl_event * waits, cl_event * event)
{
  gsize group[3] = { 1, 1, 1 }, width;
  cl_event begun = NULL;
  gboolean is_wider, makes_code_anew;
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
  makes_code_anew = is_wider && code->width > 0;
  if (makes_code_anew)
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
  if (makes_code_anew)
    GST_DEBUG ("PoCL compiled %s again, for a grid of %" G_GSIZE_FORMAT
        " work-items in width, after all queues were empty",
        gst_mgpu_error_name_kernel (kernel), width);
  return ret;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Limits the work-groups of kernel launches to the size that the driver allows for the
 * kernel. */
#include "gstmgpulimit-private.h"

#include "gstmgpucontext-private.h"
#include "gstmgpuerror-private.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_device_debug

static GMutex lock;
/* Maps a cl_kernel to its work-group limit. Contains only kernels with a lower limit
 * than their device. */
static GHashTable *limits;
/* Number of entries of @limits. If it is 0, as with most drivers, launches need not take
 * the lock. */
static gint n_limits;

/* Returns: the largest work-group that the driver allows for @kernel; 0 if the driver
 * does not report it */
static gsize
get_limit (cl_kernel kernel, GstMgpuContext * context)
{
  size_t limit = 0;

  if (clGetKernelWorkGroupInfo (kernel,
          gst_mgpu_context_get_cl_device (context), CL_KERNEL_WORK_GROUP_SIZE,
          sizeof (limit), &limit, NULL)
      != CL_SUCCESS)
    return 0;
  return limit;
}

/* Returns: whether the source of @kernel requires a fixed work-group size */
static gboolean
requires_size (cl_kernel kernel, GstMgpuContext * context)
{
  size_t size[3] = { 0, };

  return clGetKernelWorkGroupInfo (kernel,
      gst_mgpu_context_get_cl_device (context),
      CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof (size), size, NULL)
      != CL_SUCCESS || size[0] > 0;
}

void
gst_mgpu_limit_add (cl_kernel kernel, GstMgpuContext * context)
{
  gsize limit = get_limit (kernel, context);

  if (limit == 0
      || limit >= gst_mgpu_context_get_traits (context)->max_work_group_size
      || requires_size (kernel, context))
    return;
  GST_DEBUG ("work-groups of the kernel \"%s\" have at most %" G_GSIZE_FORMAT
      " work-items, fewer than the device allows",
      gst_mgpu_error_name_kernel (kernel), limit);
  g_mutex_lock (&lock);
  if (limits == NULL)
    limits = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (limits, kernel, GSIZE_TO_POINTER (limit));
  g_atomic_int_set (&n_limits, g_hash_table_size (limits));
  g_mutex_unlock (&lock);
}

void
gst_mgpu_limit_remove (cl_kernel kernel)
{
  if (g_atomic_int_get (&n_limits) == 0)
    return;
  g_mutex_lock (&lock);
  g_hash_table_remove (limits, kernel);
  g_atomic_int_set (&n_limits, g_hash_table_size (limits));
  g_mutex_unlock (&lock);
}

/* Divides *@size by its smallest prime factor, which is 2 for nearly all sizes. */
static void
lower (gsize * size)
{
  gsize factor = 2;

  while (*size % factor != 0)
    factor++;
  *size /= factor;
}

const gsize *
gst_mgpu_limit_fit (cl_kernel kernel, guint n_dims, const gsize * local,
    gsize * fitted)
{
  gsize size[3] = { 1, 1, 1 }, limit;

  if (local == NULL || g_atomic_int_get (&n_limits) == 0)
    return local;
  g_mutex_lock (&lock);
  limit = GPOINTER_TO_SIZE (g_hash_table_lookup (limits, kernel));
  g_mutex_unlock (&lock);
  for (guint i = 0; i < n_dims; i++)
    size[i] = local[i];
  if (limit == 0 || size[0] * size[1] * size[2] <= limit)
    return local;
  /* Reduces the number of rows first, and the length of a row last, because neighboring
   * work-items of a row read adjacent memory. */
  while (size[0] * size[1] * size[2] > limit)
    lower (size[2] > 1 ? &size[2] : size[1] > 1 ? &size[1] : &size[0]);
  for (guint i = 0; i < n_dims; i++)
    fitted[i] = size[i];
  return fitted;
}

gboolean
gst_mgpu_limit_explain (cl_kernel kernel, GstMgpuContext * context,
    guint n_dims, const gsize * local, GError ** error)
{
  gsize limit = get_limit (kernel, context), n = 1;

  for (guint i = 0; local != NULL && i < n_dims; i++)
    n *= local[i];
  if (limit == 0 || n <= limit)
    return FALSE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the kernel \"%s\" needs work-groups of %" G_GSIZE_FORMAT " work-items, "
      "and the driver of %s allows %" G_GSIZE_FORMAT " for it: update the "
      "driver or choose another device", gst_mgpu_error_name_kernel (kernel), n,
      gst_mgpu_context_get_device_name (context), limit);
  return TRUE;
}

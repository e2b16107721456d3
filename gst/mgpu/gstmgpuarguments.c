/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Arguments that kernels have already: see the header. */
#include "gstmgpuarguments-private.h"

#include <string.h>

static void
release_kernel (gpointer kernel)
{
  clReleaseKernel (kernel);
}

void
gst_mgpu_arguments_table_init (GstMgpuArgumentsTable * self)
{
  g_mutex_init (&self->lock);
  self->kernels = g_hash_table_new_full (NULL, NULL, release_kernel, g_free);
}

void
gst_mgpu_arguments_table_clear (GstMgpuArgumentsTable * self)
{
  g_hash_table_unref (self->kernels);
  g_mutex_clear (&self->lock);
}

static gboolean
is_only_ours (gpointer kernel, gpointer value, gpointer data)
{
  cl_uint refs = 0;

  return clGetKernelInfo (kernel, CL_KERNEL_REFERENCE_COUNT, sizeof (refs),
      &refs, NULL) == CL_SUCCESS && refs == 1;
}

void
gst_mgpu_arguments_table_add (GstMgpuArgumentsTable * self, cl_kernel kernel)
{
  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->kernels, is_only_ours, NULL);
  if (clRetainKernel (kernel) == CL_SUCCESS)
    g_hash_table_insert (self->kernels, kernel, g_new0 (GstMgpuArguments, 1));
  g_mutex_unlock (&self->lock);
}

GstMgpuArguments *
gst_mgpu_arguments_table_get (GstMgpuArgumentsTable * self, cl_kernel kernel)
{
  GstMgpuArguments *arguments;

  g_mutex_lock (&self->lock);
  arguments = g_hash_table_lookup (self->kernels, kernel);
  g_mutex_unlock (&self->lock);
  return arguments;
}

cl_int
gst_mgpu_arguments_set (GstMgpuArguments * self, cl_kernel kernel, guint index,
    gconstpointer number)
{
  gboolean remembers = self != NULL && index < GST_MGPU_KNOWN_ARGUMENTS;
  cl_int ret;

  if (remembers && (self->known >> index & 1) != 0
      && memcmp (&self->numbers[index], number, sizeof (guint32)) == 0)
    return CL_SUCCESS;
  ret = clSetKernelArg (kernel, index, sizeof (guint32), number);
  if (remembers && ret == CL_SUCCESS) {
    self->known |= G_GUINT64_CONSTANT (1) << index;
    memcpy (&self->numbers[index], number, sizeof (guint32));
  }
  return ret;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Builds the programs of a user's kernels, and checks the limits of the device. */
#include "kernel-private.h"

#include <gst/mgpu/gstmgpulimit-private.h>
#include <gst/mgpu/gstmgpuprogram-private.h>

/* Sets the error for a kernel whose local arrays need @bytes of local memory, more than the device
 * has. */
static void
tell_local_memory (const MgpuUserKernel * self,
    const MgpuKernelFunction * function, guint64 bytes, GError ** error)
{
  const MgpuObject *object = &self->object;

  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s:%u: the kernel \"%s\" needs %" G_GUINT64_FORMAT
      " bytes of local memory, and %s has %" G_GUINT64_FORMAT
      ": make its local arrays smaller", function->file, function->line,
      function->name, bytes,
      gst_mgpu_context_get_device_name (object->context),
      object->traits->local_memory_size);
}

/* Replaces the error of a build of @n of the passes, from @first on, by the first error in the
 * compiler's log, which names file and line. */
static void
tell_error (MgpuUserKernel * self, guint first, guint n, const gchar * log,
    GError * from, GError ** error)
{
  gchar *message = mgpu_kernel_first_error (self->text, log);
  guint64 bytes = 0;

  for (guint i = first; i < first + n && bytes == 0; i++) {
    const MgpuKernelFunction *function = self->passes[i].function;

    bytes = mgpu_kernel_log_local_memory (log, function->name);
    if (bytes > 0)
      tell_local_memory (self, function, bytes, error);
  }
  if (bytes == 0 && message[0] != '\0' && g_error_matches (from,
          GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD))
    g_set_error_literal (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD, message);
  else if (bytes == 0)
    g_propagate_prefixed_error (error, g_error_copy (from), "%s: ",
        self->text->name);
  g_error_free (from);
  g_free (message);
}

/* Builds a program for @n of the passes, from @first on, which write frames of the format @out. */
static gboolean
build_program (MgpuUserKernel * self, guint first, guint n,
    const GstVideoInfo * out, GString * logs, GError ** error)
{
  const MgpuObject *object = &self->object;
  const MgpuKernelText *text = self->text;
  const MgpuKernelFunction *functions = (const MgpuKernelFunction *)
      text->functions->data;
  const MgpuKernelFormats formats = { &object->in,
    GST_VIDEO_INFO_FORMAT (&object->guide) != GST_VIDEO_FORMAT_UNKNOWN
        ? &object->guide : NULL, out, &object->out,
    object->knobs[MGPU_KERNEL_WHOLE]
  };
  guint wanted[MGPU_KERNEL_MAX_PASSES], header;
  GstMgpuProgram *program;
  GError *reason = NULL;
  gchar *source, *log, *mapped;

  for (guint i = 0; i < n; i++)
    wanted[i] = self->passes[first + i].function - functions;
  source = mgpu_kernel_make_source (text, wanted, n, &formats,
      (const gint (*)[2]) self->groups, &header, error);
  if (source == NULL)
    return FALSE;
  mgpu_build_program (first + n < self->n_passes ? 2 : 1);
  program = gst_mgpu_program_new_logged (object->context, text->name, source,
      NULL, &log, &reason);
  mapped = mgpu_kernel_text_map_log (text, header, log);
  g_string_append (logs, mapped);
  for (guint i = first; i < first + n && reason == NULL; i++) {
    gchar *name = g_strconcat (MGPU_KERNEL_PREFIX,
        self->passes[i].function->name, NULL);

    self->passes[i].kernel = gst_mgpu_program_create_kernel (program, name,
        &reason);
    g_free (name);
  }
  if (reason != NULL)
    tell_error (self, first, n, mapped, reason, error);
  g_clear_object (&program);
  g_free (mapped);
  g_free (log);
  g_free (source);
  return reason == NULL;
}

/* Checks whether the device has enough local memory for a pass. Does not check the size of
 * work-groups, because if a kernel requires a size, drivers report a wrong maximum. A work-group
 * that is too large fails at the launch. */
static gboolean
check_pass (const MgpuUserKernel * self, const MgpuKernelPass * pass,
    GError ** error)
{
  const MgpuObject *object = &self->object;
  cl_ulong local = 0;

  if (clGetKernelWorkGroupInfo (pass->kernel,
          gst_mgpu_context_get_cl_device (object->context),
          CL_KERNEL_LOCAL_MEM_SIZE, sizeof (local), &local, NULL) != CL_SUCCESS
      || local <= object->traits->local_memory_size)
    return TRUE;
  tell_local_memory (self, pass->function, local, error);
  return FALSE;
}

/* Checks the sizes of work-groups before the program is compiled, because the messages of compilers
 * about sizes that are too large are less clear. */
static gboolean
check_groups (const MgpuUserKernel * self, GError ** error)
{
  gsize most = self->object.traits->max_work_group_size;

  for (guint i = 0; i < self->n_passes; i++) {
    const MgpuKernelFunction *f = self->passes[i].function;

    if ((gsize) f->group[0] * f->group[1] > most) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
          "%s:%u: the kernel \"%s\" has work-groups of %d x %d work-items, and %s allows %"
          G_GSIZE_FORMAT ": use smaller ones in \"//! group\"",
          f->file, f->line, f->name, f->group[0], f->group[1],
          gst_mgpu_context_get_device_name (self->object.context), most);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
mgpu_kernel_build (MgpuUserKernel * self, gchar ** log, GError ** error)
{
  const MgpuObject *object = &self->object;
  GString *logs = g_string_new (NULL);
  guint first = 0;
  gboolean ok = check_groups (self, error);

  /* Builds the passes before the last writer separately, because they write frames of the input
   * format. */
  if (GST_VIDEO_INFO_FORMAT (&object->in) !=
      GST_VIDEO_INFO_FORMAT (&object->out) && self->last_writer > 0) {
    first = self->last_writer;
    ok = ok && build_program (self, 0, first, &object->in, logs, error);
  }
  ok = ok && build_program (self, first, self->n_passes - first, &object->out,
      logs, error);
  for (guint i = 0; i < self->n_passes && ok; i++) {
    ok = check_pass (self, &self->passes[i], error);
    /* Does nothing for a WORK kernel, because its source specifies the size of its work-groups. */
    gst_mgpu_limit_add (self->passes[i].kernel, object->context);
  }
  if (log != NULL)
    *log = g_string_free (logs, FALSE);
  else
    g_string_free (logs, TRUE);
  return ok;
}

void
mgpu_kernel_release (MgpuUserKernel * self)
{
  for (guint i = 0; i < self->n_passes; i++) {
    if (self->passes[i].kernel == NULL)
      continue;
    gst_mgpu_limit_remove (self->passes[i].kernel);
    gst_mgpu_job_forget (self->passes[i].kernel);
    clReleaseKernel (self->passes[i].kernel);
  }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads and builds the kernel file of mgpukernel, in any thread. */
#include "gstmgpukernelbuild.h"

#include <gst/models/kernel-load.h>

GstMgpuKernelBuild *
gst_mgpu_kernel_build_new (const gchar * location, const gchar * source,
    const gchar * kernel)
{
  GstMgpuKernelBuild *self = g_new0 (GstMgpuKernelBuild, 1);

  self->location = g_strdup (location);
  self->source = g_strdup (source);
  self->kernel = g_strdup (kernel);
  self->files = g_ptr_array_new_with_free_func (g_free);
  gst_video_info_init (&self->second);
  return self;
}

/* Returns: FALSE with @error set if the text has no kernel of the selected name */
static gboolean
check_kernel (GstMgpuKernelBuild * self)
{
  g_autofree gchar *list = NULL;

  if (self->kernel == NULL
      || mgpu_kernel_text_find_function (self->text, self->kernel) >= 0)
    return TRUE;
  list = mgpu_kernel_text_list_functions (self->text);
  g_set_error (&self->error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "%s has no kernel \"%s\": set \"kernel\" to one of %s", self->text->name,
      self->kernel, list);
  return FALSE;
}

/* Translates an error of the file "location" to an error that elements post as a message, and adds
 * the remedy. */
static void
translate_error (GError ** error)
{
  GError *from = *error;

  if (from == NULL || from->domain != G_IO_ERROR)
    return;
  *error = g_error_new (GST_RESOURCE_ERROR,
      from->code == G_IO_ERROR_NOT_FOUND ? GST_RESOURCE_ERROR_NOT_FOUND
      : GST_RESOURCE_ERROR_OPEN_READ, "%s: correct \"location\"",
      from->message);
  g_error_free (from);
}

gboolean
gst_mgpu_kernel_build_load (GstMgpuKernelBuild * self, GPtrArray * files)
{
  guint64 before = 0, after = 0;

  if (self->source != NULL) {
    self->text = mgpu_kernel_text_new (self->source, &self->error);
  } else if (self->location != NULL) {
    /* Compares the stamps before and after reading, so that a file that was changed while it was
     * read is read again later. */
    before = files != NULL ? mgpu_kernel_get_stamp (files) : 0;
    self->text = mgpu_kernel_text_load (self->location, self->files,
        &self->error);
    translate_error (&self->error);
    after = files != NULL ? mgpu_kernel_get_stamp (files) : 0;
    self->stamp = before == after ? mgpu_kernel_get_stamp (self->files) : 0;
  } else {
    g_set_error (&self->error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "there is no kernel: set \"location\" to a file with OpenCL C, or "
        "\"source\" to its text");
  }
  return self->text != NULL && check_kernel (self);
}

GstVideoFormat
gst_mgpu_kernel_get_output (const MgpuKernelText * text, GstVideoFormat in)
{
  return text->output != GST_VIDEO_FORMAT_UNKNOWN ? text->output : in;
}

gboolean
gst_mgpu_kernel_writes (const MgpuKernelText * text, const gchar * kernel)
{
  gint only = kernel != NULL ? mgpu_kernel_text_find_function (text, kernel)
      : text->passes->len == 0 ? 0 : -1;
  gboolean writes = FALSE;

  if (only >= 0)
    return g_array_index (text->functions, MgpuKernelFunction, only).writes;
  for (guint i = 0; i < text->passes->len; i++)
    writes |= g_array_index (text->functions, MgpuKernelFunction,
        g_array_index (text->passes, guint, i)).writes;
  return writes;
}

gchar *
gst_mgpu_kernel_list_formats (const MgpuKernelText * text)
{
  GString *s = g_string_new (NULL);

  for (guint i = 0; i < text->formats->len; i++)
    g_string_append_printf (s, "%s%s", i > 0 ? ", " : "",
        gst_video_format_to_string (g_array_index (text->formats,
                GstVideoFormat, i)));
  return g_string_free (s, FALSE);
}

/* Returns: FALSE with self->error set if the text does not accept the frames */
static gboolean
check_format (GstMgpuKernelBuild * self)
{
  const GArray *formats = self->text->formats;
  GstVideoFormat in = GST_VIDEO_INFO_FORMAT (&self->in);
  g_autofree gchar *list = NULL;

  for (guint i = 0; i < formats->len; i++)
    if (g_array_index (formats, GstVideoFormat, i) == in)
      return TRUE;
  if (formats->len == 0)
    return TRUE;
  list = gst_mgpu_kernel_list_formats (self->text);
  g_set_error (&self->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s does not accept frames of the format %s, but only %s: see its line "
      "\"//! formats\"", self->text->name, gst_video_format_to_string (in),
      list);
  return FALSE;
}

static void
build_run (GstMgpuKernelBuild * self, GPtrArray * files)
{
  gboolean has_second =
      GST_VIDEO_INFO_FORMAT (&self->second) != GST_VIDEO_FORMAT_UNKNOWN;

  if ((self->text == NULL && !gst_mgpu_kernel_build_load (self, files))
      || !check_format (self))
    return;
  if (gst_mgpu_kernel_get_output (self->text, GST_VIDEO_INFO_FORMAT (&self->in))
      != GST_VIDEO_INFO_FORMAT (&self->out))
    return;
  self->object = mgpu_kernel_new (self->text, self->kernel, self->context,
      &self->in, has_second && self->text->second ? &self->second : NULL,
      &self->out, &self->log, &self->error);
}

void
gst_mgpu_kernel_build_run (GstMgpuKernelBuild * self, GPtrArray * files)
{
  gint64 start = g_get_monotonic_time ();

  build_run (self, files);
  self->elapsed = g_get_monotonic_time () - start;
}

/* ---- Threads of builds ------------------------------------------------------------ */

struct _GstMgpuKernelTask
{
  GstMgpuKernelBuild *build;    /* the build; NULL if it was freed before the thread began it */
  GPtrArray *files;             /* files of the last build, or NULL */
  gboolean is_running;          /* whether the thread has begun the build */
};

/* Guards the members of all tasks */
static GMutex lock;
/* Signals that a task has ended */
static GCond done;

/* Runs the build of @task, and frees @task. */
static void
run (gpointer data, gpointer unused)
{
  GstMgpuKernelTask *task = data;
  GstMgpuKernelBuild *build;

  g_mutex_lock (&lock);
  build = task->build;
  task->is_running = build != NULL;
  g_mutex_unlock (&lock);
  if (build != NULL) {
    gst_mgpu_kernel_build_run (build, task->files);
    g_mutex_lock (&lock);
    build->task = NULL;
    g_cond_broadcast (&done);
    g_mutex_unlock (&lock);
  }
  if (task->files != NULL)
    g_ptr_array_unref (task->files);
  g_free (task);
}

/* Frees the thread pool of a context. No builds are queued then, because each build has a reference
 * to the context. */
static void
free_pool (gpointer pool)
{
  g_thread_pool_free (pool, FALSE, FALSE);
}

/* Returns: (transfer none): the pool of one thread that builds for all elements of @context. The
 * caller holds the lock. More threads would be useless, because a lock of the context serializes
 * the builds. They would also take memory, because memory that the compiler frees stays in the
 * arena of its thread (glibc). With a thread for each build, up to 8 arenas per processor would
 * each keep the memory of the largest build. */
static GThreadPool *
get_pool (GstMgpuContext * context)
{
  GQuark key = g_quark_from_static_string ("mgpu-kernel-builds");
  GThreadPool *pool = g_object_get_qdata (G_OBJECT (context), key);

  if (pool == NULL) {
    pool = g_thread_pool_new (run, NULL, 1, FALSE, NULL);
    g_object_set_qdata_full (G_OBJECT (context), key, pool, free_pool);
  }
  return pool;
}

void
gst_mgpu_kernel_build_start (GstMgpuKernelBuild * self, GPtrArray * files)
{
  GstMgpuKernelTask *task = g_new0 (GstMgpuKernelTask, 1);

  task->build = self;
  task->files = files != NULL ? g_ptr_array_ref (files) : NULL;
  g_mutex_lock (&lock);
  self->task = task;
  g_thread_pool_push (get_pool (self->context), task, NULL);
  g_mutex_unlock (&lock);
}

gboolean
gst_mgpu_kernel_build_is_done (GstMgpuKernelBuild * self)
{
  gboolean is_done;

  g_mutex_lock (&lock);
  is_done = self->task == NULL;
  g_mutex_unlock (&lock);
  return is_done;
}

/* Removes the build from the queue of the build thread, or, if the thread has begun the build,
 * waits until the thread has ended it. */
static void
stop (GstMgpuKernelBuild * self)
{
  g_mutex_lock (&lock);
  if (self->task != NULL && !self->task->is_running) {
    self->task->build = NULL;
    self->task = NULL;
  }
  while (self->task != NULL)
    g_cond_wait (&done, &lock);
  g_mutex_unlock (&lock);
}

void
gst_mgpu_kernel_build_free (GstMgpuKernelBuild * self)
{
  stop (self);
  g_clear_pointer (&self->object, mgpu_object_free);
  g_clear_pointer (&self->text, mgpu_kernel_text_unref);
  g_clear_object (&self->context);
  g_clear_error (&self->error);
  g_ptr_array_unref (self->files);
  g_free (self->location);
  g_free (self->source);
  g_free (self->kernel);
  g_free (self->log);
  g_free (self);
}

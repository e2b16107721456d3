/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

typedef struct _GstMgpuKernelTask GstMgpuKernelTask;

/* The build of a kernel file, either in the calling thread or in the build thread of the context */
typedef struct
{
  /* Input of the build, set before it starts */
  gchar *location, *source;     /* path of the file; the text that is used instead of a file, or
                                 * NULL */
  gchar *kernel;                /* name of the only kernel to run, or NULL */
  GstMgpuContext *context;
  GstVideoInfo in, out;         /* formats of the input and output frames */
  GstVideoInfo second;          /* format of the frames of the second input; UNKNOWN if there is no
                                 * second input */

  /* Results of the build */
  MgpuKernelText *text;         /* the parsed text; NULL if the file could not be read */
  gpointer object;              /* the built algorithm; NULL if the build failed, or if the output
                                 * frames of the text have a format other than @out */
  gchar *log;                   /* messages of the compiler; "" if there were none; NULL if the
                                 * compiler was not called */
  GError *error;                /* reason why the build failed, or NULL */
  GPtrArray *files;             /* paths of the files that were read, and of files that were not
                                 * found */
  guint64 stamp;                /* stamp of @files before they were read, by mgpu_kernel_get_stamp() */
  gint64 elapsed;               /* duration of gst_mgpu_kernel_build_run() in us */

  GstMgpuKernelTask *task;      /* guarded by a lock of gstmgpukernelbuild.c; NULL: the build thread
                                 * has ended the work, or never received it */
} GstMgpuKernelBuild;

GstMgpuKernelBuild * gst_mgpu_kernel_build_new  (const gchar * location, const gchar * source,
                                                 const gchar * kernel);
/* Frees @self. First removes @self from the queue of the build thread, or waits for the end of the
 * build if the thread has begun it. */
void     gst_mgpu_kernel_build_free             (GstMgpuKernelBuild * self);

/* Reads the file and parses its lines. @files (nullable): the files of the last build of this file.
 * Returns: FALSE on failure, with the reason in self->error */
gboolean gst_mgpu_kernel_build_load             (GstMgpuKernelBuild * self, GPtrArray * files);

/* Reads the file, unless gst_mgpu_kernel_build_load() has read it, checks whether it accepts the
 * frames, and builds its kernels. The results are in @self. */
void     gst_mgpu_kernel_build_run              (GstMgpuKernelBuild * self, GPtrArray * files);

/* Queues gst_mgpu_kernel_build_run() for the build thread of self->context, which builds for all
 * elements of the context, one after the other. */
void     gst_mgpu_kernel_build_start            (GstMgpuKernelBuild * self, GPtrArray * files);

/* Returns: whether the build thread has ended the work */
gboolean gst_mgpu_kernel_build_is_done          (GstMgpuKernelBuild * self);

/* Returns: the format of the output frames of a text, for input frames of the format @in */
GstVideoFormat gst_mgpu_kernel_get_output       (const MgpuKernelText * text, GstVideoFormat in);

/* Returns: (transfer full): the formats that the line "//! formats" lists, for example "RGBA,
 * GRAY8" */
gchar *  gst_mgpu_kernel_list_formats           (const MgpuKernelText * text);

/* Returns: whether the kernel @kernel writes frames; if @kernel is NULL, whether any of the kernels
 * that run for each frame writes frames */
gboolean gst_mgpu_kernel_writes                 (const MgpuKernelText * text, const gchar * kernel);

G_END_DECLS

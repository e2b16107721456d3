/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

typedef struct _GstMgpuKernelTask GstMgpuKernelTask;

/* A kernel file that is read and built, by the thread that calls, or by the thread of
 * builds of its context. */
typedef struct
{
  /* What is built; set before the build starts */
  gchar *location, *source;     /* path of the file, and a text in its place, or NULL */
  gchar *kernel;                /* name of the kernel that runs alone, or NULL */
  GstMgpuContext *context;
  GstVideoInfo in, out;         /* formats of the frames that arrive and that are pushed */
  GstVideoInfo second;          /* that of the second input; UNKNOWN: there are no such frames */

  /* What comes out */
  MgpuKernelText *text;         /* NULL if the file could not be read */
  gpointer object;              /* the built algorithm; NULL if that failed, or if the text makes
                                 * frames of another format than @out */
  gchar *log;                   /* what the compiler said; "": nothing; NULL: it was not called */
  GError *error;                /* why the build failed, or NULL */
  GPtrArray *files;             /* paths of the files that were read or looked for */
  guint64 stamp;                /* of @files, before they were read */
  gint64 elapsed;               /* time of gst_mgpu_kernel_build_run() in us */

  GstMgpuKernelTask *task;      /* guarded by a lock of gstmgpukernelbuild.c; NULL: the thread of
                                 * builds has ended its work, or never had it */
} GstMgpuKernelBuild;

GstMgpuKernelBuild * gst_mgpu_kernel_build_new  (const gchar * location, const gchar * source,
                                                 const gchar * kernel);
/* Takes @self off the queue of the thread of builds; waits if this thread has begun with it. */
void     gst_mgpu_kernel_build_free             (GstMgpuKernelBuild * self);

/* Reads the file and parses its lines. @files (nullable): those of the last build of this file.
 * Returns: FALSE if that failed, with the reason in self->error */
gboolean gst_mgpu_kernel_build_load             (GstMgpuKernelBuild * self, GPtrArray * files);

/* Reads the file, unless gst_mgpu_kernel_build_load() has, checks whether it accepts the frames,
 * and builds its kernels. The result is in @self. */
void     gst_mgpu_kernel_build_run              (GstMgpuKernelBuild * self, GPtrArray * files);

/* Does the same in the thread of builds of self->context, which does one after the other for all
 * elements of the context. */
void     gst_mgpu_kernel_build_start            (GstMgpuKernelBuild * self, GPtrArray * files);

/* Returns: whether the thread has ended its work */
gboolean gst_mgpu_kernel_build_is_done          (GstMgpuKernelBuild * self);

/* Returns: the format of the frames that a text makes of frames of the format @in */
GstVideoFormat gst_mgpu_kernel_get_output       (const MgpuKernelText * text, GstVideoFormat in);

/* Returns: (transfer full): the formats of the line "//! formats", "RGBA, GRAY8" */
gchar *  gst_mgpu_kernel_list_formats           (const MgpuKernelText * text);

/* Returns: whether a kernel writes frames: @kernel, or if that is NULL, one of those that run for
 * each frame */
gboolean gst_mgpu_kernel_writes                 (const MgpuKernelText * text, const gchar * kernel);

G_END_DECLS

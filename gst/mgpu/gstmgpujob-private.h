/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpujob.h"

G_BEGIN_DECLS
/* Observes the first launch of each kernel.
 * @kernels: maps each cl_kernel that was launched to its name, an interned string
 * @tell: called before the first launch of a kernel, with its name and its number among the kernels
 *   of this name, from 1: programs may contain the same function, compiled with other options
 * @user: passed to @tell */
    typedef struct
{
  GHashTable *kernels;
  void (*tell) (gpointer user, const gchar * kernel, guint number);
  gpointer user;
} GstMgpuFirstLaunches;

/* Lets @watch (nullable) observe the launches of the calling thread, until the next call of this
 * function. After the first launch of a kernel, gst_mgpu_job_launch() waits for the device, because
 * many drivers compile a part of a kernel then. */
G_GNUC_INTERNAL void gst_mgpu_job_watch (GstMgpuFirstLaunches * watch);

/* Removes @kernel from the table of the calling thread's watch. Call this function before the
 * kernel is released, because another kernel may get its address. */
G_GNUC_INTERNAL void gst_mgpu_job_forget (cl_kernel kernel);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpufilterparams.h>

#include "gstmgpukernelbuild.h"

G_BEGIN_DECLS

/* Values of the properties. */
typedef struct
{
  gchar *location, *source, *kernel;
  gboolean reload;
  gdouble control[MGPU_KERNEL_MAX_CONTROLS];
  gboolean has_control[MGPU_KERNEL_MAX_CONTROLS];       /* whether the property was ever set */
  gboolean post_messages;
  guint n_set;                  /* number of times that @location, @source or @kernel was set */
} GstMgpuKernelParams;

#define GST_TYPE_MGPU_KERNEL (gst_mgpu_kernel_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuKernel, gst_mgpu_kernel, GST, MGPU_KERNEL,
    GstMgpuFilter);

struct _GstMgpuKernel
{
  GstMgpuFilter parent;

  /* Only the streaming thread uses these from start() to stop(). */
  gpointer object;              /* the built algorithm, by which frames are processed; NULL: none yet */
  MgpuKernelText *built;        /* kernel text from which @object was built; NULL if there is no
                                 * @object */
  gboolean writes;              /* whether @object writes frames */
  gint has_warned;              /* whether a warning about too many boxes was posted; atomic */
  gchar *kernel;                /* name of the kernel of @text that runs, or NULL */
  guint n_loaded;               /* value of GstMgpuKernelParams.n_set when @text was loaded */
  GPtrArray *files;             /* paths of the files from which @text, or a newer text whose build
                                 * failed, was read; NULL if it was not read from a file */
  guint64 stamp;                /* stamp of @files, as mgpu_kernel_get_stamp() returns it */
  gint64 looked;                /* time at which the files were last checked, by
                                 * g_get_monotonic_time() */
  gboolean is_gone;             /* whether the file did not exist when it was last checked */
  gboolean is_empty;            /* whether the file was empty when it was last checked */
  GstMgpuKernelBuild *build;    /* build in progress; NULL if there is none */
  gboolean is_stale;            /* whether @values have to be computed again, because the text is
                                 * new */
  guint n_used;                 /* value of @n_set when @values were computed */
  gdouble values[MGPU_KERNEL_MAX_PARAMS];       /* values that result from the property "params",
                                                 * without the properties "control-N" */
  MgpuKernelParams frame;       /* values for the current frame */

  /* Kernel text whose formats are used in caps negotiation, and which is built for new caps; NULL
   * while the element is not started. Guarded by the object lock of the element; only the streaming
   * thread writes this member. */
  MgpuKernelText *text;

  /* Guarded by the object lock */
  gboolean is_told;             /* whether a warning was posted that @text does not accept the
                                 * frames */
  GstStructure *set;            /* property "params" */
  guint n_set;                  /* number of times that the property was set */
  gchar *log;                   /* property "log" */
};

/* Sets the kernel text of the element to @text (nullable), and the name of the kernel to run to
 * @kernel (nullable). */
void     gst_mgpu_kernel_set_text        (GstMgpuKernel * self, MgpuKernelText * text,
                                          const gchar * kernel);

/* Sets the program for the next frames to @object (transfer full) (nullable), which takes over the
 * buffers that keep data between frames. It was built from the kernel @kernel of @text. */
void     gst_mgpu_kernel_set_object      (GstMgpuKernel * self, gpointer object,
                                          MgpuKernelText * text, const gchar * kernel);

/* Sets the property "log" to @log (nullable), or, if @log is empty, to the text of @error
 * (nullable). */
void     gst_mgpu_kernel_set_log         (GstMgpuKernel * self, const gchar * log,
                                          const GError * error);

/* Logs the content of a kernel text, and the files (element-type filename) from which it was
 * read. */
void     gst_mgpu_kernel_log_text        (GstMgpuKernel * self, const MgpuKernelText * text,
                                          const GPtrArray * files);

/* Logs the values of the parameters that result from the property "params". */
void     gst_mgpu_kernel_log_values      (GstMgpuKernel * self);

/* ---- gstmgpukernelboxes.c --------------------------------------------------------- */

/* Attaches to @buffer, the output frame, the data that gst_mgpu_kernel_finish() needs to attach
 * boxes and to post results. @memory (nullable): the results of the frame. Returns: FALSE with
 * @error set on failure */
gboolean gst_mgpu_kernel_leave_boxes     (GstMgpuKernel * self, GstBuffer * buffer, GstMemory * memory,
                                          gboolean posts, GError ** error);

/* The function @finish of the class: attaches boxes to the frame *@buffer and posts its results. Waits
 * for the device. */
GstFlowReturn gst_mgpu_kernel_finish     (GstMgpuFilter * filter, gpointer pending, GstBuffer ** buffer,
                                          GError ** error);

/* ---- gstmgpukernelreload.c -------------------------------------------------------- */

/* Reads the text that the properties @now name, when the element starts. Returns: (transfer full)
 * (nullable): the error if the text could not be read */
GError * gst_mgpu_kernel_load            (GstMgpuKernel * self, const GstMgpuKernelParams * now);

/* Takes over, before a frame, a text that was set or a program that was built meanwhile. If there
 * is none, checks whether the files have changed. */
void     gst_mgpu_kernel_update          (GstMgpuKernel * self);

/* Cancels the current build; waits for its end if the build thread has already begun it. */
void     gst_mgpu_kernel_stop_build      (GstMgpuKernel * self);

/* Computes the values of the parameters, if the text or the property "params" has changed. */
void     gst_mgpu_kernel_update_values   (GstMgpuKernel * self);

G_END_DECLS

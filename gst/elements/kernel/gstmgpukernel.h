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
  guint n_set;                  /* how often @location, @source or @kernel was set */
} GstMgpuKernelParams;

#define GST_TYPE_MGPU_KERNEL (gst_mgpu_kernel_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuKernel, gst_mgpu_kernel, GST, MGPU_KERNEL,
    GstMgpuFilter);

struct _GstMgpuKernel
{
  GstMgpuFilter parent;

  /* Only the streaming thread uses these from start() to stop(). */
  gpointer object;              /* the built algorithm, by which frames are processed; NULL: none yet */
  MgpuKernelText *built;        /* its text; NULL if there is no @object */
  gboolean writes;              /* whether it writes frames */
  gint has_warned;              /* whether a warning said that there are too many boxes; atomic */
  gchar *kernel;                /* name of the kernel of @text that runs, or NULL */
  guint n_loaded;               /* GstMgpuKernelParams.n_set when @text was loaded */
  GPtrArray *files;             /* paths of the files of @text, or of a later attempt; NULL: it is
                                 * not from a file */
  guint64 stamp;                /* of @files */
  gint64 looked;                /* when files were looked at, by g_get_monotonic_time() */
  gboolean is_gone;             /* whether the file was not there then */
  gboolean is_empty;            /* whether the file was empty then */
  GstMgpuKernelBuild *build;    /* what is built now, or NULL */
  gboolean is_stale;            /* whether @values have to be found again, because there is a new text */
  guint n_used;                 /* value of @n_set when @values were found */
  gdouble values[MGPU_KERNEL_MAX_PARAMS];       /* by "params", without "control-N" */
  MgpuKernelParams frame;       /* of the current frame */

  /* Only the streaming thread writes this, under the object lock, and others read it under it.
   * The text by which caps are negotiated, and that is built with new caps; NULL: the element is not
   * started */
  MgpuKernelText *text;

  /* Guarded by the object lock */
  gboolean is_told;             /* whether a warning said that @text does not accept the frames */
  GstStructure *set;            /* property "params" */
  guint n_set;                  /* how often it was set */
  gchar *log;                   /* property "log" */
};

/* Makes @text (nullable) and its kernel @kernel (nullable) those of the element. */
void     gst_mgpu_kernel_set_text        (GstMgpuKernel * self, MgpuKernelText * text,
                                          const gchar * kernel);

/* Makes @object (transfer full) (nullable) the program of the next frames, which takes over what
 * stays between frames. @text, @kernel: what it was built of. */
void     gst_mgpu_kernel_set_object      (GstMgpuKernel * self, gpointer object,
                                          MgpuKernelText * text, const gchar * kernel);

/* Sets the property "log" to @log, or if it is empty, to the text of @error; both are (nullable). */
void     gst_mgpu_kernel_set_log         (GstMgpuKernel * self, const gchar * log,
                                          const GError * error);

/* Logs what a text has, and of which files (element-type filename) it was read. */
void     gst_mgpu_kernel_log_text        (GstMgpuKernel * self, const MgpuKernelText * text,
                                          const GPtrArray * files);

/* Logs the values of the parameters by "params". */
void     gst_mgpu_kernel_log_values      (GstMgpuKernel * self);

/* ---- gstmgpukernelboxes.c --------------------------------------------------------- */

/* Leaves on @buffer, the frame that is pushed, what gst_mgpu_kernel_finish() needs to attach boxes and to
 * post results. @memory (nullable): the results of the frame. Returns: FALSE with @error set on failure */
gboolean gst_mgpu_kernel_leave_boxes     (GstMgpuKernel * self, GstBuffer * buffer, GstMemory * memory,
                                          gboolean posts, GError ** error);

/* The function @finish of the class: attaches boxes to the frame *@buffer and posts its results. Waits
 * for the device. */
GstFlowReturn gst_mgpu_kernel_finish     (GstMgpuFilter * filter, gpointer pending, GstBuffer ** buffer,
                                          GError ** error);

/* ---- gstmgpukernelreload.c -------------------------------------------------------- */

/* Reads the text that the properties @now name, for the start of the element. Returns: (transfer full)
 * (nullable): why it could not be read */
GError * gst_mgpu_kernel_load            (GstMgpuKernel * self, const GstMgpuKernelParams * now);

/* Before a frame: takes a text that was set or has been built meanwhile, or looks whether its files
 * have changed. */
void     gst_mgpu_kernel_update          (GstMgpuKernel * self);

/* Drops what is being built; waits if the thread of builds has begun with it. */
void     gst_mgpu_kernel_stop_build      (GstMgpuKernel * self);

/* Finds the values of the parameters, if the text or the property "params" has changed. */
void     gst_mgpu_kernel_update_values   (GstMgpuKernel * self);

G_END_DECLS

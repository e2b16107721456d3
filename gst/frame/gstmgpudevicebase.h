/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "gstmgpucaps.h"
#include "gstmgpulog.h"
#include "gstmgpuparams.h"

G_BEGIN_DECLS

/**
 * GstMgpuDeviceBase:
 * @element: (transfer none): the element that owns this struct
 * @stats: the counters that the property "stats" shows; never %NULL
 * @context: the OpenCL context; guarded by the object lock of @element, because
 *   other threads ask for it, but constant from start() to stop() except in
 *   adopt()
 * @queue: the queue on which @element enqueues its work; set from start() to
 *   stop(), guarded as @context is
 *
 * Holds the parts of every element that works on a device: the context, and the
 * properties "device", "stats", "profile" and "max-in-flight".
 */
typedef struct
{
  GstElement *element;
  GstMgpuStats *stats;
  GstMgpuContext *context;
  GstMgpuQueue *queue;

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  gchar *device;
  gboolean started;
  guint max_in_flight;

  /* Members that only the streaming thread uses */
  gboolean is_cold;             /* whether kernels were built that no frame has used yet */
  gboolean is_building;         /* whether the PROGRESS message of type start for the build of
                                 * kernels was posted, and that of type complete was not */
  guint n_built;                /* number of built programs that the last of these messages
                                 * gave */
  gboolean is_first_frame;      /* whether the PROGRESS message of type start for the first frame
                                 * was posted, and that of type complete was not */
} GstMgpuDeviceBase;

void            gst_mgpu_device_base_init               (GstMgpuDeviceBase * self, GstElement * element);
void            gst_mgpu_device_base_clear              (GstMgpuDeviceBase * self);

/* Numbers of the properties that all elements with a device share. install_properties()
 * installs the properties with ids that begin with @first; set_property() and
 * get_property() take a number of this enum as @id, and return FALSE for any other
 * number. */
enum
{
  GST_MGPU_DEVICE_PROP_DEVICE,
  GST_MGPU_DEVICE_PROP_STATS,
  GST_MGPU_DEVICE_PROP_PROFILE,
  GST_MGPU_DEVICE_PROP_MAX_IN_FLIGHT,
  GST_MGPU_DEVICE_N_PROPS
};
void            gst_mgpu_device_base_install_properties (GObjectClass * klass, guint first);
gboolean        gst_mgpu_device_base_set_property       (GstMgpuDeviceBase * self, guint id,
                                                         const GValue * value);
gboolean        gst_mgpu_device_base_get_property       (GstMgpuDeviceBase * self, guint id,
                                                         GValue * value);

/* Opens the device of the element. On failure, posts an error message with the cause. */
gboolean        gst_mgpu_device_base_start              (GstMgpuDeviceBase * self);
void            gst_mgpu_device_base_stop               (GstMgpuDeviceBase * self);

/* Returns: (transfer full): the text of a message about @error: the name of @element, then
 * the text of the error, which may quote a property's value. Replaces bytes that are not
 * UTF-8. */
gchar *         gst_mgpu_error_make_text                (GstElement * element, const GError * error);

/* Posts @error, (transfer full), as an error message of the element. The text of the error has to
 * name the cause and the remedy; its domain is GST_MGPU_ERROR or GST_RESOURCE_ERROR. If @error is
 * NULL, a flush ended the work, and nothing is posted.
 * Returns: the value that the failing function has to return */
GstFlowReturn   gst_mgpu_device_base_fail               (GstMgpuDeviceBase * self, GError * error);

/* Takes over the OpenCL context that @context, a GstContext, carries. An element's own
 * set_context() has to call this function before the set_context() of its parent class. */
void            gst_mgpu_device_base_set_context        (GstMgpuDeviceBase * self, GstContext * context);
/* Answers @query if it is a CONTEXT query, which asks for the OpenCL context. Returns:
 * whether @query was a CONTEXT query and was answered */
gboolean        gst_mgpu_device_base_answer_query       (GstMgpuDeviceBase * self, GstQuery * query);

/* Returns: the value of the property "max-in-flight" */
guint           gst_mgpu_device_base_get_max_in_flight  (GstMgpuDeviceBase * self);

/* Returns: whether the device can hold a frame of the format @info */
gboolean        gst_mgpu_device_base_check_size         (GstMgpuDeviceBase * self, const GstVideoInfo * info,
                                                         GError ** error);

/* Returns: (transfer none) (nullable): the OpenCL context of the memory of @buffer, if
 * the element should move to that context; NULL if it is the element's own context
 * already, or if the user set the property "device" */
GstMgpuContext * gst_mgpu_device_base_get_foreign       (GstMgpuDeviceBase * self, GstBuffer * buffer);
/* Makes @self use the OpenCL context @context from now on. The caller has to make all its
 * kernels, pools and memories anew in this context. */
gboolean        gst_mgpu_device_base_adopt              (GstMgpuDeviceBase * self, GstMgpuContext * context,
                                                         GError ** error);

/* Between begin_build() and end_build() the streaming thread makes the objects of
 * algorithms that @self needs. end_build() builds the kernels of all of them; meanwhile
 * PROGRESS messages say how many programs of the total are built. @ok is FALSE if
 * making the objects failed. Returns: @ok, or FALSE with @error set if building failed */
void            gst_mgpu_device_base_begin_build        (GstMgpuDeviceBase * self);
gboolean        gst_mgpu_device_base_end_build          (GstMgpuDeviceBase * self, gboolean ok,
                                                         GError ** error);

/* Chooses the command queue for the work on a frame. @memory is the memory of the frame, which is
 * on the device or about to be uploaded. If @waits is TRUE, the first element in a streaming thread
 * waits here until fewer than "max-in-flight" frames are unfinished; later elements in that thread
 * use the queue of the first element, and don't wait. Frames in the queue of a GstMgpuInFlight need
 * no wait here. Returns: (transfer full): the queue, for gst_mgpu_device_base_end_frame() */
GstMgpuQueue *  gst_mgpu_device_base_begin_frame        (GstMgpuDeviceBase * self, GstMgpuMemory * memory,
                                                         gboolean waits);
/* Call this after gst_mgpu_device_base_begin_frame(), when the work on the frame is enqueued. @ok
 * is FALSE if enqueuing failed. Takes @queue, (transfer full). After the first frame with new
 * kernels, waits for the device: many drivers compile a part of each kernel when it is launched
 * first, and the PROGRESS messages last until that is over. */
void            gst_mgpu_device_base_end_frame          (GstMgpuDeviceBase * self, GstMgpuQueue * queue,
                                                         gboolean ok);

/* Deactivates and unrefs the buffer pool *@pool unless it is NULL, and sets *@pool to
 * NULL. */
void            gst_mgpu_clear_pool                     (GstBufferPool ** pool);
/* Finds out, by allocating a small memory, whether the device of @context is lost. Call it after a
 * buffer pool or a map has failed, because these report no GError with the cause. Returns: whether
 * the device is lost; if so, @error is set */
gboolean        gst_mgpu_set_lost                       (GstMgpuContext * context, GError ** error);
/* Sets @error: the device is lost, or, if it is not, it has no memory left for a frame of @size
 * bytes. */
void            gst_mgpu_device_base_set_no_memory      (GstMgpuDeviceBase * self, gsize size,
                                                         GError ** error);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/object.h>

#include "gstmgpucaps.h"
#include "gstmgpulog.h"
#include "gstmgpuparams.h"

G_BEGIN_DECLS

/**
 * GstMgpuDeviceBase:
 * @element: (transfer none): the element that owns this struct
 * @stats: the counters that the property "stats" shows; never %NULL
 * @context: the OpenCL context, guarded by the object lock of @element, because other threads
 *   read it. From start() to stop(), only adopt() changes it
 * @queue: the queue in which @element enqueues its work. It is set from start() to stop(), and
 *   guarded by the same lock as @context
 *
 * The state that all elements with a device have in common: the context, and the properties
 * "device", "stats", "profile" and "max-in-flight".
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

  gint is_lost;                 /* atomic: whether an error message about the loss of the device
                                 * was posted */

  /* Members that only the streaming thread uses */
  gboolean is_cold;             /* whether there are new kernels that no frame has used yet */
  gboolean is_building;         /* whether a PROGRESS message for the start of a build was posted,
                                 * but no message for the end of this build */
  guint n_built;                /* number of built programs in the last of these messages */
  guint n_works;                /* number of calls of begin_work() whose end_work() has not been
                                 * called */
  gboolean is_first_frame;      /* whether a PROGRESS message for the start of the first frame was
                                 * posted, but no message for the end of this frame */
  GstMgpuFirstLaunches launches;        /* the kernels that were launched since programs were built;
                                 * its set is NULL if the caches had all programs */
} GstMgpuDeviceBase;

void            gst_mgpu_device_base_init               (GstMgpuDeviceBase * self, GstElement * element);
void            gst_mgpu_device_base_clear              (GstMgpuDeviceBase * self);

/* Numbers of the properties that all elements with a device have. install_properties() installs
 * them with consecutive ids; the first id is @first. set_property() and get_property() take a
 * number of this enum as @id, and return FALSE for any other number. */
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

/* Returns: (transfer full): the text of a message about @error: the name of @element, followed by
 * the text of the error. Bytes that are not UTF-8 are replaced, because an error may quote the
 * value of a property */
gchar *         gst_mgpu_error_make_text                (GstElement * element, const GError * error);

/* Posts @error (transfer full) (nullable) as an error message of the element. The text of the error
 * has to name the cause and the remedy; its domain is GST_MGPU_ERROR or GST_RESOURCE_ERROR. NULL
 * means that a flush ended the work; nothing is posted then. The message that the device is lost is
 * posted only once between start() and stop(), because all later work also fails, in any thread.
 * Returns: the value that the failing function has to return */
GstFlowReturn   gst_mgpu_device_base_fail               (GstMgpuDeviceBase * self, GError * error);

/* Takes over the OpenCL context that @context, a GstContext, carries. The set_context() of an
 * element has to call this function before it calls the parent class. */
void            gst_mgpu_device_base_set_context        (GstMgpuDeviceBase * self, GstContext * context);
/* Answers @query if it is a CONTEXT query that asks for an OpenCL context. Returns: whether
 * @query was answered */
gboolean        gst_mgpu_device_base_answer_query       (GstMgpuDeviceBase * self, GstQuery * query);

/* Returns: the value of the property "max-in-flight" */
guint           gst_mgpu_device_base_get_max_in_flight  (GstMgpuDeviceBase * self);

/* Returns: whether the device can hold a frame of the format @info */
gboolean        gst_mgpu_device_base_check_size         (GstMgpuDeviceBase * self, const GstVideoInfo * info,
                                                         GError ** error);

/* Returns: TRUE if the user set the property "device", so that the element has to keep its OpenCL
 * context */
gboolean        gst_mgpu_device_base_is_bound           (GstMgpuDeviceBase * self);
/* Returns: (transfer none) (nullable): the OpenCL context of the memory of @buffer, if the
 * element should switch to that context; NULL if the element uses it already, or if the user set
 * the property "device" */
GstMgpuContext * gst_mgpu_device_base_get_foreign       (GstMgpuDeviceBase * self, GstBuffer * buffer);
/* Switches @self to the OpenCL context @context. The caller has to make new kernels, pools and
 * memories in this context. */
gboolean        gst_mgpu_device_base_adopt              (GstMgpuDeviceBase * self, GstMgpuContext * context,
                                                         GError ** error);

/* Between begin_build() and end_build(), the streaming thread makes the objects of the algorithms
 * that @self needs. end_build() builds the kernels of all these algorithms; meanwhile, PROGRESS
 * messages report how many of the programs are built. Pass @ok = FALSE if making the objects
 * failed. Returns: @ok; FALSE with @error set if a build failed */
void            gst_mgpu_device_base_begin_build        (GstMgpuDeviceBase * self);
gboolean        gst_mgpu_device_base_end_build          (GstMgpuDeviceBase * self, gboolean ok,
                                                         GError ** error);

/* Between begin_work() and end_work(), PROGRESS messages name the element for each kernel that the
 * calling thread launches first, and for programs that it builds. Calls may be nested, also inside
 * begin_frame() and end_frame(). Pass @ok = FALSE if the work failed. */
void            gst_mgpu_device_base_begin_work         (GstMgpuDeviceBase * self);
void            gst_mgpu_device_base_end_work           (GstMgpuDeviceBase * self, gboolean ok);

/* Chooses the command queue for the work on a frame. @memory is the memory of the frame; it is on
 * the device, or about to be uploaded. If @waits is TRUE, the first element in a streaming thread
 * waits until fewer than "max-in-flight" frames are unfinished. Later elements in that thread use
 * the queue of the first element, and do not wait. Pass @waits = FALSE if the frames are put into
 * a GstMgpuInFlight, which waits itself. Returns: (transfer full): the queue, for
 * gst_mgpu_device_base_end_frame() */
GstMgpuQueue *  gst_mgpu_device_base_begin_frame        (GstMgpuDeviceBase * self, GstMgpuMemory * memory,
                                                         gboolean waits);
/* Call this function after the work on the frame is enqueued. @queue (transfer full) is the queue
 * from gst_mgpu_device_base_begin_frame(). Pass @ok = FALSE if enqueuing failed. After a frame with
 * new kernels, waits for the device: many drivers compile a part of each kernel at its first
 * launch, and the PROGRESS messages for the frame end only when that is done. */
void            gst_mgpu_device_base_end_frame          (GstMgpuDeviceBase * self, GstMgpuQueue * queue,
                                                         gboolean ok);

/* Deactivates and unrefs the buffer pool *@pool unless it is NULL, and sets *@pool to
 * NULL. */
void            gst_mgpu_clear_pool                     (GstBufferPool ** pool);
/* Tests whether the device of @context is lost, by allocating a small memory. Call it after a
 * failure of a buffer pool or a map, which report no cause in a GError. Returns: whether the
 * device is lost; @error is set then */
gboolean        gst_mgpu_set_lost                       (GstMgpuContext * context, GError ** error);
/* Sets @error for a frame of @size bytes that could not be allocated. The error says that the
 * device is lost, or, if it is not, that it has no memory left. */
void            gst_mgpu_device_base_set_no_memory      (GstMgpuDeviceBase * self, gsize size,
                                                         GError ** error);

G_END_DECLS

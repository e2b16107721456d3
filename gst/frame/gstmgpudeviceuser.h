/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "gstmgpucaps.h"
#include "gstmgpuparams.h"

G_BEGIN_DECLS

/**
 * GstMgpuDeviceUser:
 * @element: (transfer none): whose state this is
 * @stats: what the "stats" property shows; never %NULL
 * @context: the OpenCL context; under the object lock of @element, because
 *   other threads ask for it, but constant from start() to stop() except in
 *   adopt()
 * @queue: where @element's work goes; from start() to stop(), guarded as
 *   @context is
 * @info: frames that arrive
 *
 * What every element has that works on a device: context, pools, how frames
 * get there, the properties "device", "stats" and "profile".
 */
typedef struct
{
  GstElement *element;
  GstMgpuStats *stats;
  GstMgpuContext *context;
  GstMgpuQueue *queue;
  GstVideoInfo info;

  /*< private >*/
  gchar *device;
  gboolean started;
  gboolean said_foreign;
  GstBufferPool *import_pool;
} GstMgpuDeviceUser;

void            gst_mgpu_device_user_init               (GstMgpuDeviceUser * self, GstElement * element);
void            gst_mgpu_device_user_clear              (GstMgpuDeviceUser * self);

/* Properties, installed with GST_MGPU_DEVICE_PROP_... from id first on; the
 * others take id - first and do nothing with what is not theirs. */
enum
{
  GST_MGPU_DEVICE_PROP_DEVICE,
  GST_MGPU_DEVICE_PROP_STATS,
  GST_MGPU_DEVICE_PROP_PROFILE,
  GST_MGPU_DEVICE_N_PROPS
};
void            gst_mgpu_device_user_install_properties (GObjectClass * klass, guint first);
gboolean        gst_mgpu_device_user_set_property       (GstMgpuDeviceUser * self, guint id,
                                                         const GValue * value);
gboolean        gst_mgpu_device_user_get_property       (GstMgpuDeviceUser * self, guint id,
                                                         GValue * value);

/* Opens the device, or posts why that failed. */
gboolean        gst_mgpu_device_user_start              (GstMgpuDeviceUser * self);
void            gst_mgpu_device_user_stop               (GstMgpuDeviceUser * self);

/* Posts error, which it takes: its text has to name the cause and the cure. It is
 * one of GST_MGPU_ERROR or GST_RESOURCE_ERROR; NULL when a flush ended the
 * work, which nobody has to hear of.
 * Returns: what the failing function has to return */
GstFlowReturn   gst_mgpu_device_user_fail               (GstMgpuDeviceUser * self, GError * error);

/* For GstElement's set_context(), before the parent's */
void            gst_mgpu_device_user_set_context        (GstMgpuDeviceUser * self, GstContext * context);
/* Whether query asked for a context, and was answered */
gboolean        gst_mgpu_device_user_answer_query       (GstMgpuDeviceUser * self, GstQuery * query);

/* Sets info. */
gboolean        gst_mgpu_device_user_set_caps           (GstMgpuDeviceUser * self, GstCaps * caps,
                                                         GError ** error);
void            gst_mgpu_device_user_set_info           (GstMgpuDeviceUser * self, const GstVideoInfo * info);
/* Whether the device can hold such a frame */
gboolean        gst_mgpu_device_user_check_size         (GstMgpuDeviceUser * self, const GstVideoInfo * info,
                                                         GError ** error);

/* Returns: (transfer none) (nullable): the context that the element should
 * move to because buffer is in it */
GstMgpuContext * gst_mgpu_device_user_get_foreign       (GstMgpuDeviceUser * self, GstBuffer * buffer);
/* Moves to context. What was made for the old one has to be made again. */
gboolean        gst_mgpu_device_user_adopt              (GstMgpuDeviceUser * self, GstMgpuContext * context,
                                                         GError ** error);

/* Where the work on the frame in memory, which is on the device or about to go there,
 * is to be enqueued. The first element in a thread waits until fewer than n frames
 * are unfinished, unless n is 0: those behind it, on the same queue, need not.
 * Returns: (transfer full) */
GstMgpuQueue *  gst_mgpu_device_user_begin_frame        (GstMgpuDeviceUser * self, GstMgpuMemory * memory,
                                                         guint n);

/* Deactivates and forgets *pool unless it is NULL. */
void            gst_mgpu_clear_pool                     (GstBufferPool ** pool);
/* Sets error to what it is when a frame of size bytes has no place. */
void            gst_mgpu_device_user_set_no_memory      (GstMgpuDeviceUser * self, gsize size,
                                                         GError ** error);

G_END_DECLS

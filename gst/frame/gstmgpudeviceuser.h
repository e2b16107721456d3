/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "gstmgpuparams.h"

G_BEGIN_DECLS

/* The formats of all elements. Colour comes first, because a source that is
 * free to choose takes the first. */
#define GST_MGPU_FORMATS "{ NV12, I420, YV12, NV21, Y42B, Y444, " \
    "YUY2, UYVY, RGB, BGR, RGBx, xRGB, BGRx, xBGR, RGBA, ARGB, BGRA, ABGR, " \
    "P010_10LE, I420_10LE, GRAY8, GRAY16_LE }"

#define GST_MGPU_CAPS_DEVICE GST_VIDEO_CAPS_MAKE_WITH_FEATURES \
    (GST_CAPS_FEATURE_MEMORY_OPENCL, GST_MGPU_FORMATS)
#define GST_MGPU_CAPS_HOST GST_VIDEO_CAPS_MAKE (GST_MGPU_FORMATS)

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

/* Reads the caps of frames. */
gboolean        gst_mgpu_caps_parse                     (GstCaps * caps, GstVideoInfo * info, GError ** error);
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

/* caps with each structure in the memory of feature, or in system memory */
GstCaps *       gst_mgpu_caps_in_memory                 (GstCaps * caps, const gchar * feature);
/* Fixes caps, (transfer full), of frames that pass as they are: what those before
 * left open gets the value that it has by default wherever that is possible, not
 * the first of what those behind would take (scalers: any pixel aspect ratio). */
GstCaps *       gst_mgpu_caps_fixate                    (GstCaps * caps);

/* size: (inout): bytes of a frame
 * Returns: (transfer full) (nullable): our pool for frames of caps, configured */
GstBufferPool * gst_mgpu_device_user_new_pool           (GstMgpuDeviceUser * self, GstCaps * caps,
                                                         guint * size, gboolean video_meta);
/* Returns: (transfer full) (nullable): an active pool of frames like info */
GstBufferPool * gst_mgpu_device_user_new_frame_pool     (GstMgpuDeviceUser * self, const GstVideoInfo * info,
                                                         GError ** error);
/* Likewise of frames like those that arrive, for the host to fill */
GstBufferPool * gst_mgpu_device_user_new_import_pool    (GstMgpuDeviceUser * self, GError ** error);
/* Returns: (transfer full) (nullable): an active pool of buffers of size bytes,
 * a multiple of 4, that are no frames */
GstBufferPool * gst_mgpu_device_user_new_table_pool     (GstMgpuDeviceUser * self, gsize size,
                                                         GError ** error);
/* Returns: (transfer none) (nullable): the memory of a buffer of such a pool;
 * NULL of NULL */
GstMgpuMemory * gst_mgpu_peek_table                     (GstBuffer * buffer);
/* Deactivates and forgets *pool unless it is NULL. */
void            gst_mgpu_clear_pool                     (GstBufferPool ** pool);
/* Returns: (nullable): a buffer of pool; NULL with an error unless flow is
 * something else */
GstBuffer *     gst_mgpu_device_user_acquire            (GstMgpuDeviceUser * self, GstBufferPool * pool,
                                                         GError ** error);
/* Sets error to what it is when a frame of size bytes has no place. */
void            gst_mgpu_device_user_set_no_memory      (GstMgpuDeviceUser * self, gsize size,
                                                         GError ** error);

/* Offers upstream our pool. */
gboolean        gst_mgpu_device_user_propose_allocation (GstMgpuDeviceUser * self, GstQuery * query);
/* Leaves one pool in query, downstream's where that is in our context. Posts
 * what fails. video_meta: (out): whether frames may have strides of their own;
 * to_host: (out): whether they have to be brought from memory of the device to
 * that of the host. Between our elements they stay on the device under any caps:
 * there it is not so. */
gboolean        gst_mgpu_device_user_decide_allocation  (GstMgpuDeviceUser * self, GstQuery * query,
                                                         gboolean * video_meta, gboolean * to_host);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include <gst/vision/base/image.h>

#include "gstmgpuinflight.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_FILTER (gst_mgpu_filter_get_type ())
#define GST_MGPU_FILTER(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilter))
#define GST_MGPU_FILTER_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))
#define GST_MGPU_FILTER_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))

typedef struct _GstMgpuFilter GstMgpuFilter;
typedef struct _GstMgpuFilterClass GstMgpuFilterClass;

/**
 * GstMgpuFilter:
 * @user: the device, queue and statistics of the filter; @user.info is the format
 *   of frames that arrive
 * @out_info: the format of frames that leave; equal to @user.info unless the
 *   subclass transforms caps
 * @downstream_takes_video_meta: whether frames that leave may have strides other
 *   than the default ones
 * @frame_params: a copy of @params for the frame that is worked on, taken before
 *   passes() is called and also before prepare(); %NULL where the class has no
 *   parameters
 * @params: the current values of the parameters, guarded by the object lock;
 *   changed() may use other members of the struct as counters
 *
 * Makes one frame of each frame that arrives, of the same format and size unless
 * the subclass has its own transform_caps().
 */
struct _GstMgpuFilter
{
  GstBaseTransform parent;

  GstMgpuDeviceUser user;
  GstVideoInfo out_info;
  gboolean downstream_takes_video_meta;
  gpointer frame_params, params;

  /*< private >*/
  gboolean prepared;
  gboolean gives_device_frames;
  gboolean resting;
  gboolean passing;
  gboolean looking;
  gboolean said_refused;
  GstMgpuInFlight in_flight;
  gboolean discont;
  guint to_skip;

  /* Members that the object lock guards */
  gboolean enabled;
  guint max_in_flight;
  gboolean to_host;
  GstClockTime latency;
};

/**
 * GstMgpuFilterClass:
 * @prepare: builds what depends on the context and on info, the format of frames
 *   that arrive; called before the first frame, and again when context or format
 *   changes
 * @unprepare: frees what @prepare made, also where it failed
 * @enqueue: enqueues the work on one frame in job, which also keeps errors. It is
 *   called for a frame that passes unchanged only if @attach is called for it, too;
 *   out is %NULL then.
 * @begin: gets what the work needs besides the frame that arrived, and may wait;
 *   @enqueue is not called unless it returns %GST_FLOW_OK. May be %NULL.
 * @end: frees what @begin got, once the work is enqueued or has failed
 * @passes: returns whether the next frame passes unchanged; %NULL where the work
 *   changes every frame
 * @looks: returns whether @enqueue and @attach are called for a frame that passes
 *   unchanged; %NULL where they are called for every frame
 * @attach: attaches metas with the results of @enqueue to buffer, the frame that
 *   leaves; may fail
 * @is_needed: whether the caps of frames that leave depend on the work of the
 *   element, so that the property "enabled" has no effect
 * @changed: called without a lock when a thread has set the property of the i-th
 *   parameter. May be %NULL.
 *
 * Of these functions, an element that only moves frames has none but @passes.
 */
struct _GstMgpuFilterClass
{
  GstBaseTransformClass parent_class;

  gboolean (*prepare)   (GstMgpuFilter * self, GstMgpuContext * context,
                         const GstVideoInfo * info, GError ** error);
  void     (*unprepare) (GstMgpuFilter * self);
  void     (*enqueue)   (GstMgpuFilter * self, GstMgpuJob * job,
                         const MgpuImage * in, const MgpuImage * out);
  GstFlowReturn (*begin) (GstMgpuFilter * self, GstBuffer * in);
  void     (*end)       (GstMgpuFilter * self);
  gboolean (*passes)    (GstMgpuFilter * self);
  gboolean (*looks)     (GstMgpuFilter * self, GstBuffer * in, GError ** error);
  gboolean (*attach)    (GstMgpuFilter * self, GstBuffer * buffer, GError ** error);
  gboolean is_needed;

  /* Parameters, which gst_mgpu_filter_class_set_params() sets */
  const MgpuParam *params;
  gsize params_size;
  void     (*changed)   (GstMgpuFilter * self, guint i);
};

GType gst_mgpu_filter_get_type (void);

/* Installs a property for each of params, which describe members of a struct of size
 * bytes. A filter keeps one such struct, which the properties change, and a copy of it
 * for the frame that is worked on. */
void gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass, const MgpuParam * params, gsize size);

/* Copies the current parameters. Returns: (transfer full): a struct to be freed with
 * gst_mgpu_filter_free_params() */
gpointer gst_mgpu_filter_copy_params (GstMgpuFilter * self);
void gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params);

/* Returns: whether the current frame passes unchanged because the property "enabled" is
 * off; known once before_transform() of GstMgpuFilter has returned */
gboolean gst_mgpu_filter_is_resting (GstMgpuFilter * self);

/* Returns TRUE. Is @passes of a class whose frames all pass unchanged. */
gboolean gst_mgpu_filter_passes_all (GstMgpuFilter * self);

/* Returns: whether the current frame is one of those that are looked at: one of @interval
 * frames, beginning with the first frame, and with the first one after a flush, which may
 * be the only one. Must be called once for each frame. */
gboolean gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval);

/* Returns: how many frames the filter may keep until their bytes are in system memory;
 * 1 where it pushes each frame before the next one comes, even if the device is still
 * at work on it */
guint gst_mgpu_filter_get_in_flight (GstMgpuFilter * self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuFilter, gst_object_unref)

G_END_DECLS

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
 * @user: device, queue, statistics; @user.info describes frames that arrive
 * @out_info: frames that leave: the same as @user.info unless the subclass
 *   transforms caps
 * @downstream_takes_video_meta: whether frames may have strides of their own
 * @frame_params: the parameters of the frame that is worked on, from before
 *   passes() on; before the first frame, those of now. %NULL without parameters
 * @params: the parameters of now, under the object lock; changed() may count in
 *   members of the struct that are no parameters
 *
 * One frame in, one frame out, of the same format and size unless the subclass
 * has its own transform_caps().
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

  /* Under the object lock */
  gboolean enabled;
  guint max_in_flight;
  gboolean to_host;
  GstClockTime latency;
};

/**
 * GstMgpuFilterClass:
 * @prepare: builds what depends on context and frame format (info is that of
 *   frames that arrive), before the first frame and again when one of the two
 *   changes
 * @unprepare: frees what @prepare made
 * @enqueue: puts one frame's work in job, where errors stay, too. Of frames
 *   that pass it is called for those that @attach gets, with %NULL for out.
 * @begin: gets what else the frame in needs, and may wait for it; no frame is
 *   made unless it says %GST_FLOW_OK. May be %NULL.
 * @end: lets go of that, once the work is enqueued or has failed; with @begin
 * @passes: whether the next frame passes as it is; none does without it
 * @looks: whether @enqueue and @attach are called for the frame in, which
 *   passes: it does not get to the device otherwise, unless it leaves there.
 *   All are looked at without it.
 * @attach: attaches what @enqueue found to the frame that leaves, whose
 *   metadata may be changed; may fail
 * @is_needed: the caps of frames that leave ask for its work, so that the property
 *   "enabled" does nothing
 * @changed: a thread has set the property of the i-th parameter; called without a
 *   lock. May be %NULL.
 *
 * Elements that only move frames let all pass and leave the rest out.
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

  /* Set by gst_mgpu_filter_class_set_params() */
  const MgpuParam *params;
  gsize params_size;
  void     (*changed)   (GstMgpuFilter * self, guint i);
};

GType gst_mgpu_filter_get_type (void);

/* Installs the properties of params, which are the members of a struct of size bytes.
 * The filter keeps one that properties change, and a copy for the frame that is worked
 * on. */
void gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass, const MgpuParam * params, gsize size);

/* Copies the parameters of now. Returns: (transfer full): a struct to be freed with
 * gst_mgpu_filter_free_params() */
gpointer gst_mgpu_filter_copy_params (GstMgpuFilter * self);
void gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params);

/* Returns: whether the frame at hand passes because "enabled" is off; from the
 * end of the base's before_transform() on */
gboolean gst_mgpu_filter_is_resting (GstMgpuFilter * self);

/* Returns: how many frames the device may be at work on while no thread waits
 * for them; 1 where each leaves before the next comes, and the device may still
 * be at work on it */
guint gst_mgpu_filter_get_in_flight (GstMgpuFilter * self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuFilter, gst_object_unref)

G_END_DECLS

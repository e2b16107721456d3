/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgpumix.h"
#include "gstmgpuparams.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_FILTER (gst_mgpu_filter_get_type ())
#define GST_MGPU_FILTER(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilter))
#define GST_MGPU_FILTER_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))
#define GST_MGPU_FILTER_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))

typedef struct _GstMgpuFilter GstMgpuFilter;
typedef struct _GstMgpuFilterClass GstMgpuFilterClass;

/**
 * GstMgpuFilter:
 * @user: the device, queue and statistics of the filter
 * @input: the way of frames to the device, with their format
 * @output: the way of frames that leave, with their format, which equals that of
 *   @input unless the subclass transforms caps
 * @guide: the second input; %NULL where the class has none
 * @mask_guide: the input of masks; %NULL where frames change as a whole
 * @mix: where frames change, and what that takes; of classes with regions alone
 * @frame: the frame that is worked on
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
  GstMgpuInput input;
  GstMgpuOutput output;
  GstMgpuGuide *guide, *mask_guide;
  GstMgpuMix mix;
  GstMgpuFrame frame;
  gpointer params;

  /*< private >*/
  gboolean prepared;
  gboolean said_refused;
  guint to_skip;
  gboolean enabled;             /* property "enabled"; guarded by the object lock */
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
 * @passes: returns whether the next frame passes unchanged; %NULL where the work
 *   changes every frame
 * @looks: returns whether @enqueue and @attach are called for a frame that passes
 *   unchanged; %NULL where they are called for every frame
 * @attach: attaches metas with the results of @enqueue to buffer, the frame that
 *   leaves; may fail
 * @needs_guide: returns whether the frame that came needs its guide, which is dropped
 *   otherwise; %NULL where each frame needs it
 * @reach: tells what MgpuAlgorithm::reach tells of the current frame; %NULL where each
 *   result depends on the whole frame
 * @surveys: whether @enqueue is called for the whole frame, with out %NULL, before it is
 *   called for parts of it
 * @remembers: returns whether the work on the current frame changes results of later
 *   frames; %NULL where it never does
 * @is_needed: whether the caps of frames that leave depend on the work of the
 *   element, so that the property "enabled" has no effect
 * @describe: adds fields to the structure of the property "stats"; may be %NULL. It is
 *   called by any thread
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
  gboolean (*passes)    (GstMgpuFilter * self);
  gboolean (*looks)     (GstMgpuFilter * self, GstBuffer * in, GError ** error);
  gboolean (*attach)    (GstMgpuFilter * self, GstBuffer * buffer, GError ** error);
  gboolean (*needs_guide) (GstMgpuFilter * self);
  gint     (*reach)     (GstMgpuFilter * self, gint * step);
  gboolean surveys;
  gboolean (*remembers) (GstMgpuFilter * self);
  gboolean is_needed;

  /* Name of the pad of guides, which gst_mgpu_filter_class_set_guide() sets, or NULL */
  const gchar *guide;

  /* Parameters, which gst_mgpu_filter_class_set_params() sets */
  const MgpuParam *params;
  gsize params_size;
  gsize regions;                /* place of GstMgpuRegionsParams among them; 0: no regions */
  void     (*describe)  (GstMgpuFilter * self, GstStructure * stats);
  void     (*changed)   (GstMgpuFilter * self, guint i);
};

GType gst_mgpu_filter_get_type (void);

/* Installs a property for each of @params, which describe members of a struct
 * of size bytes. A filter keeps one such struct, which the properties change,
 * and a copy of it for the frame that is worked on. */
void gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass, const MgpuParam * params, gsize size);

/* Does the same as gst_mgpu_filter_class_set_params(), and gives the class regions: the
 * properties of gst_mgpu_regions_params, and the request pad "mask_sink". Their parameters
 * are behind those of @size bytes. The parameter @params is (nullable). */
void gst_mgpu_filter_class_set_params_and_regions (GstMgpuFilterClass * klass, const MgpuParam * params,
                                                   gsize size);

/* Gives the class a second input, the request pad @name, which is never freed. The parameter
 * @caps is a string with the caps that the pad takes. */
void gst_mgpu_filter_class_set_guide (GstMgpuFilterClass * klass, const gchar * name, const gchar * caps);

/* Copies the current parameters. Returns: (transfer full): a struct to be freed with
 * gst_mgpu_filter_free_params() */
gpointer gst_mgpu_filter_copy_params (GstMgpuFilter * self);
void gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params);

/* Returns TRUE. Is @passes of a class whose frames all pass unchanged. */
gboolean gst_mgpu_filter_passes_all (GstMgpuFilter * self);

/* Returns: whether the current frame is one of those that are looked at: one of @interval
 * frames, beginning with the first frame, and with the first one after a flush, which may
 * be the only one. Must be called once for each frame. */
gboolean gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuFilter, gst_object_unref)

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgpublend.h"
#include "gstmgpuparams.h"
#include "gstmgpuwatch.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_FILTER (gst_mgpu_filter_get_type ())
#define GST_MGPU_FILTER(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilter))
#define GST_MGPU_FILTER_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))
#define GST_MGPU_FILTER_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_MGPU_FILTER, GstMgpuFilterClass))

typedef struct _GstMgpuFilter GstMgpuFilter;
typedef struct _GstMgpuFilterClass GstMgpuFilterClass;

/**
 * GstMgpuFilter:
 * @base: the device, the queue and the statistics of the filter
 * @input: makes input frames accessible to the device, and holds their format
 * @output: pushes output frames, and holds their format, which differs from that of @input only
 *   if the subclass transforms caps
 * @guide: the second input of the filter, for guide images; %NULL if the class has
 *   none
 * @mask_guide: the input for mask images (pad mask_sink); %NULL if the class has no
 *   regions
 * @mix: the regions in which frames change, and the state for blending results there; only used
 *   by classes with regions
 * @frame: the frame that is being processed
 * @watch: checks whether frames have the metas that the filter works on, and warns if they do not
 * @params: the current values of the parameters, guarded by the object lock. The struct may have
 *   members that are not parameters; changed() may use them, for example as counters
 *
 * Base class of filters. A filter makes one output frame from each input frame. Both frames have
 * the same format and size, unless the subclass has its own transform_caps().
 */
struct _GstMgpuFilter
{
  GstBaseTransform parent;

  GstMgpuDeviceBase base;
  GstMgpuInput input;
  GstMgpuOutput output;
  GstMgpuGuide *guide, *mask_guide;
  GstMgpuBlend mix;
  GstMgpuFrame frame;
  GstMgpuWatch watch;
  gpointer params;

  gboolean prepared;
  gboolean warned_refused;
  guint to_skip;
  gboolean is_needed;           /* value of the member of the class with the same name, for the
                                 * current caps; set by prepare() */
  gboolean enabled;             /* property "enabled"; guarded by the object lock */
};

/**
 * GstMgpuFilterClass:
 * @prepare: creates everything that depends on the OpenCL context and on @info, the format of
 *   input frames. It is called before the first frame, and again when the context or the format
 *   changes
 * @unprepare: frees everything that @prepare created. It is also called if @prepare has failed
 * @enqueue: enqueues in @job the work on a frame or on a part of it, which computes @work->out
 *   from @work->in, @work->guide and @work->params (the parameters of the current frame). Errors
 *   stay in @job. For a frame that is passed through unchanged, @enqueue is called only if
 *   @attach is also called; @work->out is %NULL then. %NULL if @attach needs no work on the
 *   device
 * @passes: returns whether the frame @in is passed through unchanged. It is called once for each
 *   frame on which the element works, before @enqueue. %NULL if every frame is changed
 * @looks: returns whether @enqueue and @attach are called for a frame that is passed through
 *   unchanged. %NULL if they are called for every such frame
 * @attach: attaches metas with the results of @enqueue to @buffer, the writable output frame. It
 *   may fail. It must not wait for the device: what needs results of the device is left to @finish
 * @finish: completes the writable frame *@buffer with @pending, which @attach gave to
 *   gst_mgpu_pending_set(), just before the frame is pushed. May wait for the device, and
 *   may replace *@buffer. If several frames may be in flight, it is called by the thread of the
 *   source pad while @enqueue works on later frames, otherwise by the streaming thread. What
 *   @prepare created lives until it has returned for all frames; other members and @frame may have
 *   changed since @attach. Returns: %GST_FLOW_OK to push the frame; %GST_FLOW_CUSTOM_SUCCESS to
 *   drop it; %GST_FLOW_ERROR with @error set, or after an error message. %NULL if the class leaves
 *   nothing pending
 * @needs_guide: returns whether the current frame needs its guide image. If not, the guide image
 *   is dropped. %NULL if every frame needs its guide image
 * @reach: returns the same as MgpuAlgorithm::reach, for the current frame: the maximum distance,
 *   in pixels, between an output pixel and the input pixels on which it depends. %NULL if each
 *   output pixel depends on the whole frame
 * @surveys: whether @enqueue is first called for the whole frame, with @work->out = %NULL, and
 *   then for parts of the frame
 * @remembers: returns whether the work on the current frame affects the results of later frames.
 *   %NULL if it never does
 * @is_needed: whether the work of the element is needed because the caps of its output frames
 *   depend on it. The property "enabled" then has no effect
 * @describe: adds fields to the structure of the property "stats"; may be %NULL. It is
 *   called by any thread
 * @changed: is called after the property of parameter @i was set, in the thread that set it,
 *   without a lock held. May be %NULL
 *
 * A class that only moves frames between kinds of memory sets none of these functions but
 * @passes.
 */
struct _GstMgpuFilterClass
{
  GstBaseTransformClass parent_class;

  gboolean (*prepare)   (GstMgpuFilter * self, GstMgpuContext * context,
                         const GstVideoInfo * info, GError ** error);
  void     (*unprepare) (GstMgpuFilter * self);
  void     (*enqueue)   (GstMgpuFilter * self, GstMgpuJob * job,
                         const MgpuWork * work);
  gboolean (*passes)    (GstMgpuFilter * self, GstBuffer * in, GError ** error);
  gboolean (*looks)     (GstMgpuFilter * self, GstBuffer * in, GError ** error);
  gboolean (*attach)    (GstMgpuFilter * self, GstBuffer * buffer, GError ** error);
  GstFlowReturn (*finish) (GstMgpuFilter * self, gpointer pending,
                         GstBuffer ** buffer, GError ** error);
  gboolean (*needs_guide) (GstMgpuFilter * self);
  gint     (*reach)     (GstMgpuFilter * self, gint * step);
  gboolean surveys;
  gboolean (*remembers) (GstMgpuFilter * self);
  gboolean is_needed;

  /* name of the request pad for guide images, set by gst_mgpu_filter_class_set_guide(); NULL if
   * the class has no such pad */
  const gchar *guide;

  /* array of the parameters of the class, and size in bytes of the struct of their values; both
   * are set by gst_mgpu_filter_class_set_params() */
  const MgpuParam *params;
  gsize params_size;
  gsize regions;                /* offset in bytes of GstMgpuRegionsParams in the struct
                                 * of parameter values; 0 if the class has no regions */
  void     (*describe)  (GstMgpuFilter * self, GstStructure * stats);
  void     (*changed)   (GstMgpuFilter * self, guint i);
};

GType gst_mgpu_filter_get_type (void);

/* Sets the parameters of the class, as gst_mgpu_filter_class_set_params() does, and gives the
 * class regions: the properties of gst_mgpu_regions_params and the request pad "mask_sink".
 * @params (nullable): the class's own parameters. @size: size in bytes of the struct of their
 * values; the parameters of the regions are appended to this struct. */
void gst_mgpu_filter_class_set_params_and_regions (GstMgpuFilterClass * klass, const MgpuParam * params,
                                                   gsize size);

/* Gives the class an input for guide images. @name: name of the request pad, a string that is
 * never freed. @caps: the caps that the pad accepts, as a string. */
void gst_mgpu_filter_class_set_guide (GstMgpuFilterClass * klass, const gchar * name, const gchar * caps);

/* Returns TRUE. Use it as the function @passes of a class that passes all frames through
 * unchanged. */
gboolean gst_mgpu_filter_passes_all (GstMgpuFilter * self, GstBuffer * in, GError ** error);

/* Sets whether the function @finish of the class may block for the next frames; the default is
 * TRUE. If it does not block, frames that stay on the device are not queued as frames in flight,
 * and add no latency. Call it in the streaming thread, before a frame, or in start(). */
void gst_mgpu_filter_set_blocks (GstMgpuFilter * self, gboolean blocks);

/* Decides whether the current frame is analyzed. Every @interval-th frame is analyzed. Counting
 * starts with the first frame of the stream, and again with the first frame after a flush,
 * because this may be the only frame. Must be called once for each frame. Returns: whether the
 * frame is analyzed */
gboolean gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuFilter, gst_object_unref)

G_END_DECLS

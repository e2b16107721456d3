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
 * @base: the device, queue and statistics of the filter
 * @input: brings input frames to the device, and holds their format
 * @output: pushes output frames, and holds their format, which equals that of @input
 *   unless the subclass transforms caps
 * @guide: the second input of the filter, for guide images; %NULL if the class has
 *   none
 * @mask_guide: the input for mask images (pad mask_sink); %NULL if the class has no
 *   regions
 * @mix: the regions in which frames change, and the objects that blend them; only used by classes
 *   with regions
 * @frame: the frame that is being processed
 * @watch: checks whether frames carry the metas that the filter works on, and warns if they do not
 * @params: the current values of the parameters, guarded by the object lock; other
 *   members of the same struct are free for changed(), which may use them as counters
 *
 * Base class of filters, which make one output frame from each input frame. The output frame has
 * the format and size of the input frame, unless the subclass has its own transform_caps().
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
  gboolean enabled;             /* property "enabled"; guarded by the object lock */
};

/**
 * GstMgpuFilterClass:
 * @prepare: creates everything that depends on the OpenCL context and on @info, the format of input
 *   frames; called before the first frame, and again when context or format changes
 * @unprepare: frees everything that @prepare created; also called if @prepare failed
 * @enqueue: enqueues in @job the work on one frame, or on a part of it: computes @work->out from
 *   @work->in, @work->guide and @work->params, the parameters of the current frame. Errors stay in
 *   @job. For a frame that is passed through unchanged, @enqueue is called only if @attach is also
 *   called for that frame; @work->out is %NULL then. %NULL if @attach needs no work on the device
 * @passes: returns whether the frame @in is passed through unchanged; called once for each frame on
 *   which the element works, before @enqueue. %NULL if every frame is changed
 * @looks: returns whether @enqueue and @attach are called for a frame that is passed through
 *   unchanged; %NULL if they are called for every such frame
 * @attach: attaches metas with the results of @enqueue to @buffer, the output frame, which
 *   is writable; may fail
 * @needs_guide: returns whether the current frame needs its guide image; if not, the
 *   guide image is dropped. %NULL if every frame needs its guide image
 * @reach: returns the same as MgpuAlgorithm::reach, for the current frame: the distance, in pixels,
 *   of the farthest input pixel that an output pixel depends on; %NULL if each output pixel depends
 *   on the whole frame
 * @surveys: whether @enqueue is first called for the whole frame, with %NULL as
 *   @work->out, and only then for parts of the frame
 * @remembers: returns whether the work on the current frame affects the results of later frames;
 *   %NULL if it never does
 * @is_needed: whether the caps of output frames depend on the work of the element, so
 *   that the property "enabled" has no effect
 * @describe: adds fields to the structure of the property "stats"; may be %NULL. It is
 *   called by any thread
 * @changed: called in the thread that has set the property of parameter @i, without a lock held.
 *   May be %NULL
 *
 * Of these functions, a class whose elements only move frames between memories sets only
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
  gboolean (*needs_guide) (GstMgpuFilter * self);
  gint     (*reach)     (GstMgpuFilter * self, gint * step);
  gboolean surveys;
  gboolean (*remembers) (GstMgpuFilter * self);
  gboolean is_needed;

  /* Name of the request pad for guide images, which gst_mgpu_filter_class_set_guide()
   * sets; NULL if the class has no such pad */
  const gchar *guide;

  /* Array of the parameters of the class, and size in bytes of the struct that holds their
   * values; gst_mgpu_filter_class_set_params() sets both */
  const MgpuParam *params;
  gsize params_size;
  gsize regions;                /* offset in bytes of GstMgpuRegionsParams in the struct
                                 * of parameter values; 0 if the class has no regions */
  void     (*describe)  (GstMgpuFilter * self, GstStructure * stats);
  void     (*changed)   (GstMgpuFilter * self, guint i);
};

GType gst_mgpu_filter_get_type (void);

/* Does the same as gst_mgpu_filter_class_set_params() of gstmgpufilterparams.h, and also
 * gives the class regions: the properties of gst_mgpu_regions_params, and the request pad
 * "mask_sink". The class's own struct of parameters has @size bytes; the parameters of the
 * regions are appended to it. @params is (nullable). */
void gst_mgpu_filter_class_set_params_and_regions (GstMgpuFilterClass * klass, const MgpuParam * params,
                                                   gsize size);

/* Gives the class an input for guide images: the request pad @name. The string @name is
 * never freed. @caps is a string with the caps that the pad takes. */
void gst_mgpu_filter_class_set_guide (GstMgpuFilterClass * klass, const gchar * name, const gchar * caps);

/* Returns TRUE. Use it as the function @passes of a class that passes all frames through
 * unchanged. */
gboolean gst_mgpu_filter_passes_all (GstMgpuFilter * self, GstBuffer * in, GError ** error);

/* Returns: whether the current frame is analysed. Every @interval-th frame is analysed, beginning
 * with the first frame of the stream and, after a flush, with the first frame after it, which may
 * be the only one. Must be called once for each frame. */
gboolean gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuFilter, gst_object_unref)

G_END_DECLS

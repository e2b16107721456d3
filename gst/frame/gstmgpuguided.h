/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"
#include "gstmgpuguide.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_GUIDED (gst_mgpu_guided_get_type ())
#define GST_MGPU_GUIDED(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_GUIDED, GstMgpuGuided))

typedef struct _GstMgpuGuided GstMgpuGuided;
typedef struct _GstMgpuGuidedClass GstMgpuGuidedClass;

/* Base class of the filters with a second input, which is a request pad with a
 * GstMgpuGuide; a filter has at most one. A subclass that overrides change_state,
 * sink_event, src_event, query, before_transform or dispose has to call the function of
 * this class. */
struct _GstMgpuGuided
{
  GstMgpuFilter parent;

  /*< private >*/
  /* Members that the object lock guards */
  GstMgpuGuide *guide;          /* second input; NULL until its pad is requested */
  guint32 seek_seqnum;          /* sequence number of the last seek event */
};

struct _GstMgpuGuidedClass
{
  GstMgpuFilterClass parent_class;
};

GType gst_mgpu_guided_get_type (void);

/* Adds the template of the request pad, whose name is @name. The parameter @caps is a
 * string with the caps that the pad takes. */
void           gst_mgpu_guided_class_add_pad (GstElementClass * klass, const gchar * name, const gchar * caps);

/* Returns: whether the pad of the second input was requested */
gboolean       gst_mgpu_guided_has_pad       (GstMgpuGuided * self);

/* Gets the guide that belongs to the frame @in, and waits for it. The parameter @buffer is
 * (out) (transfer full): the guide, NULL where the filter has no such pad; @info is
 * (out): the format of the guide. Posts an error where the guide and the frame differ in
 * size, or where no guide came. */
GstFlowReturn  gst_mgpu_guided_take          (GstMgpuGuided * self, GstBuffer * in, GstBuffer ** buffer,
                                              GstVideoInfo * info);

/* Drops the guide of the frame @in, which needs none, if later frames do not take it
 * either, so that the stream of guides goes on. */
void           gst_mgpu_guided_skip          (GstMgpuGuided * self, GstBuffer * in);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuGuided, gst_object_unref)

G_END_DECLS

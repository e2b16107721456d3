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

/* Base of the filters with a second input: what its class adds is a request pad
 * template, whose one pad has a GstMgpuGuide. Subclasses that have functions of
 * their own for change_state, sink_event, src_event, query or dispose call
 * these. */
struct _GstMgpuGuided
{
  GstMgpuFilter parent;

  /*< private >*/
  GstMgpuGuide *guide;          /* under the object lock; NULL without pad */
  guint32 seek_seqnum;          /* of the last seek; under the object lock */
};

struct _GstMgpuGuidedClass
{
  GstMgpuFilterClass parent_class;
};

GType gst_mgpu_guided_get_type (void);

/* Adds the template of the pad; caps: what it takes, as a string. */
void           gst_mgpu_guided_class_add_pad (GstElementClass * klass, const gchar * name, const gchar * caps);

/* Whether somebody requested the pad. */
gboolean       gst_mgpu_guided_has_pad       (GstMgpuGuided * self);

/* Takes what belongs to the frame in and is of its size; buffer: (out) (transfer
 * full), NULL without pad; info: (out): what it is like. Waits for it. Posts an
 * error where it is of another size, or where none came. */
GstFlowReturn  gst_mgpu_guided_take          (GstMgpuGuided * self, GstBuffer * in, GstBuffer ** buffer,
                                              GstVideoInfo * info);

/* What belongs to the frame in is not needed: makes room for what follows. */
void           gst_mgpu_guided_skip          (GstMgpuGuided * self, GstBuffer * in);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuGuided, gst_object_unref)

G_END_DECLS

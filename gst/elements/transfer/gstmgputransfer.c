/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The common base of mgpuupload and mgpudownload. It shares a CUDA context with the
 * neighbors of the element. */
#include "gstmgputransfer.h"

#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpudmabufallocator.h>

#include "gstmgpudrmcaps.h"

static gpointer
get_parent_class (void)
{
  return g_type_class_peek (GST_TYPE_MGPU_FILTER);
}

static gboolean
gst_mgpu_transfer_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  return gst_mgpu_cuda_base_answer_query (&((GstMgpuTransfer *) trans)->cuda,
      query) || GST_BASE_TRANSFORM_CLASS (get_parent_class ())->query (trans,
      direction, query);
}

static void
gst_mgpu_transfer_set_context (GstElement * element, GstContext * context)
{
  GST_MGPU_DEBUG_OBJECT (element, "got %" GST_PTR_FORMAT, context);
  gst_mgpu_cuda_base_set_context (&((GstMgpuTransfer *) element)->cuda,
      context);
  GST_ELEMENT_CLASS (get_parent_class ())->set_context (element, context);
}

gboolean
gst_mgpu_transfer_stop (GstBaseTransform * trans)
{
  gst_mgpu_cuda_base_stop (&((GstMgpuTransfer *) trans)->cuda);
  return GST_BASE_TRANSFORM_CLASS (get_parent_class ())->stop (trans);
}

static void
gst_mgpu_transfer_finalize (GObject * object)
{
  gst_mgpu_cuda_base_clear (&((GstMgpuTransfer *) object)->cuda);
  G_OBJECT_CLASS (get_parent_class ())->finalize (object);
}

#if GST_CHECK_VERSION (1, 24, 0)
static GstCaps *
gst_mgpu_transfer_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstPadDirection shared = ((GstMgpuTransfer *) trans)->shared;
  gboolean is_asked = direction != shared;
  /* whether this element, and not upstream, allocates the frames in dma-bufs or CUDA memory */
  gboolean makes = shared == GST_PAD_SRC;

  return gst_mgpu_caps_intersect (filter, gst_mgpu_caps_beyond_drm (caps,
          is_asked && (!makes || gst_mgpu_dmabuf_allocator_is_possible ()),
          is_asked && (!makes || gst_mgpu_cuda_is_possible ())));
}
#endif

void
gst_mgpu_transfer_init (GstMgpuTransfer * self, GstPadDirection shared)
{
  self->shared = shared;
  gst_mgpu_cuda_base_init (&self->cuda, &self->filter.base);
}

void
gst_mgpu_transfer_class_init (GstMgpuFilterClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_transfer_finalize;
  GST_ELEMENT_CLASS (klass)->set_context = gst_mgpu_transfer_set_context;
  GST_BASE_TRANSFORM_CLASS (klass)->query = gst_mgpu_transfer_query;
  GST_BASE_TRANSFORM_CLASS (klass)->stop = gst_mgpu_transfer_stop;
#if GST_CHECK_VERSION (1, 24, 0)
  GST_BASE_TRANSFORM_CLASS (klass)->transform_caps =
      gst_mgpu_transfer_transform_caps;
#endif
  klass->passes = gst_mgpu_filter_passes_all;
  klass->is_needed = TRUE;
}

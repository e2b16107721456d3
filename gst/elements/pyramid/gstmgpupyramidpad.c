/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the source pads of mgpupyramid. Each pad pushes one level of the image
 * pyramid as a stream. */
#include "gstmgpupyramid.h"

#include <gst/frame/gstmgpucaps.h>

G_DEFINE_TYPE (GstMgpuPyramidPad, gst_mgpu_pyramid_pad,
    GST_TYPE_MGPU_SOURCE_PAD);

GstPad *
gst_mgpu_pyramid_pad_new (GstMgpuPyramid * element, GstPadTemplate * template,
    guint index)
{
  g_autofree gchar *name = g_strdup_printf ("src_%u", index);
  GstMgpuPyramidPad *self = g_object_new (GST_TYPE_MGPU_PYRAMID_PAD,
      "name", name, "template", template, "direction", GST_PAD_SRC, NULL);

  self->index = index;
  gst_mgpu_source_pad_set_up (&self->source, &element->base, element->sinkpad,
      g_strdup_printf ("%u", index));
  return GST_PAD (self);
}

guint
gst_mgpu_pyramid_pad_get_level (GstMgpuPyramidPad * self,
    GstMgpuPyramid * element)
{
  return MIN (self->index, mgpu_pyramid_get_n_levels (element->pyramid) - 1);
}

static GstCaps *
gst_mgpu_pyramid_pad_make_caps (GstMgpuSourcePad * source)
{
  GstMgpuPyramid *element = (GstMgpuPyramid *) source->output.base->element;
  const GstVideoInfo *info;
  GstCaps *caps;
  GstStructure *s;

  if (element->pyramid == NULL)
    return NULL;
  info = mgpu_pyramid_get_info (element->pyramid,
      gst_mgpu_pyramid_pad_get_level (GST_MGPU_PYRAMID_PAD (source), element));
  caps = gst_mgpu_caps_in_memory (element->caps, NULL);
  s = gst_caps_get_structure (caps, 0);
  gst_structure_set (s,
      "width", G_TYPE_INT, GST_VIDEO_INFO_WIDTH (info),
      "height", G_TYPE_INT, GST_VIDEO_INFO_HEIGHT (info), NULL);
  gst_mgpu_caps_name_colorimetry (s, info);
  gst_mgpu_caps_name_chroma_site (s, info);
  return caps;
}

GstFlowReturn
gst_mgpu_pyramid_pad_judge (GstMgpuPyramidPad * self, GstFlowReturn ret)
{
  GstMgpuSourcePad *source = &self->source;

  if (g_atomic_int_get (&self->released))
    return GST_FLOW_OK;
  if (ret <= GST_FLOW_ERROR || (source->flow != GST_FLOW_NOT_LINKED
          && !gst_mgpu_in_flight_is_unlinked (&source->output.in_flight)))
    return ret;
  return gst_pad_is_linked (GST_PAD (self)) ? GST_FLOW_OK : GST_FLOW_NOT_LINKED;
}

static void
gst_mgpu_pyramid_pad_init (GstMgpuPyramidPad * self)
{
}

static void
gst_mgpu_pyramid_pad_class_init (GstMgpuPyramidPadClass * klass)
{
  GST_MGPU_SOURCE_PAD_CLASS (klass)->make_caps = gst_mgpu_pyramid_pad_make_caps;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Largest number of inputs that a filter has beside its first one */
#define GST_MGPU_FILTER_MAX_GUIDES 2

/* Fill @list with the inputs of a filter beside its first one: its guide and
 * its input of masks, as far as the class has them. The second function leaves
 * out inputs without a pad. Return: the number of inputs in @list */
guint gst_mgpu_filter_list_guides        (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES]);
guint gst_mgpu_filter_list_linked_guides (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES]);

/* Drops the pools of all inputs; call it when the element stops, or moves to another
 * context. */
void  gst_mgpu_filter_reset_inputs       (GstMgpuFilter * self);

/* Waits for the guide of the frame @in, and sets self->frame.guide to it. Drops the guide
 * of a frame that needs none. */
void  gst_mgpu_filter_find_guide         (GstMgpuFilter * self, GstBuffer * in);

/* Takes the mask that the pad mask_sink has for the frame @in, and finds where the frame
 * changes. */
void  gst_mgpu_filter_find_regions       (GstMgpuFilter * self, GstBuffer * in);

G_END_DECLS

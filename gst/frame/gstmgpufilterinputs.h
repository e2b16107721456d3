/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Maximum number of additional inputs of a filter: one for guide images and one for masks */
#define GST_MGPU_FILTER_MAX_GUIDES 2

/* Both functions fill @list with the additional inputs of a filter: for guide images and for
 * masks, as far as the class has them. The second function leaves out inputs whose pad was not
 * requested. Returns: the number of inputs in @list */
guint gst_mgpu_filter_list_guides        (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES]);
guint gst_mgpu_filter_list_linked_guides (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES]);

/* Drops the buffer pools of all inputs; call it when the element stops, or moves to
 * another OpenCL context. */
void  gst_mgpu_filter_reset_inputs       (GstMgpuFilter * self);

/* Waits for the guide image of the frame @in, and stores it in self->frame.guide. If the frame
 * needs no guide image, drops it instead. */
void  gst_mgpu_filter_find_guide         (GstMgpuFilter * self, GstBuffer * in);

/* Draws the regions in which the frame @in is processed, and stores them in @regions. @mask
 * (nullable): the mask image for this frame, from the pad mask_sink. @guide: the filter's input
 * for mask images */
gboolean gst_mgpu_filter_update_regions  (GstMgpuFilter * self, GstMgpuRegions * regions,
                                          const GstMgpuRegionsParams * params, GstBuffer * in,
                                          GstMgpuGuide * guide, GstBuffer * mask, GError ** error);

/* Takes the mask image for the frame @in from the pad mask_sink, and finds the regions in
 * which the frame changes. */
void  gst_mgpu_filter_find_regions       (GstMgpuFilter * self, GstBuffer * in);

G_END_DECLS

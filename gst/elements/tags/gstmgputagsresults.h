/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <kernels/tags/tags-shared.h>

#include "gstmgputagsscene.h"

G_BEGIN_DECLS

/* Conditions under which tags count: their center lies in a region, and they have enough
 * evidence */
typedef struct
{
  gdouble min_evidence;         /* minimum evidence, in bits */
  GArray *regions;              /* array of GstVideoRectangle, the regions; NULL means the whole
                                 * frame */
  GBytes *mask;                 /* mask with a gray value for each pixel; the center of a tag must
                                 * be on a bright pixel; NULL if there is no mask */
  gint width, height;           /* size of frames */
} GstMgpuTagsPlaces;

/* The tags of a frame. Zero the struct, and set @finder and @tags, before its first use. */
typedef struct
{
  guint finder;                 /* number of the element, which identifies the tags that it found */
  GArray *tags;                 /* array of GstMgpuTag */
  gboolean has_board;
  GstMgpuTagPose board;
} GstMgpuTagsResults;

/* Sets @results to the tags that the device found: finds their corners and, if the camera @model is
 * not NULL, their poses. Leaves out tags that were found twice at the same place, or that @places
 * excludes. */
void gst_mgpu_tags_results_read   (GstMgpuTagsResults * results, const GstMgpuTagsScene * scene,
    const MgpuLensModel * model, const TagsHeader * header, const TagsRecord * records,
    const GstMgpuTagsPlaces * places);

/* Attaches the tags to @buffer: regions of interest, object detections and a GstMgpuTagMeta. The
 * meta keeps the tags that other mgputags elements found; the tags that this element attached at an
 * earlier pass of @buffer are removed. */
void gst_mgpu_tags_results_attach (GstMgpuTagsResults * results, GstElement * element, GstBuffer * buffer,
    gint width, gint height);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The mask of a frame: says which parts of it change. */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpuparams.h"
#include "gstmgpuwatch.h"

G_BEGIN_DECLS

/* Width and height, in pixels, of a tile; the parts of a frame that are computed consist
 * of whole tiles */
#define GST_MGPU_REGIONS_TILE_X 64
#define GST_MGPU_REGIONS_TILE_Y 16

/* Where the mask comes from. The values from 0 on are part of the API of mgpuinpaint since 1.0. */
typedef enum
{
  GST_MGPU_MASK_SOURCE_PROPERTY,        /* the properties "mask-location", "rectangle" and
                                         * "polygon" */
  GST_MGPU_MASK_SOURCE_ROI,     /* regions of interest of the types "roi-type", or all */
  GST_MGPU_MASK_SOURCE_ALPHA,   /* the transparent pixels of the frame */
  GST_MGPU_MASK_SOURCE_PAD,     /* the stream at the pad mask_sink */
  GST_MGPU_MASK_SOURCE_SEGMENTATION,    /* the segmentation masks of the frame */
  GST_MGPU_MASK_SOURCE_AUTO     /* the union of all properties of the mask that are set, and of the
                                 * pad if it was requested; without any of them whole frames
                                 * change */
} GstMgpuMaskSource;

/* Describes the values of GstMgpuMaskSource. GST_MGPU_MASK_SOURCE_AUTO is the first entry, so that
 * an enum without it begins at the second entry. */
extern const MgpuEnumValue gst_mgpu_mask_source_values[];

/**
 * GstMgpuRegionsParams:
 * @source: where the mask comes from, a value of GstMgpuMaskSource
 * @roi_type: (nullable): the types of regions of interest that are marked, or of segments,
 *   separated by commas
 * @rectangle: (nullable): rectangles, each "x,y,width,height", separated by semicolons
 * @polygon: (nullable): polygons, each a list of the x and y of its corners, separated
 *   by semicolons
 * @location: (nullable): the path of a file with a mask image
 * @scale: whether the mask image may have another size than the frames, and is scaled
 *   then
 * @dilate: number of pixels by which the marked areas of the mask are grown on all
 *   sides
 * @feather: half the width, in pixels, of the soft border of marked areas
 * @hold: number of further frames for which a region of interest stays marked, and each
 *   pixel of other masks that come with frames
 * @invert: whether the pixels that are not marked change, instead of the marked ones
 * @mix: weight of the result in a changed pixel, 0 (the frame stays) to 1 (the result
 *   alone)
 * @file_serial: a number that grows whenever a property is set on which the mask file and
 *   the polygons depend
 *
 * Parameters of the mask, and of what it is used for. A string that is %NULL is not set.
 */
typedef struct
{
  gint source;
  gchar *roi_type, *rectangle, *polygon, *location;
  gboolean scale;
  guint dilate, feather, hold;
  gboolean invert;
  gdouble mix;
  guint file_serial;
} GstMgpuRegionsParams;

/* Describes the members of GstMgpuRegionsParams, which are properties of elements. */
extern const MgpuParam gst_mgpu_regions_params[];

/* The last entries of gst_mgpu_regions_params, without the properties "mask-source", "mask-invert"
 * and "mix": for an element that defines these itself, or does not have them. */
extern const MgpuParam *const gst_mgpu_mask_params;

/* Notes that the member of @self at the offset @member was set, so that the mask file is read again
 * if it depends on this member. */
void     gst_mgpu_regions_params_note_set (GstMgpuRegionsParams * self, gsize member);

/* How much of a frame changes */
typedef enum
{
  GST_MGPU_COVERS_NOTHING,
  GST_MGPU_COVERS_PART,         /* the output is a blend of the frame and the filter's
                                 * result */
  GST_MGPU_COVERS_ALL           /* the output is the filter's result alone */
} GstMgpuCover;

/**
 * GstMgpuRegions:
 * @covers: how much of the frame changes
 * @mix: the property "mix", multiplied by 256
 * @is_inverted: whether the pixels that @mask marks stay unchanged, instead of those
 *   it does not mark
 * @mask: grey values of all pixels of the frame, row by row without gaps; %NULL if all
 *   pixels change, or none
 * @width: width of the frame, in pixels
 * @height: height of the frame, in pixels
 * @boxes: an array of MgpuRect: parts of the frame, made of whole tiles, which do not
 *   overlap and contain all pixels that change
 * @serial: a number that grows whenever @mask changes
 *
 * @is_hard: whether grey values of mask images count only as marked or not; the element sets
 *   this before it updates the mask
 * @turns: whether a rotated object is marked as such, instead of by the upright box around it;
 *   the element sets this once
 *
 * Holds the mask of the current frame, which says where the frame changes.
 */
typedef struct
{
  GstMgpuCover covers;
  guint mix;
  gboolean is_inverted;
  guint8 *mask;
  gint width, height;
  GArray *boxes;
  guint serial;
  gboolean is_hard, turns;

  GArray *rects, *last_rects;   /* arrays of MgpuRect: rectangles of the mask of the
                                 * current frame (@rects), and of that of the last frame
                                 * (@last_rects) */
  GQueue held;                  /* queue of arrays of MgpuRect: the regions of interest of
                                 * each of the last frames */
  guint8 *marks, *last_marks;   /* grey values of the pixels that the current frame (@marks) and the
                                 * last one (@last_marks) mark individually: from mask images,
                                 * alpha, segmentation masks and rotated boxes */
  gboolean has_marks, had_marks;        /* whether the current frame (@has_marks) and the last one
                                         * (@had_marks) mark any pixels individually */
  guint16 *held_pixels;         /* for each pixel, the number of further frames for which it
                                 * stays marked; NULL if there is no such pixel */
  guint8 *memory;               /* memory for the grey values of a mask; the member @mask
                                 * points to it or is NULL */
  guint8 *file, *grown;         /* @file: grey values of the mask file and of polygons;
                                 * @grown: @file dilated by @grown_by pixels */
  gboolean has_read;            /* whether @file was computed from the properties as of
                                 * @file_serial */
  guint file_serial;
  guint grown_by;               /* number of pixels by which @grown is dilated */
  MgpuRect drawn;               /* box around the pixels of the mask that are not 0 */
  guint dilate, feather;        /* parameters with which the current mask was drawn */
  gboolean was_hard;            /* value of @is_hard with which it was drawn */
  gboolean has_mask;            /* whether @memory has the mask of the last frame */
} GstMgpuRegions;

void     gst_mgpu_regions_init   (GstMgpuRegions * self);
/* Frees all memory that @self holds. */
void     gst_mgpu_regions_clear  (GstMgpuRegions * self);
/* Forgets what earlier frames marked. */
void     gst_mgpu_regions_forget (GstMgpuRegions * self);
/* Forgets the mask and what earlier frames marked; call it before the frame format changes. */
void     gst_mgpu_regions_reset  (GstMgpuRegions * self);

/* Draws the mask of the frame in @buffer, of the format @info. @watch is the watch of the element;
 * @picture is (nullable): the GRAY8 mask image of the same size that the pad mask_sink received for
 * the frame, if params->source takes it. Returns: FALSE if @error is set */
gboolean gst_mgpu_regions_update (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
                                  const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
                                  GstVideoFrame * picture, GError ** error);

G_END_DECLS

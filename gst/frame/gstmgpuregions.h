/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The mask of a frame, which determines the parts of the frame that change. */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpuparams.h"
#include "gstmgpuwatch.h"

G_BEGIN_DECLS

/* Width and height of a tile, in pixels. The parts of a frame that are computed consist of whole
 * tiles. */
#define GST_MGPU_REGIONS_TILE_X 64
#define GST_MGPU_REGIONS_TILE_Y 16

/* Sources of the mask. The values that are 0 or larger are part of the API of mgpuinpaint since
 * 1.0. */
typedef enum
{
  GST_MGPU_MASK_SOURCE_PROPERTY,        /* the properties "mask-location", "rectangle" and
                                         * "polygon" */
  GST_MGPU_MASK_SOURCE_ROI,     /* regions of interest, of the types in the property "roi-type" or
                                 * of all types */
  GST_MGPU_MASK_SOURCE_ALPHA,   /* the transparent pixels of the frame */
  GST_MGPU_MASK_SOURCE_PAD,     /* the stream at the pad mask_sink */
  GST_MGPU_MASK_SOURCE_SEGMENTATION,    /* the segmentation masks of the frame */
  GST_MGPU_MASK_SOURCE_AUTO     /* the union of the masks of all properties that are set and of
                                 * the pad if it was requested; whole frames change if there is
                                 * none of these */
} GstMgpuMaskSource;

/* Describes the values of GstMgpuMaskSource. The first entry is GST_MGPU_MASK_SOURCE_AUTO: an
 * enum without this value begins at the second entry. */
extern const MgpuEnumValue gst_mgpu_mask_source_values[];

/**
 * GstMgpuRegionsParams:
 * @source: where the mask comes from, a value of GstMgpuMaskSource
 * @roi_type: (nullable): the types of the regions of interest or segments that are marked,
 *   separated by commas
 * @rectangle: (nullable): rectangles, each "x,y,width,height", separated by semicolons
 * @polygon: (nullable): polygons, each a list of the x and y of its corners, separated
 *   by semicolons
 * @location: (nullable): the path of a file with a mask image
 * @scale: whether a mask image whose size differs from that of the frames is scaled
 * @dilate: number of pixels by which marked areas are dilated on all sides
 * @feather: half the width, in pixels, of the soft border of marked areas
 * @hold: number of further frames for which regions of interest, and pixels that a frame marks
 *   individually, stay marked
 * @invert: whether the pixels that are not marked change, instead of the marked ones
 * @mix: weight of the filter's result in a changed pixel, from 0 (frame unchanged) to 1 (result
 *   alone)
 * @file_serial: a number that is increased whenever a property is set that affects the mask file
 *   or the polygons
 *
 * Parameters of the mask and of its use. A string that is %NULL is not set.
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

/* Records that the member of @self at the offset @member was set. If this member affects the mask
 * file or the polygons, the mask file is read again. */
void     gst_mgpu_regions_params_note_set (GstMgpuRegionsParams * self, gsize member);

/* Returns: whether a member of @self limits what changes in frames, or weakens the change */
gboolean gst_mgpu_regions_params_limit    (const GstMgpuRegionsParams * self);

/* How much of a frame changes */
typedef enum
{
  GST_MGPU_COVERS_NOTHING,
  GST_MGPU_COVERS_PART,         /* the output is a blend of the frame and the filter's
                                 * result */
  GST_MGPU_COVERS_ALL           /* the output is the filter's result */
} GstMgpuCover;

/**
 * GstMgpuRegions:
 * @covers: how much of the frame changes
 * @mix: the property "mix", multiplied by 256
 * @is_inverted: whether the pixels that @mask does not mark change, instead of those that it
 *   marks
 * @mask: gray values of all pixels of the frame, row by row without gaps; %NULL if all pixels or
 *   no pixels change
 * @width: width of the frame, in pixels
 * @height: height of the frame, in pixels
 * @boxes: an array of MgpuRect: boxes that contain all pixels that change. They consist of whole
 *   tiles and do not overlap
 * @serial: a number that is increased whenever @mask changes
 *
 * @is_hard: whether mask images are made binary; set by the element before it updates the mask
 * @turns: whether the rotated box of an object is marked, instead of the upright box around it;
 *   set once by the element
 *
 * The mask of the current frame, which determines where the frame changes.
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

  GArray *rects, *last_rects;   /* arrays of MgpuRect: rectangles of the mask of the current frame
                                 * (@rects) and of the previous frame (@last_rects) */
  GQueue held;                  /* queue of arrays of MgpuRect: the regions of interest of
                                 * each of the last frames */
  guint8 *marks, *last_marks;   /* gray values of the pixels that the current frame (@marks) and
                                 * the previous frame (@last_marks) mark individually, by mask
                                 * images, alpha, segmentation masks and rotated boxes */
  gboolean has_marks, had_marks;        /* whether the current frame (@has_marks) and the previous
                                         * frame (@had_marks) mark any pixels individually */
  guint16 *held_pixels;         /* for each pixel, the number of further frames for which it
                                 * stays marked; NULL if there is no such pixel */
  guint8 *memory;               /* memory for the gray values of a mask; @mask either points to it
                                 * or is NULL */
  guint8 *file, *grown;         /* @file: gray values of the mask file and of polygons;
                                 * @grown: @file dilated by @grown_by pixels */
  gboolean has_read;            /* whether @file is up to date with @file_serial */
  guint file_serial;
  guint grown_by;               /* number of pixels by which @grown is dilated */
  MgpuRect drawn;               /* box around the pixels of the mask that are not 0 */
  guint dilate, feather;        /* parameters with which the current mask was drawn */
  gboolean was_hard;            /* value of @is_hard with which the current mask was drawn */
  gboolean has_mask;            /* whether @memory contains the mask of the previous frame */
} GstMgpuRegions;

void     gst_mgpu_regions_init   (GstMgpuRegions * self);
/* Frees all memory that @self holds. */
void     gst_mgpu_regions_clear  (GstMgpuRegions * self);
/* Forgets what earlier frames marked. */
void     gst_mgpu_regions_forget (GstMgpuRegions * self);
/* Forgets the mask and what earlier frames marked. Call it before the frame format changes. */
void     gst_mgpu_regions_reset  (GstMgpuRegions * self);

/* Draws the mask of the frame in @buffer, which has the format @info. @watch is the watch of the
 * element. @picture (nullable) is the mask image that the pad mask_sink received for the frame,
 * if params->source includes it; it is GRAY8 and has the size of the frame. Returns: FALSE with
 * @error set on failure */
gboolean gst_mgpu_regions_update (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
                                  const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
                                  GstVideoFrame * picture, GError ** error);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpuparams.h"
#include "gstmgpuwatch.h"

G_BEGIN_DECLS

/* Width and height, in pixels, of a tile; the parts of a frame that are computed consist
 * of whole tiles */
#define GST_MGPU_REGIONS_TILE_X 64
#define GST_MGPU_REGIONS_TILE_Y 16

/**
 * GstMgpuRegionsParams:
 * @roi_type: (nullable): the types of regions of interest that mark where frames
 *   change, separated by commas
 * @rectangle: (nullable): rectangles, each "x,y,width,height", separated by semicolons
 * @polygon: (nullable): polygons, each a list of the x and y of its corners, separated
 *   by semicolons
 * @location: (nullable): the path of a file with a mask image
 * @scale: whether the mask image may have another size than the frames, and is scaled
 *   then
 * @dilate: number of pixels by which the marked areas of the mask are grown on all
 *   sides
 * @feather: half the width, in pixels, of the soft border of marked areas
 * @hold: number of further frames for which a region of interest stays marked
 * @invert: whether the pixels that are not marked change, instead of the marked ones
 * @mix: weight of the result in a changed pixel, 0 (the frame stays) to 1 (the result
 *   alone)
 *
 * Parameters that say where frames change. A string that is %NULL is not set.
 */
typedef struct
{
  gchar *roi_type, *rectangle, *polygon, *location;
  gboolean scale;
  guint dilate, feather, hold;
  gboolean invert;
  gdouble mix;
} GstMgpuRegionsParams;

/* Describes the members of GstMgpuRegionsParams, which are properties of elements. */
extern const MgpuParam gst_mgpu_regions_params[];

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

  GArray *rects, *last_rects;   /* arrays of MgpuRect: rectangles of the mask of the
                                 * current frame (@rects), and of that of the last frame
                                 * (@last_rects) */
  GQueue held;                  /* queue of arrays of MgpuRect: the regions of interest of
                                 * each of the last frames */
  guint8 *memory;               /* memory for the grey values of a mask; the member @mask
                                 * points to it or is NULL */
  guint8 *file, *grown;         /* @file: grey values of the mask file and of polygons;
                                 * @grown: @file dilated by @grown_by pixels */
  gchar *location, *polygon;    /* values of the properties mask-location and polygon when
                                 * @file was drawn last */
  gboolean scale;
  gboolean is_broken;           /* whether the last attempt to draw the grey values @file
                                 * failed */
  guint grown_by;               /* number of pixels by which @grown is dilated */
  MgpuRect drawn;               /* box around the pixels of the mask that are not 0 */
  guint dilate, feather;        /* parameters with which the current mask was drawn */
  gboolean has_mask, had_picture;
} GstMgpuRegions;

void     gst_mgpu_regions_init   (GstMgpuRegions * self);
/* Frees all memory that @self holds. */
void     gst_mgpu_regions_clear  (GstMgpuRegions * self);
/* Forgets the regions of interest of earlier frames. */
void     gst_mgpu_regions_forget (GstMgpuRegions * self);

/* Draws the mask of the frame in @buffer, of the format @info. @watch is that of the
 * element; @picture is (nullable): the GRAY8 mask image of the same size that the pad
 * mask_sink received for the frame. */
gboolean gst_mgpu_regions_update (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
                                  const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
                                  GstVideoFrame * picture, GError ** error);

G_END_DECLS

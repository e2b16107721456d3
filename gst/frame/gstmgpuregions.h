/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpuparams.h"

G_BEGIN_DECLS

/* Width and height, in pixels, of the tiles of which parts of frames consist */
#define GST_MGPU_REGIONS_TILE_X 64
#define GST_MGPU_REGIONS_TILE_Y 16

/**
 * GstMgpuRegionsParams:
 * @roi_type: (nullable): the types of regions of interest that count, with commas
 * @rectangle: (nullable): rectangles, "x,y,width,height" with semicolons between them
 * @polygon: (nullable): polygons, the x and y of corners with semicolons between polygons
 * @location: (nullable): the file of a mask
 * @scale: whether that file may have another size than the frames
 * @dilate: number of pixels by which the mask grows
 * @feather: half the width of its border, in pixels
 * @hold: number of further frames for which regions of interest count
 * @invert: whether the frame changes where the mask is not
 * @mix: how much of the result a frame gets, 0 to 1
 *
 * Says where frames change. An empty string is like %NULL.
 */
typedef struct
{
  gchar *roi_type, *rectangle, *polygon, *location;
  gboolean scale;
  guint dilate, feather, hold;
  gboolean invert;
  gdouble mix;
} GstMgpuRegionsParams;

/* Lists the members of GstMgpuRegionsParams, which are properties. */
extern const MgpuParam gst_mgpu_regions_params[];

/* Tells how much of a frame changes. */
typedef enum
{
  GST_MGPU_COVERS_NOTHING,
  GST_MGPU_COVERS_PART,         /* a blend of the frame and of the result leaves */
  GST_MGPU_COVERS_ALL           /* the result leaves in place of the frame */
} GstMgpuCover;

/**
 * GstMgpuRegions:
 * @covers: how much of the frame changes
 * @mix: the property mix in steps of 1/256
 * @is_inverted: whether the mask marks the pixels that stay
 * @mask: grey values of all pixels of the frame, row by row without gaps; %NULL
 *   where all change
 * @width: of the frame, in pixels
 * @height: of the frame, in pixels
 * @boxes: an array of MgpuRect: parts of the frame, of whole tiles, which do
 *   not overlap. All that changes is in them
 * @serial: number that grows whenever the mask changes
 *
 * Holds the mask of the current frame.
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

  /*< private >*/
  GArray *rects, *last_rects;   /* arrays of MgpuRect: rectangles of this mask, and of the
                                 * last one */
  GQueue held;                  /* queue of arrays with the regions of interest of the
                                 * last frames */
  guint8 *memory;               /* memory of the member mask */
  guint8 *file, *grown;         /* grey values of the mask file and of polygons, and the
                                 * greatest of them around each pixel */
  gchar *location, *polygon;    /* parameters of the last attempt to draw the member file */
  gboolean scale;
  gboolean is_broken;           /* whether that attempt failed */
  guint grown_by;               /* radius of grown, in pixels */
  MgpuRect drawn;               /* part of mask that is not 0 */
  guint dilate, feather;        /* parameters of the last mask */
  gboolean has_mask, had_picture;
} GstMgpuRegions;

void     gst_mgpu_regions_init   (GstMgpuRegions * self);
/* Frees all that @self holds. */
void     gst_mgpu_regions_clear  (GstMgpuRegions * self);
/* Forgets the regions of interest of earlier frames. */
void     gst_mgpu_regions_forget (GstMgpuRegions * self);

/* Finds the mask of the frame in @buffer, of the format @info. The parameter @picture is
 * (nullable): the GRAY8 frame of the same size that the pad mask_sink has for it. */
gboolean gst_mgpu_regions_update (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
                                  const GstVideoInfo * info, GstBuffer * buffer, GstVideoFrame * picture,
                                  GError ** error);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include <gst/vision/base/image.h>

#include <gst/frame/gstmgpuwatch.h>

G_BEGIN_DECLS

/**
 * GstMgpuInpaintMaskSource:
 * @GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY: the properties mask-location and rectangle
 * @GST_MGPU_INPAINT_MASK_SOURCE_ROI: the regions of interest that frames carry
 * @GST_MGPU_INPAINT_MASK_SOURCE_ALPHA: the transparent pixels of a frame
 * @GST_MGPU_INPAINT_MASK_SOURCE_PAD: the stream at the pad mask_sink
 * @GST_MGPU_INPAINT_MASK_SOURCE_SEGMENTATION: the segmentation masks that frames carry
 *
 * Chooses where the mask comes from.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY,
  GST_MGPU_INPAINT_MASK_SOURCE_ROI,
  GST_MGPU_INPAINT_MASK_SOURCE_ALPHA,
  GST_MGPU_INPAINT_MASK_SOURCE_PAD,
  GST_MGPU_INPAINT_MASK_SOURCE_SEGMENTATION
} GstMgpuInpaintMaskSource;

/* Parameters of the mask. A string that is NULL is not set. @serial grows
 * when any parameter changes on which the mask depends; @file_serial grows when a
 * parameter changes on which the contents of the mask files depend. */
typedef struct
{
  gint source;                  /* a value of GstMgpuInpaintMaskSource: where the mask
                                 * comes from */
  gboolean has_source;          /* whether the application has set @source; otherwise it
                                 * follows from @roi_type */
  gchar *location;
  gchar *source_location;
  gchar *rectangle;             /* text that lists rectangles, in pixels or shares of the
                                 * frame: see gstmgpushapes.h */
  gchar *polygon;               /* text that lists polygons, in pixels or shares of the
                                 * frame: see gstmgpushapes.h */
  gchar *roi_type;              /* types of objects whose regions of interest or segments
                                 * are masked, separated by commas; not set: all types */
  guint dilate;                 /* number of pixels by which the mask grows on all
                                 * sides */
  guint feather;                /* half the width of the soft border of the mask, in
                                 * pixels */
  gboolean soft;                /* whether grey pixels of the mask are filled in part:
                                 * blended with the original pixel */
  guint hold;                   /* number of further frames for which a marked pixel stays
                                 * marked */
  gboolean scale;
  guint serial, file_serial;
} GstMgpuInpaintMaskParams;

/* Holds the mask of the current frame: the pixels that mgpuinpaint fills. */
typedef struct
{
  gint width, height;
  guint8 *unknown;              /* the mask: width x height bytes, 1 for a pixel to be
                                 * filled, else 0 */
  guint8 *forbidden;            /* width x height bytes, 1 for a pixel that must not be
                                 * copied into the mask; NULL unless the property
                                 * "source-mask-location" is set */
  guint8 *shares;               /* width x height bytes: the weight of the filled pixel
                                 * against the original one, from 255 (filled pixel alone)
                                 * to 0 (original alone); NULL if all masked pixels have
                                 * the weight 255 */
  MgpuRect part;                /* box around all masked pixels, extended to whole chroma
                                 * samples */

  guint8 *marked, *last;        /* grey values of the marked pixels of this frame
                                 * (@marked) and of the last one (@last), before the mask
                                 * is dilated */
  guint8 *file;                 /* grey values of the image of the property
                                 * "mask-location", or NULL */
  guint16 *held;                /* for each pixel, the number of further frames for which
                                 * it stays marked; NULL if the property "hold" is 0 */
  guint serial;                 /* value of the parameter @serial at the last frame */
  guint file_serial;            /* value of the parameter @file_serial when the mask files
                                 * were read */
  gboolean loaded;
} GstMgpuInpaintMask;

/* Finds the mask of the frame in @buffer, of the format @info. @watch is that of the
 * element; @picture is (nullable): the GRAY8 mask image of the same size that the pad
 * mask_sink got for the frame; @changed is (out): whether the mask differs from that of the last frame. */
gboolean gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * mask, const GstMgpuInpaintMaskParams * params,
                                       const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
                                       GstVideoFrame * picture, gboolean * changed, GError ** error);

/* Forgets what earlier frames marked. */
void     gst_mgpu_inpaint_mask_forget (GstMgpuInpaintMask * mask);

/* Frees all memory that @mask holds. */
void     gst_mgpu_inpaint_mask_clear  (GstMgpuInpaintMask * mask);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/**
 * GstMgpuInpaintMaskSource:
 * @GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY: the properties mask-location and rectangle
 * @GST_MGPU_INPAINT_MASK_SOURCE_ROI: the regions of interest that frames carry
 * @GST_MGPU_INPAINT_MASK_SOURCE_ALPHA: the transparent pixels of a frame
 * @GST_MGPU_INPAINT_MASK_SOURCE_PAD: the stream at the pad mask_sink
 *
 * Chooses where the mask comes from.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY,
  GST_MGPU_INPAINT_MASK_SOURCE_ROI,
  GST_MGPU_INPAINT_MASK_SOURCE_ALPHA,
  GST_MGPU_INPAINT_MASK_SOURCE_PAD
} GstMgpuInpaintMaskSource;

/* Parameters of masks. A string that is NULL or empty means that it is unset.
 * The member serial grows when a parameter changes on which masks depend;
 * file_serial grows when a parameter changes on which the mask files depend. */
typedef struct
{
  gint source;                  /* value of GstMgpuInpaintMaskSource */
  gchar *location;
  gchar *source_location;
  gchar *rectangle;             /* text of rectangles, see gstmgpushapes.h */
  gchar *polygon;               /* text of polygons */
  gchar *roi_type;              /* type of regions of interest; unset: all types */
  guint dilate;                 /* pixels by which the mask grows on all sides */
  guint feather;                /* half the width of its soft border, in pixels */
  gboolean soft;                /* whether grey pixels of the mask are filled in part */
  guint hold;                   /* number of further frames for which a pixel stays
                                 * marked */
  gboolean scale;
  guint serial, file_serial;
} GstMgpuInpaintMaskParams;

/* Holds the mask of the current frame. */
typedef struct
{
  gint width, height;
  guint8 *unknown;              /* the mask: width x height bytes, 1 for a pixel to fill */
  guint8 *forbidden;            /* width x height bytes, 1 for a pixel that must not be
                                 * copied; NULL without source-mask-location */
  guint8 *shares;               /* width x height bytes, the share of the filling in each pixel
                                 * of the result: 255 all, 0 nothing; NULL where all pixels
                                 * of the mask get all of it */
  MgpuRect part;                /* box around all shares above 0, of whole samples of chroma */

  /*< private >*/
  guint8 *marked, *last;        /* the mask before it grows, of this and the last frame */
  guint8 *file;                 /* grey values of the file mask-location, or NULL */
  guint16 *held;                /* number of further frames that each pixel stays marked;
                                 * NULL where hold is 0 */
  guint serial;                 /* the parameter serial of the last frame */
  guint file_serial;            /* the parameter file_serial when the mask files were
                                 * read */
  gboolean loaded;
} GstMgpuInpaintMask;

/* Finds the mask of @buffer, a frame of the format @info. The parameter @picture is
 * (nullable): the GRAY8 frame of the same size that the pad mask_sink got for it; @changed
 * is (out): whether the mask differs from that of the last frame. */
gboolean gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * mask, const GstMgpuInpaintMaskParams * params,
                                       const GstVideoInfo * info, GstBuffer * buffer, GstVideoFrame * picture,
                                       gboolean * changed, GError ** error);

/* Frees all that @mask holds. */
void     gst_mgpu_inpaint_mask_clear  (GstMgpuInpaintMask * mask);

G_END_DECLS

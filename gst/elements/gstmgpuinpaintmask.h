/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/**
 * GstMgpuInpaintMaskSource:
 * @GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY: mask-location and rectangle
 * @GST_MGPU_INPAINT_MASK_SOURCE_ROI: regions of interest that frames carry
 * @GST_MGPU_INPAINT_MASK_SOURCE_ALPHA: what is transparent in a frame
 * @GST_MGPU_INPAINT_MASK_SOURCE_PAD: the stream at the pad mask_sink
 *
 * Where the mask comes from.
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

/* Parameters of masks. serial changes with each parameter that a mask depends on,
 * file_serial with each that the files depend on. Texts may be NULL or empty: unset. */
typedef struct
{
  gint source;                  /* a GstMgpuInpaintMaskSource */
  gchar *location;
  gchar *source_location;
  gchar *rectangle;             /* "x,y,width,height" */
  gchar *roi_type;              /* unset: any */
  guint dilate;
  guint hold;                   /* frames */
  gboolean scale;
  guint serial, file_serial;
} GstMgpuInpaintMaskParams;

/* Holds the mask of one frame after the other. */
typedef struct
{
  gint width, height;
  guint8 *unknown;              /* width x height bytes, 0 or 1 */
  guint8 *forbidden;            /* the same, or NULL */

  /*< private >*/
  guint8 *marked, *last;        /* the mask before it grows, now and in the last frame */
  guint8 *file;                 /* of mask-location, or NULL */
  guint16 *held;                /* for each pixel: the frames for which it stays marked; NULL without hold */
  guint serial;                 /* of the last frame */
  guint file_serial;            /* when file and forbidden were read */
  gboolean loaded;
} GstMgpuInpaintMask;

/* Finds the mask of buffer, a frame like info. picture: what the pad gave for it, a frame of GRAY8 of the same size;
 * may be NULL. changed: (out): whether it is not that of the last one. */
gboolean gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * mask, const GstMgpuInpaintMaskParams * params,
                                       const GstVideoInfo * info, GstBuffer * buffer, GstVideoFrame * picture,
                                       gboolean * changed, GError ** error);

/* Frees all that the mask holds. */
void     gst_mgpu_inpaint_mask_clear  (GstMgpuInpaintMask * mask);

G_END_DECLS

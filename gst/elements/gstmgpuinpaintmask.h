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

#define GST_TYPE_MGPU_INPAINT_MASK_SOURCE (gst_mgpu_inpaint_mask_source_get_type ())

GType gst_mgpu_inpaint_mask_source_get_type (void);

/* What the properties say. serial changes with each of them, file_serial with those
 * that the files depend on. */
typedef struct
{
  GstMgpuInpaintMaskSource source;
  gchar *location;
  gchar *source_location;
  gchar *rectangle;             /* "x,y,width,height" */
  gchar *roi_type;              /* NULL: any */
  guint dilate;
  guint hold;                   /* frames */
  gboolean scale;
  guint serial, file_serial;
} GstMgpuInpaintMaskSettings;

/* The properties, before those of the element. */
enum
{
  PROP_0,
  PROP_MASK_SOURCE,
  PROP_MASK_LOCATION,
  PROP_SOURCE_MASK_LOCATION,
  PROP_RECTANGLE,
  PROP_ROI_TYPE,
  PROP_MASK_DILATE,
  PROP_SCALE_MASK,
  PROP_MASK_HOLD,
  N_MASK_PROPS
};

void     gst_mgpu_inpaint_mask_settings_install (GObjectClass * object_class);
void     gst_mgpu_inpaint_mask_settings_init    (GstMgpuInpaintMaskSettings * settings);

/* Sets or gets one of them; FALSE when id is none. */
gboolean gst_mgpu_inpaint_mask_settings_set     (GstMgpuInpaintMaskSettings * settings, guint id,
                                                 const GValue * value);
gboolean gst_mgpu_inpaint_mask_settings_get     (const GstMgpuInpaintMaskSettings * settings, guint id,
                                                 GValue * value);

void     gst_mgpu_inpaint_mask_settings_copy    (const GstMgpuInpaintMaskSettings * from,
                                                 GstMgpuInpaintMaskSettings * to);
void     gst_mgpu_inpaint_mask_settings_clear   (GstMgpuInpaintMaskSettings * settings);

/* What is unknown in one frame after the other. */
typedef struct
{
  gint width, height;
  guint8 *unknown;              /* width x height bytes, 0 or 1 */
  guint8 *forbidden;            /* the same, or NULL */

  /*< private >*/
  guint8 *marked, *last;        /* before, and as it was for the last frame */
  guint8 *file;                 /* of mask-location, or NULL */
  guint16 *held;                /* of each pixel, for how many frames more it is marked; NULL without hold */
  guint serial;                 /* of the last frame */
  guint file_serial;            /* of what is in file and forbidden */
  gboolean loaded;
} GstMgpuInpaintMask;

/* Finds the mask of buffer, a frame like info. picture: what the pad gave for it, a frame of GRAY8 of the same size;
 * may be NULL. changed: (out): whether it is not that of the last one. */
gboolean gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * mask, const GstMgpuInpaintMaskSettings * settings,
                                       const GstVideoInfo * info, GstBuffer * buffer, GstVideoFrame * picture,
                                       gboolean * changed, GError ** error);

/* The next mask is a new one. */
void     gst_mgpu_inpaint_mask_clear  (GstMgpuInpaintMask * mask);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The pixels that mgpuinpaint fills, and those that it must not copy. */
#pragma once

#include "gstmgpuinpaintparams.h"

#include <gst/vision/background/background.h>

G_BEGIN_DECLS

/* The pixels of the current frame that are filled, and those that must not be copied. */
typedef struct
{
  guint8 *unknown;              /* a byte for each pixel of the frame: 1 for a pixel to be
                                 * filled, otherwise 0 */
  guint8 *forbidden;            /* a byte for each pixel of the frame: 1 for a pixel that must
                                 * not be copied, otherwise 0; NULL unless the property
                                 * "source-mask-location" is set */
  guint8 *hidden;               /* a byte for each pixel of the frame: 1 for a pixel to be filled
                                 * and for a pixel of a moving object, otherwise 0; NULL if the
                                 * frame has no GstMgpuMovingMeta */
  guint8 *hidden_memory;        /* memory of @hidden; NULL before the first use */
  MgpuBackgroundLight light;    /* illumination of the frame; its memory is NULL if the illumination
                                 * is unknown */
  gint *columns, *rows;         /* for each column and row of the frame, the column and row of
                                 * @light; NULL unless @hidden is set */
  guint mask_serial;            /* serial number of the mask of the last frame */
  guint serial;                 /* value of params->serial at the last frame */
  guint file_serial;            /* value of params->mask.file_serial when @forbidden was read */
  gboolean has_read;            /* whether @forbidden was read */
} GstMgpuInpaintMask;

/* Determines the pixels to be filled in the frame that has the mask @regions. Sets *@changed to
 * whether these pixels or the parameters differ from those of the last frame. Returns: FALSE
 * with @error set on failure */
gboolean gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * mask, const GstMgpuRegions * regions,
                                       const GstMgpuInpaintParams * params, gboolean * changed,
                                       GError ** error);

/* Sets @mask->hidden and @mask->light from the GstMgpuMovingMeta of the frame in @buffer, which has
 * the mask @regions. The illumination (@light) is used only if its memory is in @context. Waits for
 * the device. */
void     gst_mgpu_inpaint_mask_find_moving (GstMgpuInpaintMask * mask, const GstMgpuRegions * regions,
                                            GstBuffer * buffer, GstMgpuContext * context);

/* Frees all memory that @mask holds. */
void     gst_mgpu_inpaint_mask_clear  (GstMgpuInpaintMask * mask);

G_END_DECLS

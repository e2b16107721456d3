/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Properties of mgpuinpaint. */
#pragma once

#include <gst/frame/gstmgpuregions.h>

G_BEGIN_DECLS

/**
 * GstMgpuInpaintMode:
 * @GST_MGPU_INPAINT_MODE_EXACT: each frame is filled independently
 * @GST_MGPU_INPAINT_MODE_TEMPORAL: a patch is copied from the same or nearly the same position as
 *   in the previous frame, as long as this patch fits
 * @GST_MGPU_INPAINT_MODE_VIDEO: the background is remembered, and what passes behind the mask is taken
 *   from other frames
 *
 * Modes of filling the frames of a video.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_INPAINT_MODE_EXACT,
  GST_MGPU_INPAINT_MODE_TEMPORAL,
  GST_MGPU_INPAINT_MODE_VIDEO
} GstMgpuInpaintMode;

/**
 * GstMgpuInpaintCamera:
 * @GST_MGPU_INPAINT_CAMERA_STILL: the camera stands still
 * @GST_MGPU_INPAINT_CAMERA_MOVES: the camera moves, and the remembered background is shifted
 * accordingly
 *
 * Motion of the camera, for the remembered background.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_INPAINT_CAMERA_STILL,
  GST_MGPU_INPAINT_CAMERA_MOVES
} GstMgpuInpaintCamera;

typedef struct
{
  GstMgpuRegionsParams mask;    /* parameters of the mask. Its members @invert and @mix are not
                                 * properties of this element, and are not used */
  gboolean has_source;          /* whether the application has set mask.source; otherwise
                                 * mask.source depends on mask.roi_type */
  gchar *source_location;
  gboolean soft;                /* whether gray pixels of the mask are blended: the filled pixel
                                 * with the original pixel */
  guint serial;                 /* a number that is increased when a parameter changes that
                                 * affects the mask or its filling */
  gboolean is_new;              /* TRUE if a parameter of this struct that affects the filling was
                                 * set since @serial was last increased */
  gint mode;                    /* a value of GstMgpuInpaintMode: how frames are filled */
  gint method;                  /* a value of MgpuInpaintMethod: the method by which
                                 * masked pixels are filled */
  gint patch_size;
  gdouble search_factor;
  guint budget_ms;
  gboolean blend, smooth_seams, background;
  guint look_ahead;
  gint camera;                  /* a value of GstMgpuInpaintCamera */
} GstMgpuInpaintParams;

/* Returns: a list of the properties, in the order of their ids. Call this function only once,
 * because each call makes a new list that is never freed */
const MgpuParam * gst_mgpu_inpaint_params_list (void);

/* Chooses "mask-source" after the property of the member at the offset @member was set. Does so
 * only if that is "roi-type", and if the application has never set "mask-source". Sets
 * "mask-source" to roi if "roi-type" has a value, otherwise to property. Returns: whether
 * "mask-source" has changed */
gboolean gst_mgpu_inpaint_params_choose_source  (GstMgpuInpaintParams * params, gsize member);

/* Increases serial numbers in @params if the mask has to be made again after the property of the
 * member at the offset @member was set. The serial numbers are copied together with the
 * parameters; a frame with a new number therefore also has the new parameters. */
void     gst_mgpu_inpaint_params_count_change   (GstMgpuInpaintParams * params, gsize member);

/* Returns: whether the latency of the element depends on the property of the
 * member at the offset @member */
gboolean gst_mgpu_inpaint_params_change_latency (gsize member);

/* Returns: whether the border of the mask is soft, so that it shows a part of the input frame */
static inline gboolean
gst_mgpu_inpaint_params_restores (const GstMgpuInpaintParams * params)
{
  return params->soft || params->mask.feather > 0;
}

G_END_DECLS

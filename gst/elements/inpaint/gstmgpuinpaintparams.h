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
 * @GST_MGPU_INPAINT_MODE_EXACT: each frame is filled by itself
 * @GST_MGPU_INPAINT_MODE_TEMPORAL: each patch is copied from the same position as
 *   in the frame before, or from nearby, as long as the copied patch fits
 *
 * Chooses how frames are filled.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_INPAINT_MODE_EXACT,
  GST_MGPU_INPAINT_MODE_TEMPORAL
} GstMgpuInpaintMode;

/**
 * GstMgpuInpaintCamera:
 * @GST_MGPU_INPAINT_CAMERA_STILL: the camera stands still
 * @GST_MGPU_INPAINT_CAMERA_MOVES: the camera moves, and the background is moved along
 *
 * What the camera does while the background is remembered.
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
  GstMgpuRegionsParams mask;    /* parameters of the mask. Its members "invert" and "mix" are
                                 * not properties of this element, and are not used */
  gboolean has_source;          /* whether the application has set mask.source; otherwise it
                                 * follows from mask.roi_type */
  gchar *source_location;
  gboolean soft;                /* whether grey pixels of the mask are filled in part:
                                 * blended with the original pixel */
  guint serial;                 /* a number that grows when a parameter changes on which the
                                 * mask or its filling depends */
  gboolean is_new;              /* whether a parameter of this struct on which the filling
                                 * depends was set, and is not counted in @serial yet */
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

/* Returns: a list of the properties, in the order of their ids. Called once, because each call
 * makes a list, which is never freed */
const MgpuParam * gst_mgpu_inpaint_params_list (void);

/* Called after the property of the member at the offset @member was set. If it is "roi-type", sets
 * "mask-source" to roi if "roi-type" is set, otherwise back to property, unless the application has
 * ever set "mask-source". Returns: whether "mask-source" changed */
gboolean gst_mgpu_inpaint_params_choose_source  (GstMgpuInpaintParams * params, gsize member);

/* Counts, in the serial numbers of @params, a change of the property of the member at
 * the offset @member after which the mask has
 * to be made anew. These numbers are copied together with the parameters, so that
 * a frame with a new number has the new parameters as well. */
void     gst_mgpu_inpaint_params_count_change   (GstMgpuInpaintParams * params, gsize member);

/* Returns: whether the latency of the element depends on the property of the
 * member at the offset @member */
gboolean gst_mgpu_inpaint_params_change_latency (gsize member);

G_END_DECLS

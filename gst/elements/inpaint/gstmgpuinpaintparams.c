/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the properties of mgpuinpaint, and says which changes need new latency or masks. */
#include "gstmgpuinpaintparams.h"

#include <gst/vision/inpaint/inpaint.h>
#include <kernels/inpaint/inpaint-shared.h>

/* Largest number of frames that are kept until later ones have come */
#define MAX_LOOK_AHEAD 120

static const MgpuEnum mask_sources = {
  "GstMgpuInpaintMaskSource", (const MgpuEnumValue[]) {
        {GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY,
            "The properties mask-location, rectangle and polygon",
            "property"},
        {GST_MGPU_INPAINT_MASK_SOURCE_ROI,
            "Regions of interest of the frames", "roi"},
        {GST_MGPU_INPAINT_MASK_SOURCE_ALPHA,
            "What is transparent in the frames", "alpha"},
        {GST_MGPU_INPAINT_MASK_SOURCE_PAD, "The stream at the pad mask_sink",
            "pad"},
        {GST_MGPU_INPAINT_MASK_SOURCE_SEGMENTATION,
            "Segmentation masks of the frames (GstAnalytics of GStreamer 1.26)",
            "segmentation"},
        {0}
      }
};

static const MgpuEnum modes = {
  "GstMgpuInpaintMode", (const MgpuEnumValue[]) {
        {GST_MGPU_INPAINT_MODE_EXACT, "Each frame by itself", "exact"},
        {GST_MGPU_INPAINT_MODE_TEMPORAL, "From the places that the frame "
              "before was filled from, or nearby ones, as long as they fit", "temporal"},
        {0}
      }
};

static const MgpuEnum cameras = {
  "GstMgpuInpaintCamera", (const MgpuEnumValue[]) {
        {GST_MGPU_INPAINT_CAMERA_STILL, "It stands still", "still"},
        {GST_MGPU_INPAINT_CAMERA_MOVES, "It moves: the background moves along, "
              "by whole pixels in both directions", "moves"},
        {0}
      }
};

static const MgpuEnum methods = {
  "GstMgpuInpaintMethod", (const MgpuEnumValue[]) {
        {MGPU_INPAINT_AUTO, "The method that suits the mask", "auto"},
        {MGPU_INPAINT_EXEMPLAR, "Patches, one after the other, edges first",
            "exemplar"},
        {MGPU_INPAINT_HARMONIC, "A smooth surface, for thin masks", "harmonic"},
        {MGPU_INPAINT_PATCHMATCH, "Patches, all at once from coarse to fine, "
              "for large holes", "patchmatch"},
        {0}
      }
};

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuInpaintParams, name)

const MgpuParam gst_mgpu_inpaint_params[] = {
  {"mask-source", MGPU_PARAM_ENUM, MEMBER (mask.source), 0, 0,
        GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY, &mask_sources,
      "Where the mask comes from"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (mask.location), 0, 0, 0, NULL,
      "Image file whose pixels brighter than 127 are the mask: these pixels of "
        "frames are filled"},
  {"source-mask-location", MGPU_PARAM_STRING, MEMBER (mask.source_location), 0,
        0, 0, NULL,
      "Image file whose pixels brighter than 127 show where no patch is copied "
        "from"},
  {"rectangle", MGPU_PARAM_STRING, MEMBER (mask.rectangle), 0, 0, 0, NULL,
      "Rectangles that are filled: x,y,width,height in pixels, or in shares of "
        "the frame with decimal points; semicolons between several"},
  {"polygon", MGPU_PARAM_STRING, MEMBER (mask.polygon), 0, 0, 0, NULL,
      "Polygons that are filled: x,y of each corner, as in rectangle; "
        "semicolons between several"},
  {"roi-type", MGPU_PARAM_STRING, MEMBER (mask.roi_type), 0, 0, 0, NULL,
      "mask-source=roi and segmentation: only objects of these types, with "
        "commas between them (unset or * = all); where mask-source was never "
        "set, setting this sets it to roi"},
  {"mask-dilate", MGPU_PARAM_UINT, MEMBER (mask.dilate), 0, 256, 0, NULL,
      "By how many pixels the mask grows on all sides"},
  {"mask-feather", MGPU_PARAM_UINT, MEMBER (mask.feather), 0, 256, 0, NULL,
      "Half the width of a soft border around the mask, in pixels"},
  {"mask-soft", MGPU_PARAM_BOOLEAN, MEMBER (mask.soft), 0, 1, FALSE, NULL,
      "Whether grey pixels of the mask become a mixture of the filled and the "
        "original pixel"},
  {"scale-mask", MGPU_PARAM_BOOLEAN, MEMBER (mask.scale), 0, 1, FALSE, NULL,
      "Whether mask files of another size are scaled to that of the frames"},
  {"mask-hold", MGPU_PARAM_UINT, MEMBER (mask.hold), 0, 1000, 0, NULL,
      "Number of later frames in which a pixel that the mask covered stays "
        "covered (not with mask-source=property)"},
  {"mode", MGPU_PARAM_ENUM, MEMBER (mode), 0, 0, GST_MGPU_INPAINT_MODE_EXACT,
      &modes, "Whether frames are filled one by one or as a video"},
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_INPAINT_AUTO,
      &methods, "How the pixels that the mask covers are filled"},
  {"patch-size", MGPU_PARAM_INT, MEMBER (patch_size), 3, MAX_PATCH, 9, NULL,
      "Width and height of the patches that are copied (odd)"},
  {"search-factor", MGPU_PARAM_DOUBLE, MEMBER (search_factor), -1, 1000, 1,
        NULL, "How far around the mask patches are looked for, in parts of "
        "the size of the mask (-1 = whole frame)"},
  {"budget-ms", MGPU_PARAM_UINT, MEMBER (budget_ms), 0, 60000, 0, NULL,
      "mode=temporal or background=true: milliseconds that the filling of a "
        "frame may take; work that is left is done in the next frames (0 = no "
        "limit)"},
  {"blend", MGPU_PARAM_BOOLEAN, MEMBER (blend), 0, 1, TRUE, NULL,
      "Whether patches that overlap are blended"},
  {"smooth-seams", MGPU_PARAM_BOOLEAN, MEMBER (smooth_seams), 0, 1, TRUE, NULL,
      "Whether seams of patches are taken out (Poisson)"},
  {"background", MGPU_PARAM_BOOLEAN, MEMBER (background), 0, 1, FALSE, NULL,
      "Fill with the background that earlier frames showed in the same place"},
  {"camera", MGPU_PARAM_ENUM, MEMBER (camera), 0, 0,
        GST_MGPU_INPAINT_CAMERA_STILL, &cameras,
      "background=true: whether the camera moves"},
  {"look-ahead", MGPU_PARAM_UINT, MEMBER (look_ahead), 0, MAX_LOOK_AHEAD, 0,
        NULL, "background=true camera=still: number of later frames that must have come before "
        "a frame leaves, so that it is filled with the background that they show; it leaves "
        "that much later", TRUE},
  {NULL}
};

gboolean
gst_mgpu_inpaint_params_choose_source (GstMgpuInpaintParams * params, guint i)
{
  gsize member = gst_mgpu_inpaint_params[i].offset;
  GstMgpuInpaintMaskParams *mask = &params->mask;
  gint before = mask->source;

  if (member == MEMBER (mask.source))
    mask->has_source = TRUE;
  if (member == MEMBER (mask.roi_type) && !mask->has_source)
    mask->source = mask->roi_type != NULL && mask->roi_type[0] != '\0'
        ? GST_MGPU_INPAINT_MASK_SOURCE_ROI
        : GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY;
  if (mask->source == before)
    return FALSE;
  mask->file_serial++;
  return TRUE;
}

void
gst_mgpu_inpaint_params_count_change (GstMgpuInpaintParams * params, guint i)
{
  gsize member = gst_mgpu_inpaint_params[i].offset;

  if (member != MEMBER (budget_ms) && member != MEMBER (blend)
      && member != MEMBER (smooth_seams) && member != MEMBER (look_ahead)
      && member != MEMBER (camera))
    params->mask.serial++;
  if (member == MEMBER (mask.location) || member == MEMBER (mask.source)
      || member == MEMBER (mask.source_location)
      || member == MEMBER (mask.polygon) || member == MEMBER (mask.scale))
    params->mask.file_serial++;
}

gboolean
gst_mgpu_inpaint_params_change_latency (guint i)
{
  gsize member = gst_mgpu_inpaint_params[i].offset;

  return member == MEMBER (background) || member == MEMBER (look_ahead)
      || member == MEMBER (camera);
}

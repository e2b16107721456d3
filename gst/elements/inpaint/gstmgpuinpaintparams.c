/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the properties of mgpuinpaint. Determines whether a change of a property requires a
 * new mask or a new latency. */
#include "gstmgpuinpaintparams.h"

#include <gst/vision/inpaint/inpaint.h>
#include <kernels/inpaint/inpaint-shared.h>

/* Maximum number of frames that are kept until later ones have arrived */
#define MAX_LOOK_AHEAD 120

/* All sources but the first one, GST_MGPU_MASK_SOURCE_AUTO */
static const MgpuEnum mask_sources = {
  "GstMgpuInpaintMaskSource", gst_mgpu_mask_source_values + 1
};

static const MgpuEnum modes = {
  "GstMgpuInpaintMode", (const MgpuEnumValue[]) {
        {GST_MGPU_INPAINT_MODE_EXACT, "Each frame is filled by itself, without "
              "other frames",
            "exact"},
        {GST_MGPU_INPAINT_MODE_TEMPORAL,
            "Patches are copied from (nearly) the same positions as in the "
              "previous frame, as long as they still fit", "temporal"},
        {GST_MGPU_INPAINT_MODE_VIDEO, "The background is remembered, and "
              "objects that pass behind the mask are restored from other "
              "frames", "video"},
        {0}
      }
};

static const MgpuEnum cameras = {
  "GstMgpuInpaintCamera", (const MgpuEnumValue[]) {
        {GST_MGPU_INPAINT_CAMERA_STILL, "The camera stands still", "still"},
        {GST_MGPU_INPAINT_CAMERA_MOVES, "The camera moves; the remembered "
              "background is shifted accordingly, by whole pixels", "moves"},
        {0}
      }
};

static const MgpuEnum methods = {
  "GstMgpuInpaintMethod", (const MgpuEnumValue[]) {
        {MGPU_INPAINT_AUTO, "The element selects the method that suits the "
              "mask", "auto"},
        {MGPU_INPAINT_EXEMPLAR, "Patches are copied one after the other, "
              "beginning at edges (exemplar-based inpainting)",
            "exemplar"},
        {MGPU_INPAINT_DIRECTIONAL, "Straight lines connect similar colors on "
              "both sides of the mask; for narrow masks in front of moving "
              "objects",
            "directional"},
        {MGPU_INPAINT_HARMONIC, "A smooth surface is interpolated; for thin "
              "masks", "harmonic"},
        {MGPU_INPAINT_PATCHMATCH, "All patches are found at the same time, "
              "from coarse to fine; for large masks", "patchmatch"},
        {0}
      }
};

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuInpaintParams, name)

static const MgpuParam own_params[] = {
  {"mask-source", MGPU_PARAM_ENUM, MEMBER (mask.source), 0, 0,
        GST_MGPU_MASK_SOURCE_PROPERTY, &mask_sources,
        "Source of the mask, which marks the pixels that are filled (if this "
        "property was never set, setting roi-type changes it to roi)",
      .was_set = MEMBER (has_source)},
  {"source-mask-location", MGPU_PARAM_STRING, MEMBER (source_location), 0, 0, 0,
        NULL,
        "Image file of an area from which no pixels are copied: where it is "
        "brighter than 127 (unset = pixels may be copied from everywhere)",
      .was_set = MEMBER (is_new)},
  {"mask-soft", MGPU_PARAM_BOOLEAN, MEMBER (soft), 0, 1, FALSE, NULL,
        "Whether to blend filled and original pixels where the mask is gray; "
        "otherwise pixels are filled where the mask is brighter than 127, and "
        "all others are kept",
      .was_set = MEMBER (is_new)},
  {"mode", MGPU_PARAM_ENUM, MEMBER (mode), 0, 0, GST_MGPU_INPAINT_MODE_EXACT,
        &modes, "How other frames are used to fill the mask",
      .was_set = MEMBER (is_new)},
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_INPAINT_AUTO,
        &methods, "Method by which the pixels that the mask covers are filled",
      .was_set = MEMBER (is_new)},
  {"patch-size", MGPU_PARAM_INT, MEMBER (patch_size), 3, MAX_PATCH, 9, NULL,
        "Width and height of the patches that are copied, in pixels (an odd "
        "number)",
      .was_set = MEMBER (is_new)},
  {"search-factor", MGPU_PARAM_DOUBLE, MEMBER (search_factor), -1, 1000, 1,
        NULL, "Width of the margin around the mask that is searched for "
        "patches, as a multiple of the size of the mask (-1 = the whole frame "
        "is searched)",
      .was_set = MEMBER (is_new)},
  {"budget-ms", MGPU_PARAM_UINT, MEMBER (budget_ms), 0, 60000, 0, NULL,
      "With mode=temporal or background=true: maximum time, in ms, for filling "
        "a frame; unfinished work is continued in the next frames (0 = no "
        "limit)"},
  {"blend", MGPU_PARAM_BOOLEAN, MEMBER (blend), 0, 1, TRUE, NULL,
      "Whether to blend overlapping patches"},
  {"smooth-seams", MGPU_PARAM_BOOLEAN, MEMBER (smooth_seams), 0, 1, TRUE, NULL,
      "Whether to remove the seams between patches (Poisson blending)"},
  {"background", MGPU_PARAM_BOOLEAN, MEMBER (background), 0, 1, FALSE, NULL,
        "Whether to fill the mask with the background that was visible there "
        "in earlier frames",
      .was_set = MEMBER (is_new)},
  {"camera", MGPU_PARAM_ENUM, MEMBER (camera), 0, 0,
        GST_MGPU_INPAINT_CAMERA_STILL, &cameras,
      "With background=true or mode=video: how the camera moves"},
  {"look-ahead", MGPU_PARAM_UINT, MEMBER (look_ahead), 0, MAX_LOOK_AHEAD, 0,
        NULL, "With mode=video, or background=true and camera=still: number of "
        "later frames that must arrive before a frame is pushed, because the "
        "mask is also filled with their content; their duration is added to "
        "the latency",
      TRUE},
  {NULL}
};

const MgpuParam *
gst_mgpu_inpaint_params_list (void)
{
  return gst_mgpu_params_join (own_params, gst_mgpu_mask_params, MEMBER (mask));
}

gboolean
gst_mgpu_inpaint_params_choose_source (GstMgpuInpaintParams * params,
    gsize member)
{
  GstMgpuRegionsParams *mask = &params->mask;
  gint before = mask->source;

  if (member == MEMBER (mask.roi_type) && !params->has_source)
    mask->source = mask->roi_type != NULL ? GST_MGPU_MASK_SOURCE_ROI
        : GST_MGPU_MASK_SOURCE_PROPERTY;
  if (mask->source == before)
    return FALSE;
  mask->file_serial++;
  return TRUE;
}

void
gst_mgpu_inpaint_params_count_change (GstMgpuInpaintParams * params,
    gsize member)
{
  gboolean is_of_mask = member < MEMBER (mask) + sizeof (params->mask);

  if (params->is_new || is_of_mask)
    params->serial++;
  params->is_new = FALSE;
  if (member == MEMBER (source_location))
    params->mask.file_serial++;
  gst_mgpu_regions_params_note_set (&params->mask, member - MEMBER (mask));
}

gboolean
gst_mgpu_inpaint_params_change_latency (gsize member)
{
  return member == MEMBER (background) || member == MEMBER (look_ahead)
      || member == MEMBER (camera) || member == MEMBER (mode);
}

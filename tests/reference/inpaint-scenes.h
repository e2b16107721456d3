/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes test images with an object to remove, and measures the quality of the result. */
#pragma once

#include <stdint.h>

#define REF_SCENE_WIDTH 160
#define REF_SCENE_HEIGHT 120

typedef enum
{
  REF_SCENE_WALL,               /* stripes behind the object */
  REF_SCENE_GRASS,
  REF_SCENE_BORDER,             /* scene whose object touches the border of the image */
  REF_SCENE_OBJECTS,            /* scene with two objects, on different backgrounds */
  REF_N_SCENES
} RefScene;

const char *ref_scene_name (RefScene scene);

/* Paints a scene as RGB without gaps: @clean without the object, and @picture with the object. The
 * light is brighter on one side. Sets @mask to 255 for pixels of the object, otherwise to 0. */
void ref_scene_paint (RefScene scene, uint32_t seed, uint8_t * clean, uint8_t * picture, uint8_t * mask);

/* Measures of quality: see docs/algorithms/inpaint.md. */
typedef struct
{
  double seam;                  /* error of gradients at the border of the hole, in gray levels */
  double texture;               /* strength of gradients inside the hole, as a fraction of its
                                 * true value */
  double psnr;                  /* peak signal-to-noise ratio of the hole, in dB */
} RefSceneQuality;

RefSceneQuality ref_scene_measure (const uint8_t * clean, const uint8_t * result, const uint8_t * mask);

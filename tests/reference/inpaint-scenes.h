/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Test images with an object to be removed, and measures of the quality of the result. */
#pragma once

#include <stdint.h>

#define REF_SCENE_WIDTH 160
#define REF_SCENE_HEIGHT 120

typedef enum
{
  REF_SCENE_WALL,               /* stripes behind the object */
  REF_SCENE_GRASS,
  REF_SCENE_BORDER,             /* the object touches the border of the picture */
  REF_SCENE_OBJECTS,            /* two objects, on different backgrounds */
  REF_N_SCENES
} RefScene;

const char *ref_scene_name (RefScene scene);

/* Paints a scene: @clean without the object, @picture with it, as RGB without gaps; the light
 * is brighter on one side. The array @mask gets 255 in pixels of the object, else 0. */
void ref_scene_paint (RefScene scene, uint32_t seed, uint8_t * clean, uint8_t * picture, uint8_t * mask);

/* Holds measures of quality: see docs/algorithms/inpaint.md. */
typedef struct
{
  double seam;                  /* error of gradients at the border of the hole, in grey levels */
  double texture;               /* strength of gradients inside of the hole, divided by what it
                                 * should be */
  double psnr;                  /* peak signal-to-noise ratio of the hole, in dB */
} RefSceneQuality;

RefSceneQuality ref_scene_measure (const uint8_t * clean, const uint8_t * result, const uint8_t * mask);

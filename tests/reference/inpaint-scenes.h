/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pictures with something to be removed, and how good that looks. */
#pragma once

#include <stdint.h>

#define REF_SCENE_WIDTH 160
#define REF_SCENE_HEIGHT 120

typedef enum
{
  REF_SCENE_WALL,               /* stripes behind the object */
  REF_SCENE_GRASS,
  REF_SCENE_BORDER,             /* the object touches the border of the picture */
  REF_SCENE_OBJECTS,            /* two of them, on different grounds */
  REF_N_SCENES
} RefScene;

const char *ref_scene_name (RefScene scene);

/* clean, picture: RGB without gaps, without and with the object; the light is brighter on one side. mask: 255 where
 * the object is, 0 elsewhere. */
void ref_scene_paint (RefScene scene, uint32_t seed, uint8_t * clean, uint8_t * picture, uint8_t * mask);

/* See docs/algorithms/inpaint.md. */
typedef struct
{
  double seam;                  /* gradient error, in levels */
  double texture;               /* gradients inside, in parts of what they should be */
  double psnr;                  /* of the hole, in dB */
} RefSceneQuality;

RefSceneQuality ref_scene_measure (const uint8_t * clean, const uint8_t * result, const uint8_t * mask);

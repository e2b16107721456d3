/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Paints test images with an object to remove, and measures the quality of the inpainted
 * results. */
#include "inpaint-scenes.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH REF_SCENE_WIDTH
#define HEIGHT REF_SCENE_HEIGHT

const char *
ref_scene_name (RefScene scene)
{
  static const char *const names[REF_N_SCENES] = {
    "striped wall", "grass", "object at the border", "two objects"
  };

  return names[scene];
}

/* Returns: a number from 0 to @most that depends only on @seed and the position (x, y) */
static int
noise (uint32_t seed, int x, int y, int most)
{
  uint32_t n = (uint32_t) x * 73856093u ^ (uint32_t) y * 19349663u
      ^ seed * 83492791u;

  n = (n ^ n >> 13) * 1274126177u;
  n = (n ^ n >> 16) * 2654435761u;
  return (int) ((n >> 8) % (uint32_t) (most + 1));
}

/* Returns the gray value of grass at (x, y). Grass consists of blades that are higher than wide,
 * at random heights. */
static int
paint_grass (uint32_t seed, int x, int y)
{
  int blade = noise (seed, x, 0, 9), part = (y + blade) / 6;

  return 60 + noise (seed, x, part, 60) + noise (seed + 1, x / 2, y / 3, 30);
}

/* Returns the gray value of a wall at (x, y). A wall consists of rows of boards with light
 * joints. */
static int
paint_wall (uint32_t seed, int x, int y)
{
  int place = (x + y / 3) % 14;

  return (place < 2 ? 200 : place < 8 ? 110 : 80) + noise (seed, x, y, 8);
}

static int
is_object (RefScene scene, int x, int y)
{
  switch (scene) {
    case REF_SCENE_BORDER:
      return x < 26 && abs (y - 60) < 20 - x / 4;
    case REF_SCENE_OBJECTS:
      return (abs (x - 42) < 13 && abs (y - 60) < 19)
          || (x - 116) * (x - 116) + (y - 56) * (y - 56) < 220;
    default:
      return 4 * (x - 80) * (x - 80) + 3 * (y - 60) * (y - 60) < 2400;
  }
}

void
ref_scene_paint (RefScene scene, uint32_t seed, uint8_t * clean,
    uint8_t * picture, uint8_t * mask)
{
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      int is_grass = scene == REF_SCENE_GRASS || (scene == REF_SCENE_BORDER
          && y > 62) || (scene == REF_SCENE_OBJECTS && x >= 80);
      int value = is_grass ? paint_grass (seed, x, y) : paint_wall (seed, x, y);
      int i = y * WIDTH + x;

      for (int c = 0; c < 3; c++) {
        int light = 96 + (scene == REF_SCENE_OBJECTS ? y : x) / 2;
        int tint = is_grass ? (c == 1 ? 128 : 80) : 128 - 12 * c;
        int v = value * light / 128 * tint / 128;

        clean[3 * i + c] = v > 255 ? 255 : (uint8_t) v;
        picture[3 * i + c] = clean[3 * i + c];
      }
      mask[i] = is_object (scene, x, y) ? 255 : 0;
      if (mask[i]) {
        picture[3 * i] = 220;
        picture[3 * i + 1] = (uint8_t) (30 + noise (seed, x / 4, y / 4, 40));
        picture[3 * i + 2] = 200;
      }
    }
  }
}

/* Returns the difference between the colors of pixels @i and @other. */
static int
differ (const uint8_t * picture, int i, int other)
{
  int sum = 0;

  for (int c = 0; c < 3; c++)
    sum += abs (picture[3 * i + c] - picture[3 * other + c]);
  return sum;
}

RefSceneQuality
ref_scene_measure (const uint8_t * clean, const uint8_t * result,
    const uint8_t * mask)
{
  double seam = 0, pairs = 0, inside = 0, should = 0, squares = 0, n = 0;
  RefSceneQuality quality;

  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    for (int k = 0; k < 2; k++) {
      int other = k == 0 ? i + 1 : i + WIDTH;

      if ((k == 0 && i % WIDTH == WIDTH - 1) || other >= WIDTH * HEIGHT)
        continue;
      if (mask[i] != mask[other]) {
        seam += differ (result, i, other) - differ (clean, i, other);
        pairs += 3;
      } else if (mask[i]) {
        inside += differ (result, i, other);
        should += differ (clean, i, other);
      }
    }
    for (int c = 0; c < 3 && mask[i]; c++, n++)
      squares += (result[3 * i + c] - clean[3 * i + c])
          * (result[3 * i + c] - clean[3 * i + c]);
  }
  quality.seam = seam / pairs;
  quality.texture = inside / should;
  quality.psnr = squares > 0 ? 10 * log10 (255.0 * 255.0 * n / squares) : 99;
  return quality;
}

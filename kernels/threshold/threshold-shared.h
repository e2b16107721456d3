/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Structs that the kernels of the local threshold and the host code share: gray images, and maps,
 * which are binary images. */
#ifndef THRESHOLD_SHARED_H
#define THRESHOLD_SHARED_H

/* Number of levels of tiles, each with half the columns and rows of the level before; and width
 * and height of a block in tiles of level 0, which is one tile of the last level. */
#define THRESHOLD_LEVELS 6
#define THRESHOLD_BLOCK 32

/* A gray image, which is the frame or the frame halved one or more times, and the pyramid of its
 * tiles: a tile of level l + 1 covers 2x2 tiles of level l. */
typedef struct
{
  int width, height;
  int plane, stride;            /* offset and stride of the pixels: in the frame for the first
                                 * image, otherwise in the memory of the halved images */
  int tile;                     /* width and height of a tile, 2 or 4 */
  int halvings;                 /* number of times that the frame was halved; 0: the image is the
                                 * frame itself */
  int is_made;                  /* whether the kernel that finds the tiles also computes the pixels
                                 * of the image */
  int blocks, first_block;      /* number of blocks in a row of blocks, and number of blocks of all
                                 * preceding images */
  int columns[THRESHOLD_LEVELS], rows[THRESHOLD_LEVELS];        /* number of columns and rows of
                                                                 * tiles of each level */
  int levels[THRESHOLD_LEVELS]; /* index of the first tile of each level */
} ThresholdPicture;

/* A map, which is a binary image: a bit is set where a pixel is above the threshold of its tile. */
typedef struct
{
  int picture;
  int is_mean;                  /* threshold of a tile: 0: middle between minimum and maximum of
                                 * the 3x3 tiles around it; 1: their mean */
  int thresholds;               /* offset of the thresholds, a byte for each tile of level 0 */
  int bits, words;              /* index of the first word, and the words of a row. Pixel x is bit
                                 * x % 32 of word x / 32; bits beyond the row are 0 */
  int blocks, first_block;      /* number of blocks in a row of blocks, and number of blocks of
                                 * all preceding maps */
} ThresholdMap;

#endif

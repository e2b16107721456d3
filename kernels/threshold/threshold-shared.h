/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Structs that the kernels of the local threshold and the host share: the images and the maps. */
#ifndef THRESHOLD_SHARED_H
#define THRESHOLD_SHARED_H

/* Each level of tiles has half the columns and rows of the level before. A block is a square of
 * THRESHOLD_BLOCK x THRESHOLD_BLOCK tiles, and one tile of the last level. */
#define THRESHOLD_LEVELS 6
#define THRESHOLD_BLOCK 32

/* A frame, or the frame at half of its size, halved again, and so on, with the levels of its
 * tiles. Offsets are in bytes, or in means. */
typedef struct
{
  int width, height;
  int plane, stride;            /* offset and stride of the pixels: in the frame for the first
                                 * image, otherwise in the memory of the halved images */
  int tile;                     /* width and height of a tile, 2 or 4 */
  int halvings;                 /* number of times that the frame is halved; 0: the frame itself */
  int is_made;                  /* whether the kernel that finds the tiles also makes its pixels */
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
  int is_mean;                  /* 0: thresholds in the middle of the range of 3x3 tiles; 1: their
                                 * mean */
  int thresholds;               /* offset of the thresholds, a byte for each tile of level 0 */
  int bits, words;              /* index of the first word, and the words of a row. Pixel x is bit
                                 * x % 32 of word x / 32; bits beyond the row are 0 */
  int blocks, first_block;      /* the same as for the image */
} ThresholdMap;

#endif

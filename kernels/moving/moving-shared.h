/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants and results of the detection of moving objects that the kernels and the host code
 * share. Motion is searched for in a reduced frame, each pixel of which stands for a square of
 * pixels of the frame; a cell is a square of pixels of the reduced frame. */
#ifndef MOVING_SHARED_H
#define MOVING_SHARED_H

/* Maximum number of regions of a frame */
#define MOVING_MAX_REGIONS 256

/* Maximum number of cells of a frame */
#define MOVING_MAX_CELLS 20480

/* Maximum width, in pixels of the frame, of the square that a pixel of the reduced frame stands
 * for */
#define MOVING_MAX_SCALE 64

/* Values of the mask, which has a value for each pixel of the reduced frame */
#define MOVING_SHADOW 127
#define MOVING_MASK 255

/* Planes of 16-bit words of pixels of the reduced frame. A plane has MOVING_MARGIN columns
 * before each row, as many after it, and MOVING_MARGIN_ROWS rows above and below. Margins are 0
 * unless a kernel says otherwise. */
#define MOVING_LUMA 0           /* luma of the frame, 0 to 4080; the margins mirror it */
#define MOVING_VALUE 1          /* logarithm of MOVING_LUMA, smoothed */
#define MOVING_X 2              /* MOVING_VALUE without the change of brightness */
#define MOVING_M0 3             /* modes of the background: means and weights */
#define MOVING_M1 4
#define MOVING_W0 5
#define MOVING_W1 6
#define MOVING_N_WORDS 7

/* Planes of bytes of pixels of the reduced frame */
#define MOVING_RAW_CB 0         /* chroma of the frame; the margins mirror it */
#define MOVING_RAW_CR 1
#define MOVING_CB 2             /* chroma of the frame, smoothed */
#define MOVING_CR 3
#define MOVING_S0 4             /* modes of the background: deviations */
#define MOVING_S1 5
#define MOVING_CB0 6            /* chroma of the background */
#define MOVING_CR0 7
#define MOVING_BLINK 8          /* bit 7: whether there was evidence of motion at the pixel in the
                                 * last frame */
#define MOVING_SMOOTHED 9       /* evidence over time */
#define MOVING_EVIDENCE 10      /* evidence of the frame */
#define MOVING_SHADE 11         /* bits: 1: may be a shadow; 2: is darker by an amount that a
                                 * shadow may cause; 4: like 2, and its color is close to that of
                                 * a shadow */
#define MOVING_P 12             /* bits: 1: moving; 32: moving and may be shadow */
#define MOVING_Q 13             /* 1: moving and not a shadow */
#define MOVING_R 14             /* MOVING_Q without pixels that have few neighbors */
#define MOVING_BITS 15          /* the mask; bit 0: moving, bit 1: moving and not a shadow */
#define MOVING_GHOST 16         /* number of frames for which the pixel was a ghost */
#define MOVING_N_BYTES 17

#define MOVING_MARGIN 16
#define MOVING_MARGIN_ROWS 2

/* Number of bins of the histograms of changes of brightness: for each range of tones, and for
 * blocks */
#define MOVING_TONES 64
#define MOVING_TONE_BINS 256
#define MOVING_BLOCK_BINS 512

/* Minimum width and height of a block of the brightness field, in pixels of the reduced frame */
#define MOVING_MIN_BLOCK 8

/* Maximum number of blocks of the brightness field in a row or column */
#define MOVING_MAX_BLOCKS 40

/* Number of tones. Entry i is the tone for the value i - 64 of the background; larger values have
 * the tone of the last entry. */
#define MOVING_N_TONES (128 * (MOVING_TONES + 1))

/* The state of the brightness model, an array of ints: the tones; the number of pixels in all
 * blocks for each bin of changes; for each block, its change and whether its pixels agree; and the
 * smooth field. */
#define MOVING_TONE_AT 0
#define MOVING_ALL_AT MOVING_N_TONES
#define MOVING_BLOCKS_AT (MOVING_ALL_AT + MOVING_BLOCK_BINS)
#define MOVING_AGREES_AT (MOVING_BLOCKS_AT + MOVING_MAX_BLOCKS * MOVING_MAX_BLOCKS)
#define MOVING_FIELD_AT (MOVING_AGREES_AT + MOVING_MAX_BLOCKS * MOVING_MAX_BLOCKS)
#define MOVING_FLAT_AT (MOVING_FIELD_AT + MOVING_MAX_BLOCKS * MOVING_MAX_BLOCKS)
#define MOVING_N_FLAT_AT (MOVING_FLAT_AT + 1)
#define MOVING_LIGHT_INTS (MOVING_N_FLAT_AT + 1)

/* Words of the sums of a frame, in the order of the members of MgpuMovingHead starting with
 * brightness, and results of the brightness model */
#define MOVING_SUM_BRIGHTNESS 0
#define MOVING_SUM_STRONG 1
#define MOVING_SUM_SURVIVED 2
#define MOVING_SUM_FRAME 3
#define MOVING_SUM_MODEL 4
/* Sum of the strong gradients of the background, in units of 1/16; and sum of the gradients of the
 * frame at the same pixels, with the signs of the background's gradients, in units of 1/32 */
#define MOVING_SUM_MODEL_EDGES 5
#define MOVING_SUM_FRAME_EDGES 6
/* Number of the sums above, which moving_measure() computes */
#define MOVING_N_MEASURES 7
#define MOVING_SUM_LIGHT 7
#define MOVING_SUM_TONE 8
#define MOVING_SUM_FLAT 9
/* Number of cells in the list of cells with moving pixels */
#define MOVING_SUM_LISTED 10
#define MOVING_N_SUMS 11

/* Layout of the table that the host writes. It begins with the logarithm of each luma value.
 * The positions of all columns, with MOVING_MARGIN more, and of all rows between the centers
 * of blocks follow, in units of 1/256 block. */
#define MOVING_N_LUMA 4081

/* Layout of the buffer of cells. It begins with six arrays of MOVING_MAX_CELLS ints. Five arrays
 * have an element for each cell: the number of moving pixels, negative if the cell has too few;
 * the parent of the cell in the union-find forest; the first cell of its component, or -1; the
 * number of moving pixels of the component that begins at the cell; the number of this component,
 * or -1. The sixth array is the list of the cells with moving pixels, in any order. Then the
 * words of each cell follow (see below). */
#define MOVING_COUNTS_AT 0
#define MOVING_CELL_PARENTS_AT MOVING_MAX_CELLS
#define MOVING_LABELS_AT (2 * MOVING_MAX_CELLS)
#define MOVING_SIZES_AT (3 * MOVING_MAX_CELLS)
#define MOVING_NUMBERS_AT (4 * MOVING_MAX_CELLS)
#define MOVING_LIST_AT (5 * MOVING_MAX_CELLS)
#define MOVING_CELLS_AT (6 * MOVING_MAX_CELLS)

/* Words of a cell, for each of the two bits of the mask: the number of pixels; the sum of their
 * evidence; the sums of the gradients of the frame and of the background along the border; the
 * number of pixels that are darker by an amount that a shadow may cause (for the second bit, only
 * those whose color is close to that of a shadow); and the box, as the bytes x0, y0, x1 and y1,
 * relative to the cell */
#define MOVING_CELL_SUMS 6
#define MOVING_CELL_WORDS (2 * MOVING_CELL_SUMS)
#define MOVING_CELLS_INTS (MOVING_CELLS_AT + MOVING_CELL_WORDS * MOVING_MAX_CELLS)

/* Words of a component of cells: for each of the two bits of the mask, the sums over its cells,
 * in which the box takes four words; then its first cell, the bit of the mask that counts,
 * whether it is a ghost, and the number of its region, starting at 1, or 0 if it is not a
 * region */
#define MOVING_COMPONENT_SUMS 9
#define MOVING_COMPONENT_CELL 18
#define MOVING_COMPONENT_BIT 19
#define MOVING_COMPONENT_GHOST 20
#define MOVING_COMPONENT_NUMBER 21
#define MOVING_COMPONENT_WORDS 22

/* Results for a whole frame: 64 bytes. A gradient is (|v[x + 1] - v[x - 1]| + |v[y + 1] - v[y -
 * 1]|) >> 4; a gradient of the background is strong if it is above 400 >> 4. */
typedef struct
{
  int n_regions;                /* number of regions that follow */
  int n_dropped;                /* number of regions beyond MOVING_MAX_REGIONS */
  int n_ghosts;                 /* number of ghosts: places that an object has left */
  int n_moving;                 /* number of pixels of the reduced frame in all regions */
  int light;                    /* mean change of brightness since the background was learned, in
                                 * units of 1/2048 octave */
  int has_tone;                 /* whether a tone curve applies to the whole frame */
  int n_active;                 /* number of cells with moving pixels */
  unsigned int brightness;      /* sum of the luma of all pixels of the reduced frame, 0 to 255
                                 * each */
  unsigned int n_strong;        /* number of pixels of the reduced frame with a strong gradient
                                 * of the background */
  unsigned int n_survived;      /* number of these pixels whose gradient in the frame is
                                 * more than half of the background's */
  unsigned int frame_energy;    /* sum of the gradients of the frame */
  unsigned int model_energy;    /* sum of the gradients of the background */
  int n_learned;                /* number of preceding frames since the background was
                                 * forgotten */
  int is_flat;                  /* whether the frame is flat but the background is not; then
                                 * motion is not detected, and the background does not
                                 * learn */
  int reserved[2];              /* padding, 0 */
} MgpuMovingHead;

/* A region: 48 bytes. Coordinates are in pixels of the reduced frame. */
typedef struct
{
  int x0, y0, x1, y1;           /* box; x1 and y1 are the first column and row after it */
  int area;                     /* number of moving pixels */
  int evidence;                 /* sum of the evidence of these pixels, up to 192 each */
  int frame_edge, model_edge;   /* sums of the gradients of frame and background along the
                                 * border of the region */
  int n_shadow;                 /* number of pixels that were removed because they are shadows */
  int cell;                     /* number of the first cell, row by row */
  int reserved[2];              /* padding, 0 */
} MgpuMovingRegion;

/* Layout of the buffer of results: the head, then the regions in the order of their first
 * cells. Regions starting at number n_regions are undefined. */
typedef struct
{
  MgpuMovingHead head;
  MgpuMovingRegion regions[MOVING_MAX_REGIONS];
} MgpuMovingResults;

#endif

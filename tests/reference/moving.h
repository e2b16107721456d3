/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#define REF_MOVING_MAX_REGIONS 256

typedef enum
{
  REF_MOVING_FIELD,
  REF_MOVING_TONE,
  REF_MOVING_OFF
} RefMovingLight;

typedef struct
{
  double sensitivity;
  double min_area, max_area;    /* fractions of the frame */
  double absorb_frames;         /* 0: never */
  int keeps_shadows;
  RefMovingLight light;
} RefMovingParams;

/* The samples of a frame. @n_planes: 1 for gray, 3 for YUV or, if @is_rgb is set, for RGB */
typedef struct
{
  RefPlane planes[3];
  int n_planes, is_rgb;
  const RefPlane *region;       /* mask below whose values of 128 motion is ignored; or NULL */
  int is_enabled;
  int drops_evidence;           /* whether the evidence of earlier frames is dropped before this
                                 * frame */
} RefMovingFrame;

/* A region of motion; its coordinates are in pixels of the reduced frame. */
typedef struct
{
  int x0, y0, x1, y1, area, evidence, frame_edge, model_edge, n_shadow, cell;
} RefMovingRegion;

typedef struct
{
  int n_regions, n_dropped, n_ghosts, n_moving, light, has_tone, n_active;
  uint32_t brightness, n_strong, n_survived, frame_energy, model_energy;
  int is_flat;
  RefMovingRegion regions[REF_MOVING_MAX_REGIONS];
} RefMovingResults;

/* The learned background, and the results of the last frame. Arrays without another unit have an
 * element for each pixel of the reduced frame. */
typedef struct
{
  int frame_width, frame_height;        /* in pixels */
  int scale, width, height;     /* a pixel of the reduced frame stands for scale x scale pixels */
  int cell, columns, rows;      /* cells of cell x cell pixels of the reduced frame */
  int block, block_columns, block_rows; /* blocks of light */
  int n_learned;                /* number of frames that were learned so far */
  int has_chroma;
  uint16_t luminance[4081];     /* table of 2048 times the binary logarithm */
  /* The reduced image: luma 0 to 4080, its logarithm, and chroma */
  uint16_t *luma, *value;
  uint8_t *cb, *cr;
  /* The background */
  uint16_t *m[2], *w[2];
  uint8_t *s[2];
  uint8_t *blink;               /* bit 7: whether there was evidence of motion in the last frame */
  uint8_t *smoothed;            /* evidence over time */
  uint8_t *cb0, *cr0;
  uint8_t *ghost;
  /* The frame */
  int tone[64], has_tone;
  int is_even;                  /* whether most pixels have the change of light that is typical of
                                 * their range of brightness, however large it is */
  int n_flat;                   /* number of frames in a row, up to this one, that look flat
                                 * (uniform) */
  int *field;                   /* for each block */
  int light_mean;
  int *offset;                  /* change of light */
  uint16_t *light, *followed;   /* change of light since the background was forgotten, and the part
                                 * of it that the background has followed, modulo 65536 */
  uint8_t *evidence, *shade, *mask;     /* @shade: bits SHADE_DARK and SHADE_LIKE; @mask: bits 0 and
                                         * 1 */
  uint8_t *shown;               /* 0, 127 or 255 */
  int *labels;                  /* for each cell: -1, or the first cell of its component */
  uint16_t *numbers;            /* for each cell: 0, or 1 + the number of its region */
  uint16_t *heat;               /* for each cell */
} RefMoving;

/* Creates the state. Returns NULL if there is not enough memory. */
RefMoving *ref_moving_new (int frame_width, int frame_height, int analysis_size, int has_chroma);
void ref_moving_free (RefMoving * self);
void ref_moving_forget (RefMoving * self);

/* Compares a frame with the background, and learns the background from it. Returns 0 if there is
 * not enough memory. */
int ref_moving (RefMoving * self, const RefMovingParams * params, const RefMovingFrame * frame,
    RefMovingResults * results);

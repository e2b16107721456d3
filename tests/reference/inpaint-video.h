/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of inpainting videos: fills what a mask hides with the static scene (the
 * plate), and with what moves in front of it as other frames show it. See
 * docs/algorithms/inpaint-video.md. All numbers are integers. Divisions round towards zero, shifts
 * of negative numbers towards minus infinity.
 *
 * All arrays describe the part of the frame in which the method works: the box around the mask,
 * extended by 96 pixels. Pixel (x, y) has the index y * width + x. Cell (i, j) contains the pixels
 * of columns 8 i to 8 i + 7 and rows 8 j to 8 j + 7; its middle is pixel (8 i + 4, 8 j + 4). There
 * are (width + 7) / 8 x (height + 7) / 8 cells, of which those at the right and the bottom edge may
 * be incomplete. */
#pragma once

#include "flow.h"
#include "reference.h"

/* Maximum number of earlier frames that are used */
#define REF_VIDEO_KEEP 30
/* Number of candidates of a cell that are kept for the next frame */
#define REF_VIDEO_BEST 3
/* Opacity of a pixel that shows only moving objects, and value that marks a hidden pixel */
#define REF_VIDEO_OPAQUE 128
#define REF_VIDEO_HIDDEN 255
/* Cost that stands for a candidate that does not exist */
#define REF_VIDEO_NEVER 65535

/* A pixel in the form in which it is compared: Y, U, V of 8 bits (of RGB: Y = (R + 2 G + B + 2) >>
 * 2, U = 128 + ((B - Y) >> 1), V = 128 + ((R - Y) >> 1); of gray: U = V = 128), and the opacity of
 * what moves, from 0 to REF_VIDEO_OPAQUE, or REF_VIDEO_HIDDEN */
typedef struct
{
  uint8_t c[3];
  uint8_t alpha;
} RefVideoPixel;

/* A frame of the ring of stored frames. @values has n planes of full bit depth, with chroma for
 * each pixel. @flow describes where its content was in the previous frame, @back where the content
 * of the previous frame is in it; the arrays of both are NULL in the first frame. */
typedef struct
{
  RefVideoPixel *pixels;
  int32_t *values;
  uint8_t *mask;                /* M: the mask, which is not 0 where the frame is filled */
  RefFlow flow, back;
} RefVideoFrame;

/* A candidate: pixel q of frame t looks like pixel q + D of frame t - age. 16 bytes */
typedef struct
{
  int16_t age;                  /* age of the other frame, in frames; negative: a later frame; 0: no
                                 * candidate */
  int16_t dx, dy;               /* D, in 1/8 pixel */
  int16_t vx, vy;               /* motion towards the previous frame, in 1/256 pixel per frame */
  uint16_t cost;                /* in 1/64 level */
  uint16_t alpha;               /* mean opacity near the middle of the cell, 0 to
                                 * REF_VIDEO_OPAQUE */
  uint16_t is_continued;        /* whether the candidate continues a candidate of the last frame */
} RefVideoCandidate;

/* The state of a cell. @plate_cost: cost of filling with the plate alone, in 1/64 gray level */
typedef struct
{
  RefVideoCandidate best[REF_VIDEO_BEST];
  uint16_t plate_cost;
  uint16_t alpha;               /* opacity of the last blended result near the middle of the cell */
  uint16_t is_active;           /* 0: the cell has no hidden pixels; 1: nothing moves near the cell;
                                 * 2: something moves near it */
} RefVideoCell;

/* The plate: what is stored of the static scene. Its planes are like @values of a frame, in 1/16 of
 * the unit of samples */
typedef struct
{
  int32_t *values;              /* values that were visible, or the filling of pixels that were
                                 * never visible */
  int32_t *target;              /* newest filling, towards which @values changes gradually */
  uint8_t *count;               /* number of frames for which a pixel was visible, 0 to 32; 0:
                                 * never */
  uint8_t *is_sure;             /* whether a sample of the pixel stood still over the whole lag */
  RefVideoPixel *pixels;        /* @values in the form in which pixels are compared; alpha is not
                                 * used */
} RefVideoPlate;

typedef struct
{
  int width, height, n, is_rgb, depth;
  int keep, later;              /* number of earlier frames that are kept, and of later ones */
  int newest;                   /* number of the newest frame; -1: there is no frame yet */
  int noise;                    /* in 1/8 level */
  RefVideoFrame *ring;          /* stored frames; frame number i is ring[i % (keep + 1 + later)] */
  RefVideoPlate plate;
  RefVideoCell *cells, *before;
} RefVideo;

/* Creates the state for frames of @n components. Returns NULL if there is not enough memory. */
RefVideo *ref_video_new (int width, int height, int n, int is_rgb, int depth, int keep, int later);
void ref_video_free (RefVideo * self);

/* Adds the next frame. @values: n planes, copied; @mask: not 0 where the frame is hidden. @flow and
 * @back: see RefVideoFrame, copied, NULL for the first frame; fields of shift 0 or 1. */
int ref_video_add (RefVideo * self, const int32_t * values, const uint8_t * mask, const RefFlow * flow,
    const RefFlow * back);

/* Fills frame number @number, one of the last 1 + later frames; frames are filled in their order.
 * Writes the pixels that @mask hides to the @n planes @out. */
void ref_video_fill (RefVideo * self, int number, const uint8_t * mask, int32_t * out);

/* ---- the steps ------------------------------------------------------------------- */

/* Returns: the luma of a frame from which flow is computed. @out has 8-bit samples; hidden pixels
 * are filled along lines */
void ref_video_luma (const int32_t * values, int n, int is_rgb, int depth, const uint8_t * mask, int width,
    int height, uint8_t * out);

/* Sets the pixel @at in the form in which pixels are compared. */
RefVideoPixel ref_video_pixel (const int32_t * values, int plane, int n, int is_rgb, int depth, int at);

/* Returns the difference of two pixels: max (|dY|, 2 |dU|, 2 |dV|). */
int ref_video_differ (RefVideoPixel a, RefVideoPixel b);

/* Step 1: sets the noise from the difference of the newest frame to an earlier frame, and stores
 * pixels that stand still in the plate. */
void ref_video_remember (RefVideo * self);

/* Fills the pixels of the plate that were never visible. */
void ref_video_fill_plate (RefVideo * self);

/* Step 2: returns the opacity of pixel (@x, @y) of a frame; REF_VIDEO_HIDDEN where the frame's mask
 * is set. In the ring of frames, the 8 neighbors of the mask's pixels are also REF_VIDEO_HIDDEN. */
int ref_video_alpha (const RefVideo * self, const RefVideoFrame * frame, int x, int y);
void ref_video_set_alpha (RefVideo * self, RefVideoFrame * frame);

/* Steps 3 to 5: sets the state of a cell that has hidden pixels. */
void ref_video_search (RefVideo * self, int number, int i, int j);

/* Step 4: returns the cost of a candidate of the cell with the middle (x, y). Sets alpha of the candidate.
 * @plate: cost of the plate alone instead */
int ref_video_cost (const RefVideo * self, int number, int x, int y, RefVideoCandidate * c);
int ref_video_plate_cost (const RefVideo * self, int number, int x, int y);

/* Step 6: fills a hidden pixel along lines. @colour: sum of alpha times color, in 1/128 of the unit
 * of samples. @opacity: sum of alpha. @difference: mean difference between the ends of the lines,
 * weighted by alpha, in 1/64 gray level. @alpha: the opacities of the frame, REF_VIDEO_HIDDEN where
 * the mask is set, not in its neighbors */
void ref_video_spatial (const RefVideo * self, int number, const uint8_t * alpha, int x, int y,
    int32_t colour[4], int *opacity, int *difference);

RefVideoFrame *ref_video_frame (const RefVideo * self, int number);
static inline int
ref_video_has (const RefVideo * self, int number)
{
  return number >= 0 && number <= self->newest
      && number >= self->newest - self->keep - self->later;
}

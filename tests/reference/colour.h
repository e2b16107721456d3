/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Computes the luma of each pixel, with 8 bits, from red, green and blue of 8 bits. */
void ref_colour_luma (const RefPlane rgb[3], const RefPlane * luma);

/* Makes planes for the luma of the frame @in: @before, with its luma, and @after, for new luma.
 * Returns 0 if there is not enough memory; otherwise the caller frees before->data, which is the
 * memory of both. */
int ref_colour_get_luma (const RefPlane in[3], RefPlane * before, RefPlane * after);

/* Changes the luma of each pixel from that in @before to that in @after, and keeps its chroma.
 * Both @in and @out are red, green and blue. */
void ref_colour_replace_luma (const RefPlane in[3], const RefPlane * before, const RefPlane * after,
    const RefPlane out[3]);

/* Makes the planes of 16 bits with which linear filters weigh colours by alpha: for each of the n
 * planes @in of 8 bits one in @before, the samples times @alpha, and behind them alpha itself. The
 * planes @after are for their filtered samples. Returns 0 if there is not enough memory; otherwise
 * the caller frees before[0].data, which is the memory of all. */
int ref_colour_alpha_split (const RefPlane * in, const RefPlane * alpha, int n, RefPlane before[4], RefPlane after[4]);

/* Divides the n filtered planes @after by the filtered alpha behind them. Where this is 0, the
 * samples of @in stay. The planes @out have 8 or 16 bits. */
void ref_colour_alpha_join (const RefPlane * in, const RefPlane after[4], int n, const RefPlane * out);

/* Tells which colours the samples of a frame stand for. */
typedef struct
{
  int rgb, gray;                /* neither is set for Y, U and V */
  int full_range;
  int max;
  double kr, kb;                /* weights of red and blue in luma; not used for grey frames */
} RefColour;

/* Describes a conversion of colours: output sample i is (the sum over k of factor[i][k] *
 * sample k, plus offset[i]) >> bits, limited to 0 and @max. A grey frame has only the first
 * sample. */
typedef struct
{
  int identity;                 /* whether samples are copied unchanged */
  int bits, max;
  int64_t factor[3][3], offset[3];
} RefColourMatrix;

void ref_colour_matrix (const RefColour * in, const RefColour * out, RefColourMatrix * matrix);

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Computes the 8-bit luma of each pixel from 8-bit red, green and blue. */
void ref_colour_luma (const RefPlane rgb[3], const RefPlane * luma);

/* Makes two planes for luma: @before, which contains the luma of the frame @in, and @after, for new
 * luma. Returns 0 if there is not enough memory. Otherwise the caller must free before->data, which
 * is the memory of both planes. */
int ref_colour_get_luma (const RefPlane in[3], RefPlane * before, RefPlane * after);

/* Changes the luma of each pixel from its value in @before to its value in @after, without
 * changing its chroma. Both @in and @out are red, green and blue. */
void ref_colour_replace_luma (const RefPlane in[3], const RefPlane * before, const RefPlane * after,
    const RefPlane out[3]);

/* Makes the 16-bit planes with which linear filters weight colors by alpha. For each of the @n
 * 8-bit planes @in, @before gets a plane with the samples times @alpha. The next plane of @before
 * gets alpha itself. The planes @after are for the filtered samples. Returns 0 if there is not
 * enough memory. Otherwise the caller must free before[0].data, which is the memory of all
 * planes. */
int ref_colour_alpha_split (const RefPlane * in, const RefPlane * alpha, int n, RefPlane before[4], RefPlane after[4]);

/* Divides the @n filtered planes @after by the filtered alpha, which is the next plane. Where the
 * filtered alpha is 0, copies the samples of @in. The planes @out have 8 or 16 bits. */
void ref_colour_alpha_join (const RefPlane * in, const RefPlane after[4], int n, const RefPlane * out);

/* Describes the meaning of the samples of a frame: range, and RGB, gray or YUV. */
typedef struct
{
  int rgb, gray;                /* kind of samples; if neither flag is set, they are Y, U and V */
  int full_range;
  int max;
  double kr, kb;                /* weights of red and blue in luma; not used for gray frames */
} RefColour;

/* Describes a conversion of colors. Output sample i is (the sum over k of factor[i][k] * sample k,
 * plus offset[i]) >> bits, clamped to the range from 0 to @max. A gray frame has only the first
 * sample. */
typedef struct
{
  int identity;                 /* whether samples are copied unchanged */
  int bits, max;
  int64_t factor[3][3], offset[3];
} RefColourMatrix;

void ref_colour_matrix (const RefColour * in, const RefColour * out, RefColourMatrix * matrix);

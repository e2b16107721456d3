/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Luma of every pixel. rgb: red, green and blue of 8 bit; luma: 8 bit. */
void ref_colour_luma (const RefPlane rgb[3], const RefPlane * luma);

/* Gives every pixel the luma of after in place of the one of before, and keeps
 * its chroma. in, out: red, green and blue. */
void ref_colour_replace_luma (const RefPlane in[3], const RefPlane * before, const RefPlane * after,
    const RefPlane out[3]);

/* The meaning of a frame's samples. */
typedef struct
{
  int rgb, gray;                /* neither: Y, U and V */
  int full_range;
  int max;
  double kr, kb;                /* of luma; of no meaning in grey */
} RefColour;

/* Output sample i is (sum over k of factor[i][k] * sample k + offset[i]) >> bits,
 * limited to 0 and max. Grey has only the first sample. */
typedef struct
{
  int identity;                 /* samples are what they were */
  int bits, max;
  int64_t factor[3][3], offset[3];
} RefColourMatrix;

void ref_colour_matrix (const RefColour * in, const RefColour * out, RefColourMatrix * matrix);

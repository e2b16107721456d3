/* SPDX-License-Identifier: 0BSD */
/* Darkens the corners of the picture, as old lenses do. */
//! param amount float 0.6 0 1 control=1  How dark corners get
//! reach 0

PIXEL (vignette)
{
  float dx = (float) (2 * x + 1 - WIDTH), dy = (float) (2 * y + 1 - HEIGHT);
  float r = fma (dx, dx, dy * dy)
      * reciprocal ((float) WIDTH * WIDTH + (float) HEIGHT * HEIGHT);
  float4 v = LOADF (x, y), neutral = (float4) (0.0f, 0.5f, 0.5f, v.s3);

#if FORMAT_IS_RGB
  neutral = (float4) (0.0f, 0.0f, 0.0f, v.s3);
#endif
  return FROM_FLOAT (neutral + (v - neutral) * fma (-amount, r, 1.0f));
}

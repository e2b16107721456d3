/* SPDX-License-Identifier: 0BSD */
/* Applies a curve to the brightness, interpolated between 17 values from 0 to 255, which increases
 * the contrast of medium brightness. */
//! reach 0

constant int curve[17] = { 0, 6, 14, 24, 37, 53, 73, 98, 127, 156, 181, 201,
  217, 230, 240, 248, 255 };

PIXEL (lut)
{
  int4 c = LOAD (x, y);
  /* Position in the curve, in 1/4096 of the distance between two of its points */
  int at = (int) ((uint) c.s0 * 65536u / (uint) (MAX + 1));
  int i = at >> 12, f = at & 4095;
  int v = curve[i] * (4096 - f) + curve[i + 1] * f;

  c.s0 = (int) ((uint) ((v + 2048) >> 12) * (uint) MAX / 255u);
  return c;
}

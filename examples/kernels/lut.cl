/* SPDX-License-Identifier: 0BSD */
/* A curve for the brightness, through 17 points of 0 to 255: more contrast in the middle. */
//! reach 0

constant int curve[17] = { 0, 6, 14, 24, 37, 53, 73, 98, 127, 156, 181, 201,
  217, 230, 240, 248, 255 };

PIXEL (lut)
{
  int4 c = LOAD (x, y);
  /* Position in the curve in 1/4096 of the distance of two points */
  int at = (int) ((uint) c.s0 * 65536u / (uint) (MAX + 1));
  int i = at >> 12, f = at & 4095;
  int v = curve[i] * (4096 - f) + curve[i + 1] * f;

  c.s0 = (int) ((uint) ((v + 2048) >> 12) * (uint) MAX / 255u);
  return c;
}

/* SPDX-License-Identifier: 0BSD */
/* Maps the brightness to colors from blue over green and yellow to red, as thermal cameras show
 * heat. */
//! reach 0

PIXEL (false_colour)
{
  int4 c = LOAD_RGB (x, y);
  int t = (2 * c.s0 + 5 * c.s1 + c.s2) / 8 * 4;
  int red = clamp (t - 2 * MAX, 0, MAX);
  int green = min (clamp (t, 0, MAX), clamp (4 * MAX - t, 0, MAX));
  int blue = clamp (2 * MAX - t, 0, MAX);

  return FROM_RGB ((int4) (red, green, blue, c.s3));
}

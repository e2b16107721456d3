/* SPDX-License-Identifier: 0BSD */
/* Computes the magnitude of the Sobel gradient in two passes. The first pass stores the gradients
 * in a buffer, because they are signed and do not fit in samples. */
//! buffer gradient int 2 per-pixel
//! pass gradients magnitude

PIXEL (gradients)
{
  int a = LOAD (x - 1, y - 1).s0, b = LOAD (x, y - 1).s0;
  int c = LOAD (x + 1, y - 1).s0, d = LOAD (x - 1, y).s0;
  int e = LOAD (x + 1, y).s0, f = LOAD (x - 1, y + 1).s0;
  int g = LOAD (x, y + 1).s0, h = LOAD (x + 1, y + 1).s0;
  global int *to = gradient + 2 * (y * WIDTH + x);

  to[0] = c + 2 * e + h - a - 2 * d - f;
  to[1] = f + 2 * g + h - a - 2 * b - c;
  return LOAD (x, y);
}

PIXEL (magnitude)
{
  global const int *from = gradient + 2 * (y * WIDTH + x);
  int4 v = LOAD (x, y);
  float dx = (float) from[0], dy = (float) from[1];

  v.s0 = convert_int_rte (root (fma (dx, dx, dy * dy)));
  return v;
}

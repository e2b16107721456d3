/* SPDX-License-Identifier: 0BSD */
/* Fills squares with a single color: the color of the pixel in the middle of each square. */
//! param size int 16 1 256  Side of a square in pixels

PIXEL (pixelate)
{
  return LOAD (x / size * size + size / 2, y / size * size + size / 2);
}

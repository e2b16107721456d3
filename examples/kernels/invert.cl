/* SPDX-License-Identifier: 0BSD */
/* Negative: white becomes black, and each color its complement. Alpha stays. */
SAMPLE (invert)
{
  return MAX - LOAD (x, y);
}

/* SPDX-License-Identifier: 0BSD */
/* Inverts the picture: white becomes black, and each color becomes its complement. Alpha is not
 * changed. */
SAMPLE (invert)
{
  return MAX - LOAD (x, y);
}

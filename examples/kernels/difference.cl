/* SPDX-License-Identifier: 0BSD */
/* What changed since the last frame: gray where nothing did. */
//! previous

PIXEL (difference)
{
  return (LOAD (x, y) - PREVIOUS_LOAD (x, y) + (MAX + 1)) / 2;
}

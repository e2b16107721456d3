/* SPDX-License-Identifier: 0BSD */
/* Shows what changed since the last frame; unchanged samples are gray. */
//! previous

PIXEL (difference)
{
  return (LOAD (x, y) - PREVIOUS_LOAD (x, y) + (MAX + 1)) / 2;
}

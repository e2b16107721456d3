/* SPDX-License-Identifier: 0BSD */
/* Averages the frames so far, with exponentially decreasing weights for older frames, so
 * that moving objects leave trails and noise disappears. */
//! param shift int 3 0 6  Frames that count: 2 to the power of this
//! buffer mean int 4 per-pixel keep

PIXEL (temporal_mean)
{
  global int *m = mean + 4 * (y * WIDTH + x);
  int4 v = LOAD (x, y);

  /* The means have 8 more bits than the samples. */
  if (FRAME == 0)
    vstore4 (v << 8, 0, m);
  else
    vstore4 (vload4 (0, m) + (((v << 8) - vload4 (0, m)) >> shift), 0, m);
  return (vload4 (0, m) + 128) >> 8;
}

/* SPDX-License-Identifier: 0BSD */
/* Replaces green areas of the picture by the frames of the pad "second". */
//! param low int 20 0 255  Green that is still opaque, in 8-bit steps
//! param high int 60 0 255  Green that is transparent
//! reach 0

PIXEL (chroma_key)
{
  int4 c = LOAD_RGB (x, y), other = SECOND_LOAD_RGB (x, y);
  int excess = (c.s1 - max (c.s0, c.s2)) * 256 / (MAX + 1);
  int range = max (high - low, 1);
  int w = clamp ((excess - low) * 64 / range, 0, 64);
  int4 mixed;

  /* The frames of the pad "second" may have another bit depth. */
#if SECOND_MAX < MAX
  other = other * ((MAX + 1) / (SECOND_MAX + 1));
#else
  other = other / ((SECOND_MAX + 1) / (MAX + 1));
#endif
  mixed = (c * (64 - w) + other * w + 32) >> 6;
  mixed.s3 = c.s3;
  return FROM_RGB (mixed);
}

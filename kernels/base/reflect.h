/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Continues an axis of samples beyond both of its ends, by mirroring. */
#ifndef REFLECT_H
#define REFLECT_H

/* Returns the index of the sample that stands for sample i of an axis of n samples: the
 * axis is mirrored at its first and its last sample, which are not repeated, as often as
 * needed. */
static int
reflect (int i, int n)
{
  int period;

  if (i >= 0 && i < n)
    return i;
  period = max (2 * n - 2, 1);
  i = abs (i);
  /* Divides only where this is necessary, because a division takes longer than
   * the rest of the function. */
  if (i >= period)
    i %= period;
  return min (i, period - i);
}

#endif

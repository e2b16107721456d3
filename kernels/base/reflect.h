/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Continues a row or column of samples beyond its ends by reflection. */
#ifndef REFLECT_H
#define REFLECT_H

/* Returns the index of the sample that replaces sample i of a row or column of n samples; i may
 * be any number, the index is from 0 to n - 1. The row is reflected at its first and its last
 * sample as often as needed; these two samples are not repeated. */
static int
reflect (int i, int n)
{
  int period;

  if (i >= 0 && i < n)
    return i;
  period = max (2 * n - 2, 1);
  i = abs (i);
  /* Divides only if necessary, because a division takes longer than the rest of the function. */
  if (i >= period)
    i %= period;
  return min (i, period - i);
}

#endif

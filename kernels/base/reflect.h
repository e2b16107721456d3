/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Continues a row or column of samples beyond both of its ends, by mirroring. */
#ifndef REFLECT_H
#define REFLECT_H

/* Returns the index, from 0 to n - 1, of the sample that stands in for sample i of a row or
 * column of n samples, for any i: the row is mirrored at its first and at its last sample,
 * which are not repeated, as often as needed. */
static int
reflect (int i, int n)
{
  int period;

  if (i >= 0 && i < n)
    return i;
  period = max (2 * n - 2, 1);
  i = abs (i);
  /* Divides only if necessary: a division takes longer than the rest of the function. */
  if (i >= period)
    i %= period;
  return min (i, period - i);
}

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adds up numbers in local memory, for kernels that run as a single work-group. */
#ifndef PARTS_H
#define PARTS_H

#include "moving/sync.h"

/* Number of adjacent numbers that are added up in a first step */
#define PART 16

/* Sets each element of @tops to the sum of PART adjacent numbers of the @n numbers in @parts. All
 * work-items call this. */
static inline __attribute__ ((always_inline)) void
sum_parts (local const int *parts, int n, local int *tops)
{
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i * PART < n; i += WIDE) {
    int sum = 0;

    for (int k = i * PART; k < min ((i + 1) * PART, n); k++)
      sum += parts[k];
    tops[i] = sum;
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
}

/* Returns the sum of the first @n numbers in @parts. */
static inline __attribute__ ((always_inline)) int
sum_first (local const int *parts, local const int *tops, int n)
{
  int sum = 0;

  for (int i = 0; i < n / PART; i++)
    sum += tops[i];
  for (int i = n / PART * PART; i < n; i++)
    sum += parts[i];
  return sum;
}

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of matching descriptors: see docs/algorithms/matching.md. */
#include "match.h"

#include <math.h>

#define SIZE 128

void
ref_match (const uint8_t * queries, uint32_t n, const uint8_t * trains,
    uint32_t m, RefMatch * matches)
{
  for (uint32_t i = 0; i < n; i++) {
    RefMatch match = { 0, UINT32_MAX, UINT32_MAX };

    for (uint32_t j = 0; j < m; j++) {
      uint32_t distance = 0;

      for (int k = 0; k < SIZE; k++) {
        int d = queries[(size_t) SIZE * i + k] - trains[(size_t) SIZE * j + k];

        distance += d * d;
      }
      if (distance < match.distance) {
        match.second = match.distance;
        match.distance = distance;
        match.train = j;
      } else if (distance < match.second) {
        match.second = distance;
      }
    }
    matches[i] = match;
  }
}

uint32_t
ref_match_select (const RefMatch * matches, uint32_t n, const RefMatch * back,
    double ratio, uint32_t * matching)
{
  uint64_t r = (uint64_t) floor (ratio * 1048576 + 0.5);
  uint32_t n_matching = 0;

  for (uint32_t i = 0; i < n; i++) {
    /* Accepts a match if there is no second nearest train descriptor, because there is no ratio
     * then. */
    int is_clear = ratio >= 1 || matches[i].second == UINT32_MAX
        || matches[i].distance * (1ull << 40) < r * r * matches[i].second;
    int is_mutual = back == NULL || back[matches[i].train].train == i;

    if (is_clear && is_mutual)
      matching[n_matching++] = i;
  }
  return n_matching;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A family of tags. (x[i], y[i]): cell of bit i, counted from the most significant bit of a code,
 * and relative to the upper left cell of the border. most_errors[h]: with h wrong bits, the maximum
 * number of wrong cells along the border, or -1 */
typedef struct
{
  int n_bits, border, width, is_white, n_codes;
  const int8_t *x, *y;
  const uint64_t *codes;
  int most_errors[8];
} RefTagsFamily;

typedef struct
{
  int n_maps;
  struct
  {
    int halvings, tile, is_mean;
  } maps[3];
  int contrast;                 /* minimum range of values in which a threshold separates black and
                                 * white */
  int is_normal, is_inverted;   /* polarities of tags that are searched for */
  int refine;                   /* how corners are refined: 0: not, 1: by the tag's edges, 2: by the
                                 * edges of its cells */
  float least;                  /* minimum length of a side in pixels */
} RefTagsParams;

/* A tag: see docs/algorithms/tags.md */
typedef struct
{
  int map, root, family, id, hamming, ring_errors, turn, is_inverted, margin, contrast;
  int origin[2], edges[8], corners[8], n_used, n_tried;
  int64_t normal[36], right[8], square;
} RefTag;

typedef struct
{
  int n_tags, n_quads, n_candidates, n_points, dropped_candidates;
  RefTag *tags;                 /* for free() */
} RefTags;

void ref_tags (const RefPlane * plane, const RefTagsParams * params, const RefTagsFamily * families,
    int n_families, RefTags * found);

#ifdef __cplusplus
}
#endif

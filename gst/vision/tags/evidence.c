/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the evidence of a tag: how unlikely it is that a square that is not a tag is read as
 * this tag. */
#include "evidence.h"

/* Weight, in bits, of a cell of the rings along the border. The weight is below 1, because
 * neighboring cells of an image often have the same color */
#define RING_WEIGHT 0.25

/* A code in which fewer than 1 / FEW_EDGES of the neighboring cells differ is simple. In random
 * codes, half of the neighboring cells differ. */
#define FEW_EDGES 3

/* Number of fraction bits of a logarithm */
#define LOG_BITS 40

/* Returns the logarithm to base 2 of @x, which is at least 1, with the same bits on all
 * machines. */
static gdouble
get_log2 (gdouble x)
{
  gdouble result = 0, digit = 1;

  while (x >= 2) {
    x /= 2;
    result += 1;
  }
  for (guint i = 0; i < LOG_BITS; i++) {
    digit /= 2;
    x *= x;
    if (x >= 2) {
      x /= 2;
      result += digit;
    }
  }
  return result;
}

/* Returns the number of words of @n bits that differ from a given word in at most @most bits. */
static gdouble
count_words (guint n, guint most)
{
  gdouble sum = 1, some = 1;

  for (guint i = 1; i <= MIN (most, n); i++) {
    some = some * (n - i + 1) / i;
    sum += some;
  }
  return sum;
}

/* Returns the maximum number of wrong cells: a square is read if at most this many cells of the two
 * rings along its border (counted together) have the wrong color. This is a fifth of these
 * cells. */
static guint
get_most_errors (const MgpuTagDictionary * family)
{
  return 8 * family->border / 5;
}

gdouble
mgpu_tag_evidence (const MgpuTagDictionary * family, guint n_families,
    guint hamming, guint ring_errors)
{
  guint ring = 8 * family->border;

  return family->n_bits - get_log2 (4.0 * family->n_codes
      * count_words (family->n_bits, hamming))
      + RING_WEIGHT * (get_log2 (count_words (ring, get_most_errors (family)))
      - get_log2 (count_words (ring, ring_errors)))
      - get_log2 (n_families);
}

gdouble
mgpu_tag_evidence_loss (const MgpuTagDictionary * family, guint id)
{
  guint64 code = family->codes[id];
  guint n_pairs = 0, n_edges = 0;

  for (guint i = 0; i < family->n_bits; i++)
    for (guint k = 0; k < family->n_bits; k++) {
      gint x = family->x[k] - family->x[i], y = family->y[k] - family->y[i];

      if ((x != 1 || y != 0) && (x != 0 || y != 1))
        continue;
      n_pairs++;
      n_edges += (code >> (family->n_bits - 1 - i)
          ^ code >> (family->n_bits - 1 - k)) & 1;
    }
  if (FEW_EDGES * n_edges >= n_pairs)
    return 0;
  return family->n_bits * (1 - (gdouble) FEW_EDGES * n_edges / n_pairs);
}

gboolean
mgpu_tag_evidence_limit (const MgpuTagDictionary * family, guint n_families,
    guint max_hamming, gdouble least, gint most_errors[TAGS_MAX_HAMMING + 1])
{
  max_hamming = MIN (max_hamming, family->distance > 0
      ? (family->distance - 1) / 2 : 0);
  for (guint h = 0; h <= TAGS_MAX_HAMMING; h++) {
    gint e = h <= max_hamming ? (gint) get_most_errors (family) : -1;

    while (e >= 0 && mgpu_tag_evidence (family, n_families, h, e) < least)
      e--;
    most_errors[h] = h == 0 ? MAX (e, 1) : e;
  }
  return mgpu_tag_evidence (family, n_families, 0, 0) >= least;
}

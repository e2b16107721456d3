/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the resampling weights along one axis. With these weights, frames are scaled to the
 * images of the feature pyramid. */
#include "taps.h"

#include <stdlib.h>
#include <string.h>

#define ONE 32768               /* sum of the weights of a scaled sample */

/* Computes the weight of a source sample in a scaled sample. The source row has @in samples, @s
 * is the index of one of them; the scaled row has @out samples, @i is the index of one of them.
 * Returns: the weight; the weights of a scaled sample do not add up to ONE yet */
static gint64
weigh (gint64 s, gint64 i, gint64 in, gint64 out, MgpuFhogResize resize)
{
  if (resize == MGPU_FHOG_LINEAR) {
    gint64 half = 2 * CLAMP (in, out, 2 * out);

    return MAX (half - llabs ((2 * s + 1) * out - (2 * i + 1) * in), 0);
  }
  return MAX (MIN ((i + 1) * in, (s + 1) * out) - MAX (i * in, s * out), 0);
}

/* Computes the taps (source samples and weights) of sample @i of the scaled row. Rounds the
 * weights in such a way that they add up to ONE. */
void
mgpu_fhog_taps_find (gint i, gint in, gint out, MgpuFhogResize resize,
    MgpuFhogTaps * taps)
{
  gint from = MAX ((gint) ((gint64) i * in / out) - 2, 0), done = 0;
  gint end = MIN (from + MGPU_FHOG_MAX_TAPS, in);
  gint64 sum = 0, total = 0;

  memset (taps, 0, sizeof (*taps));
  for (gint s = from; s < end; s++)
    total += weigh (s, i, in, out, resize);
  for (gint s = from; s < end; s++) {
    gint64 w = weigh (s, i, in, out, resize);
    gint upto;

    if (w == 0)
      continue;
    if (taps->n == 0)
      taps->first = s;
    sum += w;
    upto = (2 * sum * ONE + total) / (2 * total);
    taps->shares[taps->n++] = upto - done;
    done = upto;
  }
}

gint
mgpu_fhog_taps_count (gint in, gint out, MgpuFhogResize resize)
{
  gint n = 0;

  for (gint i = 0; i < out; i++) {
    MgpuFhogTaps taps;

    mgpu_fhog_taps_find (i, in, out, resize, &taps);
    n = MAX (n, taps.n);
  }
  return n;
}

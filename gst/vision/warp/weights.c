/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the weights of samples in interpolations between more than two samples. */
#include "weights.h"

#include <math.h>

#include <gst/vision/remap/lens.h>

#include <kernels/base/warp-shared.h>

gdouble
mgpu_weight_cubic (gdouble x)
{
  gdouble d = ABS (x);

  if (d < 1)
    return (1.5 * d - 2.5) * d * d + 1;
  return d < 2 ? ((2.5 - 0.5 * d) * d - 4) * d + 2 : 0;
}

gdouble
mgpu_weight_lanczos (gdouble x)
{
  gdouble angle = x * G_PI, s, s3, c;

  if (x == 0 || ABS (x) >= 3)
    return x == 0;
  mgpu_lens_sincos (angle, &s, &c);
  mgpu_lens_sincos (angle / 3, &s3, &c);
  return 3 * s * s3 / (angle * angle);
}

void
mgpu_weights_round (const gdouble * values, gint n, gint middle, gint one,
    gint32 * weights)
{
  gdouble total = 0;
  gint rest = one;

  for (gint k = 0; k < n; k++)
    total += values[k];
  for (gint k = 0; k < n; k++) {
    weights[k] = rint (one * values[k] / total);
    rest -= weights[k];
  }
  weights[middle] += rest;
}

void
mgpu_weights_add_lanczos (GArray * words)
{
  for (gint f = 0; f < WARP_STEPS; f++) {
    gdouble values[6];
    gint32 weights[6];

    for (gint k = 0; k < 6; k++)
      values[k] = mgpu_weight_lanczos (k - 2 - f / (gdouble) WARP_STEPS);
    mgpu_weights_round (values, 6, f < WARP_STEPS / 2 ? 2 : 3,
        1 << WARP_CUBIC_BITS, weights);
    for (guint k = 0; k < 6; k += 2) {
      guint32 word = (guint16) weights[k] | (guint32) weights[k + 1] << 16;

      g_array_append_val (words, word);
    }
  }
}

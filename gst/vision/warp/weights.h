/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the weight of a sample at the distance @x, in samples, from an interpolated position:
 * Catmull and Rom's cubic, and Lanczos' window with 3 lobes. */
gdouble mgpu_weight_cubic (gdouble x);
gdouble mgpu_weight_lanczos (gdouble x);

/* Divides the @n weights of @values by their sum, and rounds them to integers whose sum is @one: the
 * rounding errors are added to the weight of sample @middle. */
void mgpu_weights_round (const gdouble * values, gint n, gint middle, gint one, gint32 * weights);

/* Appends the weights of Lanczos' interpolation to @words, for positions in steps of a sample. The
 * sum of 6 weights is 1 << WARP_CUBIC_BITS. A word contains two weights. */
void mgpu_weights_add_lanczos (GArray * words);

G_END_DECLS

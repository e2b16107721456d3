/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/convert/convert.h>

G_BEGIN_DECLS

/**
 * MgpuAxis:
 * @method: method of scaling
 * @vertical: whether the axis counts rows of the output, otherwise columns
 * @in_size: pixels of the source rectangle along this axis of the output
 * @out_size: pixels of the destination rectangle
 * @in_sub: source pixels for an input sample: 1, or 2 in subsampled chroma
 * @out_sub: destination pixels for an output sample: 1, or 2 in subsampled chroma
 * @in_cosited: whether a chroma sample of two input pixels lies on the first, not between them
 * @out_cosited: whether a chroma sample of two output pixels lies on the first
 * @phase: number of pixels of the first sample (with @flip, of the last) that lie outside the
 *   source rectangle
 * @begin: first input sample of the source rectangle
 * @n: number of input samples of the source rectangle
 * @flip: whether the input samples are taken from last to first
 *
 * Describes one axis of an output component, and the part of an input component that is
 * scaled along it.
 */
typedef struct
{
  MgpuConvertMethod method;
  gboolean vertical;
  gint in_size, out_size;
  gint in_sub, out_sub;
  gboolean in_cosited, out_cosited;
  gint phase;
  gint begin, n;
  gboolean flip;
} MgpuAxis;

/**
 * MgpuTaps:
 * @n: number of output samples
 * @n_taps: number of taps, the input samples that an output sample is made of
 * @index: (array length=n*n_taps): column or row of each tap; taps of a horizontal axis
 *   are neighbours in rising order
 * @weight: (array length=n*n_taps): weight of each tap
 * @total: sum of the weights of one output sample
 *
 * Tells for each output sample along an axis which input samples it is made of.
 */
typedef struct
{
  gint n, n_taps;
  gint *index, *weight;
  guint total;
} MgpuTaps;

void mgpu_taps_init (MgpuTaps * taps, const MgpuAxis * axis);
void mgpu_taps_clear (MgpuTaps * taps);

/* Returns: 1 when output samples along the axis are copies of neighbouring input samples
 * in rising order, -1 when in falling order, otherwise 0 */
gint mgpu_taps_direction (const MgpuTaps * taps);

/* These functions append the taps (input samples and weights) of the horizontal axis, and
 * of the vertical axis, to the table @words, an array of gint, for all @size samples of
 * the output. The destination rectangle begins at sample @begin; entries of samples
 * outside the range are never used. */
void mgpu_taps_append_columns (const MgpuTaps * taps, GArray * words, gint begin, gint size);
void mgpu_taps_append_rows (const MgpuTaps * taps, GArray * words, gint begin, gint size);

/* Appends to the table @words, for each vector of @lanes output columns, the first input
 * column of a window that holds all taps of the vector. The destination rectangle begins
 * at column @begin, all vectors together have @pitch columns, and a row of the input
 * plane has @row pixels. Returns: the width of the windows, @lanes or 2 * @lanes; 0 when
 * that is too narrow for some taps, or wider than a row */
gint mgpu_taps_append_near (const MgpuTaps * taps, GArray * words, gint begin, gint pitch, gint lanes, gint row);

G_END_DECLS

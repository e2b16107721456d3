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
 * @vertical: whether the axis is the vertical axis of the output, otherwise the horizontal axis
 * @in_size: number of pixels of the source rectangle along this axis of the output
 * @out_size: number of pixels of the destination rectangle
 * @in_sub: number of source pixels for each input sample: 1, or 2 in subsampled chroma
 * @out_sub: number of destination pixels for each output sample: 1, or 2 in subsampled chroma
 * @in_cosited: whether a chroma sample of two input pixels lies on the first pixel, not between
 *   them
 * @out_cosited: whether a chroma sample of two output pixels lies on the first pixel
 * @phase: number of pixels of the first sample (with @flip, of the last) that lie outside the
 *   source rectangle
 * @begin: first input sample of the source rectangle
 * @n: number of input samples of the source rectangle
 * @flip: whether the input samples are read from last to first
 *
 * One axis of an output component, and the part of an input component that is scaled along it.
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
 * @n_taps: number of taps of an output sample: input samples from which it is computed
 * @index: (array length=n*n_taps): column or row of each tap; taps of a horizontal axis are
 *   adjacent columns in increasing order
 * @weight: (array length=n*n_taps): weight of each tap
 * @total: sum of the weights of one output sample
 *
 * The input samples from which each output sample along an axis is computed, and their weights.
 */
typedef struct
{
  gint n, n_taps;
  gint *index, *weight;
  guint total;
} MgpuTaps;

/* Returns: whether the number of taps that the method of @axis needs is within the limit for
 * MGPU_CONVERT_BICUBIC and MGPU_CONVERT_LANCZOS */
gboolean mgpu_taps_fit (const MgpuAxis * axis);

void mgpu_taps_init (MgpuTaps * taps, const MgpuAxis * axis);
void mgpu_taps_clear (MgpuTaps * taps);

/* Returns: 1 if the output samples along the axis are copies of neighboring input samples in
 * increasing order, -1 if in decreasing order, otherwise 0 */
gint mgpu_taps_direction (const MgpuTaps * taps);

/* These functions append taps (input samples and weights) to the table @words, an array of
 * gint: the taps of the horizontal axis, and those of the vertical axis. The table has entries
 * for all @size samples of the output. The destination rectangle begins at sample @begin;
 * entries for samples outside it are never used. */
void mgpu_taps_append_columns (const MgpuTaps * taps, GArray * words, gint begin, gint size);
void mgpu_taps_append_rows (const MgpuTaps * taps, GArray * words, gint begin, gint size);

/* Appends a number to the table @words for each vector of @lanes output columns: the first
 * input column of a window that holds all taps of the vector.
 * @begin: column at which the destination rectangle begins.
 * @pitch: number of columns of all vectors together.
 * @row: number of pixels of a row of the input plane.
 * Returns: the width of the windows, @lanes or 2 * @lanes; 0 if this is too narrow for some
 * taps or wider than a row */
gint mgpu_taps_append_near (const MgpuTaps * taps, GArray * words, gint begin, gint pitch, gint lanes, gint row);

G_END_DECLS

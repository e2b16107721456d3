/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/convert/convert.h>

G_BEGIN_DECLS

/**
 * MgpuAxis:
 * @method: how to scale
 * @vertical: rows, otherwise columns, of the output
 * @in_size: pixels of the source rectangle along this axis of the output
 * @out_size: pixels of the destination rectangle
 * @in_sub: source pixels for a sample: 1, or 2 in subsampled chroma
 * @out_sub: the same of the output
 * @in_cosited: a sample for two pixels lies on the first, not between them
 * @out_cosited: the same of the output
 * @phase: pixel of the first sample with which the rectangle begins
 * @begin: first sample of the rectangle
 * @n: samples of it
 * @flip: they come last to first
 *
 * One axis of an output component and what lies along it in an input component.
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
 * @n: output samples
 * @n_taps: input samples that each is made of
 * @index: (array length=n*n_taps): where they are; of a horizontal axis
 *   neighbours in rising order
 * @weight: (array length=n*n_taps): their weights
 * @total: sum of the weights of one output sample
 */
typedef struct
{
  gint n, n_taps;
  gint *index, *weight;
  guint total;
} MgpuTaps;

void mgpu_taps_init (MgpuTaps * taps, const MgpuAxis * axis);
void mgpu_taps_clear (MgpuTaps * taps);

/* 1 when each output sample is the neighbour of the one before, -1 when it is
 * so backwards, otherwise 0. */
gint mgpu_taps_direction (const MgpuTaps * taps);

/* Append, of gint, the tables of an axis for all size samples of the output;
 * those of the destination rectangle begin at begin, the others are never
 * used. */
void mgpu_taps_append_columns (const MgpuTaps * taps, GArray * words, gint begin, gint size);
void mgpu_taps_append_rows (const MgpuTaps * taps, GArray * words, gint begin, gint size);

/* Appends, for each vector of lanes columns, where the near pixels begin that
 * hold all its taps. begin: of the destination rectangle; pitch: of the columns;
 * row: pixels of a row of the input plane. Returns how many are near enough, or
 * 0 when they are too many. */
gint mgpu_taps_append_near (const MgpuTaps * taps, GArray * words, gint begin, gint pitch, gint lanes, gint row);

G_END_DECLS

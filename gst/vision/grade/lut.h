/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* A lookup table of colors.
 * @size: number of entries of each axis of the cube; 1 if the table has one dimension.
 * @shape: for each of 4096 codes of each component, the position in the cube along its axis, with 12
 *   fraction bits; if the table has one dimension, the result, of 12 bits.
 * @cube: entries of the cube, red fastest: 4 values of 16 bits, with 14 fraction bits, of which the last
 *   is 0. Empty if the table has one dimension.
 * @n_entries, @min, @max: arguments of mgpu_lut_new(), for messages. */
typedef struct
{
  gint n_refs;
  gint size;
  gint n_entries;
  gdouble min[3], max[3];
  GArray *shape, *cube;         /* tables of words: see words.h */
} MgpuLut;

/* Makes a lookup table. @is_cube: whether it has three dimensions. @size: number of entries of an axis, at
 * least 2. @min, @max: the samples of the first and the last entry, as a fraction of the range. @values:
 * 3 values for each entry, red fastest. Returns: (transfer full): the table */
MgpuLut *mgpu_lut_new (gboolean is_cube, gint size, const gdouble min[3], const gdouble max[3], const gfloat * values);

MgpuLut *mgpu_lut_ref (MgpuLut * lut);
void mgpu_lut_unref (MgpuLut * lut);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuLut, mgpu_lut_unref)

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes lookup tables of colors from the values of a file. */
#include "lut.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/words.h>
#include <kernels/grade/grade-shared.h>

/* Number of fraction bits of positions in a cube and of its entries */
#define POSITION_BITS 12
#define ENTRY_BITS 14

/* Returns: the position of sample @code of component @i, from 0 to @size - 1 */
static gdouble
find_position (gint code, gint size, gdouble min, gdouble max)
{
  gdouble v = (gdouble) code / (GRADE_CODES - 1);

  return CLAMP ((v - min) / (max - min), 0, 1) * (size - 1);
}

/* Returns: the result of a table with one dimension at @position */
static gint
interpolate (const gfloat * values, gint size, gdouble position, gint i)
{
  gint first = MIN ((gint) position, size - 2);
  gdouble a = values[3 * first + i], b = values[3 * first + 3 + i];
  gdouble v = a + (b - a) * (position - first);

  return rint (CLAMP (v, 0, 1) * (GRADE_CODES - 1));
}

static guint
get_entry (gfloat v)
{
  return (guint16) (gint16) CLAMP (rint ((gdouble) v * (1 << ENTRY_BITS)),
      G_MININT16, G_MAXINT16);
}

MgpuLut *
mgpu_lut_new (gboolean is_cube, gint size, const gdouble min[3],
    const gdouble max[3], const gfloat * values)
{
  MgpuLut *lut = g_new0 (MgpuLut, 1);
  gsize n = is_cube ? (gsize) size * size * size : 0;

  lut->n_refs = 1;
  lut->size = is_cube ? size : 1;
  lut->n_entries = size;
  memcpy (lut->min, min, sizeof (lut->min));
  memcpy (lut->max, max, sizeof (lut->max));
  lut->shape = mgpu_words_new ();
  lut->cube = mgpu_words_new ();
  for (gint i = 0; i < 3; i++)
    for (gint code = 0; code < GRADE_CODES; code++) {
      gdouble position = find_position (code, size, min[i], max[i]);

      mgpu_words_add (lut->shape, is_cube
          ? (gint) rint (position * (1 << POSITION_BITS))
          : interpolate (values, size, position, i));
    }
  mgpu_words_grow (lut->cube, 2 * n);
  for (gsize i = 0; i < n; i++) {
    const gfloat *v = values + 3 * i;
    gint *to = mgpu_words_at (lut->cube, 2 * i);

    to[0] = (gint) (get_entry (v[0]) | get_entry (v[1]) << 16);
    to[1] = get_entry (v[2]);
  }
  return lut;
}

MgpuLut *
mgpu_lut_ref (MgpuLut * lut)
{
  g_atomic_int_inc (&lut->n_refs);
  return lut;
}

void
mgpu_lut_unref (MgpuLut * lut)
{
  if (!g_atomic_int_dec_and_test (&lut->n_refs))
    return;
  g_array_unref (lut->shape);
  g_array_unref (lut->cube);
  g_free (lut);
}

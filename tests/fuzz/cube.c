/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes color lookup tables in .cube files. */
#include "fuzz.h"

#include <gst/models/cube-load.h>

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  MgpuLut *lut = mgpu_cube_load (fuzz_file (data, size), &error);
  gint most;

  fuzz_check_error (lut != NULL, error);
  if (lut == NULL)
    return 0;
  /* Checks entries at these positions, which the kernel reads. */
  most = lut->size > 1 ? (lut->size - 1) << 12 : 4095;
  g_assert (lut->shape->len == 3 * 4096);
  g_assert (lut->size > 1 ? lut->cube->len == 2 * (guint) lut->size * lut->size
      * lut->size : lut->cube->len == 0);
  for (guint i = 0; i < lut->shape->len; i++)
    g_assert (g_array_index (lut->shape, gint, i) >= 0
        && g_array_index (lut->shape, gint, i) <= most);
  mgpu_lut_unref (lut);
  return 0;
}

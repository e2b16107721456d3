/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files that contain the source position of every pixel (maps), for mgpuremap. */
#include "fuzz.h"

#include <gst/models/map-load.h>

#include <math.h>

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  MgpuPlaces *places = mgpu_places_load (fuzz_file (data, size), &error);

  fuzz_check_error (places != NULL, error);
  if (places == NULL)
    return 0;
  for (gsize i = 0; i < 2 * (gsize) places->width * places->height; i++)
    g_assert (isnan (places->places[i]) || isfinite (places->places[i]));
  mgpu_places_free (places);
  return 0;
}

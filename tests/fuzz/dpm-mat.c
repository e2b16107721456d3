/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes part models in MATLAB files. */
#include "fuzz.h"

#include <gst/models/dpm-file.h>

#include "dpm-model.h"

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gchar *text = g_memdup2 (data, size);
  GError *error = NULL;
  MgpuDpmModel *model;

  /* Parses the text in a buffer that ends with it, so that a read beyond its end is detected;
   * behind the end of a file in memory pages there are more bytes. */
  mgpu_dpm_mat_is_sound (text, size);
  g_free (text);
  model = mgpu_dpm_model_load (fuzz_file (data, size), &error);
  check_model (model);
  fuzz_check_error (model != NULL, error);
  return 0;
}

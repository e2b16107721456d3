/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes part models in the XML of OpenCV. */
#include "fuzz.h"

#include <gst/models/dpm-file.h>

#include "dpm-model.h"

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  const MgpuDpmFile file = { "fuzz.xml", &error };
  MgpuDpmModel *model;
  gchar *text;

  /* Returns for empty files, because callers refuse these before they parse them. */
  if (size == 0)
    return 0;
  text = g_memdup2 (data, size);
  model = mgpu_dpm_model_read_xml (&file, text, size);
  g_free (text);
  if (model != NULL)
    mgpu_dpm_model_finish (model);
  check_model (model);
  fuzz_check_error (model != NULL, error);
  return 0;
}

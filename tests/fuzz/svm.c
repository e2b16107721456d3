/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes linear SVMs in OpenCV's XML and YAML. */
#include "fuzz.h"

#include <gst/models/svm-load.h>

#include <math.h>

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  MgpuSvm *svm = mgpu_svm_load (fuzz_file (data, size), &error);

  g_assert (svm == NULL || error == NULL);
  /* Returns for a file without an SVM, which the loader of part models has to read. */
  if (svm == NULL && error == NULL)
    return 0;
  fuzz_check_error (svm != NULL, error);
  if (svm == NULL)
    return 0;
  for (gint i = 0; i < MGPU_PEOPLE_N_WEIGHTS (svm->window.columns,
          svm->window.rows); i++)
    g_assert (isfinite (svm->weights[i]));
  g_assert (svm->window.object_width > 0 && svm->window.object_width <= 1);
  g_assert (g_ascii_isalpha (svm->name[0]));
  mgpu_svm_free (svm);
  return 0;
}

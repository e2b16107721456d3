/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads a deformable part model from a file in either format. */
#include "dpm-load.h"

#include <string.h>

#include "dpm-file.h"

/* First bytes of MATLAB files of versions 5 and 7.3 */
#define MATLAB "MATLAB "

MgpuDpmModel *
mgpu_dpm_model_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile file = { path, error };
  MgpuDpmModel *model = NULL;
  gsize length;
  gchar *text = mgpu_dpm_file_read (&file, &length);

  if (text == NULL)
    return NULL;
  if (length >= strlen (MATLAB)
      && memcmp (text, MATLAB, strlen (MATLAB)) == 0)
    model = mgpu_dpm_model_read_mat (&file, text, length);
  else
    model = mgpu_dpm_model_read_xml (&file, text, length);
  g_free (text);
  if (model != NULL)
    mgpu_dpm_model_finish (model);
  return model;
}

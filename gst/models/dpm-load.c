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
  GMappedFile *mapped = mgpu_dpm_file_open (&file);
  const gchar *text;
  gsize length;

  if (mapped == NULL)
    return NULL;
  text = g_mapped_file_get_contents (mapped);
  length = g_mapped_file_get_length (mapped);
  if (length >= strlen (MATLAB)
      && memcmp (text, MATLAB, strlen (MATLAB)) == 0)
    model = mgpu_dpm_model_read_mat (&file, text, length);
  else
    model = mgpu_dpm_model_read_xml (&file, text, length);
  g_mapped_file_unref (mapped);
  if (model != NULL)
    mgpu_dpm_model_finish (model);
  return model;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "dpm-load.h"

#include <string.h>

#include "dpm-file.h"

/* First bytes of MATLAB files of versions 5 and 7.3. */
#define MATLAB "MATLAB "

/* Largest size of a file, in bytes. Models have less than a megabyte: a file
 * that is far larger is no model. */
#define MAX_FILE (64 << 20)

MgpuDpmModel *
mgpu_dpm_model_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile file = { path, error };
  MgpuDpmModel *model = NULL;
  GMappedFile *mapped;
  GError *cause = NULL;
  const gchar *text;
  gsize length;

  /* Refuses a pipe, too: to open it would wait until another process writes to it. */
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    mgpu_dpm_file_fail (&file, "the model cannot be read: it is a directory, a "
        "pipe or a device");
    return NULL;
  }
  mapped = g_mapped_file_new (path, FALSE, &cause);
  if (mapped == NULL) {
    mgpu_dpm_file_fail (&file, "the model cannot be read: %s", cause->message);
    g_error_free (cause);
    return NULL;
  }
  text = g_mapped_file_get_contents (mapped);
  length = g_mapped_file_get_length (mapped);
  if (length == 0)
    mgpu_dpm_file_fail (&file, "the file is empty");
  else if (length > MAX_FILE)
    mgpu_dpm_file_fail (&file, "no part model: the file has more than %d MiB",
        MAX_FILE >> 20);
  else if (length >= strlen (MATLAB)
      && memcmp (text, MATLAB, strlen (MATLAB)) == 0)
    model = mgpu_dpm_model_read_mat (&file, text, length);
  else
    model = mgpu_dpm_model_read_xml (&file, text, length);
  g_mapped_file_unref (mapped);
  if (model != NULL)
    mgpu_dpm_model_finish (model);
  return model;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a folder for the files of a test, because other tests may run at the same time. */
#ifndef CHECK_FOLDER_H
#define CHECK_FOLDER_H

#include <glib/gstdio.h>

#include "suite.h"

static gchar *folder;

/* Makes the folder; a setup function for check fixtures. */
static void
folder_make (void)
{
  folder = g_dir_make_tmp ("gst-mgpu-XXXXXX", NULL);
  fail_unless (folder != NULL);
}

/* Removes the folder and the files in it; a teardown function for check fixtures. */
static void
folder_remove (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

/* Writes @length bytes of @text, or the whole text if @length is -1, into a file, without waiting
 * for the disk. */
G_GNUC_UNUSED static void
replace_file (const gchar * path, gconstpointer text, gssize length)
{
  /* Removes the file first, because GLib 2.74 does not truncate a longer file. */
  g_remove (path);
  fail_unless (g_file_set_contents_full (path, text, length,
          G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

#endif

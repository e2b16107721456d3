/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a folder for one file, for fixtures of tests that read what they write. */
#pragma once

#include "folder.h"

static gchar *path;

/* Makes the folder, and sets @path to the path of the file @name in it. Does not create the
 * file. */
static inline void
file_begin (const gchar * name)
{
  folder_make ();
  path = g_build_filename (folder, name, NULL);
}

static inline void
file_end (void)
{
  folder_remove ();
  g_clear_pointer (&path, g_free);
}

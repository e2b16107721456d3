/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes texts, files and folders for the fuzz targets. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static gchar *folder;

static void
end (int signal)
{
  abort ();
}

/* Saves the input that causes a fatal critical warning of GLib. GLib raises SIGTRAP for these
 * warnings, for which libFuzzer saves no input. */
static void __attribute__((constructor))
    keep_input_of_warnings (void)
{
  signal (SIGTRAP, end);
}

gchar *
fuzz_string (gconstpointer data, gsize size)
{
  gchar *text = g_malloc (size + 1);

  if (size > 0)
    memcpy (text, data, size);
  text[size] = '\0';
  return text;
}

const gchar *
fuzz_file (gconstpointer data, gsize size)
{
  static gchar path[32];
  static int fd = -1;

  if (fd < 0) {
    fd = memfd_create ("fuzz", 0);
    g_assert (fd >= 0);
    g_snprintf (path, sizeof (path), "/proc/self/fd/%d", fd);
  }
  g_assert (ftruncate (fd, 0) == 0);
  g_assert (pwrite (fd, data, size, 0) == (gssize) size);
  return path;
}

/* Removes a file, or a folder with its contents. */
static void
remove_all (const gchar * path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    gchar *inside = g_build_filename (path, name, NULL);

    remove_all (inside);
    g_free (inside);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

static void
remove_folder (void)
{
  remove_all (folder);
  g_clear_pointer (&folder, g_free);
}

const gchar *
fuzz_folder (void)
{
  if (folder == NULL) {
    folder = g_dir_make_tmp ("mgpu-fuzz-XXXXXX", NULL);
    g_assert (folder != NULL);
    atexit (remove_folder);
  }
  return folder;
}

void
fuzz_check_error (gboolean ok, GError * error)
{
  g_assert (ok == (error == NULL));
  g_assert (error == NULL || (error->message[0] != '\0'
          && g_utf8_validate (error->message, -1, NULL)));
  g_clear_error (&error);
}

void
fuzz_check_text (gboolean ok, GError * error)
{
  g_assert (ok == (error == NULL));
  g_clear_error (&error);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads files into memory. */
#include "file-read.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Number of bytes that are read at once */
#define PART 65536

static gboolean
fail_by_errno (GError ** error)
{
  gint code = errno;

  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (code),
      g_strerror (code));
  return FALSE;
}

static gboolean
fail_by_size (gsize most, GError ** error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
      "the file has more than %" G_GSIZE_FORMAT " bytes", most);
  return FALSE;
}

/* Opens a regular file of at most @most bytes. Returns: its descriptor; -1 with the error set */
static gint
open_regular (const gchar * path, gsize most, GError ** error)
{
  struct stat status;
  gint fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);

  if (fd < 0 || fstat (fd, &status) < 0) {
    fail_by_errno (error);
  } else if (!S_ISREG (status.st_mode)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
        "the file is a directory, a pipe or a device");
  } else if ((guint64) status.st_size > most) {
    fail_by_size (most, error);
  } else {
    return fd;
  }
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Appends at most @most bytes of an open file to @content. Returns: FALSE with the error set if they cannot be
 * read */
static gboolean
append_bytes (gint fd, gsize most, GByteArray * content, GError ** error)
{
  gsize end = content->len + most;

  while (content->len < end) {
    guint length = content->len;
    gsize size = MIN (PART, end - length);
    gssize n;

    g_byte_array_set_size (content, length + size);
    do
      n = read (fd, content->data + length, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
      return fail_by_errno (error);
    g_byte_array_set_size (content, length + n);
    if (n == 0)
      break;
  }
  return TRUE;
}

gchar *
mgpu_file_read (const gchar * path, gsize most, gsize * length, GError ** error)
{
  gint fd = open_regular (path, most, error);
  GByteArray *content;
  gboolean ok;

  if (fd < 0)
    return NULL;
  content = g_byte_array_new ();
  /* Reads one byte more, to detect a file that has grown beyond the maximum. */
  ok = append_bytes (fd, most + 1, content, error)
      && (content->len <= most || fail_by_size (most, error));
  close (fd);
  *length = content->len;
  g_byte_array_append (content, (const guint8 *) "", 1);
  return (gchar *) g_byte_array_free (content, !ok);
}

gsize
mgpu_file_read_head (const gchar * path, gchar * head, gsize size)
{
  gint fd = open_regular (path, G_MAXSIZE, NULL);
  GByteArray *content;
  gsize length;

  if (fd < 0)
    return 0;
  content = g_byte_array_new ();
  length = append_bytes (fd, size, content, NULL) ? content->len : 0;
  if (length > 0)
    memcpy (head, content->data, length);
  g_byte_array_unref (content);
  close (fd);
  return length;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the lines of mgpumetajson to a file, a FIFO or the standard output. */
#include "gstmgpulines.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _GstMgpuLines
{
  gchar *location;
  int fd;                       /* file descriptor of the file or FIFO; -1 while a FIFO
                                 * has no reader */
  gboolean is_fifo, is_file, is_stdout;
  GString *rest;                /* rest of the last line, which did not fit into the FIFO
                                 * and is still to be written */
};

static gboolean
fail (const GstMgpuLines * self, GError ** error)
{
  int code = errno;
  gboolean is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;

  g_set_error (error, GST_RESOURCE_ERROR, is_full
      ? GST_RESOURCE_ERROR_NO_SPACE_LEFT : GST_RESOURCE_ERROR_WRITE,
      "a line cannot be written to \"%s\": %s%s", self->location,
      g_strerror (code), is_full ? "; free space there" : "");
  return FALSE;
}

/* Opens the FIFO, unless it is open. Returns: FALSE, with errno set, if the FIFO has no
 * reader or cannot be opened */
static gboolean
open_fifo (GstMgpuLines * self)
{
  if (self->fd < 0)
    self->fd = open (self->location, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  return self->fd >= 0;
}

static gboolean
open_file (GstMgpuLines * self, gboolean append)
{
  struct stat status;

  /* Waits until the FIFO has a reader, because it cannot be opened before that. */
  self->is_fifo = stat (self->location, &status) == 0
      && S_ISFIFO (status.st_mode);
  if (self->is_fifo)
    return open_fifo (self) || errno == ENXIO;
  self->fd = open (self->location, O_WRONLY | O_CREAT | O_CLOEXEC
      | (append ? O_APPEND : O_TRUNC), 0666);
  self->is_file = self->fd >= 0 && fstat (self->fd, &status) == 0
      && S_ISREG (status.st_mode);
  return self->fd >= 0;
}

GstMgpuLines *
gst_mgpu_lines_open (const gchar * location, gboolean append, GError ** error)
{
  GstMgpuLines *self = g_new0 (GstMgpuLines, 1);

  self->location = g_strdup (location);
  self->rest = g_string_new (NULL);
  self->fd = -1;
  self->is_stdout = g_str_equal (location, "-");
  if (self->is_stdout) {
    self->fd = STDOUT_FILENO;
  } else if (!open_file (self, append)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "\"%s\" cannot be opened for writing: %s; set \"location\" to a "
        "writable file, or to - for the standard output", location,
        g_strerror (errno));
    g_clear_pointer (&self, gst_mgpu_lines_close);
  }
  return self;
}

/* Calls write() with the signal SIGPIPE blocked. If the FIFO has lost its reader, this
 * signal would end the process; instead, errno is EPIPE. */
static gssize
write_quietly (int fd, const gchar * data, gsize size)
{
  const struct timespec now = { 0, 0 };
  sigset_t pipe, before, pending;
  gboolean was_pending;
  gssize n;
  int code;

  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  sigpending (&pending);
  was_pending = sigismember (&pending, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe, &before);
  n = write (fd, data, size);
  code = errno;
  if (n < 0 && code == EPIPE && !was_pending)
    while (sigtimedwait (&pipe, NULL, &now) < 0 && errno == EINTR);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = code;
  return n;
}

/* Writes as many of the @size bytes at @data as fit into the FIFO. Returns: the number of
 * bytes written; -1, with errno set, if the FIFO has lost its reader or the write
 * failed */
static gssize
write_part (GstMgpuLines * self, const gchar * data, gsize size)
{
  gssize n;

  do
    n = write_quietly (self->fd, data, size);
  while (n < 0 && errno == EINTR);
  return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : n;
}

/* Writes a line to the FIFO. If only the beginning of the line fits, the rest is written
 * before the next line. Returns: FALSE if the line was dropped or could not be written;
 * errno is 0 if the FIFO is full */
static gboolean
write_fifo (GstMgpuLines * self, const gchar * line, gsize size)
{
  gssize n = 0;

  if (self->rest->len > 0) {
    n = write_part (self, self->rest->str, self->rest->len);
    if (n > 0)
      g_string_erase (self->rest, 0, n);
  }
  if (n >= 0 && self->rest->len == 0)
    n = write_part (self, line, size);
  else if (n > 0)
    n = 0;
  if (n > 0)
    g_string_append_len (self->rest, line + n, size - n);
  else if (n == 0)
    errno = 0;
  return n > 0;
}

/* Writes a line of text to a file. If the write fails, nothing of the line stays in the
 * file. */
static gboolean
write_file (GstMgpuLines * self, const gchar * line, gsize size)
{
  gsize done = 0;

  while (done < size) {
    gssize n = write_quietly (self->fd, line + done, size - done);

    if (n >= 0) {
      done += n;
    } else if (errno != EINTR) {
      int code = errno;
      off_t end = self->is_file ? lseek (self->fd, 0, SEEK_CUR) : -1;

      /* Removes the beginning of the incomplete line from the file. */
      if (end >= (off_t) done && done > 0
          && ftruncate (self->fd, end - done) != 0)
        GST_WARNING ("\"%s\" ends with an incomplete line", self->location);
      errno = code;
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
gst_mgpu_lines_write (GstMgpuLines * self, const gchar * line, gsize size,
    gboolean * is_dropped, GError ** error)
{
  *is_dropped = FALSE;
  if (!self->is_fifo)
    return write_file (self, line, size) || fail (self, error);
  if (open_fifo (self) && write_fifo (self, line, size))
    return TRUE;
  *is_dropped = TRUE;
  if (errno == EPIPE) {
    /* Drops the rest of the last line, because the next reader has not read its
     * beginning. */
    close (self->fd);
    self->fd = -1;
    g_string_set_size (self->rest, 0);
    return TRUE;
  }
  return errno == 0 || errno == ENXIO || fail (self, error);
}

void
gst_mgpu_lines_close (GstMgpuLines * self)
{
  if (self->fd >= 0 && !self->is_stdout)
    close (self->fd);
  g_string_free (self->rest, TRUE);
  g_free (self->location);
  g_free (self);
}

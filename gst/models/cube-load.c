/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads lookup tables of colors from .cube files. */
#include "cube-load.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

#include "file-read.h"

/* Maximum size of a file: the size of the largest table, if each entry takes 120 bytes */
#define MAX_FILE (256 << 20)

/* Maximum number of bytes of a line */
#define MAX_LENGTH 1023

/* Maximum magnitude of a number; larger numbers have no meaning as a color. */
#define MAX_NUMBER 1e6

typedef struct
{
  gchar *name;                  /* path of the file, for messages */
  const gchar *at, *end;        /* rest of the file that has not been read */
  guint line;                   /* number of the last line that was read */
  GError **error;
  gboolean has_failed;          /* whether an error was set */

  gint size;                    /* number of entries of an axis; 0 until it was read */
  gboolean is_cube;
  gdouble min[3], max[3];
  GArray *values;
} Reader;

/* Sets the error. Returns: FALSE */
static gboolean
G_GNUC_PRINTF (2, 3)
fail (Reader * self, const gchar * format, ...)
{
  va_list args;
  gchar *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s:%u: %s", self->name, self->line, text);
  g_free (text);
  self->has_failed = TRUE;
  return FALSE;
}

/* Reads the next line into @line, without white space at its ends. Returns: FALSE at the end of the file, or
 * with the error set */
static gboolean
next_line (Reader * self, gchar line[MAX_LENGTH + 1])
{
  const gchar *end;
  gsize length;

  if (self->at == self->end)
    return FALSE;
  end = memchr (self->at, '\n', self->end - self->at);
  if (end == NULL)
    end = self->end;
  self->line++;
  length = end - self->at;
  if (length > MAX_LENGTH)
    return fail (self, "the line has more than %d bytes", MAX_LENGTH);
  memcpy (line, self->at, length);
  line[length] = '\0';
  self->at = end == self->end ? end : end + 1;
  if (strlen (line) < length)
    return fail (self, "the line has a byte 0, so this is not a .cube file");
  g_strstrip (line);
  return TRUE;
}

/* Reads exactly @n numbers. @what: name of the numbers, for messages. */
static gboolean
read_numbers (Reader * self, const gchar * text, guint n, const gchar * what,
    gdouble * numbers)
{
  const gchar *at = text;
  gchar *rest;

  for (guint i = 0; i < n; i++) {
    numbers[i] = g_ascii_strtod (at, &rest);
    if (rest == at || (*rest != '\0' && !g_ascii_isspace (*rest))
        || !(fabs (numbers[i]) <= MAX_NUMBER))
      return fail (self, "%s needs %u number%s", what, n, n > 1 ? "s" : "");
    at = rest;
  }
  at += strspn (at, " \t\r");
  return *at == '\0' || fail (self, "%s has more than %u number%s", what, n,
      n > 1 ? "s" : "");
}

static gboolean
read_size (Reader * self, const gchar * text, gboolean is_cube)
{
  const gchar *what = is_cube ? "LUT_3D_SIZE" : "LUT_1D_SIZE";
  gint most = is_cube ? MGPU_CUBE_MAX_SIZE : MGPU_CUBE_MAX_LINE;
  gdouble size;

  if (self->size > 0)
    return fail (self, "%s comes after another size, but a file can contain "
        "only one table", what);
  if (!read_numbers (self, text, 1, what, &size))
    return FALSE;
  if (size < 2 || size > most || size != floor (size))
    return fail (self, "%s is %g, but it has to be an integer from 2 to %d",
        what, size, most);
  self->size = size;
  self->is_cube = is_cube;
  return TRUE;
}

/* Reads the two numbers that are the minimum and the maximum of the domain for all components. */
static gboolean
read_range (Reader * self, const gchar * text, const gchar * what)
{
  gdouble range[2];

  if (!read_numbers (self, text, 2, what, range))
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    self->min[i] = range[0];
    self->max[i] = range[1];
  }
  return TRUE;
}

/* Reads a line that begins with a keyword. */
static gboolean
read_keyword (Reader * self, const gchar * line)
{
  gsize length = strcspn (line, " \t");
  const gchar *rest = line + length;
  g_autofree gchar *word = g_strndup (line, length);
  gboolean ok = FALSE;

  if (g_str_equal (word, "TITLE"))
    ok = TRUE;
  else if (g_str_equal (word, "LUT_1D_SIZE"))
    ok = read_size (self, rest, FALSE);
  else if (g_str_equal (word, "LUT_3D_SIZE"))
    ok = read_size (self, rest, TRUE);
  else if (g_str_equal (word, "DOMAIN_MIN"))
    ok = read_numbers (self, rest, 3, word, self->min);
  else if (g_str_equal (word, "DOMAIN_MAX"))
    ok = read_numbers (self, rest, 3, word, self->max);
  else if (g_str_equal (word, "LUT_1D_INPUT_RANGE")
      || g_str_equal (word, "LUT_3D_INPUT_RANGE"))
    ok = read_range (self, rest, word);
  else {
    gchar *shown = g_utf8_make_valid (word, MIN (length, 40));

    ok = fail (self, "unknown keyword \"%s\"", shown);
    g_free (shown);
  }
  return ok;
}

static guint
count_entries (const Reader * self)
{
  guint n = self->size;

  return self->is_cube ? n * n * n : n;
}

static gboolean
read_entry (Reader * self, const gchar * line)
{
  gdouble numbers[3];

  if (self->size == 0)
    return fail (self, "there are numbers before the line with LUT_3D_SIZE or "
        "LUT_1D_SIZE");
  if (self->values->len == 3 * count_entries (self))
    return fail (self, "there are more entries than the %u of a table of this "
        "size", count_entries (self));
  if (!read_numbers (self, line, 3, "an entry", numbers))
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    gfloat v = numbers[i];

    g_array_append_val (self->values, v);
  }
  return TRUE;
}

/* Returns: FALSE with the error set if the table is not complete */
static gboolean
check (Reader * self)
{
  if (self->size == 0)
    return fail (self, "the file has no LUT_3D_SIZE or LUT_1D_SIZE, so it is "
        "not a .cube file");
  if (self->values->len < 3 * count_entries (self))
    return fail (self, "the file ends after %u of %u entries",
        self->values->len / 3, count_entries (self));
  for (guint i = 0; i < 3; i++)
    if (self->max[i] - self->min[i] < 1e-6)
      return fail (self, "the domain is from %g to %g, but DOMAIN_MAX has to "
          "be larger than DOMAIN_MIN", self->min[i], self->max[i]);
  return TRUE;
}

/* Returns: (nullable): the table; NULL with the error set */
static MgpuLut *
read_table (Reader * self)
{
  gchar line[MAX_LENGTH + 1];

  if (self->end - self->at >= 3 && memcmp (self->at, "\xef\xbb\xbf", 3) == 0)
    self->at += 3;
  while (!self->has_failed && next_line (self, line)) {
    if (g_ascii_isalpha (line[0]))
      read_keyword (self, line);
    else if (line[0] != '\0' && line[0] != '#')
      read_entry (self, line);
  }
  if (self->has_failed || !check (self))
    return NULL;
  return mgpu_lut_new (self->is_cube, self->size, self->min, self->max,
      (const gfloat *) self->values->data);
}

MgpuLut *
mgpu_cube_load (const gchar * path, GError ** error)
{
  g_autoptr (GError) cause = NULL;
  gsize length;
  gchar *text = mgpu_file_read (path, MAX_FILE, &length, &cause);
  g_autofree gchar *name = g_path_get_basename (path);
  Reader self = {.error = error,.max = {1, 1, 1} };
  MgpuLut *lut = NULL;

  self.name = g_utf8_make_valid (name, -1);
  if (text != NULL) {
    self.at = text;
    self.end = text + length;
    self.values = g_array_new (FALSE, FALSE, sizeof (gfloat));
    lut = read_table (&self);
    g_array_unref (self.values);
    g_free (text);
  } else {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "%s cannot be read: %s", self.name, cause->message);
  }
  g_free (self.name);
  return lut;
}

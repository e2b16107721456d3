/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the positions of all pixels from PFM and PGM files. */
#include "map-load.h"

#include <math.h>
#include <string.h>

#include "dpm-file.h"
#include "file-read.h"

/* Number of bytes at the beginning of a file that identify its format */
#define HEAD 4096

/* Largest number of columns and rows */
#define MAX_SIDE 65536

/* Positions below this value mark pixels that show nothing of the old frame. */
#define NOWHERE -1e6f

/* Describes a file of numbers. */
typedef struct
{
  gchar *content;               /* content of the file: @length bytes */
  gsize length;
  gint width, height;
  guint channels;               /* number of channels: 3 in files with "PF", otherwise 1 */
  gboolean is_float;            /* whether numbers are floats; otherwise 16-bit words, highest byte
                                 * first */
  gboolean is_big;              /* whether the highest byte of a float comes first */
  const guint8 *data;           /* the numbers; files of floats begin with the lowest row */
} Numbers;

/* Reads the next word of the header of the file, and the white space after it. Returns: the value
 * of the word as a number; NaN if it is not a number */
static gdouble
read_word (const gchar ** at, const gchar * end, gchar * word, gsize size)
{
  gsize n = 0;
  gchar *rest;
  gdouble number;

  while (*at < end && g_ascii_isspace (**at))
    (*at)++;
  while (*at < end && **at == '#') {
    while (*at < end && **at != '\n')
      (*at)++;
    while (*at < end && g_ascii_isspace (**at))
      (*at)++;
  }
  for (; *at < end && !g_ascii_isspace (**at) && n + 1 < size; (*at)++)
    word[n++] = **at;
  word[n] = '\0';
  /* Skips the single byte of white space before the numbers. */
  *at += *at < end;
  number = g_ascii_strtod (word, &rest);
  return n > 0 && *rest == '\0' ? number : NAN;
}

static gboolean
is_kind (const gchar * kind)
{
  return strcmp (kind, "PF") == 0 || strcmp (kind, "Pf") == 0
      || strcmp (kind, "P5") == 0;
}

/* Reads the head of the file. Returns: FALSE with the error set on failure */
static gboolean
read_head (const MgpuDpmFile * file, Numbers * numbers)
{
  const gchar *at = numbers->content, *end = at + numbers->length;
  gchar kind[8], word[24];
  gdouble scale, sides[2];

  read_word (&at, end, kind, sizeof (kind));
  if (!is_kind (kind))
    return mgpu_dpm_file_fail (file, "the file is not a PFM or PGM file");
  for (guint i = 0; i < 2; i++)
    sides[i] = read_word (&at, end, word, sizeof (word));
  scale = read_word (&at, end, word, sizeof (word));
  if (!mgpu_dpm_file_get_int (file, "the width", sides[0], 1, MAX_SIDE,
          &numbers->width)
      || !mgpu_dpm_file_get_int (file, "the height", sides[1], 1, MAX_SIDE,
          &numbers->height))
    return FALSE;
  numbers->is_float = kind[1] != '5';
  numbers->channels = kind[1] == 'F' ? 3 : 1;
  numbers->is_big = scale > 0;
  if (numbers->is_float ? !(scale != 0 && isfinite (scale)) : scale != 65535)
    return mgpu_dpm_file_fail (file, numbers->is_float
        ? "the scale is not a number" : "the largest value is not 65535");
  numbers->data = (const guint8 *) at;
  return (guint64) numbers->width * numbers->height * numbers->channels
      * (numbers->is_float ? 4 : 2) <= (guint64) (end - at)
      || mgpu_dpm_file_fail (file, "the file is too short for %dx%d positions",
      numbers->width, numbers->height);
}

/* Returns number @channel of pixel (x, y). */
static gfloat
get_number (const Numbers * numbers, gint x, gint y, guint channel)
{
  gsize row = numbers->is_float ? numbers->height - 1 - y : y;
  gsize at = (row * numbers->width + x) * numbers->channels + channel;
  guint16 word;
  guint32 bits;
  gfloat number;

  if (!numbers->is_float) {
    memcpy (&word, numbers->data + 2 * at, sizeof (word));
    return GUINT16_FROM_BE (word);
  }
  memcpy (&bits, numbers->data + 4 * at, sizeof (bits));
  bits = numbers->is_big ? GUINT32_FROM_BE (bits) : GUINT32_FROM_LE (bits);
  memcpy (&number, &bits, sizeof (number));
  return number;
}

static gboolean
open_numbers (const MgpuDpmFile * file, Numbers * numbers)
{
  return (numbers->content =
      mgpu_dpm_file_read (file, &numbers->length)) != NULL
      && read_head (file, numbers);
}

/* Returns: (transfer full): the positions in @x and, unless @x has both, in @y */
static MgpuPlaces *
make_places (const Numbers * x, const Numbers * y)
{
  MgpuPlaces *places = g_new0 (MgpuPlaces, 1);
  gfloat *to = g_new (gfloat, 2 * (gsize) x->width * x->height);

  places->width = x->width;
  places->height = x->height;
  places->places = to;
  for (gint row = 0; row < x->height; row++)
    for (gint column = 0; column < x->width; column++, to += 2) {
      to[0] = get_number (x, column, row, 0);
      to[1] = y != NULL ? get_number (y, column, row, 0)
          : get_number (x, column, row, 1);
      if (!isfinite (to[0]) || !isfinite (to[1]) || to[0] < NOWHERE
          || to[1] < NOWHERE)
        to[0] = to[1] = NAN;
    }
  return places;
}

static MgpuPlaces *
load_pair (const gchar * x_path, const gchar * y_path, GError ** error)
{
  const MgpuDpmFile files[2] = { {x_path, error}, {y_path, error} };
  Numbers numbers[2] = { {NULL}, {NULL} };
  guint n = y_path != NULL ? 2 : 1;
  MgpuPlaces *places = NULL;
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < n; i++) {
    ok = open_numbers (&files[i], &numbers[i]);
    if (ok && numbers[i].channels != (n == 1 ? 3 : 1))
      ok = mgpu_dpm_file_fail (&files[i], n == 1 ? "the file has one number "
          "for each pixel: give two files, with x and with y, as \"x:y\""
          : "the file has three numbers for each pixel, so it cannot be one of "
          "a pair of files");
  }
  if (ok && n == 2 && (numbers[0].width != numbers[1].width
          || numbers[0].height != numbers[1].height))
    ok = mgpu_dpm_file_fail (&files[1], "the file with y has %dx%d positions, "
        "but the file with x has %dx%d", numbers[1].width, numbers[1].height,
        numbers[0].width, numbers[0].height);
  if (ok)
    places = make_places (&numbers[0], n == 2 ? &numbers[1] : NULL);
  for (guint i = 0; i < n; i++)
    g_free (numbers[i].content);
  return places;
}

/* Returns: (nullable): the colon in @path that separates the names of two files */
static const gchar *
find_colon (const gchar * path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) ? NULL : strrchr (path, ':');
}

MgpuPlaces *
mgpu_places_load (const gchar * path, GError ** error)
{
  const gchar *colon = find_colon (path);
  g_autofree gchar *first = NULL;

  if (colon == NULL)
    return load_pair (path, NULL, error);
  first = g_strndup (path, colon - path);
  return load_pair (first, colon + 1, error);
}

/* Returns: (transfer full): the name of the file @path, or, if @path names two files, of the first
 * one */
static gchar *
get_first (const gchar * path)
{
  const gchar *colon = find_colon (path);

  return colon != NULL ? g_strndup (path, colon - path) : g_strdup (path);
}

gboolean
mgpu_places_is_file (const gchar * path)
{
  g_autofree gchar *first = get_first (path);
  gchar head[HEAD], kind[8];
  const gchar *at = head;

  read_word (&at, head + mgpu_file_read_head (first, head, HEAD), kind,
      sizeof (kind));
  return is_kind (kind);
}

void
mgpu_places_free (MgpuPlaces * places)
{
  g_free (places->places);
  g_free (places);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests files with the source positions of all pixels (maps). */
#include "../folder.h"

#include <gst/models/map-load.h>

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gchar *paths[2], *pair;

static void
setup (void)
{
  folder_make ();
  paths[0] = g_build_filename (folder, "x", NULL);
  paths[1] = g_build_filename (folder, "y", NULL);
  pair = g_strconcat (paths[0], ":", paths[1], NULL);
}

static void
teardown (void)
{
  folder_remove ();
  g_free (paths[0]);
  g_free (paths[1]);
  g_free (pair);
}

/* Writes a file of the header @head and @n floats, big-endian if @is_big is set. */
static void
write_floats (const gchar * path, const gchar * head, const gfloat * numbers,
    guint n, gboolean is_big)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) head, strlen (head));
  for (guint i = 0; i < n; i++) {
    guint32 bits;

    memcpy (&bits, &numbers[i], sizeof (bits));
    bits = is_big ? GUINT32_TO_BE (bits) : GUINT32_TO_LE (bits);
    g_byte_array_append (bytes, (const guint8 *) &bits, sizeof (bits));
  }
  replace_file (path, bytes->data, bytes->len);
}

/* Checks a map of 2x2 positions: (1, 2) and none in the first row, (5, -6) and (7.5, 8) in the
 * second. */
static void
check_places (const gchar * path)
{
  static const gfloat want[] = { 1, 2, NAN, NAN, 5, -6, 7.5, 8 };
  GError *error = NULL;
  g_autoptr (MgpuPlaces) places = mgpu_places_load (path, &error);

  fail_unless (places != NULL, "%s", error != NULL ? error->message : "");
  fail_unless_equals_int (places->width, 2);
  fail_unless_equals_int (places->height, 2);
  for (guint i = 0; i < G_N_ELEMENTS (want); i++)
    fail_unless (isnan (want[i]) ? isnan (places->places[i])
        : want[i] == places->places[i], "%u: %g", i, places->places[i]);
  fail_unless (mgpu_places_is_file (path));
}

GST_START_TEST (test_pfm)
{
  static const gfloat lower_first[] = {
    5, -6, 0, 7.5, 8, 0, 1, 2, 9, INFINITY, 3, 0
  };
  static const gfloat x[] = { 5, 7.5, 1, -2e6 }, y[] = { -6, 8, 2, 0 };

  write_floats (paths[0], "PF\n2 2\n-1.0\n", lower_first, 12, FALSE);
  check_places (paths[0]);
  write_floats (paths[0], "PF\n# by hand\n2 2 1\n", lower_first, 12, TRUE);
  check_places (paths[0]);
  write_floats (paths[0], "Pf 2 2 -1\n", x, 4, FALSE);
  write_floats (paths[1], "Pf 2 2 1\n", y, 4, TRUE);
  check_places (pair);
}

GST_END_TEST;

GST_START_TEST (test_pgm)
{
  GError *error = NULL;
  g_autoptr (MgpuPlaces) places = NULL;

  replace_file (paths[0], "P5 2 1 65535\n\1\2\0\7", 17);
  replace_file (paths[1], "P5 2 1 65535\n\0\0\377\377", 17);
  places = mgpu_places_load (pair, &error);
  fail_unless (places != NULL && error == NULL);
  fail_unless (places->places[0] == 258 && places->places[1] == 0
      && places->places[2] == 7 && places->places[3] == 65535);
}

GST_END_TEST;

static void
check_error (const gchar * path, const gchar * message)
{
  GError *error = NULL;

  fail_unless (mgpu_places_load (path, &error) == NULL && error != NULL);
  fail_unless (strstr (error->message, message) != NULL, "\"%s\", not \"%s\"",
      error->message, message);
  g_error_free (error);
}

GST_START_TEST (test_bad)
{
  check_error (pair, "cannot be read");
  fail_if (mgpu_places_is_file (pair));
  replace_file (paths[0], "P6 2 1 65535\n\1\2\0\7", 17);
  check_error (paths[0], "not a PFM or PGM file");
  fail_if (mgpu_places_is_file (paths[0]));
  replace_file (paths[0], "P5 2 1 65535\n\1\2\0", 16);
  check_error (pair, "too short");
  replace_file (paths[0], "P5 2 1 65535\n\1\2\0\7", 17);
  check_error (paths[0], "one number for each pixel");
  replace_file (paths[1], "P5 1 1 65535\n\1\2", 15);
  check_error (pair, "1x1 positions, but the file with x has 2x1");
  replace_file (paths[1], "P5 2 1 255\n\1\2", 13);
  check_error (pair, "the largest value is not 65535");
  replace_file (paths[1], "P5 65537 1 65535\n", 17);
  check_error (pair, "the width is 65537");
  replace_file (paths[1], "P5 65536 65536 65535\n", 21);
  check_error (pair, "too short");
  replace_file (paths[1], "P5", 2);
  check_error (pair, "the width is nan");
  write_floats (paths[1], "PF 1 1 nan\n", NULL, 0, FALSE);
  check_error (paths[1], "the scale is not a number");
  write_floats (paths[1], "PF 65536 65536 1\n", NULL, 0, FALSE);
  check_error (paths[1], "too short");
}

GST_END_TEST;

GST_START_TEST (test_odd_files)
{
  gint fd;

  g_remove (paths[0]);
  fail_unless_equals_int (mkfifo (paths[0], 0600), 0);
  check_error (paths[0], "a pipe");
  fail_if (mgpu_places_is_file (paths[0]));
  g_remove (paths[0]);
  check_error (folder, "a directory");
  fail_if (mgpu_places_is_file (folder));
  replace_file (paths[0], "", 0);
  check_error (paths[0], "empty");
  fail_if (mgpu_places_is_file (paths[0]));
  fd = g_open (paths[0], O_WRONLY, 0);
  fail_unless_equals_int (ftruncate (fd, (64 << 20) + 1), 0);
  close (fd);
  check_error (paths[0], "more than 64 MiB");
}

GST_END_TEST;

#define SIDE 512
#define HEAD "PF 512 512 -1\n"

/* Writes a file and truncates it to its header repeatedly, until *@data is not 0. */
static gpointer
change_file (gpointer data)
{
  const gsize head = strlen (HEAD), size = head + 12 * SIDE * SIDE;
  g_autofree gchar *text = g_malloc0 (size);
  gint fd = g_open (paths[0], O_WRONLY | O_CREAT, 0600);

  memcpy (text, HEAD, head);
  while (g_atomic_int_get ((gint *) data) == 0) {
    fail_unless_equals_int (pwrite (fd, text, size, 0), size);
    g_usleep (500);             /* a load begins */
    fail_unless_equals_int (ftruncate (fd, head), 0);
    g_usleep (500);
  }
  close (fd);
  return NULL;
}

/* Tests a file that another program truncates while it is read: the bytes that were read are used,
 * or are too few. */
GST_START_TEST (test_shortened)
{
  gint ends = 0;
  GThread *thread;

  write_floats (paths[0], HEAD, NULL, 0, FALSE);
  thread = g_thread_new ("change", change_file, &ends);
  for (guint i = 0; i < 300; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (MgpuPlaces) places = mgpu_places_load (paths[0], &error);

    fail_unless (mgpu_places_is_file (paths[0]));
    fail_unless (places != NULL ? places->width == SIDE
        : strstr (error->message, "too short") != NULL);
  }
  g_atomic_int_set (&ends, 1);
  g_thread_join (thread);
}

GST_END_TEST;

CHECK_TESTS (mgpuplaces)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_pfm);
  tcase_add_test (tc, test_pgm);
  tcase_add_test (tc, test_bad);
  tcase_add_test (tc, test_odd_files);
  tcase_add_test (tc, test_shortened);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests color lookup tables in .cube files. */
#include "../file.h"

#include <gst/models/cube-load.h>

#include <string.h>

static void
setup (void)
{
  file_begin ("a.cube");
}

/* Returns: (transfer full): the lookup table of a file with the content @text */
static MgpuLut *
load (const gchar * text)
{
  GError *error = NULL;
  MgpuLut *lut;

  replace_file (path, text, -1);
  lut = mgpu_cube_load (path, &error);
  fail_unless (lut != NULL, "%s", error != NULL ? error->message : "");
  return lut;
}

static gint
get_shape (const MgpuLut * lut, gint i, gint code)
{
  return g_array_index (lut->shape, gint, i * 4096 + code);
}

GST_START_TEST (test_line)
{
  g_autoptr (MgpuLut) lut = load ("\xef\xbb\xbfTITLE \"one\"\r\n\r\n# text\r\n"
      "LUT_1D_SIZE 3\r\nDOMAIN_MIN 0 0 -1\r\nDOMAIN_MAX 1 2 1\r\n"
      "0 0.5 0\r\n\t1 1e0 0.25\r\n2 -1 1");

  fail_unless_equals_int (lut->size, 1);
  fail_unless_equals_int (lut->cube->len, 0);
  fail_unless_equals_int (get_shape (lut, 0, 0), 0);
  fail_unless_equals_int (get_shape (lut, 0, 1024), 2048);
  fail_unless_equals_int (get_shape (lut, 0, 4095), 4095);
  fail_unless_equals_int (get_shape (lut, 1, 0), 2048);
  fail_unless_equals_int (get_shape (lut, 1, 4095), 4095);
  fail_unless_equals_int (get_shape (lut, 2, 0), 1024);
  fail_unless_equals_int (get_shape (lut, 2, 4095), 4095);
}

GST_END_TEST;

GST_START_TEST (test_cube)
{
  g_autoptr (MgpuLut) lut = load ("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 0.5\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n3 -9 0.5\n");
  const gint16 *entries = (const gint16 *) lut->cube->data;

  fail_unless_equals_int (lut->size, 2);
  fail_unless_equals_int (lut->cube->len, 16);
  fail_unless_equals_int (entries[4], 16384);
  fail_unless_equals_int (entries[5], 0);
  fail_unless_equals_int (entries[28], 32767);
  fail_unless_equals_int (entries[29], -32768);
  fail_unless_equals_int (entries[30], 8192);
  fail_unless_equals_int (entries[31], 0);
  fail_unless_equals_int (get_shape (lut, 0, 2048), 4096);
  fail_unless_equals_int (get_shape (lut, 2, 1024), 2049);
}

GST_END_TEST;

GST_START_TEST (test_bad)
{
  static const struct
  {
    const gchar *text, *message;
  } cases[] = {
    {"", "a.cube:0: the file has no LUT"},
    {"TITLE \"x\"\n\n", "a.cube:2: the file has no LUT"},
    {"0 0 0\n", "a.cube:1: there are numbers before"},
    {"LUT_3D_SIZE 130\n", "a.cube:1: LUT_3D_SIZE is 130"},
    {"LUT_3D_SIZE 2.5\n", "2.5, but it has to be an integer from 2 to 129"},
    {"LUT_1D_SIZE 65537\n", "from 2 to 65536"},
    {"LUT_1D_SIZE\n", "LUT_1D_SIZE needs 1 number"},
    {"LUT_1D_SIZE 2 3\n", "LUT_1D_SIZE has more than 1 number"},
    {"LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "a.cube:2: LUT_3D_SIZE comes after"},
    {"LUT_1D_SIZE 2\n0 0 0\n0 0\n", "a.cube:3: an entry needs 3 numbers"},
    {"LUT_1D_SIZE 2\n0 0 0\n0 0 0x\n", "a.cube:3: an entry needs 3 numbers"},
    {"LUT_1D_SIZE 2\n0 0 0\n0 0 0 0\n", "a.cube:3: an entry has more than 3"},
    {"LUT_1D_SIZE 2\n0 0 0\n0 0 1e7\n", "a.cube:3: an entry needs 3 numbers"},
    {"LUT_1D_SIZE 2\n-nan 0 0\n", "a.cube:2: an entry needs 3 numbers"},
    {"LUT_1D_SIZE 2\nnan 0 0\n", "a.cube:2: unknown keyword \"nan\""},
    {"LUT_1D_SIZE 2\n0 0 0\n", "a.cube:2: the file ends after 1 of 2"},
    {"LUT_1D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n",
        "a.cube:4: there are more entries than the 2"},
    {"LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 1\n0 0 0\n1 1 1\n",
        "a.cube:4: the domain is from 1 to 1"},
    {"DOMAIN_MAX 0 0\n", "a.cube:1: DOMAIN_MAX needs 3 numbers"},
    {"LUT_3D_INPUT_RANGE 0\n", "LUT_3D_INPUT_RANGE needs 2 numbers"}
  };
  g_autofree gchar *line = g_strnfill (1024, '#');

  for (guint i = 0; i <= G_N_ELEMENTS (cases) + 2; i++) {
    gboolean is_case = i < G_N_ELEMENTS (cases);
    const gchar *message = is_case ? cases[i].message
        : i == G_N_ELEMENTS (cases) ? "more than 1023 bytes"
        : i == G_N_ELEMENTS (cases) + 1 ? "a byte 0" : "a directory";
    GError *error = NULL;

    if (is_case)
      replace_file (path, cases[i].text, -1);
    else if (i == G_N_ELEMENTS (cases))
      replace_file (path, line, -1);
    else
      replace_file (path, "\n# \0", 4);
    fail_unless (mgpu_cube_load (i == G_N_ELEMENTS (cases) + 2 ? folder : path,
            &error) == NULL && error != NULL);
    fail_unless (strstr (error->message, message) != NULL,
        "\"%s\", not \"%s\"", error->message, message);
    g_error_free (error);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpucube)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_line);
  tcase_add_test (tc, test_cube);
  tcase_add_test (tc, test_bad);
}

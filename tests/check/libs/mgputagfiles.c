/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests files of boards and dictionaries: the values that are read from valid files, and the errors
 * about invalid files. */
#include "../file.h"

#include <gst/models/board.h>
#include <gst/models/dictionary-load.h>

#include <math.h>
#include <string.h>

#define GRID "target_type: 'aprilgrid'\ntagCols: 3\ntagRows: 2\n" \
    "tagSize: 0.088\ntagSpacing: 0.3\n"
#define SQUARE "[0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0]"
#define TWO "nmarkers: 2\nmarkersize: 3\nmarker_0: \"110100101\"\n" \
    "marker_1: \"000111010\"\n"

static void
setup (void)
{
  file_begin ("wall.yaml");
}

GST_START_TEST (test_grid)
{
  g_autoptr (MgpuBoard) board = NULL;
  const MgpuBoardTag *tag;
  GError *error = NULL;

  replace_file (path, GRID "codeOffset: 10 # of tag 0\n", -1);
  board = mgpu_board_load (path, &error);
  fail_unless (board != NULL && error == NULL);
  fail_unless_equals_int (board->n_tags, 6);
  fail_unless (mgpu_board_find (board, "tag36h11", 9) == NULL);
  fail_unless (mgpu_board_find (board, "tag36h11", 16) == NULL);
  /* The second tag of the board's upper row */
  tag = mgpu_board_find (board, "any", 14);
  fail_unless (fabs (tag->points[0] - 0.088 * 1.3) < 1e-12);
  fail_unless (fabs (tag->points[1] - 0.088 * 2.3) < 1e-12);
  fail_unless (fabs (tag->points[6] - 0.088 * 2.3) < 1e-12);
  fail_unless (fabs (tag->points[7] - 0.088 * 1.3) < 1e-12);
  fail_unless (tag->points[2] == 0);
}

GST_END_TEST;

GST_START_TEST (test_list)
{
  static const gchar *const texts[] = {
    "family: tag16h5\ntag_7: " SQUARE "\ntag_3: [0.5, 0, 1,\n  0.5, 0, 0.9, "
        "0.6, 0, 0.9, 0.6, 0, 1]\n",
    "{\"family\": \"tag16h5\", \"tag_7\": " SQUARE
        ", \"tag_3\": [0.5, 0, 1, 0.5, " "0, 0.9, 0.6, 0, 0.9, 0.6, 0, 1]}"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (MgpuBoard) board = NULL;
    GError *error = NULL;

    replace_file (path, texts[i], -1);
    board = mgpu_board_load (path, &error);
    fail_unless (board != NULL, "%s", error != NULL ? error->message : "");
    fail_unless_equals_int (board->n_tags, 2);
    fail_unless (mgpu_board_find (board, "tag36h11", 7) == NULL);
    fail_unless (mgpu_board_find (board, "tag16h5", 3)->points[5] == 0.9);
    fail_unless (mgpu_board_find (board, "tag16h5", 7)->points[3] == 0.1);
  }
}

GST_END_TEST;

/* Contents of invalid files, and a part of the error message */
static const struct
{
  const gchar *text, *error;
} bad_boards[] = {
  {"", "empty"},
  {"a: 1\n", "neither target_type nor tag_ID"},
  {"target_type: 'checkerboard'\n", "target_type has to be aprilgrid"},
  {"target_type: aprilgrid\ntagRows: 2\n", "there is no tagCols"},
  {"target_type: aprilgrid\ntagCols: 0\n", "tagCols"},
  {"target_type: aprilgrid\ntagCols: 2\ntagRows: 2000\n", "tagRows"},
  {"target_type: aprilgrid\ntagCols: 2\ntagRows: 2\ntagSize: 0\ntagSpacing: 1\n",
      "tagSize is 0"},
  {"target_type: aprilgrid\ntagCols: 2\ntagRows: 2\ntagSize: 1\n",
      "there is no tagSpacing"},
  {"target_type: aprilgrid\ntagCols: 2\ntagRows: 2\ntagSize: x\n", "tagSize"},
  {"tag_x: " SQUARE, "tag_x: the id has to be"},
  {"tag_-1: " SQUARE, "tag_-1: the id has to be"},
  {"tag_65536: " SQUARE, "tag_65536: the id has to be"},
  {"tag_99999999999999999999: " SQUARE, "the id has to be"},
  {"tag_1: " SQUARE "\ntag_01: " SQUARE, "tag_1 is defined twice"},
  {"tag_1: [1, 2, 3]\n", "tag_1 has 3 numbers, but it needs 12"},
  {"tag_1: [0, 0, 0, 0.1, 0, 0, 0.1, 0.2, 0, 0, 0.2, 0]\n",
      "corners of a square"},
  {"tag_1: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n", "corners of a square"},
  {"tag_1: [0, 0, 0, 2000, 0, 0, 2000, 2000, 0, 0, 2000, 0]\n",
      "corners of a square"},
  {"tag_1: [0, 0, 0, nan, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0]\n", "tag_1"}
};

static void
check_error (gboolean ok, GError * error, const gchar * part)
{
  fail_if (ok, "%s", part);
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, part) != NULL, "\"%s\" is not in \"%s\"",
      part, error->message);
  fail_unless (strstr (error->message, "wall.yaml") != NULL, "%s",
      error->message);
  g_error_free (error);
}

GST_START_TEST (test_bad_board)
{
  g_autoptr (MgpuBoard) board = NULL;
  GError *error = NULL;

  replace_file (path, bad_boards[__i__].text, -1);
  board = mgpu_board_load (path, &error);
  check_error (board != NULL, error, bad_boards[__i__].error);
}

GST_END_TEST;

GST_START_TEST (test_dictionary)
{
  static const gchar *const texts[] = { "%YAML:1.0\n---\n" TWO
        "maxCorrectionBits: 0\n",
    "<?xml version=\"1.0\"?>\n<opencv_storage>\n<nmarkers>2</nmarkers>\n"
        "<markersize>3</markersize>\n<marker_0>\"110100101\"</marker_0>\n"
        "<marker_1>\n  000111010 </marker_1>\n</opencv_storage>\n"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (MgpuTagDictionary) family = NULL;
    GError *error = NULL;

    replace_file (path, texts[i], -1);
    family = mgpu_tag_dictionary_load (path, &error);
    fail_unless (family != NULL, "%s", error != NULL ? error->message : "");
    fail_unless_equals_string (family->name, "wall");
    fail_unless (family->n_codes == 2 && family->n_bits == 9
        && family->border == 5 && family->width == 7);
    fail_unless (family->codes[0] == 0x1a5 && family->codes[1] == 0x3a);
    /* The first row of the second tag is the left column of the first tag, read upwards. */
    fail_unless (family->distance <= 9);
    fail_unless (family->x[5] == 3 && family->y[5] == 2);
  }
}

GST_END_TEST;

static const struct
{
  const gchar *text, *error;
} bad_dictionaries[] = {
  {"a: 1\n", "not a dictionary, because it has no nmarkers"},
  {"nmarkers: 2\n", "not a dictionary, because it has no markersize"},
  {"nmarkers: 0\nmarkersize: 3\n", "nmarkers"},
  {"nmarkers: 5000\nmarkersize: 3\n", "nmarkers"},
  {"nmarkers: 1\nmarkersize: 9\n", "markersize"},
  {"nmarkers: 3\nmarkersize: 3\nmarker_0: \"110100101\"\n",
      "there is no marker_1"},
  {"nmarkers: 1\nmarkersize: 3\nmarker_0: \"11010010\"\n",
      "marker_0 has to be"},
  {"nmarkers: 1\nmarkersize: 3\nmarker_0: \"11010012x\"\n", "marker_0 has to be"}
};

GST_START_TEST (test_bad_dictionary)
{
  g_autoptr (MgpuTagDictionary) family = NULL;
  GError *error = NULL;

  replace_file (path, bad_dictionaries[__i__].text, -1);
  family = mgpu_tag_dictionary_load (path, &error);
  check_error (family != NULL, error, bad_dictionaries[__i__].error);
}

GST_END_TEST;

/* Tests that a file that is too large is not read. */
GST_START_TEST (test_large)
{
  g_autofree gchar *text = g_malloc ((1 << 20) + 2);
  GError *error = NULL;
  gboolean ok;

  memset (text, ' ', (1 << 20) + 1);
  replace_file (path, text, (1 << 20) + 1);
  ok = mgpu_board_load (path, &error) != NULL;
  check_error (ok, error, "more than 1 MiB");
}

GST_END_TEST;

CHECK_TESTS (mgputagfiles)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_grid);
  tcase_add_test (tc, test_list);
  tcase_add_loop_test (tc, test_bad_board, 0, G_N_ELEMENTS (bad_boards));
  tcase_add_test (tc, test_dictionary);
  tcase_add_loop_test (tc, test_bad_dictionary, 0,
      G_N_ELEMENTS (bad_dictionaries));
  tcase_add_test (tc, test_large);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests where the values of tuning parameters (knobs) are read, and which values are refused. */
#include <gst/vision/base/knobs.h>

#include <string.h>

#include "../folder.h"

static const MgpuKnob knobs[] = {
  {"TILE", {256, 256, 256}, "64 128 256", "width of a tile"},
  {"TILE_Y", {4, 4, 4}, "2 4 8", "height of a tile"},
  {"LANES", {16, 4, 2}, NULL, "samples of a vector"},
  {NULL}
};

static guint n_infos;

static void
count_infos (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (g_str_equal (gst_debug_category_get_name (category), "mgpuknobs"))
    n_infos++;
}

static void
setup (void)
{
  folder_make ();
  g_setenv ("GST_MGPU_KNOBS_DIR", folder, TRUE);
  g_unsetenv ("GST_MGPU_KNOBS");
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_from_string ("mgpuknobs:INFO", FALSE);
  gst_debug_add_log_function (count_infos, NULL, NULL);
}

/* Resets the collected log lines, because without a fork the next test runs in the same process. */
static void
teardown (void)
{
  gst_debug_remove_log_function (count_infos);
  folder_remove ();
}

static GstMgpuContext *
context_new (void)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error);

  fail_unless (context != NULL, "%s", error ? error->message : "");
  return context;
}

/* Writes a file with the tuning parameters @text of the algorithm "test". Returns: (transfer
 * full): its path */
static gchar *
write_file (const gchar * text)
{
  g_autoptr (GstMgpuContext) context = context_new ();
  GError *error = NULL;
  gchar *path;

  mgpu_knobs_set (context, "test", text);
  fail_unless (mgpu_knobs_save (context, &error), "%s",
      error ? error->message : "");
  path = mgpu_knobs_get_path (context);
  fail_unless (g_str_has_prefix (path, folder));
  return path;
}

/* Checks that a new context uses the values @tile, @tile_y and @lanes of the tuning parameters
 * (knobs), and logs @infos messages. If @lanes is negative, the default value for the device
 * class is expected. */
static void
expect (gint tile, gint tile_y, gint lanes, guint infos)
{
  g_autoptr (GstMgpuContext) context = context_new ();
  gint values[3];

  n_infos = 0;
  if (lanes < 0)
    lanes = knobs[2].value[gst_mgpu_context_get_traits (context)
        ->device_class];
  mgpu_knobs_choose (knobs, "test", context, values);
  fail_unless_equals_int (values[0], tile);
  fail_unless_equals_int (values[1], tile_y);
  fail_unless_equals_int (values[2], lanes);
  fail_unless_equals_int (n_infos, infos);
}

GST_START_TEST (test_no_file)
{
  expect (256, 4, -1, 0);
}

GST_END_TEST;

GST_START_TEST (test_file)
{
  GstMgpuContext *context;
  const gchar *source;
  gchar *path = write_file ("TILE=64"), *text;

  expect (64, 4, -1, 0);
  context = context_new ();
  text = mgpu_knobs_get (context, "test", &source);
  fail_unless_equals_string (text, "TILE=64");
  fail_unless_equals_string (source, path);
  g_free (text);
  gst_object_unref (context);
  g_free (path);

  g_free (write_file ("TILE=128 TILE_Y=8"));
  expect (128, 8, -1, 0);
  /* Knobs of another algorithm have no effect here. */
  context = context_new ();
  mgpu_knobs_set (context, "test", "");
  mgpu_knobs_set (context, "other", "TILE=64");
  fail_unless (mgpu_knobs_save (context, NULL));
  gst_object_unref (context);
  expect (256, 4, -1, 0);
}

GST_END_TEST;

GST_START_TEST (test_class)
{
  g_free (write_file ("class=mobile TILE=128"));
  expect (128, 4, 2, 0);
  g_free (write_file ("class=discrete"));
  expect (256, 4, 4, 0);
  g_free (write_file ("class=huge TILE=128"));
  expect (128, 4, -1, 1);
}

GST_END_TEST;

GST_START_TEST (test_out_of_range)
{
  static const gchar *const texts[] = {
    "TILE_Y=8 TILE=65", "TILE_Y=8 TILE=-64", "TILE_Y=8 TILE=", "TILE=64x TILE_Y=8",
    "TILE=99999999999 TILE_Y=8", "TILE_Y=8 LANES=4096"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_free (write_file (texts[i]));
    expect (256, 8, -1, 1);
  }
  /* A tuning parameter on which other tuning parameters depend keeps the value of its device
   * class. */
  g_free (write_file ("LANES=1"));
  expect (256, 4, -1, 1);
}

GST_END_TEST;

GST_START_TEST (test_broken_file)
{
  g_autofree gchar *path = write_file ("TILE=64");
  g_autofree gchar *bytes = g_malloc0 (1 << 16);

  g_file_set_contents (path, "TILE=64\n[knobs\n", -1, NULL);
  expect (256, 4, -1, 1);
  g_file_set_contents (path, "", 0, NULL);
  expect (256, 4, -1, 1);
  g_file_set_contents (path, bytes, 1 << 16, NULL);
  expect (256, 4, -1, 1);
  g_file_set_contents (path, "[knobs]\ntest=TILE=64\n", -1, NULL);
  expect (256, 4, -1, 1);
  g_unlink (path);
  g_mkdir (path, 0755);
  expect (256, 4, -1, 1);
  g_rmdir (path);
}

GST_END_TEST;

/* Tests a file of the same name whose content is for another device, driver or version. */
GST_START_TEST (test_foreign_file)
{
  static const gchar *const keys[] = {
    "platform", "name", "opencl", "driver", "class", "gst-mgpu", "compute-units"
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree gchar *path = write_file ("TILE=64");
    GKeyFile *file = g_key_file_new ();

    expect (64, 4, -1, 0);
    fail_unless (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));
    fail_unless (g_key_file_has_key (file, "device", keys[i], NULL));
    g_key_file_set_string (file, "device", keys[i], "another");
    fail_unless (g_key_file_save_to_file (file, path, NULL));
    expect (256, 4, -1, 1);
    g_key_file_unref (file);
    g_unlink (path);
  }
}

GST_END_TEST;

/* Tests that tuning parameters of another device class are for other kernels, and are in another
 * file. */
GST_START_TEST (test_overridden_class)
{
  g_autoptr (GstMgpuContext) context = context_new ();
  guint own = gst_mgpu_context_get_traits (context)->device_class;
  gint values[3];

  g_free (write_file ("TILE=64"));
  gst_mgpu_context_override_class (context, (own + 1) % 3);
  mgpu_knobs_choose (knobs, "test", context, values);
  fail_unless_equals_int (values[0], 256);
  fail_unless_equals_int (values[2], knobs[2].value[(own + 1) % 3]);
}

GST_END_TEST;

GST_START_TEST (test_none)
{
  g_free (write_file ("TILE=64"));
  g_setenv ("GST_MGPU_KNOBS", "none", TRUE);
  expect (256, 4, -1, 0);
  g_setenv ("GST_MGPU_KNOBS", "", TRUE);
  expect (64, 4, -1, 0);
}

GST_END_TEST;

/* Tests a file in the user's data folder, which is read if no environment variable names another
 * file. */
GST_START_TEST (test_folder)
{
  g_autoptr (GstMgpuContext) context = context_new ();
  g_autofree gchar *want =
      g_build_filename (g_get_user_data_dir (), "gst-mgpu", "knobs",
      NULL), *path = NULL;

  g_unsetenv ("GST_MGPU_KNOBS_DIR");
  path = mgpu_knobs_get_path (context);
  fail_unless (g_str_has_prefix (path, want));
  fail_unless (g_str_has_suffix (path, ".ini"));
}

GST_END_TEST;

/* Tests a folder for the file that cannot be created. */
GST_START_TEST (test_save_fails)
{
  g_autoptr (GstMgpuContext) context = context_new ();
  g_autofree gchar *path = g_build_filename (folder, "file", NULL);
  g_autofree gchar *below = g_build_filename (path, "folder", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "", 0, NULL);
  g_setenv ("GST_MGPU_KNOBS_DIR", below, TRUE);
  fail_if (mgpu_knobs_save (context, &error));
  fail_unless (error != NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuknobs)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_no_file);
  tcase_add_test (tc, test_file);
  tcase_add_test (tc, test_class);
  tcase_add_test (tc, test_out_of_range);
  tcase_add_test (tc, test_broken_file);
  tcase_add_test (tc, test_foreign_file);
  tcase_add_test (tc, test_overridden_class);
  tcase_add_test (tc, test_none);
  tcase_add_test (tc, test_folder);
  tcase_add_test (tc, test_save_fails);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the kernels with their references on a device, by the program kernelcheck, and
 * writes a report about it that can be sent to others: it names no files, users or hosts. */
#include "self-test.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* Searches for the program kernelcheck in the folder of this program, in the build folder
 * if this program is in its subfolder gst/tools, and in the folder where kernelcheck is
 * installed. Returns: (transfer full) (nullable): the path of kernelcheck */
static gchar *
find_kernelcheck (void)
{
  g_autofree gchar *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree gchar *folder =
      self != NULL ? g_path_get_dirname (self) : g_strdup (".");
  gboolean is_built = g_str_has_suffix (folder, "/gst/tools");
  gchar *paths[] = {
    g_build_filename (folder, "kernelcheck", NULL),
    g_build_filename (folder, is_built ? "../../tests/kernelcheck" : "",
        "kernelcheck", NULL),
    g_build_filename (LIBEXECDIR, "gst-mgpu", "kernelcheck", NULL)
  };
  gchar *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    if (found == NULL && g_file_test (paths[i], G_FILE_TEST_IS_EXECUTABLE))
      found = paths[i];
    else
      g_free (paths[i]);
  }
  return found;
}

static void
add_string (JsonBuilder * builder, const gchar * name, const gchar * value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder * builder, const gchar * name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

/* Adds the object "device" to @builder, with the properties that gst-mgpu-info prints of @device, a
 * device string */
static void
add_device (JsonBuilder * builder, const gchar * device)
{
  static const gchar *const classes[] = { "cpu", "discrete", "mobile" };
  GstMgpuContext *context = gst_mgpu_context_new (device, NULL);
  const GstMgpuTraits *t;

  json_builder_set_member_name (builder, "device");
  json_builder_begin_object (builder);
  add_string (builder, "string", device);
  if (context != NULL) {
    t = gst_mgpu_context_get_traits (context);
    add_string (builder, "name", gst_mgpu_context_get_device_name (context));
    add_string (builder, "version", gst_mgpu_context_get_version (context));
    if (t->device_class < G_N_ELEMENTS (classes))
      add_string (builder, "class", classes[t->device_class]);
    add_int (builder, "compute-units", t->compute_units);
    add_int (builder, "work-group-size", t->max_work_group_size);
    add_int (builder, "local-memory-bytes", t->local_memory_size);
    add_int (builder, "memory-bytes", t->global_memory_size);
    add_int (builder, "allocation-bytes", t->max_allocation_size);
    json_builder_set_member_name (builder, "unified-memory");
    json_builder_add_boolean_value (builder, t->unified_memory);
    gst_object_unref (context);
  }
  json_builder_end_object (builder);
}

/* Writes @report. @results is the file that kernelcheck wrote; if it crashed, there is none,
 * and the report has no results. Returns: whether the report was written */
static gboolean
write_report (const gchar * report, const gchar * device, int status,
    const gchar * results)
{
  JsonBuilder *builder = json_builder_new ();
  JsonParser *parser = json_parser_new ();
  JsonGenerator *generator = json_generator_new ();
  GDateTime *now = g_date_time_new_now_utc ();
  gchar *date = g_date_time_format (now, "%Y-%m-%d"), *version =
      gst_version_string ();
  GError *error = NULL;
  JsonNode *root;

  json_builder_begin_object (builder);
  add_int (builder, "report", 1);
  add_string (builder, "gst-mgpu", PACKAGE_VERSION);
  add_string (builder, "gstreamer", version);
  add_string (builder, "date", date);
  add_device (builder, device);
  json_builder_set_member_name (builder, "passed");
  json_builder_add_boolean_value (builder, status == 0);
  add_int (builder, "exit-status", status);
  if (json_parser_load_from_file (parser, results, NULL)
      && JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser))) {
    json_builder_set_member_name (builder, "kernelcheck");
    json_builder_add_value (builder, json_parser_steal_root (parser));
  }
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  if (!json_generator_to_file (generator, report, &error))
    g_printerr ("The report could not be written: %s\n", error->message);
  else
    g_print ("Report: %s\n", report);
  json_node_unref (root);
  g_object_unref (generator);
  g_object_unref (parser);
  g_object_unref (builder);
  g_date_time_unref (now);
  g_free (date);
  g_free (version);
  if (error == NULL)
    return TRUE;
  g_clear_error (&error);
  return FALSE;
}

/* Returns: the exit status of kernelcheck, run with @arguments; 1 if a signal ended it, or it
 * does not run */
static int
run_kernelcheck (gchar ** arguments)
{
  GError *error = NULL;
  gint wait_status = 0;
  int status = 0;

  if (!g_spawn_sync (NULL, arguments, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL,
          NULL, NULL, NULL, &wait_status, &error)) {
    g_printerr ("%s\n", error->message);
    g_clear_error (&error);
    return 1;
  }
  if (!g_spawn_check_wait_status (wait_status, &error)) {
    status = error->domain == G_SPAWN_EXIT_ERROR ? error->code : 1;
    g_clear_error (&error);
  }
  g_print ("\nSelf-test %s\n", status == 0 ? "passed" : "FAILED");
  return status;
}

int
self_test (const gchar * device, const gchar * report)
{
  gchar *program = find_kernelcheck (), *results = NULL;
  gchar *arguments[] = {
    program, (gchar *) "--quick", (gchar *) "--device", (gchar *) device, NULL,
    NULL, NULL, NULL
  };
  int status, file;

  if (program == NULL) {
    g_printerr ("\nThe self-test needs the program kernelcheck, which was not "
        "found: build and install gst-mgpu with -Dkernelcheck=enabled. The "
        "program kernelcheck is searched for next to this program, in the "
        "build folder of this program, and in " LIBEXECDIR "/gst-mgpu.\n");
    return 1;
  }
  if (report != NULL) {
    file = g_file_open_tmp ("gst-mgpu-XXXXXX.json", &results, NULL);
    if (file < 0) {
      g_printerr ("no temporary file: %s\n", g_strerror (errno));
      g_free (program);
      return 1;
    }
    g_close (file, NULL);
    arguments[4] = (gchar *) "--bench";
    arguments[5] = (gchar *) "--json";
    arguments[6] = results;
  }
  g_print ("\nSelf-test: every kernel against its reference%s; this takes some "
      "minutes\n", report != NULL ? ", and its time" : "");
  status = run_kernelcheck (arguments);
  if (report != NULL) {
    if (!write_report (report, device, status, results) && status == 0)
      status = 1;
    g_unlink (results);
  }
  g_free (results);
  g_free (program);
  return status;
}

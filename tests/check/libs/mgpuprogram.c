/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuProgram: sharing, the cache on disk, and builds that fail. */
#include "../builds.h"
#include "../suite.h"

#include <glib/gstdio.h>

/* Kernel that sets out[x] to VALUE + x */
#define SOURCE \
  "#ifndef VALUE\n#define VALUE 0\n#endif\n" \
  "__kernel void fill (__global int *out) {" \
  "  int x = get_global_id (0); out[x] = VALUE + x; }"
#define N 64

static GstMgpuContext *context;
static GstMgpuQueue *queue;
static gchar *cache;

static void
open_context (void)
{
  GError *error = NULL;

  context = gst_mgpu_context_new (NULL, &error);
  fail_unless (context != NULL, "%s", error ? error->message : "");
  queue = gst_mgpu_queue_new (context, NULL);
  fail_unless (queue != NULL);
  n_builds = 0;
}

static void
close_context (void)
{
  gst_object_unref (queue);
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

/* Continues with a context that has no program yet, so that the cache on disk is read. */
static void
renew_context (void)
{
  close_context ();
  open_context ();
}

static void
setup (void)
{
  cache = g_dir_make_tmp ("mgpu-cache-XXXXXX", NULL);
  fail_unless (cache != NULL);
  g_setenv ("GST_MGPU_CACHE_DIR", cache, TRUE);
  g_setenv ("GST_MGPU_BINARIES", "1", TRUE);
  open_context ();
}

/* Calls @func with the path of every file in the cache folder. Returns: their number */
static guint
each_file (const gchar * folder, void (*func) (const gchar * path))
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_build_filename (folder, name, NULL);

    if (func != NULL)
      func (path);
    g_free (path);
    n++;
  }
  g_clear_pointer (&dir, g_dir_close);
  return n;
}

static void
remove_file (const gchar * path)
{
  fail_unless_equals_int (g_unlink (path), 0);
}

static void
teardown (void)
{
  g_chmod (cache, 0700);
  each_file (cache, remove_file);
  g_rmdir (cache);
  g_free (cache);
  close_context ();
}

static GstMgpuProgram *
make_program (const gchar * options)
{
  GError *error = NULL;
  GstMgpuProgram *program =
      gst_mgpu_program_new (context, "test", SOURCE, options, &error);

  fail_unless (program != NULL, "%s", error ? error->message : "");
  return program;
}

static void
expect_values (GstMgpuProgram * program, gint value)
{
  const gsize global = N;
  GError *error = NULL;
  GstMemory *memory;
  cl_kernel kernel;
  GstMgpuJob job;
  GstMapInfo map;

  kernel = gst_mgpu_program_create_kernel (program, "fill", &error);
  fail_unless (kernel != NULL, "%s", error ? error->message : "");
  memory = gst_mgpu_memory_new (queue, N * 4, NULL, NULL);
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_set_args (&job, kernel, "m",
      gst_mgpu_job_write (&job, (GstMgpuMemory *) memory));
  gst_mgpu_job_launch (&job, kernel, 1, &global, NULL);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error ? error->message : "");
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gint i = 0; i < N; i++)
    fail_unless_equals_int (((gint *) map.data)[i], value + i);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
  clReleaseKernel (kernel);
}

/* Counts the log messages of the category mgpuprogram in *@data. */
static void
count_messages (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (g_str_equal (gst_debug_category_get_name (category), "mgpuprogram"))
    (*(guint *) data)++;
}

/* Tests that the first program of a process is logged: logging without an initialized category is a
 * critical warning, which ends the test. */
GST_START_TEST (test_first_is_logged)
{
  guint n_messages = 0;
  GError *error = NULL;
  g_autoptr (GstMgpuProgram) program = NULL;

  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("mgpuprogram", GST_LEVEL_INFO);
  gst_debug_add_log_function (count_messages, &n_messages, NULL);
  program = gst_mgpu_program_new (context, "fill", SOURCE, NULL, &error);
  fail_unless (program != NULL, "%s", error ? error->message : "");
  gst_debug_remove_log_function_by_data (&n_messages);
  /* The two messages report that the program is being built, and how long this took. */
  fail_unless_equals_int (n_messages, 2);
}

GST_END_TEST;

GST_START_TEST (test_shared_in_context)
{
  g_autoptr (GstMgpuProgram) a = make_program (NULL), b = make_program (NULL);
  g_autoptr (GstMgpuProgram) c = make_program ("-DVALUE=7");

  fail_unless (a == b);
  fail_unless (a != c);
  expect_values (a, 0);
  expect_values (c, 7);
}

GST_END_TEST;

/* Tests that elements keep the kernels of a program, not the program. */
GST_START_TEST (test_kept_by_context)
{
  for (guint i = 0; i < 3; i++)
    gst_object_unref (make_program ("-DVALUE=1"));
  fail_unless_equals_int (n_builds, 1);
}

GST_END_TEST;

/* Tests that a context keeps the 64 programs that were requested last. */
GST_START_TEST (test_oldest_goes)
{
  for (gint i = 0; i <= 64; i++) {
    g_autofree gchar *options = g_strdup_printf ("-DFAKE=%d", i);

    gst_object_unref (make_program (options));
    gst_object_unref (make_program ("-DFAKE=0"));
  }
  fail_unless_equals_int (n_builds, 65);
  gst_object_unref (make_program ("-DFAKE=2"));
  fail_unless_equals_int (n_builds, 65);
  gst_object_unref (make_program ("-DFAKE=1"));
  fail_unless_equals_int (n_builds, 66);
}

GST_END_TEST;

/* Tests that a program and its kernels may outlive the context. */
GST_START_TEST (test_outlives_context)
{
  g_autoptr (GstMgpuProgram) program = make_program ("-DVALUE=4");
  g_autoptr (GError) error = NULL;
  cl_kernel kernel;

  renew_context ();
  kernel = gst_mgpu_program_create_kernel (program, "fill", &error);
  fail_unless (kernel != NULL, "%s", error ? error->message : "");
  clReleaseKernel (kernel);
  fail_unless (gst_mgpu_program_create_kernel (program, "no", &error) == NULL);
  fail_unless (strstr (error->message,
          gst_mgpu_context_get_device_name (context)) != NULL);
}

GST_END_TEST;

GST_START_TEST (test_cached)
{
  GstMgpuProgram *program = make_program ("-DVALUE=3");

  gst_object_unref (program);
  fail_unless_equals_int (each_file (cache, NULL), 1);
  renew_context ();
  program = make_program ("-DVALUE=3");
  expect_values (program, 3);
  gst_object_unref (program);
  fail_unless_equals_int (each_file (cache, NULL), 1);
}

GST_END_TEST;

static gboolean
note_building (GstMgpuContext * object, const gchar * program, guint built,
    guint total, GString * notes)
{
  g_string_append_printf (notes, "%s %u/%u;", program, built, total);
  return TRUE;
}

/* Makes a program in a new context, and expects @notes emissions of the signal "building". */
static void
expect_building (const gchar * options, const gchar * expected)
{
  g_autoptr (GString) notes = g_string_new (NULL);

  renew_context ();
  g_signal_connect (context, "building", G_CALLBACK (note_building), notes);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstMgpuProgram) program = make_program (options);

    expect_values (program, 7);
  }
  fail_unless_equals_string (notes->str, expected);
}

/* Tests that the signal is emitted when the cache does not have the program, with caches of
 * binaries and with caches of marker files. */
GST_START_TEST (test_building)
{
  expect_building ("-DVALUE=7", "test 0/1;test 1/1;");
  expect_building ("-DVALUE=7", "");
  g_unsetenv ("GST_MGPU_BINARIES");
  expect_building ("-DVALUE=7", "");
  expect_building ("-DVALUE=7 -DOTHER", "test 0/1;test 1/1;");
  fail_unless_equals_int (each_file (cache, NULL), 2);
  expect_building ("-DVALUE=7 -DOTHER", "");
  /* The binary replaces a marker file. */
  g_setenv ("GST_MGPU_BINARIES", "1", TRUE);
  expect_building ("-DVALUE=7 -DOTHER", "");
  fail_unless_equals_int (each_file (cache, NULL), 2);
}

GST_END_TEST;

static void
write_garbage (const gchar * path)
{
  fail_unless (g_file_set_contents (path, "garbage", -1, NULL));
}

static void
write_nothing (const gchar * path)
{
  fail_unless (g_file_set_contents (path, "", -1, NULL));
}

/* Changes the last byte, not the header, so that only the checksum reveals the change. */
static void
flip_last_byte (const gchar * path)
{
  g_autofree gchar *contents = NULL;
  gsize size;

  fail_unless (g_file_get_contents (path, &contents, &size, NULL));
  contents[size - 1] ^= 0x55;
  fail_unless (g_file_set_contents (path, contents, size, NULL));
}

static void
cut_in_half (const gchar * path)
{
  g_autofree gchar *contents = NULL;
  gsize size;

  fail_unless (g_file_get_contents (path, &contents, &size, NULL));
  fail_unless (g_file_set_contents (path, contents, size / 2, NULL));
}

/* Writes a valid cache file whose binary is invalid, so that the driver has to refuse it. */
static void
write_false_binary (const gchar * path)
{
  const gchar *binary = "this is no program";
  g_autofree gchar *sum =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, binary, -1);
  g_autofree gchar *contents =
      g_strconcat ("gst-mgpu binary 1\n", sum, binary, NULL);

  fail_unless (g_file_set_contents (path, contents, -1, NULL));
}

GST_START_TEST (test_damaged_cache)
{
  void (*damages[]) (const gchar *) = {
    write_garbage, write_nothing, flip_last_byte, cut_in_half,
    write_false_binary
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    gst_object_unref (make_program ("-DVALUE=5"));
    fail_unless_equals_int (each_file (cache, damages[i]), 1);
    for (guint j = 0; j < 2; j++) {
      g_autoptr (GstMgpuProgram) program = NULL;

      renew_context ();
      program = make_program ("-DVALUE=5");
      expect_values (program, 5);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_unwritable_cache)
{
  g_autoptr (GstMgpuProgram) program = NULL;
  g_autofree gchar *file = g_build_filename (cache, "file", NULL);

  /* Uses a path below a file, where no folder can be created, not even by root. */
  write_garbage (file);
  g_setenv ("GST_MGPU_CACHE_DIR", file, TRUE);
  program = make_program ("-DVALUE=6");
  expect_values (program, 6);
  gst_object_unref (program);
  g_setenv ("GST_MGPU_CACHE_DIR", "/proc/nonexistent/cache", TRUE);
  program = make_program ("-DVALUE=8");
  expect_values (program, 8);
}

GST_END_TEST;

/* Tests that an empty name of the cache folder disables the cache: nothing is written to the
 * working folder. */
GST_START_TEST (test_nameless_cache)
{
  g_autofree gchar *folder = g_build_filename (cache, "gst-mgpu", NULL);
  g_autofree gchar *before = g_get_current_dir ();
  g_autofree gchar *here = g_build_filename (cache, "here", NULL);

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("GST_MGPU_CACHE_DIR", "", TRUE);
  fail_unless_equals_int (g_mkdir (here, 0700), 0);
  fail_unless_equals_int (g_chdir (here), 0);
  gst_object_unref (make_program ("-DVALUE=9"));
  fail_unless_equals_int (g_chdir (before), 0);
  fail_unless_equals_int (each_file (here, NULL), 0);
  /* GLib may have cached the user's folder before. */
  if (g_str_equal (g_get_user_cache_dir (), cache))
    fail_unless_equals_int (each_file (folder, remove_file), 1);
  g_rmdir (here);
  g_rmdir (folder);
}

GST_END_TEST;

GST_START_TEST (test_build_failure)
{
  GError *error = NULL;

  fail_unless (gst_mgpu_program_new (context, "broken",
          "__kernel void f (void) { surely_unknown = 1; }", "-DFOO=1",
          &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD));
  fail_unless (strstr (error->message, "\"broken\"") != NULL);
  fail_unless (strstr (error->message, "surely_unknown") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "-DFOO=1") != NULL);
  /* The error is caused by the application. */
  fail_unless (strstr (error->message, "correct their source") != NULL);
  fail_unless (strstr (error->message, "driver or") == NULL);
  fail_unless (strstr (error->message,
          gst_mgpu_context_get_device_name (context)) != NULL);
  g_error_free (error);
  fail_unless_equals_int (each_file (cache, NULL), 0);
}

GST_END_TEST;

/* Replaces the log of the compiler, unless @log is NULL. */
static const gchar *build_log;

__attribute__((visibility ("default")))
    cl_int
clGetProgramBuildInfo (cl_program program, cl_device_id device,
    cl_program_build_info what, size_t size, void *value, size_t *size_ret)
{
  if (build_log == NULL || what != CL_PROGRAM_BUILD_LOG)
    return REAL (clGetProgramBuildInfo) (program, device, what, size, value,
        size_ret);
  if (value != NULL)
    memcpy (value, build_log, MIN (size, strlen (build_log) + 1));
  if (size_ret != NULL)
    *size_ret = strlen (build_log) + 1;
  return CL_SUCCESS;
}

/* Appends the warnings of the log category mgpuprogram to @data, a GString. */
static void
keep_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_WARNING
      && g_str_equal (gst_debug_category_get_name (category), "mgpuprogram"))
    g_string_append (data, gst_debug_message_get (message));
}

/* Tests that the compiler's warnings about an application's source are logged, unless the
 * application disables them. */
GST_START_TEST (test_warnings)
{
  static const gchar source[] = "#warning surely_seen\n" SOURCE;
  g_autoptr (GString) warnings = g_string_new (NULL);

  gst_debug_set_threshold_for_name ("mgpuprogram", GST_LEVEL_WARNING);
  gst_debug_add_log_function (keep_warnings, warnings, NULL);
  gst_object_unref (gst_mgpu_program_new (context, "quiet", source,
          "-w", NULL));
  fail_unless_equals_string (warnings->str, "");
  gst_object_unref (gst_mgpu_program_new (context, "loud", source, NULL, NULL));
  gst_debug_remove_log_function_by_data (warnings);
  fail_unless (strstr (warnings->str, "\"loud\"") != NULL);
  fail_unless (strstr (warnings->str, "surely_seen") != NULL, "%s",
      warnings->str);
}

GST_END_TEST;

GST_START_TEST (test_missing_kernel)
{
  g_autoptr (GstMgpuProgram) program = make_program (NULL);
  g_autoptr (GError) error = NULL;

  fail_unless (gst_mgpu_program_create_kernel (program, "absent",
          &error) == NULL);
  fail_unless (strstr (error->message, "absent") != NULL);
  fail_unless (strstr (error->message, "CL_INVALID_KERNEL_NAME") != NULL);
}

GST_END_TEST;

static gpointer
build_in_thread (gpointer data)
{
  return make_program ("-DVALUE=9");
}

GST_START_TEST (test_threads)
{
  GThread *threads[8];
  GstMgpuProgram *programs[8];

  for (guint i = 0; i < 8; i++)
    threads[i] = g_thread_new ("build", build_in_thread, NULL);
  for (guint i = 0; i < 8; i++)
    programs[i] = g_thread_join (threads[i]);
  for (guint i = 0; i < 8; i++) {
    fail_unless (programs[i] == programs[0]);
    expect_values (programs[i], 9);
  }
  for (guint i = 0; i < 8; i++)
    gst_object_unref (programs[i]);
}

GST_END_TEST;

/* Tests that the messages that NVIDIA's compiler prints for every kernel are not logged as
 * warnings. */
GST_START_TEST (test_noise)
{
#define NOISE "(): Warning: Function fill is a kernel, so overriding noinline " \
    "attribute. The function may be inlined when called.\n"
  static const gchar *const logs[][2] = {
    {"\n" NOISE, ""},
    {NOISE "a\n\n" NOISE NOISE "b\n" NOISE,
        "compiler log of the kernels \"noise\":\na\n\nb"}
  };
  g_autoptr (GString) warnings = g_string_new (NULL);

  gst_debug_set_threshold_for_name ("mgpuprogram", GST_LEVEL_WARNING);
  gst_debug_add_log_function (keep_warnings, warnings, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (logs); i++) {
    g_autofree gchar *options = g_strdup_printf ("-DNOISE=%u", i);

    build_log = logs[i][0];
    gst_object_unref (gst_mgpu_program_new (context, "noise", SOURCE, options,
            NULL));
    fail_unless_equals_string (warnings->str, logs[i][1]);
  }
  gst_debug_remove_log_function_by_data (warnings);
}

GST_END_TEST;

CHECK_TESTS (mgpuprogram)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_first_is_logged);
  tcase_add_test (tc, test_shared_in_context);
  tcase_add_test (tc, test_kept_by_context);
  tcase_add_test (tc, test_oldest_goes);
  tcase_add_test (tc, test_outlives_context);
  tcase_add_test (tc, test_cached);
  tcase_add_test (tc, test_building);
  tcase_add_test (tc, test_damaged_cache);
  tcase_add_test (tc, test_unwritable_cache);
  tcase_add_test (tc, test_nameless_cache);
  tcase_add_test (tc, test_build_failure);
  tcase_add_test (tc, test_warnings);
  tcase_add_test (tc, test_noise);
  tcase_add_test (tc, test_missing_kernel);
  tcase_add_test (tc, test_threads);
}

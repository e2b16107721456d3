/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the program kernelcheck: options, devices, the loop over functions, and digests. */
#include "private.h"
#include <string.h>
#include <tests/kernelcheck/here.h>

/* meson.build defines the list of functions: F(bilateral) for a KcFunction object, CASES(invert)
 * for an algorithm that has only cases. */
#define F(name) extern const KcFunction kc_##name;
#define CASES(name)
KC_FUNCTIONS
#undef F
#undef CASES
#define F(name) &kc_##name,
#define CASES(name) &(const KcFunction) { #name },
static const KcFunction *const functions[] = { KC_FUNCTIONS };

#define EXIT_SKIPPED 77

static const gchar *const class_names[] = { "cpu", "discrete", "mobile" };

static gchar **opt_devices, *opt_function, *opt_class, *opt_json, *opt_only;
static gchar *opt_digests, *opt_launches;
static gint64 opt_seed = -1;
static gint opt_draw;
static gboolean opt_quick, opt_bench, opt_peers, opt_tune, opt_verbose,
    opt_processor;
static gboolean opt_kernels;

static const GOptionEntry options[] = {
  {"device", 'd', 0, G_OPTION_ARG_STRING_ARRAY, &opt_devices,
      "Device as platform:type:name-or-index; more than one may be given "
        "(default: all)", "DEVICE"},
  {"function", 'f', 0, G_OPTION_ARG_STRING, &opt_function,
      "One function (default: all)", "NAME"},
  {"class", 'c', 0, G_OPTION_ARG_STRING, &opt_class,
        "Knobs of one device class: cpu, discrete, mobile or all "
        "(default: the device's own; on a CPU the others quickly too)",
      "CLASS"},
  {"seed", 's', 0, G_OPTION_ARG_INT64, &opt_seed,
      "Seed of the random cases (default: from the clock)", "N"},
  {"quick", 'q', 0, G_OPTION_ARG_NONE, &opt_quick,
      "Few and small cases, for emulators", NULL},
  {"bench", 'b', 0, G_OPTION_ARG_NONE, &opt_bench,
      "Then measure", NULL},
  {"peers", 'p', 0, G_OPTION_ARG_NONE, &opt_peers,
      "Measure other libraries in the same loop", NULL},
  {"processor-time", 0, 0, G_OPTION_ARG_NONE, &opt_processor,
      "Measure the time that all processors spend together, instead of that of the "
        "clock: other programs change it less", NULL},
  {"kernels", 'k', 0, G_OPTION_ARG_NONE, &opt_kernels,
      "List the time of each kernel behind each measurement", NULL},
  {"tune", 't', 0, G_OPTION_ARG_NONE, &opt_tune,
      "Search for faster knobs, and keep them for this device; with --quick for 15 "
        "minutes at most", NULL},
  {"draw", 0, 0, G_OPTION_ARG_INT, &opt_draw,
      "Then check N combinations of knobs, drawn by the seed", "N"},
  {"only", 'o', 0, G_OPTION_ARG_STRING, &opt_only,
      "Measure only what has TEXT in its name", "TEXT"},
  {"digests", 0, 0, G_OPTION_ARG_FILENAME, &opt_digests,
      "Compare the digests of quick sets with FILE, which has one on each line, "
        "behind the function", "FILE"},
  {"launches", 'l', 0, G_OPTION_ARG_FILENAME, &opt_launches,
      "Compare nothing but the numbers of launches of kernels with the table in FILE, for "
        "the class cpu or discrete", "FILE"},
  {"verbose", 'v', 0, G_OPTION_ARG_NONE, &opt_verbose,
        "Print every case before it runs: the last one is where a driver crashed",
      NULL},
  {"json", 'j', 0, G_OPTION_ARG_FILENAME, &opt_json,
      "Write the results to FILE", "FILE"},
  {NULL}
};

typedef struct
{
  guint n_passed, n_failed;
  GHashTable *digests;          /* digests of the first device, by function and set */
  gchar *kept;                  /* content of the file of digests; or NULL */
  gchar *page;                  /* content of the file with the table of launches; or NULL */
  JsonBuilder *json;            /* or NULL */
} Totals;

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

/* Checks that the results of a function are the same bytes on each device. */
static void
compare_digests (KcRun * run, Totals * totals, const gchar * digest)
{
  g_autofree gchar *key =
      g_strdup_printf ("%s %d", run->priv->function, run->quick);
  const gchar *first = g_hash_table_lookup (totals->digests, key);

  if (first == NULL) {
    g_hash_table_insert (totals->digests, g_strdup (key), g_strdup (digest));
  } else if (!g_str_equal (first, digest)) {
    kc_case_begin (run, KC_RANDOM, "digest");
    kc_case_fail (run, "the digest is %s, on the first device it was %s",
        digest, first);
    kc_case_end (run);
  }
}

/* Compares the digest of a quick set with the stored one, which does not depend on the present
 * reference. A function has two digests if a case uses a library that may be missing. */
static void
compare_kept (KcRun * run, Totals * totals, const gchar * digest)
{
  g_autofree gchar *line =
      g_strdup_printf ("%s %.16s\n", run->priv->function, digest);

  if (strstr (totals->kept, line) == NULL) {
    kc_case_begin (run, KC_RANDOM, "kept digest");
    kc_case_fail (run, "%s has no line \"%s\": results or cases "
        "differ from those that it was kept for", opt_digests,
        g_strchomp (line));
    kc_case_end (run);
  }
}

/* Compares the numbers of launches of a function with each row of the table that is about it. */
static void
run_launches (KcRun * run, const KcFunction * function, Totals * totals)
{
  KcRunPrivate *priv = run->priv;
  guint n_rows;

  priv->function = function->name;
  priv->n_cases = priv->n_failed = priv->n_counted = 0;
  n_rows = kc_count_rows (run);
  if (n_rows == 0)
    return;
  kc_bench_function (run, function);
  if (priv->n_counted != n_rows) {
    kc_case_begin (run, KC_RANDOM, "table of launches");
    kc_case_fail (run, "the table has %u rows, and %u of these cases exist",
        n_rows, priv->n_counted);
    kc_case_end (run);
  }
  g_print ("%s %s, class %s: launches in %u cases\n", priv->n_failed == 0
      ? "ok" : "FAILED", function->name, priv->class_name, priv->n_counted);
  if (priv->n_failed > 0)
    totals->n_failed++;
  else
    totals->n_passed++;
}

static void
run_function (KcRun * run, const KcFunction * function, Totals * totals)
{
  KcRunPrivate *priv = run->priv;
  gint64 begin = g_get_monotonic_time ();
  const gchar *digest;
  gboolean failed;

  priv->function = function->name;
  priv->digest = g_checksum_new (G_CHECKSUM_SHA256);
  priv->n_cases = priv->n_failed = 0;

  kc_check_function (run, function);
  digest = g_checksum_get_string (priv->digest);
  if (priv->n_failed == 0)
    compare_digests (run, totals, digest);
  if (priv->n_failed == 0 && run->quick && totals->kept != NULL)
    compare_kept (run, totals, digest);
  if (priv->n_cases == 0) {
    kc_case_begin (run, KC_RANDOM, "no case at all");
    kc_case_fail (run, "nothing was compared");
    kc_case_end (run);
  }

  g_print ("%s %s, class %s: %u cases, %u failed, %.1f s, digest %.16s%s\n",
      priv->n_failed == 0 ? "ok" : "FAILED", function->name, priv->class_name,
      priv->n_cases, priv->n_failed,
      (g_get_monotonic_time () - begin) / (gdouble) G_USEC_PER_SEC, digest,
      run->quick ? " (quick)" : "");

  if (totals->json != NULL) {
    json_builder_begin_object (totals->json);
    add_string (totals->json, "function", function->name);
    add_string (totals->json, "platform",
        gst_mgpu_context_get_platform_name (run->context));
    add_string (totals->json, "device",
        gst_mgpu_context_get_device_name (run->context));
    add_string (totals->json, "version",
        gst_mgpu_context_get_version (run->context));
    add_string (totals->json, "class", priv->class_name);
    add_string (totals->json, "digest", digest);
    json_builder_set_member_name (totals->json, "quick");
    json_builder_add_boolean_value (totals->json, run->quick);
    json_builder_set_member_name (totals->json, "benches");
    json_builder_begin_array (totals->json);
  }
  if (opt_bench && priv->n_failed == 0 && totals->n_failed == 0)
    kc_bench_function (run, function);
  if (totals->json != NULL) {
    json_builder_end_array (totals->json);
    add_int (totals->json, "cases", priv->n_cases);
    add_int (totals->json, "failed", priv->n_failed);
    json_builder_end_object (totals->json);
  }

  failed = priv->n_failed > 0
      || (opt_draw > 0 && kc_tune_draw (run, function, opt_draw) > 0);
  if (failed)
    totals->n_failed++;
  else
    totals->n_passed++;
  g_clear_pointer (&priv->digest, g_checksum_free);
}

/* Checks a device with the tuning parameters of @device_class, in a separate context, because
 * the class determines which programs are built. */
static void
run_class (const gchar * device, GstMgpuDeviceClass device_class,
    gboolean quick, guint64 seed, Totals * totals)
{
  GError *error = NULL;
  KcRun *run = kc_run_new (device, device_class, &error);

  if (run == NULL) {
    g_print ("FAILED %s: %s\n", device, error->message);
    g_clear_error (&error);
    totals->n_failed++;
    return;
  }
  run->seed = seed;
  run->quick = quick;
  run->peers = opt_peers;
  run->processor_time = opt_processor;
  run->kernels = opt_kernels;
  run->only = opt_only;
  run->priv->class_name = class_names[device_class];
  run->priv->verbose = opt_verbose;
  run->priv->benches = totals->json;
  run->priv->page = totals->page;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    if (opt_function == NULL || g_str_equal (opt_function, functions[i]->name))
      (totals->page != NULL ? run_launches : run_function) (run, functions[i],
          totals);
  }
  kc_run_free (run);
}

/* Checks a device. Returns FALSE if it does not exist. */
static gboolean
run_device (const gchar * device, guint64 seed, Totals * totals)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (device, &error);
  GstMgpuDeviceClass own;

  if (context == NULL) {
    gboolean absent =
        g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE);

    g_print ("%s\n", error->message);
    g_clear_error (&error);
    if (!absent)
      totals->n_failed++;
    return !absent;
  }
  own = gst_mgpu_context_get_traits (context)->device_class;
  g_print ("\n%s: %s\n", gst_mgpu_context_get_platform_name (context),
      gst_mgpu_context_get_device_name (context));
  gst_object_unref (context);

  for (guint i = 0; i < G_N_ELEMENTS (class_names); i++) {
    gboolean wanted, quick = opt_quick;

    /* Device classes other than the device's own get the quick cases; devices of those classes get
     * all cases. */
    if (opt_class == NULL) {
      wanted = i == own || own == GST_MGPU_DEVICE_CLASS_CPU;
      quick |= i != own;
    } else {
      wanted = g_str_equal (opt_class, "all")
          || g_str_equal (opt_class, class_names[i]);
    }
    if (wanted)
      run_class (device, i, quick, seed, totals);
  }
  return TRUE;
}

/* Sets @text to the content of @file. If the file cannot be read, prints this, and returns
 * FALSE. */
static gboolean
read_file (const gchar * file, gchar ** text)
{
  g_autoptr (GError) error = NULL;

  if (file == NULL || g_file_get_contents (file, text, NULL, &error))
    return TRUE;
  g_printerr ("%s\n", error->message);
  return FALSE;
}

static gboolean
write_json (JsonBuilder * builder, const gchar * file)
{
  JsonGenerator *generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  GError *error = NULL;
  gboolean ok;

  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  ok = json_generator_to_file (generator, file, &error);
  if (!ok) {
    g_printerr ("%s: %s\n", file, error->message);
    g_clear_error (&error);
  }
  g_object_unref (generator);
  return ok;
}

/* Checks the options. Returns FALSE if an option has a value that does not exist. */
static gboolean
check_options (void)
{
  gboolean known = opt_function == NULL;

  for (guint i = 0; i < G_N_ELEMENTS (functions) && !known; i++)
    known = g_str_equal (opt_function, functions[i]->name);
  if (!known) {
    g_printerr ("no function %s; there are:", opt_function);
    for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
      g_printerr (" %s", functions[i]->name);
    g_printerr ("\n");
    return FALSE;
  }
  known = opt_class == NULL || g_str_equal (opt_class, "all");
  for (guint i = 0; i < G_N_ELEMENTS (class_names) && !known; i++)
    known = g_str_equal (opt_class, class_names[i]);
  if (!known)
    g_printerr ("no class %s; there are: cpu discrete mobile all\n", opt_class);
  if (opt_launches != NULL && g_strcmp0 (opt_class, "cpu") != 0
      && g_strcmp0 (opt_class, "discrete") != 0) {
    g_printerr ("--launches needs --class cpu or --class discrete\n");
    known = FALSE;
  }
  return known;
}

/* Tunes the requested functions on each requested device, or on the device that elements use. */
static int
tune (void)
{
  const KcFunction *list[G_N_ELEMENTS (functions) + 1];
  gboolean ok = TRUE;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (opt_function == NULL || g_str_equal (opt_function, functions[i]->name))
      list[n++] = functions[i];
  list[n] = NULL;
  if (opt_devices == NULL)
    return !kc_tune (NULL, list, opt_quick);
  for (guint i = 0; opt_devices[i] != NULL; i++)
    ok = kc_tune (opt_devices[i], list, opt_quick) && ok;
  return !ok;
}

static int
run_all (guint64 seed, Totals * totals)
{
  if (opt_devices != NULL) {
    for (guint i = 0; opt_devices[i] != NULL; i++) {
      if (!run_device (opt_devices[i], seed, totals))
        return EXIT_SKIPPED;
    }
  } else {
    gchar **devices = gst_mgpu_list_devices ();

    for (guint i = 0; devices[i] != NULL; i++)
      run_device (devices[i], seed, totals);
    if (devices[0] == NULL) {
      g_print ("no OpenCL device found: install a driver, for example "
          "pocl-opencl-icd\n");
      totals->n_failed++;
    }
    g_strfreev (devices);
  }
  g_print ("\n%u passed, %u failed\n", totals->n_passed, totals->n_failed);
  return totals->n_failed > 0;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  Totals totals = { 0, };
  guint64 seed;
  int status;

  g_option_context_set_summary (context,
      "Compares every algorithm with its scalar reference, byte for byte, on "
      "every OpenCL device.\nExit status: 0 all equal, 1 something differs or "
      "failed, 77 the requested device is absent.");
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    g_clear_error (&error);
    return 2;
  }
  g_option_context_free (context);
  if (!check_options ())
    return 2;
  if (opt_tune)
    return tune ();
  /* Uses the tuning parameters of the class, not those of the device's file. */
  if (opt_class != NULL)
    g_setenv ("GST_MGPU_KNOBS", "none", TRUE);

  if (!read_file (opt_digests, &totals.kept)
      || !read_file (opt_launches, &totals.page))
    return 2;
  seed = opt_seed >= 0 ? (guint64) opt_seed : (guint64) g_get_real_time ();
  g_print ("seed %" G_GUINT64_FORMAT "\n", seed);

  totals.digests =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (opt_json != NULL) {
    totals.json = json_builder_new ();
    json_builder_begin_object (totals.json);
    add_int (totals.json, "seed", (gint64) seed);
    json_builder_set_member_name (totals.json, "results");
    json_builder_begin_array (totals.json);
  }
  status = run_all (seed, &totals);
  if (totals.json != NULL) {
    if (!write_json (totals.json, opt_json))
      status = 1;
    g_object_unref (totals.json);
  }
  g_hash_table_unref (totals.digests);
  g_free (totals.kept);
  g_free (totals.page);
  g_free (opt_digests);
  g_free (opt_launches);
  g_strfreev (opt_devices);
  g_free (opt_function);
  g_free (opt_class);
  g_free (opt_json);
  g_free (opt_only);
  return status;
}

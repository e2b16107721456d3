/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the times of kernels and of their peers (functions of other libraries) alternately, and
 * prints medians and ratios. */
#include "private.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ROUNDS 301

/* Rounds of a benchmark; contestants that take seconds run fewer rounds. */
static const KcRounds bench_rounds = { 5, 31, G_USEC_PER_SEC, 5, 10 * G_USEC_PER_SEC };

/* Rounds of one measurement of the tuner, which makes several: the minimum number, and the time in
 * microseconds for which they continue. */
#define TUNE_ROUNDS 3
#define TUNE_ENOUGH (G_USEC_PER_SEC / 20)

/* Number of calls over which the times of kernels are averaged */
#define KERNEL_ROUNDS 20

static gint
by_value (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

gdouble
kc_median (gdouble * values, guint n)
{
  qsort (values, n, sizeof (values[0]), by_value);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void
add_member (JsonBuilder * builder, const gchar * name, gdouble value)
{
  if (value < 0)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

/* Returns: the processor time of this process in milliseconds, summed over all processors */
static gdouble
get_processor_time (void)
{
  struct timespec time = { 0 };

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void
write_json (KcRun * run, const gchar * what, const KcContestant * contestants,
    guint n, const KcTiming * timings)
{
  JsonBuilder *b = run->priv->benches;
  gboolean processor = run->processor_time;

  if (b == NULL)
    return;
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "what");
  json_builder_add_string_value (b, what);
  json_builder_set_member_name (b, "rounds");
  json_builder_add_int_value (b, timings[0].rounds);
  json_builder_set_member_name (b, "contestants");
  json_builder_begin_array (b);
  for (guint i = 0; i < n; i++) {
    json_builder_begin_object (b);
    json_builder_set_member_name (b, "name");
    json_builder_add_string_value (b, contestants[i].name);
    add_member (b, processor ? "processor-ms" : "wall-ms", timings[i].wall);
    add_member (b, "device-ms", timings[i].device);
    if (i > 0) {
      add_member (b, processor ? "processor-ratio" : "wall-ratio",
          timings[i].wall / timings[0].wall);
      if (timings[i].device >= 0 && timings[0].device > 0)
        add_member (b, "device-ratio", timings[i].device / timings[0].device);
    }
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
}

/* Returns: (transfer full): the cells of @line if it is a row about the function of @run in the
 * page's table of launches: "", function, case, launches of class cpu, launches of class discrete,
 * "". NULL for other lines */
static gchar **
read_row (KcRun * run, const gchar * line)
{
  gchar **cells = g_strsplit (line, "|", -1);

  for (guint i = 0; cells[i] != NULL; i++)
    g_strstrip (cells[i]);
  if (g_strv_length (cells) != 6 || !g_str_equal (cells[1], run->priv->function))
    g_clear_pointer (&cells, g_strfreev);
  return cells;
}

/* Returns: the number of launches of the case @what in the page's table; -1 if the table has no
 * such case */
static gint
find_launches (KcRun * run, const gchar * what)
{
  g_auto (GStrv) lines = g_strsplit (run->priv->page, "\n", -1);
  gint found = -1;

  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) cells = read_row (run, lines[i]);

    if (cells != NULL && g_str_equal (cells[2], what))
      found = atoi (cells[g_str_equal (run->priv->class_name, "cpu") ? 3 : 4]);
  }
  return found;
}

guint
kc_count_rows (KcRun * run)
{
  g_auto (GStrv) lines = g_strsplit (run->priv->page, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) cells = read_row (run, lines[i]);

    n += cells != NULL;
  }
  return n;
}

gboolean
kc_bench_wants (KcRun * run, const gchar * what)
{
  const KcTimes *times = run->priv->times;

  if (run->priv->page != NULL)
    return find_launches (run, what) >= 0;
  if (times != NULL && times->wanted != NULL)
    return !times->is_hopeless && g_ptr_array_find_with_equal_func (times->wanted, what, g_str_equal,
        NULL);
  return run->only == NULL || strstr (what, run->only) != NULL;
}

/* Adds the bytes that this project's kernels wrote to the digest. */
static void
add_bytes (KcRun * run, const KcContestant * ours)
{
  for (guint i = 0; i < G_N_ELEMENTS (ours->out); i++) {
    gsize size = ours->out[i] != NULL ? ((GstMemory *) ours->out[i])->size : 0;
    guchar *bytes = g_malloc (size);

    if (size > 0 && kc_memory_read (run, ours->out[i], bytes))
      g_checksum_update (run->priv->digest, bytes, size);
    g_free (bytes);
  }
}

/* Measures this project's kernels alone, for the tuner. */
static void
time_for_tuner (KcRun * run, const gchar * what, const KcContestant * ours)
{
  KcTimes *times = run->priv->times;
  gdouble values[MAX_ROUNDS], median;
  gdouble least = G_MAXDOUBLE, limit = G_MAXDOUBLE;
  gint64 begin;
  guint n = 0;

  if (times->base != NULL && times->times->len < times->base->len)
    limit = 2 * g_array_index (times->base, gdouble, times->times->len);

  ours->run (ours->data);
  begin = g_get_monotonic_time ();
  while (n < MAX_ROUNDS && !run->priv->case_failed && (n < TUNE_ROUNDS
          || g_get_monotonic_time () - begin < TUNE_ENOUGH)) {
    gint64 t = g_get_monotonic_time ();

    ours->run (ours->data);
    values[n++] = (g_get_monotonic_time () - t) / 1e3;
    least = MIN (least, values[n - 1]);
    times->is_hopeless = n == TUNE_ROUNDS && least > limit;
    if (times->is_hopeless)
      return;
  }
  if (run->priv->case_failed)
    return;
  add_bytes (run, ours);
  median = kc_median (values, n);
  g_ptr_array_add (times->names, g_strdup (what));
  g_array_append_val (times->times, median);
}

/* Copies the built-in contestants to @list, and those of Python after them. Returns their
 * number. */
static guint
choose_contestants (KcRun * run, const KcContestant * contestants, guint n,
    KcContestant list[KC_MAX_CONTESTANTS])
{
  guint chosen = 0;
  KcPython *python = NULL;

  for (guint i = 0; i < n; i++) {
    if (contestants[i].run != NULL)
      list[chosen++] = contestants[i];
    if (python == NULL)
      python = contestants[i].python;
  }
  if (run->peers && python != NULL && kc_python_prepare (python))
    list[chosen++] =
        (KcContestant) { python->name, kc_python_run, NULL, python };
  return chosen;
}

/* Runs a contestant once. The contestant in Python measures its own time. On a device with
 * dedicated memory, a second run times each kernel, and *@device_wall is the wall-clock time of
 * this run. */
static void
time_once (KcRun * run, const KcContestant * contestant, gdouble * wall, gdouble * device, gdouble * device_wall)
{
  gboolean unified = gst_mgpu_context_get_traits (run->context)->unified_memory;
  gdouble used = get_processor_time ();
  gint64 t = g_get_monotonic_time ();

  if (contestant->run != kc_python_run) {
    *device = contestant->run (contestant->data);
    *wall = (g_get_monotonic_time () - t) / 1e3;
    if (run->processor_time)
      *wall = get_processor_time () - used;
  } else {
    *wall = kc_python_time (&used);
    *device = -1;
    if (run->processor_time)
      *wall = used;
    if (*wall < 0)
      kc_case_fail (run, "the process of Python is gone");
  }
  *device_wall = *wall;
  /* On a device with dedicated memory, measures the kernels alone, without the gaps between them,
   * in a separate run, because that takes the host longer. */
  if (*device >= 0 && !unified) {
    gst_mgpu_stats_set_profile (run->stats, TRUE);
    t = g_get_monotonic_time ();
    *device = contestant->run (contestant->data);
    *device_wall = (g_get_monotonic_time () - t) / 1e3;
    gst_mgpu_stats_set_profile (run->stats, FALSE);
  }
}

gboolean
kc_time (KcRun * run, const KcContestant * contestants, guint n,
    const KcRounds * limits, KcTiming * timings)
{
  static gdouble wall_times[KC_MAX_CONTESTANTS][MAX_ROUNDS];
  static gdouble device_times[KC_MAX_CONTESTANTS][MAX_ROUNDS];
  static gdouble device_walls[KC_MAX_CONTESTANTS][MAX_ROUNDS];
  gint64 begin = g_get_monotonic_time ();
  guint rounds = 0;

  g_return_val_if_fail (n <= KC_MAX_CONTESTANTS, FALSE);
  for (guint warm = 0; rounds < MAX_ROUNDS; warm++) {
    gint64 passed;

    for (guint i = 0; i < n; i++)
      if (contestants[i].run != NULL)
        time_once (run, &contestants[i], &wall_times[i][rounds], &device_times[i][rounds],
            &device_walls[i][rounds]);
    passed = g_get_monotonic_time () - begin;
    if (warm < limits->warm && passed < limits->most / 2) {
      if (warm == limits->warm - 1)
        begin = g_get_monotonic_time ();
      continue;
    }
    rounds++;
    if ((rounds >= limits->min && passed > limits->enough)
        || (rounds >= limits->few && passed > limits->most))
      break;
  }
  for (guint i = 0; i < n; i++) {
    if (contestants[i].run != NULL) {
      timings[i].wall = kc_median (wall_times[i], rounds);
      timings[i].device = kc_median (device_times[i], rounds);
      timings[i].device_wall = kc_median (device_walls[i], rounds);
    }
    timings[i].rounds = rounds;
  }
  return !run->priv->case_failed;
}

static gint
by_device_time (gconstpointer a, gconstpointer b)
{
  guint64 x, y;

  gst_structure_get_uint64 (*(GstStructure * const *) a, "device-time", &x);
  gst_structure_get_uint64 (*(GstStructure * const *) b, "device-time", &y);
  return (x < y) - (x > y);
}

/* Calls this project's kernels @rounds times. Returns: (transfer full): a structure for each
 * kernel, with the number of its launches and its time on the device */
static GPtrArray *
measure_kernels (KcRun * run, const KcContestant * ours, guint rounds)
{
  GPtrArray *list =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  g_autoptr (GstStructure) stats = NULL, kernels = NULL;

  gst_mgpu_stats_wait (run->stats);
  gst_mgpu_stats_reset (run->stats);
  gst_mgpu_stats_set_profile (run->stats, TRUE);
  for (guint i = 0; i < rounds; i++)
    ours->run (ours->data);
  gst_mgpu_stats_set_profile (run->stats, FALSE);
  gst_mgpu_stats_wait (run->stats);
  stats = gst_mgpu_stats_to_structure (run->stats);
  if (!gst_structure_get (stats, "kernels", GST_TYPE_STRUCTURE, &kernels, NULL))
    kernels = gst_structure_new_empty ("kernels");
  for (gint i = 0; i < gst_structure_n_fields (kernels); i++) {
    const gchar *name = gst_structure_nth_field_name (kernels, i);
    GstStructure *kernel;

    gst_structure_get (kernels, name, GST_TYPE_STRUCTURE, &kernel, NULL);
    gst_structure_set_name (kernel, name);
    g_ptr_array_add (list, kernel);
  }
  return list;
}

static guint64
get_launches (const GstStructure * kernel)
{
  guint64 launches = 0;

  gst_structure_get_uint64 (kernel, "launches", &launches);
  return launches;
}

/* Prints the time of each of this project's kernels per call, averaged over some calls, the longest
 * first. */
static void
list_kernels (KcRun * run, const KcContestant * ours)
{
  g_autoptr (GPtrArray) list = measure_kernels (run, ours, KERNEL_ROUNDS);

  g_ptr_array_sort (list, by_device_time);
  for (guint i = 0; i < list->len; i++) {
    guint64 time;

    gst_structure_get_uint64 (list->pdata[i], "device-time", &time);
    g_print ("    %-38s %6.1f launches, %9.4f ms\n", gst_structure_get_name (list->pdata[i]),
        (gdouble) get_launches (list->pdata[i]) / KERNEL_ROUNDS, time / 1e6 / KERNEL_ROUNDS);
  }
}

/* Compares the number of launches of a call with the number in the page. */
static void
compare_launches (KcRun * run, const gchar * what, const KcContestant * ours)
{
  g_autoptr (GPtrArray) list = NULL;
  gint want = find_launches (run, what), got = 0;

  /* Makes a first call, which also fills scratch memory, before launches are counted. */
  ours->run (ours->data);
  list = measure_kernels (run, ours, 1);
  for (guint i = 0; i < list->len; i++)
    got += get_launches (list->pdata[i]);
  g_print ("  %-40s %d launches\n", what, got);
  if (got != want)
    kc_case_fail (run, "%s: %d launches, the page has %d: a frame should take at most "
        "as many as before; if it takes fewer, change the page", what, got, want);
  run->priv->n_counted++;
}

void
kc_bench (KcRun * run, const gchar * what, const KcContestant * all, guint n)
{
  KcContestant contestants[KC_MAX_CONTESTANTS] = { {0} };
  KcTiming timings[KC_MAX_CONTESTANTS];

  g_return_if_fail (n < KC_MAX_CONTESTANTS);
  if (!kc_bench_wants (run, what))
    return;
  if (run->priv->page != NULL) {
    compare_launches (run, what, &all[0]);
    return;
  }
  if (run->priv->times != NULL) {
    time_for_tuner (run, what, &all[0]);
    return;
  }
  n = choose_contestants (run, all, n, contestants);
  if (!kc_time (run, contestants, n, &bench_rounds, timings))
    return;

  for (guint i = 0; i < n; i++) {
    const KcTiming *t = &timings[i];

    g_print ("  %-40s %-8s %9.4f ms%s", what, contestants[i].name, t->wall,
        run->processor_time ? " of processors" : "");
    if (t->device >= 0)
      g_print (", on the device %9.4f ms", t->device);
    if (i > 0)
      g_print (", ratio %.2f", t->wall / timings[0].wall);
    if (i > 0 && t->device >= 0 && timings[0].device > 0)
      g_print (", on the device %.2f", t->device / timings[0].device);
    g_print ("\n");
  }
  if (run->kernels)
    list_kernels (run, &contestants[0]);
  write_json (run, what, contestants, n, timings);
}

void
kc_bench_sizes (KcRun * run, void (*bench) (KcRun * run, gint width,
        gint height))
{
  static const gint sizes[][2] = {
    {512, 512}, {1280, 720}, {1920, 1080}, {3840, 2160}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) && kc_goes_on (run); i++)
    bench (run, sizes[i][0], sizes[i][1]);
}

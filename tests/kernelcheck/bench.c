/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"
#include <stdlib.h>
#include <string.h>

#define MAX_CONTESTANTS 8
#define WARM_ROUNDS 5
#define MIN_ROUNDS 31
#define MAX_ROUNDS 301

/* Rounds beyond the fewest are for as long as this, in microseconds. */
#define ENOUGH (G_USEC_PER_SEC)

/* Contestants that take seconds are spared: as few rounds when those took as
 * long. */
#define FEW_ROUNDS 5
#define LONG (10 * G_USEC_PER_SEC)

/* Rounds of one measurement of the tuner, which makes several: the fewest, and the time in
 * microseconds that they go on for. */
#define TUNE_ROUNDS 3
#define TUNE_ENOUGH (G_USEC_PER_SEC / 20)

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

static void
write_json (KcRun * run, const gchar * what, const KcContestant * contestants,
    guint n, const gdouble * wall, const gdouble * device, guint rounds)
{
  JsonBuilder *b = run->priv->benches;

  if (b == NULL)
    return;
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "what");
  json_builder_add_string_value (b, what);
  json_builder_set_member_name (b, "rounds");
  json_builder_add_int_value (b, rounds);
  json_builder_set_member_name (b, "contestants");
  json_builder_begin_array (b);
  for (guint i = 0; i < n; i++) {
    json_builder_begin_object (b);
    json_builder_set_member_name (b, "name");
    json_builder_add_string_value (b, contestants[i].name);
    add_member (b, "wall-ms", wall[i]);
    add_member (b, "device-ms", device[i]);
    if (i > 0) {
      add_member (b, "wall-ratio", wall[i] / wall[0]);
      if (device[i] >= 0 && device[0] > 0)
        add_member (b, "device-ratio", device[i] / device[0]);
    }
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
}

gboolean
kc_bench_wants (KcRun * run, const gchar * what)
{
  const KcTimes *times = run->priv->times;

  if (times != NULL && times->wanted != NULL)
    return !times->is_hopeless && g_ptr_array_find_with_equal_func (times->wanted, what, g_str_equal,
        NULL);
  return run->only == NULL || strstr (what, run->only) != NULL;
}

/* Adds the bytes that ours wrote to the digest. */
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

/* Measures ours alone, for the tuner. */
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

/* Copies contestants that are built in to list, and those of Python behind them. Returns
 * their number. */
static guint
choose_contestants (KcRun * run, const KcContestant * contestants, guint n,
    KcContestant list[MAX_CONTESTANTS])
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

void
kc_bench (KcRun * run, const gchar * what, const KcContestant * all, guint n)
{
  KcContestant contestants[MAX_CONTESTANTS];
  static gdouble wall_times[MAX_CONTESTANTS][MAX_ROUNDS];
  static gdouble device_times[MAX_CONTESTANTS][MAX_ROUNDS];
  gdouble wall[MAX_CONTESTANTS], device[MAX_CONTESTANTS];
  gboolean unified = gst_mgpu_context_get_traits (run->context)->unified_memory;
  gint64 begin = g_get_monotonic_time ();
  guint rounds = 0;

  g_return_if_fail (n < MAX_CONTESTANTS);
  if (!kc_bench_wants (run, what))
    return;
  if (run->priv->times != NULL) {
    time_for_tuner (run, what, &all[0]);
    return;
  }
  n = choose_contestants (run, all, n, contestants);

  for (guint warm = 0; rounds < MAX_ROUNDS; warm++) {
    gint64 passed;

    for (guint i = 0; i < n; i++) {
      gint64 t = g_get_monotonic_time ();

      device_times[i][rounds] = contestants[i].run (contestants[i].data);
      wall_times[i][rounds] = (g_get_monotonic_time () - t) / 1e3;
      if (contestants[i].run == kc_python_run) {
        wall_times[i][rounds] = device_times[i][rounds];
        device_times[i][rounds] = -1;
        if (wall_times[i][rounds] < 0)
          kc_case_fail (run, "the process of Python is gone");
      }
      /* On a card of its own the time of the kernels alone, without what is
       * between them: that takes the host longer. */
      if (device_times[i][rounds] >= 0 && !unified) {
        gst_mgpu_stats_set_profile (run->stats, TRUE);
        device_times[i][rounds] = contestants[i].run (contestants[i].data);
        gst_mgpu_stats_set_profile (run->stats, FALSE);
      }
    }
    passed = g_get_monotonic_time () - begin;
    if (warm < WARM_ROUNDS && passed < LONG / 2) {
      if (warm == WARM_ROUNDS - 1)
        begin = g_get_monotonic_time ();
      continue;
    }
    rounds++;
    if ((rounds >= MIN_ROUNDS && passed > ENOUGH)
        || (rounds >= FEW_ROUNDS && passed > LONG))
      break;
  }
  if (run->priv->case_failed)
    return;

  for (guint i = 0; i < n; i++) {
    wall[i] = kc_median (wall_times[i], rounds);
    device[i] = kc_median (device_times[i], rounds);
    g_print ("  %-40s %-8s %9.4f ms", what, contestants[i].name, wall[i]);
    if (device[i] >= 0)
      g_print (", on the device %9.4f ms", device[i]);
    if (i > 0)
      g_print (", ratio %.2f", wall[i] / wall[0]);
    if (i > 0 && device[i] >= 0 && device[0] > 0)
      g_print (", on the device %.2f", device[i] / device[0]);
    g_print ("\n");
  }
  write_json (run, what, contestants, n, wall, device, rounds);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"
#include <stdlib.h>
#include <string.h>

#define MAX_CONTESTANTS 5
#define WARM_ROUNDS 5
#define MIN_ROUNDS 31
#define MAX_ROUNDS 301

/* Rounds beyond the fewest are for as long as this, in microseconds. */
#define ENOUGH (G_USEC_PER_SEC)

/* Contestants that take seconds are spared: as few rounds when those took as
 * long. */
#define FEW_ROUNDS 5
#define LONG (10 * G_USEC_PER_SEC)

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

void
kc_bench (KcRun * run, const gchar * what, const KcContestant * contestants,
    guint n)
{
  static gdouble wall_times[MAX_CONTESTANTS][MAX_ROUNDS];
  static gdouble device_times[MAX_CONTESTANTS][MAX_ROUNDS];
  gdouble wall[MAX_CONTESTANTS], device[MAX_CONTESTANTS];
  gboolean unified = gst_mgpu_context_get_traits (run->context)->unified_memory;
  gint64 begin = g_get_monotonic_time ();
  guint rounds = 0;

  g_return_if_fail (n <= MAX_CONTESTANTS);
  if (run->only != NULL && strstr (what, run->only) == NULL)
    return;

  for (guint warm = 0; rounds < MAX_ROUNDS; warm++) {
    gint64 passed;

    for (guint i = 0; i < n; i++) {
      gint64 t = g_get_monotonic_time ();

      device_times[i][rounds] = contestants[i].run (contestants[i].data);
      wall_times[i][rounds] = (g_get_monotonic_time () - t) / 1e3;
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

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs each stream in a separate process, so that streams share only the device. A process prints a
 * line when its warm-up is over, and then waits for a line on its standard input. */
#include "pipelines.h"

#include <gio/gio.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct
{
  GSubprocess *process;
  GDataInputStream *says;
} Child;

/* Returns: (transfer full) (nullable): the next line that the process prints */
static gchar *
next_line (Child * child)
{
  return g_data_input_stream_read_line (child->says, NULL, NULL, NULL);
}

static void
open_child (Child * child, const gchar * argument, guint frames)
{
  g_autofree gchar *number = g_strdup_printf ("%u", frames);
  g_autofree gchar *program = g_file_read_link ("/proc/self/exe", NULL);
  GError *error = NULL;

  child->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
      | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--child", argument,
      "--frames", number, NULL);
  if (child->process == NULL)
    g_error ("%s", error->message);
  child->says =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (child->process));
}

static gboolean
is_ready (Child * child)
{
  g_autofree gchar *line = next_line (child);
  gboolean ready = g_strcmp0 (line, "ready") == 0;

  return ready;
}

/* Adds the results that the process has printed to @result. */
static gboolean
add_child (Child * child, BenchResult * result)
{
  gchar *line = next_line (child), *at = line;
  gdouble values[6], ms;

  for (guint i = 0; i < G_N_ELEMENTS (values) && line != NULL; i++)
    values[i] = g_ascii_strtod (at, &at);
  if (line == NULL || values[0] <= 0) {
    g_free (line);
    return FALSE;
  }
  result->slowest = result->slowest > 0 ? MIN (result->slowest, values[0])
      : values[0];
  result->fastest = MAX (result->fastest, values[0]);
  result->cpu_ms += values[1];
  result->device_ms += values[2];
  result->elements_ms += values[3];
  result->resident_mib += values[4];
  result->device_mib += values[5];
  while ((ms = g_ascii_strtod (at, &at)) > 0)
    g_array_append_val (result->latency, ms);
  g_free (line);
  return TRUE;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble d = *(const gdouble *) a - *(const gdouble *) b;

  return d < 0 ? -1 : d > 0;
}

gboolean
bench_run_apart (const gchar * argument, guint frames, guint streams,
    BenchResult * result)
{
  Child *children = g_new0 (Child, streams);
  gboolean ok = TRUE;

  memset (result, 0, sizeof (*result));
  result->latency = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint i = 0; i < streams; i++)
    open_child (&children[i], argument, frames);
  for (guint i = 0; i < streams; i++)
    ok &= is_ready (&children[i]);
  for (guint i = 0; i < streams; i++)
    ok &= g_output_stream_write_all (g_subprocess_get_stdin_pipe (children
            [i].process), "go\n", 3, NULL, NULL, NULL);
  for (guint i = 0; i < streams; i++) {
    ok &= add_child (&children[i], result);
    g_subprocess_wait (children[i].process, NULL, NULL);
    g_object_unref (children[i].says);
    g_object_unref (children[i].process);
  }
  g_free (children);

  result->fps = result->slowest * streams;
  result->cpu_ms /= streams;
  result->device_ms /= streams;
  result->elements_ms /= streams;
  g_array_sort (result->latency, compare_doubles);
  if (!ok)
    g_clear_pointer (&result->latency, g_array_unref);
  return ok;
}

int
bench_run_child (const BenchWay * way, const gchar * caps, guint frames)
{
  BenchResult r;

  bench_run_in_step ();
  if (!bench_run (way, caps, frames, &r))
    return 1;
  printf ("%f %f %f %f %f %f", r.fps, r.cpu_ms, r.device_ms, r.elements_ms,
      r.resident_mib, r.device_mib);
  for (guint i = 0; i < r.latency->len; i++)
    printf (" %f", g_array_index (r.latency, gdouble, i));
  printf ("\n");
  g_array_unref (r.latency);
  return 0;
}

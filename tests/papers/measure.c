/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs and times kernels and functions. */
#include "papers.h"

#include <string.h>
#include <time.h>

/* Limits the time of a table cell to 10 seconds. Work that takes longer than a round's fraction of
 * it runs fewer times. */
static const KcRounds rounds = { 2, 9, G_USEC_PER_SEC * 2 / 5, 1, 5 * G_USEC_PER_SEC / 2 };
static const KcRounds quick_rounds = { 1, 3, G_USEC_PER_SEC / 50, 1, G_USEC_PER_SEC / 10 };

static guint n_failures;

void
papers_check (gboolean ok, const gchar * format, ...)
{
  gchar *text;
  va_list args;

  if (ok)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_print ("FAILED %s\n", text);
  g_free (text);
  n_failures++;
}

guint
papers_count_failures (void)
{
  return n_failures;
}

/* ---- Kernels ---------------------------------------------------------------- */

/* Returns: (transfer full): the text of a file, in which includes of files of kernels/ are replaced
 * by their text; NULL after an error */
static gchar *
read_source (const gchar * path, GError ** error)
{
  static const gchar begin[] = "\n#include \"";
  gchar *text, *at;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  while ((at = strstr (text, begin)) != NULL) {
    gchar *name = at + strlen (begin), *end = strchr (name, '"');
    gchar *file = g_strdup_printf (PAPERS_SOURCE "/../../kernels/%.*s", (gint) (end - name), name);
    gchar *included = read_source (file, error), *joined = NULL;

    if (included != NULL)
      joined = g_strdup_printf ("%.*s\n%s%s", (gint) (at - text), text, included, end + 1);
    g_free (included);
    g_free (file);
    g_free (text);
    text = joined;
    if (text == NULL)
      break;
  }
  return text;
}

GstMgpuProgram *
papers_program_new (PapersRun * run, const gchar * file, const gchar * options)
{
  GError *error = NULL;
  g_autofree gchar *path = g_build_filename (PAPERS_SOURCE, file, NULL), *source = read_source (path, &error);
  GstMgpuProgram *program = NULL;

  if (source != NULL)
    program = gst_mgpu_program_new (run->kc->context, file, source, options, &error);
  if (program == NULL) {
    papers_check (FALSE, "%s: %s", file, error->message);
    g_clear_error (&error);
  }
  return program;
}

cl_kernel
papers_kernel_new (PapersRun * run, GstMgpuProgram * program, const gchar * name)
{
  GError *error = NULL;
  cl_kernel kernel = program == NULL ? NULL : gst_mgpu_program_create_kernel (program, name, &error);

  if (error != NULL) {
    papers_check (FALSE, "%s: %s", name, error->message);
    g_clear_error (&error);
  }
  return kernel;
}

GstMgpuMemory *
papers_memory_new (PapersRun * run, gconstpointer data, gsize size)
{
  gpointer zeros = data == NULL ? g_malloc0 (size) : NULL;
  GstMgpuMemory *memory = kc_memory_new (run->kc, data != NULL ? data : zeros, size);

  papers_check (memory != NULL, "no memory of %" G_GSIZE_FORMAT " bytes on the device", size);
  g_free (zeros);
  return memory;
}

cl_mem
papers_memory_get (PapersRun * run, GstMgpuMemory * memory)
{
  GstMgpuJob job;
  cl_mem mem;

  gst_mgpu_job_begin (&job, run->kc->queue, NULL);
  mem = gst_mgpu_job_write (&job, memory);
  papers_finish (run, &job);
  return mem;
}

void
papers_finish (PapersRun * run, GstMgpuJob * job)
{
  GError *error = NULL;

  if (!gst_mgpu_job_end (job, &error) || !gst_mgpu_queue_finish (run->kc->queue, &error)) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
  }
}

void
papers_work_add (PapersWork * work, cl_kernel kernel, gsize global_x, gsize global_y, gsize local_x, gsize local_y)
{
  guint i = work->n;

  g_return_if_fail (i < PAPERS_MAX_LAUNCHES);
  work->n++;
  work->launches[i].kernel = kernel;
  work->launches[i].n_dims = global_y > 0 ? 2 : 1;
  work->launches[i].global[0] = local_x > 0 ? (global_x + local_x - 1) / local_x * local_x : global_x;
  work->launches[i].global[1] = local_y > 0 ? (global_y + local_y - 1) / local_y * local_y : global_y;
  work->launches[i].local[0] = local_x;
  work->launches[i].local[1] = local_y;
}

static gdouble
device_time (PapersRun * run)
{
  return gst_mgpu_stats_get (run->kc->stats, GST_MGPU_COUNTER_DEVICE_TIME) / 1e6;
}

gdouble
papers_work_run (gpointer data)
{
  PapersWork *work = data;
  gdouble before = device_time (work->run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, work->run->kc->queue, work->run->kc->stats);
  for (guint i = 0; i < work->n; i++)
    gst_mgpu_job_launch (&job, work->launches[i].kernel, work->launches[i].n_dims, work->launches[i].global,
        work->launches[i].local[0] > 0 ? work->launches[i].local : NULL);
  papers_finish (work->run, &job);
  return device_time (work->run) - before;
}

/* ---- Ours ------------------------------------------------------------------- */

static gdouble
run_ours (PapersOurs * ours)
{
  gdouble before = device_time (ours->run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, ours->run->kc->queue, ours->run->kc->stats);
  ours->enqueue (ours->data, &job);
  papers_finish (ours->run, &job);
  return device_time (ours->run) - before;
}

gdouble
papers_ours_run (gpointer data)
{
  return run_ours (data);
}

gdouble
papers_ours_run_with_transfers (gpointer data)
{
  PapersOurs *ours = data;
  GstMemory *memory = GST_MEMORY_CAST (ours->frame->image.memory);
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    papers_check (FALSE, "mapping for writing failed");
    return -1;
  }
  memcpy (map.data, ours->picture->data, ours->picture->size);
  gst_memory_unmap (memory, &map);
  run_ours (ours);
  for (guint i = 0; ours->results[i] != NULL; i++)
    kc_memory_read (ours->run->kc, ours->results[i], ours->bytes);
  return -1;
}

/* ---- Comparing and timing --------------------------------------------------- */

void
papers_compare (PapersRun * run, const gchar * what, GstMgpuMemory * memory, gconstpointer want, gsize size)
{
  g_autofree guint8 *got = g_malloc (size);
  const guint8 *bytes = want;
  /* Reads with OpenCL directly, because launches of PapersWork do not record that they wrote to the
   * memory. */
  cl_int ret = clEnqueueReadBuffer (gst_mgpu_queue_get_cl_queue (run->kc->queue), papers_memory_get (run, memory),
      CL_TRUE, 0, size, got, 0, NULL, NULL);

  papers_check (ret == CL_SUCCESS, "%s: %s", what, gst_mgpu_cl_error_name (ret));
  if (ret == CL_SUCCESS && memcmp (got, want, size) != 0) {
    gsize i = 0;

    while (got[i] == bytes[i])
      i++;
    papers_check (FALSE, "%s: byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " is %d, should be %d", what, i, size,
        got[i], bytes[i]);
  }
}

void
papers_time (PapersRun * run, const KcContestant * contestants, guint n, const gchar * name, ...)
{
  KcTiming timings[KC_MAX_CONTESTANTS];
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  kc_time (run->kc, contestants, n, run->quick ? &quick_rounds : &rounds, timings);
  for (guint i = 0; i < n; i++) {
    if (contestants[i].run == NULL)
      continue;
    papers_set (run->column, timings[i].wall, "%s/%s/wall", text, contestants[i].name);
    if (timings[i].device > 0) {
      papers_set (run->column, timings[i].device, "%s/%s/device", text, contestants[i].name);
      papers_check (timings[i].device <= 1.05 * timings[i].device_wall, "%s, %s: kernels take %g ms of %g ms", text,
          contestants[i].name, timings[i].device, timings[i].device_wall);
    }
    g_print ("  %-44s %-22s %9.4f ms", text, contestants[i].name, timings[i].wall);
    if (timings[i].device > 0)
      g_print (", kernels %9.4f ms", timings[i].device);
    g_print (", %u rounds\n", timings[i].rounds);
  }
  papers_set (run->column, timings[0].rounds, "%s/rounds", text);
}

static gdouble
processor_time (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

void
papers_time_scalar (PapersRun * run, void (*function) (gpointer data), gpointer data, const gchar * name, ...)
{
  gdouble times[5], sum = 0;
  guint n = 0;
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  while (n < G_N_ELEMENTS (times) && (n == 0 || (sum < 1500 && !run->quick))) {
    gdouble before = processor_time ();

    function (data);
    times[n] = processor_time () - before;
    sum += times[n++];
  }
  papers_set (run->column, kc_median (times, n), "%s/processor", text);
  g_print ("  %-44s %-22s %9.4f ms of a processor, %u rounds\n", text, "scalar", kc_median (times, n), n);
}

/* ---- Profiles: the times of single kernels ------------------------------------- */

static gboolean
add_kernel (GQuark name, const GValue * value, gpointer times)
{
  const GstStructure *kernel = gst_value_get_structure (value);
  GArray *list = g_hash_table_lookup (times, g_quark_to_string (name));
  guint64 time = 0;
  gdouble ms;

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof (gdouble));
    g_hash_table_insert (times, g_strdup (g_quark_to_string (name)), list);
  }
  gst_structure_get_uint64 (kernel, "device-time", &time);
  ms = time / 1e6;
  g_array_append_val (list, ms);
  return TRUE;
}

GHashTable *
papers_profile (PapersRun * run, KcTimed work, gpointer data)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  GHashTable *medians = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n = run->quick ? 3 : 15;
  GHashTableIter iter;
  gpointer name, value;

  gst_mgpu_stats_set_profile (run->kc->stats, TRUE);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstStructure) structure = NULL;
    const GValue *kernels;

    gst_mgpu_stats_reset (run->kc->stats);
    work (data);
    structure = gst_mgpu_stats_to_structure (run->kc->stats);
    kernels = gst_structure_get_value (structure, "kernels");
    if (kernels != NULL)
      gst_structure_foreach (gst_value_get_structure (kernels), add_kernel, all);
  }
  gst_mgpu_stats_set_profile (run->kc->stats, FALSE);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &name, &value)) {
    GArray *list = value;
    gdouble *median = g_new (gdouble, 1);

    *median = kc_median ((gdouble *) list->data, list->len);
    g_hash_table_insert (medians, g_strdup (name), median);
  }
  g_hash_table_unref (all);
  return medians;
}

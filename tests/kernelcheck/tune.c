/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Searches for the tuning parameters with which the kernels of a device are fastest: see
 * docs/tuning.md. */
#include "private.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Minimum factor by which tuning parameters must make a function faster to be kept */
#define GAIN 1.03

/* Factor above which candidates that were faster in the first measurement are measured again */
#define PROMISING 1.02

/* Number of pairs of measurements, of which the median counts: one with the tuning parameters in
 * use, one with the candidate */
#define PAIRS 7
#define QUICK_PAIRS 5

/* Maximum number of benchmark cases of a function that are timed */
#define MAX_CASES 6
#define QUICK_CASES 4

/* Microseconds that a quick run plans for all functions, and the fraction of them that a function
 * may spend before its last candidate begins. The run ends after 15 minutes, plus the time of these
 * candidates. */
#define QUICK_TIME (800 * (gint64) G_USEC_PER_SEC)
#define SHARE 0.8

typedef struct
{
  KcRun *run;
  const KcFunction *function;
  gboolean quick;
  GKeyFile *journal;            /* journal of the candidates that were tried: see docs/tuning.md */
  gchar *journal_path;
  gint64 end;                   /* monotonic time in microseconds when the search ends */
  gchar *now;                   /* the tuning parameters in use, in the format of
                                 * mgpu_knobs_set() */
  gchar *digest;                /* digest of the bytes that the function writes with these tuning
                                 * parameters */
  GPtrArray *tables;            /* lists of tuning parameters of the function */
} Tuner;

/* ---- Knobs as text ---------------------------------------------------------- */

/* Returns: (transfer full): @text with the word NAME=value replaced by the given one; unchanged if
 * it has no word of that name */
static gchar *
set_word (const gchar * text, const gchar * name, const gchar * value)
{
  gchar **words = g_strsplit (text, " ", -1);
  GString *result = g_string_new (NULL);
  g_autofree gchar *prefix = g_strconcat (name, "=", NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0' && !g_str_has_prefix (words[i], prefix))
      g_string_append_printf (result, "%s%s", result->len > 0 ? " " : "",
          words[i]);
  g_string_append_printf (result, "%s%s%s", result->len > 0 ? " " : "", prefix,
      value);
  g_strfreev (words);
  return g_string_free (result, FALSE);
}

/* Returns: the value of a tuning parameter of the list if the tuning parameters are set to @text */
static gint
get_value (KcRun * run, const gchar * function, const MgpuKnob * list,
    guint knob, const gchar * text)
{
  gint *values = g_new (gint, mgpu_knobs_count (list)), value;

  mgpu_knobs_set (run->context, function, text);
  mgpu_knobs_choose (list, function, run->context, values);
  value = values[knob];
  g_free (values);
  return value;
}

/* ---- Measuring -------------------------------------------------------------- */

static void
begin (KcRun * run, const KcFunction * function)
{
  KcRunPrivate *priv = run->priv;

  priv->function = function->name;
  priv->n_cases = priv->n_failed = 0;
  g_clear_pointer (&priv->digest, g_checksum_free);
  priv->digest = g_checksum_new (G_CHECKSUM_SHA256);
}

/* Compares with the reference. */
static gboolean
is_right (KcRun * run, const KcFunction * function, const gchar * text,
    gboolean quick)
{
  gboolean before = run->quick;

  mgpu_knobs_set (run->context, function->name, text);
  begin (run, function);
  run->quick = quick;
  run->tunes = FALSE;
  kc_check_function (run, function);
  run->quick = before;
  return run->priv->n_failed == 0;
}

/* Times the function once with the tuning parameters of @text. Returns FALSE if it failed. */
static gboolean
measure (Tuner * self, const gchar * text)
{
  KcRun *run = self->run;
  KcTimes *times = run->priv->times;

  mgpu_knobs_set (run->context, self->function->name, text);
  begin (run, self->function);
  g_ptr_array_set_size (times->names, 0);
  g_array_set_size (times->times, 0);
  run->tunes = TRUE;
  kc_bench_function (run, self->function);
  return run->priv->n_failed == 0 && times->times->len > 0;
}

/* Chooses the benchmark cases that are timed, evenly distributed over all cases. */
static gboolean
choose_cases (Tuner * self)
{
  KcTimes *times = self->run->priv->times;
  guint most = self->quick ? QUICK_CASES : MAX_CASES, n;
  GPtrArray *wanted;

  g_clear_pointer (&times->wanted, g_ptr_array_unref);
  if (!measure (self, self->now))
    return FALSE;
  wanted = g_ptr_array_new_with_free_func (g_free);
  n = times->names->len;
  for (guint i = 0; i < MIN (n, most); i++)
    g_ptr_array_add (wanted,
        g_strdup (times->names->pdata[(2 * i + 1) * n / (2 * MIN (n, most))]));
  times->wanted = wanted;
  if (!measure (self, self->now))
    return FALSE;
  g_free (self->digest);
  self->digest = g_strdup (g_checksum_get_string (self->run->priv->digest));
  return TRUE;
}

/* Returns: the factor by which the tuning parameters @b are faster than @a, the geometric mean
 * of the cases; 0 if @b gives other bytes or fails, 0.5 if a case takes more than twice as long.
 * Unless @sums is NULL, adds the times of both to it. */
static gdouble
compare (Tuner * self, const gchar * a, const gchar * b, GArray * sums)
{
  KcTimes *times = self->run->priv->times;
  gdouble logs = 0;
  GArray *first;
  gboolean ok;

  if (!measure (self, a))
    return 0;
  first = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_array_append_vals (first, times->times->data, times->times->len);
  times->base = first;
  ok = measure (self, b);
  times->base = NULL;
  if (times->is_hopeless && self->run->priv->n_failed == 0) {
    times->is_hopeless = FALSE;
    g_array_unref (first);
    return 0.5;
  }
  times->is_hopeless = FALSE;
  ok = ok && times->times->len == first->len
      && g_str_equal (g_checksum_get_string (self->run->priv->digest),
      self->digest);
  for (guint i = 0; ok && i < first->len; i++) {
    gdouble x = g_array_index (first, gdouble, i);
    gdouble y = g_array_index (times->times, gdouble, i);

    logs += log (x / y);
    if (sums != NULL) {
      g_array_index (sums, gdouble, 2 * i) += x;
      g_array_index (sums, gdouble, 2 * i + 1) += y;
    }
  }
  logs = ok ? exp (logs / first->len) : 0;
  g_array_unref (first);
  return logs;
}

/* Returns: the median of compare() over @n pairs of measurements; 0 if one of them fails */
static gdouble
compare_often (Tuner * self, const gchar * a, const gchar * b, guint n,
    GArray * sums)
{
  gdouble factors[PAIRS];

  for (guint i = 0; i < n; i++) {
    factors[i] = compare (self, a, b, sums);
    if (factors[i] == 0)
      return 0;
  }
  return kc_median (factors, n);
}

/* ---- The journal ------------------------------------------------------------ */

/* Saves the journal of tried candidates. Returns FALSE after an error, which is printed. */
static gboolean
save_journal (Tuner * self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *folder = g_path_get_dirname (self->journal_path);
  gboolean ok;

  g_mkdir_with_parents (folder, 0755);
  ok = g_key_file_save_to_file (self->journal, self->journal_path, &error);
  if (!ok)
    g_printerr ("%s\n", error->message);
  return ok;
}

/* Stores the candidate in the journal before it is tried, because the driver may crash with it.
 * Returns FALSE if it was tried before with the same values of the other tuning parameters. */
static gboolean
remember (Tuner * self, const gchar * candidate)
{
  const gchar *name = self->function->name;
  gsize n = 0;
  gchar **tried = g_key_file_get_string_list (self->journal, name, "tried", &n,
      NULL);
  gboolean is_new = tried == NULL
      || !g_strv_contains ((const gchar * const *) tried, candidate);

  if (is_new) {
    tried = g_renew (gchar *, tried, n + 2);
    tried[n] = g_strdup (candidate);
    tried[n + 1] = NULL;
    g_key_file_set_string_list (self->journal, name, "tried",
        (const gchar * const *) tried, n + 1);
    save_journal (self);
  }
  g_strfreev (tried);
  return is_new;
}

/* ---- Search ----------------------------------------------------------------- */

static gboolean
has_time (Tuner * self)
{
  return g_get_monotonic_time () < self->end;
}

/* Uses the candidate from now on. Returns FALSE after an error, which is printed. */
static gboolean
keep (Tuner * self, const gchar * text)
{
  g_autoptr (GError) error = NULL;

  g_free (self->now);
  self->now = g_strdup (text);
  mgpu_knobs_set (self->run->context, self->function->name, text);
  if (mgpu_knobs_save (self->run->context, &error))
    return TRUE;
  g_printerr ("%s\n", error->message);
  return FALSE;
}

/* Returns whether the candidate is faster, in which case it is kept. */
static gboolean
try (Tuner * self, const gchar * text)
{
  const gchar *verdict = "not faster";
  gboolean better = FALSE;
  gdouble factor;

  if (!has_time (self) || !remember (self, text))
    return FALSE;
  factor = compare (self, self->now, text, NULL);
  if (factor >= PROMISING)
    factor = compare_often (self, self->now, text,
        self->quick ? QUICK_PAIRS : PAIRS, NULL);
  if (factor == 0) {
    verdict = "refused: fails, or gives other bytes";
  } else if (factor >= GAIN) {
    better = is_right (self->run, self->function, text, TRUE);
    verdict = better ? "kept" : "refused: differs from the reference";
  }
  g_print ("  %-12s %-40s %5.2f  %s\n", self->function->name, text, factor,
      verdict);
  return better && keep (self, text);
}

/* Returns: (transfer full): self->now with another value of a tuning parameter; NULL if the
 * kernels would not depend on the change */
static gchar *
change (Tuner * self, const MgpuKnob * list, guint knob, const gchar * value)
{
  KcRun *run = self->run;
  const gchar *name = self->function->name;
  gint old = get_value (run, name, list, knob, self->now);
  gchar *text = set_word (self->now, list[knob].name, value);

  if (get_value (run, name, list, knob, text) == old)
    g_clear_pointer (&text, g_free);
  return text;
}

/* Tries values of a tuning parameter: the neighbors of the value in use, and further values in a
 * direction that made the function faster; all values unless the run is quick. */
static gboolean
search_knob (Tuner * self, const MgpuKnob * list, guint knob)
{
  gchar **choices = g_strsplit (list[knob].choices, " ", -1);
  gint old = get_value (self->run, self->function->name, list, knob, self->now);
  gint n = g_strv_length (choices), here = 0;
  gboolean found = FALSE;

  while (here < n && g_ascii_strtoll (choices[here], NULL, 10) < old)
    here++;
  for (gint step = -1; step <= 1; step += 2) {
    for (gint i = here + step; i >= 0 && i < n; i += step) {
      gchar *text = change (self, list, knob, choices[i]);
      gboolean better = text != NULL && try (self, text);

      g_free (text);
      found = found || better;
      if (self->quick && !better)
        break;
    }
  }
  g_strfreev (choices);
  return found;
}

static void
search (Tuner * self)
{
  static const gchar *const classes[] = { "cpu", "discrete", "mobile" };
  guint own = gst_mgpu_context_get_traits (self->run->context)->device_class;
  gboolean found = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    g_autofree gchar *text = g_strconcat ("class=", classes[i], NULL);

    if (i != own)
      try (self, text);
  }
  for (guint round = 0; found && round < (self->quick ? 1 : 3); round++) {
    found = FALSE;
    for (guint t = 0; t < self->tables->len; t++) {
      const MgpuKnob *list = self->tables->pdata[t];

      for (guint i = 0; list[i].name != NULL; i++)
        if (list[i].choices != NULL)
          found = search_knob (self, list, i) || found;
    }
  }
  if (!has_time (self))
    g_print ("  %-12s the time is up; a run without --quick searches longer\n",
        self->function->name);
}

/* Measures the tuning parameters from before the search and those found by it. Restores the
 * tuning parameters from before the search if those found are not faster in total, or give wrong
 * results. */
static gboolean
conclude (Tuner * self, const gchar * before)
{
  const gchar *name = self->function->name;
  guint pairs = self->quick ? QUICK_PAIRS : PAIRS;
  GPtrArray *wanted = self->run->priv->times->wanted;
  g_autoptr (GArray) sums = NULL;
  gdouble factor;
  gboolean ok = TRUE;

  if (g_str_equal (before, self->now)) {
    g_print ("%s: the knobs stay as they are: %s\n", name,
        before[0] != '\0' ? before : "those of the class");
    return keep (self, before);
  }
  sums = g_array_new (FALSE, TRUE, sizeof (gdouble));
  g_array_set_size (sums, 2 * wanted->len);
  factor = compare_often (self, before, self->now, pairs, sums);
  ok = factor >= GAIN
      && is_right (self->run, self->function, self->now, self->quick);
  g_print ("%s: before \"%s\", after \"%s\"%s\n", name, before, self->now,
      ok ? "" : ", which together are not faster or not right: as before");
  for (guint i = 0; i < wanted->len; i++) {
    gdouble x = g_array_index (sums, gdouble, 2 * i) / pairs;
    gdouble y = g_array_index (sums, gdouble, 2 * i + 1) / pairs;

    g_print ("  %-40s before %9.4f ms, after %9.4f ms, factor %.2f\n",
        (const gchar *) wanted->pdata[i], x, y, x / y);
  }
  g_print ("  %-40s factor %.2f\n", "geometric mean, median of the pairs",
      factor);
  return ok || keep (self, before);
}

static gboolean
tune_function (Tuner * self)
{
  KcRun *run = self->run;
  const gchar *name = self->function->name;
  g_autofree gchar *before = NULL;
  gboolean ok, is_measured;

  if (g_key_file_get_boolean (self->journal, name, "done", NULL)) {
    g_print ("%s: done before\n", name);
    return TRUE;
  }
  self->now = mgpu_knobs_get (run->context, name, NULL);
  before = g_key_file_get_string (self->journal, name, "before", NULL);
  if (before == NULL)
    before = g_strdup (self->now);
  else
    g_print ("%s: goes on with \"%s\"\n", name, self->now);
  g_key_file_set_string (self->journal, name, "before", before);
  run->priv->silent = FALSE;
  ok = save_journal (self)
      && is_right (run, self->function, self->now, TRUE);
  is_measured = ok && choose_cases (self);
  ok = ok && run->priv->n_failed == 0;
  run->priv->silent = TRUE;
  self->tables = mgpu_knobs_get_tables (run->context, name);
  if (!ok) {
    g_print ("%s: cannot be tuned\n", name);
  } else if (!is_measured) {
    g_print ("%s: not tuned, because this machine lacks what it is measured "
        "with\n", name);
  } else {
    search (self);
    g_key_file_set_boolean (self->journal, name, "done", TRUE);
    ok = conclude (self, before) && save_journal (self);
  }
  g_ptr_array_unref (self->tables);
  g_clear_pointer (&self->now, g_free);
  g_clear_pointer (&self->digest, g_free);
  return ok;
}

static gboolean
tune_functions (Tuner * self, const KcFunction * const *functions)
{
  gint64 start = g_get_monotonic_time ();
  gboolean ok = TRUE;
  guint n = 0;

  while (functions[n] != NULL)
    n++;
  for (guint i = 0; i < n && ok; i++) {
    gint64 now = g_get_monotonic_time ();
    gint64 share = (start + QUICK_TIME - now) / (n - i);

    self->function = functions[i];
    self->end = self->quick ? now + (gint64) (SHARE * share) : G_MAXINT64;
    if (kc_has_bench (functions[i]))
      ok = tune_function (self);
  }
  if (ok)
    g_unlink (self->journal_path);
  return ok;
}

static gboolean
tune_run (KcRun * run, const KcFunction * const *functions)
{
  g_autofree gchar *path = mgpu_knobs_get_path (run->context);
  KcTimes times = { NULL, g_ptr_array_new_with_free_func (g_free),
    g_array_new (FALSE, FALSE, sizeof (gdouble))
  };
  Tuner tuner = {
    .run = run,
    .quick = run->quick,
    .journal = g_key_file_new (),
    .journal_path = g_strconcat (path, ".journal", NULL)
  };
  gboolean ok;

  g_print ("%s: %s\nknobs file %s\n",
      gst_mgpu_context_get_platform_name (run->context),
      gst_mgpu_context_get_device_name (run->context), path);
  g_key_file_load_from_file (tuner.journal, tuner.journal_path, G_KEY_FILE_NONE,
      NULL);
  run->priv->times = &times;
  ok = tune_functions (&tuner, functions);
  g_clear_pointer (&times.wanted, g_ptr_array_unref);
  g_ptr_array_unref (times.names);
  g_array_unref (times.times);
  g_key_file_unref (tuner.journal);
  g_free (tuner.journal_path);
  return ok;
}

gboolean
kc_tune (const gchar * device, const KcFunction * const *functions,
    gboolean quick)
{
  g_autoptr (GError) error = NULL;
  KcRunPrivate priv = {.class_name = "own",.text = g_string_new (NULL) };
  KcRun run = {
    .context = gst_mgpu_context_new (device, &error),
    .seed = 1,
    .quick = quick,
    .priv = &priv
  };
  const gchar *refusal = NULL;
  gboolean ok = FALSE;

  if (run.context != NULL)
    run.queue = gst_mgpu_queue_new (run.context, &error);
  if (run.queue != NULL)
    refusal = mgpu_knobs_refuses_files (run.context);
  if (run.queue == NULL) {
    g_printerr ("%s\n", error->message);
  } else if (refusal != NULL) {
    g_printerr ("this device cannot be tuned: %s\n", refusal);
  } else {
    run.stats = gst_mgpu_stats_new ();
    ok = tune_run (&run, functions);
    gst_mgpu_stats_unref (run.stats);
  }
  g_clear_pointer (&priv.digest, g_checksum_free);
  g_clear_pointer (&run.queue, gst_object_unref);
  g_clear_pointer (&run.context, gst_object_unref);
  g_string_free (priv.text, TRUE);
  return ok;
}

/* ---- Random knobs ------------------------------------------------------------ */

/* Returns: (transfer full): tuning parameters of which about half have another value */
static gchar *
draw (KcRun * run, const KcFunction * function, KcRandom * random)
{
  g_autoptr (GPtrArray) tables =
      mgpu_knobs_get_tables (run->context, function->name);
  gchar *text = g_strdup ("");

  for (guint t = 0; t < tables->len; t++)
    for (const MgpuKnob * knob = tables->pdata[t]; knob->name != NULL; knob++) {
      gchar **choices = g_strsplit (knob->choices ? knob->choices : "", " ", 0);
      guint n = g_strv_length (choices);

      if (n > 0 && kc_random_below (random, 2) == 0) {
        gchar *next = set_word (text, knob->name,
            choices[kc_random_below (random, n)]);

        g_free (text);
        text = next;
      }
      g_strfreev (choices);
    }
  return text;
}

guint
kc_tune_draw (KcRun * run, const KcFunction * function, guint n)
{
  guint n_failed = 0;
  KcRandom random;

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *text = draw (run, function, &random);

    if (!is_right (run, function, text, run->quick)) {
      g_print ("FAILED %s with the knobs %s\n", function->name, text);
      n_failed++;
    }
  }
  return n_failed;
}

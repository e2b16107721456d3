/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the program bench-papers, which repeats the experiments of papers and writes their
 * pages. */
#include "papers.h"

#include <glib/gstdio.h>
#include <string.h>

#define EXIT_SKIPPED 77

static const Paper *const papers[] = {
  &papers_wang, &papers_sagivtech, &papers_egpuip, &papers_rister, &papers_desmedt
};

static gchar *opt_device, *opt_output, *opt_tsv, *opt_pictures;
static gchar **opt_papers, **opt_merge;
static gboolean opt_quick, opt_pages, opt_child;

static const GOptionEntry options[] = {
  {"quick", 'q', 0, G_OPTION_ARG_NONE, &opt_quick, "One small case of each kind", NULL},
  {"device", 'd', 0, G_OPTION_ARG_STRING, &opt_device,
      "Device as platform:type:name-or-index (default: the one that elements use)", "DEVICE"},
  {"paper", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &opt_papers,
      "wang, sagivtech, egpuip, rister or desmedt; more than one may be given (default: all)", "NAME"},
  {"output", 'o', 0, G_OPTION_ARG_FILENAME, &opt_output, "Write the pages into FOLDER", "FOLDER"},
  {"tsv", 't', 0, G_OPTION_ARG_FILENAME, &opt_tsv,
      "Write what was measured to FILE, which keeps what it has of other papers", "FILE"},
  {"merge", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &opt_merge,
      "Show what --tsv wrote on another machine, too; more than one may be given", "FILE"},
  {"pages", 0, 0, G_OPTION_ARG_NONE, &opt_pages, "Measure nothing: write the pages of what --merge names", NULL},
  {"pictures", 0, 0, G_OPTION_ARG_FILENAME, &opt_pictures,
      "Read pictures from FOLDER, and put those there that it does not have", "FOLDER"},
  {"child", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &opt_child, NULL, NULL},
  {NULL}
};

static gboolean
is_wanted (const Paper * paper)
{
  return opt_papers == NULL || g_strv_contains ((const gchar * const *) opt_papers, paper->name);
}

static gboolean
check_options (void)
{
  for (guint i = 0; opt_papers != NULL && opt_papers[i] != NULL; i++) {
    gboolean known = FALSE;

    for (guint j = 0; j < G_N_ELEMENTS (papers); j++)
      known = known || g_str_equal (papers[j]->name, opt_papers[i]);
    if (!known) {
      g_printerr ("no paper %s\n", opt_papers[i]);
      return FALSE;
    }
  }
  if (opt_pages && (opt_merge == NULL || opt_output == NULL)) {
    g_printerr ("--pages needs --merge and --output\n");
    return FALSE;
  }
  return TRUE;
}

/* ---- Pages ------------------------------------------------------------------ */

/* Checks the links of a page to files. */
static void
check_links (const gchar * folder, const gchar * file, const gchar * text)
{
  GRegex *regex = g_regex_new ("\\]\\(([^)#:]+)(#[^)]*)?\\)", 0, 0, NULL);
  GMatchInfo *match;

  g_regex_match (regex, text, 0, &match);
  while (g_match_info_matches (match)) {
    gchar *link = g_match_info_fetch (match, 1);
    gchar *path = g_build_filename (folder, link, NULL);

    /* Other pages of the documentation exist only in the pages' final folder, and pictures only
     * where a complete run wrote them. */
    papers_check (g_str_has_prefix (link, "../") || ((opt_pages || opt_quick) && g_str_has_suffix (link, ".png"))
        || g_file_test (path, G_FILE_TEST_EXISTS), "%s: the link %s leads nowhere", file, link);
    g_free (path);
    g_free (link);
    g_match_info_next (match, NULL);
  }
  g_match_info_free (match);
  g_regex_unref (regex);
}

static void
write_file (PapersPage * page, const gchar * name)
{
  g_autofree gchar *file = g_strconcat (name, ".md", NULL);
  g_autofree gchar *path = g_build_filename (page->folder, file, NULL);
  GError *error = NULL;

  if (!g_file_set_contents (path, page->text->str, page->text->len, &error)) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
  }
}

/* Writes on which machines and when figures were measured. */
static void
write_machines (PapersPage * page)
{
  papers_table (page, "column", "device", "processor", "load", "date", "commit", NULL);
  for (guint i = 0; i < page->columns->len; i++) {
    const PapersColumn *c = g_ptr_array_index (page->columns, i);

    papers_cell (page, "%s", c->name);
    papers_cell (page, "%s, %s", papers_column_text (c, "platform"), papers_column_text (c, "device"));
    papers_cell (page, "%s cores of %s", papers_column_text (c, "processors"), papers_column_text (c, "processor"));
    papers_cell (page, "%s", papers_column_text (c, "load"));
    papers_cell (page, "%s", papers_column_text (c, "date"));
    papers_cell (page, "%s", papers_column_text (c, "commit"));
    papers_row_end (page);
  }
}

/* Returns: (transfer full): the columns that have figures of a paper */
static GPtrArray *
choose_columns (const Paper * paper, GPtrArray * columns)
{
  GPtrArray *chosen = g_ptr_array_new ();
  g_autofree gchar *prefix = g_strconcat (paper->name, "/", NULL);

  for (guint i = 0; i < columns->len; i++) {
    PapersColumn *column = g_ptr_array_index (columns, i);
    GHashTableIter iter;
    gpointer name;
    gboolean has = FALSE;

    g_hash_table_iter_init (&iter, column->figures);
    while (!has && g_hash_table_iter_next (&iter, &name, NULL))
      has = g_str_has_prefix (name, prefix);
    if (has)
      g_ptr_array_add (chosen, column);
  }
  return chosen;
}

static void
write_paper (const Paper * paper, PapersPage * page)
{
  GPtrArray *columns = page->columns;

  page->name = paper->name;
  page->label = paper->label;
  page->text = g_string_new (NULL);
  page->claims = g_string_new (NULL);
  papers_text (page, "# %s\n\n", paper->title);
  page->columns = choose_columns (paper, columns);
  papers_check (page->columns->len > 0, "nothing was measured of %s", paper->name);
  if (page->columns->len > 0)
    paper->write (page);
  g_ptr_array_unref (page->columns);
  page->columns = columns;
  papers_text (page, "\n## Claims\n\n| claim | measured on | verdict | figures |\n| --- | --- | --- | --- |\n%s",
      page->claims->str);
  papers_text (page, "\n[All five papers](README.md), and how the figures were measured.\n");
  write_file (page, paper->name);
  g_string_free (page->claims, TRUE);
  g_string_free (page->text, TRUE);
}

static void
write_summary (PapersPage * page)
{
  page->name = NULL;
  page->text = g_string_new ("# Five papers, rerun\n\n");
  papers_text (page, "Five publications said what a small GPU can do for computer vision. "
      "`bench-papers` repeats their experiments with the kernels of this project, and writes these pages. "
      "What they printed stands beside what was measured here.\n\n");
  for (guint i = 0; i < G_N_ELEMENTS (papers); i++)
    if (is_wanted (papers[i]))
      papers_text (page, "* [%s](%s.md)\n", papers[i]->title, papers[i]->name);
  papers_text (page, "\n\"Lost\": a figure that is not in the text of the paper that we have. \"[c]\": a figure "
      "computed from printed ones. Ratios stand in brackets: above 1 ours is better.\n\n"
      "| what | their hardware | theirs |");
  for (guint i = 0; i < page->columns->len; i++)
    papers_text (page, " %s |", ((PapersColumn *) g_ptr_array_index (page->columns, i))->name);
  papers_text (page, " same work? |\n| --- | --- | ---: |");
  for (guint i = 0; i < page->columns->len; i++)
    papers_text (page, " ---: |");
  papers_text (page, " --- |\n%s", page->summary->str);
  papers_text (page, "\n## Machines\n");
  write_machines (page);
  papers_text (page, "\n## How it is measured\n\n"
      "* Kernels are built and compared with scalar code, byte for byte, before they are timed.\n"
      "* Contestants run alternately in one process, after rounds that fill the caches. A figure is the median; "
      "a cell takes 10 seconds at most.\n"
      "* \"Wall\" is the time of the clock, with the wait for the device; \"kernels\" that between the first and the "
      "last command on the device, or on a card the sum of all kernels, in rounds of their own. There a kernel begins "
      "when the one before has ended, so that the sum may be more than the wall time. Copies between host and device are in "
      "neither, unless a table says so.\n"
      "* \"Scalar\" is the reference of `tests/reference`, C compiled with gcc -O3 in one thread, in processor time.\n"
      "* The machines are shared: a single time says little there, a ratio says more.\n\n"
      "To measure anew, and to show another machine beside this one:\n\n"
      "    build/tests/papers/bench-papers --tsv here.tsv --output docs/papers --merge other.tsv\n\n"
      "`--pages` writes the pages without measuring, `--quick` takes two minutes, `--paper egpuip` is one paper. "
      "A machine without opencv-doc gets the pictures with `--pictures FOLDER`, which another machine has filled.\n");
  write_file (page, "README");
}

static void
write_pages (GPtrArray * columns)
{
  PapersPage page = {.folder = opt_output,.columns = columns,.all_columns = columns,.summary = g_string_new (NULL) };
  g_autofree gchar *images = g_build_filename (opt_output, "images", NULL);

  g_mkdir_with_parents (images, 0777);
  for (guint i = 0; i < G_N_ELEMENTS (papers); i++)
    if (is_wanted (papers[i]))
      write_paper (papers[i], &page);
  write_summary (&page);
  check_links (opt_output, "README.md", page.text->str);
  g_string_free (page.text, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (papers); i++) {
    g_autofree gchar *file = g_strconcat (papers[i]->name, ".md", NULL);
    g_autofree gchar *path = g_build_filename (opt_output, file, NULL), *text = NULL;

    if (is_wanted (papers[i]) && g_file_get_contents (path, &text, NULL, NULL))
      check_links (opt_output, file, text);
  }
  g_string_free (page.summary, TRUE);
}

/* ---- Measuring -------------------------------------------------------------- */

/* Returns: NULL if there is no such device, or it does not work */
static PapersColumn *
measure (int *status)
{
  GError *error = NULL;
  PapersRun run = {.quick = opt_quick,.pictures = opt_pictures,.output = opt_output,.device = opt_device,
    .child = opt_child
  };

  run.kc = kc_run_new (opt_device, -1, &error);
  if (run.device == NULL)
    run.device = "";
  if (run.kc == NULL) {
    g_print ("%s\n", error->message);
    *status = g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE) ? EXIT_SKIPPED : 1;
    g_clear_error (&error);
    return NULL;
  }
  run.kc->quick = opt_quick;
  run.column = papers_column_new ();
  papers_column_describe (run.column, run.kc);
  if (opt_output != NULL) {
    g_autofree gchar *images = g_build_filename (opt_output, "images", NULL);

    g_mkdir_with_parents (images, 0777);
  }
  if (opt_pictures != NULL)
    g_mkdir_with_parents (opt_pictures, 0777);
  for (guint i = 0; i < G_N_ELEMENTS (papers); i++) {
    gint64 begin = g_get_monotonic_time ();

    if (!is_wanted (papers[i]))
      continue;
    g_print ("%s\n", papers[i]->title);
    kc_case_begin (run.kc, KC_RANDOM, "%s", papers[i]->name);
    papers[i]->measure (&run);
    kc_case_end (run.kc);
    g_print ("%s: %.0f s\n", papers[i]->name, (g_get_monotonic_time () - begin) / 1e6);
  }
  papers_check (kc_run_get_failed (run.kc) == 0, "%u papers had errors", kc_run_get_failed (run.kc));
  kc_run_free (run.kc);
  return run.column;
}

static void
add_merged (GPtrArray * columns)
{
  for (guint i = 0; opt_merge != NULL && opt_merge[i] != NULL; i++) {
    GError *error = NULL;
    PapersColumn *column = papers_column_load (opt_merge[i], &error);

    if (column != NULL) {
      g_ptr_array_add (columns, column);
    } else {
      papers_check (FALSE, "%s: %s", opt_merge[i], error->message);
      g_clear_error (&error);
    }
  }
}

/* Processors come before cards. */
static gint
compare_columns (gconstpointer a, gconstpointer b)
{
  const PapersColumn *x = *(PapersColumn * const *) a, *y = *(PapersColumn * const *) b;
  gboolean is_x = g_str_has_prefix (x->name, "PoCL"), is_y = g_str_has_prefix (y->name, "PoCL");

  return is_x != is_y ? is_y - is_x : g_strcmp0 (x->name, y->name);
}

/* Copies from the file the figures of papers that were not measured now. */
static void
keep_others (PapersColumn * column)
{
  PapersColumn *before = papers_column_load (opt_tsv, NULL);
  GHashTableIter iter;
  gpointer name, value;

  if (before == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (papers); i++) {
    g_autofree gchar *prefix = g_strconcat (papers[i]->name, "/", NULL);

    g_hash_table_iter_init (&iter, before->figures);
    while (g_hash_table_iter_next (&iter, &name, &value) && !is_wanted (papers[i]))
      if (g_str_has_prefix (name, prefix))
        papers_set (column, *(gdouble *) value, "%s", (gchar *) name);
  }
  papers_column_free (before);
}

static int
run_all (void)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) papers_column_free);
  GError *error = NULL;
  int status = 0;

  for (guint i = 0; i < G_N_ELEMENTS (papers); i++)
    if (is_wanted (papers[i]))
      papers[i]->check ();
  if (!opt_pages) {
    PapersColumn *column = measure (&status);

    if (column != NULL)
      g_ptr_array_add (columns, column);
    if (column != NULL && opt_tsv != NULL)
      keep_others (column);
    if (column != NULL && opt_tsv != NULL && !papers_column_save (column, opt_tsv, &error)) {
      papers_check (FALSE, "%s", error->message);
      g_clear_error (&error);
    }
  }
  add_merged (columns);
  g_ptr_array_sort (columns, compare_columns);
  if (status == 0 && opt_output != NULL && columns->len > 0)
    write_pages (columns);
  g_ptr_array_unref (columns);
  if (papers_count_failures () > 0)
    g_print ("%u failures\n", papers_count_failures ());
  return status != 0 ? status : papers_count_failures () > 0;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  int status;

  g_option_context_set_summary (context, "Repeats the experiments of five publications, and writes their figures "
      "beside ours.\nExit status: 0 all well, 1 a check failed, 77 the requested device is absent.");
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
  status = run_all ();
  g_free (opt_device);
  g_free (opt_output);
  g_free (opt_tsv);
  g_free (opt_pictures);
  g_strfreev (opt_papers);
  g_strfreev (opt_merge);
  return status;
}

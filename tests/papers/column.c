/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads and writes the measured figures of one machine. */
#include "papers.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

PapersColumn *
papers_column_new (void)
{
  PapersColumn *column = g_new0 (PapersColumn, 1);

  column->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  column->figures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return column;
}

void
papers_column_free (PapersColumn * column)
{
  if (column == NULL)
    return;
  g_hash_table_unref (column->texts);
  g_hash_table_unref (column->figures);
  g_free (column->name);
  g_free (column);
}

static void
set_text (PapersColumn * column, const gchar * name, gchar * text)
{
  g_hash_table_insert (column->texts, g_strdup (name), text);
}

const gchar *
papers_column_text (const PapersColumn * column, const gchar * name)
{
  const gchar *text = g_hash_table_lookup (column->texts, name);

  return text != NULL ? text : "";
}

/* Removes from the name of a processor or card what manufacturers add to it. */
static gchar *
shorten (const gchar * name)
{
  GRegex *regex = g_regex_new ("\\(\\w+\\)|\\b(Processor|CPU)\\b|@.*|\\d+GB.*", 0, 0, NULL);
  g_autofree gchar *text = g_regex_replace_literal (regex, name, -1, 0, "", 0, NULL);
  gchar **words = g_strsplit (text, " ", -1);
  GString *joined = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      g_string_append_printf (joined, "%s%s", joined->len > 0 ? " " : "", words[i]);
  g_strfreev (words);
  g_regex_unref (regex);
  return g_string_free (joined, FALSE);
}

static gchar *
find_processor (void)
{
  gchar *text = NULL, *name = NULL;
  const gchar *at;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)
      && (at = strstr (text, "model name")) != NULL
      && (at = strchr (at, ':')) != NULL) {
    gchar *line = g_strndup (at + 1, strcspn (at, "\n") - 1);

    name = shorten (line);
    g_free (line);
  }
  g_free (text);
  return name != NULL ? name : g_strdup ("unknown");
}

static gchar *
find_commit (void)
{
  const gchar *argv[] = { "git", "-C", PAPERS_SOURCE, "rev-parse", "--short", "HEAD", NULL };
  gchar *out = NULL;
  gint status = 0;

  if (!g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH
          | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, NULL)
      || status != 0)
    g_clear_pointer (&out, g_free);
  return out != NULL ? g_strchomp (out) : g_strdup ("not recorded");
}

/* PoCL reports the name of the processor after the name of LLVM's target. */
static gchar *
name_device (KcRun * kc)
{
  const gchar *device = gst_mgpu_context_get_device_name (kc->context);
  const gchar *behind = strrchr (device, '-');
  gchar *processor, *name;

  if (!g_str_has_prefix (device, "pthread-") && !g_str_has_prefix (device, "cpu-"))
    return shorten (device);
  processor = shorten (behind + 1);
  name = g_strdup_printf ("PoCL, %s", processor);
  g_free (processor);
  return name;
}

void
papers_column_describe (PapersColumn * column, KcRun * kc)
{
  GDateTime *now = g_date_time_new_now_utc ();
  /* TRUE if the process has real-time priority, so that other processes do not disturb it */
  gboolean is_first = sched_getscheduler (0) == SCHED_FIFO;
  gdouble load = 0;

  getloadavg (&load, 1);
  column->name = name_device (kc);
  set_text (column, "name", g_strdup (column->name));
  set_text (column, "device", g_strdup (gst_mgpu_context_get_device_name (kc->context)));
  set_text (column, "platform", g_strdup (gst_mgpu_context_get_platform_name (kc->context)));
  set_text (column, "processor", find_processor ());
  set_text (column, "processors", g_strdup_printf ("%u", g_get_num_processors ()));
  set_text (column, "load", g_strdup_printf ("%.1f%s", load,
          is_first ? ", real-time priority" : ""));
  set_text (column, "date", g_date_time_format (now, "%Y-%m-%d"));
  set_text (column, "commit", find_commit ());
  g_date_time_unref (now);
}

void
papers_set (PapersColumn * column, gdouble value, const gchar * name, ...)
{
  va_list args;
  gdouble *copy = g_new (gdouble, 1);

  *copy = value;
  va_start (args, name);
  g_hash_table_insert (column->figures, g_strdup_vprintf (name, args), copy);
  va_end (args);
}

gdouble
papers_get (const PapersColumn * column, const gchar * name, ...)
{
  const gdouble *value;
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, name);
  text = g_strdup_vprintf (name, args);
  va_end (args);
  value = g_hash_table_lookup (column->figures, text);
  return value != NULL ? *value : NAN;
}

/* ---- Files ------------------------------------------------------------------ */

/* Describes the format of a file: a line for each text about the machine, then a line for each
 * figure, with the name, a tab and the value. Names of figures contain a slash. */
PapersColumn *
papers_column_load (const gchar * file, GError ** error)
{
  PapersColumn *column;
  gchar *text, **lines;

  if (!g_file_get_contents (file, &text, NULL, error))
    return NULL;
  column = papers_column_new ();
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    gchar **cells = g_strsplit (lines[i], "\t", 2);

    if (g_strv_length (cells) == 2) {
      if (strchr (cells[0], '/') != NULL)
        papers_set (column, g_ascii_strtod (cells[1], NULL), "%s", cells[0]);
      else
        set_text (column, cells[0], g_strdup (cells[1]));
    }
    g_strfreev (cells);
  }
  g_strfreev (lines);
  g_free (text);
  column->name = g_strdup (papers_column_text (column, "name"));
  if (g_hash_table_size (column->texts) == 0) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s names no machine", file);
    g_clear_pointer (&column, papers_column_free);
  }
  return column;
}

gboolean
papers_column_save (PapersColumn * column, const gchar * file, GError ** error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean ok;

  for (guint i = 0; i < 2; i++) {
    GHashTable *table = i == 0 ? column->texts : column->figures;
    GList *names = g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);

    for (GList * l = names; l != NULL; l = l->next) {
      gpointer value = g_hash_table_lookup (table, l->data);

      g_string_append_printf (text, "%s\t%s\n", (gchar *) l->data, i == 0 ? (gchar *) value
          : g_ascii_formatd (number, sizeof (number), "%.6g", *(gdouble *) value));
    }
    g_list_free (names);
  }
  ok = g_file_set_contents (file, text->str, text->len, error);
  return ok;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes pages in Markdown. */
#include "papers.h"

#include <math.h>
#include <string.h>

const gchar *
papers_number (gdouble value)
{
  gint digits = value != 0 ? 2 - (gint) floor (log10 (fabs (value))) : 0;
  g_autofree gchar *text = g_strdup_printf ("%.*f", CLAMP (digits, 0, 9), value);
  const gchar *kept = g_intern_string (text);

  return kept;
}

void
papers_text (PapersPage * page, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (page->text, format, args);
  va_end (args);
}

void
papers_heads (PapersPage * page, guint n, const gchar * const *heads)
{
  g_string_append (page->text, "\n|");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (page->text, " %s |", heads[i]);
  g_string_append (page->text, "\n|");
  for (guint i = 0; i < n; i++)
    g_string_append (page->text, i == 0 ? " --- |" : " ---: |");
  g_string_append (page->text, "\n");
  page->n_heads = n;
  page->n_cells = 0;
}

void
papers_table (PapersPage * page, const gchar * head, ...)
{
  g_autoptr (GPtrArray) heads = g_ptr_array_new ();
  va_list args;

  va_start (args, head);
  for (const gchar * h = head; h != NULL; h = va_arg (args, const gchar *))
    g_ptr_array_add (heads, (gpointer) h);
  va_end (args);
  papers_heads (page, heads->len, (const gchar * const *) heads->pdata);
}

/* Checks that a cell is informative: it is not empty, not NaN, and not a measured 0. */
static void
add_cell (PapersPage * page, const gchar * text)
{
  papers_check (text[0] != '\0' && !g_str_equal (text, "0") && strstr (text, "nan") == NULL
      && strstr (text, "inf ") == NULL, "%s: a cell of the table with %u columns is \"%s\"",
      page->name != NULL ? page->name : "summary", page->n_heads, text);
  g_string_append_printf (page->text, "%s%s |", page->n_cells == 0 ? "| " : " ", text);
  page->n_cells++;
}

void
papers_cell (PapersPage * page, const gchar * format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  add_cell (page, text);
}

void
papers_cell_number (PapersPage * page, gdouble value, const gchar * otherwise)
{
  add_cell (page, isnan (value) ? otherwise : papers_number (value));
}

void
papers_row_end (PapersPage * page)
{
  papers_check (page->n_cells == page->n_heads, "a row has %u cells, the table %u columns", page->n_cells,
      page->n_heads);
  g_string_append (page->text, "\n");
  page->n_cells = 0;
}

void
papers_claim (PapersPage * page, const gchar * claim, const PapersColumn * column, PapersVerdict verdict,
    const gchar * format, ...)
{
  static const gchar *const words[] = { "holds", "does not hold", "cannot be tested" };
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  papers_check (text[0] != '\0' && strstr (text, "nan") == NULL, "%s: the claim \"%s\" has the figures \"%s\"",
      page->name, claim, text);
  g_string_append_printf (page->claims, "| %s | %s | **%s** | %s |\n", claim, column->name, words[verdict], text);
}

void
papers_summarize (PapersPage * page, const gchar * what, const gchar * hardware, const gchar * theirs,
    gdouble value, const gdouble * ours, gboolean lower, gboolean same, const gchar * why)
{
  g_string_append_printf (page->summary, "| [%s](%s.md): %s | %s | %s |", page->label, page->name, what, hardware,
      theirs);
  for (guint i = 0; i < page->all_columns->len; i++) {
    guint n = 0;
    gboolean has = g_ptr_array_find (page->columns, g_ptr_array_index (page->all_columns, i), &n);
    gdouble ratio = !has ? NAN : lower ? value / ours[n] : ours[n] / value;

    if (!has || isnan (ours[n]))
      g_string_append (page->summary, " not measured |");
    else if (isnan (ratio))
      g_string_append_printf (page->summary, " %s |", papers_number (ours[n]));
    else
      g_string_append_printf (page->summary, " %s (%s) |", papers_number (ours[n]), papers_number (ratio));
  }
  g_string_append_printf (page->summary, " %s: %s |\n", same ? "yes" : "no", why);
}

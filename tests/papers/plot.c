/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws plots as SVG. */
#include "papers.h"

#include <math.h>
#include <string.h>

#define WIDTH 800
#define LEFT 80
#define RIGHT 270               /* for the legend */
#define TOP 44
#define HEIGHT 320              /* of the field */
#define BAR 15
#define LABELS 300              /* width of the labels next to bars */

static const gchar *const colours[] = {
  "#3566a8", "#d08a2e", "#4d9a5b", "#b04a5a", "#7a5aa8", "#5f6b75", "#2f9aa8", "#d05fa0"
};

typedef struct
{
  gchar *name;
  GArray *x, *y;
} Line;

struct _PapersPlot
{
  gchar *title, *x, *y;
  gboolean log_x, log_y;
  GPtrArray *lines;             /* lines; for bars, one line per name, whose x is the number of the
                                 * group */
  GPtrArray *groups;            /* names of the groups of bars; empty: the plot has lines */
};

static void
line_free (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_array_unref (line->x);
  g_array_unref (line->y);
  g_free (line);
}

PapersPlot *
papers_plot_new (const gchar * title, const gchar * x, const gchar * y, gboolean log_x, gboolean log_y)
{
  PapersPlot *plot = g_new0 (PapersPlot, 1);

  plot->title = g_markup_escape_text (title, -1);
  plot->x = g_markup_escape_text (x, -1);
  plot->y = g_markup_escape_text (y, -1);
  plot->log_x = log_x;
  plot->log_y = log_y;
  plot->lines = g_ptr_array_new_with_free_func (line_free);
  plot->groups = g_ptr_array_new_with_free_func (g_free);
  return plot;
}

static Line *
add_line (PapersPlot * plot, const gchar * name)
{
  Line *line = g_new0 (Line, 1);

  line->name = g_markup_escape_text (name, -1);
  line->x = g_array_new (FALSE, FALSE, sizeof (gdouble));
  line->y = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_ptr_array_add (plot->lines, line);
  return line;
}

void
papers_plot_line (PapersPlot * plot, const gchar * name, guint n, const gdouble * x, const gdouble * y)
{
  Line *line = add_line (plot, name);

  for (guint i = 0; i < n; i++) {
    if (isnan (y[i]))
      continue;
    g_array_append_val (line->x, x[i]);
    g_array_append_val (line->y, y[i]);
  }
  if (line->x->len == 0)
    g_ptr_array_remove (plot->lines, line);
}

void
papers_plot_bars (PapersPlot * plot, const gchar * group, guint n, const gchar * const *names,
    const gdouble * values)
{
  gdouble place = plot->groups->len;

  for (guint i = 0; i < n; i++) {
    Line *line = i < plot->lines->len ? g_ptr_array_index (plot->lines, i) : add_line (plot, names[i]);

    if (isnan (values[i]))
      continue;
    g_array_append_val (line->x, place);
    g_array_append_val (line->y, values[i]);
  }
  g_ptr_array_add (plot->groups, g_markup_escape_text (group, -1));
}

/* Finds the range of one coordinate of all lines. */
static void
find_range (PapersPlot * plot, gboolean is_y, gdouble * low, gdouble * high)
{
  *low = G_MAXDOUBLE;
  *high = -G_MAXDOUBLE;
  for (guint i = 0; i < plot->lines->len; i++) {
    const Line *line = g_ptr_array_index (plot->lines, i);
    const GArray *values = is_y ? line->y : line->x;

    for (guint j = 0; j < values->len; j++) {
      *low = MIN (*low, g_array_index (values, gdouble, j));
      *high = MAX (*high, g_array_index (values, gdouble, j));
    }
  }
}

static void
add_text (GString * svg, gdouble x, gdouble y, const gchar * attributes, const gchar * text)
{
  g_string_append_printf (svg, "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", x, y, attributes, text);
}

/* One axis of a plot: how values are mapped to positions */
typedef struct
{
  gboolean log;
  gdouble low, high;            /* logarithms if log */
  gdouble begin, length;        /* of places */
} Axis;

static gdouble
axis_place (const Axis * axis, gdouble value)
{
  gdouble v = axis->log ? log10 (value) : value;

  return axis->begin + axis->length * (v - axis->low) / (axis->high - axis->low);
}

static void
axis_init (Axis * axis, PapersPlot * plot, gboolean is_y)
{
  gdouble low, high, margin;

  find_range (plot, is_y, &low, &high);
  axis->log = is_y ? plot->log_y : plot->log_x;
  axis->low = axis->log ? log10 (low) : is_y ? 0 : low;
  axis->high = axis->log ? log10 (high) : high;
  margin = 0.04 * MAX (axis->high - axis->low, 0.1);
  axis->high += margin;
  if (axis->log || !is_y)
    axis->low -= margin;
  axis->begin = is_y ? TOP + HEIGHT : LEFT;
  axis->length = is_y ? -HEIGHT : WIDTH - LEFT - RIGHT;
}

/* Draws a grid line through the plot with the number at the edge. */
static void
add_tick (GString * svg, const Axis * axis, gboolean is_y, gdouble value)
{
  gdouble at = axis_place (axis, value);
  gchar text[32];

  /* Prints a round number without zeros after the decimal point. */
  g_snprintf (text, sizeof (text), value < 1000 ? "%g" : "%.0f", g_ascii_strtod (papers_number (value), NULL));
  if (is_y) {
    g_string_append_printf (svg, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", LEFT, at,
        WIDTH - RIGHT, at);
    add_text (svg, LEFT - 6, at + 4, " text-anchor=\"end\" font-size=\"11\"", text);
  } else {
    g_string_append_printf (svg, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>\n", at, TOP,
        at, TOP + HEIGHT);
    add_text (svg, at, TOP + HEIGHT + 16, " text-anchor=\"middle\" font-size=\"11\"", text);
  }
}

static void
add_ticks (GString * svg, const Axis * axis, gboolean is_y)
{
  if (axis->log) {
    gboolean fine = axis->high - axis->low < 3.2;

    for (gint e = (gint) floor (axis->low); e <= (gint) ceil (axis->high); e++)
      for (gint m = 1; m <= 5; m += m == 1 ? 1 : 3) {
        gdouble v = log10 (m) + e;

        if (v >= axis->low && v <= axis->high && (m == 1 || fine))
          add_tick (svg, axis, is_y, m * pow (10, e));
      }
  } else {
    gdouble step = pow (10, floor (log10 ((axis->high - axis->low) / 3)));

    if ((axis->high - axis->low) / step > 12)
      step *= 5;
    else if ((axis->high - axis->low) / step > 7)
      step *= 2;
    for (gdouble v = ceil (axis->low / step) * step; v <= axis->high; v += step)
      add_tick (svg, axis, is_y, fabs (v) < step / 2 ? 0 : v);
  }
}

static void
draw_lines (PapersPlot * plot, GString * svg)
{
  Axis x, y;

  axis_init (&x, plot, FALSE);
  axis_init (&y, plot, TRUE);
  add_ticks (svg, &x, FALSE);
  add_ticks (svg, &y, TRUE);
  g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888888\"/>\n",
      LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT);
  add_text (svg, LEFT + (WIDTH - LEFT - RIGHT) / 2, TOP + HEIGHT + 36, " text-anchor=\"middle\"", plot->x);
  add_text (svg, 8, TOP - 8, " font-size=\"12\"", plot->y);
  for (guint i = 0; i < plot->lines->len; i++) {
    const Line *line = g_ptr_array_index (plot->lines, i);
    const gchar *colour = colours[i % G_N_ELEMENTS (colours)];
    const gchar *dash = i >= G_N_ELEMENTS (colours) ? " stroke-dasharray=\"6 3\"" : "";

    g_string_append_printf (svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour, dash);
    for (guint j = 0; j < line->x->len; j++)
      g_string_append_printf (svg, "%s%.1f,%.1f", j > 0 ? " " : "", axis_place (&x, g_array_index (line->x, gdouble,
                  j)), axis_place (&y, g_array_index (line->y, gdouble, j)));
    g_string_append (svg, "\"/>\n");
    for (guint j = 0; j < line->x->len; j++)
      g_string_append_printf (svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", axis_place (&x,
              g_array_index (line->x, gdouble, j)), axis_place (&y, g_array_index (line->y, gdouble, j)), colour);
    g_string_append_printf (svg, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"%s/>\n",
        WIDTH - RIGHT + 10, TOP + 10 + (gint) i * 20, WIDTH - RIGHT + 30, TOP + 10 + (gint) i * 20, colour, dash);
    add_text (svg, WIDTH - RIGHT + 36, TOP + 14 + i * 20, " font-size=\"11\"", line->name);
  }
}

static gint
bars_height (PapersPlot * plot)
{
  return TOP + 26 + plot->groups->len * (plot->lines->len * BAR + 10);
}

static void
draw_bars (PapersPlot * plot, GString * svg)
{
  guint n = plot->lines->len;
  gdouble low, high, x = 8;

  find_range (plot, TRUE, &low, &high);
  for (guint i = 0; i < n; i++) {
    const Line *line = g_ptr_array_index (plot->lines, i);

    g_string_append_printf (svg, "<rect x=\"%.1f\" y=\"36\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x,
        colours[i % G_N_ELEMENTS (colours)]);
    add_text (svg, x + 17, 46, " font-size=\"12\"", line->name);
    x += 34 + 6.6 * strlen (line->name);
    for (guint j = 0; j < line->x->len; j++) {
      gdouble value = g_array_index (line->y, gdouble, j), width;
      gdouble y = TOP + 16 + g_array_index (line->x, gdouble, j) * (n * BAR + 10) + i * BAR;

      /* Makes the shortest bar of a logarithmic plot a tenth of the width. */
      width = plot->log_y ? (high > low ? 0.1 + 0.9 * log (value / low) / log (high / low) : 1) : value / high;
      width *= WIDTH - LABELS - 70;
      g_string_append_printf (svg, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", LABELS, y,
          width, BAR - 2, colours[i % G_N_ELEMENTS (colours)]);
      add_text (svg, LABELS + width + 4, y + 11, " font-size=\"11\"", papers_number (value));
    }
  }
  for (guint i = 0; i < plot->groups->len; i++)
    add_text (svg, LABELS - 8, TOP + 16 + i * (n * BAR + 10) + n * BAR / 2.0 + 4, " text-anchor=\"end\"",
        g_ptr_array_index (plot->groups, i));
}

static void
plot_free (PapersPlot * plot)
{
  g_free (plot->title);
  g_free (plot->x);
  g_free (plot->y);
  g_ptr_array_unref (plot->lines);
  g_ptr_array_unref (plot->groups);
  g_free (plot);
}

void
papers_plot_end (PapersPlot * plot, PapersPage * page, const gchar * file, const gchar * description)
{
  gchar *name = g_strdup_printf ("images/%s-%s.svg", page->name, file);
  gchar *path = g_build_filename (page->folder, name, NULL);
  gint height = plot->groups->len > 0 ? bars_height (plot) : TOP + HEIGHT + 50;
  GString *svg = g_string_new (NULL);
  GMarkupParser parser = { NULL };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
  GError *error = NULL;

  if (plot->lines->len == 0)
    goto done;
  g_string_append_printf (svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, height, WIDTH, height, WIDTH, height);
  add_text (svg, 8, 20, " font-size=\"15\"", plot->title);
  if (plot->groups->len > 0)
    draw_bars (plot, svg);
  else
    draw_lines (plot, svg);
  g_string_append (svg, "</svg>\n");
  if (!g_markup_parse_context_parse (context, svg->str, svg->len, &error)
      || !g_markup_parse_context_end_parse (context, &error)
      || !g_file_set_contents (path, svg->str, svg->len, &error)) {
    papers_check (FALSE, "%s: %s", name, error->message);
    g_clear_error (&error);
  }
  papers_check (strstr (svg->str, "nan") == NULL, "%s has a number that is none", name);
  papers_text (page, "\n![%s](%s)\n", description, name);

done:
  g_markup_parse_context_free (context);
  g_string_free (svg, TRUE);
  g_free (path);
  g_free (name);
  plot_free (plot);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes part models of one component, in OpenCV's file format. */
#pragma once

#include <glib.h>
#include <string.h>

/* Appends a matrix to the text. @numbers: number of the values in a row */
static inline void
add_matrix (GString * text, gint rows, gint numbers, gdouble weight)
{
  g_string_append_printf (text, "<rows>%d</rows><cols>%d</cols><dt>d</dt><data>",
      rows, numbers);
  for (gint i = 0; i < rows * numbers; i++)
    g_string_append_printf (text, "%s%.4f", i % 8 ? " " : "\n",
        weight * (1 + i % 5));
  g_string_append (text, "</data>\n");
}

static inline void
add_filter (GString * text, gint rows, gint numbers, gdouble weight)
{
  g_string_append (text, "<_ type_id=\"opencv-matrix\">");
  add_matrix (text, rows, numbers, weight);
  g_string_append (text, "</_>\n");
}

/* Returns the text of a model that has a root of 2 x 3 cells and two parts of 1 x 2 and 2 x 1 cells. */
static inline gchar *
make_model (void)
{
  GString *text = g_string_new ("<?xml version=\"1.0\"?>\n<opencv_storage>\n"
      "<SBin>8</SBin>\n<NumComponents>1</NumComponents>\n"
      "<NumFeatures>32</NumFeatures>\n<Interval>5</Interval>\n"
      "<ScoreThreshold>-0.5</ScoreThreshold>\n<Bias>\n-1.25</Bias>\n"
      "<RootFilters>\n");

  add_filter (text, 2, 3 * 32, 0.01);
  g_string_append (text, "</RootFilters>\n<PartFilters>\n");
  add_filter (text, 1, 2 * 32, 0.02);
  add_filter (text, 2, 32, 0.03);
  g_string_append (text, "</PartFilters>\n"
      "<Anchor><_>1. 2.</_><_>-3. 0.</_></Anchor>\n"
      "<Deformation><_>0.1 0.01 0.2 -0.02</_><_>0.3 0. 0.4 0.</_>"
      "</Deformation>\n<NumParts>2.</NumParts>\n"
      "<LocationWeight><_>0.5 0.25 -1.</_></LocationWeight>\n"
      "</opencv_storage>\n");
  return g_string_free (text, FALSE);
}

/* Frees @model. Returns: a copy of @model in which the first occurrence of @from is replaced by
 * @to */
static inline gchar *
change_model (gchar * model, const gchar * from, const gchar * to)
{
  const gchar *at = strstr (model, from);
  gchar *changed;

  g_assert (at != NULL);
  changed = g_strdup_printf ("%.*s%s%s", (gint) (at - model), model, to,
      at + strlen (from));
  g_free (model);
  return changed;
}

/* Returns: the model with the fields that a cascade requires: three features, and an order of the
 * parts that puts the second part before the first */
static inline gchar *
make_cascade_model (void)
{
  g_autoptr (GString) text = g_string_new ("<PCAcoeff type_id=\"opencv-matrix\">");
  gchar *model;

  add_matrix (text, 32, 3, 0.11);
  g_string_append (text, "</PCAcoeff>\n<RootPCAFilters>\n");
  add_filter (text, 2, 3 * 3, 0.04);
  g_string_append (text, "</RootPCAFilters>\n<PartPCAFilters>\n");
  add_filter (text, 1, 2 * 3, 0.05);
  add_filter (text, 2, 3, 0.06);
  g_string_append (text, "</PartPCAFilters>\n"
      "<PartOrder><_>0. 2. 1. 0. 2. 1.</_></PartOrder>\n"
      "<PrunThreshold><_>-9. -0.9 -9. -0.8 -9. -0.7 -9. -0.6 -9. -0.5 -9. -0.5"
      "</_></PrunThreshold>\n</opencv_storage>\n");
  model = change_model (make_model (), "</opencv_storage>\n", text->str);
  return model;
}

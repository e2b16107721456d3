/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the readers of part model files with valid, broken and mutated files. */
#include <sys/stat.h>
#include <gio/gio.h>
#include <gst/models/dpm-load.h>
#include <math.h>
#include <string.h>

#ifdef HAVE_MATIO
#include <matio.h>
#endif

#include "../dpmmodel.h"
#include "../file.h"

#define INRIA "/usr/share/doc/opencv-doc/examples/dpm/data/inriaperson.xml"

static void
setup (void)
{
  file_begin ("two.words.xml");
}

static MgpuDpmModel *
load_text (const gchar * text, gssize length, GError ** error)
{
  replace_file (path, text, length);
  return mgpu_dpm_model_load (path, error);
}

/* Checks that loading fails, with the file's name and @words in the error message. */
static void
expect_error (const gchar * name, const gchar * words)
{
  g_autoptr (GError) error = NULL;
  MgpuDpmModel *model = mgpu_dpm_model_load (name, &error);

  fail_unless (model == NULL, "no error of \"%s\"", words);
  fail_unless (g_str_has_prefix (error->message, name), "%s", error->message);
  fail_unless (strstr (error->message, words) != NULL, "\"%s\" instead of "
      "\"%s\"", error->message, words);
  /* Checks that the error message is valid UTF-8, whatever the file contains. */
  fail_unless (g_utf8_validate (error->message, -1, NULL));
  fail_unless (strlen (error->message) < 400, "%s", error->message);
}

/* ---- XML --------------------------------------------------------------------- */

GST_START_TEST (test_xml)
{
  g_autofree gchar *text = make_model ();
  GError *error = NULL;
  MgpuDpmModel *m = load_text (text, -1, &error);
  const MgpuDpmComponent *c;

  fail_unless (m != NULL, "%s", error ? error->message : "");
  fail_unless_equals_string (m->name, "two.words");
  fail_unless_equals_int (m->cell_size, 8);
  fail_unless_equals_int (m->interval, 5);
  fail_if (m->extra_octave);
  fail_unless_equals_float (m->threshold, -0.5f);
  fail_unless_equals_int (m->n_components, 1);
  c = m->components;
  fail_unless_equals_float (c->offset, -1.25f);
  fail_unless_equals_float (c->location[2], -1.0f);
  fail_unless_equals_int (c->root.rows, 2);
  fail_unless_equals_int (c->root.columns, 3);
  fail_unless_equals_int (c->window_rows, 2);
  fail_unless_equals_int (c->window_columns, 3);
  fail_unless_equals_float (c->root.weights[2 * 3 * 32 - 1], 0.02f);
  fail_unless_equals_int (c->n_parts, 2);
  fail_unless_equals_int (c->parts[0].filter.columns, 2);
  fail_unless_equals_int (c->parts[1].filter.rows, 2);
  fail_unless_equals_int (c->parts[1].x, -3);
  fail_unless_equals_int (c->parts[0].y, 2);
  fail_unless_equals_float (c->parts[0].deformation[3], -0.02f);
  mgpu_dpm_model_free (m);
}

GST_END_TEST;

/* The file contains the numbers for a cascade. */
GST_START_TEST (test_xml_cascade)
{
  g_autofree gchar *text = make_cascade_model ();
  GError *error = NULL;
  MgpuDpmModel *m = load_text (text, -1, &error);
  const MgpuDpmComponent *c;

  fail_unless (m != NULL, "%s", error ? error->message : "");
  c = m->components;
  fail_unless_equals_int (m->n_pca, 3);
  fail_unless_equals_float (m->pca[3 * 32 - 1], 0.11f);
  fail_unless_equals_int (c->root_pca.columns, 3);
  fail_unless_equals_float (c->root_pca.weights[2 * 3 * 3 - 1], 0.12f);
  fail_unless_equals_float (c->parts[1].pca.weights[0], 0.06f);
  fail_unless_equals_int (c->order[0], 1);
  fail_unless_equals_int (c->order[1], 0);
  fail_unless_equals_float (c->limits[0], -0.9f);
  fail_unless_equals_float (c->limits[1], -0.8f);
  fail_unless_equals_float (c->limits[2], -0.7f);
  mgpu_dpm_model_free (m);
}

GST_END_TEST;

/* Tests that a cascade is computed for a model file without one. The weights of this model are so
 * similar that the scores of the reduced features equal the scores of all features. */
GST_START_TEST (test_make_cascade)
{
  g_autofree gchar *text = make_model ();
  MgpuDpmModel *m = load_text (text, -1, NULL);
  const MgpuDpmComponent *c = m->components;
  const gfloat *pca = m->pca;

  fail_unless (m->n_pca > 1 && m->n_pca <= MGPU_DPM_MAX_PCA);
  fail_unless_equals_int (c->root_pca.rows, c->root.rows);
  fail_unless_equals_int (c->parts[1].pca.rows, 2);
  fail_unless_equals_int (c->order[0], 0);
  fail_unless_equals_int (c->order[1], 1);
  fail_unless (c->limits[0] == MGPU_DPM_NO_LIMIT);
  fail_unless (fabsf (c->limits[2] + 0.5f) < 1e-3f);
  for (gint i = 0; i < c->root.rows * c->root.columns; i++)
    for (gint f = 0; f < MGPU_DPM_FEATURES; f++) {
      gfloat sum = 0;

      for (gint k = 0; k < m->n_pca; k++)
        sum += pca[m->n_pca * f + k] * c->root_pca.weights[m->n_pca * i + k];
      fail_unless (fabsf (sum - c->root.weights[MGPU_DPM_FEATURES * i + f])
          < 1e-6f);
    }
  mgpu_dpm_model_free (m);
}

GST_END_TEST;

typedef struct
{
  const gchar *from, *to, *words;
} Change;

/* Returns: a file with @n elements within the outermost element */
static gchar *
make_elements (guint n)
{
  GString *text = g_string_new ("<opencv_storage>");

  while (n-- > 0)
    g_string_append (text, "<_/>");
  g_string_append (text, "</opencv_storage>");
  return g_string_free (text, FALSE);
}

/* Checks changes to the file, each of which makes it a model that cannot be loaded. */
static void
check_changes (gchar * (*make) (void), const Change * changes, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *text =
        change_model (make (), changes[i].from, changes[i].to);

    replace_file (path, text, -1);
    expect_error (path, changes[i].words);
  }
}

GST_START_TEST (test_xml_cascade_errors)
{
  static const Change changes[] = {
    {"<cols>3<", "<cols>0<", "PCAcoeff: cols is 0"},
    {"<cols>3<", "<cols>17<", "PCAcoeff: cols is 17"},
    {"<rows>32", "<rows>33", "PCAcoeff has fewer than 99"},
    {"0.1100", "nan", "PCAcoeff: number 1 is nan"},
    {"0.1100", "x", "PCAcoeff: \"x\" is not a number"},
    {"RootPCAFilters>", "RootPCA>", "neither a part model"},
    {"<RootPCAFilters>", "<RootPCAFilters><_/>",
        "RootPCAFilters has 2 elements"},
    {"<rows>2</rows><cols>9<", "<rows>3</rows><cols>6<",
        "RootPCAFilters: element 1 has 2 x 3 cells, but the filter has 3"},
    {"<cols>9<", "<cols>8<", "RootPCAFilters, element 1: cols is 8"},
    {"<PartPCAFilters>", "<PartPCAFilters><_/>",
        "PartPCAFilters has 3 elements"},
    {"0. 2. 1. 0.", "1. 2. 1. 0.", "PartOrder is 1, but it has to be an int"},
    {"0. 2. 1. 0.", "0. 2. 3. 0.", "PartOrder is 3"},
    {"0. 2. 1. 0.", "0. 2. 2. 0.", "PartOrder: element 1 contains part 2 twice"},
    {"0. 2. 1. 0.", "0. 2. 1.", "PartOrder, element 1 has fewer than 6"},
    {"-9. -0.9", "-0.9", "PrunThreshold, element 1 has fewer than 12"},
    {"-9. -0.9", "-9. inf", "PrunThreshold, element 1: number 2 is inf"},
  };

  check_changes (make_cascade_model, changes, G_N_ELEMENTS (changes));
}

GST_END_TEST;

GST_START_TEST (test_xml_errors)
{
  static const Change changes[] = {
    {"<opencv_storage>", "<svg>", "outermost element is \"svg\""},
    {"</opencv_storage>", "", "neither a part model"},
    {"<SBin>8</SBin>", "", "SBin is missing"},
    {"<SBin>8", "<SBin>9", "SBin is 9, but it has to be an integer from 4"},
    {"<SBin>8", "<SBin>6", "SBin is 6, but it has to be 4 or 8"},
    {"<SBin>8", "<SBin>8 8", "SBin has more than 1 numbers"},
    {"<SBin>8", "<SBin>", "SBin has fewer than 1 numbers"},
    {"<SBin>8", "<SBin>eight", "SBin: \"eight\" is not a number"},
    {"<NumComponents>1", "<NumComponents>0", "NumComponents is 0"},
    {"<NumComponents>1", "<NumComponents>1e5", "NumComponents is 100000"},
    {"<NumComponents>1", "<NumComponents>2", "RootFilters has 1 elements"},
    {"<NumFeatures>32", "<NumFeatures>31", "NumFeatures is 31"},
    {"<Interval>5", "<Interval>5.5", "Interval is 5.5"},
    {"<ScoreThreshold>-0.5", "<ScoreThreshold>nan", "ScoreThreshold: number 1"},
    {"<Bias>\n-1.25", "<Bias>inf", "Bias: number 1 is inf"},
    {"<Bias>", "<Bies>", "neither a part model"},
    {"<RootFilters>", "<RootFilters><_/>", "RootFilters has 2 elements"},
    {"<rows>2", "<rows>0", "RootFilters, element 1: rows is 0"},
    {"<rows>2", "<rows>1e6", "RootFilters, element 1: rows is 1e+06"},
    {"<rows>2", "<rows>3", "RootFilters, element 1 has fewer than 288"},
    {"<rows>2</rows>", "", "RootFilters, element 1 has no \"rows\""},
    {"<cols>96", "<cols>95", "cols is 95, but it has to be a multiple of"},
    {"<cols>96", "<cols>64", "RootFilters, element 1 has more than 128"},
    {"<data>", "<data>1e7 ", "RootFilters, element 1 has more than"},
    {"0.0100", "1e7", "RootFilters, element 1: number 1 is 1e+07"},
    {"0.0100", "-nan", "RootFilters, element 1: number 1 is"},
    {"0.0100", "0.01x", "RootFilters, element 1: \"0.01x\" is not a number"},
    {"<PartFilters>", "<PartFilters><_/>", "PartFilters has 3 elements"},
    {"<_>1. 2.", "<_>1. 2.5", "Anchor is 2.5"},
    {"<_>1. 2.", "<_>1. 2000", "Anchor is 2000"},
    {"<_>1. 2.</_>", "", "Anchor has 1 elements instead of 2"},
    {"0.2 -0.02", "0.2", "Deformation, element 1 has fewer than 4"},
    {"<NumParts>2.", "<NumParts>-1.", "NumParts is -1"},
    {"<NumParts>2.", "<NumParts>1.", "PartFilters has 2 elements instead of 1"},
    {"0.5 0.25 -1.", "0.5 0.25", "LocationWeight, element 1 has fewer than 3"},
    {"<SBin>", "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><SBin>",
        "nested too deeply, at depth"},
  };
  gchar *text;

  check_changes (make_model, changes, G_N_ELEMENTS (changes));
  replace_file (path, "", 0);
  expect_error (path, "the file is empty");
  replace_file (path, "\x89PNG\r\n\x1a\n\0\0", 10);
  expect_error (path, "neither a part model in OpenCV's XML format nor a");
  replace_file (path, "<!-- empty -->\n", -1);
  expect_error (path, "neither a part model in OpenCV's XML format nor a");
  text = g_strnfill (20000, '\xff');
  replace_file (path, text, -1);
  expect_error (path, "neither a part model in OpenCV's XML format nor a");
  g_free (text);
  text = change_model (make_model (), "<SBin>8", "<SBin>\xc3 8");
  replace_file (path, text, -1);
  expect_error (path, "neither a part model in OpenCV's XML format nor a");
  g_free (text);
  /* Tests a small file that requires a lot of memory when it is loaded. */
  text = make_elements (65536);
  replace_file (path, text, -1);
  expect_error (path, "there are more than 65536 elements");
  g_free (text);
  expect_error (folder, "the file cannot be read: the file is a directory");
  g_remove (path);
  expect_error (path, "the file cannot be read");
  /* Tests a pipe to which nobody writes. */
  fail_unless_equals_int (mkfifo (path, 0600), 0);
  expect_error (path, "a pipe");
}

GST_END_TEST;

/* Checks that all numbers of a loaded model are plausible. */
static void
check_model (const MgpuDpmModel * m)
{
  fail_unless (m->n_components > 0);
  for (guint i = 0; i < m->n_components; i++) {
    const MgpuDpmComponent *c = m->components + i;

    for (guint j = 0; j <= c->n_parts; j++) {
      const MgpuDpmFilter *f = j == 0 ? &c->root : &c->parts[j - 1].filter;

      fail_unless (f->rows > 0 && f->rows <= MGPU_DPM_MAX_SIDE);
      fail_unless (f->columns > 0 && f->columns <= MGPU_DPM_MAX_SIDE);
      for (gint k = 0; k < f->rows * f->columns * MGPU_DPM_FEATURES; k++)
        fail_unless (fabsf (f->weights[k]) <= MGPU_DPM_MAX_NUMBER);
    }
  }
}

/* Tests truncated files, and files with some changed bytes. */
GST_START_TEST (test_xml_mutations)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree gchar *text = make_cascade_model ();
  gsize length = strlen (text);
  guint n_loaded = 0, n = 400;

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *bad = g_memdup2 (text, length);
    gssize bad_length = i % 2 ? (gssize) length
        : g_rand_int_range (random, 0, length);
    GError *error = NULL;
    MgpuDpmModel *model;

    for (guint j = 0; i % 2 && j <= i % 4 / 2; j++)
      bad[g_rand_int_range (random, 0, length)] =
          i % 3 ? "0123456789 .-enx<>/&"[g_rand_int_range (random, 0, 20)]
          : g_rand_int_range (random, -128, 128);
    model = load_text (bad, bad_length, &error);
    fail_unless ((model == NULL) == (error != NULL));
    if (model != NULL) {
      check_model (model);
      mgpu_dpm_model_free (model);
      n_loaded++;
    } else {
      fail_unless (g_str_has_prefix (error->message, path));
      g_clear_error (&error);
    }
  }
  /* A file with a changed digit may still be a valid model. */
  fail_unless (n_loaded > 0 && n_loaded < n / 2, "%u of %u", n_loaded, n);
}

GST_END_TEST;

/* ---- MATLAB files ------------------------------------------------------------ */

#ifdef HAVE_MATIO

/* Faults in the file that is written: name of a field that is left out, and name of a field whose
 * first number is replaced by @changed_to */
static const gchar *left_out, *changed;
static gdouble changed_to;

static matvar_t *
numbers (const gchar * name, gint n, const gdouble * values)
{
  gsize dims[2] = { 1, n };
  g_autofree gdouble *copy = g_memdup2 (values, n * sizeof (gdouble));
  matvar_t *var;

  if (g_strcmp0 (name, changed) == 0 && changed != NULL)
    copy[0] = changed_to;
  var = Mat_VarCreate (name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, copy, 0);
  return var;
}

static matvar_t *
number (const gchar * name, gdouble value)
{
  return numbers (name, 1, &value);
}

/* Returns a structure array of @n elements; @fields contains the fields of all elements, and ends
 * with NULL (transfer full). */
static matvar_t *
structure (const gchar * name, gint n, matvar_t ** fields)
{
  const gchar *names[16];
  gsize dims[2] = { 1, n };
  guint n_names = 0, n_fields = 0;
  matvar_t *var;

  while (fields[n_fields] != NULL)
    n_fields++;
  for (guint i = 0; i < n_fields / n; i++)
    if (left_out == NULL || strcmp (fields[i]->name, left_out) != 0)
      names[n_names++] = fields[i]->name;
  var = Mat_VarCreateStruct (name, 2, dims, names, n_names);
  for (guint i = 0; i < n_fields; i++)
    if (left_out == NULL || strcmp (fields[i]->name, left_out) != 0)
      Mat_VarSetStructFieldByName (var, fields[i]->name, i / (n_fields / n),
          fields[i]);
    else
      Mat_VarFree (fields[i]);
  return var;
}

/* Returns the field @name, which contains the number of a parameter block. */
static matvar_t *
label (const gchar * name, gint block)
{
  return structure (name, 1, (matvar_t *[]) {
        number ("blocklabel", block), number ("flip", 0), NULL});
}

static matvar_t *
cells (const gchar * name, gint n, matvar_t ** elements)
{
  gsize dims[2] = { 1, n };

  return Mat_VarCreate (name, MAT_C_CELL, MAT_T_CELL, 2, dims, elements, 0);
}

static matvar_t *
deform_rule (gdouble terminal, gint cost)
{
  return structure (NULL, 1, (matvar_t *[]) {
        number ("rhs", terminal), label ("offset", 3), label ("loc", 4),
        label ("def", cost), NULL});
}

/* Makes the rules of the grammar, with the symbols 1 start, 2 root, 3 root's filter, 4 part, 5
 * part's filter. */
static matvar_t *
make_rules (void)
{
  matvar_t *anchor[2] = {
    numbers (NULL, 3, (gdouble[]) {0, 0, 0}),
    numbers (NULL, 3, (gdouble[]) {2, 1, 1})
  };
  matvar_t *start = structure (NULL, 1, (matvar_t *[]) {
    numbers ("rhs", 2, (gdouble[]) {2, 4}),
    numbers ("detwindow", 2, (gdouble[]) {3, 2}),
    numbers ("shiftwindow", 2, (gdouble[]) {1, 0}),
    cells ("anchor", 2, anchor), label ("offset", 5), label ("loc", 6), NULL});
  matvar_t *rules[5] = { start, deform_rule (3, 7),
    numbers (NULL, 1, (gdouble[]) {0}), deform_rule (5, 8),
    numbers (NULL, 1, (gdouble[]) {0})
  };

  return cells ("rules", 5, rules);
}

/* Makes two filters of the same parameter block of 1 x 2 cells, the second one flipped. */
static matvar_t *
make_filters (void)
{
  return structure ("filters", 2, (matvar_t *[]) {
        number ("blocklabel", 1), number ("flip", 0),
        number ("blocklabel", 1), number ("flip", 1), NULL});
}

static matvar_t *
make_blocks (void)
{
  static const struct
  {
    gint n;
    gdouble w[4];
  } small[] = {
    {1, {9}}, {1, {0}}, {3, {0}}, {1, {-0.2}}, {3, {1, 2, 3}},
    {4, {1000, 0, 1000, 0}}, {4, {0.1, 0.02, 0.3, 0.04}}
  };
  matvar_t *fields[17] = { NULL, };
  gdouble w[64];
  guint n = 0;

  for (guint i = 0; i < 64; i++)
    w[i] = i;
  fields[n++] = numbers ("w", 64, w);
  fields[n++] = numbers ("shape", 3, (gdouble[]) {1, 2, 32});
  for (guint i = 0; i < G_N_ELEMENTS (small); i++) {
    fields[n++] = numbers ("w", small[i].n, small[i].w);
    fields[n++] = numbers ("shape", 3, (gdouble[]) {1, 1, small[i].n});
  }
  return structure ("blocks", 8, fields);
}

static void
write_mat_as (enum matio_compression compression)
{
  mat_t *mat = Mat_CreateVer (path, NULL, MAT_FT_MAT5);
  gsize dims[2] = { 1, 3 };
  matvar_t *var = structure ("model", 1, (matvar_t *[]) {
    Mat_VarCreate ("class", MAT_C_CHAR, MAT_T_UINT8, 2, dims, "car", 0),
    number ("start", 1), number ("sbin", 8), number ("interval", 10),
    number ("thresh", -1.5), make_filters (), make_rules (), make_blocks (),
    structure ("symbols", 5, (matvar_t *[]) {
      number ("filter", 0), number ("filter", 0), number ("filter", 1),
      number ("filter", 0), number ("filter", 2), NULL}),
    structure ("features", 1, (matvar_t *[]) {
      number ("dim", 32), number ("truncation_dim", 32),
      number ("extra_octave", 1), number ("bias", 10), NULL}),
    NULL});

  fail_unless (mat != NULL);
  fail_unless (Mat_VarWrite (mat, var, compression) == 0);
  Mat_VarFree (var);
  Mat_Close (mat);
}

static void
write_mat (void)
{
  write_mat_as (MAT_COMPRESSION_NONE);
}

GST_START_TEST (test_mat)
{
  const MgpuDpmComponent *c;
  GError *error = NULL;
  MgpuDpmModel *m;

  left_out = changed = NULL;
  write_mat ();
  m = mgpu_dpm_model_load (path, &error);
  fail_unless (m != NULL, "%s", error ? error->message : "");
  fail_unless_equals_string (m->name, "car");
  fail_unless (m->extra_octave);
  fail_unless_equals_int (m->interval, 10);
  fail_unless_equals_float (m->threshold, -1.5f);
  fail_unless_equals_int (m->n_components, 1);
  c = m->components;
  /* The offset is 10 times -0.2, summed with 0 of the root's and of the part's rules. */
  fail_unless_equals_float (c->offset, -2.0f);
  fail_unless_equals_float (c->location[1], 2.0f);
  fail_unless_equals_int (c->window_rows, 3);
  fail_unless_equals_int (c->window_columns, 2);
  fail_unless_equals_int (c->shift_y, 1);
  fail_unless_equals_int (c->n_parts, 1);
  fail_unless_equals_int (c->root.rows, 1);
  fail_unless_equals_int (c->root.columns, 2);
  for (guint x = 0; x < 2; x++)
    for (guint f = 0; f < 32; f++)
      fail_unless_equals_float (c->root.weights[x * 32 + f], x + 2 * f);
  /* Feature 0 of the flipped filter is feature number 9 of the other column. */
  fail_unless_equals_float (c->parts[0].filter.weights[0], 1 + 2 * 9);
  fail_unless_equals_float (c->parts[0].filter.weights[32 + 31], 0 + 2 * 31);
  fail_unless_equals_float (c->parts[0].deformation[1], 0.02f);
  fail_unless_equals_int (c->parts[0].x, 2);
  fail_unless_equals_int (c->parts[0].y, 1);
  mgpu_dpm_model_free (m);
}

GST_END_TEST;

GST_START_TEST (test_mat_errors)
{
  static const gchar *const fields[] = {
    "class", "start", "sbin", "interval", "thresh", "filters", "rules",
    "blocks", "symbols", "features", "dim", "truncation_dim", "extra_octave",
    "bias", "rhs", "detwindow", "shiftwindow", "anchor", "offset", "loc", "def",
    "blocklabel", "flip", "w", "shape", "filter"
  };
  static const struct
  {
    const gchar *field;
    gdouble number;
    const gchar *words;
  } changes[] = {
    {"start", 0, "model.start is 0"}, {"start", 3, "model.rules{3} has to be"},
    {"sbin", 5, "model.sbin is 5"}, {"interval", 1e5, "model.interval is 1000"},
    {"thresh", NAN, "model.thresh: number 1 is"},
    {"dim", 31, "model.features.dim is 31"},
    {"bias", INFINITY, "model.features.bias: number 1 is inf"},
    {"rhs", 77, "a symbol is 77"}, {"detwindow", 0, "detwindow is 0"},
    {"shiftwindow", -1, "shiftwindow is -1"}, {"blocklabel", 1.5, "blocklabel"},
    {"blocklabel", 99, "model.blocks(99) does not exist"},
    {"w", NAN, "model.blocks(5).w: number 1 is"}, {"flip", 2, "flip is 2"},
    {"shape", 1e5, "a filter's number of rows is 100000"},
    {"shape", 2, "model.blocks(1).w has to be 128 numbers"},
    {"filter", 9, "model.filters(9) does not exist"}
  };
  g_autofree gchar *text = NULL;
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autofree gchar *words =
        g_strdup_printf ("has no field \"%s\"", fields[i]);

    left_out = fields[i];
    write_mat ();
    expect_error (path, words);
  }
  left_out = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    changed = changes[i].field;
    changed_to = changes[i].number;
    write_mat ();
    expect_error (path, changes[i].words);
  }
  changed = NULL;

  /* Tests truncated files. */
  write_mat ();
  fail_unless (g_file_get_contents (path, &text, &length, NULL));
  for (gsize n = 8; n < length; n += n == 127 ? 2 : 1 + n / 16) {
    replace_file (path, text, n);
    expect_error (path, "the MATLAB file ends early");
  }
  g_free (text);

  text = g_strnfill (1024, ' ');
  memcpy (text, "MATLAB 7.3", 10);
  replace_file (path, text, 1024);
  expect_error (path, "save the model with -v7");
}

GST_END_TEST;

/* Appends @count data elements to the file, each of which has 160 MiB when decompressed: zeros, in
 * a well-formed variable. */
static void
append_large (guint count)
{
  const guint32 n = 20 << 20;
  const guint32 head[] = { 14, 48 + 8 * n, 6, 8, 6, 0, 5, 8, 1, n, 1 | 1 << 16,
    'x', 9, 8 * n
  };
  GConverter *converter = G_CONVERTER (g_zlib_compressor_new
      (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 1));
  gsize room = 1 << 20, size = sizeof (head) + 8 * (gsize) n, n_read, n_written;
  g_autofree gchar *from = g_malloc0 (size), *to = g_malloc (room), *text =
      NULL;
  guint32 tag[2] = { 15 };
  g_autoptr (GString) all = NULL;

  memcpy (from, head, sizeof (head));
  fail_unless_equals_int (g_converter_convert (converter, from, size, to, room,
          G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL),
      G_CONVERTER_FINISHED);
  tag[1] = n_written;
  fail_unless (g_file_get_contents (path, &text, &size, NULL));
  all = g_string_new_len (text, size);
  for (guint i = 0; i < count; i++) {
    g_string_append_len (all, (const gchar *) tag, sizeof (tag));
    g_string_append_len (all, to, n_written);
  }
  replace_file (path, all->str, all->len);
  g_object_unref (converter);
}

/* Tests that variables that are small in the file but require gigabytes together are refused. */
GST_START_TEST (test_mat_large)
{
  GError *error = NULL;
  MgpuDpmModel *model;

  left_out = changed = NULL;
  write_mat ();
  append_large (1);
  model = mgpu_dpm_model_load (path, &error);
  fail_unless (model != NULL, "%s", error ? error->message : "");
  mgpu_dpm_model_free (model);
  append_large (1);
  expect_error (path, "the MATLAB file is damaged, or has arrays that do not");
}

GST_END_TEST;

/* Tests elements of cell arrays that have names, which is invalid. */
GST_START_TEST (test_mat_names)
{
  /* Bytes with the dimensions, name and value of a number */
  static const guint32 before[] = { 5, 8, 1, 1, 1, 0, 9, 8 };
  /* Bytes without dimensions, whose name is as long as the replaced value */
  static const guint32 after[] = { 5, 8, 1, 0, 1, 16, 9, 8 };
  g_autofree gchar *text = NULL;
  gchar *at;
  gsize length;

  left_out = changed = NULL;
  write_mat ();
  fail_unless (g_file_get_contents (path, &text, &length, NULL));
  for (at = text + 128; memcmp (at, before, sizeof (before)) != 0; at += 8)
    fail_unless (at + sizeof (before) < text + length);
  memcpy (at, after, sizeof (after));
  replace_file (path, text, length);
  expect_error (path,
      "the MATLAB file is damaged, or has arrays that do not");
}

GST_END_TEST;

/* Loads files with some flipped bits: loading always ends soon, and without a crash. */
GST_START_TEST (test_mat_mutations)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (__i__);
  guint n_loaded = 0, n = 300;
  g_autofree gchar *text = NULL;
  gsize length;

  left_out = changed = NULL;
  write_mat_as (__i__ ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
  fail_unless (g_file_get_contents (path, &text, &length, NULL));
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *bad = g_memdup2 (text, length);
    g_autoptr (GError) error = NULL;
    MgpuDpmModel *model;

    for (guint j = 0; j <= i % 4; j++)
      bad[g_rand_int_range (random, 126, length)] ^=
          1 << g_rand_int_range (random, 0, 8);
    model = load_text (bad, length, &error);
    fail_unless ((model == NULL) == (error != NULL));
    if (model != NULL) {
      check_model (model);
      mgpu_dpm_model_free (model);
      n_loaded++;
    }
  }
  GST_INFO ("%u of %u", n_loaded, n);
  fail_unless (n_loaded < n / 2);
}

GST_END_TEST;
#endif

/* ---- Models trained by others ------------------------------------------------ */

#ifdef HAVE_MATIO
static void
compare_filters (const MgpuDpmFilter * a, const MgpuDpmFilter * b)
{
  fail_unless_equals_int (a->rows, b->rows);
  fail_unless_equals_int (a->columns, b->columns);
  for (gint i = 0; i < a->rows * a->columns * MGPU_DPM_FEATURES; i++)
    fail_unless (fabsf (a->weights[i] - b->weights[i]) < 1e-6f, "weight %d: "
        "%g and %g", i, a->weights[i], b->weights[i]);
}

/* OpenCV's file was converted from the other file. */
static void
compare_models (const MgpuDpmModel * a, const MgpuDpmModel * b)
{
  fail_unless_equals_int (a->n_components, b->n_components);
  for (guint i = 0; i < a->n_components; i++) {
    const MgpuDpmComponent *p = a->components + i, *q = b->components + i;

    compare_filters (&p->root, &q->root);
    fail_unless_equals_int (p->n_parts, q->n_parts);
    fail_unless (fabsf (p->offset - q->offset) < 1e-5f);
    fail_unless (fabsf (p->location[2] - q->location[2]) < 1e-6f);
    for (guint j = 0; j < p->n_parts; j++) {
      compare_filters (&p->parts[j].filter, &q->parts[j].filter);
      fail_unless_equals_int (p->parts[j].x, q->parts[j].x);
      fail_unless_equals_int (p->parts[j].y, q->parts[j].y);
      for (guint k = 0; k < 4; k++)
        fail_unless (fabsf (p->parts[j].deformation[k]
                - q->parts[j].deformation[k]) < 1e-6f);
    }
  }
}

#endif

/* Tests trained models: one in opencv-doc, and those in the folder MGPU_TEST_MODELS. */
GST_START_TEST (test_trained)
{
#ifdef HAVE_MATIO
  static const gchar *const names[] = { "inriaperson", "voc2007_car",
    "voc2007_person"
  };
  const gchar *folder = g_getenv ("MGPU_TEST_MODELS");
#endif
  MgpuDpmModel *xml = NULL;
  GError *error = NULL;

  if (g_file_test (INRIA, G_FILE_TEST_EXISTS)) {
    xml = mgpu_dpm_model_load (INRIA, &error);
    fail_unless (xml != NULL, "%s", error ? error->message : "");
    fail_unless_equals_string (xml->name, "inriaperson");
    fail_unless_equals_int (xml->components[1].n_parts, 8);
    check_model (xml);
  }
#ifdef HAVE_MATIO
  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *name =
        g_strdup_printf ("%s/%s_final.mat", folder, names[i]);
    MgpuDpmModel *mat = mgpu_dpm_model_load (name, &error);

    fail_unless (mat != NULL, "%s", error ? error->message : "");
    check_model (mat);
    if (i == 0 && xml != NULL)
      compare_models (xml, mat);
    mgpu_dpm_model_free (mat);
  }
#endif
  g_clear_pointer (&xml, mgpu_dpm_model_free);
}

GST_END_TEST;

CHECK_TESTS (mgpudpmmodel)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_xml);
  tcase_add_test (tc, test_xml_cascade);
  tcase_add_test (tc, test_make_cascade);
  tcase_add_test (tc, test_xml_errors);
  tcase_add_test (tc, test_xml_cascade_errors);
  tcase_add_test (tc, test_xml_mutations);
#ifdef HAVE_MATIO
  tcase_add_test (tc, test_mat);
  tcase_add_test (tc, test_mat_errors);
  tcase_add_test (tc, test_mat_large);
  tcase_add_test (tc, test_mat_names);
  tcase_add_loop_test (tc, test_mat_mutations, 0, 2);
#endif
  tcase_add_test (tc, test_trained);
}

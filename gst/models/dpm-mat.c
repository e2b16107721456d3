/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads part models from MATLAB files of release 5 of voc-dpm. Such a model is a grammar.
 * Its start symbol has a rule for each component of the model. The first symbol of a
 * component's rule is the root, the others are the parts. Each of these symbols has a
 * deformation rule, which lets the symbol's filter move. */
#include "dpm-file.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

#ifdef HAVE_MATIO
#include <matio.h>

/* Minimum cost of moving a root filter by one cell. With a lower cost, the root could
 * move, but the search assumes that root filters are fixed; files with lower costs are
 * refused. */
#define MIN_ROOT_COST 100

/* First bytes of MATLAB files of version 7.3. These files have the format HDF5, and are
 * refused. */
#define VERSION_7_3 "MATLAB 7.3"

/* Permutation of the features of a HOG cell in a mirrored filter: feature i of the
 * mirrored filter has the weight of feature @mirror[i] of the original filter. */
static const guint8 mirror[MGPU_DPM_FEATURES] = {
  9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 17, 16, 15, 14, 13, 12, 11, 10, 18,
  26, 25, 24, 23, 22, 21, 20, 19, 29, 30, 27, 28, 31
};

typedef struct
{
  const MgpuDpmFile *file;
  matvar_t *filters, *symbols, *rules, *blocks;
  gdouble bias;                 /* factor for the score offsets of all rules of the
                                 * model's grammar */
} Reader;

/* A reference to a structure in a MATLAB file: element @index of @var, an array of
 * structures. @name is the name of the structure in error messages. */
typedef struct
{
  matvar_t *var;
  gsize index;
  gchar name[64];
} Place;

/* ---- Values of fields -------------------------------------------------------- */

static gsize
count (const matvar_t * var)
{
  gsize n = 1;

  if (var == NULL || var->rank < 1 || var->dims == NULL)
    return 0;
  for (gint i = 0; i < var->rank; i++) {
    if (var->dims[i] > G_MAXINT || n * var->dims[i] > G_MAXINT)
      return 0;
    n *= var->dims[i];
  }
  return n;
}

/* Returns: whether the MATLAB variable @var has @n real values of @size bytes each */
static gboolean
has_values (const matvar_t * var, gsize n, gsize size)
{
  return count (var) == n && n > 0 && var->data != NULL && !var->isComplex
      && (gsize) var->data_size == size && var->nbytes >= n * size;
}

static matvar_t *
get_field (const MgpuDpmFile * file, const Place * in, const gchar * name)
{
  gboolean is_there = in->var != NULL && in->var->class_type == MAT_C_STRUCT
      && in->var->data != NULL && in->index < count (in->var);
  gchar *const *names = is_there ? Mat_VarGetStructFieldnames (in->var) : NULL;
  guint n = names != NULL ? Mat_VarGetNumberOfFields (in->var) : 0;
  matvar_t *field = NULL;

  /* Compares the names of fields itself, because libmatio's search by name fails if there
   * are fields whose names libmatio could not read. */
  for (guint i = 0; i < n && field == NULL; i++)
    if (g_strcmp0 (names[i], name) == 0)
      field = Mat_VarGetStructFieldByIndex (in->var, i, in->index);
  if (field == NULL)
    mgpu_dpm_file_fail (file, "%s has no field \"%s\"", in->name, name);
  return field;
}

/* Reads @n numbers from the field @name of the structure @in. Returns: FALSE with the
 * error set on failure */
static gboolean
get_numbers (const MgpuDpmFile * file, const Place * in, const gchar * name,
    gsize n, gdouble * numbers)
{
  const matvar_t *var = get_field (file, in, name);
  gchar *full;
  gboolean ok = TRUE;

  if (var == NULL)
    return FALSE;
  full = g_strdup_printf ("%s.%s", in->name, name);
  if (var->class_type == MAT_C_DOUBLE && has_values (var, n, sizeof (gdouble)))
    memcpy (numbers, var->data, n * sizeof (gdouble));
  else if (var->isLogical && has_values (var, n, 1))
    for (gsize i = 0; i < n; i++)
      numbers[i] = ((const guint8 *) var->data)[i];
  else
    ok = mgpu_dpm_file_fail (file, "%s has to be %" G_GSIZE_FORMAT " number%s",
        full, n, n == 1 ? "" : "s");
  ok = ok && mgpu_dpm_file_check (file, full, numbers, n);
  g_free (full);
  return ok;
}

static gboolean
get_int (const MgpuDpmFile * file, const Place * in, const gchar * name,
    gint low, gint high, gint * value)
{
  g_autofree gchar *full = g_strdup_printf ("%s.%s", in->name, name);
  gdouble number;

  return get_numbers (file, in, name, 1, &number)
      && mgpu_dpm_file_get_int (file, full, number, low, high, value);
}

/* Reads the text in the field @name of the structure @in. Characters other than printable
 * ASCII are replaced by "?".
 * Returns: (transfer full) (nullable): the text; NULL with the error set */
static gchar *
get_text (const MgpuDpmFile * file, const Place * in, const gchar * name)
{
  const matvar_t *var = get_field (file, in, name);
  gsize n = count (var);
  GString *text;

  if (var == NULL)
    return NULL;
  if (var->class_type != MAT_C_CHAR || n > 255
      || !has_values (var, n, var->data_size == 2 ? 2 : 1)) {
    mgpu_dpm_file_fail (file, "%s.%s has to be a string", in->name, name);
    return NULL;
  }
  text = g_string_new (NULL);
  for (gsize i = 0; i < n; i++) {
    guint c = var->data_size == 2 ? ((const guint16 *) var->data)[i]
        : ((const guint8 *) var->data)[i];

    g_string_append_c (text, c >= ' ' && c < 127 ? c : '?');
  }
  return g_string_free (text, FALSE);
}

/* Makes *place refer to element number @number, counted from 1, of the array @list, whose
 * name is @name. Returns: FALSE with the error set on failure */
static gboolean
go_to (const MgpuDpmFile * file, matvar_t * list, const gchar * name,
    gint number, Place * place)
{
  place->var = list;
  place->index = number - 1;
  g_snprintf (place->name, sizeof (place->name), "model.%s(%d)", name, number);
  if (list->class_type == MAT_C_STRUCT && number >= 1
      && (gsize) number <= count (list))
    return TRUE;
  return mgpu_dpm_file_fail (file, "%s does not exist", place->name);
}

/* Makes *place refer to the structure in the field @name of the structure @in. Returns:
 * FALSE with the error set on failure */
static gboolean
go_into (const MgpuDpmFile * file, const Place * in, const gchar * name,
    Place * place)
{
  place->var = get_field (file, in, name);
  place->index = 0;
  g_snprintf (place->name, sizeof (place->name), "%s.%s", in->name, name);
  return place->var != NULL;
}

/* Makes *block refer to the block of weights whose number is in the field "blocklabel" of
 * the structure @in. Returns: FALSE with the error set on failure */
static gboolean
go_to_block (const Reader * reader, const Place * in, Place * block)
{
  gint number;

  return get_int (reader->file, in, "blocklabel", 1, G_MAXINT, &number)
      && go_to (reader->file, reader->blocks, "blocks", number, block);
}

/* Reads the @n weights of the block to which the field @name of the structure @in refers.
 * Returns: FALSE with the error set on failure */
static gboolean
get_block (const Reader * reader, const Place * in, const gchar * name,
    gsize n, gdouble * weights)
{
  Place label, block;

  return go_into (reader->file, in, name, &label)
      && go_to_block (reader, &label, &block)
      && get_numbers (reader->file, &block, "w", n, weights);
}

/* ---- Reading filters --------------------------------------------------------- */

/* Copies the weights of a filter from @weights to @filter. @weights has the order of a
 * MATLAB file: by feature, then column, then row. If @flip is TRUE, mirrors the filter
 * left to right. */
static void
fill_filter (MgpuDpmFilter * filter, const gdouble * weights, gboolean flip)
{
  gint rows = filter->rows, columns = filter->columns;
  gfloat *to = filter->weights;

  for (gint y = 0; y < rows; y++)
    for (gint x = 0; x < columns; x++)
      for (gint f = 0; f < MGPU_DPM_FEATURES; f++) {
        gint from_x = flip ? columns - 1 - x : x;
        gint from = flip ? mirror[f] : f;

        *to++ = weights[y + rows * (from_x + columns * from)];
      }
}

static gboolean
read_filter (const Reader * reader, gint number, MgpuDpmFilter * filter)
{
  const MgpuDpmFile *file = reader->file;
  gint rows, columns, features, flip;
  Place place, block;
  gdouble shape[3], *weights;
  gboolean ok;
  gsize n;

  if (!go_to (file, reader->filters, "filters", number, &place)
      || !get_int (file, &place, "flip", 0, 1, &flip)
      || !go_to_block (reader, &place, &block)
      || !get_numbers (file, &block, "shape", 3, shape)
      || !mgpu_dpm_file_get_int (file, "a filter's number of rows", shape[0],
          1, MGPU_DPM_MAX_SIDE, &rows)
      || !mgpu_dpm_file_get_int (file, "a filter's number of columns",
          shape[1], 1, MGPU_DPM_MAX_SIDE, &columns)
      || !mgpu_dpm_file_get_int (file, "a filter's number of features",
          shape[2], MGPU_DPM_FEATURES, MGPU_DPM_FEATURES, &features))
    return FALSE;
  n = (gsize) rows * columns * features;
  weights = g_new (gdouble, n);
  ok = get_numbers (file, &block, "w", n, weights);
  if (ok) {
    mgpu_dpm_filter_init (filter, rows, columns, MGPU_DPM_FEATURES);
    fill_filter (filter, weights, flip);
  }
  g_free (weights);
  return ok;
}

/* Reads the filter of symbol number @number of the model's grammar, and the cost of
 * moving this filter. Adds the score offset of the symbol's rule to *offset. Returns:
 * FALSE with the error set on failure */
static gboolean
read_symbol (const Reader * reader, gdouble number, MgpuDpmFilter * filter,
    gdouble cost[4], gdouble * offset)
{
  const MgpuDpmFile *file = reader->file;
  gdouble terminal, location[3], value;
  gint i, flip, filter_number;
  matvar_t *rule;
  Place place, symbol, def;

  if (!mgpu_dpm_file_get_int (file, "a symbol", number, 1,
          count (reader->rules), &i))
    return FALSE;
  rule = Mat_VarGetCell (reader->rules, i - 1);
  place.var = rule;
  place.index = 0;
  g_snprintf (place.name, sizeof (place.name), "model.rules{%d}", i);
  if (!get_numbers (file, &place, "rhs", 1, &terminal)
      || !get_block (reader, &place, "offset", 1, &value)
      || !get_block (reader, &place, "loc", 3, location)
      || !get_block (reader, &place, "def", 4, cost)
      || !go_into (file, &place, "def", &def)
      || !get_int (file, &def, "flip", 0, 1, &flip)
      || !mgpu_dpm_file_get_int (file, "a symbol", terminal, 1,
          count (reader->symbols), &i)
      || !go_to (file, reader->symbols, "symbols", i, &symbol)
      || !get_int (file, &symbol, "filter", 1, G_MAXINT, &filter_number))
    return FALSE;
  if (location[0] != 0 || location[1] != 0 || location[2] != 0)
    return mgpu_dpm_file_fail (file, "%s.loc: only the rules of components may "
        "have location weights (weights for the size of the object in the "
        "frame)", place.name);
  if (flip)
    cost[1] = -cost[1];
  *offset += reader->bias * value;
  return read_filter (reader, filter_number, filter);
}

/* ---- Reading components ------------------------------------------------------ */

static gboolean
read_part (const Reader * reader, const gchar * name, const matvar_t * anchors,
    gdouble symbol, guint i, MgpuDpmPart * part, gdouble * offset)
{
  const gint most = 2 * MGPU_DPM_MAX_SIDE;
  const MgpuDpmFile *file = reader->file;
  const matvar_t *var = Mat_VarGetCell ((matvar_t *) anchors, i);
  const gdouble *anchor;
  gdouble cost[4];

  if (var == NULL || var->class_type != MAT_C_DOUBLE
      || !has_values (var, 3, sizeof (gdouble)))
    return mgpu_dpm_file_fail (file, "%s.anchor{%u} has to be 3 numbers", name,
        i + 1);
  anchor = var->data;
  if (!mgpu_dpm_file_get_int (file, "an anchor", anchor[0], -most, most,
          &part->x)
      || !mgpu_dpm_file_get_int (file, "an anchor", anchor[1], -most, most,
          &part->y)
      || !read_symbol (reader, symbol, &part->filter, cost, offset))
    return FALSE;
  for (guint j = 0; j < 4; j++)
    part->deformation[j] = cost[j];
  if (i > 0 && anchor[2] != 1)
    return mgpu_dpm_file_fail (file, "%s.anchor{%u}: a part has to have twice "
        "the resolution of the root", name, i + 1);
  if (i == 0 && (part->x != 0 || part->y != 0 || anchor[2] != 0
          || cost[0] - fabs (cost[1]) < MIN_ROOT_COST
          || cost[2] - fabs (cost[3]) < MIN_ROOT_COST))
    return mgpu_dpm_file_fail (file, "%s: the first symbol has to be a root "
        "filter that does not move", name);
  return TRUE;
}

static gboolean
read_component (const Reader * reader, matvar_t * rules, guint i,
    MgpuDpmComponent * component)
{
  const gint most = MGPU_DPM_MAX_SIDE;
  const MgpuDpmFile *file = reader->file;
  gdouble window[2], shift[2], offset, location[3], *symbols;
  const matvar_t *anchors, *rhs;
  MgpuDpmPart root = {.x = 0 };
  Place place = {.var = rules,.index = i };
  gboolean ok;
  gsize n;

  g_snprintf (place.name, sizeof (place.name), "model.rules{start}(%u)", i + 1);
  rhs = get_field (file, &place, "rhs");
  anchors = rhs == NULL ? NULL : get_field (file, &place, "anchor");
  n = count (rhs);
  if (anchors == NULL || !get_numbers (file, &place, "detwindow", 2, window)
      || !get_numbers (file, &place, "shiftwindow", 2, shift)
      || !get_block (reader, &place, "offset", 1, &offset)
      || !get_block (reader, &place, "loc", 3, location)
      || !mgpu_dpm_file_get_int (file, "detwindow", window[0], 1, most,
          &component->window_rows)
      || !mgpu_dpm_file_get_int (file, "detwindow", window[1], 1, most,
          &component->window_columns)
      || !mgpu_dpm_file_get_int (file, "shiftwindow", shift[0], 0, most,
          &component->shift_y)
      || !mgpu_dpm_file_get_int (file, "shiftwindow", shift[1], 0, most,
          &component->shift_x))
    return FALSE;
  if (n < 1 || n > 1 + MGPU_DPM_MAX_PARTS || anchors->class_type != MAT_C_CELL
      || count (anchors) != n)
    return mgpu_dpm_file_fail (file, "%s.rhs has to be a root filter and up to "
        "%d parts, each with an anchor", place.name, MGPU_DPM_MAX_PARTS);

  symbols = g_new (gdouble, n);
  component->parts = g_new0 (MgpuDpmPart, n - 1);
  component->n_parts = n - 1;
  offset *= reader->bias;
  ok = get_numbers (file, &place, "rhs", n, symbols)
      && read_part (reader, place.name, anchors, symbols[0], 0, &root, &offset);
  component->root = root.filter;
  for (guint j = 1; ok && j < n; j++)
    ok = read_part (reader, place.name, anchors, symbols[j], j,
        &component->parts[j - 1], &offset);
  g_free (symbols);
  component->offset = offset;
  for (guint j = 0; j < 3; j++)
    component->location[j] = location[j];
  return ok;
}

/* ---- Reading the whole model ------------------------------------------------- */

static gboolean
read_head (Reader * reader, const Place * in, MgpuDpmModel * model)
{
  const MgpuDpmFile *file = reader->file;
  gint truncation, features, extra_octave;
  gdouble threshold;
  Place place;

  if (!go_into (file, in, "features", &place)
      || !get_int (file, &place, "dim", MGPU_DPM_FEATURES, MGPU_DPM_FEATURES,
          &features)
      || !get_int (file, &place, "truncation_dim", MGPU_DPM_FEATURES,
          MGPU_DPM_FEATURES, &truncation)
      || !get_int (file, &place, "extra_octave", 0, 1, &extra_octave)
      || !get_numbers (file, &place, "bias", 1, &reader->bias)
      || !get_int (file, in, "sbin", 4, 8, &model->cell_size)
      || !mgpu_dpm_file_check_cell_size (file, "model.sbin", model->cell_size)
      || !get_int (file, in, "interval", 1, 32, &model->interval)
      || !get_numbers (file, in, "thresh", 1, &threshold))
    return FALSE;
  model->extra_octave = extra_octave;
  model->threshold = threshold;
  model->name = get_text (file, in, "class");
  return model->name != NULL;
}

static gboolean
read_model (const MgpuDpmFile * file, matvar_t * var, MgpuDpmModel * model)
{
  const Place in = { var, 0, "model" };
  Reader reader = {.file = file };
  matvar_t *rules;
  gint start;

  if (!read_head (&reader, &in, model)
      || !(reader.filters = get_field (file, &in, "filters"))
      || !(reader.symbols = get_field (file, &in, "symbols"))
      || !(reader.rules = get_field (file, &in, "rules"))
      || !(reader.blocks = get_field (file, &in, "blocks")))
    return FALSE;
  if (reader.rules->class_type != MAT_C_CELL || reader.rules->data == NULL)
    return mgpu_dpm_file_fail (file, "model.rules has to be a cell array");
  if (!get_int (file, &in, "start", 1, count (reader.rules), &start))
    return FALSE;
  rules = Mat_VarGetCell (reader.rules, start - 1);
  if (rules == NULL || rules->class_type != MAT_C_STRUCT || count (rules) < 1
      || count (rules) > MGPU_DPM_MAX_COMPONENTS)
    return mgpu_dpm_file_fail (file, "model.rules{%d} has to be the rules of "
        "up to %d components", start, MGPU_DPM_MAX_COMPONENTS);
  model->n_components = count (rules);
  model->components = g_new0 (MgpuDpmComponent, model->n_components);
  for (guint i = 0; i < model->n_components; i++)
    if (!read_component (&reader, rules, i, &model->components[i]))
      return FALSE;
  return TRUE;
}

/* Checks that no variable of a MATLAB file is cut off, because libmatio may crash
 * otherwise. @text is the content of the file. The file has a header of 128 bytes, which
 * ends with a byte order mark. Each variable begins with its type and the number of bytes
 * that follow. Returns: whether all variables end within the file */
static gboolean
is_complete (const gchar * text, gsize length)
{
  gsize at = 128;

  if (length < at)
    return FALSE;
  while (at < length) {
    guint32 size;

    if (length - at < 8)
      return FALSE;
    memcpy (&size, text + at + 4, sizeof (size));
    size = text[126] == 'I' ? GUINT32_FROM_LE (size) : GUINT32_FROM_BE (size);
    if (size > length - at - 8)
      return FALSE;
    at += 8 + (gsize) size;
  }
  return TRUE;
}

MgpuDpmModel *
mgpu_dpm_model_read_mat (const MgpuDpmFile * file, const gchar * text,
    gsize length)
{
  MgpuDpmModel *model;
  matvar_t *var;
  gboolean ok;
  mat_t *mat;

  if (g_str_has_prefix (text, VERSION_7_3)) {
    mgpu_dpm_file_fail (file, "this is a MATLAB file of version 7.3, which is "
        "not supported: save the model with -v7");
    return NULL;
  }
  if (!is_complete (text, length)) {
    mgpu_dpm_file_fail (file, "the MATLAB file ends early");
    return NULL;
  }
  if (!mgpu_dpm_mat_is_sound (text, length)) {
    mgpu_dpm_file_fail (file, "the MATLAB file is damaged, or has arrays that "
        "do not occur in models");
    return NULL;
  }
  mat = Mat_Open (file->path, MAT_ACC_RDONLY);
  var = mat == NULL ? NULL : Mat_VarRead (mat, "model");
  model = g_new0 (MgpuDpmModel, 1);
  if (mat == NULL)
    ok = mgpu_dpm_file_fail (file, "the MATLAB file cannot be read");
  else if (var == NULL)
    ok = mgpu_dpm_file_fail (file, "the MATLAB file has no variable "
        "\"model\"");
  else
    ok = read_model (file, var, model);
  if (!ok)
    g_clear_pointer (&model, mgpu_dpm_model_free);
  g_clear_pointer (&var, Mat_VarFree);
  g_clear_pointer (&mat, Mat_Close);
  return model;
}

#else

MgpuDpmModel *
mgpu_dpm_model_read_mat (const MgpuDpmFile * file, const gchar * text,
    gsize length)
{
  g_set_error (file->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s is a MATLAB file, but gst-mgpu was built without libmatio: use a "
      "model in OpenCV's XML format", file->path);
  return NULL;
}
#endif

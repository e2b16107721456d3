/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads linear SVMs from the files of OpenCV's HOGDescriptor. */
#include "svm-load.h"

#include <math.h>
#include <string.h>

#include "dpm-file.h"

/* Type name of a HOGDescriptor in files of OpenCV */
#define TYPE "opencv-object-detector-hog"

/* Number of bytes at the beginning of a file that must contain the type name TYPE; other
 * files are not read */
#define HEAD 1024

/* The fields of OpenCV's HOGDescriptor for which only one value is supported, because the
 * sizes of HOG cells and blocks are fixed in the kernels. @n: number of numbers in the
 * field. @value: value that all of them must have. @may_miss: whether the field may be
 * missing. */
static const struct
{
  const gchar *name;
  gdouble value;
  guint n;
  gboolean may_miss;
} fixed[] = {
  {"blockSize", 2 * MGPU_PEOPLE_CELL, 2},
  {"blockStride", MGPU_PEOPLE_CELL, 2},
  {"cellSize", MGPU_PEOPLE_CELL, 2},
  {"nbins", 9, 1},
  {"derivAperture", 1, 1},
  {"winSigma", 4, 1},
  {"histogramNormType", 0, 1},
  {"L2HysThreshold", 0.2, 1},
  {"signedGradient", 0, 1, TRUE}        /* the field "signedGradient" may be missing, as in files of
                                         * OpenCV 2 */
};

/* ---- Fields of a file --------------------------------------------------------- */

/* The state of the XML parser. @fields: the fields that were found so far, by name.
 * @depth: number of open XML elements. */
typedef struct
{
  GHashTable *fields;
  GString *text;                /* text of the field that is being parsed, as far as it was
                                 * read */
  guint depth;
  gboolean is_hog;              /* whether the parser is inside the XML element of the
                                 * HOGDescriptor */
} Reader;

static void
start_element (GMarkupParseContext * context, const gchar * name,
    const gchar ** keys, const gchar ** values, gpointer data, GError ** error)
{
  Reader *reader = data;

  reader->depth++;
  g_string_truncate (reader->text, 0);
  for (guint i = 0; reader->depth == 2 && keys[i] != NULL; i++)
    if (strcmp (keys[i], "type_id") == 0)
      reader->is_hog = strcmp (values[i], TYPE) == 0;
}

static void
end_element (GMarkupParseContext * context, const gchar * name, gpointer data,
    GError ** error)
{
  Reader *reader = data;

  if (reader->is_hog && reader->depth == 3)
    g_hash_table_insert (reader->fields, g_strdup (name),
        g_strdup (reader->text->str));
  reader->depth--;
  reader->is_hog &= reader->depth >= 2;
}

static void
add_text (GMarkupParseContext * context, const gchar * text, gsize length,
    gpointer data, GError ** error)
{
  g_string_append_len (((Reader *) data)->text, text, length);
}

static gboolean
read_xml (const MgpuDpmFile * file, const gchar * text, gsize length,
    GHashTable * fields)
{
  static const GMarkupParser parser = {
    start_element, end_element, add_text, NULL, NULL
  };
  Reader reader = { fields, g_string_new (NULL) };
  GMarkupParseContext *context =
      g_markup_parse_context_new (&parser, 0, &reader, NULL);
  GError *cause = NULL;
  gboolean ok = g_markup_parse_context_parse (context, text, length, &cause)
      && g_markup_parse_context_end_parse (context, &cause);

  if (!ok)
    mgpu_dpm_file_fail (file, "the file is not a HOGDescriptor in XML: %.160s",
        cause->message);
  g_clear_error (&cause);
  g_markup_parse_context_free (context);
  g_string_free (reader.text, TRUE);
  return ok;
}

/* Adds a field to the hash table @fields. *@line is a YAML line "name: value", or a line
 * "name: [ value, value," whose list continues in the next lines. Returns: the first line
 * after the field; NULL with the error set when the list has no end */
static gchar **
read_yaml_field (const MgpuDpmFile * file, gchar ** line, GHashTable * fields)
{
  gchar *colon = strchr (*line, ':');
  GString *value = g_string_new (colon + 1);
  gchar *name = g_strstrip (g_strndup (*line, colon - *line));

  /* Searches each line only once for the end of the list, because a list may have millions
   * of lines. */
  if (strchr (value->str, '[') != NULL)
    while (strchr (*line, ']') == NULL && *++line != NULL) {
      g_string_append_c (value, ' ');
      g_string_append (value, *line);
    }
  if (*line != NULL) {
    g_strdelimit (value->str, "[],", ' ');
    g_hash_table_insert (fields, name, g_string_free (value, FALSE));
    return line + 1;
  }
  mgpu_dpm_file_fail (file, "%s: the list has no end", name);
  g_string_free (value, TRUE);
  g_free (name);
  return NULL;
}

static gboolean
read_yaml (const MgpuDpmFile * file, const gchar * text, gsize length,
    GHashTable * fields)
{
  g_autofree gchar *copy = g_strndup (text, length);
  gchar **lines = g_strsplit (copy, "\n", -1), **line = lines;
  gboolean is_hog = FALSE;

  while (line != NULL && *line != NULL) {
    if (!g_ascii_isspace (**line) && **line != '\0')
      is_hog = strstr (*line, TYPE) != NULL;
    if (is_hog && g_ascii_isspace (**line) && strchr (*line, ':') != NULL)
      line = read_yaml_field (file, line, fields);
    else
      line++;
  }
  g_strfreev (lines);
  return line != NULL;
}

/* ---- Reading the SVM ------------------------------------------------------------ */

/* Reads the @n numbers of the field @name from the hash table @fields.
 * Returns: FALSE with the error set when the field is missing or wrong */
static gboolean
read_field (const MgpuDpmFile * file, GHashTable * fields, const gchar * name,
    guint n, gdouble * numbers)
{
  const gchar *text = g_hash_table_lookup (fields, name);

  return text != NULL ? mgpu_dpm_file_read_numbers (file, name, text, n,
      numbers) : mgpu_dpm_file_fail (file, "%s is missing", name);
}

static gboolean
check_fixed (const MgpuDpmFile * file, GHashTable * fields)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++) {
    gdouble numbers[2];

    if (fixed[i].may_miss && !g_hash_table_contains (fields, fixed[i].name))
      continue;
    if (!read_field (file, fields, fixed[i].name, fixed[i].n, numbers))
      return FALSE;
    for (guint k = 0; k < fixed[i].n; k++)
      if (fabs (numbers[k] - fixed[i].value) > 1e-6)
        return mgpu_dpm_file_fail (file, "%s is %g, but only %g is supported",
            fixed[i].name, numbers[k], fixed[i].value);
  }
  return TRUE;
}

/* Converts @number, the width or height of the detection window in pixels, to a number of
 * HOG blocks. Returns: FALSE with the error set on failure */
static gboolean
read_side (const MgpuDpmFile * file, gdouble number, gint * blocks)
{
  gint side;

  if (!mgpu_dpm_file_get_int (file, "winSize", number, 2 * MGPU_PEOPLE_CELL,
          (MGPU_PEOPLE_MAX_SIDE + 1) * MGPU_PEOPLE_CELL, &side))
    return FALSE;
  *blocks = side / MGPU_PEOPLE_CELL - 1;
  return side % MGPU_PEOPLE_CELL == 0
      || mgpu_dpm_file_fail (file, "winSize is %d, but it has to be a multiple "
      "of %d", side, MGPU_PEOPLE_CELL);
}

/* Reads the weights of the SVM, and changes their order. In the file they are sorted by
 * column of HOG blocks, then row of blocks, then feature; kernels need them sorted by row,
 * then feature, then column. Returns: FALSE with the error set on failure */
static gboolean
read_weights (const MgpuDpmFile * file, GHashTable * fields, MgpuSvm * svm)
{
  gint columns = svm->window.columns, rows = svm->window.rows;
  guint n = MGPU_PEOPLE_N_WEIGHTS (columns, rows);
  g_autofree gdouble *numbers = g_new (gdouble, n);
  gboolean ok = read_field (file, fields, "SVMDetector", n, numbers);

  svm->weights = g_new (gfloat, n);
  svm->window.weights = svm->weights;
  for (gint y = 0, to = 0; ok && y < rows; y++)
    for (gint i = 0; i < MGPU_PEOPLE_FEATURES; i++)
      for (gint x = 0; x < columns; x++, to++)
        svm->weights[to] = numbers[(x * rows + y) * MGPU_PEOPLE_FEATURES + i];
  if (ok) {
    svm->weights[n - 1] = numbers[n - 1];
    mgpu_dpm_clean_weights (svm->weights, n);
  }
  return ok;
}

/* Reads the field "objectSize", the size of the object in the center of the detection
 * window. Users may add this field to a file. Returns: FALSE with the error set on failure */
static gboolean
read_object (const MgpuDpmFile * file, GHashTable * fields,
    MgpuPeopleWindow * window, const gdouble * sides)
{
  gdouble numbers[2] = { sides[0], sides[1] };

  if (g_hash_table_contains (fields, "objectSize")
      && !read_field (file, fields, "objectSize", 2, numbers))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (numbers[i] < 1 || numbers[i] > sides[i])
      return mgpu_dpm_file_fail (file, "objectSize is %g, but it has to be "
          "from 1 to %g, the size of the window", numbers[i], sides[i]);
  window->object_width = numbers[0] / sides[0];
  window->object_height = numbers[1] / sides[1];
  return TRUE;
}

static gboolean
read_svm (const MgpuDpmFile * file, GHashTable * fields, MgpuSvm * svm)
{
  MgpuPeopleWindow *window = &svm->window;
  gdouble sides[2], gamma, levels;
  gint n_levels;

  if (!read_field (file, fields, "winSize", 2, sides)
      || !read_side (file, sides[0], &window->columns)
      || !read_side (file, sides[1], &window->rows)
      || !check_fixed (file, fields)
      || !read_field (file, fields, "gammaCorrection", 1, &gamma)
      || !mgpu_dpm_file_get_int (file, "gammaCorrection", gamma, 0, 1,
          &window->has_roots)
      || !read_field (file, fields, "nlevels", 1, &levels)
      || !mgpu_dpm_file_get_int (file, "nlevels", levels, 1, G_MAXINT,
          &n_levels)
      || !read_object (file, fields, window, sides))
    return FALSE;
  window->max_levels = MIN (n_levels, MGPU_PEOPLE_MAX_LEVELS);
  return read_weights (file, fields, svm);
}

MgpuSvm *
mgpu_svm_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile quiet = { path, NULL }, file = { path, error };
  gsize length;
  gchar *text = mgpu_dpm_file_read (&quiet, &length);
  MgpuSvm *svm = NULL;
  GHashTable *fields;

  if (text == NULL)
    return NULL;
  if (g_strstr_len (text, MIN (length, HEAD), TYPE) != NULL) {
    fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    svm = g_new0 (MgpuSvm, 1);
    svm->name = mgpu_dpm_clean_name (mgpu_dpm_file_get_name (&file));
    if (!(g_str_has_prefix (text, "%YAML") ? read_yaml (&file, text, length,
                fields) : read_xml (&file, text, length, fields))
        || !read_svm (&file, fields, svm))
      g_clear_pointer (&svm, mgpu_svm_free);
    g_hash_table_unref (fields);
  }
  g_free (text);
  return svm;
}

void
mgpu_svm_free (MgpuSvm * svm)
{
  g_free (svm->weights);
  g_free (svm->name);
  g_free (svm);
}

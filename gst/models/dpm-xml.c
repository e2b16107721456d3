/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads deformable part models from the XML files of OpenCV. */
#include "dpm-file.h"

#include <string.h>

#define OUTERMOST "opencv_storage"

/* Maximum depth of nested XML elements in a file. Model files have a depth of four. */
#define MAX_DEPTH 16

/* Maximum number of XML elements in a file. Each takes a few hundred bytes of memory. A model
 * with the maximum number of parts has about 50000 elements. */
#define MAX_ELEMENTS 65536

/* Maximum number of bytes that an error message quotes from a message of the XML parser */
#define MAX_QUOTE 160

/* An XML element: its name, its text, and the elements inside it. */
typedef struct
{
  gchar *name;
  GString *text;
  GPtrArray *children;
} Node;

static void
node_free (Node * node)
{
  g_free (node->name);
  g_string_free (node->text, TRUE);
  g_ptr_array_unref (node->children);
  g_free (node);
}

static Node *
node_new (const gchar * name)
{
  Node *node = g_new (Node, 1);

  node->name = g_strdup (name);
  node->text = g_string_new (NULL);
  node->children = g_ptr_array_new_with_free_func ((GDestroyNotify) node_free);
  return node;
}

/* ---- The tree of elements ---------------------------------------------------- */

typedef struct
{
  GPtrArray *open;              /* array of Node: the open XML elements, whose end was not
                                 * parsed yet, outermost first */
  guint n_elements;             /* number of XML elements parsed so far */
} Tree;

/* Callbacks of the XML parser. The parameter @data is a Tree. */
static void
start_element (GMarkupParseContext * context, const gchar * name,
    const gchar ** keys, const gchar ** values, gpointer data, GError ** error)
{
  Tree *tree = data;
  GPtrArray *open = tree->open;
  Node *parent = open->pdata[open->len - 1];
  Node *node;

  if (open->len == 1 && strcmp (name, OUTERMOST) != 0) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
        "the outermost element is \"%s\" instead of \"%s\"", name, OUTERMOST);
    return;
  }
  if (open->len > MAX_DEPTH) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
        "\"%s\" is nested too deeply, at depth %d", name, open->len);
    return;
  }
  if (++tree->n_elements > MAX_ELEMENTS) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
        "there are more than %d elements", MAX_ELEMENTS);
    return;
  }
  node = node_new (name);
  g_ptr_array_add (parent->children, node);
  g_ptr_array_add (open, node);
}

static void
end_element (GMarkupParseContext * context, const gchar * name, gpointer data,
    GError ** error)
{
  GPtrArray *open = ((Tree *) data)->open;

  g_ptr_array_set_size (open, open->len - 1);
}

static void
add_text (GMarkupParseContext * context, const gchar * text, gsize length,
    gpointer data, GError ** error)
{
  GPtrArray *open = ((Tree *) data)->open;
  Node *node = open->pdata[open->len - 1];

  g_string_append_len (node->text, text, length);
}

/* Parses XML.
 * Returns: (transfer full): a node whose child is the outermost XML element; NULL with the
 * error set when @text is not valid XML */
static Node *
parse (const MgpuDpmFile * file, const gchar * text, gsize length)
{
  static const GMarkupParser parser = {
    start_element, end_element, add_text, NULL, NULL
  };
  Tree tree = { g_ptr_array_new (), 0 };
  Node *all = node_new ("");
  GMarkupParseContext *context;
  GError *cause = NULL;

  g_ptr_array_add (tree.open, all);
  context = g_markup_parse_context_new (&parser, 0, &tree, NULL);
  if (!g_markup_parse_context_parse (context, text, length, &cause)
      || !g_markup_parse_context_end_parse (context, &cause)) {
    /* Shortens the message of the XML parser, because GLib may quote the whole file in it. */
    mgpu_dpm_file_fail (file, "the file is neither a part model in OpenCV's "
        "XML format nor a MATLAB file: %.*s", (gint) MIN (MAX_QUOTE, strcspn (cause->message,
                "\r\n")), cause->message);
    g_error_free (cause);
    g_clear_pointer (&all, node_free);
  }
  g_markup_parse_context_free (context);
  g_ptr_array_unref (tree.open);
  return all;
}

/* ---- Elements of a model ----------------------------------------------------- */

/* Finds the XML element with the name @name in the element @in. @field (nullable) is the name
 * of @in in error messages; NULL if they do not mention it. Returns: the element; NULL with
 * the error set when there is none */
static const Node *
find (const MgpuDpmFile * file, const Node * in, const gchar * name,
    const gchar * field)
{
  for (guint i = 0; i < in->children->len; i++) {
    const Node *node = in->children->pdata[i];

    if (strcmp (node->name, name) == 0)
      return node;
  }
  if (field == NULL)
    mgpu_dpm_file_fail (file, "%s is missing", name);
  else
    mgpu_dpm_file_fail (file, "%s has no \"%s\"", field, name);
  return NULL;
}

static gboolean
read_int (const MgpuDpmFile * file, const Node * in, const gchar * name,
    const gchar * field, gint low, gint high, gint * value)
{
  g_autofree gchar *full = field == NULL ? NULL
      : g_strdup_printf ("%s: %s", field, name);
  const Node *node = find (file, in, name, field);
  gdouble number;

  return node != NULL
      && mgpu_dpm_file_read_numbers (file, full ? full : name,
      node->text->str, 1, &number)
      && mgpu_dpm_file_get_int (file, full ? full : name, number, low, high,
      value);
}

static gboolean
read_float (const MgpuDpmFile * file, const Node * in, const gchar * name,
    gfloat * value)
{
  const Node *node = find (file, in, name, NULL);
  gdouble number;

  if (node == NULL || !mgpu_dpm_file_read_numbers (file, name,
          node->text->str, 1, &number))
    return FALSE;
  *value = number;
  return TRUE;
}

/* Finds the list with the name @name in the XML element @in. The list must have @n elements.
 * Returns: the list; NULL with the error set when there is no such list */
static const Node *
find_list (const MgpuDpmFile * file, const Node * in, const gchar * name,
    guint n)
{
  const Node *list = find (file, in, name, NULL);

  if (list == NULL || list->children->len == n)
    return list;
  mgpu_dpm_file_fail (file, "%s has %u elements instead of %u", name,
      list->children->len, n);
  return NULL;
}

/* Reads @n numbers from element @i of the XML list @list. Returns: FALSE with the error set
 * on failure */
static gboolean
read_element (const MgpuDpmFile * file, const Node * list, guint i, gsize n,
    gdouble * numbers)
{
  g_autofree gchar *field =
      g_strdup_printf ("%s, element %u", list->name, i + 1);
  const Node *node = list->children->pdata[i];

  return mgpu_dpm_file_read_numbers (file, field, node->text->str, n,
      numbers);
}

static gboolean
read_matrix (const MgpuDpmFile * file, const Node * node, const gchar * field,
    gint features, MgpuDpmFilter * filter)
{
  gint rows, columns;
  const Node *data;
  gdouble *numbers;
  gboolean ok;
  gsize n;

  if (!read_int (file, node, "rows", field, 1, MGPU_DPM_MAX_SIDE, &rows)
      || !read_int (file, node, "cols", field, features,
          MGPU_DPM_MAX_SIDE * features, &columns))
    return FALSE;
  if (columns % features != 0)
    return mgpu_dpm_file_fail (file, "%s: cols is %d, but it has to be a "
        "multiple of %d", field,
        columns, features);
  data = find (file, node, "data", field);
  if (data == NULL)
    return FALSE;

  n = (gsize) rows * columns;
  numbers = g_new (gdouble, n);
  ok = mgpu_dpm_file_read_numbers (file, field, data->text->str, n, numbers);
  if (ok) {
    mgpu_dpm_filter_init (filter, rows, columns / features, features);
    for (gsize i = 0; i < n; i++)
      filter->weights[i] = numbers[i];
  }
  g_free (numbers);
  return ok;
}

static gboolean
read_filter (const MgpuDpmFile * file, const Node * list, guint i,
    gint features, MgpuDpmFilter * filter)
{
  g_autofree gchar *field =
      g_strdup_printf ("%s, element %u", list->name, i + 1);

  return read_matrix (file, list->children->pdata[i], field, features,
      filter);
}

/* ---- Reading the whole model ------------------------------------------------- */

static gboolean
read_roots (const MgpuDpmFile * file, const Node * in, MgpuDpmModel * model,
    guint * n_parts)
{
  guint n = model->n_components;
  const Node *bias = find (file, in, "Bias", NULL);
  const Node *roots = bias ? find_list (file, in, "RootFilters", n) : NULL;
  const Node *counts = roots ? find (file, in, "NumParts", NULL) : NULL;
  const Node *places = counts ? find_list (file, in, "LocationWeight", n) : NULL;
  gdouble offsets[MGPU_DPM_MAX_COMPONENTS], parts[MGPU_DPM_MAX_COMPONENTS];

  if (places == NULL || !mgpu_dpm_file_read_numbers (file, "Bias",
          bias->text->str, n, offsets)
      || !mgpu_dpm_file_read_numbers (file, "NumParts", counts->text->str, n,
          parts))
    return FALSE;
  *n_parts = 0;
  for (guint i = 0; i < n; i++) {
    MgpuDpmComponent *c = model->components + i;
    gdouble location[3];
    gint count;

    if (!read_filter (file, roots, i, MGPU_DPM_FEATURES, &c->root)
        || !read_element (file, places, i, 3, location)
        || !mgpu_dpm_file_get_int (file, "NumParts", parts[i], 0,
            MGPU_DPM_MAX_PARTS, &count))
      return FALSE;
    c->offset = offsets[i];
    for (guint j = 0; j < 3; j++)
      c->location[j] = location[j];
    c->window_rows = c->root.rows;
    c->window_columns = c->root.columns;
    c->n_parts = count;
    c->parts = g_new0 (MgpuDpmPart, count);
    *n_parts += count;
  }
  return TRUE;
}

static gboolean
read_parts (const MgpuDpmFile * file, const Node * in, MgpuDpmModel * model,
    guint n_parts)
{
  const gint most = 2 * MGPU_DPM_MAX_SIDE;
  const Node *filters = find_list (file, in, "PartFilters", n_parts);
  const Node *anchors = filters ? find_list (file, in, "Anchor", n_parts)
      : NULL;
  const Node *costs = anchors ? find_list (file, in, "Deformation", n_parts)
      : NULL;
  guint i = 0;

  if (costs == NULL)
    return FALSE;
  for (guint k = 0; k < model->n_components; k++) {
    MgpuDpmComponent *c = model->components + k;

    for (guint j = 0; j < c->n_parts; j++, i++) {
      MgpuDpmPart *p = c->parts + j;
      gdouble anchor[2], cost[4];

      if (!read_filter (file, filters, i, MGPU_DPM_FEATURES, &p->filter)
          || !read_element (file, anchors, i, 2, anchor)
          || !mgpu_dpm_file_get_int (file, "Anchor", anchor[0], -most, most,
              &p->x)
          || !mgpu_dpm_file_get_int (file, "Anchor", anchor[1], -most, most,
              &p->y)
          || !read_element (file, costs, i, 4, cost))
        return FALSE;
      for (guint l = 0; l < 4; l++)
        p->deformation[l] = cost[l];
    }
  }
  return TRUE;
}

/* ---- Reading the cascade ------------------------------------------------------ */

static gboolean
read_pca (const MgpuDpmFile * file, const Node * node, MgpuDpmModel * model)
{
  MgpuDpmFilter matrix = { 0, };
  gint features;

  if (!read_int (file, node, "cols", "PCAcoeff", 1, MGPU_DPM_MAX_PCA,
          &features)
      || !read_matrix (file, node, "PCAcoeff", features, &matrix))
    return FALSE;
  model->n_pca = features;
  model->pca = matrix.weights;
  return matrix.rows == MGPU_DPM_FEATURES
      || mgpu_dpm_file_fail (file, "PCAcoeff: rows is %d, but it has to be %d",
      matrix.rows, MGPU_DPM_FEATURES);
}

/* Reads a filter for reduced (PCA) features, which the cascade uses, from element @i of the
 * XML list @list. It must have as many rows and columns of cells as @whole, the filter for
 * all features. Returns: FALSE with the error set on failure */
static gboolean
read_pca_filter (const MgpuDpmFile * file, const Node * list, guint i,
    const MgpuDpmModel * model, const MgpuDpmFilter * whole,
    MgpuDpmFilter * filter)
{
  return read_filter (file, list, i, model->n_pca, filter)
      && ((filter->rows == whole->rows && filter->columns == whole->columns)
      || mgpu_dpm_file_fail (file, "%s: element %u has %d x %d cells, but the "
          "filter has %d x %d cells", list->name, i + 1, filter->columns, filter->rows,
          whole->columns, whole->rows));
}

/* Reads the stages of the cascade for component @i of a model: the order in which the cascade
 * evaluates the parts, and the score limits below which it stops. Element @i of the XML list
 * @orders has two orders: for reduced (PCA) features, followed by the one for all features,
 * which is not used. The root is number 0, and parts are numbered from 1. Element @i of the
 * XML list @limits has two limits for each number in @orders; only the second limit, for
 * reduced features, is used. Returns: FALSE with the error set on failure */
static gboolean
read_stages (const MgpuDpmFile * file, const Node * orders,
    const Node * limits, guint i, MgpuDpmComponent * c)
{
  guint n = c->n_parts;
  g_autofree gdouble *order = g_new (gdouble, 2 * n + 2);
  g_autofree gdouble *limit = g_new (gdouble, 4 * n + 4);
  gboolean taken[MGPU_DPM_MAX_PARTS] = { FALSE, };
  gboolean ok = read_element (file, orders, i, 2 * n + 2, order)
      && read_element (file, limits, i, 4 * n + 4, limit);

  c->order = g_new0 (guint, n);
  c->limits = g_new0 (gfloat, n + 1);
  for (guint j = 0; ok && j <= n; j++) {
    gint part;

    ok = mgpu_dpm_file_get_int (file, "PartOrder", order[j], j > 0, j > 0 ? n
        : 0, &part);
    if (ok && j > 0 && taken[part - 1])
      ok = mgpu_dpm_file_fail (file, "PartOrder: element %u contains part %d "
          "twice",
          i + 1, part);
    if (ok && j > 0) {
      taken[part - 1] = TRUE;
      c->order[j - 1] = part - 1;
    }
    c->limits[j] = limit[2 * j + 1];
  }
  return ok;
}

/* Reads the cascade of a model, if the file has one. If not, mgpu_dpm_model_finish() computes
 * it later. Returns: FALSE with the error set on failure */
static gboolean
read_cascade (const MgpuDpmFile * file, const Node * in, MgpuDpmModel * model,
    guint n_parts)
{
  guint n = model->n_components, part = 0;
  const Node *pca = NULL, *roots, *parts, *orders, *limits;

  for (guint i = 0; i < in->children->len && pca == NULL; i++)
    if (strcmp (((Node *) in->children->pdata[i])->name, "PCAcoeff") == 0)
      pca = in->children->pdata[i];
  if (pca == NULL)
    return TRUE;
  if (!read_pca (file, pca, model)
      || !(roots = find_list (file, in, "RootPCAFilters", n))
      || !(parts = find_list (file, in, "PartPCAFilters", n_parts))
      || !(orders = find_list (file, in, "PartOrder", n))
      || !(limits = find_list (file, in, "PrunThreshold", n)))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    MgpuDpmComponent *c = model->components + i;

    if (!read_pca_filter (file, roots, i, model, &c->root, &c->root_pca)
        || !read_stages (file, orders, limits, i, c))
      return FALSE;
    for (guint j = 0; j < c->n_parts; j++)
      if (!read_pca_filter (file, parts, part++, model, &c->parts[j].filter,
              &c->parts[j].pca))
        return FALSE;
  }
  return TRUE;
}

static gboolean
read_model (const MgpuDpmFile * file, const Node * in, MgpuDpmModel * model)
{
  gint n_components, n_features;
  guint n_parts;

  if (!read_int (file, in, "SBin", NULL, 4, 8, &model->cell_size)
      || !mgpu_dpm_file_check_cell_size (file, "SBin", model->cell_size)
      || !read_int (file, in, "NumComponents", NULL, 1,
          MGPU_DPM_MAX_COMPONENTS, &n_components)
      || !read_int (file, in, "NumFeatures", NULL, MGPU_DPM_FEATURES,
          MGPU_DPM_FEATURES, &n_features)
      || !read_int (file, in, "Interval", NULL, 1, 32, &model->interval)
      || !read_float (file, in, "ScoreThreshold", &model->threshold))
    return FALSE;
  model->n_components = n_components;
  model->components = g_new0 (MgpuDpmComponent, n_components);
  return read_roots (file, in, model, &n_parts)
      && read_parts (file, in, model, n_parts)
      && read_cascade (file, in, model, n_parts);
}

MgpuDpmModel *
mgpu_dpm_model_read_xml (const MgpuDpmFile * file, const gchar * text,
    gsize length)
{
  Node *all = parse (file, text, length);
  MgpuDpmModel *model;
  gboolean ok;

  if (all == NULL)
    return NULL;
  model = g_new0 (MgpuDpmModel, 1);
  model->name = mgpu_dpm_file_get_name (file);
  ok = all->children->len > 0
      ? read_model (file, all->children->pdata[0], model)
      : mgpu_dpm_file_fail (file, "the file is neither a part model in "
      "OpenCV's XML format nor a MATLAB file: it contains no XML element");
  node_free (all);
  if (!ok)
    g_clear_pointer (&model, mgpu_dpm_model_free);
  return model;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* docs-tables [--write] FOLDER
 *
 * Makes the tables of properties of the pages in FOLDER, docs/elements, from the GParamSpecs of the
 * elements: compares the pages with them, or writes them. A page lists the properties that only the
 * element has; common.md lists those in common[] and in of_regions[]. Exit status: 0 if the pages
 * have these tables, 1 otherwise. */
#include <gst/gst.h>
#include <string.h>

#define BEGIN "<!-- Properties, written by docs-tables: change the GParamSpecs instead. -->\n"
#define END "<!-- End of properties -->\n"
#define HEADER "| property | type, range | default | changes | what it does |\n" \
    "| --- | --- | --- | --- | --- |\n"

/* Properties that nearly every element has, with the same text */
static const gchar *const common[] = {
  "enabled", "device", "max-in-flight", "stats", "profile", NULL
};

/* Properties that filters that change parts of frames also have, with the same text; other elements
 * have some of them with another meaning */
static const gchar *const of_regions[] = {
  "mask-source", "roi-type", "rectangle", "polygon", "mask-location", "scale-mask",
  "mask-dilate", "mask-feather", "mask-hold", "mask-invert", "mix", NULL
};

static gboolean
has_regions (GObjectClass * klass)
{
  return g_object_class_find_property (klass, "mask-invert") != NULL;
}

/* --- A row --- */

/* Unsigned numbers up to G_MAXUINT are colors. */
static gboolean
is_colour (GParamSpec * spec)
{
  return G_IS_PARAM_SPEC_UINT (spec)
      && G_PARAM_SPEC_UINT (spec)->maximum == G_MAXUINT;
}

static gchar *
range_to_text (const gchar * type, gdouble minimum, gdouble maximum)
{
  if (maximum >= G_MAXINT)
    return g_strdup_printf ("%s, %.10g or more", type, minimum);
  return g_strdup_printf ("%s, %.10g to %.10g", type, minimum, maximum);
}

static gchar *
type_to_text (GParamSpec * spec)
{
  if (is_colour (spec))
    return g_strdup ("uint, 0xAARRGGBB");
  if (G_IS_PARAM_SPEC_INT (spec))
    return range_to_text ("int", G_PARAM_SPEC_INT (spec)->minimum,
        G_PARAM_SPEC_INT (spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT (spec))
    return range_to_text ("uint", G_PARAM_SPEC_UINT (spec)->minimum,
        G_PARAM_SPEC_UINT (spec)->maximum);
  if (G_IS_PARAM_SPEC_DOUBLE (spec))
    return range_to_text ("double", G_PARAM_SPEC_DOUBLE (spec)->minimum,
        G_PARAM_SPEC_DOUBLE (spec)->maximum);
  if (G_IS_PARAM_SPEC_ENUM (spec))
    return g_strdup ("enum");
  if (G_IS_PARAM_SPEC_FLAGS (spec))
    return g_strdup ("flags");
  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    return g_strdup ("boolean");
  if (G_IS_PARAM_SPEC_STRING (spec))
    return g_strdup ("string");
  return g_strdup (g_type_name (spec->value_type));
}

static gchar *
flags_to_text (GParamSpecFlags * spec)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < spec->flags_class->n_values; i++) {
    const GFlagsValue *value = &spec->flags_class->values[i];

    if ((spec->default_value & value->value) == value->value)
      g_string_append_printf (text, "%s`%s`", text->len > 0 ? " + " : "",
          value->value_nick);
  }
  return g_string_free (text, FALSE);
}

static gchar *
default_to_text (GParamSpec * spec)
{
  const GValue *value = g_param_spec_get_default_value (spec);
  gchar *text, *quoted;

  if (!(spec->flags & G_PARAM_WRITABLE))
    return g_strdup ("");
  if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) == NULL)
    return g_strdup ("unset");
  if (is_colour (spec))
    return g_strdup_printf ("0x%08x", g_value_get_uint (value));
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_strdup_printf ("%.10g", g_value_get_double (value));
  if (G_VALUE_HOLDS_FLAGS (value))
    return flags_to_text (G_PARAM_SPEC_FLAGS (spec));
  if (G_VALUE_HOLDS_BOXED (value) && g_value_get_boxed (value) == NULL)
    return g_strdup ("unset");
  text = gst_value_serialize (value);
  if (!G_VALUE_HOLDS_ENUM (value))
    return text;
  quoted = g_strdup_printf ("`%s`", text);
  g_free (text);
  return quoted;
}

static const gchar *
changes_to_text (GParamSpec * spec)
{
  if (!(spec->flags & G_PARAM_WRITABLE))
    return "read-only";
  if (spec->flags & GST_PARAM_CONTROLLABLE)
    return "playing, animated";
  if (spec->flags & GST_PARAM_MUTABLE_PLAYING)
    return "playing";
  return "NULL, READY";
}

/* Leaves out the descriptions of GStreamer's enumerations, which are only the C names of the
 * values. */
static void
append_value (GString * row, const gchar * nick, const gchar * name)
{
  g_string_append_printf (row, "<br>`%s`", nick);
  if (!g_str_has_prefix (name, "GST_"))
    g_string_append_printf (row, ": %s", name);
}

static void
append_values (GString * row, GParamSpec * spec)
{
  if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *klass = G_PARAM_SPEC_ENUM (spec)->enum_class;

    for (guint i = 0; i < klass->n_values; i++)
      append_value (row, klass->values[i].value_nick,
          klass->values[i].value_name);
  } else if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    GFlagsClass *klass = G_PARAM_SPEC_FLAGS (spec)->flags_class;

    for (guint i = 0; i < klass->n_values; i++)
      append_value (row, klass->values[i].value_nick,
          klass->values[i].value_name);
  }
}

static gchar *
make_row (GParamSpec * spec)
{
  GString *row = g_string_new (NULL);
  g_autofree gchar *type = type_to_text (spec), *value = default_to_text (spec);

  g_string_printf (row, "| `%s` | %s | %s | %s | %s", spec->name, type, value,
      changes_to_text (spec), g_param_spec_get_blurb (spec));
  append_values (row, spec);
  g_string_append (row, " |\n");
  return g_string_free (row, FALSE);
}

/* --- The tables --- */

static gboolean
is_of_gstreamer (GParamSpec * spec)
{
  return g_strcmp0 (g_type_name (spec->owner_type), "GstObject") == 0
      || g_strcmp0 (g_type_name (spec->owner_type), "GstBaseTransform") == 0;
}

/* Adds the row of @spec to @rows, by its name. Returns FALSE if another element has another row. */
static gboolean
add_common (GHashTable * rows, GParamSpec * spec, const gchar * element)
{
  gchar *row = make_row (spec);
  const gchar *first = g_hash_table_lookup (rows, spec->name);
  gboolean is_same = first == NULL || g_str_equal (first, row);

  if (!is_same)
    g_printerr ("%s: %sin other elements: %s", element, row, first);
  if (first == NULL)
    g_hash_table_insert (rows, g_strdup (spec->name), row);
  else
    g_free (row);
  return is_same;
}

static gchar *
make_own_table (GObjectClass * klass)
{
  GString *table = g_string_new (NULL);
  guint n;
  GParamSpec **specs = g_object_class_list_properties (klass, &n);

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *row = NULL;

    if (is_of_gstreamer (specs[i]) || g_strv_contains (common, specs[i]->name)
        || (has_regions (klass)
            && g_strv_contains (of_regions, specs[i]->name)))
      continue;
    row = make_row (specs[i]);
    g_string_append_printf (table, "%s%s", table->len == 0 ? HEADER : "", row);
  }
  if (table->len > 0)
    g_string_append_c (table, '\n');
  g_free (specs);
  return g_string_free (table, FALSE);
}

/* Appends to @table a line with those properties of @names that @klass has, and adds their rows to
 * @rows. Returns FALSE if another element has other rows. */
static gboolean
append_line (GString * table, GObjectClass * klass, const gchar * element,
    const gchar * title, const gchar * const *names, GHashTable * rows)
{
  const gchar *before = title;
  gboolean ok = TRUE;

  for (guint i = 0; names[i] != NULL; i++) {
    GParamSpec *spec = g_object_class_find_property (klass, names[i]);

    if (spec == NULL)
      continue;
    ok &= add_common (rows, spec, element);
    g_string_append_printf (table, "%s[`%s`](common.md#%s)", before, names[i],
        names == of_regions ? "regions" : names[i]);
    before = ", ";
  }
  g_string_append (table, ".\n");
  return ok;
}

/* Makes the table of an element and a line with its common properties, whose rows are added to
 * @rows. Returns NULL if another element has other rows. */
static gchar *
make_table (const gchar * name, GHashTable * rows)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  g_autofree gchar *own = make_own_table (klass);
  GString *table = g_string_new (own);
  gboolean ok = append_line (table, klass, name,
      "[Common properties](common.md#properties): ", common, rows);

  if (has_regions (klass)) {
    g_string_append_c (table, '\n');
    ok &= append_line (table, klass, name, "[Regions](common.md#regions): ",
        of_regions, rows);
  }
  return g_string_free (table, !ok);
}

static gchar *
make_common_table (GHashTable * rows)
{
  GString *table = g_string_new (HEADER);

  for (guint i = 0; common[i] != NULL; i++)
    g_string_append (table, g_hash_table_lookup (rows, common[i]));
  for (guint i = 0; of_regions[i] != NULL; i++)
    g_string_append (table, g_hash_table_lookup (rows, of_regions[i]));
  return g_string_free (table, FALSE);
}

/* --- The pages --- */

/* Inserts @table between the marks of @text. Returns NULL if @text has no marks. */
static gchar *
replace_table (const gchar * text, const gchar * table)
{
  const gchar *begin = strstr (text, BEGIN);
  const gchar *end = begin != NULL ? strstr (begin, END) : NULL;

  if (end == NULL)
    return NULL;
  return g_strdup_printf ("%.*s%s%s", (int) (begin + strlen (BEGIN) - text),
      text, table, end);
}

static gboolean
do_page (const gchar * path, const gchar * table, gboolean write)
{
  g_autofree gchar *text = NULL, *wanted = NULL;
  gboolean ok = FALSE;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_printerr ("%s cannot be read\n", path);
  else if ((wanted = replace_table (text, table)) == NULL)
    g_printerr ("%s has no place for a table between\n%sand\n%s", path, BEGIN,
        END);
  else if (write)
    ok = g_file_set_contents (path, wanted, -1, NULL);
  else if (!(ok = g_str_equal (text, wanted)))
    g_printerr ("%s has other properties than the element; its table is\n%s",
        path, table);
  return ok;
}

static gboolean
do_table (const gchar * folder, const gchar * name, const gchar * table,
    gboolean write)
{
  g_autofree gchar *path = g_strdup_printf ("%s/%s.md", folder, name);
  gboolean ok = do_page (path, table, write);

  return ok;
}

static gboolean
do_folder (const gchar * folder, gboolean write)
{
  GHashTable *rows =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GList *features =
      gst_registry_get_feature_list_by_plugin (gst_registry_get (), "mgpu");
  gboolean ok = features != NULL;
  gchar *table;

  for (GList * f = features; f != NULL; f = f->next) {
    const gchar *name = gst_plugin_feature_get_name (f->data);

    table = make_table (name, rows);
    ok &= table != NULL && do_table (folder, name, table, write);
    g_free (table);
  }
  if (ok) {
    table = make_common_table (rows);
    ok = do_table (folder, "common", table, write);
    g_free (table);
  }
  gst_plugin_feature_list_free (features);
  g_hash_table_unref (rows);
  return ok;
}

int
main (int argc, char **argv)
{
  gboolean write = argc == 3 && g_str_equal (argv[1], "--write");

  gst_init (NULL, NULL);
  if (argc != 2 && !write) {
    g_printerr ("usage: %s [--write] FOLDER\n", argv[0]);
    return 2;
  }
  return do_folder (argv[argc - 1], write) ? 0 : 1;
}

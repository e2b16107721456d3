/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads YAML and JSON into trees: maps and lists in blocks and in brackets, plain and
 * quoted scalars of one line, comments and tags. JSON is YAML in brackets. */
#include "tree.h"

#include <string.h>

/* State of the reader: the rest of the text, and the number of maps and lists that contain it. */
typedef struct
{
  const MgpuDpmFile *file;
  const gchar *begin;           /* beginning of the text, to count lines */
  const gchar *at;
  guint depth;
} Reader;

static gboolean read_bracket (Reader * reader, MgpuTree * tree);

static gboolean
fail (Reader * reader, const gchar * what)
{
  guint line = 1;

  for (const gchar * p = reader->begin; p < reader->at; p++)
    line += *p == '\n';
  return mgpu_dpm_file_fail (reader->file, "line %u: %s", line, what);
}

static gboolean
enter (Reader * reader)
{
  if (reader->depth == MGPU_TREE_DEPTH)
    return fail (reader, "more than "
        G_STRINGIFY (MGPU_TREE_DEPTH) " values inside of each other");
  reader->depth++;
  return TRUE;
}

static void
skip_spaces (Reader * reader)
{
  reader->at += strspn (reader->at, " \t\r");
}

/* Goes to the next token, across lines and comments. */
static void
skip_blank (Reader * reader)
{
  for (;;) {
    reader->at += strspn (reader->at, " \t\r\n");
    if (*reader->at != '#')
      return;
    reader->at += strcspn (reader->at, "\n");
  }
}

/* Goes to the next token, across lines and comments. Returns: its column */
static guint
find_column (Reader * reader)
{
  const gchar *line;

  skip_blank (reader);
  for (line = reader->at; line > reader->begin && line[-1] != '\n'; line--);
  return reader->at - line;
}

/* Skips the tag of a value, such as !!opencv-matrix. */
static void
skip_tag (Reader * reader)
{
  skip_spaces (reader);
  if (*reader->at == '!')
    reader->at += strcspn (reader->at, " \t\r\n");
  skip_spaces (reader);
}

/* ---- Scalars ------------------------------------------------------------------- */

/* Appends a quoted scalar to @text; a backslash stands for the character after it. */
static gboolean
read_quoted (Reader * reader, GString * text)
{
  gchar quote = *reader->at++;

  for (; *reader->at != quote; reader->at++) {
    if (*reader->at == '\\' && quote == '"')
      reader->at++;
    if (*reader->at == '\0' || *reader->at == '\n')
      return fail (reader, "the quotation has no end");
    g_string_append_c (text, *reader->at);
  }
  reader->at++;
  return TRUE;
}

/* Appends a scalar to @text. A plain scalar ends with the line, before a comment and, where
 * @is_bracketed, before one of ,[]{} */
static gboolean
read_scalar (Reader * reader, gboolean is_bracketed, GString * text)
{
  const gchar *end = reader->at;

  if (*end == '"' || *end == '\'')
    return read_quoted (reader, text);
  while (*end != '\0' && *end != '\n' && !(*end == '#' && end > reader->at
          && g_ascii_isspace (end[-1]))
      && !(is_bracketed && strchr (",[]{}", *end) != NULL))
    end++;
  g_string_append_len (text, reader->at, end - reader->at);
  reader->at = end;
  while (text->len > 0 && g_ascii_isspace (text->str[text->len - 1]))
    g_string_truncate (text, text->len - 1);
  return TRUE;
}

/* Reads a key and the colon after it.
 * Returns: (transfer full): the key; NULL with the error set */
static gchar *
read_key (Reader * reader)
{
  g_autoptr (GString) key = g_string_new (NULL);
  const gchar *end = reader->at;

  if (*end == '"' || *end == '\'') {
    if (!read_quoted (reader, key))
      return NULL;
    skip_spaces (reader);
  } else {
    while (*end != '\0' && strchr ("\n,[]{}", *end) == NULL && !(*end == ':'
            && (end[1] == '\0' || strchr (" \t\r\n[{\"", end[1]) != NULL)))
      end++;
    g_string_append_len (key, reader->at, end - reader->at);
    reader->at = end;
  }
  if (*reader->at == ':') {
    reader->at++;
    return g_strdup (g_strstrip (key->str));
  }
  fail (reader, "a key with a colon is missing");
  return NULL;
}

/* ---- Brackets ------------------------------------------------------------------ */

/* Reads a value in brackets: a map, a list or a scalar. */
static gboolean
read_bracketed_value (Reader * reader, MgpuTree * tree)
{
  gboolean ok;

  skip_blank (reader);
  skip_tag (reader);
  if (*reader->at == '[' || *reader->at == '{')
    return read_bracket (reader, tree);
  ok = read_scalar (reader, TRUE, tree->text);
  g_string_append_c (tree->text, ' ');
  return ok;
}

/* Reads one element of a map or list in brackets. */
static gboolean
read_element (Reader * reader, gboolean is_map, MgpuTree * tree)
{
  gchar *key;

  if (!is_map)
    return read_bracketed_value (reader,
        *reader->at == '{' ? mgpu_tree_add (tree, g_strdup ("")) : tree);
  key = read_key (reader);
  return key != NULL && read_bracketed_value (reader, mgpu_tree_add (tree,
          key));
}

/* Reads a list in [] or a map in {} to its end. */
static gboolean
read_bracket (Reader * reader, MgpuTree * tree)
{
  gboolean is_map = *reader->at == '{';
  gchar end = is_map ? '}' : ']';

  if (!enter (reader))
    return FALSE;
  reader->at++;
  for (;;) {
    skip_blank (reader);
    if (*reader->at == '\0')
      return fail (reader, "the list or map has no end");
    if (*reader->at == end)
      break;
    if (*reader->at == ',')
      reader->at++;
    else if (strchr ("]}", *reader->at) != NULL)
      return fail (reader, "brackets do not fit");
    else if (!read_element (reader, is_map, tree))
      return FALSE;
  }
  reader->at++;
  reader->depth--;
  return TRUE;
}

/* ---- Blocks -------------------------------------------------------------------- */

static gboolean read_block (Reader * reader, guint column, MgpuTree * tree);

static gboolean
is_item (const gchar * at)
{
  return at[0] == '-' && (at[1] == '\0' || g_ascii_isspace (at[1]));
}

/* Reads a value that begins in this line. */
static gboolean
read_inline (Reader * reader, MgpuTree * tree)
{
  if (*reader->at == '[' || *reader->at == '{')
    return read_bracket (reader, tree);
  return read_scalar (reader, FALSE, tree->text);
}

/* Reads the items of a list whose lines begin with "- " in the column @column. */
static gboolean
read_items (Reader * reader, guint column, MgpuTree * tree)
{
  while (find_column (reader) == column && is_item (reader->at)) {
    while (is_item (reader->at)) {
      reader->at++;
      skip_spaces (reader);
    }
    if (!read_inline (reader, tree))
      return FALSE;
    g_string_append_c (tree->text, ' ');
  }
  return TRUE;
}

/* Reads the value that follows a key in the column @column. */
static gboolean
read_value (Reader * reader, guint column, MgpuTree * tree)
{
  const gchar *line;
  guint next;

  skip_tag (reader);
  if (*reader->at != '\0' && *reader->at != '\n' && *reader->at != '#')
    return read_inline (reader, tree);
  line = reader->at;
  next = find_column (reader);
  if (is_item (reader->at) && next >= column)
    return read_items (reader, next, tree);
  if (next > column)
    return read_block (reader, next, tree);
  reader->at = line;
  return TRUE;
}

/* Returns: whether the current line ends the document. Skips lines that begin the document */
static gboolean
is_end (Reader * reader, MgpuTree * root)
{
  while (reader->depth == 1 && (g_str_has_prefix (reader->at, "---")
          || *reader->at == '%')) {
    if (root->children->len > 0)
      return TRUE;
    reader->at += strcspn (reader->at, "\n");
    skip_blank (reader);
  }
  return *reader->at == '\0' || g_str_has_prefix (reader->at, "...");
}

/* Reads the keys in the column @column, and their values, into @tree. */
static gboolean
read_block (Reader * reader, guint column, MgpuTree * tree)
{
  gchar *key;

  if (!enter (reader))
    return FALSE;
  for (;;) {
    guint next = find_column (reader);

    if (is_end (reader, tree) || next < column)
      break;
    if (next > column)
      return fail (reader, "begins farther to the right than the previous key");
    if ((key = read_key (reader)) == NULL
        || !read_value (reader, column, mgpu_tree_add (tree, key)))
      return FALSE;
  }
  reader->depth--;
  return TRUE;
}

gboolean
mgpu_tree_read_yaml (const MgpuDpmFile * file, const gchar * text,
    MgpuTree * root)
{
  Reader reader = { file, text, text, 0 };

  skip_blank (&reader);
  if (*reader.at == '{')
    return read_bracket (&reader, root);
  return read_block (&reader, 0, root);
}

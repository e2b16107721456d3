/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads XML files of OpenCV into trees. */
#include "tree.h"

#include <string.h>

/* Name of the outermost element of all files of OpenCV */
#define ROOT "opencv_storage"

/* State of the XML parser: the @depth values that are open at the current position; the first one
 * is the root, and the last one is the innermost. */
typedef struct
{
  MgpuTree *open[MGPU_TREE_DEPTH + 1];
  guint depth;
} Reader;

static void
start_element (GMarkupParseContext * context, const gchar * name,
    const gchar ** keys, const gchar ** values, gpointer data, GError ** error)
{
  Reader *reader = data;

  if (reader->depth == 0 && strcmp (name, ROOT) != 0)
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_UNKNOWN_ELEMENT,
        "the outermost element is %s and not " ROOT, name);
  else if (reader->depth == MGPU_TREE_DEPTH)
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_PARSE,
        "more than %d elements inside of each other", MGPU_TREE_DEPTH);
  else {
    reader->open[reader->depth + 1] = reader->depth == 0 ? reader->open[0]
        : mgpu_tree_add (reader->open[reader->depth], g_strdup (name));
    reader->depth++;
  }
}

static void
end_element (GMarkupParseContext * context, const gchar * name, gpointer data,
    GError ** error)
{
  ((Reader *) data)->depth--;
}

static void
add_text (GMarkupParseContext * context, const gchar * text, gsize length,
    gpointer data, GError ** error)
{
  Reader *reader = data;

  g_string_append_len (reader->open[reader->depth]->text, text, length);
}

gboolean
mgpu_tree_read_xml (const MgpuDpmFile * file, const gchar * text,
    MgpuTree * root)
{
  static const GMarkupParser parser = {
    start_element, end_element, add_text, NULL, NULL
  };
  Reader reader = { {root}, 0 };
  GMarkupParseContext *context =
      g_markup_parse_context_new (&parser, 0, &reader, NULL);
  GError *cause = NULL;
  gboolean ok = g_markup_parse_context_parse (context, text, -1, &cause)
      && g_markup_parse_context_end_parse (context, &cause);

  if (!ok)
    mgpu_dpm_file_fail (file, "not XML of OpenCV: %.160s", cause->message);
  g_clear_error (&cause);
  g_markup_parse_context_free (context);
  return ok;
}

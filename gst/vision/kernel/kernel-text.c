/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The parsed text of a user's kernel file, and the compiler's messages about it. */
#include "kernel-private.h"

#include <string.h>

MgpuKernelText *
mgpu_kernel_text_ref (MgpuKernelText * self)
{
  g_atomic_int_inc (&self->n_refs);
  return self;
}

static void
free_lists (GArray * lists)
{
  for (guint i = 0; i < lists->len; i++)
    g_free (g_array_index (lists, MgpuKernelList, i).name);
  g_array_unref (lists);
}

void
mgpu_kernel_text_unref (MgpuKernelText * self)
{
  if (!g_atomic_int_dec_and_test (&self->n_refs))
    return;
  for (guint i = 0; i < self->params->len; i++) {
    g_free (g_array_index (self->params, MgpuKernelParam, i).name);
    g_free (g_array_index (self->params, MgpuKernelParam, i).text);
  }
  for (guint i = 0; i < self->functions->len; i++)
    g_free (g_array_index (self->functions, MgpuKernelFunction, i).name);
  for (guint i = 0; i < self->parts->len; i++)
    g_free (g_array_index (self->parts, MgpuKernelPart, i).file);
  free_lists (self->results);
  free_lists (self->buffers);
  free_lists (self->boxes);
  g_array_unref (self->params);
  g_array_unref (self->functions);
  g_array_unref (self->passes);
  g_array_unref (self->parts);
  g_array_unref (self->formats);
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

gint
mgpu_kernel_text_find_param (const MgpuKernelText * text, const gchar * name)
{
  for (guint i = 0; i < text->params->len; i++)
    if (g_str_equal (g_array_index (text->params, MgpuKernelParam, i).name,
            name))
      return i;
  return -1;
}

gint
mgpu_kernel_text_find_function (const MgpuKernelText * text, const gchar * name)
{
  for (guint i = 0; i < text->functions->len; i++)
    if (g_str_equal (g_array_index (text->functions, MgpuKernelFunction,
                i).name, name))
      return i;
  return -1;
}

guint
mgpu_kernel_text_count_results (const MgpuKernelText * text)
{
  guint n = 0;

  for (guint i = 0; i < text->results->len; i++)
    n += g_array_index (text->results, MgpuKernelList, i).n;
  for (guint i = 0; i < text->boxes->len; i++)
    n += 1 + MGPU_KERNEL_BOX_WORDS * g_array_index (text->boxes,
        MgpuKernelList, i).n;
  return n;
}

gchar *
mgpu_kernel_text_list_functions (const MgpuKernelText * text)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < text->functions->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "",
        g_array_index (text->functions, MgpuKernelFunction, i).name);
  return g_string_free (list, FALSE);
}

const gchar *
mgpu_kernel_text_locate (const MgpuKernelText * text, guint line, guint * in)
{
  const MgpuKernelPart *part = NULL;

  for (guint i = 0; i < text->parts->len; i++)
    if (g_array_index (text->parts, MgpuKernelPart, i).line <= line)
      part = &g_array_index (text->parts, MgpuKernelPart, i);
  *in = part != NULL ? line - part->line + part->first : line;
  return part != NULL ? part->file : text->name;
}

/* Returns: whether a line of a log, after "error: " or "warning: ", begins with a position in a
 * file of the user, such as "edges.cl:6" */
static gboolean
is_of_user (const MgpuKernelText * text, const gchar * line)
{
  if (g_str_has_prefix (line, "error: "))
    line += strlen ("error: ");
  else if (g_str_has_prefix (line, "warning: "))
    line += strlen ("warning: ");
  for (guint i = 0; i < text->parts->len; i++) {
    const gchar *file = g_array_index (text->parts, MgpuKernelPart, i).file;
    gsize length = strlen (file);

    if (g_str_has_prefix (line, file) && line[length] == ':'
        && g_ascii_isdigit (line[length + 1]))
      return TRUE;
  }
  return FALSE;
}

/* Removes " <Spelling=FILE:N:M>" from a line. Clang reports there the position at which a macro is
 * defined; the position before it is where the macro is used. If only the definition of the macro
 * is in a file of the user, replaces the position of the use by the position of the definition. */
static void
remove_spelling (const MgpuKernelText * text, GString * line)
{
  static const gchar mark[] = " <Spelling=";
  gchar *start = strstr (line->str, mark), *at = start, *place, *kind, *all;
  guint depth = 0;

  if (start == NULL)
    return;
  do {
    depth += *at == '<';
    depth -= *at == '>' && depth > 0;
    at++;
  } while (*at != '\0' && (depth > 0 || at < start + strlen (mark)));
  place = start + strlen (mark) < at ? g_strndup (start + strlen (mark),
      at - start - strlen (mark) - 1) : g_strdup ("");
  kind = g_strndup (line->str, g_str_has_prefix (line->str, "error: ")
      ? strlen ("error: ") : g_str_has_prefix (line->str, "warning: ")
      ? strlen ("warning: ") : 0);
  all = g_strconcat (kind, place, at, NULL);
  if (!is_of_user (text, line->str) && is_of_user (text, all))
    g_string_assign (line, all);
  else
    g_string_erase (line, start - line->str, at - start);
  g_free (all);
  g_free (kind);
  g_free (place);
}

/* Returns: the number of lines of the text */
static guint
count_lines (const MgpuKernelText * text)
{
  gsize length = strlen (text->text);
  guint n = length > 0 && text->text[length - 1] != '\n';

  for (gsize i = 0; i < length; i++)
    n += text->text[i] == '\n';
  return n;
}

/* Appends a line of a log. Replaces "<anything>:N", where N is a line of the whole program, by the
 * file and line of the text. The first @header lines of the program precede the text. Keeps line
 * numbers before and after the text. */
static void
append_line (const MgpuKernelText * text, guint header, GString * out,
    const gchar * line, gsize length)
{
  const gchar *end = line + length;
  const gchar *open = memchr (line, '<', length);
  const gchar *close = open != NULL ? memchr (open, '>', end - open) : NULL;
  guint64 number = 0;
  const gchar *at;
  guint in;

  if (close != NULL && end - close > 2 && close[1] == ':'
      && g_ascii_isdigit (close[2])) {
    for (at = close + 2; at < end && g_ascii_isdigit (*at); at++)
      number = MIN (number * 10 + (*at - '0'), G_MAXINT);
    if (number > header && number - header <= count_lines (text)) {
      g_string_append_len (out, line, open - line);
      g_string_append (out, mgpu_kernel_text_locate (text, number - header,
              &in));
      g_string_append_printf (out, ":%u", in);
      g_string_append_len (out, at, end - at);
      return;
    }
  }
  g_string_append_len (out, line, length);
}

gchar *
mgpu_kernel_text_map_log (const MgpuKernelText * text, guint header,
    const gchar * log)
{
  GString *out = g_string_new (NULL), *line = g_string_new (NULL);

  while (*log != '\0') {
    gsize length = strcspn (log, "\n");

    g_string_truncate (line, 0);
    g_string_append_len (line, log, length);
    remove_spelling (text, line);
    append_line (text, header, out, line->str, line->len);
    log += length;
    if (*log == '\n') {
      g_string_append_c (out, '\n');
      log++;
    }
  }
  g_string_free (line, TRUE);
  return g_string_free (out, FALSE);
}

guint64
mgpu_kernel_log_local_memory (const gchar * log, const gchar * name)
{
  g_autofree gchar *words = g_strdup_printf ("'" MGPU_KERNEL_PREFIX "%s' uses "
      "too much shared data (", name);
  const gchar *at = strstr (log, words);

  return at != NULL ? g_ascii_strtoull (at + strlen (words), NULL, 0) : 0;
}

#define LIST_IS_ARRAY "a list of results or a buffer is an array, even if it has only one " \
    "number: atomic_inc (name), or name[0]"

/* Parts of compiler messages, with an explanation for the user and a remedy */
static const struct
{
  const gchar *words, *cure;
} cures[] = {
  {"'MGPU_BOXES_", "the first argument of BOX () is the name in a line \"//! "
        "boxes\""},
  {"too few arguments to function call", "a function with KERNEL_PARAMS has to "
        "be called with KERNEL_ARGS as the first argument"},
  {"arguments provided to function-like macro", "LOAD () needs x and y, and "
        "BOX () needs a name, x, y, width, height and score"},
  {"redefinition of 'x'", "x and y are the position of the pixel: choose "
        "another name"},
  {"redefinition of 'y'", "x and y are the position of the pixel: choose "
        "another name"},
  {"greater rank", "an int4 needs an int, such as LOAD (x, y) * 6 / 5, or "
        "convert_float4 ()"},
  {"is ambiguous", "with an int, functions of floats need a cast: "
        "sqrt ((float) a)"},
  {"before the beginning of the array", "the index is outside of the list of "
        "results or the buffer"},
  {"past the end of the array", "the index is outside of the list of results "
        "or the buffer: check the number in its line \"//! results\" or \"//! "
        "buffer\""},
  {"'__global int[", LIST_IS_ARRAY},
  {"'__global float[", LIST_IS_ARRAY},
  /* Names of CUDA and GLSL, and the OpenCL C names to use instead */
  {"'blockIdx'", "OpenCL C has get_group_id (0) and (1)"},
  {"'threadIdx'", "OpenCL C has get_local_id (0) and (1)"},
  {"'blockDim'", "OpenCL C has get_local_size (0) and (1)"},
  {"'gridDim'", "OpenCL C has get_num_groups (0) and (1)"},
  {"'__shared__'", "OpenCL C has local"},
  {"'__syncthreads'", "OpenCL C has barrier (CLK_LOCAL_MEM_FENCE)"},
  {"'atomicAdd'", "OpenCL C has atomic_add ()"},
  {"'vec2'", "OpenCL C has float2"},
  {"'vec3'", "OpenCL C has float3"},
  {"'vec4'", "OpenCL C has float4"},
  {"'texture2D'", "LOADF (x, y) gives a pixel as float4"},
  {"'gl_FragCoord'", "x and y are the position of the pixel"}
};

/* Returns: (transfer full) (nullable): the remedy for the compiler message @message; NULL if none
 * is known */
static gchar *
find_cure (const MgpuKernelText * text, const gchar * message)
{
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *p =
        &g_array_index (text->params, MgpuKernelParam, i);
    g_autofree gchar *words = g_strdup_printf ("redefinition of '%s'", p->name);

    if (strstr (message, words) != NULL)
      return g_strdup_printf ("\"%s\" is a parameter, by its line \"//! "
          "param\": choose another name for the variable", p->name);
  }
  for (guint i = 0; i < text->boxes->len; i++) {
    const gchar *name = g_array_index (text->boxes, MgpuKernelList, i).name;
    g_autofree gchar *words = g_strdup_printf ("identifier '%s'", name);

    if (strstr (message, words) != NULL)
      return g_strdup_printf ("\"%s\" is a list of boxes: add a box with BOX "
          "(%s, x, y, width, height, score)", name, name);
  }
  for (guint i = 0; i < G_N_ELEMENTS (cures); i++)
    if (strstr (message, cures[i].words) != NULL)
      return g_strdup (cures[i].cure);
  return NULL;
}

gchar *
mgpu_kernel_first_error (const MgpuKernelText * text, const gchar * log)
{
  static const gchar prefix[] = "error: ";
  gchar **lines = g_strsplit (log, "\n", -1);
  const gchar *first = NULL;
  gboolean is_of_file = FALSE;
  gchar *result, *cure;

  for (guint i = 0; lines[i] != NULL && !is_of_file; i++)
    if (strstr (lines[i], "error") != NULL) {
      is_of_file = is_of_user (text, lines[i]);
      if (first == NULL || is_of_file)
        first = lines[i];
    }
  if (first == NULL)
    first = lines[0] != NULL ? lines[0] : "";
  /* Accepts two forms of messages: PoCL writes "error: FILE:LINE", and Clang writes "FILE:LINE:
   * error:". */
  if (g_str_has_prefix (first, prefix))
    first += strlen (prefix);
  result = g_strstrip (g_strdup (first));
  /* Joins two lines, because PoCL writes "Error(s) while linking:", and the missing symbol in the
   * next line. */
  if (g_str_has_suffix (result, ":"))
    for (guint i = 0; lines[i] != NULL; i++)
      if (strstr (lines[i], result) != NULL && lines[i + 1] != NULL) {
        gchar *title = result;

        result = g_strconcat (title, " ", lines[i + 1], NULL);
        g_free (title);
        break;
      }
  g_strfreev (lines);
  cure = find_cure (text, result);
  if (cure != NULL) {
    gchar *said = result;

    result = g_strdup_printf ("%s; %s", said, cure);
    g_free (said);
    g_free (cure);
  }
  if (result[0] != '\0' && !is_of_file) {
    gchar *said = result;

    result = g_strdup_printf ("%s: the generated code does not compile "
        "together with this source, perhaps because of a macro or a name in "
        "it: %s", text->name, said);
    g_free (said);
  }
  return result;
}

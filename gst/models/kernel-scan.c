/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the tokens of texts of users' kernels. */
#include "kernel-scan.h"

#include <string.h>

/* Skips a block comment. */
static void
skip_comment (MgpuKernelScanner * s)
{
  guint line = s->line, column = s->at - s->line_start + 1;

  for (s->at += 2; *s->at != '\0' && !(s->at[0] == '*' && s->at[1] == '/');
      s->at++)
    if (*s->at == '\n') {
      s->line++;
      s->line_start = s->at + 1;
    }
  if (*s->at != '\0') {
    s->at += 2;
  } else {
    s->comment_line = line;
    s->comment_column = column;
  }
}

/* Skips comments, literals and white space. Returns: FALSE at the end of the text */
static gboolean
skip_space (MgpuKernelScanner * s)
{
  while (*s->at != '\0') {
    if (*s->at == '\n') {
      s->line++;
      s->is_directive = FALSE;
      s->is_start = TRUE;
      s->line_start = ++s->at;
    } else if (s->at[0] == '\\' && s->at[1] == '\n') {
      s->line++;
      s->line_start = s->at += 2;
    } else if (g_ascii_isspace (*s->at)) {
      s->at++;
    } else if (s->at[0] == '/' && s->at[1] == '/') {
      s->at += strcspn (s->at, "\n");
    } else if (s->at[0] == '/' && s->at[1] == '*') {
      skip_comment (s);
    } else if (*s->at == '"' || *s->at == '\'') {
      gchar quote = *s->at++;

      while (*s->at != quote && *s->at != '\n' && *s->at != '\0')
        s->at += s->at[0] == '\\' && s->at[1] != '\0' && s->at[1] != '\n' ? 2
            : 1;
      s->at += *s->at == quote;
    } else {
      return TRUE;
    }
  }
  return FALSE;
}

gboolean
mgpu_kernel_scan (MgpuKernelScanner * s, GString * word)
{
  gsize length = 1;

  g_string_truncate (word, 0);
  if (!skip_space (s))
    return FALSE;
  s->is_hash = s->is_start && *s->at == '#';
  if (s->is_hash)
    s->is_directive = TRUE;
  s->is_start = FALSE;
  if (g_ascii_isalnum (*s->at) || *s->at == '_')
    while (g_ascii_isalnum (s->at[length]) || s->at[length] == '_')
      length++;
  g_string_append_len (word, s->at, length);
  s->at += length;
  return TRUE;
}

static gint
get_form (const gchar * word)
{
  static const gchar *const names[] = { "PIXEL", "SAMPLE", "WORK" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], word))
      return i;
  return -1;
}

/* Reads "(NAME) {". Returns: (transfer full) (nullable): the name */
static gchar *
read_name (MgpuKernelScanner * s, GString * word)
{
  gchar *name;

  if (!mgpu_kernel_scan (s, word) || word->str[0] != '('
      || !mgpu_kernel_scan (s, word))
    return NULL;
  name = g_strdup (word->str);
  if (!(g_ascii_isalpha (name[0]) || name[0] == '_')
      || !mgpu_kernel_scan (s, word) || word->str[0] != ')'
      || !mgpu_kernel_scan (s, word) || word->str[0] != '{')
    g_clear_pointer (&name, g_free);
  return name;
}

gchar *
mgpu_kernel_scan_form (MgpuKernelScanner * s, GString * word, gint * form)
{
  *form = s->is_directive ? -1 : get_form (word->str);
  return *form >= 0 ? read_name (s, word) : NULL;
}

gboolean
mgpu_kernel_is_never (const gchar * at)
{
  at += strspn (at, " \t");
  if (*at++ != '0')
    return FALSE;
  at += strspn (at, " \t");
  return *at == '\n' || *at == '\0' || (at[0] == '/' && (at[1] == '/'
          || at[1] == '*'));
}

gboolean
mgpu_kernel_skip_branch (MgpuKernelScanner * s, GString * word)
{
  guint depth = 1;
  gboolean is_name = FALSE;

  while (depth > 0 && mgpu_kernel_scan (s, word)) {
    if (is_name && g_str_has_prefix (word->str, "if"))
      depth++;
    else if (is_name && (g_str_equal (word->str, "endif") || (depth == 1
                && g_str_has_prefix (word->str, "el"))))
      depth--;
    is_name = s->is_hash;
  }
  return depth == 0;
}

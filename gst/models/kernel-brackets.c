/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the brackets of users' kernels before the compiler does, because if one is missing,
 * compilers report the position at which they notice it, which is after the end of the user's
 * file. */
#include "kernel-scan.h"

#include <string.h>

#include "kernel-lines.h"

/* A bracket; @name is its character, or 0 if there is no bracket */
typedef struct
{
  gchar name;
  guint line, column;           /* line of the bracket, from 1 */
  guint indent;                 /* columns of white space at the start of its line */
  gboolean is_first;            /* whether the bracket is the first token of its line */
} Bracket;

/* An #if without its #endif */
typedef struct
{
  guint line, column;
  guint depth;                  /* number of brackets that are open before the #if */
} Condition;

typedef struct
{
  const MgpuKernelText *text;
  MgpuKernelScanner s;
  GString *word;
  GArray *open;                 /* array of Bracket: the open brackets */
  GArray *conditions;           /* array of Condition: the open conditions */
  gint in_directive;            /* number of brackets opened in the directive minus the number of
                                 * brackets closed in it */
  gboolean is_name;             /* whether the token is the name of a directive */
  gboolean is_unsure;           /* whether conditions or macros determine which brackets match */
  Bracket unclosed, unopened;   /* the brackets that are probably wrong, judging by their
                                 * indentation, in the outermost block that has such brackets */
} Checker;

static gboolean
fail (const Checker * self, guint line, guint column, GError ** error,
    const gchar * format, ...)
G_GNUC_PRINTF (5, 6);

/* Sets the error at a position. Returns: FALSE */
     static gboolean
         fail (const Checker * self, guint line, guint column, GError ** error,
    const gchar * format, ...)
{
  guint in;
  const gchar *file = mgpu_kernel_text_locate (self->text, line, &in);
  gchar *place = g_strdup_printf ("%s:%u", file, in), *message;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_propagate_error (error, mgpu_kernel_line_error (place, column, "%s",
          message));
  g_free (message);
  g_free (place);
  return FALSE;
}

static gchar
get_partner (gchar name)
{
  static const gchar pairs[] = "(){}[]";

  return pairs[(strchr (pairs, name) - pairs) ^ 1];
}

/* Sets the error of a bracket without a partner. If @by_indent is a bracket, reports @by_indent
 * instead. */
static gboolean
fail_bracket (const Checker * self, const Bracket * b,
    const Bracket * by_indent, GError ** error)
{
  gboolean has_indent = by_indent != NULL && by_indent->name == b->name;

  if (has_indent)
    b = by_indent;
  return fail (self, b->line, b->column, error, "this \"%c\" has no \"%c\"%s",
      b->name, get_partner (b->name), has_indent ? ", according to the "
      "indentation of the lines after it" : "");
}

/* Returns: the bracket of the last token; its name is 0 if the token is not a bracket */
static Bracket
get_bracket (const MgpuKernelScanner * s)
{
  const gchar *end = s->line_start + strspn (s->line_start, " \t");
  Bracket b = { s->at[-1], s->line, s->at - s->line_start, 0,
    end == s->at - 1
  };

  for (const gchar * at = s->line_start; at < end; at++)
    b.indent += *at == '\t' ? 8 - b.indent % 8 : 1;
  return b;
}

static const Bracket *
get_last (const Checker * self)
{
  return self->open->len == 0 ? NULL : &g_array_index (self->open, Bracket,
      self->open->len - 1);
}

/* Closes the last bracket. */
static gboolean
close_bracket (Checker * self, const Bracket * b, GError ** error)
{
  const Bracket *last = get_last (self);

  if (last == NULL)
    return fail_bracket (self, b, &self->unopened, error);
  if (last->name != get_partner (b->name))
    return last->name != '{' ? fail_bracket (self, last, NULL, error)
        : fail_bracket (self, b, NULL, error);
  if (b->name == '}' && b->is_first && b->indent < last->indent
      && self->unclosed.name == '\0')
    self->unclosed = *last;
  if (b->name == '}' && b->is_first && b->indent > last->indent
      && self->unopened.name == '\0')
    self->unopened = *b;
  g_array_set_size (self->open, self->open->len - 1);
  return TRUE;
}

/* Processes the directive with the name self->word. Each branch of a condition has to leave the
 * number of open brackets unchanged. */
static gboolean
see_directive (Checker * self, GError ** error)
{
  const gchar *name = self->word->str;
  Condition c = { self->s.line, 1, self->open->len };
  guint n = self->conditions->len;

  if (g_str_has_prefix (name, "if")) {
    gboolean is_never = g_str_equal (name, "if")
        && mgpu_kernel_is_never (self->s.at);

    if (is_never && !mgpu_kernel_skip_branch (&self->s, self->word))
      return fail (self, c.line, c.column, error, "this #if has no #endif");
    if (!is_never || !g_str_equal (self->word->str, "endif"))
      g_array_append_val (self->conditions, c);
  } else if (n > 0 && (g_str_has_prefix (name, "el")
          || g_str_equal (name, "endif"))) {
    self->is_unsure |= g_array_index (self->conditions, Condition,
        n - 1).depth != self->open->len;
    if (g_str_equal (name, "endif"))
      g_array_set_size (self->conditions, n - 1);
  }
  return TRUE;
}

/* Processes the token self->word. */
static gboolean
see_token (Checker * self, GError ** error)
{
  const gchar *word = self->word->str;
  Bracket b = { 0 };

  if (self->is_name)
    return see_directive (self, error);
  if (!self->s.is_directive || self->s.is_hash) {
    /* Sets self->is_unsure after a macro with unbalanced brackets, because another macro may close
     * them. */
    self->is_unsure |= self->in_directive != 0;
    self->in_directive = 0;
  }
  if (strchr ("(){}[]", word[0]) == NULL)
    return TRUE;
  b = get_bracket (&self->s);
  if (self->s.is_directive) {
    self->in_directive += strchr ("({[", word[0]) != NULL ? 1 : -1;
    return TRUE;
  }
  if (strchr ("({[", word[0]) == NULL)
    return close_bracket (self, &b, error);
  if (self->open->len == 0)
    self->unclosed.name = self->unopened.name = '\0';
  g_array_append_val (self->open, b);
  return TRUE;
}

/* Returns: whether the last token begins a kernel */
static gboolean
is_kernel (const Checker * self)
{
  MgpuKernelScanner ahead = self->s;
  GString *word = g_string_new (self->word->str);
  gint form;
  gchar *name = mgpu_kernel_scan_form (&ahead, word, &form);

  g_string_free (word, TRUE);
  g_free (name);
  return name != NULL;
}

/* Checks that no bracket is open at the end of the text, or at the beginning of a kernel. */
static gboolean
see_end (const Checker * self, GError ** error)
{
  const Bracket *last = get_last (self);

  return last == NULL || fail_bracket (self, last, &self->unclosed, error);
}

gboolean
mgpu_kernel_check_brackets (const MgpuKernelText * text, const gchar * contents,
    GError ** error)
{
  Checker self = {.text = text,.s = MGPU_KERNEL_SCANNER (contents),
    .word = g_string_new (NULL),
    .open = g_array_new (FALSE, FALSE, sizeof (Bracket)),
    .conditions = g_array_new (FALSE, FALSE, sizeof (Condition))
  };
  gboolean ok = TRUE;

  while (ok && !self.is_unsure && mgpu_kernel_scan (&self.s, self.word)) {
    ok = see_token (&self, error) && (self.open->len == 0
        || !is_kernel (&self) || see_end (&self, error));
    self.is_name = self.s.is_hash;
  }
  if (ok && self.s.comment_line > 0)
    ok = fail (&self, self.s.comment_line, self.s.comment_column, error,
        "this comment has no end");
  if (ok && !self.is_unsure && self.conditions->len > 0) {
    const Condition *c = &g_array_index (self.conditions, Condition,
        self.conditions->len - 1);

    ok = fail (&self, c->line, c->column, error, "this #if has no #endif");
  }
  ok = ok && (self.is_unsure || see_end (&self, error));
  g_array_unref (self.conditions);
  g_array_unref (self.open);
  g_string_free (self.word, TRUE);
  return ok;
}

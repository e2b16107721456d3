/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

/* A position in a text of OpenCL C whose lines //! are blank */
typedef struct
{
  const gchar *at;
  const gchar *line_start;      /* beginning of the line that contains @at */
  guint line;                   /* number of that line */
  gboolean is_directive;        /* whether @at is in a line that begins with # */
  gboolean is_start;            /* whether only white space comes before @at in its line */
  gboolean is_hash;             /* whether the last token is the # of a directive */
  /* At the end of the text, the position (from 1) of a comment that has no end; 0 if there is no
   * such comment */
  guint comment_line, comment_column;
} MgpuKernelScanner;

#define MGPU_KERNEL_SCANNER(text) {.at = text,.line_start = text,.line = 1,.is_start = TRUE }

/* Finds the next token, which ends at s->at. *@word: set to the identifier, or to the single
 * character, of the token.
 * Returns: FALSE at the end of the text */
gboolean mgpu_kernel_scan (MgpuKernelScanner * s, GString * word);

/* Reads "(NAME) {" behind the token @word if that is PIXEL, SAMPLE or WORK. *@form: set to the
 * MgpuKernelForm, or to -1 if @word is another token. Returns: (transfer full) (nullable): the name */
gchar *mgpu_kernel_scan_form (MgpuKernelScanner * s, GString * word, gint * form);

/* Returns: whether the condition of an #if, which begins at @at, is the number 0 */
gboolean mgpu_kernel_is_never (const gchar * at);

/* Skips the text up to the #else, #elif or #endif of an #if; @word is set to that word. Returns:
 * FALSE at the end of the text */
gboolean mgpu_kernel_skip_branch (MgpuKernelScanner * s, GString * word);

/* Checks for brackets, comments and #if without an end, and for closing brackets without an opening
 * one. Text whose brackets depend on conditions or macros is not checked.
 * @text: for the names of files and lines of @contents.
 * Returns: FALSE with the error set */
gboolean mgpu_kernel_check_brackets (const MgpuKernelText * text, const gchar * contents, GError ** error);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes tables of words of 4 bytes, each a gint or a gfloat, that the host writes and
 * kernels read. */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a table without words; new words are 0 */
static inline GArray *
mgpu_words_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (gint));
}

/* Returns: the place of a word; valid until words are appended */
static inline gint *
mgpu_words_at (const GArray * words, gint at)
{
  return &g_array_index (words, gint, at);
}

/* Appends n words that are 0. Returns: the number of the first of them */
static inline gint
mgpu_words_grow (GArray * words, gsize n)
{
  gint at = words->len;

  g_array_set_size (words, at + n);
  return at;
}

static inline void
mgpu_words_add (GArray * words, gint value)
{
  g_array_append_val (words, value);
}

static inline void
mgpu_words_add_float (GArray * words, gfloat value)
{
  g_array_append_val (words, value);
}

/* Writes value to a word. */
static inline void
mgpu_word_set_float (gint * word, gfloat value)
{
  memcpy (word, &value, sizeof (value));
}

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Creates tables of 4-byte words, each a gint or a gfloat. The host writes these tables, and
 * kernels read them. */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): an empty table of 4-byte words. Words that are added without a
 * value are 0 */
static inline GArray *
mgpu_words_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (gint));
}

/* Returns: a pointer to the word with index @at in the table @words. The pointer is valid until
 * words are appended */
static inline gint *
mgpu_words_at (const GArray * words, gint at)
{
  return &g_array_index (words, gint, at);
}

/* Appends @n words of value 0 to the table @words. Returns: the index of the first of
 * these words */
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

/* Writes the float @value to the 4-byte word *word of a table. */
static inline void
mgpu_word_set_float (gint * word, gfloat value)
{
  memcpy (word, &value, sizeof (value));
}

G_END_DECLS

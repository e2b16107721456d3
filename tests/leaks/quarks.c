/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Is linked into every sanitized test. GLib abandons its table of quarks, by design, when it makes
 * a larger one, and the leak checker's short stacks do not distinguish such a table from a real
 * leak. This file keeps a pointer to each of the tables. */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include <glib.h>

#define MAX_TABLES 64

/* Declares functions of the sanitizer, because Debian's GCC comes without their header. */
int __sanitizer_get_ownership (const volatile void *memory);
size_t __sanitizer_get_allocated_size (const volatile void *memory);
int __sanitizer_install_malloc_and_free_hooks (
    void (*see_malloc) (const volatile void *, size_t),
    void (*see_free) (const volatile void *));

/* GLib's variable that points to the current table of quarks */
static void *const volatile *current;
/* Pointers to the abandoned tables. The leak checker searches this array for pointers. */
static void *tables[MAX_TABLES];
static gint n_tables;

/* Stores a pointer to the current table when a larger table is allocated. */
static void
see_table (const volatile void *memory, size_t size)
{
  void *table = *current;

  if (n_tables == 0 || tables[n_tables - 1] != table)
    if (n_tables < MAX_TABLES)
      tables[n_tables++] = table;
}

static void
see_free (const volatile void *memory)
{
}

/* Returns whether @word points to the table of strings, whose element i is the string of quark
 * i. */
static gboolean
is_table (void *const *word)
{
  const gchar *const *strings = *word;

  return __sanitizer_get_ownership (*word)
      && __sanitizer_get_allocated_size (*word) >= 2 * sizeof (gpointer)
      && strings[1] == g_quark_to_string (1);
}

static int
search (struct dl_phdr_info *info, size_t size, void *data)
{
  if (strstr (info->dlpi_name, "libglib-2.0.so") == NULL)
    return 0;
  for (gint i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) * part = &info->dlpi_phdr[i];
    void *const *words = (void *const *) (info->dlpi_addr + part->p_vaddr);

    if (part->p_type == PT_LOAD && part->p_flags & PF_W)
      for (gsize j = 0; j < part->p_memsz / sizeof (*words); j++)
        if (is_table (words + j))
          current = words + j;
  }
  return 0;
}

__attribute__ ((constructor))
static void
start (void)
{
  g_quark_from_static_string ("tests-leaks-quarks");
  dl_iterate_phdr (search, NULL);
  g_assert (current != NULL);
  see_table (NULL, 0);
  __sanitizer_install_malloc_and_free_hooks (see_table, see_free);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Has two threads, one lock, and a number that one thread changes without it, which the thread
 * sanitizer has to find. */
#include <glib.h>

static GMutex lock;
static gint guarded, unguarded;

static gpointer
count (gpointer unused)
{
  for (guint i = 0; i < 1000; i++) {
    g_mutex_lock (&lock);
    guarded++;
    g_mutex_unlock (&lock);
    unguarded++;
  }
  return NULL;
}

int
main (void)
{
  GThread *thread = g_thread_new ("count", count, NULL);

  count (NULL);
  g_thread_join (thread);
  return guarded != 2000;
}

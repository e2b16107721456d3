/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Ends the process if one of this project's libraries logs, or posts a message, while the thread
 * holds a mutex that these libraries locked; loaded with LD_PRELOAD. The application's log
 * function, or its message handler, may wait for a thread that waits for this mutex. With
 * MGPU_TEST_LOCKS_LIST in the environment, prints such places and continues. */
#define _GNU_SOURCE
#include <gst/gst.h>

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))
#define CALLER __builtin_return_address (0)
#define NEXT(name) ((__typeof__ (name) *) dlsym (RTLD_NEXT, #name))
#define MAX_HELD 16

/* The mutexes that this project's libraries hold in this thread, and where each was locked */
static _Thread_local struct
{
  GMutex *mutex;
  void *caller;
} held[MAX_HELD];
static _Thread_local guint n_held;

static gboolean
is_ours (void *caller)
{
  Dl_info info;

  return dladdr (caller, &info)
      && strstr (info.dli_fname, "libgstmgpu") != NULL;
}

static void
add (GMutex * mutex, void *caller)
{
  if (!is_ours (caller))
    return;
  if (n_held == MAX_HELD)
    abort ();
  held[n_held].mutex = mutex;
  held[n_held++].caller = caller;
}

EXPORT void
g_mutex_lock (GMutex * mutex)
{
  static __typeof__ (g_mutex_lock) * next;

  if (next == NULL)
    next = NEXT (g_mutex_lock);
  next (mutex);
  add (mutex, CALLER);
}

EXPORT gboolean
g_mutex_trylock (GMutex * mutex)
{
  gboolean locked = NEXT (g_mutex_trylock) (mutex);

  if (locked)
    add (mutex, CALLER);
  return locked;
}

EXPORT void
g_mutex_unlock (GMutex * mutex)
{
  static __typeof__ (g_mutex_unlock) * next;
  guint i = n_held;

  if (next == NULL)
    next = NEXT (g_mutex_unlock);
  while (i > 0 && held[i - 1].mutex != mutex)
    i--;
  if (i > 0)
    memmove (&held[i - 1], &held[i], (n_held-- - i) * sizeof (held[0]));
  next (mutex);
}

/* Prints a code address as addr2line expects it: the file, and the offset in it. */
static void
print_place (const gchar * what, void *caller)
{
  Dl_info info;

  if (dladdr (caller, &info))
    fprintf (stderr, "%s %s+%#tx\n", what, info.dli_fname,
        (char *) caller - (char *) info.dli_fbase);
}

static void
check (const gchar * what, void *caller)
{
  if (n_held == 0 || !is_ours (caller))
    return;
  fprintf (stderr, "LOCKED: %s\n", what);
  print_place ("called at", caller);
  for (guint i = 0; i < n_held; i++)
    print_place ("holds what was locked at", held[i].caller);
  if (g_getenv ("MGPU_TEST_LOCKS_LIST") == NULL)
    abort ();
}

EXPORT void
gst_debug_log (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    const gchar * format, ...)
{
  va_list args;

  check (format, CALLER);
  va_start (args, format);
  gst_debug_log_valist (category, level, file, function, line, object, format,
      args);
  va_end (args);
}

EXPORT void
gst_debug_log_literal (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    const gchar * message)
{
  check (message, CALLER);
  NEXT (gst_debug_log_literal) (category, level, file, function, line, object,
      message);
}

EXPORT gboolean
gst_element_post_message (GstElement * element, GstMessage * message)
{
  check ("gst_element_post_message()", CALLER);
  return NEXT (gst_element_post_message) (element, message);
}

EXPORT void
gst_element_message_full (GstElement * element, GstMessageType type,
    GQuark domain, gint code, gchar * text, gchar * debug, const gchar * file,
    const gchar * function, gint line)
{
  check ("gst_element_message_full()", CALLER);
  NEXT (gst_element_message_full) (element, type, domain, code, text, debug,
      file, function, line);
}

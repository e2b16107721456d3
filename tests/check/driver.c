/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Is linked into every gst-check program, which forks a process for each test. Loads PoCL and its
 * compiler's libraries before the fork, because loading them takes longer than most tests. Opens no
 * device, because the driver's threads do not survive a fork.
 *
 * Prints the stack of a thread that crashes, which may be a thread of the driver, because a crash
 * that occurs once in thousands of runs cannot be reproduced.
 *
 * Ends a program that does not fork at its first failed assertion. Otherwise the test's pipeline
 * would continue to play, and GStreamer would wait for its threads forever when the program ends.
 *
 * Sets TMPDIR to a new folder, and removes this folder when the program ends: the process of a test
 * that fails or crashes does not remove its files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#define MAX_FRAMES 24

/* Prints the stack. The signal then occurs again, with its default action, and ends the process. */
static void
print_stack (G_GNUC_UNUSED int signum)
{
  static const char text[] = "The stack of the thread that crashed:\n";
  void *frames[MAX_FRAMES];
  int n = backtrace (frames, MAX_FRAMES);

  if (write (STDERR_FILENO, text, strlen (text)) > 0)
    backtrace_symbols_fd (frames, n, STDERR_FILENO);
}

/* Sets print_stack() as the handler of the signal @signum, unless a sanitizer has set a handler. */
static void
handle (int signum)
{
  struct sigaction action;

  sigaction (signum, NULL, &action);
  if (action.sa_handler != SIG_DFL)
    return;
  memset (&action, 0, sizeof (action));
  action.sa_handler = print_stack;
  action.sa_flags = SA_RESETHAND | SA_ONSTACK;
  sigaction (signum, &action, NULL);
}

__attribute__((constructor))
     static void print_crashes (void)
{
  void *frame;

  /* Loads the library that unwinds stacks early, because a signal handler must not load
   * libraries. */
  backtrace (&frame, 1);
  handle (SIGSEGV);
  handle (SIGBUS);
  handle (SIGABRT);
}

__attribute__((constructor))
     static void load_driver (void)
{
  gchar *library;

  if (!g_file_get_contents ("/etc/OpenCL/vendors/pocl.icd", &library, NULL,
          NULL))
    return;
  dlopen (g_strstrip (library), RTLD_NOW | RTLD_LOCAL);
  g_free (library);
}

static char folder[PATH_MAX];
static pid_t owner;             /* process that made the folder */

/* Makes the folder, before GLib reads TMPDIR. */
__attribute__((constructor))
     static void make_folder (void)
{
  const gchar *parent = g_getenv ("TMPDIR");

  g_snprintf (folder, sizeof (folder), "%s/gst-mgpu-XXXXXX",
      parent != NULL && *parent != '\0' ? parent : "/tmp");
  if (mkdtemp (folder) == NULL)
    return;
  owner = getpid ();
  g_setenv ("TMPDIR", folder, TRUE);
}

static int
remove_path (const char *path, G_GNUC_UNUSED const struct stat *status,
    G_GNUC_UNUSED int type, G_GNUC_UNUSED struct FTW *walk)
{
  return remove (path);
}

/* Removes the folder and all files in it, unless this is the process of a single test. */
__attribute__((destructor))
     static void remove_folder (void)
{
  if (owner == getpid ())
    nftw (folder, remove_path, 8, FTW_DEPTH | FTW_PHYS);
}

/* Replaces the function of GStreamer's check library that every failed assertion calls. Never
 * returns. @text is a printf format, or NULL. */
__attribute__((visibility ("default"), noreturn))
     void _ck_assert_failed (const char *file, int line, const char *expression,
    const char *text, ...);

     void _ck_assert_failed (const char *file, int line, const char *expression,
    const char *text, ...)
{
  void (*fail) (const char *, int, const char *, ...);
  char said[4096];
  va_list args;

  if (text) {
    va_start (args, text);
    vsnprintf (said, sizeof (said), text, args);
    va_end (args);
  } else {
    g_strlcpy (said, expression, sizeof (said));
  }

  if (g_strcmp0 (g_getenv ("CK_FORK"), "no") == 0) {
    fprintf (stderr,
        "%s:%d: %s\nfailed without a fork; no further test is run\n", file,
        line, said);
    remove_folder ();
    _exit (EXIT_FAILURE);
  }

  fail = (void (*)(const char *, int, const char *, ...))
      dlsym (RTLD_NEXT, "_ck_assert_failed");
  fail (file, line, expression, "%s", said, NULL);
  abort ();
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Part of every gst-check program, which forks a process for each test. Loads
 * PoCL and its compiler's libraries before that: to load them takes longer than
 * most tests. Opens no device, because threads do not survive a fork. */
#include <dlfcn.h>

#include <glib.h>

__attribute__ ((constructor))
static void
load_driver (void)
{
  gchar *library;

  if (!g_file_get_contents ("/etc/OpenCL/vendors/pocl.icd", &library, NULL,
          NULL))
    return;
  dlopen (g_strstrip (library), RTLD_NOW | RTLD_LOCAL);
  g_free (library);
}

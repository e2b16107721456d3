/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include <stdlib.h>
#include <string.h>

/* Returns: the resident memory of this process, in KiB; 0 if the system does not report it */
static inline glong
resident_kib (void)
{
  gchar *text, *at;
  glong kib = 0;

  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL)) {
    if ((at = strstr (text, "VmRSS:")) != NULL)
      kib = strtol (at + 6, NULL, 10);
    g_free (text);
  }
  return kib;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tells the version of the library; the plugin compares it with its own version. */
#include "version.h"

const gchar *
mgpu_get_version (void)
{
  return PACKAGE_VERSION;
}

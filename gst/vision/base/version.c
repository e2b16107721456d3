/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Returns the version of the library, which the plugin compares with its own. */
#include "version.h"

const gchar *
mgpu_get_version (void)
{
  return PACKAGE_VERSION;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "version.h"

const gchar *
mgpu_get_version (void)
{
  return PACKAGE_VERSION;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that programs that include the installed headers can also be linked. */
#include <gst/mgpu/mgpu.h>

int
main (void)
{
  return GST_TYPE_MGPU_CONTEXT == 0;
}

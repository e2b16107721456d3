/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The compiler tests the headers; this tests that what they need links. */
#include <gst/mgpu/mgpu.h>

int
main (void)
{
  return GST_TYPE_MGPU_CONTEXT == 0;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the kernel MGPU_KERNEL, which calls MGPU_FUNCTION, a SAMPLE kernel of the user, for each
 * sample of the component that the arguments describe. A program includes this file once for each
 * SAMPLE kernel. */
#ifndef MGPU_KERNEL
#include "kernel/image.h"
#endif

#undef MGPU_RESTRICT
#define MGPU_RESTRICT restrict

kernel void
MGPU_KERNEL (MGPU_SAMPLE_PARAMS)
{
  int x = mgpu_left + (int) get_global_id (0);
  int y = mgpu_top + (int) get_global_id (1);

  if (x < mgpu_right && y < mgpu_bottom)
    MGPU_F (MGPU_CLASS_out, put) (mgpu_out_data + mgpu_out_offset
        + y * mgpu_out_stride + x * mgpu_out_step,
        clamp (MGPU_FUNCTION (MGPU_SAMPLE_ARGS, x, y), 0, MGPU_O (MAX)));
}

#undef MGPU_RESTRICT
#define MGPU_RESTRICT

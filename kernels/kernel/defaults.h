/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines default values that allow to compile the files of this folder alone: for NV12 frames, and
 * for a user's file without kernels. */
#ifndef MGPU_CLASS_in
#define MGPU_WHOLE 1
#define MGPU_HAS_SOURCE 1
#define MGPU_HAS_SECOND 1
#define MGPU_HAS_PREVIOUS 1
#define MGPU_HAS_FEEDBACK 1
#define MGPU_HAS_RESULTS 1
#define MGPU_HAS_BOXES 1
#define MGPU_BOX_WORDS 5
#define MGPU_CLASS_in A
#define MGPU_CLASS_out A
#define MGPU_CLASS_source A
#define MGPU_CLASS_second A
#define MGPU_CLASS_previous A
#define MGPU_CLASS_feedback A
#define MGPU_USER_PARAMS
#define MGPU_USER_ARGS
#define MGPU_A_BYTES 1
#define MGPU_A_SHIFT 0
#define MGPU_A_MAX 255
#define MGPU_A_COMPONENTS 3
#define MGPU_A_STEP0 1
#define MGPU_A_STEP1 2
#define MGPU_A_XSUB 1
#define MGPU_A_YSUB 1
#define MGPU_A_IS_PACKED 0
#define MGPU_A_DELTA1 0
#define MGPU_A_DELTA2 0
#define MGPU_A_HAS_ALPHA 0
#define MGPU_A_ALPHA 0
#define MGPU_A_HAS_PAD 0
#define MGPU_A_PAD 0
#define MGPU_A_LO0 16
#define MGPU_A_LO1 16
#define MGPU_A_RANGE0 219.0f
#define MGPU_A_RANGE1 224.0f
#define MGPU_A_INVERSE0 (1.0f / 219)
#define MGPU_A_INVERSE1 (1.0f / 224)
#define MGPU_A_INVERSE_MAX (1.0f / 255)
#define MGPU_A_RGB_0 38155, 0, 52298, -7288152
#define MGPU_A_RGB_1 38155, -12837, -26639, 4458929
#define MGPU_A_RGB_2 38155, 66101, 0, -9054896
#define MGPU_A_RGB_BITS 15
#define MGPU_A_RGB_MAX 255
#define MGPU_A_RGB_WIDE 0
#define MGPU_A_RGB_IS_IDENTITY 0
#define MGPU_FROM_RGB_0 8414, 16519, 3208, 540672
#define MGPU_FROM_RGB_1 -4857, -9535, 14392, 4210688
#define MGPU_FROM_RGB_2 14392, -12051, -2341, 4210688
#define MGPU_FROM_RGB_BITS 15
#define MGPU_FROM_RGB_WIDE 0
#define MGPU_FROM_RGB_IS_IDENTITY 0
#define MGPU_LETTER A
#define MGPU_KERNEL kernel_of_user
/* Devices never read this macro; some compilers for OpenCL C 1.2 would reject it, because it is
 * variadic. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"
#define MGPU_FUNCTION(...) 0
#pragma clang diagnostic pop
#endif

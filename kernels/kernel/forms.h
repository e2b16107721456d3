/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the macros and functions behind the names of mgpu-kernel.h. Macros that depend on the
 * formats and on the user's file are defined by gst/vision/kernel/program.c: MGPU_CLASS_in and
 * similar macros are letters that select the description of a frame's format; MGPU_HAS_SECOND and
 * similar macros tell which frames are arguments of the kernels. */
#ifndef MGPU_FORMS_H
#define MGPU_FORMS_H

#include "kernel/defaults.h"

#define MGPU_JOIN_(a, b) a ## b
#define MGPU_JOIN(a, b) MGPU_JOIN_ (a, b)
#define MGPU_JOIN4_(a, b, c, d) a ## b ## c ## d
#define MGPU_JOIN4(a, b, c, d) MGPU_JOIN4_ (a, b, c, d)

/* Name of the function @name for frames with the format description @letter */
#define MGPU_F(letter, name) MGPU_JOIN4 (mgpu_, letter, _, name)

/* Name of the constant @name of the format description @letter */
#define MGPU_K(letter, name) MGPU_JOIN4 (MGPU_, letter, _, name)

/* Name of the constant @name for the frames that the current pass writes */
#define MGPU_O(name) MGPU_K (MGPU_CLASS_out, name)

#define MGPU_PIXEL(image, name, x, y) \
    MGPU_F (MGPU_CLASS_##image, name) (MGPU_IMAGE_ARGS (image), mgpu_width, \
    mgpu_height, x, y)
#define MGPU_SAMPLE(image, name, x, y) \
    MGPU_F (MGPU_CLASS_##image, name##_sample) (MGPU_PLANE_ARGS (image), \
    mgpu_width, mgpu_height, component, x, y)

/* MGPU_RESTRICT is restrict in parameters of kernels, because kernels do not write to the buffers
 * that they read. In parameters of functions it is empty, because Oclgrind does not support
 * restrict there. */
#define MGPU_RESTRICT

/* Parameters that describe a frame: its data, and the offset and stride of each component. The
 * offset of alpha follows from the offset of the first component. */
#define MGPU_IMAGE_PARAMS(image, type) global type *MGPU_RESTRICT mgpu_##image##_data, \
    int mgpu_##image##_o0, int mgpu_##image##_s0, \
    int mgpu_##image##_o1, int mgpu_##image##_s1, \
    int mgpu_##image##_o2, int mgpu_##image##_s2
#define MGPU_IMAGE_ARGS(image) mgpu_##image##_data, \
    mgpu_##image##_o0, mgpu_##image##_s0, mgpu_##image##_o1, \
    mgpu_##image##_s1, mgpu_##image##_o2, mgpu_##image##_s2

/* Parameters that describe a single component of a frame */
#define MGPU_PLANE_PARAMS(image, type) global type *MGPU_RESTRICT mgpu_##image##_data, \
    int mgpu_##image##_offset, int mgpu_##image##_stride, int mgpu_##image##_step
#define MGPU_PLANE_ARGS(image) mgpu_##image##_data, \
    mgpu_##image##_offset, mgpu_##image##_stride, mgpu_##image##_step

#if MGPU_HAS_SOURCE
#define MGPU_SOURCE_PARAMS(params) , params (source, const uchar)
#define MGPU_SOURCE_ARGS(args) , args (source)
#else
#define MGPU_SOURCE_PARAMS(params)
#define MGPU_SOURCE_ARGS(args)
#endif
#if MGPU_HAS_SECOND
#define MGPU_SECOND_PARAMS(params) , params (second, const uchar)
#define MGPU_SECOND_ARGS(args) , args (second)
#else
#define MGPU_SECOND_PARAMS(params)
#define MGPU_SECOND_ARGS(args)
#endif
#if MGPU_HAS_PREVIOUS
#define MGPU_PREVIOUS_PARAMS(params) , params (previous, const uchar)
#define MGPU_PREVIOUS_ARGS(args) , args (previous)
#else
#define MGPU_PREVIOUS_PARAMS(params)
#define MGPU_PREVIOUS_ARGS(args)
#endif
#if MGPU_HAS_FEEDBACK
#define MGPU_FEEDBACK_PARAMS(params) , params (feedback, const uchar)
#define MGPU_FEEDBACK_ARGS(args) , args (feedback)
#else
#define MGPU_FEEDBACK_PARAMS(params)
#define MGPU_FEEDBACK_ARGS(args)
#endif
#if MGPU_HAS_RESULTS
#define MGPU_RESULTS_PARAM , global int *mgpu_results
#define MGPU_RESULTS_ARG , mgpu_results
#else
#define MGPU_RESULTS_PARAM
#define MGPU_RESULTS_ARG
#endif
/* Parameters with the size of the frame for BOX(). In SAMPLE kernels, mgpu_width and mgpu_height
 * are the size of the component instead. */
#if MGPU_HAS_BOXES
#define MGPU_BOXES_PARAMS , int mgpu_full_width, int mgpu_full_height
#define MGPU_BOXES_ARGS , mgpu_full_width, mgpu_full_height
#else
#define MGPU_BOXES_PARAMS
#define MGPU_BOXES_ARGS
#endif

#define MGPU_ALL_PARAMS(params) params (in, const uchar), params (out, uchar) \
    MGPU_SOURCE_PARAMS (params) MGPU_SECOND_PARAMS (params) \
    MGPU_PREVIOUS_PARAMS (params) MGPU_FEEDBACK_PARAMS (params)
#define MGPU_ALL_ARGS(args) args (in), args (out) \
    MGPU_SOURCE_ARGS (args) MGPU_SECOND_ARGS (args) \
    MGPU_PREVIOUS_ARGS (args) MGPU_FEEDBACK_ARGS (args)

/* Parameters that all kernels have: the size, number and time of the frame, and the part of the
 * frame that is computed, from (left, top) to (right, bottom) */
#define MGPU_FRAME_PARAMS int mgpu_width, int mgpu_height, int mgpu_left, \
    int mgpu_top, int mgpu_right, int mgpu_bottom, ulong mgpu_frame, \
    ulong mgpu_time_ns, float mgpu_time, int mgpu_has, int component \
    MGPU_RESULTS_PARAM MGPU_BOXES_PARAMS MGPU_USER_PARAMS
#define MGPU_FRAME_ARGS mgpu_width, mgpu_height, mgpu_left, mgpu_top, \
    mgpu_right, mgpu_bottom, mgpu_frame, mgpu_time_ns, mgpu_time, mgpu_has, \
    component MGPU_RESULTS_ARG MGPU_BOXES_ARGS MGPU_USER_ARGS

#define MGPU_PIXEL_PARAMS MGPU_ALL_PARAMS (MGPU_IMAGE_PARAMS), MGPU_FRAME_PARAMS
#define MGPU_PIXEL_ARGS MGPU_ALL_ARGS (MGPU_IMAGE_ARGS), MGPU_FRAME_ARGS
#define MGPU_SAMPLE_PARAMS MGPU_ALL_PARAMS (MGPU_PLANE_PARAMS), MGPU_FRAME_PARAMS
#define MGPU_SAMPLE_ARGS MGPU_ALL_ARGS (MGPU_PLANE_ARGS), MGPU_FRAME_ARGS

/* Layout and size of component n of a frame, for WORK kernels */
#define MGPU_OFFSET(image, n) ((n) == 0 ? mgpu_##image##_o0 \
    : (n) == 1 ? mgpu_##image##_o1 : (n) == 2 ? mgpu_##image##_o2 \
    : mgpu_##image##_o0 + MGPU_K (MGPU_CLASS_##image, ALPHA))
#define MGPU_STRIDE(image, n) ((n) == 1 ? mgpu_##image##_s1 \
    : (n) == 2 ? mgpu_##image##_s2 : mgpu_##image##_s0)
#define MGPU_STEP(letter, n) ((n) == 1 || (n) == 2 ? MGPU_K (letter, STEP1) \
    : MGPU_K (letter, STEP0))
#define MGPU_SIZE(letter, n, size, sub) ((n) == 1 || (n) == 2 \
    ? (size + (1 << MGPU_K (letter, sub)) - 1) >> MGPU_K (letter, sub) : size)
#define MGPU_WIDTH(letter, n) MGPU_SIZE (letter, n, mgpu_width, XSUB)
#define MGPU_HEIGHT(letter, n) MGPU_SIZE (letter, n, mgpu_height, YSUB)

/* Returns the quotient n / d, correctly rounded. @r is 1 / d. Valid for the values of n and d that
 * occur with samples. */
static inline float
mgpu_quotient (float n, float d, float r)
{
  float q = n * r;

  return fma (fma (-d, q, n), r, q);
}

/* Multiplies a row of a color matrix, @a, @b, @c and @offset, by the color @v. Returns the product,
 * limited to 0 ... @max. */
static inline int
mgpu_row (int4 v, int a, int b, int c, int offset, int bits, int max,
    int is_wide)
{
  long wide;

  if (!is_wide)
    return clamp ((v.s0 * a + v.s1 * b + v.s2 * c + offset) >> bits, 0, max);
  wide = ((long) v.s0 * a + (long) v.s1 * b + (long) v.s2 * c + offset) >> bits;
  return (int) clamp (wide, 0L, (long) max);
}

/* Adds a box to a list: increases the count in the word *list and, unless there are already
 * @most boxes, writes the box after it. Ignores boxes that contain no pixel of the frame, or
 * whose score is not a finite number. */
static inline void
mgpu_box (global int *list, uint most, int frame_width, int frame_height,
    int x, int y, int width, int height, float score)
{
  uint i;

  if (width <= 0 || height <= 0 || x >= frame_width || y >= frame_height
      || x <= -width || y <= -height
      || (as_uint (score) & 0x7f800000u) == 0x7f800000u)
    return;
  i = (uint) atomic_inc (list);
  if (i >= most)
    return;
  list += 1 + MGPU_BOX_WORDS * i;
  list[0] = x;
  list[1] = y;
  list[2] = width;
  list[3] = height;
  list[4] = as_int (score);
}

static inline int4
mgpu_from_rgb (int4 v)
{
#if MGPU_FROM_RGB_IS_IDENTITY
  return v;
#else
#define ROW(row) mgpu_row (v, row, MGPU_FROM_RGB_BITS, MGPU_O (MAX), MGPU_FROM_RGB_WIDE)
#if MGPU_O (COMPONENTS) == 1
  return (int4) (ROW (MGPU_FROM_RGB_0), (MGPU_O (MAX) + 1) / 2, (MGPU_O (MAX) + 1) / 2, v.s3);
#else
  return (int4) (ROW (MGPU_FROM_RGB_0), ROW (MGPU_FROM_RGB_1), ROW (MGPU_FROM_RGB_2), v.s3);
#endif
#undef ROW
#endif
}

#endif

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Divides the work-items of a launch among the parts of a frame: luma (or the colors) and chroma, which
 * have rows of work-items below each other. */
#ifndef WARP_PARTS_H
#define WARP_PARTS_H

/* Numbers of columns and rows that a work-item computes */
#ifndef RUN
#define RUN 1
#endif
#ifndef ROWS
#define ROWS 1
#endif

/* Name of the variant for luma of the function @name; warp/chroma.h redefines this macro for
 * chroma. */
#define NAMED(name) name ## _part

/* Lists the arguments of a part. Offsets and strides are in bytes. The four colors are the samples
 * of a pixel outside the input frame. */
#define PART_PARAMETERS(n) \
    int in_offset ## n, int in_stride ## n, int out_offset ## n, \
    int out_stride ## n, int colour0 ## n, int colour1 ## n, \
    int colour2 ## n, int colour3 ## n
#define PART(n) \
    in_offset ## n, in_stride ## n, out_offset ## n, out_stride ## n, \
    colour0 ## n, colour1 ## n, colour2 ## n, colour3 ## n

/* Lists the arguments of up to three parts of a frame. Parts 1 and 2 (chroma) have the same size.
 * Widths and heights are in samples. Part 0 has @rows rows of work-items, and part 1 has
 * chroma_rows; both numbers are multiples of the height of a work-group. */
#define PARTS_NUMBERS \
    PART_PARAMETERS (0), PART_PARAMETERS (1), PART_PARAMETERS (2), \
    int from_width, int from_height, int width, int height, \
    int chroma_from_width, int chroma_from_height, int chroma_width, \
    int chroma_height, int rows, int chroma_rows
#define PARTS \
    in, out, PART (0), PART (1), PART (2), from_width, from_height, width, \
    height, chroma_from_width, chroma_from_height, chroma_width, \
    chroma_height, rows, chroma_rows

/* The arguments of kernels. Functions do not have pointers with restrict, because Oclgrind cannot
 * inline them. */
#define PARTS_PARAMETERS \
    global const uchar * restrict in, global uchar * restrict out, \
    PARTS_NUMBERS

/* Describes what a work-item computes: the number of the part, its planes, and the column and row of the
 * work-item in the part. */
typedef struct
{
  int number, x, y, in_stride, out_stride, from_width, from_height, width,
      height;
  global const uchar *in;
  global uchar *out;
  int4 colour;
} part_of;

static part_of
choose_part (global const uchar * in, global uchar * out, PARTS_NUMBERS)
{
  int y = get_global_id (1);
  part_of part = { 0, get_global_id (0), y, in_stride0, out_stride0,
    from_width, from_height, width, height, in + in_offset0,
    out + out_offset0, (int4) (colour00, colour10, colour20, colour30)
  };

  if (y >= rows) {
    int is_last = y >= rows + chroma_rows;

    part.number = 1 + is_last;
    part.y = y - rows - (is_last ? chroma_rows : 0);
    part.in_stride = is_last ? in_stride2 : in_stride1;
    part.out_stride = is_last ? out_stride2 : out_stride1;
    part.from_width = chroma_from_width;
    part.from_height = chroma_from_height;
    part.width = chroma_width;
    part.height = chroma_height;
    part.in = in + (is_last ? in_offset2 : in_offset1);
    part.out = out + (is_last ? out_offset2 : out_offset1);
    part.colour = is_last ? (int4) (colour02, colour12, colour22, colour32)
        : (int4) (colour01, colour11, colour21, colour31);
  }
  return part;
}

/* Computes part @number with the function @name ## _part; chroma with a separate memory layout uses
 * another function. @arguments is in parentheses, because compilers of OpenCL C 1.2 may refuse
 * variadic macros. */
#if CHROMA
#define COMPUTE_PART(name, number, arguments) \
  if ((number) > 0) \
    name ## _chroma arguments; \
  else \
    name ## _part arguments
#else
#define COMPUTE_PART(name, number, arguments) name ## _part arguments
#endif

#endif

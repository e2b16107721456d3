/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Warps a frame by a homography: moves, rotates, scales and tilts it. The algorithm is described
 * in docs/algorithms/stabilize.md. */
#include "warp/warp-part.h"

#if CHROMA
#include "warp/chroma.h"
#include "base/mix-pixel.h" /* again */
#include "base/mix.h" /* again */
#if VECTORS
#include "warp/segment-mix.h" /* again */
#endif
#include "warp/warp-part.h" /* again */
#endif

/* Defines a kernel. @a, @b and @c are the rows of the matrix that moves a sample of the result to its
 * position in the frame, for the first part; if is_flat is set, @c is not used. The other matrix is
 * that of chroma. @parameters, @arguments: further parameters of the kernel, and the arguments that
 * pass them on; both begin with a comma. */
#define WARP(name, parameters, arguments) \
kernel void \
name (PARTS_PARAMETERS, MATRIX_PARAMETERS, float d0, float d1, float d2, \
    float e0, float e1, float e2, float f0, float f1, int is_chroma_flat, \
    int edges parameters) \
{ \
  part_of part = choose_part (PARTS); \
\
  if (part.number > 0) { \
    a0 = d0; \
    a1 = d1; \
    a2 = d2; \
    b0 = e0; \
    b1 = e1; \
    b2 = e2; \
    c0 = f0; \
    c1 = f1; \
    is_flat = is_chroma_flat; \
  } \
  COMPUTE_PART (name, part.number, (&part, MATRIX, edges arguments)); \
}

/* The table of weights of Lanczos interpolation */
#define LANCZOS_PARAMETER , global const int * restrict lanczos
#define LANCZOS_ARGUMENT , lanczos

WARP (warp_bilinear, , )
WARP (warp_cubic, , )
WARP (warp_lanczos, LANCZOS_PARAMETER, LANCZOS_ARGUMENT)

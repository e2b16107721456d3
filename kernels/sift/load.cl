/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads a frame into the scale space of SIFT. */

/* UPSAMPLE is 1 if the frame is enlarged to twice its width and height. */
#ifndef UPSAMPLE
#define UPSAMPLE 1
#endif

/* Number of work-items that share a row of the frame. */
#ifndef COLUMNS
#define COLUMNS 1
#endif

#include "sift/sift.h"
#include "base/samples.h"

/* Returns the sample in column x of the row @near or, with UPSAMPLE, the weighted sum of the
 * samples in column x of the rows @near and @far. */
static int
weigh_sum (const global uchar * near, const global uchar * far, int x)
{
  return UPSAMPLE ? 3 * get (near, x) + get (far, x) : get (near, x);
}

/* Loads samples of row y of the first octave in work-item (x, y): every COLUMNS-th sample,
 * starting at sample x. Skips rows outside of @top <= y < @bottom. If the frame is doubled, each
 * sample of the frame gives two samples. @low is the weighted sum of black samples. The
 * work-item also clears a part of the array @state. */
kernel void
sift_load (const global uchar * restrict in, int offset, int stride,
    int width, int height, int low, float factor,
    const global int *restrict plan,
    global float *restrict scale, global int *restrict state, int n_state,
    int top, int bottom)
{
  int y = get_global_id (1), last = width - 1;
  int rows = get_global_size (1);
  int part = (n_state + rows - 1) / rows;
  int end = min ((y + 1) * part, n_state);
  int y0 = UPSAMPLE ? y >> 1 : y;
  int y1 = clamp (y & 1 ? y0 + 1 : y0 - 1, 0, height - 1);
  const global uchar *near = in + offset + (size_t) y0 * stride;
  const global uchar *far = in + offset + (size_t) y1 * stride;
  /* Writes the samples to the memory of level 1. The first blur reads them there to compute
   * level 0. */
  global float *out = scale + plan[OFFSET] + plan[SIZE]
      + (size_t) y * plan[PITCH];

  for (int i = y * part + get_global_id (0); i < end; i += COLUMNS)
    state[i] = 0;
  if (y < top || y >= bottom)
    return;

#if UPSAMPLE
  for (int x = 1 + get_global_id (0); x < last; x += COLUMNS) {
    int v = 3 * weigh_sum (near, far, x) - low;

    out[2 * x] = fma ((float) (v + weigh_sum (near, far, x - 1)), factor, 1.0f);
    out[2 * x + 1] =
        fma ((float) (v + weigh_sum (near, far, x + 1)), factor, 1.0f);
  }
  if (get_global_id (0) == 0) {
    for (int i = 0; i < 2; i++) {
      int x = i * last;
      int v = 3 * weigh_sum (near, far, x) - low;

      out[2 * x] = fma ((float) (v + weigh_sum (near, far, max (x - 1, 0))),
          factor, 1.0f);
      out[2 * x + 1] = fma ((float) (v + weigh_sum (near, far,
                  min (x + 1, last))), factor, 1.0f);
    }
  }
#else
  for (int x = get_global_id (0); x <= last; x += COLUMNS)
    out[x] = fma ((float) (weigh_sum (near, far, x) - low), factor, 1.0f);
#endif
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sets a range of bytes to 0. Clears the results and buffers of a user's kernels before each frame. */

/* Sets the bytes of a rectangle to 0: work-item (x, y) sets byte x of row y. */
kernel void
zero_rows (global uchar * out, int offset, int stride)
{
  out[offset + (int) get_global_id (1) * stride + (int) get_global_id (0)] = 0;
}

/* Sets words to 0: work-item x sets word x. */
kernel void
zero_words (global uint * out, uint n)
{
  uint x = get_global_id (0);

  if (x < n)
    out[x] = 0;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decides for each pixel whether its background is known. The arrays have a byte for each
 * pixel, except @whole.
 * @mask: whether the mask of this frame covers the pixel.
 * @was: whether the mask of the frame before covered it.
 * @seen: number of frames in which the pixel was visible, at most LONGEST.
 * @whole: for each sample of the smallest component, whether the sample is remembered. Used
 * only if the camera moves.
 * Work-item (i, j) processes every get_global_size (0)-th column of a row, starting at column
 * i. */
#include "base/any-samples.h"
#include "background/background-shared.h"

/* Adds @n to the counter @counter in the copy of @sums that belongs to row @y. */
static void
add (global uint * sums, int y, int counter, uint n)
{
  if (n > 0)
    atomic_add (&sums[y % N_COPIES * N_COUNTERS + counter], n);
}

/* Returns: the sum of all copies of the counter @counter. Sets all copies to 0 */
static ulong
take (global uint * sums, int counter)
{
  ulong sum = 0;
  int i;

  for (i = 0; i < N_COPIES; i++) {
    sum += sums[i * N_COUNTERS + counter];
    sums[i * N_COUNTERS + counter] = 0;
  }
  return sum;
}

/* Counts the visible samples that have a remembered value, and how many of these samples differ
 * from it by more than @far. */
kernel void
background_compare (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const uchar * mask,
    global const ushort4 * samples, int width, int far, global uint * sums)
{
  int y = get_global_id (1), x;
  uint n = 0, different = 0;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int value = (int) get_sample (in, offset, stride, step, bytes, shift, most,
        x, y);
    ushort4 sample = samples[y * width + x];
    uint counts = !mask[y * width + x] && sample.z > 0;

    n += counts;
    different += counts && abs (value - (int) sample.x) > (uint) far;
  }
  add (sums, y, VISIBLE, n);
  add (sums, y, DIFFERENT, different);
}

/* Sets the element CUT of @told to whether the frame begins a scene: 1 if @is_first is set, or
 * if the counts of background_compare() show too many differences. Runs as a single work-item. */
kernel void
background_judge (global uint * sums, int is_first, global uint * told)
{
  ulong n = take (sums, VISIBLE), different = take (sums, DIFFERENT);

  told[CUT] = is_first || CUT_PART * different > n;
}

/* Copies the counters and the element CUT of @told to @out, starting at element @first of @out.
 * Sets the counters to 0. Runs as a single work-item. */
kernel void
background_tell (global uint * sums, global const uint * told,
    global uint * out, int first)
{
  int i;

  for (i = 0; i < N_COUNTERS; i++)
    out[first + i] = (uint) take (sums, i);
  out[first + CUT] = told[CUT];
}

/* For each part of the mask that has appeared, counts the pixels that were visible in few
 * frames, and how many of these pixels have changed.
 * @parts: for each pixel the number of its part, starting at 1, or 0. After these numbers come
 * the counts, two for each part: elements 2 p and 2 p + 1 belong to part p.
 * @changed: written; the number of the pixel's part if the pixel differs by more than @near
 * from the remembered value, else 0. */
kernel void
background_appear (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const ushort4 * samples,
    global const uchar * seen, global int *parts, int width, int height,
    int near, global int *changed)
{
  global int *counts = parts + width * height;
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int i = y * width + x, part = parts[i];
    int value = (int) get_sample (in, offset, stride, step, bytes, shift, most,
        x, y);
    ushort4 sample = samples[i];
    int is_young = seen[i] > 0 && seen[i] < TRUSTED;
    int differs = sample.z > 0 && abs (value - (int) sample.x) > (uint) near;

    changed[i] = differs ? part : 0;
    if (part > 0 && is_young)
      atomic_inc (&counts[2 * part]);
    if (part > 0 && is_young && differs)
      atomic_inc (&counts[2 * part + 1]);
  }
}

/* Marks pixels of the box (x0, y0) to (x1, y1) in @beside: 1 if a changed pixel of the part
 * @part is at most @radius columns away, else 0. Row 0 of the work-items is row y0. */
kernel void
background_near (global const int *changed, int width, int part, int radius,
    int x0, int y0, int x1, int y1, global uchar * beside)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int end = min (x + radius + 1, x1), u;
    uchar is_near = 0;

    for (u = max (x - radius, x0); u < end; u++)
      is_near |= changed[y * width + u] == part;
    beside[y * width + x] = is_near;
  }
}

/* Forgets remembered values of a part that were seen in few frames: those near a changed pixel
 * of the part, or all if almost no pixel of the part has changed. The counts in @parts begin at
 * its element @first. The array @beside is from background_near(), called with the same box. */
kernel void
background_doubt (global const int *parts, int first,
    global const uchar * beside, int width, int part, int radius, int x0,
    int y0, int x1, int y1, global uchar * seen)
{
  global const int *counts = parts + first + 2 * part;
  int y = y0 + get_global_id (1), x, is_all = 16 * counts[1] < counts[0];

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int end = min (y + radius + 1, y1), i = y * width + x, v;
    int is_near = is_all;

    if (parts[i] != part || seen[i] >= TRUSTED)
      continue;
    for (v = max (y - radius, y0); v < end && !is_near; v++)
      is_near = beside[v * width + x];
    if (is_near)
      seen[i] = 0;
  }
}

/* Returns: whether the background of a pixel is not settled. This is so if, of the frames in
 * which the pixel was visible, less than the fraction @quarters / 4 showed the remembered
 * value. If @quarters is 2, it is also so if the last of these frames showed another value */
static int
is_unsettled (ushort4 sample, int seen, int quarters)
{
  return sample.z > 0 && ((quarters == 2 && sample.w > 0)
      || 4 * (int) sample.z < quarters * seen);
}

/* Sets @moving for each pixel of a box: 1 if at least 4 of the 3x3 pixels around it are
 * unsettled (fewer are noise) and @ignored is not set for the pixel, else 0. The box begins at
 * (x0, y0) and has @columns columns. */
kernel void
background_settle (global const ushort4 * samples, global const uchar * seen,
    global const uchar * ignored, int quarters, int width, int height, int x0,
    int y0, int columns, global uchar * moving)
{
  int y = y0 + get_global_id (1), i;

  for (i = get_global_id (0); i < columns; i += get_global_size (0)) {
    int x = x0 + i, n = 0, u, v;

    for (v = max (y - 1, 0); v < min (y + 2, height); v++)
      for (u = max (x - 1, 0); u < min (x + 2, width); u++)
        n += is_unsettled (samples[v * width + u], seen[v * width + u],
            quarters);
    moving[y * width + x] = n >= 4 && !ignored[y * width + x];
  }
}

static int
is_beside_moving (global const uchar * moving, int width, int height, int x,
    int y)
{
  int u, v, found = 0;

  for (v = max (y - UNSETTLED_BORDER, 0);
      v < min (y + UNSETTLED_BORDER + 1, height); v++)
    for (u = max (x - UNSETTLED_BORDER, 0);
        u < min (x + UNSETTLED_BORDER + 1, width); u++)
      found |= moving[v * width + u];
  return found;
}

/* Forgets remembered values of pixels of a box that have just become hidden. Forgets those that
 * were visible in fewer than LONGEST frames, and lie next to pixels that are set in @moving: in
 * some of these frames an object stood there, and the remembered image would mix pieces of the
 * object with the background. The box begins at (x0, y0) and has @columns columns.
 * background_settle() must have written @moving for the box and for UNSETTLED_BORDER columns and
 * rows around it. */
kernel void
background_forget (global const uchar * mask, global const uchar * was,
    global const uchar * moving, int width, int height, int x0, int y0,
    int columns, global uchar * seen)
{
  int y = y0 + get_global_id (1), k;

  for (k = get_global_id (0); k < columns; k += get_global_size (0)) {
    int x = x0 + k, i = y * width + x;

    if (mask[i] && !was[i] && seen[i] > 1 && seen[i] < LONGEST
        && is_beside_moving (moving, width, height, x, y))
      seen[i] = 0;
  }
}

/* Returns: whether the background of the pixel (x, y) is remembered */
static int
is_known (global const uchar * seen, global const uchar * whole, int moves,
    int sub_x, int sub_y, int width, int x, int y)
{
  int columns = (width + (1 << sub_x) - 1) >> sub_x;

  return seen[y * width + x] > 0
      && (!moves || whole[(y >> sub_y) * columns + (x >> sub_x)]);
}

/* Updates the counts for a new frame. If the element CUT of @told is set, first sets @seen to
 * 0. Increases @seen for the pixels that are visible in this frame. Sets @was, @hidden and
 * @whole. Pixels that share a sample of the smallest component must have the same value in
 * @mask. */
kernel void
background_count (global const uchar * mask, global const uint * told,
    int moves, int sub_x, int sub_y, int width, global uchar * was,
    global uchar * seen, global uchar * whole, global uchar * hidden)
{
  int columns = (width + (1 << sub_x) - 1) >> sub_x;
  int y = get_global_id (1), x, is_first = told[CUT];

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int i = y * width + x, before = is_first ? 0 : seen[i];
    int covered = mask[i] != 0;
    global uchar *all = &whole[(y >> sub_y) * columns + (x >> sub_x)];

    seen[i] = covered ? before : min (before + 1, LONGEST);
    was[i] = covered;
    hidden[i] = covered ? 2 - (before > 0 && (!moves || *all)) : 0;
    if (moves && ((y >> sub_y) << sub_y) == y && ((x >> sub_x) << sub_x) == x
        && (is_first || !covered))
      *all = !covered;
  }
}

/* Sets @hidden. Sets @unknown to 1 for hidden pixels whose background is not remembered. Sets
 * @left to 1 for the pixels that patches fill: unknown ones, and those that are PLANNED_EXTRA in
 * @planned. Counts the hidden pixels with a remembered background, those without, and those
 * without that are not PLANNED_FILLED. */
kernel void
background_hide (global const uchar * mask, global const uchar * seen,
    global const uchar * whole, int moves, int sub_x, int sub_y, int width,
    global const uchar * planned, global uchar * hidden,
    global uchar * unknown, global uchar * left, global uint * sums)
{
  int y = get_global_id (1), x;
  uint n_seen = 0, n_unseen = 0, n_new = 0;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int i = y * width + x;
    int value = !mask[i] ? 0
        : 2 - is_known (seen, whole, moves, sub_x, sub_y, width, x, y);

    hidden[i] = value;
    unknown[i] = value == 2;
    left[i] = value == 2 || (planned[i] & PLANNED_EXTRA) != 0;
    n_seen += value == 1;
    n_unseen += value == 2;
    n_new += value == 2 && !(planned[i] & PLANNED_FILLED);
  }
  add (sums, y, SEEN_BEFORE, n_seen);
  add (sums, y, UNSEEN, n_unseen);
  add (sums, y, UNPLANNED, n_new);
}

/* Writes the flags REPORT_ of each pixel to @report; the host plans the filling from them. */
kernel void
background_report (global const uchar * unknown,
    global const uchar * was_unknown, global const uchar * moving, int width,
    int height, global uchar * report)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int i = y * width + x;

    report[i] = (unknown[i] ? REPORT_UNKNOWN : 0)
        | (was_unknown[i] ? REPORT_WAS_UNKNOWN : 0)
        | (is_beside_moving (moving, width, height, x, y)
        ? REPORT_UNSETTLED : 0);
  }
}

/* Counts the samples of pixels that were never visible, and how many of these samples differ by
 * more than @near between the images @a and @b. Both images have the same layout except for
 * offset and stride. */
kernel void
background_differ (global const uchar * a, int offset, int stride, int step,
    int bytes, int shift, int most, global const uchar * b, int b_offset,
    int b_stride, global const uchar * hidden, int width, int near,
    global uint * sums)
{
  int y = get_global_id (1), x;
  uint n = 0, stale = 0;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int value = (int) get_sample (a, offset, stride, step, bytes, shift, most,
        x, y);
    int other = (int) get_sample (b, b_offset, b_stride, step, bytes, shift,
        most, x, y);
    uint counts = hidden[y * width + x] == 2;

    n += counts;
    stale += counts && abs (value - other) > (uint) near;
  }
  add (sums, y, CHECKED, n);
  add (sums, y, STALE, stale);
}

/* Shifts an array of @columns x @rows bytes: copies each byte from the position dx columns to
 * the right and dy rows below. If this position is outside the array, the byte becomes 0. */
kernel void
background_shift (global const uchar * bytes, global uchar * moved,
    int columns, int rows, int dx, int dy)
{
  int y = get_global_id (1), v = y + dy, x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int u = x + dx;

    moved[y * columns + x] = u >= 0 && v >= 0 && u < columns && v < rows ?
        bytes[v * columns + u] : 0;
  }
}

/* Sets @seen to 1 for the hidden pixels that were never visible: they count as visible in one
 * frame. */
kernel void
background_adopt_pixels (global const uchar * hidden, int sub_x, int sub_y,
    int width, global uchar * seen, global uchar * whole)
{
  int columns = (width + (1 << sub_x) - 1) >> sub_x;
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    if (hidden[y * width + x] != 2)
      continue;
    seen[y * width + x] = 1;
    whole[(y >> sub_y) * columns + (x >> sub_x)] = 1;
  }
}

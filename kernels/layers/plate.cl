/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Remembers the background in an image, the plate. The kernels find pixels that stand still, store
 * them in the plate, and compute the opacity of moving objects in front of the plate.
 *
 * The arrays of the plate have two parts, one for scenes with even numbers and one for scenes with
 * odd numbers:
 *   plate: N planes of values, in 1/16 of the unit of samples
 *   counts: for each pixel, the number of frames from which its value was learned, at most 32, plus
 *     SURE if the pixel did not change over @lag frames; 0 if the pixel was never visible
 *   plates: the plate as an 8-bit picture, with which the pixels of frames are compared
 *
 * The array @box has one number for each pixel: a difference, plus 1 << 16 if the pixel counts. Its
 * padding is 0. sum_box() sums these numbers over a square around a pixel, so that the sum of the
 * differences is in the lower 16 bits, and the number of pixels that count is above them.
 *
 * A frame is compared with two earlier frames: one is @lag frames older, the other is
 * get_short_lag (@lag) frames older. The second plane of work-items makes the second comparison. */
#include "layers/layers.h"

#define COUNTS (1 << 16)

/* Flag, in the counts, of pixels that stood still over the whole lag (SURE), and maximum count of
 * pixels that did not */
#define SURE 64
#define MOST_UNSURE 8

/* Returns the lag, in frames, over which pixels are compared that have never stood still over
 * the whole lag. */
static int
get_short_lag (int lag)
{
  return (lag + 2) / 3;
}

/* Sets @box to the differences of luma between frame @number and the frame one lag before it or,
 * in the first frames of a scene, the first frame of the scene. Only pixels that are visible in
 * both frames count. */
kernel void
layers_compare (global const uint * pixels, global const uchar * masks,
    global const int *state, int number, int slots, int lag, int width,
    int height, int stride, int area, global uint * box)
{
  Scene s = get_scene (state, slots, number);
  int z = get_global_id (2), y = get_global_id (1), x;
  int then = number - min (z == 0 ? lag : get_short_lag (lag), s.age);
  global const uint *now = pixels + (size_t) (number % slots) * area;
  global const uint *before = pixels + (size_t) (then % slots) * area;
  size_t size = width * height;
  global const uchar *mask = masks + number % slots * size + y * width;
  global const uchar *mask_before = masks + then % slots * size + y * width;

  box += (size_t) z * area;
  for EACH_COLUMN (x, width) {
    int i = get_index (stride, x, y);
    int counts = !mask[x] && !mask_before[x] && s.age > 0;

    box[i] = counts ? abs_diff (get_y (now[i]), get_y (before[i])) | COUNTS : 0;
  }
}

/* Returns the sum of the elements of @box in a square of (2 @radius + 1)² pixels around element
 * @i. */
static uint
sum_box (global const uint * box, int stride, int i, int radius)
{
  uint sum = 0;
  int dx, dy;

  for (dy = -radius; dy <= radius; dy++)
    for (dx = -radius; dx <= radius; dx++)
      sum += box[i + dy * stride + dx];
  return sum;
}

/* Writes the mean of the differences in @box around each pixel, in 1/8 gray level, to frame
 * @number of @changes; 255 if the pixel does not count. Adds the means over the whole lag to the
 * histogram of the noise, for pixels in even columns and rows. */
kernel void
layers_measure (global const uint * box, int number, int slots, int width,
    int height, int stride, int area, global uchar * changes,
    global uint * sums)
{
  int z = get_global_id (2), y = get_global_id (1), x;

  box += (size_t) z * area;
  changes += (size_t) (z * slots + number % slots) * width * height;
  for EACH_COLUMN (x, width) {
    int i = get_index (stride, x, y);
    uint sum = sum_box (box, stride, i, 3);
    uint mean = 8 * (sum & (COUNTS - 1)) / max (sum / COUNTS, 1u);
    int counts = box[i] >= COUNTS;

    if (counts && z == 0 && ((x | y) & 1) == 0)
      atomic_inc (&sums[min (mean, LAYERS_BINS - 1u)]);
    changes[y * width + x] = counts ? min (mean, 254u) : 255;
  }
}

/* Returns whether pixel @at of frame @middle stands still: over @lag frames before this frame, if
 * the scene has them, and over @lag frames after it, if the ring buffer has them. @changes:
 * differences over this lag */
static int
is_still_over (global const uchar * changes, Scene s, int middle, int number,
    int slots, int lag, int size, int at, int most)
{
  int is_still = 1;

  if (middle - s.first >= lag)
    is_still &= changes[(size_t) (middle % slots) * size + at] <= most;
  if (middle < number)
    is_still &= changes[(size_t) ((middle + lag) % slots) * size + at] <= most;
  return is_still;
}

/* Stores pixels that stand still in the plate. For a pixel that never stood still over the whole
 * lag, a shorter time is enough. Marks the pixels that were never visible in @unseen. */
kernel void
layers_remember (global const uint * pixels, global const ushort * values,
    global const uchar * masks, global const uchar * changes,
    global const uint * sums, global const int *state, int number, int slots,
    int lag, int width, int height, int stride, int area, global int *plate,
    global uchar * counts, global uint * plates, global uchar * unseen)
{
  Scene s = get_scene (state, slots, number);
  int noise = find_noise (sums, state[LAYERS_NOISE + s.which]);
  int y = get_global_id (1), x, c;
  int middle = s.age >= 2 * lag ? number - lag : number;
  int size = width * height, most = 40 + 10 * noise / 8;

  plate += (size_t) s.which * N * size;
  counts += (size_t) s.which * size;
  plates += (size_t) s.which * area;
  pixels += (size_t) (middle % slots) * area;
  values += (size_t) (middle % slots) * N * size;
  masks += (size_t) (middle % slots) * size;
  for EACH_COLUMN (x, width) {
    int at = y * width + x, i = get_index (stride, x, y);
    int before = s.age == 0 ? 0 : counts[at], v[4] = { 0, 0, 0, 0 };
    int n = before & (SURE - 1), was_sure = before >= SURE;
    int is_sure = s.age >= lag && !masks[at] && is_still_over (changes, s,
        middle, number, slots, lag, size, at, most);
    int votes = is_sure || (!was_sure && !masks[at]
        && is_still_over (changes + (size_t) slots * size, s, middle, number,
            slots, get_short_lag (lag), size, at, most));
    int is_same = votes && n > 0
        && (int) get_difference (pixels[i], plates[i]) <= 12 + 3 * noise / 8;
    int is_other = votes && !is_same && (n <= 1 || is_sure > was_sure);

    for (c = 0; c < N; c++) {
      int value = s.age == 0 ? 0 : plate[c * size + at];
      int seen = 16 * values[c * size + at];

      value += is_same ? (seen - value) / min (n + 1, 8) : 0;
      v[c] = is_other ? seen : value;
      plate[c * size + at] = v[c];
    }
    n = is_same ? min (n + 1, is_sure ? 32 : MOST_UNSURE) : is_other ? 1
        : n - votes;
    counts[at] = n + (is_sure || was_sure ? SURE : 0);
    unseen[at] = n == 0;
    plates[i] = make_pixel (v[0], v[1], v[2], MORE + 4);
  }
}

/* Sets @box to the difference of each pixel from the plate, for frame @number and, in the second
 * plane of work-items, for the frame in the middle between the first frame of the scene and
 * frame @number. Pixels that are filled do not count. */
kernel void
layers_differ (global const uint * pixels, global const uchar * masks,
    global const uint * plates, global const int *state, int number,
    int slots, int width, int height, int stride, int area, global uint * box)
{
  Scene s = get_scene (state, slots, number);
  int then = get_global_id (2) == 0 ? number : s.first + s.age / 2;
  int y = get_global_id (1), x;

  pixels += (size_t) (then % slots) * area;
  masks += (size_t) (then % slots) * width * height;
  plates += (size_t) s.which * area;
  box += (size_t) get_global_id (2) * area;
  for EACH_COLUMN (x, width) {
    int i = get_index (stride, x, y);

    box[i] = masks[y * width + x] ? 0
        : get_difference (pixels[i], plates[i]) | COUNTS;
  }
}

/* Sets the opacities of the two frames of layers_differ() in the ring buffer. Also writes the
 * opacities of frame @number to @opacities, where only filled pixels are hidden. @is_opaque:
 * whether all pixels count as moving */
kernel void
layers_set_alpha (global const uint * box, global const int *state,
    int number, int slots, int oldest, int width, int stride, int area,
    int is_opaque, global uint * pixels, global uchar * opacities)
{
  Scene s = get_scene (state, slots, number);
  int z = get_global_id (2), y = get_global_id (1), x;
  int noise = state[LAYERS_NOISE + s.which];
  int then = z == 0 ? number : s.first + s.age / 2;
  int is_due = z == 0 || (s.age >= 2 && s.age % 2 == 0 && then >= oldest);

  pixels += (size_t) (then % slots) * area;
  box += (size_t) z * area;
  for EACH_COLUMN (x, is_due ? width : 0) {
    int i = get_index (stride, x, y);
    uint sum = sum_box (box, stride, i, 2), pixel = pixels[i];
    int mean = 8 * (sum & (COUNTS - 1)) / max (sum / COUNTS, 1u);
    int alpha = clamp (mean - (32 + 17 * noise / 8), 0, LAYERS_OPAQUE);

    alpha = is_opaque ? LAYERS_OPAQUE : alpha;
    if (get_alpha (pixel) != LAYERS_HIDDEN)
      pixels[i] = (pixel & 0xffffff) | (uint) alpha << 24;
    if (z == 0)
      opacities[y * width + x] = box[i] == 0 ? LAYERS_HIDDEN : alpha;
  }
}

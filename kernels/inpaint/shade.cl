/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits a shade, a polynomial in x and y, to the surroundings of a wide hole by least squares,
 * and determines whether it fits well enough. The plan of a domain, which the host writes,
 * begins at index @at of @plan: see inpaint-shared.h. The states of its components begin at
 * index @state_at of @state: see shade.h. */
#include "base/any-samples.h"
#include "inpaint/shade.h"

/* Row j of work-items processes SHADE_ROW elements, starting at element SHADE_ROW * j. */
#define FOR_EACH(i, n) \
    for (i = get_global_id (1) * SHADE_ROW + get_global_id (0); \
        i < min ((int) (n), (int) (get_global_id (1) + 1) * SHADE_ROW); \
        i += get_global_size (0))

/* Computes two numbers for each cell of one component: the mean of its samples, and the sum of
 * the squared differences of samples two columns apart, which is an estimate of the noise. A
 * cell has x_count x y_count samples, which are x_step columns and y_step rows apart. */
kernel void
shade_sum (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global const int *plan, int at, int cells, int x_step, int y_step, int x_count,
    int y_count, int width, int depth, global int *state, int state_at)
{
  int n = x_count * y_count, k;

  plan += at + SHADE_CELLS;
  state += state_at;
  FOR_EACH (k, cells) {
    int sum = 0, squares = 0, i, j;

    for (j = 0; j < y_count; j++) {
      int y = plan[2 * k + 1] + j * y_step;

      for (i = 0; i < x_count; i++) {
        int x = plan[2 * k] + i * x_step;
        int u = x + 2 < width ? x + 2 : max (x - 2, 0);
        int value = get_sample (in, offset, stride, step, bytes, shift, most,
            x >> sub_x, y >> sub_y);
        int other = get_sample (in, offset, stride, step, bytes, shift, most,
            u >> sub_x, y >> sub_y);

        sum += value;
        other = TO_DEPTH (UNITS (max (value, other) - min (value, other),
                depth), depth);
        other = min (other, SHADE_STEEPEST);
        squares += other * other;
      }
    }
    state[MEANS + k] = ((sum << (MORE_BITS (depth) + SHADE_FRACTION)) + n / 2) / n;
    state[SQUARES + k] = squares;
  }
}

/* Computes the coefficients for all degrees and components: multiplies the matrices by the means
 * of the cells. The mean of the first cell is first subtracted from all means, to keep the sums
 * small. */
kernel void
shade_fit (global const int *plan, int at, int cells, int components,
    global int *state, int state_at)
{
  int i;

  plan += at + SHADE_MATRIX (cells);
  state += state_at;
  FOR_EACH (i, components * SHADE_TERMS) {
    global int *here = state + i / SHADE_TERMS * SHADE_STATE;
    global const int *row = plan + i % SHADE_TERMS * cells;
    long sum = 0;
    int k;

    for (k = 0; k < cells; k++)
      sum += (long) row[k] * (here[MEANS + k] - here[MEANS]);
    sum = (sum + SHADE_ONE / 2) >> SHADE_BITS;
    here[SHADE_COEFFICIENTS + i % SHADE_TERMS] = (int) clamp (sum,
        (long) -SHADE_LIMIT, (long) SHADE_LIMIT);
  }
}

/* Computes the leave-one-out residuals of the cells, for all degrees and components. */
kernel void
shade_try (global const int *plan, int at, int cells, int components,
    int x_step, int y_step, int x_count, int y_count, int depth,
    global int *state, int state_at)
{
  int n = components * SHADE_DEGREES * cells, i;
  global const int *box = plan + at, *places = box + SHADE_CELLS;
  global const int *factors = box + SHADE_FACTORS (cells);

  state += state_at;
  FOR_EACH (i, n) {
    int cell = i % cells, k = i / cells % SHADE_DEGREES, power;
    global int *here = state + i / cells / SHADE_DEGREES * SHADE_STATE;
    global const int *terms = here + SHADE_COEFFICIENTS + FIRST_TERM (k);
    int x = PLACE (2 * places[2 * cell] + x_step * (x_count - 1), box[0],
        box[2]);
    int y = PLACE (2 * places[2 * cell + 1] + y_step * (y_count - 1), box[1],
        box[3]);
    long sum = 0;

    for (power = DEGREE (k); power >= 0; power--)
      sum = (sum * x >> SHADE_BITS) + sum_terms (terms, DEGREE (k), power, y);
    sum = (here[MEANS + cell] - here[MEANS] - sum)
        * factors[k * cells + cell]
        >> (SHADE_FACTOR_BITS + max (depth - DEPTH, 0));
    here[RESIDUALS + k * SHADE_MAX_CELLS + cell] = (int) clamp (sum,
        (long) -SHADE_MOST, (long) SHADE_MOST);
  }
}

/* Chooses a degree for each component: the lowest allowed degree whose residuals are nearly as
 * small as the smallest ones. Chooses NO_DEGREE if no degree is allowed, or if the residuals or
 * the noise are too large. A cell has @count samples. The unit of squares is 1 / SHADE_SQUARE
 * squared gray levels of 8 bits. */
kernel void
shade_judge (global const int *plan, int at, int cells, int components,
    int count, global int *state, int state_at)
{
  int allowed = plan[at + SHADE_ALLOWED], i;

  plan += at + SHADE_FACTORS (cells);
  state += state_at;
  FOR_EACH (i, components) {
    global int *here = state + i * SHADE_STATE;
    long errors[SHADE_DEGREES], noise = 0, best = LONG_MAX;
    int largest[SHADE_DEGREES], chosen = NO_DEGREE, k, cell;

    for (cell = 0; cell < cells; cell++)
      noise += here[SQUARES + cell];
    noise = (noise << 7) / (cells * count);
    for (k = 0; k < SHADE_DEGREES; k++) {
      long sum = 0;
      int most = 0;

      for (cell = 0; cell < cells; cell++) {
        int residual = here[RESIDUALS + k * SHADE_MAX_CELLS + cell];

        sum += residual * residual;
        most = max (most, residual * residual);
      }
      /* Skips degrees that are not determined. Their factors are 0. */
      errors[k] = plan[k * cells] > 0 ? sum : LONG_MAX;
      largest[k] = most;
      best = min (best, errors[k]);
    }
    for (k = SHADE_DEGREES - 1; k >= 0; k--)
      if ((allowed >> k & 1) != 0
          && errors[k] <= best + best / 4 + (long) cells * SHADE_NEARLY)
        chosen = k;
    k = max (chosen, 0);
    if (noise > SHADE_NOISE * SHADE_SQUARE
        || errors[k] > cells * (SHADE_SQUARE + 2 * noise / count)
        || largest[k] > 9 * SHADE_SQUARE + 32 * noise / count)
      chosen = NO_DEGREE;
    here[SHADE_CHOSEN] = chosen;
  }
}

/* Evaluates the shade of one component in columns x0 to x1 - 1 of the rows starting at y0.
 * Writes it to @shade, which has an element for each pixel of the frame. Writes NO_SHADE outside
 * the domain, and everywhere if NO_DEGREE was chosen for any component. */
kernel void
shade_lay (global const int *plan, int at, int components, int component,
    int depth, int x0, int x1, int y0, int width, global const int *state,
    int state_at, global int *shade)
{
  int y = y0 + get_global_id (1), x, i, all = 1, k;
  global const int *box = plan + at, *here;
  long rows[SHADE_MAX_DEGREE + 1];
  int most = UNITS ((1 << depth) - 1, depth);

  state += state_at;
  here = state + component * SHADE_STATE;
  for (i = 0; i < components; i++)
    all &= state[i * SHADE_STATE + SHADE_CHOSEN] >= 0;
  all &= y >= box[1] && y < box[3];
  if (!all) {
    for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
      shade[y * width + x] = NO_SHADE;
    return;
  }
  k = here[SHADE_CHOSEN];
  for (i = 0; i <= DEGREE (k); i++)
    rows[i] = sum_terms (here + SHADE_COEFFICIENTS + FIRST_TERM (k), DEGREE (k),
        i, PLACE (2 * y, box[1], box[3]));
  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int place = PLACE (2 * clamp (x, box[0], box[2] - 1), box[0], box[2]);
    long sum = 0;

    for (i = DEGREE (k); i >= 0; i--)
      sum = (sum * place >> SHADE_BITS) + rows[i];
    sum = (sum + here[MEANS] + (1 << SHADE_FRACTION) / 2) >> SHADE_FRACTION;
    shade[y * width + x] = x >= box[0] && x < box[2]
        ? (int) clamp (sum, 0L, (long) most) : NO_SHADE;
  }
}

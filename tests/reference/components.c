/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of connected components: fills one component after the other. */
#include "components.h"

#include <stdlib.h>
#include <string.h>

static void
clear_full_rows (RefComponents * found, int most_runs)
{
  for (int y = 0; y < found->height; y++) {
    uint8_t *row = found->bits + (size_t) y * found->width;
    int n = 1;

    for (int x = 1; x < found->width; x++)
      n += row[x] != row[x - 1];
    if (n > most_runs)
      memset (row, 0, found->width);
  }
}

/* Flood-fills the component with the pixel (@x, @y), and gives it the next number. @stack: memory
 * for all pixels */
static void
fill (RefComponents * found, int x, int y, int eight, int *stack)
{
  int width = found->width, height = found->height, n = 0;
  RefComponent *c = &found->components[found->n];

  memset (c, 0, sizeof (*c));
  c->x = x;
  c->y = y;
  c->is_white = found->bits[(size_t) y * width + x];
  found->numbers[(size_t) y * width + x] = found->n;
  stack[n++] = y * width + x;
  while (n > 0) {
    int at = stack[--n];

    x = at % width;
    y = at / width;
    c->pixels++;
    c->is_edge |= x == 0 || y == 0 || x == width - 1 || y == height - 1;
    for (int k = 0; k < 9; k++) {
      int dx = k % 3 - 1, dy = k / 3 - 1, to = at + dy * width + dx;

      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height
          || found->numbers[to] >= 0 || found->bits[to] != c->is_white)
        continue;
      if (dx != 0 && dy != 0 && !(eight >> c->is_white & 1))
        continue;
      found->numbers[to] = found->n;
      stack[n++] = to;
    }
  }
  found->n++;
}

/* Counts the edge (crack) between two pixels for the component inside of it. */
static void
count_crack (RefComponents * found, int a, int b)
{
  RefComponent *p = &found->components[found->numbers[a]];
  RefComponent *q = &found->components[found->numbers[b]];

  if (p->parent == found->numbers[b])
    p->cracks++;
  else if (q->parent == found->numbers[a])
    q->cracks++;
}

void
ref_components (const uint8_t * bits, int width, int height, int eight,
    int most_runs, RefComponents * found)
{
  size_t n = (size_t) width * height;
  int *stack = malloc (n * sizeof (int));

  found->width = width;
  found->height = height;
  found->bits = malloc (n);
  found->numbers = malloc (n * sizeof (int));
  found->components = malloc (n * sizeof (RefComponent));
  found->n = 0;
  memcpy (found->bits, bits, n);
  clear_full_rows (found, most_runs);
  memset (found->numbers, -1, n * sizeof (int));
  for (size_t i = 0; i < n; i++)
    if (found->numbers[i] < 0)
      fill (found, i % width, i / width, eight, stack);
  for (int i = 0; i < found->n; i++) {
    RefComponent *c = &found->components[i];

    c->parent = c->y == 0 ? -1 : found->numbers[(c->y - 1) * width + c->x];
  }
  for (size_t i = 0; i < n; i++) {
    if (i % width > 0 && found->numbers[i] != found->numbers[i - 1])
      count_crack (found, i, i - 1);
    if (i >= (size_t) width && found->numbers[i] != found->numbers[i - width])
      count_crack (found, i, i - width);
  }
  /* Visits child components before their parents, because the first pixel of a parent comes before
   * those of its children. */
  for (int i = found->n - 1; i >= 0; i--) {
    found->components[i].area += found->components[i].pixels;
    if (found->components[i].parent >= 0)
      found->components[found->components[i].parent].area +=
          found->components[i].area;
  }
  free (stack);
}

void
ref_components_clear (RefComponents * found)
{
  free (found->bits);
  free (found->numbers);
  free (found->components);
}

int
ref_components_size (int cracks)
{
  int octave = 0;

  while (cracks >> (octave + 1) != 0)
    octave++;
  return 4 * octave + (octave < 2 ? 0 : (cracks >> (octave - 2)) % 4);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the samples of unknown pixels: copies of their origins or, in frames without sources,
 * means of neighbors. */
#include "inpaint-private.h"

#include <stdlib.h>
#include <string.h>

#include "inpaint-blend.h"
#include "inpaint-seam.h"
#include "inpaint-shade.h"
#include "samples.h"

/* ---- Samples of components that may be subsampled ------------------------- */

int
ref_inpaint_get_at_pixel (const RefPlane * plane, int x, int y, int width,
    int height)
{
  return ref_get (plane, x >> ref_subsampling (width, plane->width),
      y >> ref_subsampling (height, plane->height));
}

int
ref_inpaint_get_depth (const RefPlane * plane)
{
  return plane->max == 255 ? 8 : plane->max == 1023 ? 10 : 16;
}

/* Writes the sample of a component for each pixel of the frame to @values. */
static void
load_values (const Work * work, int component, int32_t * values)
{
  for (int i = 0; i < work->width * work->height; i++)
    values[i] = ref_inpaint_get_at_pixel (&work->in[component],
        i % work->width, i / work->width, work->width, work->height);
}

/* Writes the samples of a component that belong to pixels of @mask. Each sample becomes the rounded
 * mean of the elements of @values for these pixels. */
static void
write_component (const Work * work, const uint8_t * mask,
    const int32_t * values, const RefPlane * out)
{
  int sx = ref_subsampling (work->width, out->width);
  int sy = ref_subsampling (work->height, out->height);

  for (int y = 0; y < out->height; y++) {
    for (int x = 0; x < out->width; x++) {
      Box block = { x << sx, y << sy, (x + 1) << sx, (y + 1) << sy };
      uint32_t sum = 0, count = 0;

      block.x1 = block.x1 > work->width ? work->width : block.x1;
      block.y1 = block.y1 > work->height ? work->height : block.y1;
      FOR_EACH_PIXEL (block, px, py) {
        if (!mask[at (work, px, py)])
          continue;
        sum += values[at (work, px, py)];
        count++;
      }
      if (count > 0)
        ref_set (out, x, y, (sum + count / 2) / count);
    }
  }
}

/* ---- Copies ------------------------------------------------------------------ */

/* Returns: 1 if pixel (@x, @y) is known, or if patches from different positions cover it and all
 * have the same colors there, in their upper 8 bits */
static int
is_agreed (const Work * work, const uint8_t * mask, int x, int y)
{
  int i = at (work, x, y), differ = 0;

  if (!mask[i])
    return 1;
  FOR_EACH_PIXEL (patch (work, x, y), u, v) {
    int target = at (work, u, v), from = work->origin[target] + i - target;

    if (work->filler[target] != target)
      continue;
    differ |= from != work->origin[i];
    for (int c = 0; c < work->n_colours; c++)
      if (work->colour[c][from] != work->colour[c][work->origin[i]])
        return 0;
  }
  return differ;
}

/* Finds the pixels that the removal of seams may change. An unknown pixel may change if patches
 * have different values at it or at one of its 8 neighbors. The array @agreed has memory for all
 * pixels. */
static void
find_open (const Work * work, const uint8_t * mask, int32_t * agreed)
{
  const Box all = { 0, 0, work->width, work->height };

  FOR_EACH_PIXEL (all, x, y)
      agreed[at (work, x, y)] = is_agreed (work, mask, x, y);
  FOR_EACH_PIXEL (all, x, y) {
    int is_open = 0;

    for (int v = y - 1; v <= y + 1; v++)
      for (int u = x - 1; u <= x + 1; u++)
        is_open |= u >= 0 && v >= 0 && u < work->width && v < work->height
            && !agreed[at (work, u, v)];
    work->open[at (work, x, y)] = mask[at (work, x, y)] && is_open;
  }
}

/* Finds the pixels of @hole that are written to the output. */
static const uint8_t *
find_shown (const Work * work, const uint8_t * hole, const RefInpaint * params)
{
  for (int i = 0; i < work->width * work->height; i++)
    work->shown[i] = hole[i]
        && (params->shown == NULL || params->shown[i] >= 128);
  return work->shown;
}

/* Changes work->values from samples to the values of pixels, with REF_SHADE_DEPTH bits; pixels in
 * @mask are copied from their origins (source pixels). Changes work->beside from the neighbors of
 * the origins to the expected neighbors of the pixels. On a shade, the expected neighbor is the
 * shade if the neighbor is known, otherwise REF_NO_SHADE, because there are no seams between copied
 * textures. */
static void
carry_copies (const Work * work, const uint8_t * mask, const int32_t * shade,
    int depth)
{
  FOR_EACH_PIXEL (((Box) {
          0, 0, work->width, work->height}), x, y) {
    int i = at (work, x, y);

    work->values[i] = ref_inpaint_carry (mask[i] ? shade : NULL,
        work->values[i], depth, work->origin[i], i);
    for (int k = 0; k < 4 && mask[i]; k++) {
      int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);
      int32_t *beside = &work->beside[k][i];

      if (u < 0 || v < 0 || u >= work->width || v >= work->height)
        *beside = REF_NO_SHADE;
      else if (shade != NULL && shade[i] != REF_NO_SHADE)
        *beside = mask[at (work, u, v)] ? REF_NO_SHADE : shade[at (work, u, v)];
      else
        *beside = *beside < 0 ? REF_NO_SHADE
            : *beside * (1 << (REF_SHADE_DEPTH (depth) - depth));
    }
  }
}

int
ref_inpaint_write_copies (Work * work, const uint8_t * hole,
    const RefPlane * out, const RefInpaint * params)
{
  const int32_t *filler = params->blend ? work->filler : NULL;
  const uint8_t *mask = find_shown (work, hole, params);
  int ok = 1;

  if (params->seam)
    find_open (work, mask, work->values);
  for (int c = 0; c < work->n && ok; c++) {
    int is_smooth = params->seam && c < work->n_colours;

    load_values (work, c, work->values);
    ref_inpaint_blend (work->values, mask, work->origin, filler, work->width,
        work->height, work->radius, 0, 0, work->values);
    for (int k = 0; k < 4 && is_smooth; k++)
      ref_inpaint_blend (work->values, mask, work->origin, filler, work->width,
          work->height, work->radius, REF_INPAINT_SIDE_X (k),
          REF_INPAINT_SIDE_Y (k), work->beside[k]);
    if (is_smooth) {
      int depth = ref_inpaint_get_depth (&work->in[c]);

      carry_copies (work, mask, work->shade[c], depth);
      ok = ref_inpaint_seam (work->values, work->open, hole, work->beside,
          work->shade[c], work->width, work->height, depth, &work->in[c],
          c > 0 && !work->is_rgb ? 8 : 32);
    }
    write_component (work, mask, work->values, &out[c]);
  }
  return ok;
}

/* ---- Frames without a source ---------------------------------------------- */

/* Fills the unknown pixels in passes, and writes the component to @out. Each pass sets the unknown
 * pixels that have known neighbors to the mean of these. Overwrites work->origin with the values;
 * does not change work->unknown. */
int
ref_inpaint_diffuse (Work * work, const RefPlane * out, int component)
{
  size_t n = (size_t) work->width * work->height;
  uint8_t *before = malloc (n), *now = malloc (n);
  int ok = before != NULL && now != NULL, goes_on = ok;

  if (ok) {
    memcpy (now, work->unknown, n);
    load_values (work, component, work->origin);
  }
  while (goes_on) {
    goes_on = 0;
    memcpy (before, now, n);
    for (int y = 0; y < work->height; y++) {
      for (int x = 0; x < work->width; x++) {
        uint32_t sum = 0, count = 0;

        for (int v = y - 1; v <= y + 1; v++) {
          for (int u = x - 1; u <= x + 1; u++) {
            if (u < 0 || v < 0 || u >= work->width || v >= work->height
                || before[at (work, u, v)])
              continue;
            sum += work->origin[at (work, u, v)];
            count++;
          }
        }
        if (!before[at (work, x, y)] || count == 0)
          continue;
        work->origin[at (work, x, y)] = (sum + count / 2) / count;
        now[at (work, x, y)] = 0;
        goes_on = 1;
      }
    }
  }
  if (ok)
    write_component (work, work->unknown, work->origin, out);
  free (before);
  free (now);
  return ok;
}

int
ref_inpaint_write_harmonic (Work * work, const RefPlane * out,
    const RefInpaint * params)
{
  const uint8_t *mask = find_shown (work, work->unknown, params);
  int ok = 1;

  for (int c = 0; c < work->n && ok; c++) {
    load_values (work, c, work->values);
    ok = ref_inpaint_harmonic (work->values, mask, work->unknown,
        work->shade[c], work->width, work->height,
        ref_inpaint_get_depth (&work->in[c]));
    write_component (work, mask, work->values, &out[c]);
  }
  return ok;
}

int
ref_inpaint_write_lines (Work * work, const RefPlane * out,
    const RefInpaint * params)
{
  const uint8_t *mask = find_shown (work, work->unknown, params);
  size_t n = (size_t) work->width * work->height;
  int32_t *values = malloc (sizeof (int32_t) * n * work->n);

  if (values == NULL)
    return 0;
  for (int c = 0; c < work->n; c++)
    load_values (work, c, values + c * n);
  ref_inpaint_lines (values, work->n, work->is_rgb,
      ref_inpaint_get_depth (&work->in[0]), mask, work->width, work->height);
  for (int c = 0; c < work->n; c++)
    write_component (work, mask, values + c * n, &out[c]);
  free (values);
  return 1;
}

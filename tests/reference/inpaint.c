/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of inpainting: loads a frame, chooses the method and fills the hole. */
#include "inpaint-private.h"

#include <stdlib.h>
#include <string.h>

#include "inpaint-patchmatch.h"
#include "inpaint-shade.h"

#define KNOWN 65536u            /* confidence of a pixel that is not hidden, in units of 1/65536 */

/* Returns: the largest distance of an unknown pixel from the nearest known pixel, in steps to
 * one of the 8 neighbors. The array @todo has memory for all pixels. */
static int
find_depth (const Work * work, int32_t * todo)
{
  int depth = 0, left = 1;

  FOR_EACH_PIXEL (((Box) {
          0, 0, work->width, work->height}), x, y)
      todo[at (work, x, y)] = work->unknown[at (work, x, y)] ? 0 : 1;
  while (left) {
    left = 0;
    depth++;
    FOR_EACH_PIXEL (((Box) {
            0, 0, work->width, work->height}
        ), x, y) {
      int i = at (work, x, y), is_next = 0;

      for (int v = y - 1; v <= y + 1 && todo[i] == 0; v++)
        for (int u = x - 1; u <= x + 1; u++)
          is_next |= u >= 0 && v >= 0 && u < work->width && v < work->height
              && todo[at (work, u, v)] == depth;
      todo[i] = is_next ? depth + 1 : todo[i];
      left |= is_next;
    }
  }
  return depth - 1;
}

static RefInpaintMethod
choose_method (const Work * work, const RefInpaint * params, int32_t * todo)
{
  if (params->method == REF_INPAINT_DIRECTIONAL && ref_inpaint_has_cross (work))
    return REF_INPAINT_HARMONIC;
  if (params->method != REF_INPAINT_AUTO)
    return params->method;
  return find_depth (work, todo) <= 1 ? REF_INPAINT_HARMONIC
      : REF_INPAINT_PATCHMATCH;
}

static void
load (Work * work, int is_rgb)
{
  FOR_EACH_PIXEL (((Box) {
          0, 0, work->width, work->height}), x, y) {
    int i = at (work, x, y);

    for (int c = 0; c < work->n_colours; c++)
      work->colour[c][i] = ref_inpaint_get_at_pixel (&work->in[c], x, y,
          work->width,
          work->height) >> (ref_inpaint_get_depth (&work->in[c]) - 8);
    work->grey[i] = is_rgb ? (77 * work->colour[0][i] + 150 * work->colour[1][i]
        + 29 * work->colour[2][i] + 128) >> 8 : work->colour[0][i];
    work->confidence[i] = KNOWN;
    work->origin[i] = i;
  }
}

/* Finds the origins (source pixels) of all unknown pixels at once, in the box around all search
 * windows. Returns the result of this search. */
static RefPatchmatchResult
find_origins (Work * work, const RefInpaint * params)
{
  Box box = work->windows[1];
  RefPatchmatch picture;
  RefPatchmatchResult result = REF_PATCHMATCH_NO_MEMORY;
  uint8_t *bytes;
  int32_t *origin;
  size_t size;

  for (int i = 2; i <= work->n_objects; i++) {
    const Box *window = &work->windows[i];

    box.x0 = window->x0 < box.x0 ? window->x0 : box.x0;
    box.y0 = window->y0 < box.y0 ? window->y0 : box.y0;
    box.x1 = window->x1 > box.x1 ? window->x1 : box.x1;
    box.y1 = window->y1 > box.y1 ? window->y1 : box.y1;
  }
  picture.width = box.x1 - box.x0;
  picture.height = box.y1 - box.y0;
  size = (size_t) picture.width * picture.height;
  bytes = malloc (5 * size);
  origin = malloc (size * sizeof (*origin));
  if (bytes != NULL && origin != NULL) {
    FOR_EACH_PIXEL (box, x, y) {
      size_t i = (size_t) (y - box.y0) * picture.width + x - box.x0;

      for (int c = 0; c < 3; c++)
        bytes[c * size + i] =
            work->colour[work->n_colours < 3 ? 0 : c][at (work, x, y)];
      bytes[3 * size + i] = work->unknown[at (work, x, y)];
      bytes[4 * size + i] = params->forbidden != NULL
          && params->forbidden[at (work, x, y)] >= 128;
    }
    for (int c = 0; c < 3; c++)
      picture.colour[c] = bytes + c * size;
    picture.unknown = bytes + 3 * size;
    picture.forbidden = bytes + 4 * size;
    result = ref_inpaint_patchmatch (&picture, origin);
  }
  if (result == REF_PATCHMATCH_DONE) {
    FOR_EACH_PIXEL (box, x, y) {
      int from = origin[(size_t) (y - box.y0) * picture.width + x - box.x0];

      if (work->unknown[at (work, x, y)])
        work->origin[at (work, x, y)] = at (work, box.x0 + from % picture.width,
            box.y0 + from / picture.width);
    }
  }
  free (bytes);
  free (origin);
  return result;
}

static int
fill (Work * work, const RefPlane * out, const RefInpaint * params,
    RefInpaintStats * stats, uint8_t * mask, int32_t * todo)
{
  size_t n = (size_t) work->width * work->height;
  RefPatchmatchResult result = REF_PATCHMATCH_NO_SOURCE;
  RefInpaintMethod method;
  RefInpaint own = *params;
  int target, ok = 1;

  ref_inpaint_dilate (work, params);
  memcpy (mask, work->unknown, n);
  for (size_t i = 0; i < n; i++)
    stats->unknown += mask[i];
  if (stats->unknown == 0 || (size_t) stats->unknown == n)
    return 1;
  method = choose_method (work, params, todo);
  if (method == REF_INPAINT_DIRECTIONAL)
    return ref_inpaint_write_lines (work, out, params);
  if (method == REF_INPAINT_HARMONIC)
    return (params->keep || ref_inpaint_find_shades (work, params, work->n))
        && ref_inpaint_write_harmonic (work, out, params);
  /* Finds the patches one after the other if they are reused in later frames. */
  if (work->memory != NULL)
    method = REF_INPAINT_EXEMPLAR;
  if (method == REF_INPAINT_PATCHMATCH) {
    own.patch_size = REF_PATCHMATCH_SIZE;
    work->radius = own.patch_size / 2;
  }
  ref_inpaint_find_sources (work, &own);
  /* If patches are found all at once, their textures depend on the pixels next to them. */
  work->radius += method == REF_INPAINT_PATCHMATCH;
  stats->sources = ref_inpaint_find_objects (work, &own, todo);
  work->radius -= method == REF_INPAINT_PATCHMATCH;
  stats->diffused = stats->sources == 0;
  if (stats->diffused) {
    for (int c = 0; c < work->n && ok; c++)
      ok = ref_inpaint_diffuse (work, &out[c], c);
    return ok;
  }
  if (method == REF_INPAINT_PATCHMATCH)
    result = find_origins (work, &own);
  if (result == REF_PATCHMATCH_NO_MEMORY)
    return 0;
  work->has_origins = 1;
  if (result == REF_PATCHMATCH_DONE) {
    own.blend = 0;
    return (!own.seam || own.keep
        || ref_inpaint_find_shades (work, &own, work->n_colours))
        && ref_inpaint_write_copies (work, mask, out, &own);
  }
  while ((target = ref_inpaint_find_target (work)) >= 0) {
    ref_inpaint_copy_patch (work, target, ref_inpaint_find_best (work, target));
    stats->steps++;
  }
  return ref_inpaint_write_copies (work, mask, out, &own);
}

/* Fills a frame independently of earlier frames, and stores the origins (source pixels) of its
 * pixels. Returns 0 if there is not enough memory. */
static int
fill_anew (Work * work, const RefPlane * out, const RefInpaint * params,
    RefInpaintStats * stats, RefInpaintMemory * memory, uint8_t * mask,
    int32_t * todo)
{
  size_t size = (size_t) work->width * work->height;
  int ok;

  for (size_t i = 0; i < size; i++)
    work->filler[i] = -1;
  work->memory = params->keep ? NULL : memory;
  if (memory != NULL)
    memory->n_targets = 0;
  ok = fill (work, out, params, stats, mask, todo);
  if (memory != NULL && params->keep) {
    memory->n_targets = stats->steps;
    memory->is_valid = ok && work->has_origins;
    memcpy (memory->origin, work->origin, size * sizeof (*memory->origin));
  } else if (memory != NULL) {
    ref_inpaint_remember (work, memory, ok && stats->steps > 0);
  }
  return ok;
}

/* Fills a frame. @memory is NULL or contains the data kept from earlier frames. */
static int
fill_frame (const RefPlane * in, const RefPlane * out, int n, int is_rgb,
    const RefInpaint * params, RefInpaintStats * stats,
    RefInpaintMemory * memory, RefInpaintWay * way)
{
  Work work = {.in = in,.n = n,.n_colours = n > 3 ? 3 : n,.is_rgb = is_rgb,
    .width = in[0].width,.height = in[0].height,
    .radius = params->patch_size / 2
  };
  size_t size = (size_t) work.width * work.height;
  uint8_t *bytes = calloc (size, 9);
  int32_t *words = calloc (size, 10 * sizeof (*words));
  RefInpaintStats unused;
  int ok;

  /* Allocates memory for the largest possible number of objects: every second pixel of every second
   * row. */
  work.windows = malloc ((size / 2 + 2) * sizeof (*work.windows));
  ok = bytes != NULL && words != NULL && work.windows != NULL;
  *way = REF_INPAINT_ANEW;
  stats = stats != NULL ? stats : &unused;
  memset (stats, 0, sizeof (*stats));
  if (ok) {
    work.unknown = bytes;
    work.source = bytes + size;
    work.grey = bytes + 2 * size;
    for (int c = 0; c < 3; c++)
      work.colour[c] = bytes + (3 + c) * size;
    work.open = bytes + 7 * size;
    work.shown = bytes + 8 * size;
    work.object = words;
    work.origin = words + size;
    work.confidence = (uint32_t *) words + 2 * size;
    work.values = words + 4 * size;
    work.filler = memory != NULL ? memory->filler : words + 5 * size;
    for (int k = 0; k < 4; k++)
      work.beside[k] = words + (6 + k) * size;
    load (&work, is_rgb);
    if (memory == NULL || !(params->keep
            ? ref_inpaint_repeat (&work, out, params, memory, way)
            : ref_inpaint_replay (&work, out, params, memory, words + 3 * size,
                way)))
      ok = fill_anew (&work, out, params, stats, memory, bytes + 6 * size,
          words + 3 * size);
  }
  for (int c = 0; c < 4; c++)
    free (work.shade[c]);
  free (work.windows);
  free (words);
  free (bytes);
  return ok;
}

int
ref_inpaint (const RefPlane * in, const RefPlane * out, int n, int is_rgb,
    const RefInpaint * params, RefInpaintStats * stats)
{
  RefInpaintWay way;

  return fill_frame (in, out, n, is_rgb, params, stats, NULL, &way);
}

int
ref_inpaint_temporal (const RefPlane * in, const RefPlane * out, int n,
    int is_rgb, const RefInpaint * params, RefInpaintMemory * memory,
    RefInpaintWay * way)
{
  return fill_frame (in, out, n, is_rgb, params, NULL, memory, way);
}

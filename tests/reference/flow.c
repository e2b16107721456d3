/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of dense optical flow: see docs/algorithms/flow.md. */
#include "flow-private.h"

#include "samples.h"

static const Preset presets[] = {
  [REF_FLOW_ULTRAFAST] = {2, 2, 5, 4, 0, {2, 0}},
  [REF_FLOW_FAST] = {2, 2, 9, 3, 0, {4, 0}},
  [REF_FLOW_MEDIUM] = {1, 1, 9, 3, 0, {5, 0}},
  [REF_FLOW_FINE] = {0, 1, 9, 3, 1, {4, 3}}
};

/* ---- Levels --------------------------------------------------------------------- */

static int
load (const RefPlane * plane, Level * level)
{
  level->width = plane->width;
  level->height = plane->height;
  level->data = malloc ((size_t) plane->width * plane->height
      * sizeof (uint16_t));
  if (level->data == NULL)
    return 0;
  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++) {
      int v = ref_get (plane, x, y);

      level->data[(size_t) y * plane->width + x] = plane->max > 4095
          ? v >> 4 : plane->max > 1023 ? v : plane->max > 255 ? v << 2 : v << 4;
    }
  return 1;
}

static int
halve (const Level * in, Level * out)
{
  out->width = (in->width + 1) >> 1;
  out->height = (in->height + 1) >> 1;
  out->data = malloc ((size_t) out->width * out->height * sizeof (uint16_t));
  if (out->data == NULL)
    return 0;
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++)
      out->data[(size_t) y * out->width + x] =
          (get_word (in, 2 * x, 2 * y) + get_word (in, 2 * x + 1, 2 * y)
          + get_word (in, 2 * x, 2 * y + 1)
          + get_word (in, 2 * x + 1, 2 * y + 1) + 2) >> 2;
  return 1;
}

/* ---- Field ---------------------------------------------------------------------- */

static int
make_field (Field * field, int width, int height)
{
  size_t n = (size_t) width * height;

  field->width = width;
  field->height = height;
  field->u = malloc (3 * n * sizeof (float));
  field->v = field->u + n;
  field->mean = field->v + n;
  return field->u != NULL;
}

/* Sets each pixel's motion to the weighted mean of the motions of the four patches that cover
 * it. */
static int
densify (Flow * self, int level)
{
  const Level *from = &self->from[level], *to = &self->to[level];
  int columns = count_patches (from->width);

  if (!make_field (&self->field, from->width, from->height))
    return 0;
  for (int y = 0; y < from->height; y++)
    for (int x = 0; x < from->width; x++) {
      size_t at = (size_t) y * from->width + x;
      float sum = 0, u = 0, v = 0, mean = 0, r;

      for (int k = 0; k < 4; k++) {
        const Found *f = &self->found[((y >> 2) + k / 2) * columns
            + (x >> 2) + k % 2];
        float d = sample (to, x + f->u, y + f->v) - get (from, x, y) - f->mean;
        float w = fmaf (0.25f * d, d, f->cost * 0.015625f);

        w = ref_reciprocal (w > 1 ? w : 1);
        sum = k == 0 ? w : sum + w;
        u = k == 0 ? w * f->u : fmaf (w, f->u, u);
        v = k == 0 ? w * f->v : fmaf (w, f->v, v);
        mean = k == 0 ? w * f->mean : fmaf (w, f->mean, mean);
      }
      r = ref_reciprocal (sum);
      self->field.u[at] = u * r;
      self->field.v[at] = v * r;
      self->field.mean[at] = mean * r;
    }
  return 1;
}

/* Returns sample (@x, @y) of a plane that is enlarged to twice the size; its values are multiplied
 * by @factor. */
static float
enlarge_sample (const float *in, int width, int height, int x, int y,
    float factor)
{
  int x0 = x >> 1, y0 = y >> 1;
  int x1 = x & 1 ? x0 + 1 : x0 - 1, y1 = y & 1 ? y0 + 1 : y0 - 1;
  float near = fmaf (0.25f, at_edge (in, width, height, x1, y0),
      0.75f * at_edge (in, width, height, x0, y0));
  float far = fmaf (0.25f, at_edge (in, width, height, x1, y1),
      0.75f * at_edge (in, width, height, x0, y1));

  return fmaf (0.25f * factor, far, 0.75f * factor * near);
}

static int
enlarge (Flow * self, int level)
{
  Field in = self->field;
  int width = self->from[level].width, height = self->from[level].height;

  if (!make_field (&self->field, width, height)) {
    free (in.u);
    return 0;
  }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t at = (size_t) y * width + x;

      self->field.u[at] = enlarge_sample (in.u, in.width, in.height, x, y, 2);
      self->field.v[at] = enlarge_sample (in.v, in.width, in.height, x, y, 2);
      self->field.mean[at] =
          enlarge_sample (in.mean, in.width, in.height, x, y, 1);
    }
  free (in.u);
  return 1;
}

/* ---- The stored flow field ------------------------------------------------------ */

/* Returns the integer nearest to @x, ties to even. */
static int
round_to_int (float x)
{
  return (int) rintf (x);
}

static int
keep (Flow * self, int level, const RefFlow * out)
{
  const Field *f = &self->field;
  const Level *from = &self->from[level], *to = &self->to[level];
  int width = f->width, height = f->height;
  float most = ldexpf (1023, -level), unit = ldexpf (32, level);
  float *residual = malloc ((size_t) width * height * sizeof (float));

  if (residual == NULL)
    return 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t at = (size_t) y * width + x;
      float u = ref_clamp_float (f->u[at], -most, most);
      float v = ref_clamp_float (f->v[at], -most, most);

      out->flow[2 * at] = round_to_int (u * unit);
      out->flow[2 * at + 1] = round_to_int (v * unit);
      residual[at] = fabsf (sample (to, x + u, y + v) - get (from, x, y)
          - f->mean[at]);
      out->confidence[at] = x + u >= -0.5f && y + v >= -0.5f
          && x + u <= width - 0.5f && y + v <= height - 0.5f;
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t at = (size_t) y * width + x;
      float sum = 0;

      for (int j = -2; j <= 2; j++) {
        float row = 0;

        for (int i = -2; i <= 2; i++)
          row += at_edge (residual, width, height, x + i, y + j);
        sum += row;
      }
      sum = 0.4f * sum;
      if (out->confidence[at])
        out->confidence[at] = 255 - round_to_int (sum < 255 ? sum : 255);
    }
  free (residual);
  return 1;
}

/* ---- The frames ----------------------------------------------------------------- */

static int
count_levels (const Preset * preset, int width, int height)
{
  int least = width < height ? width : height;
  int64_t square = (int64_t) width * width;
  int l = 0;

  if (height > width)
    square = (int64_t) height *height;
  while (l + 2 < MAX_LEVELS && square >= (int64_t) 1 << (2 * l + 11)
      && least >= 1 << (l + 4))
    l++;
  return (l > preset->finest ? l : preset->finest) + 1;
}

int
ref_flow_make_levels (const RefPlane * plane, int n, Level * levels)
{
  if (!load (plane, &levels[0]))
    return 0;
  for (int l = 1; l < n; l++)
    if (!halve (&levels[l - 1], &levels[l]))
      return 0;
  return 1;
}

static int
compute (Flow * self, const RefPlane * from, const RefPlane * to,
    const RefFlow * before, const RefFlow * out)
{
  const Preset *preset = self->preset;

  if (!ref_flow_make_levels (from, self->n_levels, self->from)
      || !ref_flow_make_levels (to, self->n_levels, self->to))
    return 0;
  for (int level = self->n_levels - 1; level >= preset->finest; level--)
    if (!ref_flow_search (self, level, before))
      return 0;
  if (!densify (self, preset->finest)
      || !ref_flow_refine (self, preset->finest, preset->n_steps[0]))
    return 0;
  if (preset->shift < preset->finest && (!enlarge (self, preset->shift)
          || !ref_flow_refine (self, preset->shift, preset->n_steps[1])))
    return 0;
  return keep (self, preset->shift, out);
}

void
ref_flow_size (const RefFlowParams * params, int width, int height,
    RefFlow * field)
{
  int shift = presets[params->preset].shift;

  field->shift = shift;
  field->width = (width + (1 << shift) - 1) >> shift;
  field->height = (height + (1 << shift) - 1) >> shift;
}

int
ref_flow (const RefFlowParams * params, const RefPlane * from,
    const RefPlane * to, const RefFlow * before, const RefFlow * field)
{
  Flow self = {.preset = &presets[params->preset] };
  int ok;

  self.lighting_changes = params->lighting_changes;
  self.n_levels = count_levels (self.preset, from->width, from->height);
  ok = compute (&self, from, to, before, field);
  for (int l = 0; l < self.n_levels; l++) {
    free (self.from[l].data);
    free (self.to[l].data);
  }
  free (self.found);
  free (self.above);
  free (self.first);
  free (self.field.u);
  return ok;
}

/* Returns component @k of a field, sampled bilinearly. */
static float
sample_flow (const RefFlow * f, int k, float x, float y)
{
  float fx, fy, a, b, c, d;
  int x0, y0, x1, y1;

  x = ref_clamp_float (x, 0, f->width - 1);
  y = ref_clamp_float (y, 0, f->height - 1);
  x0 = (int) x;
  y0 = (int) y;
  fx = x - x0;
  fy = y - y0;
  x1 = ref_clamp (x0 + 1, 0, f->width - 1);
  y1 = ref_clamp (y0 + 1, 0, f->height - 1);
  a = f->flow[2 * ((size_t) y0 * f->width + x0) + k];
  b = f->flow[2 * ((size_t) y0 * f->width + x1) + k];
  c = f->flow[2 * ((size_t) y1 * f->width + x0) + k];
  d = f->flow[2 * ((size_t) y1 * f->width + x1) + k];
  a = fmaf (fx, b - a, a);
  c = fmaf (fx, d - c, c);
  return fmaf (fy, c - a, a);
}

void
ref_flow_compare (const RefFlow * field, const RefFlow * back)
{
  float unit = ldexpf (0.03125f, -field->shift);

  for (int y = 0; y < field->height; y++)
    for (int x = 0; x < field->width; x++) {
      size_t at = (size_t) y * field->width + x;
      float u = field->flow[2 * at], v = field->flow[2 * at + 1];
      float px = fmaf (u, unit, x), py = fmaf (v, unit, y);
      float du = u + sample_flow (back, 0, px, py);
      float dv = v + sample_flow (back, 1, px, py);
      float square = fmaf (dv, dv, du * du) + 0x1p-20f;
      float distance = 2 * square * ref_reciprocal_root (square);
      int limit = 255 - round_to_int (distance < 255 ? distance : 255);

      if (limit < field->confidence[at])
        field->confidence[at] = limit;
    }
}

int
ref_flow_at (const RefFlow * field, int x, int y, int *u, int *v)
{
  int l = field->shift, unit = 2 << l;
  int px = 2 * x + 1 - (1 << l), py = 2 * y + 1 - (1 << l);
  int x0 = px >> (l + 1), y0 = py >> (l + 1);
  int fx = px & (unit - 1), fy = py & (unit - 1);
  int sums[2] = { 0, 0 }, is_known = 1;

  for (int k = 0; k < 4; k++) {
    int weight = (k % 2 ? fx : unit - fx) * (k / 2 ? fy : unit - fy);
    const int16_t *flow = field->flow
        + 2 * ((size_t) ref_clamp (y0 + k / 2, 0, field->height - 1)
        * field->width + ref_clamp (x0 + k % 2, 0, field->width - 1));

    is_known = is_known && flow[0] != REF_FLOW_NONE;
    sums[0] += weight * flow[0];
    sums[1] += weight * flow[1];
  }
  *u = (sums[0] + unit * unit / 2) >> (2 * l + 2);
  *v = (sums[1] + unit * unit / 2) >> (2 * l + 2);
  return is_known;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Creates the plan of a conversion: a table of 32-bit words that tells the kernel, for each
 * output sample, the input samples and their weights. See kernels/convert/convert-shared.h. */
#include <string.h>

#include "convert-private.h"
#include "taps.h"

/* The geometry of a conversion, derived from MgpuConvertParams: the source rectangle, its
 * rotation or mirroring, and the rectangle of the output that shows it. */
typedef struct
{
  gint transposed, flip_x, flip_y;
  MgpuRectangle source, destination;
} Geometry;

/* Returns: the part of rectangle @r that lies inside a frame of @width x @height pixels; the
 * whole frame if no part does */
static MgpuRectangle
clip_rectangle (MgpuRectangle r, gint width, gint height)
{
  MgpuRectangle all = { 0, 0, width, height };
  gint64 right = MIN ((gint64) r.x + r.width, width);
  gint64 bottom = MIN ((gint64) r.y + r.height, height);

  r.x = MAX (r.x, 0);
  r.y = MAX (r.y, 0);
  if (right <= r.x || bottom <= r.y)
    return all;
  r.width = right - r.x;
  r.height = bottom - r.y;
  return r;
}

static void
geometry_init (Geometry * g, const GstVideoInfo * in, const GstVideoInfo * out,
    const MgpuConvertParams * params)
{
  GstVideoOrientationMethod o = params->orientation;
  MgpuRectangle *d = &g->destination;

  g->transposed = o == GST_VIDEO_ORIENTATION_90R
      || o == GST_VIDEO_ORIENTATION_90L || o == GST_VIDEO_ORIENTATION_UL_LR
      || o == GST_VIDEO_ORIENTATION_UR_LL;
  g->flip_x = o == GST_VIDEO_ORIENTATION_90R || o == GST_VIDEO_ORIENTATION_180
      || o == GST_VIDEO_ORIENTATION_HORIZ || o == GST_VIDEO_ORIENTATION_UR_LL;
  g->flip_y = o == GST_VIDEO_ORIENTATION_90L || o == GST_VIDEO_ORIENTATION_180
      || o == GST_VIDEO_ORIENTATION_VERT || o == GST_VIDEO_ORIENTATION_UR_LL;
  g->source = clip_rectangle (params->source,
      GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in));
  *d = clip_rectangle (params->destination,
      GST_VIDEO_INFO_WIDTH (out), GST_VIDEO_INFO_HEIGHT (out));
  if (GST_VIDEO_INFO_IS_YUV (out)) {
    gint x = d->x & -(1 << out->finfo->w_sub[1]);
    gint y = d->y & -(1 << out->finfo->h_sub[1]);

    d->width += d->x - x;
    d->height += d->y - y;
    d->x = x;
    d->y = y;
  }
}

void
mgpu_convert_get_matrix (const GstVideoInfo * in, const GstVideoInfo * out,
    const MgpuConvertParams * params, gdouble matrix[2][3])
{
  Geometry g;

  geometry_init (&g, in, out, params);
  for (gint row = 0; row < 2; row++) {
    gboolean flip = row == 0 ? g.flip_x : g.flip_y;
    /* Finds the axis of the input (0 for x, 1 for y) that becomes axis number @row of the
     * output. */
    gint axis = row ^ g.transposed;
    gint from = axis == 0 ? g.source.x : g.source.y;
    gint length = axis == 0 ? g.source.width : g.source.height;
    gint to = row == 0 ? g.destination.x : g.destination.y;
    gint size = row == 0 ? g.destination.width : g.destination.height;
    gdouble scale = (gdouble) size / length;

    matrix[row][axis] = flip ? -scale : scale;
    matrix[row][1 - axis] = 0;
    matrix[row][2] = flip ? to + (from + length) * scale : to - from * scale;
  }
}

/* Returns: the number of pixels for each sample along an axis: 1, or 2 for subsampled
 * chroma */
static gint
get_subsampling (const GstVideoInfo * info, gboolean chroma, gboolean vertical)
{
  return !chroma ? 1
      : 1 << (vertical ? info->finfo->h_sub[1] : info->finfo->w_sub[1]);
}

/* Describes one axis of the output: its output samples, and the input samples from which they are
 * computed. @out_chroma, @in_chroma: whether the output samples, and the input samples, are
 * chroma. */
static MgpuAxis
make_axis (const MgpuConvert * self, const Geometry * g,
    MgpuConvertMethod method, gboolean vertical, gboolean out_chroma,
    gboolean in_chroma)
{
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  GstVideoChromaSite site = vertical ? GST_VIDEO_CHROMA_SITE_V_COSITED :
      GST_VIDEO_CHROMA_SITE_H_COSITED;
  /* @rows: whether this axis of the output is the vertical axis of the input. @begin, @end:
   * limits of the source rectangle on this axis of the input, in pixels. */
  gboolean rows = vertical != g->transposed;
  gint begin = rows ? g->source.y : g->source.x;
  gint end = begin + (rows ? g->source.height : g->source.width);
  gint length = rows ? GST_VIDEO_INFO_HEIGHT (in) : GST_VIDEO_INFO_WIDTH (in);
  gint sub = get_subsampling (in, in_chroma, rows);
  MgpuAxis axis = {
    .method = method,
    .vertical = vertical,
    .in_size = end - begin,
    .out_size = vertical ? g->destination.height : g->destination.width,
    .in_sub = sub,
    .out_sub = get_subsampling (out, out_chroma, vertical),
    /* Uses the chroma site of the input frame even after a rotation. */
    .in_cosited = (in->chroma_site & site) != 0,
    .out_cosited = (out->chroma_site & site) != 0,
    .phase = begin % sub,
    .begin = begin / sub,
    .n = (end + sub - 1) / sub - begin / sub,
    .flip = vertical ? g->flip_y : g->flip_x
  };

  if (axis.flip)
    axis.phase = end == length ? 0 : (sub - end % sub) % sub;
  return axis;
}

/* Finds the taps of both axes of a table. Returns: the method; the mean of the area if the taps of
 * @method would be too many */
static MgpuConvertMethod
find_taps (const MgpuConvert * self, const Geometry * g,
    MgpuConvertMethod method, gboolean out_chroma, gboolean in_chroma,
    MgpuTaps * x, MgpuTaps * y)
{
  MgpuAxis across = make_axis (self, g, method, FALSE, out_chroma, in_chroma);
  MgpuAxis down = make_axis (self, g, method, TRUE, out_chroma, in_chroma);

  if (!mgpu_taps_fit (&across) || !mgpu_taps_fit (&down))
    across.method = down.method = MGPU_CONVERT_AREA;
  mgpu_taps_init (x, &across);
  mgpu_taps_init (y, &down);
  return across.method;
}

/* Returns: how kernels load the input pixels of a row of output samples: UNIT, REVERSE, GATHER,
 * NEAR or NEAR2; see kernels/convert/convert-shared.h. @near is the result of
 * mgpu_taps_append_near() */
static gint
classify_columns (const MgpuConvert * self, const MgpuTaps * x, gint near)
{
  gint direction = mgpu_taps_direction (x);
  gint lanes = self->object.knobs[LANES];

  if (self->turn.transposed)
    return GATHER;
  if (direction != 0)
    return direction > 0 ? UNIT : REVERSE;
  /* If vectors have 4 lanes, as on GPUs, loads the pixel of each column separately: there, this
   * is faster than loading whole vectors and shuffling their lanes. */
  if (lanes == 4 || near == 0)
    return GATHER;
  return near == lanes ? NEAR : NEAR2;
}

/* Replaces a division by a multiplication and a shift: sets @magic and @shift so that, for all
 * s up to @largest, s / @total, rounded down, equals (s * @magic) >> (32 + @shift).
 * Returns: FALSE if s or @magic would need more than 32 bits */
static gboolean
find_magic (guint64 total, guint64 largest, guint * magic, gint * shift)
{
  if (largest > G_MAXUINT32)
    return FALSE;
  for (gint bits = 32; bits < 64; bits++) {
    guint64 power = G_GUINT64_CONSTANT (1) << bits;
    guint64 m = power / total + (power % total != 0);
    guint64 rest = m * total - power;

    if (m > G_MAXUINT32)
      return FALSE;
    if (rest == 0 || largest < power / rest) {
      *magic = m;
      *shift = bits - 32;
      return TRUE;
    }
  }
  return FALSE;
}

/* Checks whether the conversion only moves samples. If it does, sets the elements @chroma (0
 * for luma, 1 for chroma) of the arrays x and y of self->turn to the position of the upper left
 * input sample that is visible in the output. If samples have to be computed, sets self->turns
 * to FALSE. */
static void
note_turn (MgpuConvert * self, const MgpuTaps * x, const MgpuTaps * y,
    gboolean chroma)
{
  gint x_low = MIN (x->index[0], x->index[x->n - 1]);
  gint y_low = MIN (y->index[0], y->index[y->n - 1]);

  self->turns &= mgpu_taps_direction (x) != 0 && mgpu_taps_direction (y) != 0;
  self->turn.x[chroma] = self->turn.transposed ? y_low : x_low;
  self->turn.y[chroma] = self->turn.transposed ? x_low : y_low;
}

/* Appends the taps of one group of output samples and one group of input samples to the plan
 * (the table that kernels read). A group is luma or chroma; taps are input samples and their
 * weights. @which is the number of the table of taps: 0 and 1 are for the luma group of the
 * output, 2 and 3 for its chroma group; 0 and 2 read the luma group of the input, 1 and 3 its
 * chroma group. The names of macros in the kernel end with this number. */
static void
add_tables (MgpuConvert * self, const Geometry * g, MgpuConvertMethod method,
    guint which)
{
  gboolean out_chroma = which >= 2, in_chroma = which & 1;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  gint left = g->destination.x >> (out_chroma ? out->finfo->w_sub[1] : 0);
  gint top = g->destination.y >> (out_chroma ? out->finfo->h_sub[1] : 0);
  gint height = GST_VIDEO_INFO_COMP_HEIGHT (out, out_chroma);
  gint lanes = self->object.knobs[LANES], first = self->words->len;
  /* Rounds the width up to whole vectors. The kernel does not store the samples after the last
   * column. */
  gint pitch = (GST_VIDEO_INFO_COMP_WIDTH (out, out_chroma) + lanes - 1)
      / lanes * lanes;
  gint shift = 0, near;
  guint magic = 0;
  MgpuTaps x, y;
  guint64 total;

  method = find_taps (self, g, method, out_chroma, in_chroma, &x, &y);
  /* Uses the same kernels for all windows with lobes. */
  if (method == MGPU_CONVERT_LANCZOS)
    method = MGPU_CONVERT_BICUBIC;
  self->taps[which] = x.n_taps <= 2 ? x.n_taps : 0;
  self->rows[which] = y.n_taps <= 2 ? y.n_taps : 0;
  self->filter[which] = x.n_taps == 1 && y.n_taps == 1
      ? MGPU_CONVERT_NEAREST : method;
  total = (guint64) x.total * y.total;
  if (self->filter[which] == MGPU_CONVERT_AREA)
    self->area_wide |= !find_magic (total,
        total * self->in_layout.max + total / 2, &magic, &shift);

  mgpu_taps_append_columns (&x, self->words, left, pitch);
  mgpu_taps_append_rows (&y, self->words, top, height);
  memcpy (mgpu_words_at (self->words, PLAN_TABLES + which * TABLE_SIZE),
      ((const gint[TABLE_SIZE]) {
            [TABLE_X] = first,
            [TABLE_WEIGHTS] = first + pitch,
            [TABLE_PITCH] = pitch,
            [TABLE_X_TAPS] = x.n_taps,
            [TABLE_Y] = first + (1 + x.n_taps) * pitch,
            [TABLE_Y_TAPS] = y.n_taps,
            [TABLE_TOTAL] = (gint) (guint) total,
            [TABLE_MAGIC] = (gint) magic,
            [TABLE_SHIFT] = shift,
            [TABLE_NEAR] = self->words->len,
            [TABLE_FILTER] = self->filter[which],
            [TABLE_BYTES] = self->in_layout.bytes,
            [TABLE_UNUSED] = self->in_layout.shift,
            [TABLE_TURNED] = self->turn.transposed,
            [TABLE_MAX] = self->in_layout.max
          }), TABLE_SIZE * sizeof (gint));
  near = mgpu_taps_append_near (&x, self->words, left, pitch, lanes,
      GST_VIDEO_INFO_COMP_WIDTH (in, in_chroma));
  self->columns[which] = classify_columns (self, &x, near);
  note_turn (self, &x, &y, in_chroma);
  mgpu_taps_clear (&x);
  mgpu_taps_clear (&y);
}

/* Writes the header of the plan (the table that the conversion kernel reads), which precedes
 * the tables of taps: the color matrix, the border color, and the edges of the rectangle that
 * shows the input. */
static void
write_header (MgpuConvert * self, const Geometry * g)
{
  const GstVideoInfo *out = &self->object.out;
  gint *header = mgpu_words_at (self->words, 0);

  for (guint i = 0; i < 3; i++) {
    memcpy (header + 4 * i, self->matrix.factor[i], 3 * sizeof (gint));
    header[4 * i + 3] = self->matrix.offset[i];
  }
  for (guint i = 0; i < 4; i++)
    header[PLAN_BORDER + i] = mgpu_colour_black (out,
        self->is_alpha ? GST_VIDEO_COMP_A : i);
  memcpy (header + PLAN_KNOBS, self->format_knobs, sizeof (self->format_knobs));
  /* Leaves the rectangle for chroma empty if chroma is not computed from the input, because all
   * chroma then gets the color of the border. So does alpha that the input does not have. */
  for (guint i = 0; i < 2; i++) {
    gint *inside = header + PLAN_INSIDE + 4 * i;
    gint x = i ? out->finfo->w_sub[1] : 0, y = i ? out->finfo->h_sub[1] : 0;

    if ((i ? self->chroma_from : self->luma_from) == 0)
      continue;
    inside[0] = g->destination.x >> x;
    inside[1] = inside[0] + GST_VIDEO_SUB_SCALE (x, g->destination.width);
    inside[2] = g->destination.y >> y;
    inside[3] = inside[2] + GST_VIDEO_SUB_SCALE (y, g->destination.height);
  }
}

void
mgpu_convert_make_plan (MgpuConvert * self, const MgpuConvertParams * params)
{
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  Geometry g;

  geometry_init (&g, in, out, params);
  self->params = *params;
  /* Builds a separate program for windows, because PoCL 6 cannot compile the program that small
   * frames share if it contains windows. */
  if (params->method == MGPU_CONVERT_BICUBIC
      || params->method == MGPU_CONVERT_LANCZOS)
    self->shared = FALSE;
  self->area_wide = FALSE;
  self->borders = g.destination.width < GST_VIDEO_INFO_WIDTH (out)
      || g.destination.height < GST_VIDEO_INFO_HEIGHT (out)
      || (self->out_layout.chroma_planes > 0 && self->chroma_from == 0)
      || self->luma_from == 0;
  self->turn.transposed = g.transposed;
  self->turn.flip_x = g.flip_x;
  self->turn.flip_y = g.flip_y;
  /* Decides whether to use the kernel that only rotates or mirrors frames. This kernel needs
   * wide vectors, which GPUs do not have. */
  self->turns = self->object.knobs[LANES] > 4 && !self->borders
      && !self->is_alpha
      && self->matrix.identity
      && GST_VIDEO_INFO_FORMAT (in) == GST_VIDEO_INFO_FORMAT (out)
      && mgpu_turn_is_supported (out);
  g_clear_pointer (&self->object.slots[PLAN], gst_memory_unref);

  g_array_set_size (self->words, 0);
  mgpu_words_grow (self->words, PLAN_TABLES + N_TABLES * TABLE_SIZE);
  write_header (self, &g);
  for (guint i = 0; i < N_TABLES; i++) {
    self->columns[i] = UNIT;
    self->taps[i] = self->rows[i] = 1;
    self->filter[i] = MGPU_CONVERT_NEAREST;
    if ((i < 2 ? self->luma_from : self->chroma_from) & 1 << i % 2)
      add_tables (self, &g, params->method, i);
  }
}

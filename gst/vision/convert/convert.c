/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "convert.h"

#include <string.h>

#include <gst/vision/colour/colour.h>
#include <gst/vision/turn/turn.h>
#include <kernels/convert/shared.h>

#include "taps.h"

#define N_TABLES 4
#define PLAN_HEADER (PLAN_TABLES + N_TABLES * TABLE_SIZE)

/* Largest number of pixels of a small frame. All small frames share one kernel, since
 * building another takes as long as converting thousands of them. */
#define SMALL (64 * 64)

/* Indices of the knobs in their list */
enum
{
  LANES,
  BAND,
  TURNED_BAND,
  GROUP_X,
  GROUP_Y,
  WHOLE_ROWS
};

static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "4 16", "pixels of a vector"},
  {"BAND", {4, 1, 1}, "1 2 4 8 16", "rows of a work-item"},
  {"TURNED_BAND", {64, 1, 1}, "1 16 32 64 128",
      "rows of a work-item where rows become columns"},
  {"GROUP_X", {1, 32, 32}, NULL, "work-items side by side"},
  {"GROUP_Y", {1, 4, 4}, NULL, "work-items below each other"},
  {"WHOLE_ROWS", {1, 0, 0}, NULL,
      "whether a work-item takes whole rows, and vectors are shuffled"},
  {NULL}
};

/* Indices of the kernels in their list. Each has a set of its own; the parameters decide
 * which one is needed. */
enum
{
  CONVERT,
  TURN
};

#define SET_CONVERT 1
#define SET_TURN 2

static const MgpuKernel kernels[] = {
  [CONVERT] = {"convert/convert", "convert_frame", SET_CONVERT},
  [TURN] = {"turn/turn", "turn_frame", SET_TURN},
  {NULL}
};

/* Slot of the plan: the words that the kernel reads, see kernels/convert/shared.h */
#define PLAN 0
#define N_SLOTS 1

/* Tells how samples lie in a frame: those of the luma group (luma, or R, G, B and A), and
 * those of the chroma group. The members luma_pixel and chroma_pixel are bytes from pixel
 * to pixel; luma_at and chroma_at hold, 4 bits for each sample, its place in the pixel in
 * bytes. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* both 0 in frames without chroma */
  guint chroma_at;
} Layout;

/* Holds what the tables of the plan depend on, derived from MgpuConvertParams. */
typedef struct
{
  gint transposed, flip_x, flip_y;
  MgpuRectangle source, destination;
} Geometry;

typedef struct
{
  MgpuObject object;
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;  /* see find_origins() */
  gboolean shared;              /* whether the kernel is the one of all small frames */

  /* Members that depend on the parameters of the last frame, which are params */
  MgpuConvertParams params;
  gboolean transposed, borders, area_wide;
  gint columns[N_TABLES];       /* results of classify_columns() */
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* whether samples only move, in the way turn says */
  MgpuTurn turn;
  GArray *words;                /* words of the plan */
  gboolean is_ready;            /* whether the kernel for the plan is made */
} MgpuConvert;

static void
layout_init (Layout * layout, const GstVideoInfo * info)
{
  MgpuImage image = {.info = *info };
  MgpuComponent c[3];

  memset (layout, 0, sizeof (*layout));
  for (guint i = 0; i < MIN (3, GST_VIDEO_INFO_N_COMPONENTS (info)); i++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (info, i), at;

    mgpu_image_get_component (&image, i, &c[i]);
    at = c[i].offset - GST_VIDEO_INFO_PLANE_OFFSET (info, plane);
    if (i == 0 || GST_VIDEO_INFO_IS_RGB (info))
      layout->luma_at |= at << 4 * layout->luma_samples++;
    else if (plane == GST_VIDEO_INFO_COMP_PLANE (info, 1))
      layout->chroma_at |= at << 4 * (i - 1);
  }
  layout->bytes = c[0].bytes;
  layout->shift = c[0].shift;
  layout->max = c[0].max;
  layout->luma_pixel = c[0].pixel_stride;
  if (GST_VIDEO_INFO_IS_YUV (info)) {
    layout->chroma_pixel = c[1].pixel_stride;
    layout->chroma_planes = GST_VIDEO_INFO_COMP_PLANE (info, 1)
        == GST_VIDEO_INFO_COMP_PLANE (info, 2) ? 1 : 2;
  }
  /* Adds a fourth sample: alpha, or the byte that RGBx has in its place. */
  if (GST_VIDEO_INFO_IS_RGB (info) && layout->luma_pixel == 4) {
    guint at = 6;

    for (guint i = 0; i < 3; i++)
      at -= layout->luma_at >> 4 * i & 15;
    layout->luma_at |= at << 12;
    layout->luma_samples = 4;
  }
}

/* Returns: TRUE when any of the rows first to last of the matrix uses sample k of the
 * input */
static gboolean
matrix_uses (const MgpuColourMatrix * m, guint first, guint last, guint k)
{
  gboolean uses = FALSE;

  for (guint i = first; i <= last; i++)
    uses |= m->factor[i][k] != 0;
  return uses;
}

/* Sets luma_from and chroma_from: what the luma group and the chroma group of the output
 * are made from. Bit 0 stands for the luma group of the input, bit 1 for its chroma. */
static void
find_origins (MgpuConvert * self)
{
  const MgpuColourMatrix *m = &self->matrix;
  gboolean chroma = self->in_layout.chroma_planes > 0;
  guint last = GST_VIDEO_INFO_IS_RGB (&self->object.out) ? 2 : 0;

  self->luma_from = 1;
  self->chroma_from = chroma ? 2 : 0;
  if (m->identity)
    return;
  if (chroma && (matrix_uses (m, 0, last, 1) || matrix_uses (m, 0, last, 2)))
    self->luma_from |= 2;
  if (GST_VIDEO_INFO_IS_RGB (&self->object.in)
      || (chroma && matrix_uses (m, 1, 2, 0)))
    self->chroma_from |= 1;
}

static void
add_layout (GString * options, const gchar * prefix, const Layout * layout)
{
  g_string_append_printf (options, " -D%s_BYTES=%d -D%s_SHIFT=%d"
      " -D%s_LUMA_PIXEL=%d -D%s_LUMA_SAMPLES=%d -D%s_LUMA_AT=0x%x",
      prefix, layout->bytes, prefix, layout->shift, prefix, layout->luma_pixel,
      prefix, layout->luma_samples, prefix, layout->luma_at);
  if (layout->chroma_planes > 0)
    g_string_append_printf (options, " -D%s_CHROMA_PIXEL=%d"
        " -D%s_CHROMA_AT=0x%x", prefix, layout->chroma_pixel, prefix,
        layout->chroma_at);
  g_string_append_printf (options, " -D%s_CHROMA_PLANES=%d", prefix,
      layout->chroma_planes);
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuConvert *self = object;
  const MgpuColourMatrix *m = &self->matrix;

  if (set == SET_TURN) {
    mgpu_turn_define (&self->object.out, &self->turn, options);
    return;
  }
  if (self->shared) {
    g_string_append (options, " -DSHARED=1");
    return;
  }
  g_string_append_printf (options, " -DTRANSPOSED=%d -DBORDERS=%d -DMATRIX=%d"
      " -DLUMA_FROM=%d -DCHROMA_FROM=%d -DOUT_MAX=%d", self->transposed,
      self->borders, !m->identity, self->luma_from, self->chroma_from, m->max);
  if (!m->identity)
    g_string_append_printf (options, " -DMATRIX_BITS=%d -DMATRIX_WIDE=%d"
        " -DMATRIX_TO_RGB=%d", m->bits, m->wide,
        m->factor[0][0] == m->factor[1][0] && m->factor[0][0] == m->factor[2][0]
        && m->factor[0][1] == 0 && m->factor[2][2] == 0);
  if (self->area_wide)
    g_string_append (options, " -DAREA_WIDE=1");
  add_layout (options, "IN", &self->in_layout);
  add_layout (options, "OUT", &self->out_layout);
  for (guint i = 0; i < N_TABLES; i++)
    g_string_append_printf (options, " -DCOLUMNS%u=%d -DTAPS%u=%d"
        " -DROWS%u=%d -DFILTER%u=%d", i, self->columns[i], i, self->taps[i], i,
        self->rows[i], i, self->filter[i]);
}

/* Makes the kernel for the plan, unless it has been made before. */
static gboolean
renew (MgpuConvert * self, GError ** error)
{
  return mgpu_object_renew (self, self->turns ? SET_TURN : SET_CONVERT, error);
}

/* Returns: the part of r that lies inside of width x height; all of width x height when
 * there is none */
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
    /* Number of the axis of the input that becomes axis row of the output. */
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

/* Sets the members of axis that describe the source rectangle along an axis of the input:
 * its size pixels from begin on. */
static void
axis_set_source (MgpuAxis * axis, const GstVideoInfo * in, gboolean chroma,
    gboolean vertical, gint begin, gint size, gboolean flip)
{
  gint length = vertical ? GST_VIDEO_INFO_HEIGHT (in)
      : GST_VIDEO_INFO_WIDTH (in);
  gint end = begin + size, sub;

  sub = !chroma ? 1 : 1 << (vertical ? in->finfo->h_sub[1]
      : in->finfo->w_sub[1]);
  axis->in_size = size;
  axis->in_sub = sub;
  axis->begin = begin / sub;
  axis->n = (end + sub - 1) / sub - axis->begin;
  axis->flip = flip;
  if (!flip)
    axis->phase = begin % sub;
  else
    axis->phase = end == length ? 0 : (sub - end % sub) % sub;
}

static void
axis_init (MgpuAxis * axis, const MgpuConvert * self, const Geometry * g,
    MgpuConvertMethod method, gboolean vertical, gboolean out_chroma,
    gboolean in_chroma)
{
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  GstVideoChromaSite site = vertical ? GST_VIDEO_CHROMA_SITE_V_COSITED :
      GST_VIDEO_CHROMA_SITE_H_COSITED;
  gboolean rows = vertical != g->transposed;

  axis->method = method;
  axis->vertical = vertical;
  axis->out_size = vertical ? g->destination.height : g->destination.width;
  axis->out_sub = !out_chroma ? 1 : 1 << (vertical ? out->finfo->h_sub[1]
      : out->finfo->w_sub[1]);
  axis->out_cosited = (out->chroma_site & site) != 0;
  /* Takes the chroma site of the turned frame to be the one of the input. */
  axis->in_cosited = (in->chroma_site & site) != 0;
  axis_set_source (axis, in, in_chroma, rows,
      rows ? g->source.y : g->source.x,
      rows ? g->source.height : g->source.width,
      vertical ? g->flip_y : g->flip_x);
}

/* Returns: UNIT, REVERSE, GATHER, NEAR or NEAR2, which say how a row of output samples
 * finds its input pixels. The parameter near is the result of mgpu_taps_append_near(). */
static gint
classify_columns (const MgpuConvert * self, const MgpuTaps * x, gint near)
{
  gint direction = mgpu_taps_direction (x);
  gint lanes = self->object.knobs[LANES];

  if (self->transposed)
    return GATHER;
  if (direction != 0)
    return direction > 0 ? UNIT : REVERSE;
  /* GPUs, where vectors have 4 lanes, read from their caches faster than they shuffle. */
  if (lanes == 4 || near == 0)
    return GATHER;
  return near == lanes ? NEAR : NEAR2;
}

/* Sets magic and shift so that s / total, rounded down, is (s * magic) >> (32 + shift) for
 * all s up to largest.
 * Returns: FALSE when s or magic would need more than 32 bits */
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

/* Clears self->turns unless samples of this component only move, and notes in self->turn
 * where the part of the input that is seen begins. */
static void
note_turn (MgpuConvert * self, const MgpuTaps * x, const MgpuTaps * y,
    gboolean chroma)
{
  gint x_low = MIN (x->index[0], x->index[x->n - 1]);
  gint y_low = MIN (y->index[0], y->index[y->n - 1]);

  self->turns &= mgpu_taps_direction (x) != 0 && mgpu_taps_direction (y) != 0;
  self->turn.x[chroma] = self->transposed ? y_low : x_low;
  self->turn.y[chroma] = self->transposed ? x_low : y_low;
}

/* Appends a table to the plan. Its number is which, as in the macro COLUMNS<which> of the
 * kernel: 0 and 1 are for the luma group of the output, 2 and 3 for its chroma; even ones
 * read the luma group of the input, odd ones its chroma. */
static void
add_tables (MgpuConvert * self, const Geometry * g, MgpuConvertMethod method,
    guint which)
{
  gboolean out_chroma = which >= 2, in_chroma = which & 1;
  gint x_shift = out_chroma ? self->object.out.finfo->w_sub[1] : 0;
  gint y_shift = out_chroma ? self->object.out.finfo->h_sub[1] : 0;
  gint width = GST_VIDEO_SUB_SCALE (x_shift, GST_VIDEO_INFO_WIDTH (&self->object.out));
  gint height =
      GST_VIDEO_SUB_SCALE (y_shift, GST_VIDEO_INFO_HEIGHT (&self->object.out));
  gint begin = PLAN_TABLES + which * TABLE_SIZE, pitch, shift = 0, near;
  gint lanes = self->object.knobs[LANES];
  gint *table;
  guint magic = 0;
  MgpuAxis axis;
  MgpuTaps x, y;
  guint64 total;

  axis_init (&axis, self, g, method, FALSE, out_chroma, in_chroma);
  mgpu_taps_init (&x, &axis);
  axis_init (&axis, self, g, method, TRUE, out_chroma, in_chroma);
  mgpu_taps_init (&y, &axis);

  self->taps[which] = x.n_taps <= 2 ? x.n_taps : 0;
  self->rows[which] = y.n_taps <= 2 ? y.n_taps : 0;
  self->filter[which] = x.n_taps == 1 && y.n_taps == 1
      ? MGPU_CONVERT_NEAREST : method;
  total = (guint64) x.total * y.total;
  if (self->filter[which] == MGPU_CONVERT_AREA)
    self->area_wide |= !find_magic (total,
        total * self->in_layout.max + total / 2, &magic, &shift);

  /* Rounds the width up to whole vectors; the kernel does not store what is too much. */
  pitch = (width + lanes - 1) / lanes * lanes;
  table = &g_array_index (self->words, gint, begin);
  table[TABLE_X] = self->words->len;
  table[TABLE_WEIGHTS] = self->words->len + pitch;
  table[TABLE_PITCH] = pitch;
  table[TABLE_X_TAPS] = x.n_taps;
  table[TABLE_Y] = self->words->len + (1 + x.n_taps) * pitch;
  table[TABLE_Y_TAPS] = y.n_taps;
  table[TABLE_TOTAL] = (gint) (guint) total;
  table[TABLE_MAGIC] = (gint) magic;
  table[TABLE_SHIFT] = shift;
  table[TABLE_NEAR] = table[TABLE_Y] + 2 * y.n_taps * height;
  table[TABLE_FILTER] = self->filter[which];
  table[TABLE_BYTES] = self->in_layout.bytes;
  table[TABLE_UNUSED] = self->in_layout.shift;
  table[TABLE_TURNED] = self->transposed;
  mgpu_taps_append_columns (&x, self->words, g->destination.x >> x_shift,
      pitch);
  mgpu_taps_append_rows (&y, self->words, g->destination.y >> y_shift, height);
  near = mgpu_taps_append_near (&x, self->words, g->destination.x >> x_shift,
      pitch, lanes, in_chroma ? GST_VIDEO_INFO_COMP_WIDTH (&self->object.in, 1)
      : GST_VIDEO_INFO_WIDTH (&self->object.in));
  self->columns[which] = classify_columns (self, &x, near);
  note_turn (self, &x, &y, in_chroma);
  mgpu_taps_clear (&x);
  mgpu_taps_clear (&y);
}

/* Writes the knobs of the plan: numbers that the kernel of all small frames reads from the
 * plan, while other kernels get them as macros. */
static void
write_knobs (const MgpuConvert * self, gint * knobs)
{
  const Layout *in = &self->in_layout, *out = &self->out_layout;
  const gint values[] = {
    in->luma_pixel, in->luma_samples, in->luma_at,
    in->chroma_pixel, in->chroma_at, in->chroma_planes,
    out->luma_pixel, out->luma_samples, out->luma_at,
    out->chroma_pixel, out->chroma_at, out->chroma_planes,
    out->bytes, out->shift, self->matrix.max,
    !self->matrix.identity, self->matrix.bits,
    self->luma_from, self->chroma_from
  };

  memcpy (knobs, values, sizeof (values));
}

static void
make_plan (MgpuConvert * self, const MgpuConvertParams * params)
{
  const GstVideoInfo *out = &self->object.out;
  gboolean chroma = self->out_layout.chroma_planes > 0;
  gint *header;
  Geometry g;

  geometry_init (&g, &self->object.in, out, params);
  self->params = *params;
  self->transposed = g.transposed;
  self->area_wide = FALSE;
  self->borders = g.destination.width < GST_VIDEO_INFO_WIDTH (out)
      || g.destination.height < GST_VIDEO_INFO_HEIGHT (out)
      || (chroma && self->chroma_from == 0);
  self->turn.transposed = g.transposed;
  self->turn.flip_x = g.flip_x;
  self->turn.flip_y = g.flip_y;
  /* The kernel of turns needs wide vectors, which GPUs do not have. */
  self->turns = self->object.knobs[LANES] > 4 && !self->borders && self->matrix.identity
      && GST_VIDEO_INFO_FORMAT (&self->object.in) == GST_VIDEO_INFO_FORMAT (out)
      && mgpu_turn_is_supported (out);
  g_clear_pointer (&self->object.slots[PLAN], gst_memory_unref);

  g_array_set_size (self->words, 0);
  g_array_set_size (self->words, PLAN_HEADER);
  header = (gint *) self->words->data;
  for (guint i = 0; i < 3; i++) {
    memcpy (header + 4 * i, self->matrix.factor[i], 3 * sizeof (gint));
    header[4 * i + 3] = self->matrix.offset[i];
  }
  for (guint i = 0; i < 4; i++)
    header[PLAN_BORDER + i] = mgpu_colour_black (out, i);
  write_knobs (self, header + PLAN_KNOBS);
  for (gint group = 0; group < 1 + chroma; group++) {
    gint *inside = header + PLAN_INSIDE + 4 * group;
    gint x = group ? out->finfo->w_sub[1] : 0;
    gint y = group ? out->finfo->h_sub[1] : 0;

    /* Chroma that is not made from any input is all border. */
    if (group == 1 && self->chroma_from == 0)
      break;
    inside[0] = g.destination.x >> x;
    inside[1] = inside[0] + GST_VIDEO_SUB_SCALE (x, g.destination.width);
    inside[2] = g.destination.y >> y;
    inside[3] = inside[2] + GST_VIDEO_SUB_SCALE (y, g.destination.height);
  }
  for (guint i = 0; i < N_TABLES; i++) {
    self->columns[i] = UNIT;
    self->taps[i] = self->rows[i] = 1;
    self->filter[i] = MGPU_CONVERT_NEAREST;
    if (i < 2 ? self->luma_from & 1 << i :
        chroma && (self->chroma_from & 1 << (i - 2)))
      add_tables (self, &g, params->method, i);
  }
}

static gboolean
is_small (const GstVideoInfo * info)
{
  return (guint64) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info)
      <= SMALL;
}

static gboolean
init (gpointer object, gconstpointer data, GError ** error)
{
  MgpuConvert *self = object;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  const MgpuConvertParams *params = data;

  self->shared = !params->own_kernel && is_small (in) && is_small (out);
  if (self->shared)
    self->object.knobs[LANES] = 4;
  self->turn.bands = 4
      * gst_mgpu_context_get_traits (self->object.context)->compute_units;
  layout_init (&self->in_layout, in);
  layout_init (&self->out_layout, out);
  if (!GST_VIDEO_INFO_HAS_ALPHA (in) || !GST_VIDEO_INFO_HAS_ALPHA (out))
    self->in_layout.luma_samples = MIN (self->in_layout.luma_samples, 3);
  mgpu_colour_matrix (in, out, &self->matrix);
  find_origins (self);
  self->words = g_array_new (FALSE, TRUE, sizeof (gint));
  make_plan (self, params);
  self->is_ready = renew (self, error);
  return self->is_ready;
}

static gboolean
same_params (const MgpuConvertParams * a, const MgpuConvertParams * b)
{
  return a->method == b->method && a->orientation == b->orientation
      && memcmp (&a->source, &b->source, sizeof (a->source)) == 0
      && memcmp (&a->destination, &b->destination,
      sizeof (a->destination)) == 0;
}

/* Returns: TRUE when rows of out begin at addresses where whole words can be stored */
static gboolean
is_aligned (const MgpuConvert * self, const MgpuImage * out)
{
  const Layout *l = &self->out_layout;
  gint pixels[2] = { l->luma_pixel, l->chroma_pixel };
  gboolean aligned = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&out->info); i++) {
    gint unit = pixels[MIN (i, 1)] > 2 ? 4 : pixels[MIN (i, 1)];

    aligned &= (out->info.offset[i] | out->info.stride[i]) % unit == 0;
  }
  return aligned;
}

static void
enqueue_frame (MgpuConvert * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  const GstVideoInfo *from = &in->info, *to = &out->info;
  gint in_planes = self->in_layout.chroma_planes;
  gint out_planes = self->out_layout.chroma_planes;
  /* Planes of U and V. The kernel ignores them in frames without chroma, and it ignores V
   * where both share a plane. */
  guint in_u = in_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (from, 1) : 0;
  guint in_v = in_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (from, 2) : 0;
  guint out_u = out_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (to, 1) : 0;
  guint out_v = out_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (to, 2) : 0;
  gint width = GST_VIDEO_INFO_WIDTH (to), height = GST_VIDEO_INFO_HEIGHT (to);
  const gint *knobs = self->object.knobs;
  gint vectors = (width + knobs[LANES] - 1) / knobs[LANES];
  gint rows = knobs[self->transposed ? TURNED_BAND : BAND];
  gint columns = knobs[WHOLE_ROWS] && !self->transposed ? vectors : 1;
  cl_kernel kernel = self->object.kernels[CONVERT];
  gsize group[2];
  cl_mem plan = mgpu_slot_read_words (self, PLAN, job, self->words);

  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y], group);
  gst_mgpu_job_set_args (job, kernel, "miiiiiimiiiiiimiiiiii",
      gst_mgpu_job_read (job, in->memory),
      (gint) from->offset[0], from->stride[0],
      (gint) from->offset[in_u], from->stride[in_u],
      (gint) from->offset[in_v], from->stride[in_v],
      gst_mgpu_job_write (job, out->memory),
      (gint) to->offset[0], to->stride[0],
      (gint) to->offset[out_u], to->stride[out_u],
      (gint) to->offset[out_v], to->stride[out_v],
      plan, width, height,
      out_planes > 0 ? GST_VIDEO_INFO_COMP_WIDTH (to, 1) : 0,
      out_planes > 0 ? GST_VIDEO_INFO_COMP_HEIGHT (to, 1) : 0, rows,
      is_aligned (self, out));
  mgpu_launch_planes (job, kernel, out_planes > 0 ? 2 : 1, vectors, height,
      columns, rows, group);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuConvert *self = object;
  GError *error = NULL;

  if (!same_params (work->params, &self->params)) {
    make_plan (self, work->params);
    self->is_ready = FALSE;
  }
  if (!self->is_ready)
    self->is_ready = renew (self, &error);
  if (!self->is_ready)
    gst_mgpu_job_fail (job, error);
  else if (self->turns)
    mgpu_turn_enqueue (&self->turn, self->object.kernels[TURN], job, work->in,
        work->out);
  else
    enqueue_frame (self, job, work->in, work->out);
}

static void
clear (gpointer object)
{
  g_clear_pointer (&((MgpuConvert *) object)->words, g_array_unref);
}

const MgpuAlgorithm mgpu_convert = {
  .size = sizeof (MgpuConvert),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .clear = clear
};

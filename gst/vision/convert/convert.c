/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "convert.h"

#include <string.h>

#include <gst/vision/colour/colour.h>
#include <gst/vision/base/kernels.h>
#include <gst/vision/base/map.h>
#include "taps.h"
#include <gst/vision/turn/turn.h>

/* As in kernels/convert/convert.cl and kernels/convert/knobs.h */
#define PLAN_BORDER 12
#define PLAN_INSIDE 16
#define PLAN_KNOBS 24
#define PLAN_TABLES 44
#define TABLE_SIZE 14
#define N_TABLES 4
#define PLAN_HEADER (PLAN_TABLES + N_TABLES * TABLE_SIZE)

/* Frames of so few pixels share one kernel: to build another takes as long as
 * to convert thousands of them. */
#define SMALL (64 * 64)

enum
{
  TABLE_X, TABLE_WEIGHTS, TABLE_PITCH, TABLE_X_TAPS, TABLE_Y, TABLE_Y_TAPS,
  TABLE_TOTAL, TABLE_MAGIC, TABLE_SHIFT, TABLE_NEAR, TABLE_FILTER, TABLE_BYTES,
  TABLE_UNUSED, TABLE_TURNED
};

typedef enum
{
  COLUMNS_UNIT, COLUMNS_REVERSE, COLUMNS_GATHER, COLUMNS_NEAR, COLUMNS_NEAR2
} Columns;

/* How samples lie in a frame: those of luma, or R, G, B and A, together, and
 * those of chroma. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* 0: no chroma */
  guint chroma_at;
} Layout;

/* What of MgpuConvertParams decides on the tables. */
typedef struct
{
  gint transposed, flip_x, flip_y;
  MgpuRectangle source, destination;
} Geometry;

struct _MgpuConvert
{
  GstMgpuContext *context;
  GstVideoInfo in, out;
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;
  gboolean shared;              /* the kernel for small frames */
  gboolean wide;                /* the device has wide vectors */
  gint lanes;

  /* What the last frame needed. */
  MgpuConvertParams params;
  gboolean transposed, borders, area_wide;
  Columns columns[N_TABLES];
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* samples only move, as turn says */
  MgpuTurn turn;
  GArray *words;                /* the plan */
  GstMemory *plan;              /* the same on the device, or NULL */

  cl_kernel kernel;             /* of kernels, or NULL */
  GHashTable *kernels;          /* by their options */
};

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
  /* Alpha, or the byte that RGBx has in its place. */
  if (GST_VIDEO_INFO_IS_RGB (info) && layout->luma_pixel == 4) {
    guint at = 6;

    for (guint i = 0; i < 3; i++)
      at -= layout->luma_at >> 4 * i & 15;
    layout->luma_at |= at << 12;
    layout->luma_samples = 4;
  }
}

/* TRUE when the rows [first, last] of the matrix use sample k of the input. */
static gboolean
matrix_uses (const MgpuColourMatrix * m, guint first, guint last, guint k)
{
  gboolean uses = FALSE;

  for (guint i = first; i <= last; i++)
    uses |= m->factor[i][k] != 0;
  return uses;
}

/* Bit 0: from luma, bit 1: from chroma. */
static void
find_origins (MgpuConvert * self)
{
  const MgpuColourMatrix *m = &self->matrix;
  gboolean chroma = self->in_layout.chroma_planes > 0;
  guint last = GST_VIDEO_INFO_IS_RGB (&self->out) ? 2 : 0;

  self->luma_from = 1;
  self->chroma_from = chroma ? 2 : 0;
  if (m->identity)
    return;
  if (chroma && (matrix_uses (m, 0, last, 1) || matrix_uses (m, 0, last, 2)))
    self->luma_from |= 2;
  if (GST_VIDEO_INFO_IS_RGB (&self->in)
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

static GString *
make_options (MgpuConvert * self)
{
  const MgpuColourMatrix *m = &self->matrix;
  GString *options = g_string_new (self->shared ? "-DSHARED=1" : NULL);

  if (self->shared)
    return options;
  g_string_append_printf (options, "-DLANES=%d -DTRANSPOSED=%d -DBORDERS=%d"
      " -DMATRIX=%d -DLUMA_FROM=%d -DCHROMA_FROM=%d -DOUT_MAX=%d",
      self->lanes, self->transposed, self->borders, !self->matrix.identity,
      self->luma_from, self->chroma_from, m->max);
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
  return options;
}

/* Returns NULL after an error. */
static cl_kernel
build_kernel (MgpuConvert * self, const gchar * options, GError ** error)
{
  GstMgpuProgram *program;
  cl_kernel kernel = NULL;

  if (self->turns)
    return mgpu_turn_build (self->context, &self->out, &self->turn, error);
  program = mgpu_kernels_build (self->context, "convert/convert", options, error);
  if (program != NULL) {
    kernel = gst_mgpu_program_create_kernel (program, "convert_frame", error);
    gst_object_unref (program);
  }
  return kernel;
}

/* Sets the kernel, and builds it unless it was built before. FALSE after an
 * error. */
static gboolean
find_kernel (MgpuConvert * self, GError ** error)
{
  GString *options;
  gboolean is_new;
  cl_kernel kernel;

  if (self->kernel != NULL)
    return TRUE;
  options = make_options (self);
  if (self->turns)
    g_string_printf (options, "turn %d %d %d", self->turn.transposed,
        self->turn.flip_x, self->turn.flip_y);
  kernel = g_hash_table_lookup (self->kernels, options->str);
  is_new = kernel == NULL;
  if (is_new)
    kernel = build_kernel (self, options->str, error);
  if (is_new && kernel != NULL)
    g_hash_table_insert (self->kernels, g_strdup (options->str), kernel);
  g_string_free (options, TRUE);
  self->kernel = kernel;
  return kernel != NULL;
}

/* What of r is inside; all where that is nothing. */
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
    /* Which axis of the input becomes this one. */
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

/* The source rectangle along an axis of the input. */
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
  const GstVideoInfo *in = &self->in, *out = &self->out;
  GstVideoChromaSite site = vertical ? GST_VIDEO_CHROMA_SITE_V_COSITED :
      GST_VIDEO_CHROMA_SITE_H_COSITED;
  gboolean rows = vertical != g->transposed;

  axis->method = method;
  axis->vertical = vertical;
  axis->out_size = vertical ? g->destination.height : g->destination.width;
  axis->out_sub = !out_chroma ? 1 : 1 << (vertical ? out->finfo->h_sub[1]
      : out->finfo->w_sub[1]);
  axis->out_cosited = (out->chroma_site & site) != 0;
  /* A turned frame has chroma where it had it, seen as it is then. */
  axis->in_cosited = (in->chroma_site & site) != 0;
  axis_set_source (axis, in, in_chroma, rows,
      rows ? g->source.y : g->source.x,
      rows ? g->source.height : g->source.width,
      vertical ? g->flip_y : g->flip_x);
}

/* near: see mgpu_taps_append_near() */
static Columns
classify_columns (const MgpuConvert * self, const MgpuTaps * x, gint near)
{
  gint direction = mgpu_taps_direction (x);

  if (self->transposed)
    return COLUMNS_GATHER;
  if (direction != 0)
    return direction > 0 ? COLUMNS_UNIT : COLUMNS_REVERSE;
  /* A GPU reads from its cache faster than it shuffles. */
  if (self->lanes == 4 || near == 0)
    return COLUMNS_GATHER;
  return near == self->lanes ? COLUMNS_NEAR : COLUMNS_NEAR2;
}

/* Finds magic and shift, so that s / total is (s * magic) >> (32 + shift) for
 * all s up to largest. FALSE when 32 bit are too few. */
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

/* Sees whether a component only moves. */
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

/* which: as COLUMNS<which> in the kernel */
static void
add_tables (MgpuConvert * self, const Geometry * g, MgpuConvertMethod method,
    guint which)
{
  gboolean out_chroma = which >= 2, in_chroma = which & 1;
  gint x_shift = out_chroma ? self->out.finfo->w_sub[1] : 0;
  gint y_shift = out_chroma ? self->out.finfo->h_sub[1] : 0;
  gint width = GST_VIDEO_SUB_SCALE (x_shift, GST_VIDEO_INFO_WIDTH (&self->out));
  gint height =
      GST_VIDEO_SUB_SCALE (y_shift, GST_VIDEO_INFO_HEIGHT (&self->out));
  gint begin = PLAN_TABLES + which * TABLE_SIZE, pitch, shift = 0, near;
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

  /* Whole vectors: the last columns have company that is not stored. */
  pitch = (width + self->lanes - 1) / self->lanes * self->lanes;
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
      pitch, self->lanes, in_chroma ? GST_VIDEO_INFO_COMP_WIDTH (&self->in, 1)
      : GST_VIDEO_INFO_WIDTH (&self->in));
  self->columns[which] = classify_columns (self, &x, near);
  note_turn (self, &x, &y, in_chroma);
  mgpu_taps_clear (&x);
  mgpu_taps_clear (&y);
}

/* What the shared kernel has in the place of options. */
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
  const GstVideoInfo *out = &self->out;
  gboolean chroma = self->out_layout.chroma_planes > 0;
  gint *header;
  Geometry g;

  geometry_init (&g, &self->in, out, params);
  self->params = *params;
  self->transposed = g.transposed;
  self->area_wide = FALSE;
  self->kernel = NULL;
  self->borders = g.destination.width < GST_VIDEO_INFO_WIDTH (out)
      || g.destination.height < GST_VIDEO_INFO_HEIGHT (out)
      || (chroma && self->chroma_from == 0);
  self->turn.transposed = g.transposed;
  self->turn.flip_x = g.flip_x;
  self->turn.flip_y = g.flip_y;
  /* A GPU has cached gathers instead of wide vectors. */
  self->turns = self->lanes > 4 && !self->borders && self->matrix.identity
      && GST_VIDEO_INFO_FORMAT (&self->in) == GST_VIDEO_INFO_FORMAT (out)
      && mgpu_turn_is_supported (out);
  g_clear_pointer (&self->plan, gst_memory_unref);

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

    /* Chroma that comes from nowhere is all border. */
    if (group == 1 && self->chroma_from == 0)
      break;
    inside[0] = g.destination.x >> x;
    inside[1] = inside[0] + GST_VIDEO_SUB_SCALE (x, g.destination.width);
    inside[2] = g.destination.y >> y;
    inside[3] = inside[2] + GST_VIDEO_SUB_SCALE (y, g.destination.height);
  }
  for (guint i = 0; i < N_TABLES; i++) {
    self->columns[i] = COLUMNS_UNIT;
    self->taps[i] = self->rows[i] = 1;
    self->filter[i] = MGPU_CONVERT_NEAREST;
    if (i < 2 ? self->luma_from & 1 << i :
        chroma && (self->chroma_from & 1 << (i - 2)))
      add_tables (self, &g, params->method, i);
  }
}

static void
release_kernel (gpointer kernel)
{
  clReleaseKernel (kernel);
}

static gboolean
is_small (const GstVideoInfo * info)
{
  return (guint64) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info)
      <= SMALL;
}

MgpuConvert *
mgpu_convert_new (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, const MgpuConvertParams * params, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  MgpuConvert *self;

  self = g_new0 (MgpuConvert, 1);
  self->context = gst_object_ref (context);
  self->in = *in;
  self->out = *out;
  self->shared = !params->own_kernel && is_small (in) && is_small (out);
  self->wide = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  self->lanes = self->wide && !self->shared ? 16 : 4;
  self->turn.bands = 4 * traits->compute_units;
  layout_init (&self->in_layout, in);
  layout_init (&self->out_layout, out);
  if (!GST_VIDEO_INFO_HAS_ALPHA (in) || !GST_VIDEO_INFO_HAS_ALPHA (out))
    self->in_layout.luma_samples = MIN (self->in_layout.luma_samples, 3);
  mgpu_colour_matrix (in, out, &self->matrix);
  find_origins (self);
  self->words = g_array_new (FALSE, TRUE, sizeof (gint));
  self->kernels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      release_kernel);
  make_plan (self, params);
  if (!find_kernel (self, error))
    g_clear_pointer (&self, mgpu_convert_free);
  return self;
}

static gboolean
same_params (const MgpuConvertParams * a, const MgpuConvertParams * b)
{
  return a->method == b->method && a->orientation == b->orientation
      && memcmp (&a->source, &b->source, sizeof (a->source)) == 0
      && memcmp (&a->destination, &b->destination,
      sizeof (a->destination)) == 0;
}

/* TRUE when pixels begin where words of their size can be stored. */
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
  /* Without chroma, or with U and V in one plane, those are not looked at. */
  guint in_u = in_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (from, 1) : 0;
  guint in_v = in_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (from, 2) : 0;
  guint out_u = out_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (to, 1) : 0;
  guint out_v = out_planes > 0 ? GST_VIDEO_INFO_COMP_PLANE (to, 2) : 0;
  gint width = GST_VIDEO_INFO_WIDTH (to), height = GST_VIDEO_INFO_HEIGHT (to);
  gsize vectors = (width + self->lanes - 1) / self->lanes;
  /* On a CPU whole rows; transposed, columns that share cache lines. */
  gint rows = !self->wide ? 1 : self->transposed ? 64 : 4;
  gsize global[3] = { 1, (height + rows - 1) / rows, out_planes > 0 ? 2 : 1 };
  gsize local[3] = { 1, 1, 1 };

  if (self->plan == NULL)
    self->plan = mgpu_upload (job, self->words->data,
        self->words->len * sizeof (gint));
  if (self->plan == NULL)
    return;
  if (!self->wide) {
    local[0] = 32;
    local[1] = 4;
    global[0] = (vectors + 31) / 32 * 32;
    global[1] = (global[1] + 3) / 4 * 4;
  } else if (self->transposed) {
    global[0] = vectors;
  }
  gst_mgpu_job_set_args (job, self->kernel, "miiiiiimiiiiiimiiiiii",
      gst_mgpu_job_read (job, in->memory),
      (gint) from->offset[0], from->stride[0],
      (gint) from->offset[in_u], from->stride[in_u],
      (gint) from->offset[in_v], from->stride[in_v],
      gst_mgpu_job_write (job, out->memory),
      (gint) to->offset[0], to->stride[0],
      (gint) to->offset[out_u], to->stride[out_u],
      (gint) to->offset[out_v], to->stride[out_v],
      gst_mgpu_job_read (job, (GstMgpuMemory *) self->plan), width, height,
      out_planes > 0 ? GST_VIDEO_INFO_COMP_WIDTH (to, 1) : 0,
      out_planes > 0 ? GST_VIDEO_INFO_COMP_HEIGHT (to, 1) : 0, rows,
      is_aligned (self, out));
  gst_mgpu_job_launch (job, self->kernel, 3, global, local);
}

void
mgpu_convert_enqueue (MgpuConvert * self, GstMgpuJob * job,
    const MgpuConvertParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  GError *error = NULL;

  if (!same_params (params, &self->params))
    make_plan (self, params);
  if (!find_kernel (self, &error))
    gst_mgpu_job_fail (job, error);
  else if (self->turns)
    mgpu_turn_enqueue (&self->turn, self->kernel, job, in, out);
  else
    enqueue_frame (self, job, in, out);
}

void
mgpu_convert_free (MgpuConvert * self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->plan, gst_memory_unref);
  g_array_unref (self->words);
  g_hash_table_unref (self->kernels);
  gst_object_unref (self->context);
  g_free (self);
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts frames: format, size, orientation, crop and borders in one launch. */
#include <string.h>

#include "convert-private.h"

/* Maximum number of pixels of a small frame. All small frames share one OpenCL program, because
 * building another program takes as long as converting thousands of small frames. */
#define SMALL (64 * 64)

static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "4 16", "number of pixels in a vector"},
  {"BAND", {4, 1, 1}, "1 2 4 8 16", "number of rows that a work-item computes"},
  {"TURNED_BAND", {64, 1, 1}, "1 16 32 64 128",
      "number of rows that a work-item computes in a transposing conversion"},
  {"GROUP_X", {1, 32, 32}, NULL, "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 4, 4}, NULL, "height of a work-group, in work-items"},
  {"WHOLE_ROWS", {1, 0, 0}, NULL,
      "whether a work-item processes whole rows, and loads pixels by "
      "shuffling vectors"},
  {NULL}
};

/* Indices into the array @kernels of the OpenCL kernels of the converter. Each kernel is
 * compiled separately, when the parameters need it. */
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

/* Converts the alpha of frames, which is either in a separate plane or a part of the pixels. */
static const MgpuAlgorithm convert_alpha;

/* Returns: whether each pixel has all samples: RGB, and packed YUV without subsampling */
static gboolean
has_whole_pixels (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_IS_RGB (info) || (GST_VIDEO_INFO_IS_YUV (info)
      && GST_VIDEO_INFO_N_PLANES (info) == 1 && info->finfo->w_sub[1] == 0);
}

static void
layout_init (Layout * layout, const GstVideoInfo * info)
{
  gboolean is_whole = has_whole_pixels (info);
  guint chroma_at = 0;
  MgpuComponent c[3];

  *layout = (Layout) {
  .luma_planes = 1,.chroma_pixel = 2,.chroma_at = 0x10};
  for (guint i = 0; i < MIN (3, GST_VIDEO_INFO_N_COMPONENTS (info)); i++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (info, i), at;

    c[i] = mgpu_get_component (info, i);
    at = c[i].position;
    if (i == 0 || is_whole)
      layout->luma_at |= at << 4 * layout->luma_samples++;
    else if (plane == GST_VIDEO_INFO_COMP_PLANE (info, 1))
      chroma_at |= at << 4 * (i - 1);
  }
  layout->bytes = c[0].bytes;
  layout->shift = c[0].shift;
  layout->max = c[0].max;
  layout->luma_pixel = c[0].pixel_stride;
  if (is_whole && GST_VIDEO_INFO_N_PLANES (info) == 3) {
    layout->luma_planes = 3;
    layout->luma_samples = 1;
    layout->luma_at = 0;
  } else if (!is_whole && GST_VIDEO_INFO_IS_YUV (info)) {
    layout->chroma_pixel = c[1].pixel_stride;
    layout->chroma_at = chroma_at;
    layout->chroma_planes = GST_VIDEO_INFO_COMP_PLANE (info, 1)
        == GST_VIDEO_INFO_COMP_PLANE (info, 2) ? 1 : 2;
  } else if (is_whole && layout->luma_pixel == 4) {
    /* Adds a fourth sample: alpha, or the unused byte of formats such as RGBx. */
    guint at = 6;

    for (guint i = 0; i < 3; i++)
      at -= layout->luma_at >> 4 * i & 15;
    layout->luma_at |= at << 12;
    layout->luma_samples = 4;
  }
}

/* Returns: whether alpha has a separate plane, as in A420 */
static gboolean
has_alpha_plane (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_HAS_ALPHA (info) && GST_VIDEO_INFO_N_PLANES (info) == 4;
}

/* Describes the alpha of a frame as its luma group; a frame without alpha has none. */
static void
layout_init_alpha (Layout * layout, const GstVideoInfo * info)
{
  *layout = (Layout) {
  .bytes = 1,.max = 255,.luma_pixel = 1,.luma_samples = 1,.luma_planes =
        1,.chroma_pixel = 2,.chroma_at = 0x10};
  if (GST_VIDEO_INFO_HAS_ALPHA (info)) {
    MgpuComponent c = mgpu_get_component (info, GST_VIDEO_COMP_A);

    layout->luma_pixel = c.pixel_stride;
    layout->luma_at = c.position;
  }
}

/* Returns: TRUE if sample @k of the input has a factor other than 0 in any of the rows @first
 * to @last of the color matrix */
static gboolean
matrix_uses (const MgpuColourMatrix * m, guint first, guint last, guint k)
{
  gboolean uses = FALSE;

  for (guint i = first; i <= last; i++)
    uses |= m->factor[i][k] != 0;
  return uses;
}

/* Sets the members @luma_from and @chroma_from of @self: the groups of input samples from which
 * the luma group (luma, or R, G and B) and the chroma group of the output are computed. In both
 * members, bit 0 is set for the luma group of the input, bit 1 for its chroma group. */
static void
find_origins (MgpuConvert * self)
{
  const MgpuColourMatrix *m = &self->matrix;
  gboolean from_chroma = self->in_layout.chroma_planes > 0;
  gboolean to_chroma = self->out_layout.chroma_planes > 0;
  gboolean from_whole = has_whole_pixels (&self->object.in);
  gboolean to_whole = has_whole_pixels (&self->object.out);
  guint last = to_whole ? 2 : 0;

  self->luma_from = 1;
  self->chroma_from = from_chroma && to_chroma ? 2 : 0;
  if (m->identity) {
    self->luma_from |= from_chroma && to_whole ? 2 : 0;
    self->chroma_from |= from_whole && to_chroma ? 1 : 0;
    return;
  }
  if (from_chroma
      && (matrix_uses (m, 0, last, 1) || matrix_uses (m, 0, last, 2)))
    self->luma_from |= 2;
  if (to_chroma && (from_whole || (from_chroma && matrix_uses (m, 1, 2, 0))))
    self->chroma_from |= 1;
}

/* Names of the macros that describe the pixel formats of input and output to kernels. Element i
 * is the name for @format_knobs[i]. The order must be the same as at PLAN_KNOBS in
 * kernels/convert/knobs.h. */
static const gchar *const format_names[N_FORMAT_KNOBS] = {
  "IN_LUMA_PIXEL", "IN_LUMA_SAMPLES", "IN_LUMA_AT",
  "IN_CHROMA_PIXEL", "IN_CHROMA_AT", "IN_CHROMA_PLANES",
  "OUT_LUMA_PIXEL", "OUT_LUMA_SAMPLES", "OUT_LUMA_AT",
  "OUT_CHROMA_PIXEL", "OUT_CHROMA_AT", "OUT_CHROMA_PLANES",
  "OUT_BYTES", "OUT_SHIFT", "OUT_MAX",
  "MATRIX", "MATRIX_BITS", "LUMA_FROM", "CHROMA_FROM",
  "IN_LUMA_PLANES", "OUT_LUMA_PLANES"
};

static void
set_format_knobs (MgpuConvert * self)
{
  const Layout *in = &self->in_layout, *out = &self->out_layout;
  const gint values[N_FORMAT_KNOBS] = {
    in->luma_pixel, in->luma_samples, in->luma_at,
    in->chroma_pixel, in->chroma_at, in->chroma_planes,
    out->luma_pixel, out->luma_samples, out->luma_at,
    out->chroma_pixel, out->chroma_at, out->chroma_planes,
    out->bytes, out->shift, self->matrix.max,
    !self->matrix.identity, self->matrix.bits,
    self->luma_from, self->chroma_from,
    in->luma_planes, out->luma_planes
  };

  memcpy (self->format_knobs, values, sizeof (values));
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
  g_string_append_printf (options, " -DTRANSPOSED=%d -DBORDERS=%d"
      " -DMATRIX_WIDE=%d -DMATRIX_TO_RGB=%d -DIN_BYTES=%d -DIN_SHIFT=%d"
      " -DIN_MAX=%d",
      self->turn.transposed, self->borders, m->wide,
      m->factor[0][0] == m->factor[1][0] && m->factor[0][0] == m->factor[2][0]
      && m->factor[0][1] == 0 && m->factor[2][2] == 0, self->in_layout.bytes,
      self->in_layout.shift, self->in_layout.max);
  if (self->area_wide)
    g_string_append (options, " -DAREA_WIDE=1");
  for (guint i = 0; i < N_FORMAT_KNOBS; i++)
    g_string_append_printf (options, " -D%s=%d", format_names[i],
        self->format_knobs[i]);
  for (guint i = 0; i < N_TABLES; i++)
    g_string_append_printf (options, " -DCOLUMNS%u=%d -DTAPS%u=%d"
        " -DROWS%u=%d -DFILTER%u=%d", i, self->columns[i], i, self->taps[i], i,
        self->rows[i], i, self->filter[i]);
}

/* Builds the kernel that frames with the current parameters need, unless it was
 * built before. */
static gboolean
renew (MgpuConvert * self, GError ** error)
{
  return mgpu_object_renew (self, self->turns ? SET_TURN : SET_CONVERT, error);
}

static gboolean
is_small (const GstVideoInfo * info)
{
  return (guint64) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info)
      <= SMALL;
}

/* Replaces packed formats by their plain formats, and makes the objects that unpack and pack frames.
 * Returns: FALSE with the error set */
static gboolean
unpack_formats (MgpuConvert * self, GError ** error)
{
  GstVideoInfo packed = self->object.in;

  if (mgpu_pack_get_plain (&packed, &self->object.in)) {
    self->unpack = mgpu_object_new (&mgpu_pack, self->object.context, &packed,
        NULL, &self->object.in, NULL, error);
    if (self->unpack == NULL)
      return FALSE;
  }
  packed = self->object.out;
  if (mgpu_pack_get_plain (&packed, &self->object.out)) {
    self->pack = mgpu_object_new (&mgpu_pack, self->object.context,
        &self->object.out, NULL, &packed, NULL, error);
    return self->pack != NULL;
  }
  return TRUE;
}

/* Makes the plan, and builds the kernel that the plan needs. Call this function when formats,
 * layouts and the color matrix are known. Returns: FALSE with the error set */
static gboolean
finish_init (MgpuConvert * self, const MgpuConvertParams * params,
    GError ** error)
{
  self->shared = !params->own_kernel && is_small (&self->object.in)
      && is_small (&self->object.out);
  if (self->shared)
    self->object.knobs[LANES] = 4;
  set_format_knobs (self);
  self->words = mgpu_words_new ();
  mgpu_convert_make_plan (self, params);
  self->is_ready = renew (self, error);
  return self->is_ready;
}

static gboolean
init_alpha (gpointer object, gconstpointer data, GError ** error)
{
  MgpuConvert *self = object;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;

  self->is_alpha = TRUE;
  layout_init_alpha (&self->in_layout, in);
  layout_init_alpha (&self->out_layout, out);
  /* Sets the matrix to the identity: alpha is scaled, but its values are not converted. */
  mgpu_colour_matrix (out, out, &self->matrix);
  self->luma_from = GST_VIDEO_INFO_HAS_ALPHA (in) ? 1 : 0;
  return finish_init (self, data, error);
}

/* Makes the object that converts alpha, unless alpha is in the pixels of input and output, or the
 * output has none. Returns: FALSE with the error set */
static gboolean
make_alpha (MgpuConvert * self, const MgpuConvertParams * params,
    GError ** error)
{
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;

  if (!has_alpha_plane (out)
      && !(has_alpha_plane (in) && GST_VIDEO_INFO_HAS_ALPHA (out)))
    return TRUE;
  self->alpha = mgpu_object_new (&convert_alpha, self->object.context, in,
      NULL, out, params, error);
  return self->alpha != NULL;
}

static gboolean
init (gpointer object, gconstpointer data, GError ** error)
{
  MgpuConvert *self = object;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;

  if (!unpack_formats (self, error) || !make_alpha (self, data, error))
    return FALSE;
  self->turn.bands = 4 * self->object.traits->compute_units;
  layout_init (&self->in_layout, in);
  layout_init (&self->out_layout, out);
  if (!GST_VIDEO_INFO_HAS_ALPHA (in) || !GST_VIDEO_INFO_HAS_ALPHA (out)
      || has_alpha_plane (out))
    self->in_layout.luma_samples = MIN (self->in_layout.luma_samples, 3);
  mgpu_colour_matrix (in, out, &self->matrix);
  /* Applies the matrix even if it does not change luma, because it gives the chroma of gray
   * pixels. */
  if (GST_VIDEO_INFO_IS_GRAY (in) && has_whole_pixels (out))
    self->matrix.identity = FALSE;
  find_origins (self);
  return finish_init (self, data, error);
}

static gboolean
same_params (const MgpuConvertParams * a, const MgpuConvertParams * b)
{
  return a->method == b->method && a->orientation == b->orientation
      && memcmp (&a->source, &b->source, sizeof (a->source)) == 0
      && memcmp (&a->destination, &b->destination,
      sizeof (a->destination)) == 0;
}

/* Returns: TRUE if all rows of the output frame begin at addresses at which kernels can store
 * whole words */
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

/* Sets @planes to the planes of Y, U and V, or of R, G and B; to the plane of alpha if @is_alpha.
 * The kernel ignores the elements of samples that share a plane with others, or that the format
 * does not have. */
static void
find_planes (const GstVideoInfo * info, gboolean is_alpha, guint planes[3])
{
  for (guint i = 0; i < 3; i++) {
    guint component = is_alpha ? GST_VIDEO_COMP_A : i;

    planes[i] = component < GST_VIDEO_INFO_N_COMPONENTS (info)
        ? GST_VIDEO_INFO_COMP_PLANE (info, component) : 0;
  }
}

static void
enqueue_frame (MgpuConvert * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  const GstVideoInfo *from = &in->info, *to = &out->info;
  gboolean out_chroma = self->out_layout.chroma_planes > 0;
  guint in_planes[3], out_planes[3];
  gint width = GST_VIDEO_INFO_WIDTH (to), height = GST_VIDEO_INFO_HEIGHT (to);
  const gint *knobs = self->object.knobs;
  gint vectors = (width + knobs[LANES] - 1) / knobs[LANES];
  gint rows = knobs[self->turn.transposed ? TURNED_BAND : BAND];
  gint columns = knobs[WHOLE_ROWS] && !self->turn.transposed ? vectors : 1;
  cl_kernel kernel = self->object.kernels[CONVERT];
  gsize group[2];
  cl_mem plan = mgpu_slot_read_words (self, PLAN, job, self->words);

  find_planes (from, self->is_alpha, in_planes);
  find_planes (to, self->is_alpha, out_planes);
  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y], group);
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iiii" MGPU_PLANE "iiii"
      "miiiiii", MGPU_READ_PLANE (job, in, in_planes[0]),
      MGPU_AT_PLANE (in, in_planes[1]), MGPU_AT_PLANE (in, in_planes[2]),
      MGPU_WRITE_PLANE (job, out, out_planes[0]),
      MGPU_AT_PLANE (out, out_planes[1]), MGPU_AT_PLANE (out, out_planes[2]),
      plan, width, height, out_chroma ? GST_VIDEO_INFO_COMP_WIDTH (to, 1) : 0,
      out_chroma ? GST_VIDEO_INFO_COMP_HEIGHT (to, 1) : 0, rows,
      is_aligned (self, out));
  mgpu_launch_planes (job, kernel, out_chroma ? 2 : 1, vectors, height, columns,
      rows, group);
}

/* Enqueues the conversion of a frame; neither of the formats is packed. */
static void
enqueue_plain (MgpuConvert * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  if (self->turns)
    mgpu_turn_enqueue (&self->turn, self->object.kernels[TURN], job, in, out);
  else
    enqueue_frame (self, job, in, out);
  if (self->alpha != NULL)
    convert_alpha.enqueue (self->alpha, job, &(MgpuWork) {
        &self->params, in, NULL, out}
  );
}

/* Unpacks the input frame and packs the output frame where their formats are packed. */
static void
enqueue_packed (MgpuConvert * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuImage plain_in = *in, plain_out = *out;

  if ((self->unpack != NULL && !mgpu_slot_image (self, PLAIN_IN, job,
              &self->object.in, &plain_in))
      || (self->pack != NULL && !mgpu_slot_image (self, PLAIN_OUT, job,
              &self->object.out, &plain_out)))
    return;
  if (self->unpack != NULL)
    mgpu_pack.enqueue (self->unpack, job, &(MgpuWork) {
        NULL, in, NULL, &plain_in}
  );
  enqueue_plain (self, job, &plain_in, &plain_out);
  if (self->pack != NULL)
    mgpu_pack.enqueue (self->pack, job, &(MgpuWork) {
        NULL, &plain_out, NULL, out}
  );
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuConvert *self = object;
  GError *error = NULL;

  if (!same_params (work->params, &self->params)) {
    mgpu_convert_make_plan (self, work->params);
    self->is_ready = FALSE;
  }
  if (!self->is_ready)
    self->is_ready = renew (self, &error);
  if (!self->is_ready)
    gst_mgpu_job_fail (job, error);
  else
    enqueue_packed (self, job, work->in, work->out);
}

static void
clear (gpointer object)
{
  MgpuConvert *self = object;

  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->unpack, mgpu_object_free);
  g_clear_pointer (&self->pack, mgpu_object_free);
  g_clear_pointer (&self->alpha, mgpu_object_free);
}

static const MgpuAlgorithm convert_alpha = {
  .size = sizeof (MgpuConvert),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init_alpha,
  .define = define,
  .enqueue = enqueue,
  .clear = clear
};

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

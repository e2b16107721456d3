/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the luma of RGB frames, and the matrices that convert between color spaces. */
#include "colour.h"

#include <math.h>
#include <string.h>

enum
{
  LUMA,
  REPLACE
};

static const MgpuKernel kernels[] = {
  [LUMA] = {"colour/colour", "colour_luma", 0},
  [REPLACE] = {"colour/colour", "colour_replace_luma", 0},
  {NULL}
};

static const MgpuKnob knobs[] = { MGPU_ROWS_KNOBS, {NULL} };

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuColourLuma *self = object;

  mgpu_rows_init (&self->rows, self, GST_VIDEO_INFO_HEIGHT (&self->object.in));
  return TRUE;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuColourLuma *self = object;
  const GstVideoInfo *info = &self->object.in;
  gint lo, hi;

  mgpu_get_range (info, 0, &lo, &hi);
  g_string_append_printf (options, " -DSAMPLES=%d -DRED=%d -DGREEN=%d "
      "-DBLUE=%d -DLO=%d -DHI=%d", GST_VIDEO_INFO_COMP_PSTRIDE (info, 0),
      GST_VIDEO_INFO_COMP_POFFSET (info, 0),
      GST_VIDEO_INFO_COMP_POFFSET (info, 1),
      GST_VIDEO_INFO_COMP_POFFSET (info, 2), lo, hi);
}

/* Describes an object that extracts and replaces the luma of RGB frames. The slots 0 and 1
 * (scratch buffers) hold the two images of mgpu_colour_luma_split(). */
static const MgpuAlgorithm luma = {
  .size = sizeof (MgpuColourLuma),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = 2,
  .init = init,
  .define = define
};

void
mgpu_colour_luma_info (const GstVideoInfo * info, GstVideoInfo * luma)
{
  gst_video_info_set_format (luma, GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  luma->colorimetry.range = info->colorimetry.range;
}

MgpuColourLuma *
mgpu_colour_luma_new (GstMgpuContext * context, const GstVideoInfo * info,
    GError ** error)
{
  GstVideoInfo out;

  mgpu_colour_luma_info (info, &out);
  return mgpu_object_new (&luma, context, info, NULL, &out, NULL, error);
}

void
mgpu_colour_luma_enqueue (MgpuColourLuma * self, GstMgpuJob * job,
    const MgpuImage * rgb, const MgpuImage * luma)
{
  gst_mgpu_job_set_args (job, self->object.kernels[LUMA],
      MGPU_PLANE MGPU_PLANE "ii", MGPU_READ_PLANE (job, rgb, 0),
      MGPU_WRITE_PLANE (job, luma, 0), GST_VIDEO_INFO_WIDTH (&rgb->info),
      GST_VIDEO_INFO_HEIGHT (&rgb->info));
  gst_mgpu_job_launch (job, self->object.kernels[LUMA], 2, self->rows.global,
      self->rows.local);
}

gboolean
mgpu_colour_luma_split (MgpuColourLuma * self, GstMgpuJob * job,
    const MgpuImage * rgb, MgpuImage luma[2])
{
  GstVideoInfo info;

  mgpu_colour_luma_info (&rgb->info, &info);
  /* Fills the luma images with zeros, because vectors also read bytes beyond the ends of rows,
   * which no kernel writes. */
  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_ensure_zeros (self, i, job, GST_VIDEO_INFO_SIZE (&info))
        || !mgpu_slot_image (self, i, job, &info, &luma[i]))
      return FALSE;
  mgpu_colour_luma_enqueue (self, job, rgb, &luma[0]);
  return TRUE;
}

void
mgpu_colour_luma_join (MgpuColourLuma * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage luma[2], const MgpuImage * out)
{
  gst_mgpu_job_set_args (job, self->object.kernels[REPLACE],
      MGPU_PLANE MGPU_PLANE MGPU_PLANE MGPU_PLANE "ii",
      MGPU_READ_PLANE (job, in, 0), MGPU_READ_PLANE (job, &luma[0], 0),
      MGPU_READ_PLANE (job, &luma[1], 0), MGPU_WRITE_PLANE (job, out, 0),
      GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info));
  gst_mgpu_job_launch (job, self->object.kernels[REPLACE], 2, self->rows.global,
      self->rows.local);
}

/* The colorimetry of a frame in numbers: how its samples encode colors. */
typedef struct
{
  gboolean rgb, gray;
  gint max;
  gdouble kr, kb;               /* weights of red and blue in luma, from 0 to 1 */
  gint zero[3];                 /* value of each color component for black */
  gint unit[3];                 /* size of the nominal range of each color component: from
                                 * black to white, or from one end of chroma to the other */
} Meaning;

static void
find_meaning (const GstVideoInfo * info, Meaning * m)
{
  GstVideoInfo usual;

  gst_video_info_set_format (&usual, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  m->rgb = GST_VIDEO_INFO_IS_RGB (info);
  m->gray = GST_VIDEO_INFO_IS_GRAY (info);
  m->max = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, 0)) - 1;
  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &m->kr,
          &m->kb)
      && !gst_video_color_matrix_get_Kr_Kb (usual.colorimetry.matrix, &m->kr,
          &m->kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT601, &m->kr,
        &m->kb);

  for (guint i = 0; i < 3; i++) {
    gint lo, hi;

    mgpu_get_range (info, m->gray ? 0 : i, &lo, &hi);
    m->zero[i] = !m->rgb && i > 0 ? (m->max + 1) / 2 : lo;
    m->unit[i] = hi - lo;
  }
}

gint
mgpu_colour_black (const GstVideoInfo * info, guint component)
{
  Meaning m;

  find_meaning (info, &m);
  return component == 3 ? m.max : m.zero[component];
}

/* Sets @m to the matrix that converts Y, U and V to R, G and B. */
static void
matrix_to_rgb (gdouble kr, gdouble kb, gdouble m[3][3])
{
  gdouble kg = 1 - kr - kb;
  gdouble rows[3][3] = {
    {1, 0, 2 * (1 - kr)},
    {1, -2 * (1 - kb) * kb / kg, -2 * (1 - kr) * kr / kg},
    {1, 2 * (1 - kb), 0}
  };

  memcpy (m, rows, sizeof (rows));
}

/* Replaces the matrix @m by its product with the matrix that converts R, G and B to Y, U and V:
 * first @m is applied, then the conversion. */
static void
matrix_to_yuv (gdouble kr, gdouble kb, gdouble m[3][3])
{
  gdouble kg = 1 - kr - kb;
  gdouble u = 2 * (1 - kb), v = 2 * (1 - kr);

  for (guint k = 0; k < 3; k++) {
    gdouble r = m[0][k], g = m[1][k], b = m[2][k];
    gdouble y = kr * r + kg * g + kb * b;

    m[0][k] = y;
    m[1][k] = (b - y) / u;
    m[2][k] = (r - y) / v;
  }
}

/* Corrects the rounded factors of a row of a color matrix: they must add up to the rounded sum
 * of the exact factors, because otherwise gray would get a tint. Changes by 1 those factors
 * that rounding moved farthest in the wrong direction. */
static void
balance_row (const gdouble * exact, gint * factor)
{
  gint excess = factor[0] + factor[1] + factor[2]
      - (gint) lround (exact[0] + exact[1] + exact[2]);

  for (; excess != 0; excess -= excess > 0 ? 1 : -1) {
    gint sign = excess > 0 ? 1 : -1;
    guint worst = 0;

    for (guint k = 1; k < 3; k++)
      if (sign * (factor[k] - exact[k]) > sign * (factor[worst] - exact[worst]))
        worst = k;
    factor[worst] -= sign;
  }
}

/* Returns: the number of fraction bits of the matrix. The offsets of 16-bit luma, and of deep
 * chroma, fit in 32 bits only with fewer bits. */
static gint
choose_bits (const GstVideoInfo * in, const GstVideoInfo * out)
{
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (in, 0);
  gint out_depth = GST_VIDEO_INFO_COMP_DEPTH (out, 0);
  gint bits = depth > 12 ? 23 : depth > 8 ? 17 : 15;
  gboolean is_luma = GST_VIDEO_INFO_IS_GRAY (in)
      || GST_VIDEO_INFO_IS_GRAY (out);

  return MIN (bits, (is_luma ? 33 : 30) - out_depth);
}

void
mgpu_colour_matrix (const GstVideoInfo * in, const GstVideoInfo * out,
    MgpuColourMatrix * matrix)
{
  gdouble m[3][3] = { {1, 0, 0}, {0, 1, 0}, {0, 0, 1} };
  Meaning from, to;
  guint n_in, n_out;

  find_meaning (in, &from);
  find_meaning (out, &to);
  n_in = from.gray ? 1 : 3;
  n_out = to.gray ? 1 : 3;
  /* Treats the samples of a gray frame as luma. If the other frame is YUV, this luma gets the
   * weights of red and blue from the other frame. */
  if (from.gray) {
    from.kr = to.kr;
    from.kb = to.kb;
  } else if (to.gray && !from.rgb) {
    to.kr = from.kr;
    to.kb = from.kb;
  }
  if (!from.rgb)
    matrix_to_rgb (from.kr, from.kb, m);
  if (!to.rgb)
    matrix_to_yuv (to.kr, to.kb, m);

  matrix->bits = choose_bits (in, out);
  matrix->max = to.max;
  matrix->identity = from.rgb == to.rgb && from.max == to.max;
  matrix->wide = FALSE;
  for (guint i = 0; i < 3; i++) {
    gdouble exact[3] = { 0, };
    gint64 offset = (gint64) to.zero[i] << matrix->bits, largest;

    for (guint k = 0; k < n_in; k++)
      exact[k] = ldexp (m[i][k] * to.unit[i] / from.unit[k], matrix->bits);
    for (guint k = 0; k < 3; k++)
      matrix->factor[i][k] = lround (exact[k]);
    if (from.rgb)
      balance_row (exact, matrix->factor[i]);
    for (guint k = 0; k < n_in; k++)
      offset -= (gint64) matrix->factor[i][k] * from.zero[k];

    if (i < n_out) {
      for (guint k = 0; k < n_in; k++)
        matrix->identity &= matrix->factor[i][k] == (i == k) << matrix->bits;
      matrix->identity &= i >= n_in || offset == 0;
    }
    offset += G_GINT64_CONSTANT (1) << (matrix->bits - 1);
    matrix->offset[i] = offset;

    largest = ABS (offset);
    for (guint k = 0; k < n_in; k++)
      largest += (gint64) ABS (matrix->factor[i][k]) * from.max;
    matrix->wide |= largest > G_MAXINT32;
  }
}

void
mgpu_colour_from_argb (const GstVideoInfo * info, guint32 argb, gint samples[3])
{
  MgpuColourMatrix matrix;
  GstVideoInfo rgb;

  gst_video_info_set_format (&rgb, GST_VIDEO_FORMAT_RGB, 1, 1);
  mgpu_colour_matrix (&rgb, info, &matrix);
  for (guint i = 0; i < 3; i++) {
    gint64 sum = matrix.offset[i];

    for (guint k = 0; k < 3; k++)
      sum += (gint64) matrix.factor[i][k] * (argb >> (16 - 8 * k) & 255);
    samples[i] = CLAMP (sum >> matrix.bits, 0, matrix.max);
  }
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks tone mapping and color lookup tables, and measures their times. */
#include "kernelcheck.h"

#include <gst/vision/grade/grade.h>

#include <string.h>

#include "../reference/grade.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GBR_12LE, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_UNKNOWN
};

/* Parameters of a variant. @size: number of entries of an axis of a lookup table with random
 * values, some of them beyond the range; 0: no table. @is_domain: whether the table's first and
 * last entries are for other samples than the darkest and the brightest */
typedef struct
{
  MgpuTone tone;
  gint size;
  gboolean is_cube, is_domain;
} Grade;

static const Grade pq = { {MGPU_TONE_PQ, 1000, FALSE, TRUE} };
static const Grade pq_bright = { {MGPU_TONE_PQ, 4000, TRUE, TRUE} };
static const Grade pq_dark = { {MGPU_TONE_PQ, 100, FALSE, FALSE} };
static const Grade hlg = { {MGPU_TONE_HLG, 1000, FALSE, TRUE} };
static const Grade hlg_srgb = { {MGPU_TONE_HLG, 1000, TRUE, FALSE} };
static const Grade line = { {MGPU_TONE_NONE}, 33 };
static const Grade line_domain = { {MGPU_TONE_NONE}, 2, FALSE, TRUE };
static const Grade cube = { {MGPU_TONE_NONE}, 17, TRUE };
static const Grade cube_domain = { {MGPU_TONE_NONE}, 5, TRUE, TRUE };
static const Grade cube_least = { {MGPU_TONE_NONE}, 2, TRUE };
static const Grade both = { {MGPU_TONE_PQ, 1000, FALSE, TRUE}, 9, TRUE };

static const KcVariant variants[] = {
  {"pq", &pq, 0},
  {"pq, 4000 nits to sRGB", &pq_bright, 0},
  {"pq, 100 nits", &pq_dark, 0},
  {"hlg", &hlg, 0},
  {"hlg to sRGB", &hlg_srgb, 0},
  {"1D of 33", &line, 0},
  {"1D of 2 with domain", &line_domain, 0},
  {"cube of 17", &cube, 0},
  {"cube of 5 with domain", &cube_domain, 0},
  {"cube of 2", &cube_least, 0},
  {"pq and cube of 9", &both, 0}
};

/* Makes the values of a lookup table. @reference gets the table, whose values the caller frees. */
static void
make_values (const Grade * g, RefGrade * reference)
{
  guint n = g->is_cube ? g->size * g->size * g->size : g->size;
  gfloat *values = g_new (gfloat, 3 * n);
  KcRandom random;

  kc_random_init (&random, g->size);
  for (guint i = 0; i < 3 * n; i++)
    values[i] = ((gint) kc_random_below (&random, 3000) - 800) / 1000.0f;
  reference->size = g->size;
  reference->is_cube = g->is_cube;
  reference->values = values;
  for (guint i = 0; i < 3; i++) {
    reference->min[i] = g->is_domain ? 0.1 * i - 0.05 : 0;
    reference->max[i] = g->is_domain ? 0.9 + 0.2 * i : 1;
  }
}

typedef struct
{
  MgpuObject *grade;
  MgpuLut *lut;
} Object;

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  *out = *in;
  return TRUE;
}

static void
destroy (gpointer data)
{
  Object *self = data;

  g_clear_pointer (&self->grade, mgpu_object_free);
  g_clear_pointer (&self->lut, mgpu_lut_unref);
  g_free (self);
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  const Grade *g = params;
  Object *self = g_new0 (Object, 1);
  RefGrade values = { 0 };

  self->grade = mgpu_object_new (&mgpu_grade, context, in, NULL, out, NULL,
      error);
  if (self->grade == NULL) {
    destroy (self);
    return NULL;
  }
  if (g->size > 0) {
    make_values (g, &values);
    self->lut = mgpu_lut_new (g->is_cube, g->size, values.min, values.max,
        values.values);
    g_free ((gpointer) values.values);
  }
  return self;
}

static void
enqueue (gpointer data, GstMgpuJob * job, const MgpuWork * work)
{
  Object *self = data;
  const MgpuGradeParams params = { ((const Grade *) work->params)->tone,
    self->lut
  };
  const MgpuWork graded = { &params, work->in, NULL, work->out };

  mgpu_grade.enqueue (self->grade, job, &graded);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  static const gint sources[] = {
    [MGPU_TONE_NONE] = REF_TONE_NONE,
    [MGPU_TONE_PQ] = REF_TONE_PQ,
    [MGPU_TONE_HLG] = REF_TONE_HLG
  };
  const Grade *g = params;
  RefGrade grade = {
    .tone = sources[g->tone.source],.peak = g->tone.peak,
    .is_srgb = g->tone.is_srgb,
    .changes_primaries = g->tone.changes_primaries
  };
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  kc_picture_planes (in, from);
  kc_picture_planes (out, to);
  if (g->size > 0)
    make_values (g, &grade);
  g_assert (ref_grade (from, to, &grade));
  g_free ((gpointer) grade.values);
  for (gint y = 0; GST_VIDEO_INFO_HAS_ALPHA (&in->info)
      && y < from[3].height; y++)
    for (gint x = 0; x < from[3].width; x++)
      to[3].data[y * to[3].stride + 4 * x] =
          from[3].data[y * from[3].stride + 4 * x];
}

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 3,
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = destroy,
  .reference = reference
};

#define HD(what, grade, format) \
  {what, NULL, GST_VIDEO_FORMAT_##format, 1920, 1080, NULL, &grade}
static const KcFilterBench benches[] = {
  HD ("pq", pq, GBR_12LE),
  HD ("hlg", hlg, GBR_12LE),
  HD ("cube of 17", cube, GBR_12LE),
  HD ("cube of 17", cube, RGBA),
  HD ("1D of 33", line, GBR_12LE),
  {NULL}
};

const KcFunction kc_grade = { "grade",.filter = &filter,.benches = benches };

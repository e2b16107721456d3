/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Maps the colors of frames, and converts frames with mapped colors. */
#include "grade.h"

#include <string.h>

#include <kernels/grade/grade-shared.h>

/* Size of work-groups, in work-items */
#define GROUP_X 64
#define GROUP_Y 1

G_STATIC_ASSERT (MGPU_TONE_NONE == GRADE_NONE && MGPU_TONE_PQ == GRADE_PQ
    && MGPU_TONE_HLG == GRADE_HLG);

static const MgpuKernel kernels[] = { {"grade/grade", "grade_frame", 0},
{NULL}
};

/* Indices of the scratch buffers: the table of tone mapping, and the lookup table */
enum
{
  TABLE,
  SHAPE,
  CUBE,
  N_SLOTS
};

typedef struct
{
  MgpuObject object;
  MgpuTone tone;                /* tone mapping with which the table in the slot TABLE was made */
  MgpuLut *lut;                 /* the table in the slots SHAPE and CUBE, or NULL */
} MgpuGrade;

static void
define (gpointer object, guint set, GString * options)
{
  const GstVideoInfo *in = &((MgpuObject *) object)->in;

  g_string_append_printf (options, " -DALPHA=%d",
      GST_VIDEO_INFO_HAS_ALPHA (in));
}

static gboolean
is_same_tone (const MgpuTone * a, const MgpuTone * b)
{
  return a->source == b->source && a->peak == b->peak
      && a->is_srgb == b->is_srgb
      && a->changes_primaries == b->changes_primaries;
}

/* Uploads the tables of @params, unless the slots contain them already. Without tone mapping, or
 * without a lookup table, a slot contains one word that is not read. Returns: FALSE after an error,
 * which is in @job */
static gboolean
update (MgpuGrade * self, GstMgpuJob * job, const MgpuGradeParams * params)
{
  static gint nothing[2];
  gboolean is_new = !is_same_tone (&self->tone, &params->tone);

  if (is_new && params->tone.source != MGPU_TONE_NONE) {
    g_autoptr (GArray) table = mgpu_tone_make_table (&params->tone);

    self->tone.source = MGPU_TONE_NONE;
    if (!mgpu_slot_set_words (self, TABLE, job, table))
      return FALSE;
    self->tone = params->tone;
  }
  if (params->lut != NULL && self->lut != params->lut) {
    g_clear_pointer (&self->lut, mgpu_lut_unref);
    if (!mgpu_slot_set_words (self, SHAPE, job, params->lut->shape)
        || (params->lut->size > 1
            && !mgpu_slot_set_words (self, CUBE, job, params->lut->cube)))
      return FALSE;
    self->lut = mgpu_lut_ref (params->lut);
  }
  for (guint i = 0; i < N_SLOTS; i++)
    if (!mgpu_slot_has (self, i, sizeof (nothing))
        && !mgpu_slot_upload (self, i, job, nothing, sizeof (nothing), 0))
      return FALSE;
  return TRUE;
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuGrade *self = object;
  const MgpuGradeParams *params = work->params;
  const MgpuImage *in = work->in, *out = work->out;
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&in->info);
  guint plane[3];
  gsize group[2];

  if (!update (self, job, params))
    return;
  for (guint i = 0; i < 3; i++)
    plane[i] = GST_VIDEO_INFO_COMP_PLANE (&in->info, i);
  gst_mgpu_job_set_args (job, self->object.kernels[0],
      MGPU_PLANE "iiii" MGPU_PLANE "iiiimmmiiii",
      MGPU_READ_PLANE (job, in, plane[0]), MGPU_AT_PLANE (in, plane[1]),
      MGPU_AT_PLANE (in, plane[2]), MGPU_WRITE_PLANE (job, out, plane[0]),
      MGPU_AT_PLANE (out, plane[1]), MGPU_AT_PLANE (out, plane[2]),
      mgpu_slot_read (self, TABLE, job), mgpu_slot_read (self, SHAPE, job),
      mgpu_slot_read (self, CUBE, job), (gint) params->tone.source,
      params->lut != NULL ? params->lut->size : 0, width, height);
  mgpu_group (self->object.context, GROUP_X, GROUP_Y, group);
  mgpu_launch (job, self->object.kernels[0], width, height, 1, 1, group);
}

static void
clear (gpointer object)
{
  MgpuGrade *self = object;

  g_clear_pointer (&self->lut, mgpu_lut_unref);
}

const MgpuAlgorithm mgpu_grade = {
  .size = sizeof (MgpuGrade),
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .define = define,
  .enqueue = enqueue,
  .clear = clear
};

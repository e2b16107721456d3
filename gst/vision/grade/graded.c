/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts frames, and maps the colors of the converted frames. */
#include "grade.h"

/* Indices of the scratch buffers: the RGB frame before and after its colors are mapped */
enum
{
  BEFORE,
  AFTER,
  N_SLOTS
};

typedef struct
{
  MgpuObject object;
  GstVideoInfo rgb;             /* format of the frame whose colors are mapped; it has the size of
                                 * the output */
  MgpuObject *decode, *grade, *encode;
} MgpuGraded;

static const MgpuKernel kernels[] = { {NULL} };

/* Returns: the parameters of the second conversion, from RGB to the output format. @params:
 * parameters of the first conversion, to RGB */
static MgpuConvertParams
get_encoding (const MgpuConvertParams * params)
{
  MgpuConvertParams p = *params;

  p.orientation = GST_VIDEO_ORIENTATION_IDENTITY;
  p.source = p.destination;
  return p;
}

static gboolean
init (gpointer object, gconstpointer data, GError ** error)
{
  MgpuGraded *self = object;
  GstMgpuContext *context = self->object.context;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;
  const MgpuGradedParams *params = data;
  MgpuConvertParams encoding = get_encoding (&params->convert);

  /* Chooses 8 bits for formats with alpha, because all of them have 8 bits. */
  gst_video_info_set_format (&self->rgb, GST_VIDEO_INFO_HAS_ALPHA (in)
      ? GST_VIDEO_FORMAT_RGBA : GST_VIDEO_FORMAT_GBR_12LE,
      GST_VIDEO_INFO_WIDTH (out), GST_VIDEO_INFO_HEIGHT (out));
  self->decode = mgpu_object_new (&mgpu_convert, context, in, NULL,
      &self->rgb, &params->convert, error);
  if (self->decode != NULL)
    self->grade = mgpu_object_new (&mgpu_grade, context, &self->rgb, NULL,
        &self->rgb, &params->grade, error);
  if (self->grade != NULL)
    self->encode = mgpu_object_new (&mgpu_convert, context, &self->rgb, NULL,
        out, &encoding, error);
  return self->encode != NULL;
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuGraded *self = object;
  const MgpuGradedParams *params = work->params;
  MgpuConvertParams encoding = get_encoding (&params->convert);
  MgpuImage before, after;

  if (!mgpu_slot_image (self, BEFORE, job, &self->rgb, &before)
      || !mgpu_slot_image (self, AFTER, job, &self->rgb, &after))
    return;
  mgpu_convert.enqueue (self->decode, job, &(MgpuWork) {
      &params->convert, work->in, NULL, &before}
  );
  mgpu_grade.enqueue (self->grade, job, &(MgpuWork) {
      &params->grade, &before, NULL, &after}
  );
  mgpu_convert.enqueue (self->encode, job, &(MgpuWork) {
      &encoding, &after, NULL, work->out}
  );
}

static void
clear (gpointer object)
{
  MgpuGraded *self = object;

  g_clear_pointer (&self->decode, mgpu_object_free);
  g_clear_pointer (&self->grade, mgpu_object_free);
  g_clear_pointer (&self->encode, mgpu_object_free);
}

const MgpuAlgorithm mgpu_graded = {
  .size = sizeof (MgpuGraded),
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .enqueue = enqueue,
  .clear = clear
};

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sets the arguments of users' kernels and launches them. */
#include "kernel-private.h"

#include <math.h>


/* State while the arguments of a kernel are set one by one, in the order of
 * kernels/kernel/forms.h */
typedef struct
{
  GstMgpuJob *job;
  cl_kernel kernel;
  guint n;
} Arguments;

static void
set (Arguments * self, gsize size, gconstpointer value)
{
  GError *error = NULL;

  if (self->job->error != NULL)
    return;
  if (!gst_mgpu_cl_check (clSetKernelArg (self->kernel, self->n++, size, value),
          "clSetKernelArg", gst_mgpu_queue_get_context (self->job->queue),
          &error))
    gst_mgpu_job_fail (self->job, error);
}

static void
set_int (Arguments * self, cl_int value)
{
  set (self, sizeof (value), &value);
}

static void
set_memory (Arguments * self, cl_mem memory)
{
  set (self, sizeof (memory), &memory);
}

/* Sets the arguments of a frame. @component: -1 for the first three components, or the index of one
 * component. If the frame has fewer components, the first one is used instead. */
static void
set_image (Arguments * self, const MgpuImage * image, gint component,
    gboolean is_written)
{
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (&image->info), 3);

  set_memory (self, is_written ? gst_mgpu_job_write (self->job, image->memory)
      : gst_mgpu_job_read (self->job, image->memory));
  for (gint i = 0; i < 3; i++) {
    MgpuComponent c = mgpu_get_component (&image->info, i < (gint) n ? i : 0);

    if (component >= 0 && component != i)
      continue;
    set_int (self, c.offset);
    set_int (self, c.stride);
    if (component >= 0)
      set_int (self, c.pixel_stride);
  }
}

/* Sets the arguments for the lines of the text: results, the size of the frame (for boxes),
 * parameters and buffers. */
static void
set_lists (Arguments * args, MgpuUserKernel * self,
    const MgpuKernelParams * params)
{
  const MgpuKernelText *text = self->text;

  if (mgpu_kernel_text_count_results (text) > 0)
    set_memory (args, gst_mgpu_job_write (args->job,
            (GstMgpuMemory *) self->results));
  if (text->boxes->len > 0) {
    set_int (args, self->object.in.width);
    set_int (args, self->object.in.height);
  }
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *p =
        &g_array_index (text->params, MgpuKernelParam, i);
    /* Replaces a parameter value that is NaN by the minimum of the parameter. */
    gdouble value = params->values[i] >= p->min
        ? MIN (params->values[i], p->max) : p->min;
    cl_float number = value;

    if (p->is_float)
      set (args, sizeof (number), &number);
    else
      set_int (args, floor (value + 0.5));
  }
  for (guint i = 0; i < text->buffers->len; i++)
    set_memory (args, mgpu_slot_write (self, MGPU_KERNEL_SLOT_BUFFER + i,
            args->job, 0));
}

/* Sets all arguments. @component: index of the component of a SAMPLE kernel, otherwise -1. @size:
 * size of the frame or component. @place: position of the part in it. */
static void
set_all (MgpuUserKernel * self, Arguments * args,
    const MgpuKernelLaunch * launch, gint component, const gint size[2],
    const MgpuPlace * place)
{
  const MgpuKernelText *text = self->text;
  const MgpuKernelParams *params = launch->params;
  cl_ulong frame = params->frame, time = params->time;
  cl_float seconds = params->time / 1e9;

  set_image (args, launch->in, component, FALSE);
  set_image (args, launch->out, component, TRUE);
  if (text->source)
    set_image (args, launch->source, component, FALSE);
  if (text->second)
    set_image (args, launch->second, component, FALSE);
  if (text->previous)
    set_image (args, launch->previous, component, FALSE);
  if (text->feedback)
    set_image (args, launch->feedback, component, FALSE);
  set_int (args, size[0]);
  set_int (args, size[1]);
  set_int (args, place->x);
  set_int (args, place->y);
  set_int (args, place->x + place->width);
  set_int (args, place->y + place->height);
  set (args, sizeof (frame), &frame);
  set (args, sizeof (time), &time);
  set (args, sizeof (seconds), &seconds);
  set_int (args, launch->has);
  set_int (args, MAX (component, 0));
  set_lists (args, self, params);
}

/* Returns: the work-group size of a pass */
static void
get_group (const MgpuUserKernel * self, const MgpuKernelPass * pass,
    gsize group[2])
{
  const gint *given = self->groups[pass->function -
      (const MgpuKernelFunction *) self->text->functions->data];

  if (given[0] > 0) {
    group[0] = given[0];
    group[1] = given[1];
  } else {
    mgpu_group (self->object.context, self->object.knobs[MGPU_KERNEL_ITEMS_X],
        self->object.knobs[MGPU_KERNEL_ITEMS_Y], group);
  }
}

/* Launches a SAMPLE kernel for each component of the result except alpha. */
static void
launch_samples (MgpuUserKernel * self, GstMgpuJob * job,
    const MgpuKernelPass * pass, const MgpuKernelLaunch * launch,
    const gsize group[2])
{
  const GstVideoInfo *info = &launch->out->info;
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3);

  for (guint i = 0; i < n; i++) {
    Arguments args = { job, pass->kernel, 0 };
    MgpuPlace whole = mgpu_get_place (&self->object.in, i, NULL);
    MgpuPlace place = mgpu_get_place (&self->object.in, i, &launch->part);
    const gint size[2] = { whole.width, whole.height };

    set_all (self, &args, launch, i, size, &place);
    mgpu_launch (job, pass->kernel, place.width, place.height, 1, 1, group);
  }
}

void
mgpu_kernel_launch (MgpuUserKernel * self, GstMgpuJob * job,
    const MgpuKernelPass * pass, const MgpuKernelLaunch * launch)
{
  const MgpuKernelFunction *f = pass->function;
  const GstVideoInfo *info = &launch->out->info;
  gint size[2] = { self->object.in.width, self->object.in.height }, items[2];
  MgpuPlace place = mgpu_get_place (&self->object.in, 0, &launch->part);
  gsize group[2];
  Arguments args = { job, pass->kernel, 0 };

  get_group (self, pass, group);
  if (f->form == MGPU_KERNEL_SAMPLE) {
    launch_samples (self, job, pass, launch, group);
    return;
  }
  set_all (self, &args, launch, -1, size, &place);
  if (f->form == MGPU_KERNEL_PIXEL) {
    guint chroma = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3) - 1;

    mgpu_launch (job, pass->kernel, place.width, place.height,
        1 << info->finfo->w_sub[chroma], 1 << info->finfo->h_sub[chroma],
        group);
    return;
  }
  for (guint i = 0; i < 2; i++)
    items[i] = f->items[i] > 0 ? f->items[i]
        : (size[i] + f->divisor[i] - 1) / f->divisor[i];
  mgpu_launch (job, pass->kernel, items[0], items[1], 1, 1, group);
}

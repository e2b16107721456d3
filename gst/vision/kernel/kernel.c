/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs users' kernels: the passes of a frame, and the data that are kept until the next frame. */
#include "kernel-private.h"

#include <string.h>

/* Arguments that mgpu_kernel_new() passes to init() */
typedef struct
{
  MgpuKernelText *text;
  const gchar *kernel;
  gchar **log;
} Start;

/* Size of the work-groups of WORK kernels without a line "//! group" */
#define WORK_GROUP 64

static const MgpuKnob knobs[] = {
  {"ITEMS_X", {64, 32, 32}, "16 32 64 128",
      "width of a work-group, in work-items"},
  {"ITEMS_Y", {1, 4, 4}, "1 2 4 8", "height of a work-group, in work-items"},
  {"WHOLE", {1, 0, 0}, "0 1",
      "whether a separate branch computes pixels inside the frame, where "
      "compilers can remove limits of coordinates"},
  {NULL}
};

enum
{
  ZERO_ROWS,
  ZERO_WORDS
};

static const MgpuKernel kernels[] = {
  {"kernel/zero", "zero_rows", 0},
  {"kernel/zero", "zero_words", 0},
  {NULL}
};

/* ---- Starting ------------------------------------------------------------------- */

/* Sets the passes: the kernel @name alone, or, if @name is NULL, the passes of the text. */
static gboolean
choose_passes (MgpuUserKernel * self, const gchar * kernel, GError ** error)
{
  const MgpuKernelText *text = self->text;
  const MgpuKernelFunction *functions = (const MgpuKernelFunction *)
      text->functions->data;
  const guint *passes = (const guint *) text->passes->data;
  guint n = text->passes->len, one = 0;
  gint found;

  if (kernel != NULL && kernel[0] != '\0') {
    found = mgpu_kernel_text_find_function (text, kernel);
    if (found < 0) {
      g_autofree gchar *list = mgpu_kernel_text_list_functions (text);

      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD,
          "%s: there is no kernel \"%s\"; the kernels are %s", text->name,
          kernel, list);
      return FALSE;
    }
    one = found;
    n = 0;
  }
  self->last_writer = -1;
  self->n_passes = MAX (n, 1);
  for (guint i = 0; i < self->n_passes; i++) {
    self->passes[i].function = &functions[n > 0 ? passes[i] : one];
    if (self->passes[i].function->writes)
      self->last_writer = i;
  }
  if (self->last_writer < 0 && text->output != GST_VIDEO_FORMAT_UNKNOWN) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD, "%s: the line "
        "\"//! output\" declares an output frame, but no kernel writes it",
        text->name);
    return FALSE;
  }
  return TRUE;
}

/* Chooses the work-group sizes of the kernels. */
static void
choose_groups (MgpuUserKernel * self)
{
  const MgpuKernelText *text = self->text;

  self->groups = (gint (*)[2]) g_new0 (gint, 2 * text->functions->len);
  for (guint i = 0; i < text->functions->len; i++) {
    const MgpuKernelFunction *f = &g_array_index (text->functions,
        MgpuKernelFunction, i);

    memcpy (self->groups[i], f->group, sizeof (f->group));
    if (f->form == MGPU_KERNEL_WORK && f->group[0] == 0) {
      self->groups[i][0] = MIN (WORK_GROUP,
          self->object.traits->max_work_group_size);
      self->groups[i][1] = 1;
    }
  }
}

static guint64
get_buffer_size (const MgpuUserKernel * self, guint i)
{
  const MgpuKernelList *list = &g_array_index (self->text->buffers,
      MgpuKernelList, i);
  guint64 n = list->n;

  if (list->per_pixel)
    n *= (guint64) self->object.in.width * self->object.in.height;
  return n * 4;
}

static gboolean
check_buffers (const MgpuUserKernel * self, GError ** error)
{
  guint64 most = MIN (self->object.traits->max_allocation_size, G_MAXINT);

  for (guint i = 0; i < self->text->buffers->len; i++)
    if (get_buffer_size (self, i) > most) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
          "%s: the " "buffer \"%s\" needs %" G_GUINT64_FORMAT
          " bytes; the limit is %" G_GUINT64_FORMAT, self->text->name,
          g_array_index (self->text->buffers, MgpuKernelList, i).name,
          get_buffer_size (self, i), most);
      return FALSE;
    }
  return TRUE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuUserKernel *self = object;
  const Start *start = params;

  self->text = mgpu_kernel_text_ref (start->text);
  choose_groups (self);
  return choose_passes (self, start->kernel, error)
      && check_buffers (self, error)
      && mgpu_kernel_build (self, start->log, error);
}

static void
clear (gpointer object)
{
  MgpuUserKernel *self = object;

  mgpu_kernel_release (self);
  g_clear_pointer (&self->results, gst_memory_unref);
  g_clear_pointer (&self->text, mgpu_kernel_text_unref);
  g_free (self->groups);
}

gpointer
mgpu_kernel_new (MgpuKernelText * text, const gchar * kernel,
    GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * second, const GstVideoInfo * out, gchar ** log,
    GError ** error)
{
  const Start start = { text, kernel, log };
  gpointer self;

  if (log != NULL)
    *log = NULL;
  self = mgpu_object_new (&mgpu_kernel, context, in, second, out, &start,
      error);
  if (log != NULL && *log == NULL)
    *log = g_strdup ("");
  return self;
}

/* ---- Data that are kept between frames ---------------------------------------- */

static gboolean
remembers (gconstpointer data)
{
  const MgpuKernelText *text = ((const MgpuKernelParams *) data)->text;
  gboolean keeps = text->previous || text->feedback;

  for (guint i = 0; i < text->buffers->len; i++)
    keeps |= g_array_index (text->buffers, MgpuKernelList, i).keep;
  return keeps;
}

static void
forget (gpointer object)
{
  MgpuUserKernel *self = object;

  self->n_previous = 0;
  self->has_feedback = FALSE;
  self->has_frame = FALSE;
  for (guint i = 0; i < self->text->buffers->len; i++)
    g_clear_pointer (&self->object.slots[MGPU_KERNEL_SLOT_BUFFER + i],
        gst_memory_unref);
}

static gint
reach (gpointer object, gconstpointer params, gint * step)
{
  const MgpuUserKernel *self = object;
  const MgpuKernelText *text = self->text;
  gint distance = text->feedback ? -1 : text->reach;

  *step = 2;
  for (guint i = 0; i < self->n_passes; i++)
    if (self->passes[i].function->form == MGPU_KERNEL_WORK)
      distance = -1;
  return distance;
}

/* Moves the memory of slot @i of @old to slot @k of @self. */
static void
move_slot (MgpuUserKernel * self, guint k, MgpuUserKernel * old, guint i)
{
  g_clear_pointer (&self->object.slots[k], gst_memory_unref);
  self->object.slots[k] = g_steal_pointer (&old->object.slots[i]);
}

guint
mgpu_kernel_take_over (gpointer object, gpointer other)
{
  MgpuUserKernel *self = object, *old = other;
  GArray *buffers = self->text->buffers, *others = old->text->buffers;
  guint n = 0;

  for (guint i = 0; i < buffers->len; i++)
    for (guint k = 0; k < others->len; k++) {
      const MgpuKernelList *a = &g_array_index (buffers, MgpuKernelList, i);
      const MgpuKernelList *b = &g_array_index (others, MgpuKernelList, k);

      if (a->keep && b->keep && g_str_equal (a->name, b->name)
          && a->is_float == b->is_float
          && get_buffer_size (self, i) == get_buffer_size (old, k)) {
        move_slot (self, MGPU_KERNEL_SLOT_BUFFER + i, old,
            MGPU_KERNEL_SLOT_BUFFER + k);
        n++;
      }
    }
  if (self->text->previous && old->text->previous
      && gst_video_info_is_equal (&self->object.in, &old->object.in)) {
    for (guint i = 0; i < 2; i++)
      move_slot (self, MGPU_KERNEL_SLOT_PREVIOUS + i, old,
          MGPU_KERNEL_SLOT_PREVIOUS + i);
    self->n_previous = old->n_previous;
    n++;
  }
  if (self->text->feedback && old->text->feedback
      && gst_video_info_is_equal (&self->object.out, &old->object.out)) {
    move_slot (self, MGPU_KERNEL_SLOT_FEEDBACK, old, MGPU_KERNEL_SLOT_FEEDBACK);
    self->has_feedback = old->has_feedback;
    n++;
  }
  return n;
}

GstMemory *
mgpu_kernel_take_results (gpointer self)
{
  return g_steal_pointer (&((MgpuUserKernel *) self)->results);
}

/* ---- A frame --------------------------------------------------------------------- */

static void
zero_words (MgpuUserKernel * self, GstMgpuJob * job, cl_mem memory, gsize n)
{
  cl_kernel kernel = self->object.kernels[ZERO_WORDS];

  gst_mgpu_job_set_args (job, kernel, "mu", memory, (guint) n);
  mgpu_launch_items (job, kernel, n, MIN (64,
          self->object.traits->max_work_group_size));
}

/* Sets all samples of an image of one plane to 0. */
static void
zero_image (MgpuUserKernel * self, GstMgpuJob * job, const MgpuImage * image)
{
  cl_kernel kernel = self->object.kernels[ZERO_ROWS];
  MgpuComponent c = mgpu_get_component (&image->info, 0);
  const gsize global[2] = { c.width * c.bytes, c.height };

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE, MGPU_WRITE (job, image, c));
  gst_mgpu_job_launch (job, kernel, 2, global, NULL);
}

/* Allocates memory for the results of a frame, and sets to zero the results and buffers that begin
 * at zero. */
static void
begin_frame (MgpuUserKernel * self, GstMgpuJob * job)
{
  GArray *buffers = self->text->buffers;
  gsize n = mgpu_kernel_text_count_results (self->text);
  GError *error = NULL;

  g_clear_pointer (&self->results, gst_memory_unref);
  if (n > 0) {
    self->results = gst_mgpu_memory_new (job->queue, n * 4, NULL, &error);
    if (self->results == NULL)
      gst_mgpu_job_fail (job, error);
    else
      zero_words (self, job, gst_mgpu_job_write (job,
              (GstMgpuMemory *) self->results), n);
  }
  for (guint i = 0; i < buffers->len; i++) {
    gsize size = get_buffer_size (self, i);
    guint slot = MGPU_KERNEL_SLOT_BUFFER + i;

    if (!g_array_index (buffers, MgpuKernelList, i).keep
        || !mgpu_slot_has (self, slot, size))
      zero_words (self, job, mgpu_slot_write (self, slot, job, size), size / 4);
  }
}

/* Returns: the image of the whole frame from which @part was cropped */
static MgpuImage
uncrop (const MgpuImage * image, const GstVideoInfo * whole,
    const MgpuRect * part)
{
  MgpuImage result = *image;
  guint done = 0;

  if (part == NULL)
    return result;
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&image->info); i++) {
    guint plane = GST_VIDEO_INFO_COMP_PLANE (&image->info, i);

    if (!(done & (1u << plane)))
      result.info.offset[plane] -=
          (gsize) (part->y >> image->info.finfo->h_sub[i])
          * image->info.stride[plane]
          + (gsize) (part->x >> image->info.finfo->w_sub[i])
          * GST_VIDEO_INFO_COMP_PSTRIDE (&image->info, i);
    done |= 1u << plane;
  }
  result.info.width = whole->width;
  result.info.height = whole->height;
  return result;
}

/* Sets @image to the frame in a slot, which is allocated if needed. Returns: FALSE after an error,
 * which is in @job */
static gboolean
get_frame (MgpuUserKernel * self, guint slot, GstMgpuJob * job,
    const GstVideoInfo * like, MgpuImage * image)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_INFO_FORMAT (like), like->width,
      like->height);
  info.colorimetry = like->colorimetry;
  return mgpu_slot_image (self, slot, job, &info, image);
}

/* Writes the bytes that a pass may leave unwritten: a WORK kernel may leave any byte; a SAMPLE
 * kernel leaves alpha or unused bytes; and in packed 4:2:2, kernels leave the sample after the last
 * one of a row. */
static void
fill_rest (MgpuUserKernel * self, GstMgpuJob * job, MgpuKernelForm form,
    const MgpuImage * from, const MgpuImage * to)
{
  const GstVideoInfo *info = &to->info;
  gint step = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  gboolean is_left = form == MGPU_KERNEL_WORK
      || (GST_VIDEO_INFO_IS_RGB (info) && step == 4
      && form == MGPU_KERNEL_SAMPLE)
      || (GST_VIDEO_INFO_IS_YUV (info) && GST_VIDEO_INFO_N_PLANES (info) == 1
      && info->width % 2 == 1);

  if (!is_left)
    return;
  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_INFO_FORMAT (&from->info))
    mgpu_image_copy_planes (job, from, to, ~0u);
  else
    zero_image (self, job, to);
}

/* Stores the current frame as the previous frame of the next frame. Returns: whether the current
 * frame has a previous frame; if so, @image is set to it */
static gboolean
swap_previous (MgpuUserKernel * self, GstMgpuJob * job, const MgpuImage * in,
    gboolean is_new, MgpuImage * image)
{
  MgpuImage store;

  if (is_new) {
    if (get_frame (self, MGPU_KERNEL_SLOT_PREVIOUS + self->n_previous % 2, job,
            &self->object.in, &store))
      mgpu_image_copy_planes (job, in, &store, ~0u);
    self->n_previous++;
  }
  return self->n_previous > 1
      && get_frame (self, MGPU_KERNEL_SLOT_PREVIOUS + self->n_previous % 2, job,
      &self->object.in, image);
}

/* Sets the frames that kernels read in addition to the input of the pass. @images: array for the
 * images. */
static void
find_images (MgpuUserKernel * self, GstMgpuJob * job, const MgpuWork * work,
    gboolean is_new, MgpuKernelLaunch * launch, MgpuImage images[3])
{
  const MgpuKernelText *text = self->text;
  const GstVideoInfo *in = &self->object.in, *out = &self->object.out;

  launch->second = launch->previous = launch->feedback = launch->source;
  if (text->second && work->guide != NULL) {
    images[0] = uncrop (work->guide, in, work->part);
    launch->second = &images[0];
    launch->has |= 1;
  }
  if (text->previous
      && swap_previous (self, job, launch->source, is_new, &images[1])) {
    launch->previous = &images[1];
    launch->has |= 2;
  }
  if (!text->feedback)
    return;
  if (self->has_feedback)
    launch->has |= 4;
  else if (GST_VIDEO_INFO_FORMAT (in) == GST_VIDEO_INFO_FORMAT (out))
    return;
  if (get_frame (self, MGPU_KERNEL_SLOT_FEEDBACK, job, out, &images[2])) {
    if (!self->has_feedback)
      zero_image (self, job, &images[2]);
    launch->feedback = &images[2];
  }
}

/* Runs the passes. Each pass reads the frame that the nearest earlier pass has written. */
static void
run_passes (MgpuUserKernel * self, GstMgpuJob * job, const MgpuImage * out,
    MgpuKernelLaunch * launch)
{
  MgpuImage from = *launch->source, to;
  guint n_written = 0;

  for (gint i = 0; i < (gint) self->n_passes && job->error == NULL; i++) {
    const MgpuKernelPass *pass = &self->passes[i];

    to = *out;
    launch->in = &from;
    launch->out = &to;
    if (pass->function->writes) {
      if (i != self->last_writer && !get_frame (self, MGPU_KERNEL_SLOT_BETWEEN
              + n_written++ % 2, job, &self->object.in, &to))
        return;
      fill_rest (self, job, pass->function->form, &from, &to);
    }
    mgpu_kernel_launch (self, job, pass, launch);
    if (pass->function->writes)
      from = to;
  }
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuUserKernel *self = object;
  const GstVideoInfo *info = &self->object.in;
  const MgpuKernelParams *params = work->params;
  MgpuImage source = uncrop (work->in, info, work->part);
  MgpuImage out = work->out != NULL ? uncrop (work->out, info, work->part)
      : source, images[3], result;
  MgpuKernelLaunch launch = {.params = params,.source = &source,
    .part = {0, 0, info->width, info->height}
  };
  gboolean is_new = !self->has_frame || self->frame != params->frame;

  if (work->part != NULL)
    launch.part = *work->part;
  if (is_new)
    begin_frame (self, job);
  self->has_frame = TRUE;
  self->frame = params->frame;
  find_images (self, job, work, is_new, &launch, images);
  if (job->error == NULL)
    run_passes (self, job, &out, &launch);
  if (self->last_writer < 0 && work->out != NULL)
    mgpu_image_copy_planes (job, work->in, work->out, ~0u);
  if (self->text->feedback && job->error == NULL
      && get_frame (self, MGPU_KERNEL_SLOT_FEEDBACK, job, &self->object.out,
          &result)) {
    mgpu_image_copy_planes (job, &out, &result, ~0u);
    self->has_feedback = TRUE;
  }
}

const MgpuAlgorithm mgpu_kernel = {
  .size = sizeof (MgpuUserKernel),
  .params_size = sizeof (MgpuKernelParams),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = MGPU_KERNEL_N_SLOTS,
  .init = init,
  .enqueue = enqueue,
  .reach = reach,
  .remembers = remembers,
  .forget = forget,
  .clear = clear
};

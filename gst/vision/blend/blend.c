/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blends frames with the result of a filter; a mask gives the weights. */
#include "blend.h"

/* Indices into the array @knobs of the tuning constants of the kernels. LANES is the number of
 * samples that a work-item blends at once, as one vector. */
enum
{
  LANES,
  ROWS,
  GROUP_X,
  GROUP_Y
};

static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, "1 16", "number of samples in a vector"},
  {"ROWS", {8, 1, 1}, "1 2 4 8", "number of rows that a work-item computes"},
  {"GROUP_X", {4, 32, 32}, "1 4 16 32", "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4 8", "height of a work-group, in work-items"},
  {NULL}
};

/* Number of memory layouts of samples in a frame: one for the first component (luma or the
 * first color), one for chroma */
#define N_LAYOUTS 2

static const MgpuKernel kernels[] = {
  {"blend/blend", "blend", 0},
  {"blend/blend", "blend", 1},
  {NULL}
};

enum
{
  MASKS,
  RESULTS,
  N_SLOTS
};

/* Number of padding bytes after the last gray value of the masks, because vector loads may read
 * beyond the last value */
#define SLACK 64

/* Alignment of the images of results in their common memory, in bytes */
#define ALIGNMENT 64

typedef struct
{
  MgpuObject object;
  gsize group[2];               /* number of work-items of a work-group in x and y */
} Blend;

static guint
get_layout (const Blend * self, guint component)
{
  const GstVideoInfo *info = &self->object.in;

  return mgpu_get_component (info, component).pixel_stride
      != mgpu_get_component (info, 0).pixel_stride;
}

static guint
count_components (const Blend * self)
{
  return MIN (GST_VIDEO_INFO_N_COMPONENTS (&self->object.in), 3);
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Blend *self = object;
  const gint *knobs = self->object.knobs;

  mgpu_group (self->object.context, knobs[GROUP_X], knobs[GROUP_Y],
      self->group);
  return get_layout (self, count_components (self) - 1) == 0
      || mgpu_object_build (self, 1, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuComponent c = mgpu_get_component (&((MgpuObject *) object)->in, set);

  mgpu_define_samples (options, &c);
}

gboolean
mgpu_blend_set_masks (gpointer object, GstMgpuJob * job, const guint8 * masks,
    gsize n)
{
  MgpuObject *self = object;

  /* Allocates new memory for the masks, because kernels may still be reading the old memory. */
  g_clear_pointer (&self->slots[MASKS], gst_memory_unref);
  return mgpu_slot_upload (self, MASKS, job, masks, n, SLACK);
}

/* Sets @result to an image of the size of the box @part. The image begins at the byte
 * offset @size of the memory with all results. Returns: the byte offset for the next result,
 * which is aligned */
static gsize
place_result (const MgpuImage * in, const MgpuRect * part, gsize size,
    MgpuImage * result)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_INFO_FORMAT (&in->info),
      part->width, part->height);
  *result = *in;
  result->info.width = part->width;
  result->info.height = part->height;
  result->info.size = info.size;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&info); i++) {
    result->info.offset[i] = size + info.offset[i];
    result->info.stride[i] = info.stride[i];
  }
  return size + GST_ROUND_UP_N (info.size, ALIGNMENT);
}

gboolean
mgpu_blend_get_results (gpointer object, GstMgpuJob * job,
    const MgpuImage * in, const MgpuRect * rects, guint n, MgpuImage * results)
{
  gsize size = 0;

  for (guint i = 0; i < n; i++)
    size = place_result (in, &rects[i], size, &results[i]);
  if (size > G_MAXINT) {
    gst_mgpu_job_fail (job, g_error_new (GST_MGPU_ERROR,
            GST_MGPU_ERROR_OUT_OF_MEMORY, "the parts of a frame of %dx%d that "
            "change take %" G_GSIZE_FORMAT " bytes, and kernels can use %d: "
            "scale the frame down before this element", in->info.width,
            in->info.height, size, G_MAXINT));
    return FALSE;
  }
  if (!mgpu_slot_ensure (object, RESULTS, job, size))
    return FALSE;
  for (guint i = 0; i < n; i++)
    results[i].memory =
        (GstMgpuMemory *) ((MgpuObject *) object)->slots[RESULTS];
  return TRUE;
}

void
mgpu_blend_enqueue (gpointer object, GstMgpuJob * job, const MgpuImage * frame,
    const MgpuImage * result, gsize offset, gint stride, gboolean is_inverted,
    guint mix)
{
  Blend *self = object;
  const GstVideoFormatInfo *format = frame->info.finfo;

  for (guint i = 0; i < count_components (self); i++) {
    cl_kernel kernel = self->object.kernels[get_layout (self, i)];
    MgpuComponent c = mgpu_get_component (&frame->info, i);
    MgpuComponent from = mgpu_get_component (&result->info, i);

    /* Without a mask, passes the memory of the image @result instead of the masks; the kernel
     * does not read this argument then. */
    gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_PLANE "iiimiiiiii",
        MGPU_WRITE (job, frame, c), MGPU_READ (job, result, from), c.position,
        c.width, c.height, stride > 0 ? mgpu_slot_read (self, MASKS, job)
        : gst_mgpu_job_read (job, result->memory), (gint) offset, stride,
        (gint) format->w_sub[i], (gint) format->h_sub[i], is_inverted,
        (gint) mix);
    mgpu_launch (job, kernel, c.width, c.height, self->object.knobs[LANES],
        self->object.knobs[ROWS], self->group);
  }
}

const MgpuAlgorithm mgpu_blend = {
  .size = sizeof (Blend),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define
};

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Weights the colors of frames by alpha before linear filters, and undoes this after them. */
#include "alpha.h"

enum
{
  SPLIT,
  JOIN
};

static const MgpuKernel kernels[] = {
  [SPLIT] = {"colour/alpha", "colour_alpha_split", 0},
  [JOIN] = {"colour/alpha", "colour_alpha_join", 0},
  {NULL}
};

static const MgpuKnob knobs[] = { MGPU_ROWS_KNOBS, {NULL} };

/* Indices of the slots: scratch buffers in device memory that hold the planes before and after
 * the filter */
enum
{
  BEFORE,
  AFTER,
  N_SLOTS
};

gboolean
mgpu_colour_has_alpha (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_IS_RGB (info) && GST_VIDEO_INFO_HAS_ALPHA (info);
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuColourAlpha *self = object;

  self->n_planes = *(const guint *) params + 1;
  mgpu_rows_init (&self->rows, self, GST_VIDEO_INFO_HEIGHT (&self->object.in));
  return TRUE;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuColourAlpha *self = object;
  const GstVideoInfo *info = &self->object.in;

  g_string_append_printf (options, " -DCHANNELS=%u -DRED=%d -DGREEN=%d "
      "-DBLUE=%d -DALPHA=%d", self->n_planes - 1,
      GST_VIDEO_INFO_COMP_POFFSET (info, 0),
      GST_VIDEO_INFO_COMP_POFFSET (info, 1),
      GST_VIDEO_INFO_COMP_POFFSET (info, 2),
      GST_VIDEO_INFO_COMP_POFFSET (info, 3));
}

static const MgpuAlgorithm alpha = {
  .size = sizeof (MgpuColourAlpha),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define
};

MgpuColourAlpha *
mgpu_colour_alpha_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint n_channels, GError ** error)
{
  guint64 most =
      MIN (gst_mgpu_context_get_traits (context)->max_allocation_size,
      G_MAXINT);
  GstVideoInfo plane;

  /* All planes of a frame are in one memory, in which kernels compute offsets as ints. */
  mgpu_colour_alpha_info (info, &plane);
  if ((n_channels + 1) * (guint64) GST_VIDEO_INFO_SIZE (&plane) > most) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "a frame of %dx%d with alpha takes %" G_GUINT64_FORMAT " bytes on the "
        "device, but only %" G_GUINT64_FORMAT
        " are available: scale the frame down before this element, or use a "
        "format without alpha, such as RGBx",
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
        (n_channels + 1) * (guint64) GST_VIDEO_INFO_SIZE (&plane), most);
    return NULL;
  }
  return mgpu_object_new (&alpha, context, info, NULL, NULL, &n_channels,
      error);
}

void
mgpu_colour_alpha_info (const GstVideoInfo * info, GstVideoInfo * plane)
{
  gst_video_info_set_format (plane, GST_VIDEO_FORMAT_GRAY16_LE,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
}

#define FRAME MGPU_PLANE MGPU_PLANE
#define FRAME_OF(job, frame, luma) \
    MGPU_READ_PLANE (job, frame, 0), \
    MGPU_READ_PLANE (job, luma != NULL ? luma : frame, 0)

#define PLANES "mii"
#define PLANES_OF(memory, planes) \
    memory, (gint) ((planes)->info.size / sizeof (guint16)), \
    (gint) ((planes)->info.stride[0] / sizeof (guint16))

gboolean
mgpu_colour_alpha_split (MgpuColourAlpha * self, GstMgpuJob * job,
    const MgpuImage * frame, const MgpuImage * luma,
    MgpuImage before[MGPU_COLOUR_ALPHA_PLANES],
    MgpuImage after[MGPU_COLOUR_ALPHA_PLANES])
{
  cl_kernel kernel = self->object.kernels[SPLIT];
  GstVideoInfo info;

  mgpu_colour_alpha_info (&frame->info, &info);
  /* Fills the planes with zeros, because vectors also read bytes beyond the ends of rows, which no
   * kernel writes. */
  for (guint i = 0; i < N_SLOTS; i++)
    if (!mgpu_slot_ensure_zeros (self, i, job, self->n_planes * info.size))
      return FALSE;
  for (guint i = 0; i < self->n_planes; i++) {
    before[i].memory = (GstMgpuMemory *) self->object.slots[BEFORE];
    before[i].info = info;
    before[i].info.offset[0] = i * info.size;
    after[i] = before[i];
    after[i].memory = (GstMgpuMemory *) self->object.slots[AFTER];
  }
  gst_mgpu_job_set_args (job, kernel, FRAME PLANES "ii",
      FRAME_OF (job, frame, luma), PLANES_OF (mgpu_slot_write (self, BEFORE,
              job, 0), before), GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_HEIGHT (&info));
  gst_mgpu_job_launch (job, kernel, 2, self->rows.global, self->rows.local);
  return TRUE;
}

void
mgpu_colour_alpha_join (MgpuColourAlpha * self, GstMgpuJob * job,
    const MgpuImage * frame, const MgpuImage * luma,
    const MgpuImage after[MGPU_COLOUR_ALPHA_PLANES], const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[JOIN];

  gst_mgpu_job_set_args (job, kernel, FRAME PLANES MGPU_PLANE "ii",
      FRAME_OF (job, frame, luma), PLANES_OF (mgpu_slot_read (self, AFTER,
              job), after), MGPU_WRITE_PLANE (job, out, 0),
      GST_VIDEO_INFO_WIDTH (&frame->info),
      GST_VIDEO_INFO_HEIGHT (&frame->info));
  gst_mgpu_job_launch (job, kernel, 2, self->rows.global, self->rows.local);
}

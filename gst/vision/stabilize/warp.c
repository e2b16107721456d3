/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Warps frames by a homography. */
#include "warp.h"

#include <gst/vision/colour/colour.h>
#include <kernels/stabilize/stabilize-shared.h>

enum
{
  RUN,
  ROWS,
  GROUP_X,
  GROUP_Y
};

static const MgpuKnob knobs[] = {
  {"RUN", {16, 1, 1}, "1 16", "columns of a work-item"},
  {"ROWS", {16, 1, 1}, "1 4 8 16", "rows of a work-item"},
  {"GROUP_X", {4, 32, 32}, "1 4 16 32 64", "work-items side by side"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4", "height of a work-group, in work-items"},
  {NULL}
};

/* Largest number of different memory layouts of samples in a frame: the layout of the first
 * colour component, and the layout of chroma */
#define N_LAYOUTS 2

/* Indices of the kernels for one memory layout of samples, relative to the first kernel of the
 * layout in the array @kernels */
enum
{
  BILINEAR,
  CUBIC,
  N_KERNELS
};

static const MgpuKernel kernels[] = {
  {"stabilize/warp", "warp_bilinear", 0},
  {"stabilize/warp", "warp_cubic", 0},
  {"stabilize/warp", "warp_bilinear", 1},
  {"stabilize/warp", "warp_cubic", 1},
  {NULL}
};

#define MAX_GROUPS 3

/* Describes a group of colour components whose samples are adjacent in memory (such as R, G and
 * B of a pixel). They are warped together. */
typedef struct
{
  guint first, n;               /* index of the first colour component of the group, and number
                                 * of its colour components */
  guint layout;                 /* index of the set of kernels that is compiled for these colour
                                 * components */
  gint at[4];                   /* offset, in bytes, of each sample of a pixel from the first
                                 * sample of the pixel */
  gint black[4];
} Group;

typedef struct
{
  MgpuObject object;
  Group groups[MAX_GROUPS];
  guint n_groups;
  gsize size[2];                /* size of a work-group */
} Warp;

/* Returns: whether the samples of the colour components @a and @b are interleaved in one plane,
 * like U and V of NV12 */
static gboolean
is_beside (const GstVideoInfo * info, guint a, guint b)
{
  return GST_VIDEO_INFO_COMP_PLANE (info, a) == GST_VIDEO_INFO_COMP_PLANE (info,
      b) && mgpu_get_component (info, a).pixel_stride
      == mgpu_get_component (info, b).pixel_stride;
}

/* Adds the unused byte of RGBx and similar formats to the group @group. It is then warped like a
 * colour component. */
static void
add_padding (const GstVideoInfo * info, Group * group)
{
  gint at = 0 + 1 + 2 + 3;

  if (!GST_VIDEO_INFO_IS_RGB (info) || group->n != 3
      || GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) != 4)
    return;
  for (guint i = 0; i < 3; i++)
    at -= GST_VIDEO_INFO_COMP_POFFSET (info, i);
  group->at[3] = at - (gint) GST_VIDEO_INFO_COMP_POFFSET (info, 0);
  group->black[3] = 255;
  group->n = 4;
}

static void
find_groups (Warp * self)
{
  const GstVideoInfo *info = &self->object.in;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    MgpuComponent c = mgpu_get_component (info, i);
    Group *group = &self->groups[MAX (self->n_groups, 1) - 1];

    if (self->n_groups == 0 || !is_beside (info, group->first, i)) {
      group = &self->groups[self->n_groups++];
      group->first = i;
      group->layout = i > 0
          && c.pixel_stride != mgpu_get_component (info, 0).pixel_stride;
    }
    group->at[group->n] = c.offset - mgpu_get_component (info,
        group->first).offset;
    group->black[group->n++] = mgpu_colour_black (info, i);
  }
  add_padding (info, &self->groups[0]);
}

/* Rejects frames whose last samples are beyond the largest coordinate. Returns: FALSE for such
 * frames; @error is set */
static gboolean
check_size (const GstVideoInfo * info, GError ** error)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);

  if (MAX (width, height) <= STABILIZE_FAR)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "a frame of %dx%d has more than %d columns or rows: scale it down before "
      "this element", width, height, STABILIZE_FAR);
  return FALSE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Warp *self = object;

  if (!check_size (&self->object.in, error)
      || !check_size (&self->object.out, error))
    return FALSE;
  find_groups (self);
  mgpu_group (self->object.context, self->object.knobs[GROUP_X],
      self->object.knobs[GROUP_Y], self->size);
  return self->groups[self->n_groups - 1].layout == 0
      || mgpu_object_build (self, 1, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  Warp *self = object;
  const Group *group = &self->groups[0];
  MgpuComponent c;

  while (group->layout != set)
    group++;
  c = mgpu_get_component (&self->object.in, group->first);
  mgpu_define_samples (options, &c);
  g_string_append_printf (options, " -DSAMPLES=%u -DAT1=%d -DAT2=%d -DAT3=%d",
      group->n, group->at[1], group->at[2], group->at[3]);
}

/* Computes the conversion from sample coordinates to pixel coordinates along one axis. A sample
 * with the coordinate x has the pixel coordinate *@scale * x + *@offset. A sample covers 1 <<
 * @shift pixels. It lies at the first of these pixels if @is_cosited is TRUE, otherwise at their
 * centre. */
static void
find_axis (guint shift, gboolean is_cosited, gdouble * scale, gdouble * offset)
{
  *scale = 1 << shift;
  *offset = is_cosited ? 0 : (*scale - 1) / 2;
}

/* Sets @moved to the matrix that moves positions in samples of a colour component in the same
 * way as @matrix moves positions in pixels. Its last number is 1. */
static void
move_component (const GstVideoInfo * info, guint component,
    const gdouble matrix[9], gfloat moved[9])
{
  GstVideoChromaSite site = info->chroma_site;
  gdouble scale[2], offset[2], m[9];

  find_axis (info->finfo->w_sub[component],
      (site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0, &scale[0], &offset[0]);
  find_axis (info->finfo->h_sub[component],
      (site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0, &scale[1], &offset[1]);
  for (guint i = 0; i < 3; i++) {
    const gdouble *row = matrix + 3 * i;

    m[3 * i] = row[0] * scale[0];
    m[3 * i + 1] = row[1] * scale[1];
    m[3 * i + 2] = row[0] * offset[0] + row[1] * offset[1] + row[2];
  }
  for (guint j = 0; j < 3; j++)
    for (guint i = 0; i < 2; i++)
      m[3 * i + j] = (m[3 * i + j] - offset[i] * m[6 + j]) / scale[i];
  for (guint i = 0; i < 9; i++)
    moved[i] = m[i] / m[8];
}

static void
enqueue_group (Warp * self, GstMgpuJob * job, const MgpuWork * work,
    const Group * group)
{
  const MgpuWarpParams *params = work->params;
  cl_kernel kernel = self->object.kernels[N_KERNELS * group->layout
      + (params->is_cubic ? CUBIC : BILINEAR)];
  MgpuComponent from = mgpu_get_component (&work->in->info, group->first);
  MgpuComponent to = mgpu_get_component (&work->out->info, group->first);
  const gint *black = group->black;
  gfloat m[9];

  move_component (&self->object.in, group->first, params->matrix, m);
  gst_mgpu_job_set_args (job, kernel,
      MGPU_PLANE MGPU_PLANE "iiiiffffffffiiiiii",
      MGPU_READ (job, work->in, from), MGPU_WRITE (job, work->out, to),
      from.width, from.height, to.width, to.height,
      m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[6] == 0 && m[7] == 0,
      (gint) params->edges, black[0], black[1], black[2], black[3]);
  mgpu_launch (job, kernel, to.width, to.height,
      self->object.knobs[RUN], self->object.knobs[ROWS], self->size);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Warp *self = object;
  const GstVideoInfo *info = &work->out->info;

  /* Copies the bytes that no kernel writes. They exist in packed formats such as YUY2: rows with
   * an odd number of pixels end with an extra pixel that is not part of the frame. */
  if (GST_VIDEO_INFO_N_PLANES (info) == 1 && GST_VIDEO_INFO_IS_YUV (info)
      && info->width % 2 == 1 && work->in->info.width == info->width
      && work->in->info.height == info->height)
    mgpu_image_copy_planes (job, work->in, work->out, 1);
  for (guint i = 0; i < self->n_groups; i++)
    enqueue_group (self, job, work, &self->groups[i]);
}

const MgpuAlgorithm mgpu_warp = {
  .size = sizeof (Warp),
  .knobs = knobs,
  .kernels = kernels,
  .init = init,
  .define = define,
  .enqueue = enqueue
};

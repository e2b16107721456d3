/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the algorithms that warp frames share: groups of color components, and launches. */
#include "groups.h"

#include <gst/vision/colour/colour.h>
#include <kernels/base/warp-shared.h>

/* Returns: whether the samples of the color components @a and @b are interleaved in one plane,
 * like U and V of NV12 */
static gboolean
is_beside (const GstVideoInfo * info, guint a, guint b)
{
  return GST_VIDEO_INFO_COMP_PLANE (info, a) == GST_VIDEO_INFO_COMP_PLANE (info,
      b) && mgpu_get_component (info, a).pixel_stride
      == mgpu_get_component (info, b).pixel_stride;
}

/* Adds the unused byte of RGBx and similar formats to the group @group. It is then warped like a
 * color component. */
static void
add_padding (const GstVideoInfo * info, MgpuWarpGroup * group)
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

/* Sets @groups to the groups of frames with the format of @info. The unused byte of RGBx and
 * similar formats is warped like a color component. Returns: number of groups */
static guint
find_groups (const GstVideoInfo * info,
    MgpuWarpGroup groups[MGPU_WARP_MAX_GROUPS])
{
  guint n = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    MgpuComponent c = mgpu_get_component (info, i);
    MgpuWarpGroup *group = &groups[MAX (n, 1) - 1];

    if (n == 0 || !is_beside (info, group->first, i)) {
      group = &groups[n++];
      *group = (MgpuWarpGroup) {
      .first = i,.is_other = i > 0
            && c.pixel_stride != mgpu_get_component (info, 0).pixel_stride};
    }
    group->at[group->n] = c.offset - mgpu_get_component (info,
        group->first).offset;
    group->black[group->n++] = mgpu_colour_black (info, i);
  }
  add_padding (info, &groups[0]);
  return n;
}

/* Rejects input and output frames whose last samples are beyond the largest coordinate.
 * Returns: FALSE for such frames; @error is set */
static gboolean
check_sizes (const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  gboolean is_in = MAX (in->width, in->height) > WARP_FAR;
  const GstVideoInfo *info = is_in ? in : out;

  if (MAX (info->width, info->height) <= WARP_FAR)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s frame of %dx%d has more than %d columns or rows: %s", is_in ? "a"
      : "an output", info->width, info->height, WARP_FAR, is_in
      ? "scale it down before this element"
      : "put a capsfilter with a smaller size after this element");
  return FALSE;
}

/* Copies the bytes of a frame that no kernel writes. */
static void
copy_rest (GstMgpuJob * job, const MgpuWork * work)
{
  const GstVideoInfo *info = &work->out->info;

  /* Such bytes exist in packed formats like YUY2: rows with an odd number of pixels end with an
   * extra pixel that is not part of the frame. */
  if (GST_VIDEO_INFO_N_PLANES (info) == 1 && GST_VIDEO_INFO_IS_YUV (info)
      && info->width % 2 == 1 && work->in->info.width == info->width
      && work->in->info.height == info->height)
    mgpu_image_copy_planes (job, work->in, work->out, 1);
}

gboolean
mgpu_warp_init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuWarpObject *self = object;

  if (!check_sizes (&self->object.in, &self->object.out, error))
    return FALSE;
  self->n_groups = find_groups (&self->object.in, self->groups);
  mgpu_group (self->object.context, self->object.knobs[MGPU_WARP_GROUP_X],
      self->object.knobs[MGPU_WARP_GROUP_Y], self->size);
  return TRUE;
}

void
mgpu_warp_define (gpointer object, guint set, GString * options)
{
  MgpuWarpObject *self = object;
  const GstVideoInfo *info = &self->object.in;
  const MgpuWarpGroup *groups = self->groups;
  const MgpuWarpGroup *last = &groups[self->n_groups - 1];
  MgpuComponent c = mgpu_get_component (info, groups->first);

  mgpu_define_samples (options, &c);
  g_string_append_printf (options, " -DSAMPLES=%u -DAT1=%d -DAT2=%d -DAT3=%d",
      groups->n, groups->at[1], groups->at[2], groups->at[3]);
  if (last->is_other) {
    c = mgpu_get_component (info, last->first);
    g_string_append_printf (options, " -DCHROMA=1 -DCHROMA_SAMPLES=%u "
        "-DCHROMA_AT1=%d -DCHROMA_STRIDE=%d", last->n, last->at[1],
        c.pixel_stride);
  }
}

void
mgpu_warp_begin (const MgpuWarpObject * self, GstMgpuJob * job,
    const MgpuWork * work, const gint * colour, MgpuWarpParts * parts)
{
  const GstVideoInfo *info = &work->in->info;
  const MgpuWarpGroup *groups = self->groups;
  gint rows = self->object.knobs[MGPU_WARP_ROWS], group = self->size[1];

  copy_rest (job, work);
  *parts = (MgpuWarpParts) {
  0};
  for (guint i = 0; i < self->n_groups; i++) {
    guint first = groups[i].first;

    parts->from[i] = mgpu_get_component (info, first);
    parts->to[i] = mgpu_get_component (&work->out->info, first);
    parts->rows[i] = (parts->to[i].height + rows * group - 1) / (rows * group)
        * group;
    for (guint j = 0; j < 4; j++)
      parts->colours[i][j] = colour == NULL
          || first + j >= GST_VIDEO_INFO_N_COMPONENTS (info)
          ? groups[i].black[j] : colour[first + j];
  }
}

void
mgpu_warp_launch (const MgpuWarpObject * self, GstMgpuJob * job,
    cl_kernel kernel, const MgpuWarpParts * parts)
{
  gint rows = self->object.knobs[MGPU_WARP_ROWS];

  mgpu_launch (job, kernel, parts->to[0].width,
      (parts->rows[0] + parts->rows[1] + parts->rows[2]) * rows,
      self->object.knobs[MGPU_WARP_RUN], rows, self->size);
}

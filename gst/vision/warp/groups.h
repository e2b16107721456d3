/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

#define MGPU_WARP_MAX_GROUPS 3

/* Describes a group of colour components whose samples are adjacent in memory (such as R, G and
 * B of a pixel). They are warped together. */
typedef struct
{
  guint first, n;               /* index of the first colour component of the group, and number
                                 * of its colour components */
  guint layout;                 /* index of the set of kernels that is compiled for these colour
                                 * components: 0 for the first one, 1 for chroma that differs */
  gint at[4];                   /* offset, in bytes, of each sample of a pixel from the first
                                 * sample of the pixel */
  gint black[4];
} MgpuWarpGroup;

/* Sets @groups to the groups of frames with the format of @info. The unused byte of RGBx and
 * similar formats is warped like a colour component. Returns: number of groups */
guint mgpu_warp_find_groups (const GstVideoInfo * info, MgpuWarpGroup groups[MGPU_WARP_MAX_GROUPS]);

/* Appends the macros for the kernels of set @set to @options. */
void mgpu_warp_define_group (const GstVideoInfo * info, const MgpuWarpGroup * groups, guint set, GString * options);

/* Rejects input and output frames whose last samples are beyond the largest coordinate.
 * Returns: FALSE for such frames; @error is set */
gboolean mgpu_warp_check_sizes (const GstVideoInfo * in, const GstVideoInfo * out, GError ** error);

/* Copies the bytes of a frame that no kernel writes. */
void mgpu_warp_copy_rest (GstMgpuJob * job, const MgpuWork * work);

G_END_DECLS

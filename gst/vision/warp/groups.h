/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

#define MGPU_WARP_MAX_GROUPS 3

/* Describes a group of color components whose samples are adjacent in memory (such as R, G and
 * B of a pixel). They are warped together. */
typedef struct
{
  guint first, n;               /* index of the first color component of the group, and number
                                 * of its color components */
  gboolean is_other;            /* TRUE for chroma whose samples lie in memory in another way than
                                 * those of the first group */
  gint at[4];                   /* offset, in bytes, of each sample of a pixel from the first
                                 * sample of the pixel */
  gint black[4];
} MgpuWarpGroup;

/* Sets @groups to the groups of frames with the format of @info. The unused byte of RGBx and
 * similar formats is warped like a color component. Returns: number of groups */
guint mgpu_warp_find_groups (const GstVideoInfo * info, MgpuWarpGroup groups[MGPU_WARP_MAX_GROUPS]);

/* Appends the macros for the kernels to @options. */
void mgpu_warp_define_groups (const GstVideoInfo * info, const MgpuWarpGroup * groups, guint n, GString * options);

/* Describes the groups of a frame for a launch that computes all of them: their planes in both frames,
 * and the samples of a pixel that is not seen. Members of groups that do not exist are 0. */
typedef struct
{
  MgpuComponent from[MGPU_WARP_MAX_GROUPS], to[MGPU_WARP_MAX_GROUPS];
  gint colours[MGPU_WARP_MAX_GROUPS][4];
  gint rows[MGPU_WARP_MAX_GROUPS];      /* of work-items, in whole work-groups */
} MgpuWarpParts;

/* Sets @parts to the parts of a launch whose work-items compute @rows rows, and whose work-groups are
 * @group work-items high. @colour: (nullable): samples of the components of a pixel that is not seen;
 * NULL: black */
void mgpu_warp_find_parts (const MgpuWork * work, const MgpuWarpGroup * groups, guint n, const gint * colour,
    gint rows, gint group, MgpuWarpParts * parts);

/* Enqueues a launch with the parts @parts. Work-items compute @columns columns of @rows rows. */
void mgpu_warp_launch (GstMgpuJob * job, cl_kernel kernel, const MgpuWarpParts * parts, gint columns, gint rows,
    const gsize group[2]);

/* The types and values of PARTS_PARAMETERS in kernels/warp/parts.h */
#define MGPU_WARP_PART "iiiiiiii"
#define MGPU_WARP_PARTS "mm" MGPU_WARP_PART MGPU_WARP_PART MGPU_WARP_PART "iiiiiiiiii"
#define MGPU_WARP_USE_PART(parts, i) \
    (parts)->from[i].offset, (parts)->from[i].stride, (parts)->to[i].offset, (parts)->to[i].stride, \
    (parts)->colours[i][0], (parts)->colours[i][1], (parts)->colours[i][2], (parts)->colours[i][3]
#define MGPU_WARP_USE_SIZES(parts, i) \
    (parts)->from[i].width, (parts)->from[i].height, (parts)->to[i].width, (parts)->to[i].height
#define MGPU_WARP_USE_PARTS(job, work, parts) \
    gst_mgpu_job_read (job, (work)->in->memory), gst_mgpu_job_write (job, (work)->out->memory), \
    MGPU_WARP_USE_PART (parts, 0), MGPU_WARP_USE_PART (parts, 1), MGPU_WARP_USE_PART (parts, 2), \
    MGPU_WARP_USE_SIZES (parts, 0), MGPU_WARP_USE_SIZES (parts, 1), (parts)->rows[0], (parts)->rows[1]

/* Rejects input and output frames whose last samples are beyond the largest coordinate.
 * Returns: FALSE for such frames; @error is set */
gboolean mgpu_warp_check_sizes (const GstVideoInfo * in, const GstVideoInfo * out, GError ** error);

/* Copies the bytes of a frame that no kernel writes. */
void mgpu_warp_copy_rest (GstMgpuJob * job, const MgpuWork * work);

G_END_DECLS

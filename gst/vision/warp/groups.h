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
  gboolean is_other;            /* TRUE for chroma whose samples have a different memory layout than
                                 * the samples of the first group */
  gint at[4];                   /* offset, in bytes, of each sample of a pixel from the first
                                 * sample of the pixel */
  gint black[4];
} MgpuWarpGroup;

/* Indices of the tuning parameters that all algorithms of this folder have */
enum
{
  MGPU_WARP_RUN,
  MGPU_WARP_ROWS,
  MGPU_WARP_GROUP_X,
  MGPU_WARP_GROUP_Y
};

/* The object of an algorithm that warps frames. Objects with more members begin with it. */
typedef struct
{
  MgpuObject object;
  MgpuWarpGroup groups[MGPU_WARP_MAX_GROUPS];
  guint n_groups;
  gsize size[2];                /* size of a work-group */
} MgpuWarpObject;

/* Implements init() of MgpuAlgorithm: finds the groups of the frames. Fails for frames whose last
 * samples are beyond the largest coordinate. */
gboolean mgpu_warp_init (gpointer object, gconstpointer params, GError ** error);

/* Implements define() of MgpuAlgorithm: appends the macros that describe the groups. */
void mgpu_warp_define (gpointer object, guint set, GString * options);

/* Describes the groups of a frame for a launch that computes all of them: their planes in both
 * frames, and the samples of a pixel outside the input frame. Members of groups that do not exist
 * are 0. */
typedef struct
{
  MgpuComponent from[MGPU_WARP_MAX_GROUPS], to[MGPU_WARP_MAX_GROUPS];
  gint colours[MGPU_WARP_MAX_GROUPS][4];
  gint rows[MGPU_WARP_MAX_GROUPS];      /* number of work-items, in whole work-groups */
} MgpuWarpParts;

/* Copies the bytes of a frame that no kernel writes, and sets @parts to the parts of the launch.
 * @colour: (nullable): samples of the components of a pixel outside the input frame; NULL: black */
void mgpu_warp_begin (const MgpuWarpObject * self, GstMgpuJob * job, const MgpuWork * work, const gint * colour,
    MgpuWarpParts * parts);

/* Enqueues a launch with the parts @parts. */
void mgpu_warp_launch (const MgpuWarpObject * self, GstMgpuJob * job, cl_kernel kernel, const MgpuWarpParts * parts);

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

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the source files of inpainting share. */
#pragma once

#include "plan.h"
#include "seam.h"
#include "inpaint.h"

G_BEGIN_DECLS

/* Remembers the patches of an earlier frame, whose sources are in the slot ORIGIN. */
typedef struct
{
  gboolean is_valid;            /* whether patches are remembered */
  MgpuInpaintWay way;           /* how the last frame was filled */
  guint next_level;             /* level after which the next frame with a budget begins */
  GArray *levels;               /* gint: first target of each level, number of targets */
  gpointer host_fits;           /* copy of the slot FITS, then room for a copy of FOUND */
} MgpuInpaintVideo;

/* Names the indices of the array knobs. */
enum
{
  ROW_GROUP,
  LANES,
  SEARCH_GROUP,
  STEP_GROUP,
  SLOTS,
  UNIT_PARTS,
  QUICK_BATCH
};

/* Names the indices of the array kernels. */
typedef enum
{
  LOAD,
  STORE,
  MARK,
  BLEND,
  LOAD_PLAIN,
  DIFFUSE,
  BEGIN,
  GRADIENTS,
  PRIORITIES,
  SEGMENTS,
  STEP,
  REPORT,
  SEARCH,
  LIST,
  FOLLOW
} Kernel;

/* Names the slots, which are memories on the device. Each frame needs the slots before
 * N_OF_FRAME, of which the slots before N_PLANNED hold the plan. */
enum
{
  OBJECT,
  SOURCES,
  WINDOWS,
  LANE_BOXES,
  ORDER,
  N_PLANNED,
  WORK = N_PLANNED,
  GREY,
  UNKNOWN,
  CONFIDENCE,
  GRADIENT,
  PRIORITY,
  ORIGIN,
  FILLER,
  TARGETS,
  VALUES,
  BESIDE,
  ENTRIES,
  STATES,
  PARTS,
  SEGMENT_KEYS,
  N_OF_FRAME,
  LEFT_OVER = N_OF_FRAME,       /* two slots in turn: reports of batches */
  HOLE_FILLER = LEFT_OVER + 2,  /* target that filled each pixel of the hole's box */
  FOLLOWED,                     /* remembered targets; FITS has their costs when they were
                                 * filled, FOUND their costs in this frame */
  FITS,
  FOUND,
  N_SLOTS
};

struct _MgpuInpaint
{
  MgpuObject object;
  gsize row[2];                 /* work-group whose work-items share a row */
  guint compute_units;
  gint plane;                   /* words of a plane of the working copy */

  MgpuInpaintParams params;
  MgpuInpaintPlan *plan;
  MgpuInpaintResult result;
  gboolean changed;             /* whether the plan is not on the device yet */
  cl_mem mem[N_OF_FRAME];       /* memories of slots, valid while a frame is enqueued */

  gboolean temporal;
  GTimeSpan budget;             /* time for a frame, in microseconds; 0: no limit */
  gint64 deadline;              /* monotonic time at which steps for this frame end */
  gboolean unfinished;          /* whether WORK and ORIGIN hold a frame filled in part */
  MgpuInpaintVideo video;
  gboolean blend;               /* whether patches that overlap are blended */
  gboolean smooth;              /* whether seams are taken out */
  MgpuInpaintSeam *seam;
};

/* Largest number of patches that one launch follows. */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* Waits for job, and remembers the patches with which it filled the hole. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Changes the slot ORIGIN so that the frame in the slot WORK is filled with the
 * remembered patches, or with better ones. Returns: FALSE when the patches do not fit
 * any more, or after an error, which is in job */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the parts of inpainting share. */
#pragma once

#include "plan.h"
#include "seam.h"
#include "inpaint.h"

G_BEGIN_DECLS

/* Remembers the patches of an earlier frame. Their sources are in ORIGIN. */
typedef struct
{
  gboolean is_valid;            /* whether there is such a frame */
  MgpuInpaintWay way;           /* how the last frame was filled */
  guint next_level;             /* with a budget: the level at which the next frame begins */
  GArray *levels;               /* gint: the first target of each level, and the number of targets */
  gpointer host_fits;           /* a copy of FITS, and room for a copy of FOUND */
} MgpuInpaintVideo;

/* Knobs, by their place in the list */
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

/* Kernels, by their place in the list */
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

/* Slots. A frame needs the slots before N_OF_FRAME, of which the slots before N_PLANNED
 * come from the plan. */
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
  LEFT_OVER = N_OF_FRAME,       /* two: reports of batches, by turns */
  HOLE_FILLER = LEFT_OVER + 2,  /* the target that filled each pixel of the hole's box */
  FOLLOWED,                     /* targets; this and the next two: see kernels/inpaint/follow.cl */
  FITS,
  FOUND,
  N_SLOTS
};

struct _MgpuInpaint
{
  MgpuObject object;
  gsize row[2];                 /* work-items that share a row */
  guint compute_units;
  gint plane;                   /* words of a plane of the working copy */

  MgpuInpaintParams params;
  MgpuInpaintPlan *plan;
  MgpuInpaintResult result;
  gboolean changed;             /* whether the plan is not on the device yet */
  cl_mem mem[N_OF_FRAME];       /* valid while a frame is enqueued */

  gboolean temporal;
  GTimeSpan budget;             /* microseconds for a frame; 0: no limit */
  gint64 deadline;              /* when the time for this frame ends */
  gboolean unfinished;          /* whether WORK and ORIGIN hold an earlier frame that is filled in part */
  MgpuInpaintVideo video;
  gboolean blend;               /* whether patches that overlap are blended */
  gboolean smooth;              /* whether seams are taken out */
  MgpuInpaintSeam *seam;
};

/* Limits how many patches are followed by one launch. */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* Remembers which patches job filled, and waits for them. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Changes ORIGIN so that the frame in WORK is filled with the remembered patches, or
 * with better ones. Returns: FALSE when they do not fit any more, and after an error,
 * which is in job */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

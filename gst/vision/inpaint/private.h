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

/* Patches of a frame before, whose sources are in ORIGIN. */
typedef struct
{
  gboolean is_valid;            /* there is such a frame */
  MgpuInpaintWay way;           /* of the last frame */
  guint next_level;             /* with a budget: where the next frame begins */
  GArray *levels;               /* gint: where those begin that depend on the ones before, and the end */
  gpointer host_fits;           /* what is in FITS, and room for as much */
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

/* Slots: what a frame needs, of which the first ones come from the plan; what every
 * other batch reports; what is remembered of a frame. */
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
  LEFT_OVER = N_OF_FRAME,
  HOLE_FILLER = LEFT_OVER + 2,  /* which target filled each pixel of the hole's box */
  FOLLOWED,                     /* targets, fits, found: see kernels/inpaint/follow.cl */
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
  gboolean changed;             /* the plan is not on the device yet */
  cl_mem mem[N_OF_FRAME];       /* while a frame is enqueued */

  gboolean temporal;
  GTimeSpan budget;             /* of a frame, or 0 */
  gint64 deadline;              /* of this frame */
  gboolean unfinished;          /* WORK and ORIGIN are of a frame before, and filled in part */
  MgpuInpaintVideo video;
  gboolean blend;               /* patches that overlap are blended */
  gboolean smooth;              /* seams are taken out */
  MgpuInpaintSeam *seam;
};

/* Patches that are followed at once. */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* Remembers what job filled. The job's work so far is done. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Fills the frame in WORK from what is remembered: changes ORIGIN. FALSE: that does
 * not fit any more, or an error, which is in job. */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

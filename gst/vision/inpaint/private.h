/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the source files of inpainting share. */
#pragma once

#include <gst/vision/base/map.h>

#include "plan.h"
#include "inpaint.h"

G_BEGIN_DECLS

/* Knob that both algorithms of inpainting have. */
#define MGPU_INPAINT_ROW_GROUP {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128", "work-items that share a row"}

/* Types and values of the arguments with which a kernel reads a component of image: see
 * kernels/inpaint/samples.h. The parameter c is the layout of that component. */
#define MGPU_INPAINT_SAMPLES MGPU_PLANE "iiiiii"
#define MGPU_INPAINT_SAMPLES_OF(job, image, component, c) \
    MGPU_READ (job, image, c), (c).pixel_stride, (c).bytes, (c).shift, \
    (c).max, (image)->info.finfo->w_sub[component], \
    (image)->info.finfo->h_sub[component]

/* Remembers the patches of an earlier frame, whose sources are in the slot ORIGIN. */
typedef struct
{
  gboolean is_valid;            /* whether patches are remembered */
  MgpuInpaintWay way;           /* how the last frame was filled */
  guint next_level;             /* level after which the next frame with a budget begins */
  GArray *levels;               /* gint: first target of each level, number of targets */
  gpointer host_fits;           /* copy of the slot FITS, then room for a copy of FOUND */
} MgpuInpaintVideo;

/* Describes a level of the grids on which the equation for seams is solved. */
typedef struct
{
  gint columns, rows;
  gint unknown_at, at;          /* place of the level in SEAM_UNKNOWN, and in SEAM_FLOW and
                                 * SEAM_LIFT */
} MgpuInpaintLevel;

/* Holds all levels. A frame has no more than 2^31 pixels. */
typedef struct
{
  MgpuInpaintLevel levels[33];
  guint n_levels;
} MgpuInpaintSeam;

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
  FOLLOW,
  SEAM_BEGIN,
  SEAM_END,
  SEAM_COARSEN,
  SEAM_RELAX,
  SEAM_RESTRICT,
  SEAM_PROLONG
} Kernel;

/* Names the slots, which are memories on the device. Each frame needs the slots before
 * N_OF_FRAME, of which the slots before N_PLANNED hold the plan. Slots from SEAM_UNKNOWN to
 * SEAM_GIVEN are for seams: see kernels/inpaint/seam.cl. */
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
  SEAM_UNKNOWN = N_OF_FRAME,
  SEAM_FLOW,
  SEAM_LIFT,
  SEAM_GIVEN,
  N_MEM,
  LEFT_OVER = N_MEM,            /* two slots in turn: reports of batches */
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
  gint plane;                   /* words of a plane of the working copy */

  MgpuInpaintParams params;
  MgpuInpaintPlan *plan;
  MgpuInpaintResult result;
  gint n_slots;                 /* targets of a lane that are searched at the same time, each
                                 * in what is called a slot in kernels/inpaint */
  gint n_parts;                 /* work-groups of a search: at least one for each slot of
                                 * each lane, but not so many that some have no work when
                                 * all slots are searched */
  gint n_words;                 /* number of words of a row of the hole in TARGETS: one bit for
                                 * each pixel, one unused word before the row and one behind it */
  gboolean changed;             /* whether the plan is not on the device yet */
  cl_mem mem[N_MEM];            /* memories of slots, valid while a frame is enqueued */

  gboolean temporal;
  GTimeSpan budget;             /* time for a frame, in microseconds; 0: no limit */
  gint64 deadline;              /* monotonic time at which steps for this frame end */
  gboolean unfinished;          /* whether WORK and ORIGIN hold a frame filled in part */
  MgpuInpaintVideo video;
  gboolean blend;               /* whether patches that overlap are blended */
  gboolean smooth;              /* whether seams are taken out */
  MgpuInpaintSeam seam;
};

/* Size of an entry of the slot ENTRIES, in bytes */
#define ENTRY sizeof (cl_uint4)

/* Largest number of patches that one launch follows. */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* ---- frame.c: from and to frames ----------------------------------------------- */

/* Launches a kernel with row[0] work-items for each row of box. */
void mgpu_inpaint_launch_rows (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, MgpuBox box);

/* Makes the working copy of the frame in. */
void mgpu_inpaint_load (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in);

/* Marks the targets in TARGETS, one bit for each pixel of the hole. */
void mgpu_inpaint_mark (MgpuInpaint * self, GstMgpuJob * job);

/* Fill the unknown pixels of a component of out: with the samples from which ORIGIN says
 * that they are copied, blended or not; or with means of their neighbours. */
void mgpu_inpaint_copy (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);
void mgpu_inpaint_diffuse (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);

/* Takes the seams out of the first n components, which are colours, and writes them to
 * out. */
void mgpu_inpaint_smooth (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint n);

/* ---- seam.c: seams between patches ------------------------------------------------ */

#define MGPU_INPAINT_SEAM_MAX_COLOURS 3

/* Begins a frame: allocates memory for n_colours colours. FALSE: the error is in job. */
gboolean mgpu_inpaint_seam_start (MgpuInpaint * self, GstMgpuJob * job, guint n_colours);

/* Adds a colour of the frame, whose samples are in VALUES. With blend, the samples of
 * unknown pixels are there as well, and those beside them in BESIDE; else unknown pixels
 * are copied from the places in ORIGIN. */
void mgpu_inpaint_seam_add (MgpuInpaint * self, GstMgpuJob * job, guint colour);

/* Computes the result for all colours, which have been added. */
void mgpu_inpaint_seam_solve (MgpuInpaint * self, GstMgpuJob * job, guint n_colours);

/* Writes the result of a colour to VALUES. */
void mgpu_inpaint_seam_get (MgpuInpaint * self, GstMgpuJob * job, guint colour);

/* ---- steps.c: which pixels are copied -------------------------------------------- */

/* Computes the first state of the filling: gradients, priorities and segments. */
void mgpu_inpaint_begin (MgpuInpaint * self, GstMgpuJob * job);

/* Writes to ORIGIN the places from which the unknown pixels are copied, of as many pixels
 * as there is time for. Sets unfinished when pixels are left. Returns: FALSE when progress
 * returned FALSE; errors stay in job */
gboolean mgpu_inpaint_enqueue_steps (MgpuInpaint * self, GstMgpuJob * job, MgpuInpaintProgress progress,
    gpointer data);

/* ---- video.c: patches of earlier frames -------------------------------------------- */

/* Waits for job, and remembers the patches with which it filled the hole. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Changes the slot ORIGIN so that the frame in the slot WORK is filled with the
 * remembered patches, or with better ones. Returns: FALSE when the patches do not fit
 * any more, or after an error, which is in job */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares types and functions that the source files of inpainting share. */
#pragma once

#include <gst/vision/base/map.h>

#include "plan.h"
#include "inpaint.h"

G_BEGIN_DECLS

/* Describes a knob (tuning constant) that both algorithms of inpainting have */
#define MGPU_INPAINT_ROW_GROUP {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128", "work-items that share a row"}

/* Macros for gst_mgpu_job_set_args(): types and values of the arguments with which a
 * kernel reads a component of an image: see kernels/inpaint/samples.h. The parameter c is
 * the layout of that component. */
#define MGPU_INPAINT_SAMPLES MGPU_PLANE "iiiiii"
#define MGPU_INPAINT_SAMPLES_OF(job, image, component, c) \
    MGPU_READ (job, image, c), (c).pixel_stride, (c).bytes, (c).shift, \
    (c).max, (image)->info.finfo->w_sub[component], \
    (image)->info.finfo->h_sub[component]

/* Remembers the patches of an earlier frame. The slot ORIGIN has the pixels that they
 * were copied from. */
typedef struct
{
  gboolean is_valid;            /* whether patches are remembered */
  MgpuInpaintWay way;           /* how the last frame was filled */
  guint next_level;             /* level (see video.c) after which the search in
                                 * the next frame begins, when there is a time
                                 * budget */
  GArray *levels;               /* array of gint: for each level, the index of
                                 * its first target patch; at the end, the
                                 * number of target patches */
  gpointer host_fits;           /* copy of the slot FITS, and room behind it for a copy of
                                 * FOUND */
} MgpuInpaintVideo;

/* Describes a level of the multigrid solver, which removes seams by solving an
 * equation for the hole. */
typedef struct
{
  gint columns, rows;
  gint unknown_at, at;          /* index of the level's first cell in the slot SEAM_UNKNOWN,
                                 * and in SEAM_FLOW and SEAM_LIFT */
} MgpuInpaintLevel;

/* Holds all levels of the multigrid for seams. There are at most 33, because a frame has
 * no more than 2^31 pixels. */
typedef struct
{
  MgpuInpaintLevel levels[33];
  guint n_levels;
} MgpuInpaintSeam;

/* Indices into the array knobs, which lists the tuning constants of the kernels */
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

/* Indices into the array kernels, which lists the OpenCL kernels of inpainting */
typedef enum
{
  LOAD,
  STORE,
  MARK,
  BLEND,
  AGREE,
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
  SEAM_PROLONG,
  MATCH_LOAD,
  MATCH_GRADIENTS,
  MATCH_TEXTURES,
  MATCH_REDUCE,
  MATCH_SEED,
  MATCH_PEEL,
  MATCH_GROW,
  MATCH_PROPAGATE,
  MATCH_SEARCH,
  MATCH_VOTE,
  MATCH_FINISH
} Kernel;

/* Indices of the slots, the device memories that kernels leave for each other. Each frame
 * needs the slots before N_OF_FRAME, of which the slots before N_PLANNED hold the plan.
 * Slots from SEAM_UNKNOWN to SEAM_GIVEN are for removing seams: see
 * kernels/inpaint/seam.cl. */
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
  AGREED,
  ENTRIES,
  STATES,
  PARTS,
  SEGMENT_KEYS,
  N_OF_FRAME,
  SEAM_UNKNOWN = N_OF_FRAME,
  SEAM_FLOW,
  SEAM_LIFT,
  SEAM_GIVEN,
  SHOWN,                        /* for each pixel: the number of its object, 0
                                 * where the pixel is not written */
  N_MEM,
  LEFT_OVER = N_MEM,            /* two slots, used in turn: each gets the report
                                 * of a batch of steps */
  HOLE_FILLER = LEFT_OVER + 2,  /* for each pixel of the hole's box: centre of the patch that
                                 * filled it */
  FOLLOWED,                     /* remembered target patches; the slot FITS has
                                 * their costs at the time when they were
                                 * filled, the slot FOUND has their costs in
                                 * this frame */
  FITS,
  FOUND,
  MATCH_PIXELS,                 /* data of the levels from coarse to fine: see
                                 * kernels/inpaint/patchmatch.h */
  MATCH_FLAGS,
  MATCH_LISTS,
  MATCH_FIELDS,                 /* two slots: each round of the search reads one
                                 * of them and writes the other */
  N_SLOTS = MATCH_FIELDS + 2
};

struct _MgpuInpaint
{
  MgpuObject object;
  gsize row[2];                 /* size of a work-group, whose work-items share a row */
  gint plane;                   /* size of a plane of the working copy of the frame, in words */

  MgpuInpaintParams params;
  MgpuInpaintPlan *plan;
  MgpuInpaintResult result;
  gint n_slots;                 /* number of target patches of a lane for which
                                 * source patches are searched at the same time;
                                 * kernels/inpaint calls the place of each such
                                 * search a slot */
  gint n_parts;                 /* work-groups of a search: at least one for each slot of
                                 * each lane, but not so many that some have no work when
                                 * all slots are searched */
  gint n_words;                 /* number of words of a row of the hole in TARGETS: one bit for
                                 * each pixel, one unused word before the row and one behind it */
  gboolean changed;             /* whether the plan is not on the device yet */
  gint *shown;                  /* the plan's array object without the pixels that are known by
                                 * now; NULL: all of it */
  gboolean shown_changed;       /* whether shown is not on the device yet */
  gboolean levels_changed;      /* whether the pyramid of the plan is not on the
                                 * device yet */
  cl_mem mem[N_MEM];            /* memories of slots, valid while a frame is enqueued */

  gboolean wants_temporal;      /* whether patches of earlier frames are to be followed */
  gboolean temporal;            /* whether the patches of this frame are
                                 * followed: FALSE where the parameter keep is
                                 * set and there is no time budget */
  GTimeSpan budget;             /* largest time for a frame, in microseconds; 0: no limit */
  gint64 deadline;              /* monotonic time, in microseconds, at which steps for this
                                 * frame end */
  gboolean has_origins;         /* whether the slot ORIGIN still holds the
                                 * result of the first frame, for the parameter
                                 * keep */
  gboolean unfinished;          /* whether the slots WORK and ORIGIN hold a
                                 * frame whose hole is filled only in part */
  MgpuInpaintVideo video;
  gboolean wants_blend;         /* whether patches that overlap are to be blended */
  gboolean blend;               /* whether patches of this frame are blended:
                                 * FALSE where they were found all at once */
  gboolean smooth;              /* whether seams between patches are removed */
  MgpuInpaintSeam seam;
};

/* Size of an entry of the slot ENTRIES, in bytes */
#define ENTRY sizeof (cl_uint4)

/* Largest number of remembered patches that one launch compares with a frame */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* ---- frame.c: samples from and to frames --------------------------------------- */

/* Launches a kernel with row[0] work-items for each row of box. */
void mgpu_inpaint_launch_rows (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, MgpuBox box);

/* Enqueues kernels that copy the colours of the frame in to the slot WORK. */
void mgpu_inpaint_load (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in);

/* Enqueues a kernel that marks the targets, the centres of patches that were filled, in
 * the slot TARGETS, one bit for each pixel of the hole. */
void mgpu_inpaint_mark (MgpuInpaint * self, GstMgpuJob * job);

/* Enqueue kernels that fill the unknown pixels of a component of the frame out:
 * mgpu_inpaint_copy() copies them from the pixels that the slot ORIGIN names,
 * or blends the patches; mgpu_inpaint_diffuse() fills them with means of
 * neighbouring pixels. */
void mgpu_inpaint_copy (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);
void mgpu_inpaint_diffuse (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);

/* Enqueues kernels that remove the seams between patches from the first n components,
 * which are colours, and write the unknown pixels of these to the frame out. */
void mgpu_inpaint_smooth (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint n);

/* Enqueues kernels that fill the hole of all n components with a membrane (a
 * smooth surface that continues the known pixels), and write it to the frame
 * out. */
void mgpu_inpaint_harmonic (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint n);

/* ---- seam.c: seams between patches, and membranes --------------------------------- */

#define MGPU_INPAINT_SEAM_MAX_COLOURS 3

/* Begins to remove the seams of a frame: allocates memory for n_colours colours. FALSE:
 * the error is in job. */
gboolean mgpu_inpaint_seam_start (MgpuInpaint * self, GstMgpuJob * job, guint n_colours);

/* Adds a colour of the frame to the equation for seams; its samples are in the
 * slot VALUES. When the parameter blend is TRUE, this slot also has the samples
 * of unknown pixels, and the slot BESIDE has the samples beside them; otherwise
 * unknown pixels are copied from the pixels that the slot ORIGIN names. When
 * the parameter harmonic is TRUE, the result is a membrane that continues the
 * known pixels, and the samples of unknown pixels are ignored. */
void mgpu_inpaint_seam_add (MgpuInpaint * self, GstMgpuJob * job, guint colour, gboolean harmonic);

/* Enqueues the kernels that solve the equation for all n_colours colours, which have been
 * added. */
void mgpu_inpaint_seam_solve (MgpuInpaint * self, GstMgpuJob * job, guint n_colours, gboolean harmonic);

/* Enqueues the kernel that writes a colour without seams to the slot VALUES. */
void mgpu_inpaint_seam_get (MgpuInpaint * self, GstMgpuJob * job, guint colour, gboolean harmonic);

/* ---- match.c: which pixels are copied, all at once ------------------------------------ */

/* Writes to the slot ORIGIN, for each unknown pixel, the pixel from which it is
 * copied, found from coarse to fine. The plan must have levels, and the slot
 * WORK must hold the frame. Returns: FALSE when @progress returned FALSE;
 * errors stay in @job */
gboolean mgpu_inpaint_match (MgpuInpaint * self, GstMgpuJob * job, MgpuInpaintProgress progress, gpointer data);

/* ---- steps.c: which pixels are copied -------------------------------------------- */

/* Enqueues the kernels that compute the state before the first patch is filled:
 * gradients, priorities and segments. */
void mgpu_inpaint_begin (MgpuInpaint * self, GstMgpuJob * job);

/* Enqueues steps, each of which fills a patch, and writes to the slot ORIGIN
 * the pixels from which the unknown pixels are copied; stops when the time
 * budget is spent. Sets unfinished when pixels are left. Returns: FALSE when
 * the callback progress returned FALSE; errors stay in @job */
gboolean mgpu_inpaint_enqueue_steps (MgpuInpaint * self, GstMgpuJob * job, MgpuInpaintProgress progress,
    gpointer data);

/* ---- video.c: reuses patches of earlier frames ------------------------------------- */

/* Waits for @job, and remembers the patches with which its kernels filled the
 * hole. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Writes to the memory in the slot ORIGIN from which pixel each unknown pixel
 * of the frame is copied: from the same pixel as in the frame before, or from
 * one nearby that fits better. Returns: FALSE when the remembered patches do
 * not fit any more, or after an error, which is in @job */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares types and functions that the source files of inpainting share. */
#pragma once

#include <gst/vision/base/map.h>

#include "inpaint-plan.h"
#include "inpaint.h"

G_BEGIN_DECLS

/* Patches that filled the hole of an earlier frame. The scratch buffer ORIGIN contains, for each
 * unknown pixel, the pixel from which it was copied. */
typedef struct
{
  gboolean is_valid;            /* whether patches of an earlier frame are stored */
  MgpuInpaintWay way;           /* how the hole of the last frame was filled */
  guint next_level;             /* used with a time budget: the last level of target patches (see
                                 * video.c) for which better source patches were searched for;
                                 * the next frame continues after this level */
  GArray *levels;               /* array of gint: index of the first target patch of each level;
                                 * at the end, the number of target patches */
  gpointer host_fits;           /* host copy of the scratch buffer FITS (costs of patches),
                                 * followed by memory for a copy of the scratch buffer FOUND */
} MgpuInpaintVideo;

/* Describes a grid level of the multigrid solver. The solver removes seams by solving an
 * equation for the hole. */
typedef struct
{
  gint columns, rows;
  gint weights_at, at;          /* indices of the first grid cell of the level: @weights_at in
                                 * the scratch buffer SEAM_WEIGHTS, @at in the scratch buffers
                                 * SEAM_FLOW and SEAM_LIFT */
} MgpuInpaintLevel;

/* All levels of the multigrid solver. There are at most 33 levels, because a frame has at most
 * 2^31 pixels. */
typedef struct
{
  MgpuInpaintLevel levels[33];
  guint n_levels;
} MgpuInpaintSeam;

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  ROW_GROUP,
  LANES,
  SEARCH_GROUP,
  STEP_GROUP,
  MATCH_GROUP,
  SLOTS,
  UNIT_PARTS,
  QUICK_BATCH
};

/* Indices into the array @kernels, which lists the OpenCL kernels of inpainting */
typedef enum
{
  LOAD,
  FIND_ENDS,
  NARROW,
  STORE,
  MARK,
  BLEND,
  AGREE,
  LOAD_PLAIN,
  DIFFUSE,
  LINES_FIND,
  LINES_FILL,
  BEGIN,
  GRADIENTS,
  PRIORITIES,
  SEGMENTS,
  STEP,
  REPORT,
  SEARCH,
  LIST,
  FOLLOW,
  ACCEPT,
  SEAM_BEGIN,
  SEAM_END,
  SHADE_SUM,
  SHADE_FIT,
  SHADE_TRY,
  SHADE_JUDGE,
  SHADE_LAY,
  SEAM_COARSEN,
  SEAM_RELAX,
  SEAM_RESTRICT,
  SEAM_PROLONG,
  SEAM_CYCLE,
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

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels.
 * - Slots before N_OF_FRAME are needed for each frame. Of these, the slots before N_PLANNED
 *   contain the fill plan, which the host computes from the mask of unknown pixels.
 * - Slots from SEAM_WEIGHTS to SEAM_GIVEN are for removing seams: see kernels/inpaint/seam.cl.
 * - Slots from SHADE_PLANS to SHADES are for shades: see kernels/inpaint/shade.h. */
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
  ENDS,                         /* with a time budget, for each pixel of the box around the hole:
                                 * distances of the nearest known pixels in its row and column */
  AGREED,
  ENTRIES,
  STATES,
  PARTS,
  SEGMENT_KEYS,
  N_OF_FRAME,
  SEAM_WEIGHTS = N_OF_FRAME,
  SEAM_FLOW,
  SEAM_LIFT,
  SEAM_GIVEN,
  SHADE_PLANS,                  /* copy of plan->shade_words */
  SHADE_STATES,
  SHADES,                       /* for each pixel of the frame: the shade of one color
                                 * component, or NO_SHADE. Not used if there are no shades */
  SHOWN,                        /* for each pixel: the number of its object; 0 if the pixel is
                                 * not written to frames */
  N_MEM,
  LEFT_OVER = N_MEM,            /* two scratch buffers that batches of steps use alternately for
                                 * their report to the host: the number of lanes (parts of the
                                 * hole) with unfilled patches, and the number of filled pixels.
                                 * A step fills one patch in each lane */
  HOLE_FILLER = LEFT_OVER + 2,  /* for each pixel of the box around the hole: index, in the
                                 * frame, of the center of the patch that filled it */
  FOLLOWED,                     /* centers of the stored target patches. FITS contains the costs
                                 * of these patches in the frame in which the hole was filled,
                                 * FOUND their costs in this frame */
  FITS,
  FOUND,
  LINES_ENDS,                   /* for each line and each unknown pixel: distances of the known
                                 * pixels on both sides: see kernels/inpaint/lines.cl */
  MATCH_PIXELS,                 /* pixels of all levels of the pyramid that is used to fill holes
                                 * from coarse to fine: see kernels/inpaint/patchmatch.h */
  MATCH_FLAGS,
  MATCH_LISTS,
  MATCH_FIELDS,                 /* two scratch buffers, each with a source patch for each target
                                 * patch; each pass of the search reads one of them and writes
                                 * the other */
  N_SLOTS = MATCH_FIELDS + 2
};

struct _MgpuInpaint
{
  MgpuObject object;
  gsize row[2];                 /* size of a work-group in which each row of an image is
                                 * processed by several work-items */
  gint plane;                   /* size of a plane of the working copy of the frame, in 32-bit
                                 * words */

  MgpuInpaintParams params;
  MgpuInpaintPlan *plan;
  MgpuInpaintResult result;
  gint n_slots;                 /* number of target patches of a lane for which source patches
                                 * are searched for at the same time. In kernels, a slot is the
                                 * index of such a target patch */
  gint n_parts;                 /* number of work-groups of a search for source patches: at least
                                 * one for each target patch that is searched for at the same
                                 * time. It is limited such that all work-groups have work to do */
  gint n_words;                 /* number of 32-bit words for a row of the hole in the scratch
                                 * buffer TARGETS, which has one bit for each pixel, and one
                                 * unused word before and after each row */
  gboolean changed;             /* TRUE if @plan (data computed from the mask) must still be
                                 * copied to the device */
  gboolean is_narrowed;         /* TRUE if only the pixels marked in the scratch buffer SHOWN are
                                 * written to frames; FALSE if all pixels of the mask are written */
  gboolean shades_changed;      /* TRUE if plan->shade_words must still be copied to the device */
  gboolean shaded;              /* whether shades are fitted in this frame. For each domain, the
                                 * device decides whether the shade is used */
  gboolean levels_changed;      /* TRUE if the pyramid plan->levels must still be copied to the
                                 * device */
  gboolean lines_changed;       /* TRUE if LINES_ENDS must still be computed for @plan */
  cl_mem mem[N_MEM];            /* device memories of the first N_MEM scratch buffers, valid
                                 * while the kernels of a frame are enqueued */

  gboolean wants_temporal;      /* whether the caller wants patches of earlier frames to be
                                 * reused and adapted */
  gboolean temporal;            /* whether patches of earlier frames are reused and adapted for
                                 * this frame: equal to @wants_temporal, but FALSE if the
                                 * parameter @keep is set and there is no time budget */
  GTimeSpan budget;             /* time limit for a frame, in microseconds; 0: no limit */
  gint64 begun;                 /* monotonic time at which the work on the frame began, in
                                 * microseconds */
  gint64 deadline;              /* monotonic time, in microseconds, after which no more patches
                                 * are filled in this frame */
  gboolean has_origins;         /* used with the parameter @keep: TRUE if the scratch buffer
                                 * ORIGIN contains, for each unknown pixel, the pixel from which
                                 * it was copied in the first frame */
  gboolean unfinished;          /* whether the scratch buffers WORK and ORIGIN contain a frame
                                 * whose hole is only partly filled */
  MgpuInpaintVideo video;
  gboolean wants_blend;         /* whether the caller wants overlapping patches to be blended */
  gboolean blend;               /* whether overlapping patches of this frame are blended: equal
                                 * to @wants_blend, but FALSE if all patches are found at once,
                                 * from coarse to fine */
  gboolean smooth;              /* whether the caller wants seams between patches to be removed */
  MgpuInpaintSeam seam;
};

/* Size, in bytes, of an entry of the scratch buffer ENTRIES. An entry describes a pixel of a
 * target patch. */
#define ENTRY sizeof (cl_uint4)

/* Maximum number of work-groups of a kernel launch that compares stored patches with a frame */
#define MGPU_INPAINT_MAX_FOLLOWED 256

/* ---- frame.c: reads samples from frames, and writes them --------------------------- */

/* Launches the kernel @kernel with @row[0] work-items for each row of @box, where @row is a
 * member of @self. */
static inline void
mgpu_inpaint_launch_rows (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, MgpuBox box)
{
  if (box.y1 > box.y0)
    mgpu_launch (job, self->object.kernels[kernel], 1, box.y1 - box.y0, 1, 1, self->row);
}

/* Enqueues kernels that copy the colors of the frame @in to the scratch buffer WORK. */
void mgpu_inpaint_load (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in);

/* Enqueues the kernel that finds the nearest known pixels in the row and column of each pixel of
 * the hole. If the time budget ends before a pixel is covered by a patch, later kernels compute
 * the pixel from these known pixels. */
void mgpu_inpaint_find_ends (MgpuInpaint * self, GstMgpuJob * job);

/* Enqueues a kernel that marks the centers of target patches in the scratch buffer TARGETS,
 * which has one bit for each pixel of the hole. */
void mgpu_inpaint_mark (MgpuInpaint * self, GstMgpuJob * job);

/* Enqueue kernels that fill the unknown pixels of a color component of the frame @out.
 * mgpu_inpaint_copy() copies the pixels given by the scratch buffer ORIGIN, or blends the
 * patches. mgpu_inpaint_diffuse() computes means of neighboring pixels. */
void mgpu_inpaint_copy (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);
void mgpu_inpaint_diffuse (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component);

/* Enqueues kernels that smooth the seams between patches in the first @n color components, and
 * write the filled samples of these components to the frame @out. */
void mgpu_inpaint_smooth (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint n);

/* Enqueues kernels that fill the hole with a membrane, a smooth surface that continues the known
 * pixels, in all @n color components of the frame @out. */
void mgpu_inpaint_harmonic (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint n);

/* Enqueues kernels that fill the hole along straight lines, in all @n color components of the
 * frame @out. */
void mgpu_inpaint_directional (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint n);

/* ---- seam.c: removes seams between patches, and computes smooth surfaces ----------- */

#define MGPU_INPAINT_SEAM_MAX_COLOURS 3

/* Returns: the number of grid cells of all levels of the solver, for one color component and a
 * hole of @columns x @rows pixels */
gsize    mgpu_inpaint_seam_count (gint columns, gint rows);

/* Begins the removal of seams between the patches of a frame: allocates device memory for
 * @n_colours color components. Returns: FALSE after an error, which is in @job */
gboolean mgpu_inpaint_seam_start (MgpuInpaint * self, GstMgpuJob * job, guint n_colours);

/* Adds the color component with the index @colour to the equation that removes seams. These
 * inputs are read:
 * - The scratch buffer VALUES contains the samples of the component.
 * - If self->blend is TRUE, VALUES also contains the blended samples of unknown pixels, and the
 *   scratch buffer BESIDE contains the blended neighbors of the pixels from which these samples
 *   were copied. Otherwise unknown pixels are copied from the pixels given by the scratch buffer
 *   ORIGIN.
 * - If @harmonic is TRUE, the samples of unknown pixels are ignored. The result is then a
 *   membrane that continues the known pixels.
 * - If self->shaded is TRUE, the scratch buffer SHADES contains the shade of the component. */
void mgpu_inpaint_seam_add (MgpuInpaint * self, GstMgpuJob * job, guint colour, gboolean harmonic);

/* Enqueues the kernels that solve the equation that removes seams, for all @n_colours color
 * components. These must have been added by mgpu_inpaint_seam_add(). */
void mgpu_inpaint_seam_solve (MgpuInpaint * self, GstMgpuJob * job, guint n_colours, gboolean harmonic);

/* Enqueues the kernel that writes the result for the color component with the index @colour,
 * without seams, to the scratch buffer VALUES. */
void mgpu_inpaint_seam_get (MgpuInpaint * self, GstMgpuJob * job, guint colour, gboolean harmonic);

/* ---- shade.c: polynomials fitted to the smooth surroundings of wide holes ------------ */

/* Sets self->shaded. If it is TRUE, enqueues the kernels that fit the shades of the first @n
 * color components of the frame @in, and determine where the surroundings of a hole are smooth
 * enough for a shade. Returns: FALSE after an error, which is in @job */
gboolean mgpu_inpaint_shade_start (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, guint n);

/* Enqueues the kernels that evaluate the shade of the color component with the index @component
 * at the pixels in @area, and write the values to the scratch buffer SHADES. @n is the number of
 * components whose shades mgpu_inpaint_shade_start() fitted. Does nothing if self->shaded is
 * FALSE. */
void mgpu_inpaint_shade_lay (MgpuInpaint * self, GstMgpuJob * job, guint component, guint n, MgpuBox area);

/* ---- match.c: finds the pixels to copy, all at once ----------------------------------- */

/* Finds the pixel from which each unknown pixel is copied, from coarse to fine. Writes the index
 * of that pixel to the scratch buffer ORIGIN. The fill plan must have a pyramid, and the scratch
 * buffer WORK must contain the frame. Returns: FALSE if @progress returned FALSE; errors stay in
 * @job */
gboolean mgpu_inpaint_match (MgpuInpaint * self, GstMgpuJob * job, MgpuInpaintProgress progress, gpointer data);

/* ---- steps.c: finds the pixels to copy, patch by patch ----------------------------- */

/* Enqueues the kernels that compute the initial data for filling the hole, before the first
 * patch: gradients, the priorities of unknown pixels, and the highest priority of each segment
 * (16 pixels of a row). */
void mgpu_inpaint_begin (MgpuInpaint * self, GstMgpuJob * job);

/* Enqueues steps, each of which fills one patch in each lane (independent part of the hole). For
 * each unknown pixel, the steps write the pixel from which it is copied to the scratch buffer
 * ORIGIN. Stops at the end of the time budget, and sets self->unfinished if unknown pixels are
 * left. Returns: FALSE if @progress returned FALSE; errors stay in @job */
gboolean mgpu_inpaint_enqueue_steps (MgpuInpaint * self, GstMgpuJob * job, MgpuInpaintProgress progress,
    gpointer data);

/* ---- video.c: reuses patches of earlier frames ------------------------------------- */

/* Waits for @job, and stores the patches with which the kernels of @job filled the hole. */
void mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job);

/* Finds the pixel from which each unknown pixel of the frame is copied, and writes it to the
 * scratch buffer ORIGIN. It is the same pixel as in the previous frame, or one that matches this
 * frame better. Returns: FALSE if the stored patches no longer match, or after an error, which
 * is in @job */
gboolean mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job);

void mgpu_inpaint_video_clear (MgpuInpaintVideo * self);

G_END_DECLS

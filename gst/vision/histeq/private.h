/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object of histogram equalization and functions that its source files
 * share. */
#pragma once

#include <gst/vision/base/rows.h>
#include <gst/vision/colour/colour.h>
#include <kernels/histeq/shared.h>

#include "histeq.h"

G_BEGIN_DECLS

/* Largest number of bins of a small histogram: each work-item can have several of them,
 * and one fits into the local memory of every GPU. */
#define SMALL 4096

/* Indices into the array knobs, which lists the tuning constants of the kernels */
enum
{
  KNOB_COUNT = MGPU_ROWS_N_KNOBS,
  KNOB_TABLES,
  KNOB_GROUP,
  KNOB_HISTOGRAMS
};

/* Indices into the array kernels, which lists the OpenCL kernels of histogram
 * equalization */
enum
{
  CLEAR,
  COUNT,
  TABLE,
  APPLY,
  SUMS,
  CLAHE_CLEAR,
  CLAHE_APPLY,
  CLAHE_TILES,
  CLAHE_COUNT,
  CLAHE_TABLE,
  LIGHT_CLEAR,
  LIGHT_COUNT,
  LIGHT_FIT,
  SMOOTH_COMPARE,
  SMOOTH_BLEND,
  SMOOTH_WEAKEN,
  LEVELS_FIND,
  LEVELS_TABLE
};

/* Numbers the sets of kernels. A set is compiled when one of its kernels is first needed.
 * SET_SUMS is for a lookup table that several work-groups make together. CLAHE takes
 * SET_TILES where the tuning constant COUNT of the device is COUNT_OWN, and otherwise
 * SET_PARTS. */
enum
{
  SET_GLOBAL = 1,
  SET_SUMS,
  SET_CLAHE,
  SET_TILES,
  SET_PARTS,
  SET_SMOOTH,
  SET_WEAKEN,
  SET_LEVELS
};

/* Indices of the slots, the device memories that kernels leave for each other */
enum
{
  COUNTS,                       /* histograms, all zero between frames */
  BLOCKS,                       /* results of the kernel SUMS */
  TABLES,                       /* tables that samples are looked up in */
  MADE,                         /* two slots: unsmoothed tables of the last two frames */
  SMOOTH = MADE + 2,            /* two slots: smoothed ones, in units of 1 / 65536 */
  DISTANCE = SMOOTH + 2,        /* distance of the tables in the two slots MADE */
  CODES,                        /* values of the last frame at some places */
  PAIRS,                        /* counters for pairs of values, all zero between frames */
  LIGHTS,                       /* how the light changed, of each component */
  ENDS,                         /* dark and bright value of MGPU_HISTEQ_LEVELS */
  N_SLOTS
};

typedef struct _Histeq Histeq;

struct _Histeq
{
  MgpuObject object;
  MgpuRows rows;
  gsize group;                  /* number of work-items that make a look-up table together */

  /* Samples of a pixel of a packed frame or of the first plane, and their histograms: see
   * kernels/histeq/bins.h */
  gint bytes;                   /* number of bytes of a sample */
  gint samples;                 /* number of samples of a pixel, next to each other */
  guint mask;                   /* samples that are equalized: bit i is for sample i of a
                                 * pixel */
  guint n_components;           /* number of bits in mask; each of these components has a
                                 * histogram */
  guint n_bins;                 /* number of bins of each histogram */
  gint lo, hi;                  /* nominal range of samples */
  guint n_counters;             /* bins of all histograms: n_components * n_bins */

  /* Members for the method global, which has one look-up table for the whole frame */
  gsize global[2];              /* number of work-items that count samples, and that look
                                 * them up */
  guint n_histograms;           /* number of histograms that work-groups count in */
  guint n_blocks;               /* number of work-groups that make the look-up table */

  MgpuHisteqParams last;        /* parameters of the last frame */

  /* Members for temporal smoothing of look-up tables */
  guint n_tables;               /* number of look-up tables of a frame */
  guint turn;                   /* index, 0 or 1, of the slot behind MADE for the next
                                 * frame's tables */
  gboolean has_past;            /* whether the slots hold tables of an earlier frame */

  /* Objects for RGB frames of which only luma is equalized; NULL until needed */
  MgpuColourLuma *colour;       /* object that computes and replaces luma */
  Histeq *luma;                 /* object that equalizes the luma image */
};

/* Macros for gst_mgpu_job_set_args(): types and values of the first arguments of kernels
 * that count samples (FRAME), and of kernels that look samples up in tables (LOOK_UP) */
#define FRAME MGPU_PLANE "ii"
#define FRAME_OF(job, image) \
    MGPU_READ_PLANE (job, image, 0), GST_VIDEO_INFO_WIDTH (&(image)->info), \
    GST_VIDEO_INFO_HEIGHT (&(image)->info)

#define LOOK_UP MGPU_PLANE MGPU_PLANE "iiiim"
#define LOOK_UP_OF(self, job, in, out) \
    MGPU_READ_PLANE (job, in, 0), MGPU_WRITE_PLANE (job, out, 0), \
    GST_VIDEO_INFO_WIDTH (&(in)->info), GST_VIDEO_INFO_HEIGHT (&(in)->info), \
    histeq_count_units (self, in, out), histeq_count_pixels (self, &(in)->info), \
    mgpu_slot_write (self, TABLES, job, 0)

/* ---- bins.c: arguments of kernels ------------------------------------------ */

/* Returns: the number of units, each of UNIT neighbouring samples (see
 * kernels/histeq/bins.h), in a row of the frame; 0 when rows are not aligned for kernels
 * that process whole units */
gint histeq_count_units (const Histeq * self, const MgpuImage * in, const MgpuImage * out);

/* Returns: the number of pixels of a row in memory. It is rounded up to an even number
 * for YUY2 and UYVY, where two pixels share their chroma. */
gint histeq_count_pixels (const Histeq * self, const GstVideoInfo * info);

/* Lets kernels of job write n counters of histograms, in the slot COUNTS. Sets newly
 * allocated memory to zero with the kernel whose index is clear.
 * Returns: the memory of the counters; NULL after an error, which is in job */
cl_mem histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n);

/* ---- clahe.c: a look-up table for each tile ------------------------------ */

/* Enqueues the kernels of CLAHE that write, for each tile of the frame, a look-up table
 * of n_counters samples to a slot. */
void histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, guint slot);

/* Enqueues the kernel of CLAHE that replaces all samples of work->in with the help of the
 * look-up tables in the slot TABLES, and writes them to work->out. */
void histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuWork * work);

/* ---- smooth.c: tables that change slowly, but at once in a new scene ----- */

/* Sets *slot to the slot for the n_tables unsmoothed tables of the frame in, and allocates
 * the memories for smoothing. FALSE after an error, which is in job. */
gboolean histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, const MgpuImage * in, guint n_tables,
    guint * slot);

/* Enqueues the kernels that find how the light changed since the last frame, and blend the
 * tables of the frame in with the smoothed tables of the last one, as they are in the new
 * light, into the slot TABLES. The latter have the weight smoothing, from 0 to 1, but none
 * in a new scene: where no light makes one frame of the other, and the unsmoothed tables
 * of both frames differ on average by more than 1 / new_scene of their range. */
void histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, const MgpuImage * in, gdouble smoothing,
    guint new_scene);

/* Enqueues the kernel that moves the n_tables tables of the slot TABLES towards those that
 * change nothing, for a strength from 0 to 1. */
void histeq_weaken_enqueue (Histeq * self, GstMgpuJob * job, guint n_tables, gdouble strength);

G_END_DECLS

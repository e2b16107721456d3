/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object of histeq and functions that its source files share. */
#pragma once

#include <gst/vision/base/rows.h>
#include <gst/vision/colour/colour.h>
#include <kernels/histeq/shared.h>

#include "histeq.h"

G_BEGIN_DECLS

/* Largest number of bins of a small histogram: several of them are possible for each
 * work-item, and one fits into the local memory of every GPU. */
#define SMALL 4096

/* Indices of the knobs in their list */
enum
{
  KNOB_COUNT = MGPU_ROWS_N_KNOBS,
  KNOB_TABLES,
  KNOB_GROUP,
  KNOB_HISTOGRAMS
};

/* Indices of the kernels in their list */
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
  SMOOTH_COMPARE,
  SMOOTH_BLEND
};

/* Sets of kernels, each of which is built when it is first needed. SET_SUMS is for a table
 * that several work-groups make together. SET_TILES is for devices that count with
 * COUNT_OWN, SET_PARTS for others. */
enum
{
  SET_GLOBAL = 1,
  SET_SUMS,
  SET_CLAHE,
  SET_TILES,
  SET_PARTS,
  SET_SMOOTH
};

/* Slots, which hold device memories */
enum
{
  COUNTS,                       /* histograms, all zero between frames */
  BLOCKS,                       /* results of the kernel SUMS */
  TABLES,                       /* tables that samples are looked up in */
  MADE,                         /* two slots: unsmoothed tables of the last two frames */
  SMOOTH = MADE + 2,            /* smoothed tables, in units of 1 / 65536 */
  DISTANCE,                     /* distance of the tables in the two slots MADE */
  N_SLOTS
};

typedef struct _Histeq Histeq;

struct _Histeq
{
  MgpuObject object;
  MgpuRows rows;
  gsize group;                  /* number of work-items that make a table together */

  /* Samples of a pixel of a packed frame or of a plane, and their histograms: see
   * kernels/histeq/bins.h */
  gint bytes;                   /* bytes of a sample */
  gint samples;                 /* number of samples of a pixel, next to each other */
  guint mask;                   /* bit i: sample i of a pixel is equalized */
  guint n_components;           /* number of bits in mask; each has its own histogram */
  guint n_bins;                 /* number of bins of each histogram */
  guint n_counters;             /* bins of all histograms: n_components * n_bins */

  /* Members for the method global, with one table for the whole frame */
  gsize global[2];              /* number of work-items that count and look up */
  guint n_histograms;           /* number of histograms that work-groups count in */
  guint n_blocks;               /* number of work-groups that make the table */

  MgpuHisteqParams last;        /* parameters of the last frame */

  /* Members for smoothing */
  guint n_tables;               /* number of tables of a frame */
  guint turn;                   /* slot MADE + turn is for the next frame: 0, 1, 0, 1 ... */
  gboolean has_past;            /* whether there are tables of an earlier frame */

  /* Members for RGB frames of which luma is equalized; NULL until needed */
  MgpuColourLuma *colour;       /* computes and replaces luma */
  Histeq *luma;                 /* equalizes luma */
};

/* Types and values of the arguments of kernels that count samples (FRAME), and of kernels
 * that look samples up in tables (LOOK_UP) */
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

/* Returns: the number of units of a row, of UNIT samples each (see bins.h), that kernels
 * may take at once; 0 when rows are not aligned for that */
gint histeq_count_units (const Histeq * self, const MgpuImage * in, const MgpuImage * out);

/* Returns: the number of pixels of a row in memory. It is even for YUY2 and UYVY, where two
 * pixels share their chroma. */
gint histeq_count_pixels (const Histeq * self, const GstVideoInfo * info);

/* Lets kernels of job write to n counters in the slot COUNTS. When their memory is new, it
 * is set to zero by the kernel whose index is clear.
 * Returns: the memory of the counters; NULL after an error, which is in job */
cl_mem histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n);

/* ---- clahe.c: a table for each tile -------------------------------------- */

/* Enqueues the kernels that make a table of n_counters samples for each tile, in slot. */
void histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, guint slot);

/* Enqueues the kernel that looks all samples of in up in the tables of the slot TABLES, and
 * writes them to out. */
void histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, const MgpuImage * out);

/* ---- smooth.c: tables that change slowly, but at once in a new scene ----- */

/* Sets *slot to the slot for the n_tables unsmoothed tables of this frame, and allocates
 * the memories for smoothing. FALSE after an error, which is in job. */
gboolean histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, guint n_tables, guint * slot);

/* Enqueues the kernels that blend the tables of this frame with the smoothed tables of the
 * last frame, into the slot TABLES. The latter have the weight smoothing, from 0 to 1, but
 * none in a new scene: where the unsmoothed tables of both frames differ on average by
 * more than 1 / new_scene of their range. */
void histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, gdouble smoothing, guint new_scene);

G_END_DECLS

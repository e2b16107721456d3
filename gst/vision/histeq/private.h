/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the files of histeq share. */
#pragma once

#include <gst/vision/base/rows.h>
#include <gst/vision/colour/colour.h>
#include <kernels/histeq/shared.h>

#include "histeq.h"

G_BEGIN_DECLS

/* Up to this many bins a histogram is small: there can be several for each
 * work-item, and one fits into the local memory of every GPU. */
#define SMALL 4096

/* Knobs, by their place in the list */
enum
{
  KNOB_COUNT = MGPU_ROWS_N_KNOBS,
  KNOB_TABLES,
  KNOB_GROUP,
  KNOB_HISTOGRAMS
};

/* Kernels, by their place in the list */
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

/* Sets of kernels, all of which are built when they are needed. SET_SUMS is for tables
 * that many work-groups make. SET_TILES is for devices that count with COUNT_OWN,
 * SET_PARTS for others. */
enum
{
  SET_GLOBAL = 1,
  SET_SUMS,
  SET_CLAHE,
  SET_TILES,
  SET_PARTS,
  SET_SMOOTH
};

/* Slots: histograms, which are zero between frames; what SUMS leaves; the tables that
 * samples are looked up in; for smoothing, the tables of this frame and of the one
 * before, by turns, the smooth ones in 65536ths, and how far the two are apart; the
 * luma of RGB frames before and after. */
enum
{
  COUNTS,
  BLOCKS,
  TABLES,
  MADE,
  SMOOTH = MADE + 2,
  DISTANCE,
  LUMA,
  N_SLOTS = LUMA + 2
};

/* Describes the samples of each pixel of a packed frame or of a plane, some of which
 * are counted and looked up: see kernels/histeq/bins.h. */
typedef struct
{
  gint bytes;                   /* of a sample */
  gint samples;                 /* of a pixel, next to each other */
  guint mask;                   /* bit i: sample i of a pixel is equalized */
  guint n_components;           /* bits of mask; each has its own histogram */
  guint n_bins;                 /* of each histogram */
  guint n_counters;             /* n_components * n_bins */
  guint shift;                  /* value: word >> shift */
} HisteqBins;

typedef struct _Histeq Histeq;

struct _Histeq
{
  MgpuObject object;
  HisteqBins bins;
  MgpuRows rows;
  gsize group;                  /* work-items that make a table together */

  /* One table for the whole frame */
  gsize global[2];              /* work-items that count and look up */
  guint n_histograms;           /* that work-groups share */
  guint n_blocks;               /* work-groups that make the table */

  MgpuHisteqParams last;        /* of the last frame */

  /* Smoothing */
  guint n_tables;
  guint turn;                   /* of the frame at hand: 0, 1, 0, 1 ... */
  gboolean has_past;

  /* Of RGB frames; NULL before they are needed */
  MgpuColourLuma *colour;
  Histeq *luma;                 /* equalizes what colour makes */
};

/* Arguments of kernels that count samples, and of kernels that look them up */
#define FRAME "miiii"
#define FRAME_OF(job, image) \
    gst_mgpu_job_read (job, (image)->memory), (gint) (image)->info.offset[0], \
    (image)->info.stride[0], GST_VIDEO_INFO_WIDTH (&(image)->info), \
    GST_VIDEO_INFO_HEIGHT (&(image)->info)

#define LOOK_UP "miimiiiiiim"
#define LOOK_UP_OF(self, job, in, out) \
    gst_mgpu_job_read (job, (in)->memory), (gint) (in)->info.offset[0], \
    (in)->info.stride[0], gst_mgpu_job_write (job, (out)->memory), \
    (gint) (out)->info.offset[0], (out)->info.stride[0], \
    GST_VIDEO_INFO_WIDTH (&(in)->info), GST_VIDEO_INFO_HEIGHT (&(in)->info), \
    histeq_count_units (self, in, out), histeq_count_pixels (self, &(in)->info), \
    mgpu_slot_write (self, TABLES, job, 0)

/* ---- bins.c: what is counted --------------------------------------------- */

/* Fills bins for the first n components of frames like info, which lie in their first
 * plane. */
void histeq_bins_init (HisteqBins * bins, const GstVideoInfo * info, guint n);

/* Returns: how many units of a row the kernels may use: UNIT in bins.h */
gint histeq_count_units (const Histeq * self, const MgpuImage * in, const MgpuImage * out);

/* Returns: pixels of a row in memory: two of YUY2 and UYVY share their chroma, which is
 * there for a last single one too */
gint histeq_count_pixels (const Histeq * self, const GstVideoInfo * info);

/* Lets job write n counters, which clear, a kernel, makes zero when they are new.
 * Returns: NULL after an error, which is in job */
cl_mem histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n);

/* ---- clahe.c: a table for each tile -------------------------------------- */

/* Makes tiles_x x tiles_y tables of n_counters samples in slot. */
void histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, guint slot);

/* Looks all samples of in up in the slot TABLES. */
void histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, const MgpuImage * out);

/* ---- smooth.c: tables that change slowly, but at once in a new scene ----- */

/* Finds the slot that the n_tables tables of this frame are to be made in. FALSE after
 * an error, which is in job. */
gboolean histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, guint n_tables, guint * slot);

/* Makes smooth ones of them, in the slot TABLES. smoothing: weight of the past, 0 to 1.
 * It weighs nothing where the tables differ from those of the frame before by more than
 * this part of their range, 1 / new_scene, in the mean. */
void histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, gdouble smoothing, guint new_scene);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object of histogram equalization and functions that its source files
 * share. */
#pragma once

#include <gst/vision/base/rows.h>
#include <gst/vision/colour/colour.h>
#include <kernels/histeq/histeq-shared.h>

#include "histeq.h"

G_BEGIN_DECLS

/* Largest number of bins of a small histogram: each work-item can have several small
 * histograms of its own, and a small histogram fits into the local memory of every
 * GPU. */
#define SMALL 4096

/* Indices into the array @knobs, which lists the tuning constants of the kernels */
enum
{
  KNOB_COUNT = MGPU_ROWS_N_KNOBS,
  KNOB_TABLES,
  KNOB_GROUP,
  KNOB_HISTOGRAMS
};

/* Indices into the array @kernels, which lists the OpenCL kernels of histogram
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
  CLAHE_SUMS,
  CLAHE_TABLE,
  LIGHT_CLEAR,
  LIGHT_COUNT,
  LIGHT_FIT,
  LIGHT_MOVES,
  SMOOTH_COMPARE,
  SMOOTH_BLEND,
  SMOOTH_HOLD,
  SMOOTH_WEAKEN,
  LEVELS_FIND,
  LEVELS_TABLE
};

/* Numbers the sets of kernels. A set is compiled when one of its kernels is first needed.
 * SET_SUMS is needed if several work-groups make a look-up table together. CLAHE takes
 * SET_TILES if the tuning knob COUNT of the device is COUNT_OWN, and otherwise
 * SET_PARTS; also SET_PART_SUMS, if several work-groups make the table of a tile. */
enum
{
  SET_GLOBAL = 1,
  SET_SUMS,
  SET_CLAHE,
  SET_TILES,
  SET_PARTS,
  SET_PART_SUMS,
  SET_SMOOTH,
  SET_WEAKEN,
  SET_LEVELS
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for
 * later kernels */
enum
{
  COUNTS,                       /* counters of histograms, all zero between
                                 * frames */
  BLOCKS,                       /* results of the kernel SUMS for each block of histogram
                                 * bins: number of samples, and count of the first bin
                                 * that is not empty; or the results of CLAHE_SUMS, a sum
                                 * for each block of the bins of each tile */
  TABLES,                       /* look-up tables by which samples are replaced */
  MADE,                         /* two scratch buffers: the unsmoothed look-up tables of the
                                 * last two frames */
  SMOOTH = MADE + 2,            /* two scratch buffers: the smoothed look-up tables of the
                                 * last two frames, whose entries are in units of 1 / 65536
                                 * of a sample value */
  DISTANCE = SMOOTH + 2,        /* sums of the differences between the look-up tables of
                                 * successive frames */
  CODES,                        /* sample values of the last two frames at the positions
                                 * where frames are compared */
  PAIRS,                        /* counters of pairs of values, one of the last frame and
                                 * one of this frame at the same position, by their mean
                                 * and difference; all zero between frames */
  LIGHTS,                       /* change of the light since the last frame, for
                                 * each component */
  HISTOGRAMS,                   /* histograms of the tiles of CLAHE, for smoothing */
  MOVES,                        /* for each tile of CLAHE, 1 if something moves in it,
                                 * otherwise 0 */
  MEANS,                        /* for each tile of CLAHE, the mean of its output samples,
                                 * in units of 1 / 65536 of a sample value */
  ENDS,                         /* for each component, the values that the method
                                 * MGPU_HISTEQ_LEVELS makes black and white */
  N_SLOTS
};

typedef struct _Histeq Histeq;

/* Describes the tiles of CLAHE: @n_x is their number in a row of the frame, @n their
 * number in all, @width and @height are their size in samples. The other members are
 * arguments of the kernels that make a look-up table from the histogram of a tile: @area
 * is the number of samples of a tile, @clip the largest count of a bin, @scale the factor
 * that converts a sum of counts to a sample value. */
typedef struct
{
  guint n_x, n;
  gint width, height;
  guint area, clip;
  gfloat scale;
} HisteqTiles;

struct _Histeq
{
  MgpuObject object;
  MgpuRows rows;
  gsize group;                  /* number of work-items that make a look-up table
                                 * together */

  /* Members that describe the samples of a pixel, in a packed frame or in the first plane,
   * and their histograms: see kernels/histeq/bins.h */
  gint bytes;                   /* number of bytes of a sample */
  gint samples;                 /* number of samples of a pixel, next to each other */
  guint mask;                   /* bit i tells whether sample i of a pixel is equalized */
  guint n_components;           /* number of colour components that are equalized (bits set
                                 * in @mask); each has a histogram */
  guint n_bins;                 /* number of bins of each histogram */
  gint lo, hi;                  /* lowest and highest nominal value of a sample */
  guint n_counters;             /* number of bins of the histograms of all components:
                                 * @n_components * @n_bins */

  /* Members for the method global, which has one look-up table for the whole frame */
  gsize global[2];              /* number of work-items in x and y, for the kernel that
                                 * counts samples in histograms and for the one that looks
                                 * samples up in tables */
  guint n_histograms;           /* number of sets of histograms of the frame; each work-group counts
                                 * samples in one of them, and their counts are added up later */
  guint n_blocks;               /* number of work-groups that make the look-up table of a
                                 * component together */

  guint n_tile_blocks;          /* number of work-groups that make the look-up table of a
                                 * component of a tile of CLAHE together */

  MgpuHisteqParams last;        /* parameters of the last frame */

  /* Members for temporal smoothing of look-up tables */
  guint n_tables;               /* number of look-up tables of a frame: one for each
                                 * component of each tile */
  guint turn;                   /* 0 or 1: the tables of the next frame go to the scratch
                                 * buffers MADE + @turn and SMOOTH + @turn */
  gboolean has_past;            /* whether the scratch buffers hold look-up tables of an
                                 * earlier frame */

  /* Members for RGB frames of which only luma is equalized: two objects, both NULL
   * until they are needed */
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
    mgpu_histeq_count_units (self, in, out), mgpu_histeq_count_pixels (self, &(in)->info), \
    mgpu_slot_write (self, TABLES, job, 0)

/* ---- bins.c: arguments of kernels ------------------------------------------ */

/* Returns: the number of units, each of UNIT neighbouring samples (see
 * kernels/histeq/bins.h), in a row of the frame; 0 when rows are not aligned for kernels
 * that process whole units */
gint mgpu_histeq_count_units (const Histeq * self, const MgpuImage * in, const MgpuImage * out);

/* Returns: the number of pixels of a row in memory. It is rounded up to an even number
 * for YUY2 and UYVY, where two pixels share their chroma. */
gint mgpu_histeq_count_pixels (const Histeq * self, const GstVideoInfo * info);

/* Lets kernels of @job write @n counters of histograms, in the scratch buffer COUNTS. Sets
 * newly allocated memory to zero with the kernel whose index is @clear.
 * Returns: the memory of the counters; NULL after an error, which is in @job */
cl_mem mgpu_histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n);

/* ---- clahe.c: a look-up table for each tile ------------------------------ */

/* Computes number and size of the tiles of CLAHE. If the width or the height of the frame
 * is no multiple of the number of tiles, the tiles are one sample larger in both
 * directions, and the last ones extend past the frame. */
void mgpu_histeq_clahe_find_tiles (const Histeq * self, const MgpuClaheParams * params, HisteqTiles * tiles);

/* Enqueues the kernels of CLAHE that write, for each tile of the frame, a look-up table of
 * self->n_counters samples to the scratch buffer @slot. If @keeps_histograms is set, the
 * histograms of the tiles are copied to the scratch buffer HISTOGRAMS. */
void mgpu_histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job, const HisteqTiles * tiles,
    const MgpuImage * in, guint slot, gboolean keeps_histograms);

/* Enqueues the kernel of CLAHE that replaces all samples of work->in with the help of the
 * look-up tables in the scratch buffer TABLES, and writes them to work->out. */
void mgpu_histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuWork * work);

/* ---- smooth.c: temporal smoothing of tables ------------------------------ */

/* Allocates the memories for temporal smoothing, and sets *slot to the index of the scratch
 * buffer to which the @n_tables unsmoothed look-up tables of the frame @in are to be
 * written. FALSE: the error is in @job. */
gboolean mgpu_histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    guint n_tables, guint * slot);

/* Enqueues the kernels that find how the light changed since the last frame, and blend the tables
 * of the frame @in with the smoothed tables of the last frame. The latter are first adapted to
 * the new light, and have the weight @smoothing, from 0 to 1. The smoothed tables have no weight
 * in a new scene, that is, when no change of light explains the difference of the frames, and the
 * unsmoothed tables of both frames differ on average by more than 1 / @new_scene of their range.
 * The resulting tables are in the scratch buffer TABLES. @tiles describes the tiles of CLAHE, in
 * which the mean of the output samples is also smoothed, if nothing moves in the tile; it is NULL
 * for other methods. */
void mgpu_histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    gdouble smoothing, guint new_scene, const HisteqTiles * tiles);

/* Enqueues the kernel that multiplies, in each of the @n_tables look-up tables in the
 * scratch buffer TABLES, the difference between an entry and its index by @strength: with 1
 * the tables stay as they are, with 0 they change no sample. */
void mgpu_histeq_weaken_enqueue (Histeq * self, GstMgpuJob * job, guint n_tables,
    gdouble strength);

G_END_DECLS

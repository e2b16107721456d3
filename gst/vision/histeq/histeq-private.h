/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object of histogram equalization, and the functions that its source files share. */
#pragma once

#include <gst/vision/base/rows.h>
#include <gst/vision/colour/colour.h>
#include <kernels/histeq/histeq-shared.h>

#include "histeq.h"

G_BEGIN_DECLS

/* Largest number of bins of a small histogram. A work-item can have several private small
 * histograms, and a small histogram fits into the local memory of every GPU. */
#define SMALL 4096

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
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

/* Numbers of the sets of kernels. A set is compiled when one of its kernels is first needed:
 * - SET_SUMS: if several work-groups compute a look-up table together
 * - SET_TILES: for CLAHE, if the tuning parameter (knob) COUNT of the device is COUNT_OWN
 * - SET_PARTS: for CLAHE with other values of COUNT
 * - SET_PART_SUMS: for CLAHE, if several work-groups compute the table of a tile */
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
  COUNTS,                       /* histogram counters, all zero between frames */
  BLOCKS,                       /* results of the kernel SUMS for each block of histogram bins:
                                 * number of samples, and count of the first bin that is not
                                 * empty. CLAHE_SUMS instead writes a sum for each block of bins
                                 * of each tile */
  TABLES,                       /* look-up tables that replace samples */
  MADE,                         /* two scratch buffers: the unsmoothed look-up tables of the
                                 * last two frames */
  SMOOTH = MADE + 2,            /* two scratch buffers: the smoothed look-up tables of the last
                                 * two frames, in units of 1 / 65536 of a sample value */
  DISTANCE = SMOOTH + 2,        /* sums of the differences between the look-up tables of
                                 * successive frames */
  CODES,                        /* sample values of the last two frames at the positions
                                 * where frames are compared */
  PAIRS,                        /* counters of pairs of values: the values at one position in the
                                 * last frame and in this frame. Indexed by the mean and the
                                 * difference of the pair; all zero between frames */
  LIGHTS,                       /* change of the light since the last frame, for each color
                                 * component */
  HISTOGRAMS,                   /* histograms of the tiles of CLAHE; temporal smoothing reads
                                 * them */
  MOVES,                        /* for each tile of CLAHE, 1 if something moves in it,
                                 * otherwise 0 */
  MEANS,                        /* for each tile of CLAHE, the mean of its output samples,
                                 * in units of 1 / 65536 of a sample value */
  ENDS,                         /* for each component, the values that the method
                                 * MGPU_HISTEQ_LEVELS maps to black and white */
  N_SLOTS
};

typedef struct _Histeq Histeq;

/* Describes the tiles of CLAHE. The last three members are arguments of the kernels that compute
 * a look-up table from the histogram of a tile.
 * @n_x: number of tiles in a row of the frame
 * @n: number of all tiles
 * @width, @height: size of a tile, in samples
 * @area: number of samples of a tile
 * @clip: largest count of a bin
 * @scale: factor that converts a sum of counts to a sample value */
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
  gsize group;                  /* number of work-items that compute a look-up table together */

  /* Members that describe the samples of a pixel, in a packed frame or in the first plane,
   * and their histograms: see kernels/histeq/bins.h */
  gint bytes;                   /* number of bytes of a sample */
  gint samples;                 /* number of samples of a pixel, next to each other */
  guint mask;                   /* bit i is set if sample i of a pixel is equalized */
  guint n_components;           /* number of color components that are equalized (bits set in
                                 * @mask); each has its own histogram */
  guint n_bins;                 /* number of bins of each histogram */
  gint lo, hi;                  /* lowest and highest nominal value of a sample */
  guint n_counters;             /* number of bins of the histograms of all components:
                                 * @n_components * @n_bins */

  /* Members for the method global, which has one look-up table for the whole frame */
  gsize global[2];              /* number of work-items in x and y, for the kernel that counts
                                 * samples and for the kernel that applies the look-up tables */
  guint n_histograms;           /* number of sets of histograms of the frame. Each work-group
                                 * counts samples in one of the sets; a kernel adds up the sets
                                 * later */
  guint n_blocks;               /* number of work-groups that compute the look-up table of a
                                 * component together */

  guint n_tile_blocks;          /* number of work-groups that compute the look-up table of a
                                 * component of a CLAHE tile together */

  MgpuHisteqParams last;        /* parameters of the last frame */

  /* Members for temporal smoothing of look-up tables */
  guint n_tables;               /* number of look-up tables of a frame: one for each
                                 * component of each tile */
  guint turn;                   /* 0 or 1: scratch buffers MADE + @turn and SMOOTH + @turn
                                 * receive the tables of the next frame */
  gboolean has_past;            /* TRUE if the scratch buffers hold look-up tables of an earlier
                                 * frame */

  /* Members for RGB frames if only their luma is equalized. Both are NULL until they are first
   * needed. */
  MgpuColourLuma *colour;       /* object that computes and replaces luma */
  Histeq *luma;                 /* object that equalizes the luma image */
};

/* Macros for gst_mgpu_job_set_args(): types and values of the first arguments. FRAME is for
 * kernels that count samples, LOOK_UP for kernels that apply look-up tables. */
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

/* Returns: the number of units in a row of the frame, where a unit has UNIT neighboring samples
 * (see kernels/histeq/bins.h); 0 if the alignment of rows does not allow kernels to process
 * whole units */
gint mgpu_histeq_count_units (const Histeq * self, const MgpuImage * in, const MgpuImage * out);

/* Returns: the number of pixels of a row in memory. For YUY2 and UYVY, where two pixels share
 * their chroma, it is rounded up to an even number. */
gint mgpu_histeq_count_pixels (const Histeq * self, const GstVideoInfo * info);

/* Gets the scratch buffer COUNTS for @n histogram counters, which kernels of @job may write. If
 * the buffer is newly allocated, enqueues the kernel with the index @clear, which sets it to
 * zero. Returns: the memory of the counters; NULL after an error, which is in @job */
cl_mem mgpu_histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n);

/* ---- clahe.c: a look-up table for each tile ------------------------------ */

/* Computes the number and the size of the tiles of CLAHE. If the width or the height of the
 * frame is not a multiple of the number of tiles, all tiles are one sample wider and higher, and
 * the last tiles extend past the frame. */
void mgpu_histeq_clahe_find_tiles (const Histeq * self, const MgpuClaheParams * params, HisteqTiles * tiles);

/* Enqueues the kernels of CLAHE that compute the look-up tables of the tiles. Each tile has a
 * table of self->n_counters samples in the scratch buffer @slot. If @keeps_histograms is TRUE,
 * the kernels also copy the histograms of the tiles to the scratch buffer HISTOGRAMS. */
void mgpu_histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job, const HisteqTiles * tiles,
    const MgpuImage * in, guint slot, gboolean keeps_histograms);

/* Enqueues the CLAHE kernel that applies the look-up tables in the scratch buffer TABLES to all
 * samples of work->in, and writes the results to work->out. */
void mgpu_histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuWork * work);

/* ---- smooth.c: temporal smoothing of tables ------------------------------ */

/* Allocates the scratch buffers for temporal smoothing. Sets *@slot to the index of the scratch
 * buffer for the @n_tables unsmoothed look-up tables of the frame @in.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    guint n_tables, guint * slot);

/* Enqueues the kernels of temporal smoothing. They write look-up tables to the scratch buffer
 * TABLES, in these steps:
 * - They find how the light changed since the last frame, and adapt the smoothed tables of the
 *   last frame to the new light.
 * - They blend the tables of the frame @in with these adapted tables, whose weight is
 *   @smoothing, from 0 to 1.
 * - In a new scene the weight is 0 instead. A scene is new if no change of light explains the
 *   difference of the frames, and the unsmoothed tables of both frames differ on average by
 *   more than 1 / @new_scene of their range.
 * - For CLAHE, they also smooth the mean of the output samples of each tile in which nothing
 *   moves.
 * @tiles describes the tiles of CLAHE; it is NULL for other methods. */
void mgpu_histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    gdouble smoothing, guint new_scene, const HisteqTiles * tiles);

/* Enqueues the kernel that weakens the @n_tables look-up tables in the scratch buffer TABLES: it
 * multiplies the difference between each entry and the entry's index by @strength. A @strength
 * of 1 leaves the tables unchanged; with 0 they change no sample. */
void mgpu_histeq_weaken_enqueue (Histeq * self, GstMgpuJob * job, guint n_tables,
    gdouble strength);

G_END_DECLS

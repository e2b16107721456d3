/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The object that converts frames, and its plan: the table from which kernels read the
 * parameters of a conversion. */
#pragma once

#include <gst/vision/base/words.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/pack/pack.h>
#include <gst/vision/turn/turn.h>
#include <kernels/convert/convert-shared.h>

#include "convert.h"

G_BEGIN_DECLS

#define N_TABLES 4

/* Indices into the array @knobs of the tuning constants of the kernels */
enum
{
  LANES,
  BAND,
  TURNED_BAND,
  GROUP_X,
  GROUP_Y,
  WHOLE_ROWS
};

/* Index of the scratch buffer for the plan: the parameters of the conversion, an array of
 * 32-bit integers described in kernels/convert/convert-shared.h */
#define PLAN 0

/* Index of the scratch buffer for the frame that mgpu_rgbx_enqueue() or mgpu_cut_enqueue() writes */
#define CONVERTED 1

/* Indices of the scratch buffers for frames of packed formats, when their samples are unpacked: of
 * the input and of the output */
#define PLAIN_IN 2
#define PLAIN_OUT 3
#define N_SLOTS 4

/* Memory layout of the samples of a frame. The luma group is luma; or R, G, B and A; or, in formats
 * such as AYUV whose pixels have all samples, Y, U, V and A. The chroma group is U and V of other
 * formats.
 * @luma_planes: number of planes with the luma group: 3 if R, G and B have separate planes; each
 *   pixel then has one sample (@luma_samples).
 * @bytes, @shift, @max: as in MgpuComponent.
 * @luma_pixel, @chroma_pixel: distance from pixel to pixel, in bytes.
 * @luma_at, @chroma_at: 4 bits for each sample of a group, its offset in the pixel in bytes. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples, luma_planes;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* @chroma_planes: number of planes with chroma; 0 in
                                         * frames without chroma */
  guint chroma_at;
} Layout;

/* Number of format knobs: integers that describe pixel formats. Small frames of all formats are
 * converted by one kernel, which reads the format knobs from its plan, in the scratch buffer
 * PLAN. Other kernels are built for one format; for them, the tuning parameters are macros. */
#define N_FORMAT_KNOBS 21

G_STATIC_ASSERT (PLAN_KNOBS + N_FORMAT_KNOBS <= PLAN_TABLES);

typedef struct
{
  MgpuObject object;            /* @in and @out are the plain formats of frames whose formats are
                                 * packed: see pack.h */
  MgpuObject *unpack, *pack;    /* objects that unpack the input and pack the output; NULL for a
                                 * format that is not packed */
  MgpuObject *alpha;            /* the object that converts the alpha of frames, if alpha has a
                                 * separate plane in the input or in the output; otherwise NULL */
  gboolean is_alpha;            /* whether @self itself converts only alpha: alpha is its luma
                                 * group, and there is no chroma group */
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;  /* groups of input samples (luma or chroma) from which the luma
                                 * group and the chroma group of the output are computed: see
                                 * find_origins() */
  gint format_knobs[N_FORMAT_KNOBS];    /* values of the macros whose names are in the array
                                         * @format_names in convert.c */
  gboolean shared;              /* whether the kernel that all small frames share is used */

  /* Members that depend on @params, the parameters of the last frame */
  MgpuConvertParams params;
  gboolean borders, area_wide;
  gint columns[N_TABLES];       /* for each table of taps: how kernels load the input pixels of
                                 * a row, a result of classify_columns() */
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* whether the conversion only moves samples; @turn then
                                 * describes it */
  MgpuTurn turn;
  GArray *words;                /* the plan of the conversion, a table of 4-byte words
                                 * that kernels read */
  gboolean is_ready;            /* whether the kernel for the conversion in @words has been
                                 * built */
} MgpuConvert;

/* Creates the plan of a conversion with the parameters @params. Sets the table @words, which
 * kernels read, and all members of @self that depend on the parameters. */
void mgpu_convert_make_plan (MgpuConvert * self, const MgpuConvertParams * params);

G_END_DECLS

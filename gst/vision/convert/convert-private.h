/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that converts frames, and the table (plan) from which its kernels
 * read the parameters of a conversion. */
#pragma once

#include <gst/vision/base/words.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/turn/turn.h>
#include <kernels/convert/convert-shared.h>

#include "convert.h"

G_BEGIN_DECLS

#define N_TABLES 4

/* Indices into the array @knobs, which lists the tuning constants of the kernels */
enum
{
  LANES,
  BAND,
  TURNED_BAND,
  GROUP_X,
  GROUP_Y,
  WHOLE_ROWS
};

/* Index of the scratch buffer for the plan: the parameters of the conversion, as an array
 * of 32-bit integers that kernels/convert/shared.h describes */
#define PLAN 0

/* Index of the scratch buffer for the RGB frame that mgpu_rgbx_enqueue() makes */
#define RGBX 1
#define N_SLOTS 2

/* Tells how the samples of a frame are stored (@bytes, @shift and @max are those of
 * MgpuComponent), and where they lie in a pixel: those of the luma group (luma, or R, G,
 * B and A), and those of the chroma group. @luma_pixel and @chroma_pixel are the bytes
 * from pixel to pixel; @luma_at and @chroma_at have 4 bits for each sample, its offset in
 * the pixel in bytes. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* chroma_planes: the number of planes with
                                         * chroma, 0 in frames without chroma */
  guint chroma_at;
} Layout;

/* Number of format knobs, which are integers that describe pixel formats. One kernel
 * converts small frames of all formats: it reads the format knobs from its plan, in the
 * scratch buffer PLAN. Other kernels are built for one format and get the knobs as macros. */
#define N_FORMAT_KNOBS 19

G_STATIC_ASSERT (PLAN_KNOBS + N_FORMAT_KNOBS <= PLAN_TABLES);

typedef struct
{
  MgpuObject object;
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;  /* groups of input samples, luma or chroma, from which the
                                 * luma group and the chroma group of the output are
                                 * computed: see find_origins() */
  gint format_knobs[N_FORMAT_KNOBS];    /* values of the macros whose names the array
                                         * @format_names in convert.c lists */
  gboolean shared;              /* whether the kernel that all small frames share does the
                                 * conversion */

  /* Members that depend on @params, the parameters of the last frame */
  MgpuConvertParams params;
  gboolean borders, area_wide;
  gint columns[N_TABLES];       /* for each table of taps: how kernels load the input
                                 * pixels of a row, as classify_columns() returns it */
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* whether the conversion only moves samples, as @turn
                                 * describes */
  MgpuTurn turn;
  GArray *words;                /* the plan of the conversion, a table of 4-byte words
                                 * that kernels read */
  gboolean is_ready;            /* whether the kernel for the conversion that @words
                                 * describes has been built */
} MgpuConvert;

/* Makes the plan of a conversion with @params: fills the table @words for the kernels,
 * and all members of @self that depend on the parameters. */
void mgpu_convert_make_plan (MgpuConvert * self, const MgpuConvertParams * params);

G_END_DECLS

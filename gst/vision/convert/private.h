/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that converts frames, and its plan. */
#pragma once

#include <gst/vision/base/words.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/turn/turn.h>
#include <kernels/convert/shared.h>

#include "convert.h"

G_BEGIN_DECLS

#define N_TABLES 4

/* Indices of the knobs in their list */
enum
{
  LANES,
  BAND,
  TURNED_BAND,
  GROUP_X,
  GROUP_Y,
  WHOLE_ROWS
};

/* Slot of the memory that holds the parameters of the conversion, an array of 32-bit
 * integers; kernels/convert/shared.h says what each of them is */
#define PLAN 0

/* Slot of the frame that mgpu_rgbx_enqueue() makes */
#define RGBX 1
#define N_SLOTS 2

/* Tells how samples lie in a frame: those of the luma group (luma, or R, G, B and A), and
 * those of the chroma group. The members luma_pixel and chroma_pixel are bytes from pixel
 * to pixel; luma_at and chroma_at hold, 4 bits for each sample, its place in the pixel in
 * bytes. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* chroma_planes is 0 in frames without chroma */
  guint chroma_at;
} Layout;

/* Number of format knobs, which are numbers that the kernel of all small frames reads from the
 * plan, while other kernels get them as macros */
#define N_FORMAT_KNOBS 19

G_STATIC_ASSERT (PLAN_KNOBS + N_FORMAT_KNOBS <= PLAN_TABLES);

typedef struct
{
  MgpuObject object;
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;  /* see find_origins() */
  gint format_knobs[N_FORMAT_KNOBS];    /* see the array format_names in convert.c */
  gboolean shared;              /* whether the kernel is the one of all small frames */

  /* Members that depend on the parameters of the last frame, which are params */
  MgpuConvertParams params;
  gboolean borders, area_wide;
  gint columns[N_TABLES];       /* results of classify_columns() */
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* whether samples only move, in the way turn says */
  MgpuTurn turn;
  GArray *words;                /* words of the plan */
  gboolean is_ready;            /* whether the kernel for the plan is made */
} MgpuConvert;

/* Makes the plan of a conversion for params: fills words and all members of self that
 * depend on the parameters. */
void mgpu_convert_make_plan (MgpuConvert * self, const MgpuConvertParams * params);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object that converts frames, and the plan with the tables for its
 * kernels. */
#pragma once

#include <gst/vision/base/words.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/turn/turn.h>
#include <kernels/convert/shared.h>

#include "convert.h"

G_BEGIN_DECLS

#define N_TABLES 4

/* Indices into the array knobs, which lists the tuning constants of the kernels */
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

/* Slot of the RGB frame that mgpu_rgbx_enqueue() makes */
#define RGBX 1
#define N_SLOTS 2

/* Tells where samples lie in a pixel of a frame: those of the luma group (luma, or R, G,
 * B and A), and those of the chroma group. The members luma_pixel and chroma_pixel are
 * bytes from pixel to pixel; luma_at and chroma_at have 4 bits for each sample, its
 * offset in the pixel in bytes. */
typedef struct
{
  gint bytes, shift, max;
  gint luma_pixel, luma_samples;
  guint luma_at;
  gint chroma_pixel, chroma_planes;     /* chroma_planes: 0 in frames without chroma */
  guint chroma_at;
} Layout;

/* Number of format knobs: integers that describe the formats. The kernel of all small
 * frames reads them from the plan, other kernels get them as macros. */
#define N_FORMAT_KNOBS 19

G_STATIC_ASSERT (PLAN_KNOBS + N_FORMAT_KNOBS <= PLAN_TABLES);

typedef struct
{
  MgpuObject object;
  Layout in_layout, out_layout;
  MgpuColourMatrix matrix;
  gint luma_from, chroma_from;  /* samples of the input from which luma and chroma are made:
                                 * see find_origins() */
  gint format_knobs[N_FORMAT_KNOBS];    /* values for the macros whose names the
                                         * array format_names in convert.c
                                         * lists */
  gboolean shared;              /* whether the kernel is the one that all small frames share */

  /* Members that depend on params, the parameters of the last frame */
  MgpuConvertParams params;
  gboolean borders, area_wide;
  gint columns[N_TABLES];       /* results of classify_columns() for each table */
  gint taps[N_TABLES], rows[N_TABLES];
  MgpuConvertMethod filter[N_TABLES];
  gboolean turns;               /* whether samples are only moved, in the way
                                 * that the member turn describes */
  MgpuTurn turn;
  GArray *words;                /* tables that kernels read: the plan */
  gboolean is_ready;            /* whether the kernel for the plan has been built */
} MgpuConvert;

/* Makes the plan, or tables for the kernels, of a conversion with @params:
 * fills words and all members of @self that depend on the parameters. */
void mgpu_convert_make_plan (MgpuConvert * self, const MgpuConvertParams * params);

G_END_DECLS

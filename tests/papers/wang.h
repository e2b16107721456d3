/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shared by the files of the paper of Wang, Xiong, Yun and Cavallaro. */
#pragma once

#include "papers.h"

G_BEGIN_DECLS

#define WANG_WIDTH 512
#define WANG_HEIGHT 384
#define WANG_HOLE_WIDTH 76
#define WANG_HOLE_HEIGHT 128
#define WANG_FACTORS 6
#define WANG_PATCHES 3
#define WANG_STAGES 8

/* -1: the whole frame */
extern const gdouble wang_factors[WANG_FACTORS];
extern const gint wang_patches[WANG_PATCHES];
extern const gchar *const wang_stages[WANG_STAGES];

/* Box x0, y0, x1, y1 of patch centers, without the radius of a patch */
typedef struct
{
  gint x0, y0, x1, y1;
} WangBox;

WangBox wang_get_window (gdouble factor);

/* Runs the paper's algorithm in plain C. @colours: RGBA, with 255 in the last byte where a pixel is
 * known, and 0 where it has to be filled. Returns: the number of steps */
guint wang_fill_scalar (guint8 * colours, gint width, gint height, gint patch, const WangBox * window);

void wang_measure (PapersRun * run);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Features of a cell of models. See docs/algorithms/fhog.md. */
#define MGPU_FHOG_FEATURES 32

typedef enum
{
  MGPU_FHOG_AREA,               /* samples count by the area that a new one covers */
  MGPU_FHOG_LINEAR              /* by a triangle */
} MgpuFhogResize;

typedef enum
{
  MGPU_FHOG_FELZENSZWALB,       /* MGPU_FHOG_FEATURES of a cell */
  MGPU_FHOG_DALAL_TRIGGS        /* 36 */
} MgpuFhogKind;

typedef struct
{
  gint cell_size;               /* pixels: 4, 8 or 16 */
  gint interval;                /* levels of an octave, 1 to MGPU_FHOG_MAX_INTERVAL */
  gint max_levels;              /* the first so many; 0: all */
  gboolean extra_octave;        /* one more, with cells of a quarter */
  gint pad_x, pad_y;            /* cells on each side that lie outside of the frame */
  MgpuFhogResize resize;
  gboolean whole_cells;         /* no octave with smaller ones */
  MgpuFhogKind kind;
} MgpuFhogParams;

#define MGPU_FHOG_MAX_INTERVAL 32
#define MGPU_FHOG_MAX_PADDING 1024

/* A frame's features at one scale. With extra_octave, the first interval levels
 * have cells of cell_size / 4 pixels; the next, or the first otherwise, have
 * cells of cell_size / 2, unless there are whole_cells only; all others have
 * cell_size. Level i + interval has
 * cells twice as large in the frame as level i.
 *
 * A cell is cell_size / scale pixels of the frame wide and high, and begins at
 * pixel (column - pad_x + 1) * cell_size / scale of it: the cells at its edges
 * have no features. */
typedef struct
{
  gint columns, rows;           /* cells, padding included */
  guint offset;                 /* of the first cell, in cells */
  gdouble scale;                /* pixels of the scaled frame for one of the frame */
  gint cell_size;               /* in pixels of the scaled frame */
} MgpuFhogLevel;

/* Features of a frame on the device: floats, [cell][feature], and cells of a level row after row. Nothing is owned. */
typedef struct
{
  GstMgpuMemory *features;
  const MgpuFhogLevel *levels;
  guint n_levels;
  MgpuFhogParams params;
} MgpuFhogPyramid;

typedef struct _MgpuFhog MgpuFhog;

/* Features of a cell. */
guint mgpu_fhog_count_features (MgpuFhogKind kind);

/* Builds the kernels for frames like info, of any format. */
MgpuFhog * mgpu_fhog_new (GstMgpuContext * context, const GstVideoInfo * info, const MgpuFhogParams * params,
    GError ** error);

/* Levels that have cells with features: none in a small frame.
 * levels: (out) (transfer none) */
guint mgpu_fhog_get_levels (MgpuFhog * self, const MgpuFhogLevel ** levels);

/* Bytes of the memory for mgpu_fhog_enqueue(). */
gsize mgpu_fhog_get_size (MgpuFhog * self);

/* Fills features, whose memory is the caller's. Errors stay in job. */
void mgpu_fhog_enqueue (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * features);

void mgpu_fhog_free (MgpuFhog * self);

G_END_DECLS

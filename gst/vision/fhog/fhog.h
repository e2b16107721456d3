/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>
#include <gst/vision/base/parts.h>

G_BEGIN_DECLS

/* Number of features of a HOG cell in deformable part models. See
 * docs/algorithms/fhog.md. */
#define MGPU_FHOG_FEATURES 32

typedef enum
{
  MGPU_FHOG_AREA,               /* area scaling: the weight of a source sample is the fraction of
                                 * its area that the scaled sample covers */
  MGPU_FHOG_LINEAR              /* linear scaling: the weight of a source sample decreases linearly
                                 * with its distance from the scaled sample */
} MgpuFhogResize;

typedef enum
{
  MGPU_FHOG_FELZENSZWALB,       /* HOG by Felzenszwalb: a cell has MGPU_FHOG_FEATURES
                                 * features */
  MGPU_FHOG_DALAL_TRIGGS        /* HOG by Dalal and Triggs: a cell has 36 features */
} MgpuFhogKind;

typedef struct
{
  gint cell_size;               /* width and height of a cell: 4, 8 or 16 pixels */
  gint interval;                /* number of levels of an octave, 1 to MGPU_FHOG_MAX_INTERVAL */
  gint max_levels;              /* maximum number of levels of the pyramid; 0: no limit */
  gboolean extra_octave;        /* whether the pyramid begins with one more octave, with cells
                                 * of @cell_size / 4 pixels */
  gint pad_x, pad_y;            /* padding on each side of the frame, in cells */
  MgpuFhogResize resize;
  gboolean whole_cells;         /* whether the cells of all octaves have @cell_size x @cell_size
                                 * pixels */
  MgpuFhogKind kind;
} MgpuFhogParams;

#define MGPU_FHOG_MAX_INTERVAL 32
#define MGPU_FHOG_MAX_PADDING 1024

/* A level of the pyramid: the features of a frame at one scale.
 *
 * The cells of a level have the size MgpuFhogParams.cell_size, except in the first levels. With
 * @extra_octave, the first @interval levels have cells of a quarter of this size. Unless
 * @whole_cells is set, the next @interval levels have cells of half this size. A cell of level
 * i + @interval covers twice as many columns and rows of the frame as a cell of level i.
 *
 * A cell is @cell_size / @scale pixels of the frame wide and high. A cell in column c begins at
 * column (c - pad_x + 1) * @cell_size / @scale of the frame, where pad_x is the member of
 * MgpuFhogParams; for rows, the same formula applies with pad_y. The cells at the edges of the
 * frame have no features. */
typedef struct
{
  gint columns, rows;           /* size of the level in cells, including padding */
  guint offset;                 /* index of the level's first cell; counted over all levels */
  gdouble scale;                /* width of the scaled frame divided by the width of the
                                 * frame */
  gint cell_size;               /* width and height of a cell, in pixels of the scaled
                                 * frame */
} MgpuFhogLevel;

/* The feature pyramid of a frame. The memory @features holds floats: for each cell, one float
 * for each feature. The cells of a level are stored row by row. The struct does not own its
 * members. */
typedef struct
{
  GstMgpuMemory *features;
  const MgpuFhogLevel *levels;
  guint n_levels;
  MgpuFhogParams params;
} MgpuFhogPyramid;

typedef struct _MgpuFhog MgpuFhog;

/* Returns: the number of features of a HOG cell, if the features are of the kind @kind */
guint mgpu_fhog_count_features (MgpuFhogKind kind);

/* Creates an object that computes HOG features of frames with the format and size of @info, and
 * builds its kernels. All formats are supported. Returns: (transfer full): an object, to be
 * freed with mgpu_object_free(); NULL with the error set */
MgpuFhog * mgpu_fhog_new (GstMgpuContext * context, const GstVideoInfo * info, const MgpuFhogParams * params,
    GError ** error);

/* Gets the pyramid levels that have cells with features; a small frame may have none. @levels:
 * (out) (transfer none): set to the array of levels.
 * Returns: the number of levels */
guint mgpu_fhog_get_levels (MgpuFhog * self, const MgpuFhogLevel ** levels);

/* Returns: the size, in bytes, of the memory for features that mgpu_fhog_enqueue() writes */
gsize mgpu_fhog_get_size (MgpuFhog * self);

/* Sets which features mgpu_fhog_enqueue() computes. @parts has a part of each level, in cells
 * of the level including its padding. A part may extend beyond its level, or be empty. NULL:
 * the features of all cells. */
void mgpu_fhog_set_parts (MgpuFhog * self, const MgpuPart * parts);

/* Enqueues the kernels that compute the features of the frame @in and write them to the memory
 * @features, which the caller owns. If mgpu_fhog_set_parts() was called, the features of cells
 * outside its parts are undefined afterwards. Errors stay in @job. */
void mgpu_fhog_enqueue (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * features);

G_END_DECLS

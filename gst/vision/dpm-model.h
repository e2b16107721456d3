/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Numbers of a cell of features, and of filters. */
#define MGPU_DPM_FEATURES 32

/* What a model may have at most. */
#define MGPU_DPM_MAX_COMPONENTS 64
#define MGPU_DPM_MAX_PARTS 64   /* of a component */
#define MGPU_DPM_MAX_SIDE 64    /* rows or columns of a filter */
#define MGPU_DPM_MAX_NUMBER 1e6 /* of any weight, in amount */

typedef struct
{
  gint rows, columns;
  gfloat *weights;              /* [row][column][MGPU_DPM_FEATURES] */
} MgpuDpmFilter;

/* A part is looked for at twice the resolution of the root. */
typedef struct
{
  MgpuDpmFilter filter;
  gint x, y;                    /* its place in the root's window, in cells of its own level */
  gfloat deformation[4];        /* what dx * dx, dx, dy * dy and dy cells away from there cost */
} MgpuDpmPart;

/* One of the views of what is looked for. */
typedef struct
{
  MgpuDpmFilter root;
  guint n_parts;
  MgpuDpmPart *parts;
  gfloat offset;                /* that scores begin with */
  gfloat location[3];           /* added in the first, the second and further octaves */
  gint window_columns, window_rows;     /* the box around what is found, in cells of the root's level */
  gint shift_x, shift_y;        /* of the root's place in that box */
} MgpuDpmComponent;

typedef struct
{
  gchar *name;                  /* of the class: "person" */
  gint cell_size;               /* pixels */
  gint interval;                /* levels of an octave */
  gboolean extra_octave;        /* whether to look at a frame of twice the size, too */
  gfloat threshold;             /* that scores have when something is there */
  guint n_components;
  MgpuDpmComponent *components;
} MgpuDpmModel;

/* Reads a part model: OpenCV's XML, or a MATLAB file of voc-dpm's release 5. The
 * error names the file and the field that is wrong. */
MgpuDpmModel * mgpu_dpm_model_load (const gchar * path, GError ** error);

void mgpu_dpm_model_free (MgpuDpmModel * model);

G_END_DECLS

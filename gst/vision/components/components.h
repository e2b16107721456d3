/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/base/components-shared.h>

G_BEGIN_DECLS

#define MGPU_COMPONENTS_MAX_MAPS 4

/* Parameters of an object: the params of mgpu_object_new() */
typedef struct
{
  guint n_maps;
  struct
  {
    gint width, height;         /* in pixels, up to 65535 */
    gint bits, words;           /* index of the first word, and words of a row: pixel x is bit
                                 * x % 32 of word x / 32, and bits beyond the row are 0 */
    gint most_cracks;           /* a component of the list has no more cracks */
  } maps[MGPU_COMPONENTS_MAX_MAPS];
  guint most;                   /* maximum number of components of the list */
  guint most_cracks;            /* and of all of their cracks */
} MgpuComponentsSetup;

/* Bits for black and for white components */
enum
{
  MGPU_COMPONENTS_BLACK = 1 << 0,
  MGPU_COMPONENTS_WHITE = 1 << 1
};

/* Parameters for a frame. Cracks are edges of pixels between a component and its parent, the
 * component that surrounds it; the area is what they enclose. A component that touches the edge of
 * a map has neither and is not listed. */
typedef struct
{
  gint eight;                   /* which components are also connected where corners touch: the
                                 * others only where edges touch */
  gint classes;                 /* which components are measured and listed */
  gint least_cracks, least_area;        /* minimum of both for the list */
  gint roughness;               /* maximum of cracks^2 / area for the list */
} MgpuComponentsParams;

typedef struct _MgpuComponents MgpuComponents;

/* Describes the algorithm that finds the connected components of pictures of two values. An object
 * of mgpu_object_new() is a MgpuComponents; its params are a MgpuComponentsSetup. */
extern const MgpuAlgorithm mgpu_components;

/* The results for kernels of a job. The arrays have a place for each run. */
typedef struct
{
  const ComponentsMap *maps;
  guint n_maps, n_rows, n_runs; /* @n_runs: places, of which some are not used */
  cl_mem map_table, rows;
  cl_mem starts;                /* guint16: first pixel of the run */
  cl_mem labels;                /* gint: first run of the component */
  cl_mem parents;               /* gint, for the first run of a component: label of its parent */
  cl_mem cracks, areas;         /* gint, also for the first run */
  cl_mem places;                /* gint, also for the first run: index in the list, or
                                 * COMPONENTS_NONE */
  cl_mem list;                  /* Component, in the order of labels */
  cl_mem state;                 /* gint: see COMPONENTS_LISTED */
} MgpuComponentsResult;

/* Returns: whether the device has room for what maps of this size need */
gboolean mgpu_components_check_size (const MgpuComponents * self, GError ** error);

/* Enqueues the kernels that label, measure and list the components of the maps in @bits, which the
 * job reads. Errors stay in @job. */
void mgpu_components_enqueue (MgpuComponents * self, GstMgpuJob * job, const MgpuComponentsParams * params,
    cl_mem bits, MgpuComponentsResult * result);

/* Returns: (transfer full): an array of the Component that were listed last; NULL after an error,
 * which is in @job. Waits for the device. @dropped: set to the number of components that did not
 * fit into the list; whole sizes are dropped, the smallest first */
GArray *mgpu_components_get (MgpuComponents * self, GstMgpuJob * job, guint * dropped);

G_END_DECLS

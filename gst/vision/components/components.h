/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/base/components-shared.h>

G_BEGIN_DECLS

#define MGPU_COMPONENTS_MAX_MAPS 4

/* Parameters of an object, for the argument @params of mgpu_object_new() */
typedef struct
{
  guint n_maps;
  struct
  {
    gint width, height;         /* size of the maps, in pixels, up to 65535 */
    gint bits, words;           /* index of the first word, and number of words of a row: pixel x is
                                 * bit x % 32 of word x / 32; bits beyond the end of the row are
                                 * 0 */
    gint most_cracks;           /* maximum number of cracks of a component in the list */
  } maps[MGPU_COMPONENTS_MAX_MAPS];
  guint most;                   /* maximum number of components of the list */
  guint most_cracks;            /* maximum number of cracks of all components of the list
                                 * together */
} MgpuComponentsSetup;

/* Flags for black and for white components */
enum
{
  MGPU_COMPONENTS_BLACK = 1 << 0,
  MGPU_COMPONENTS_WHITE = 1 << 1
};

/* Parameters for a frame. A crack is an edge of a pixel between a component and its parent, the
 * component that surrounds it. The area of a component is the number of pixels that its cracks
 * enclose. A component that touches the edge of a map has neither cracks nor area, and is not
 * listed. */
typedef struct
{
  gint eight;                   /* flags that select black or white components to be 8-connected;
                                 * the others are 4-connected */
  gint classes;                 /* flags that select black or white components to be measured and
                                 * listed */
  gint least_cracks, least_area;        /* minimum number of cracks, and minimum area, of a listed
                                         * component */
  gint roughness;               /* maximum of cracks^2 / area of a listed component */
} MgpuComponentsParams;

typedef struct _MgpuComponents MgpuComponents;

/* Describes the algorithm that finds the connected components of binary images. An object of
 * mgpu_object_new() is a MgpuComponents; its params are a MgpuComponentsSetup. */
extern const MgpuAlgorithm mgpu_components;

/* The results, for the kernels of a job. Arrays have an element for each run. */
typedef struct
{
  const ComponentsMap *maps;
  guint n_maps, n_rows, n_runs; /* number of elements of the arrays; some elements are not used */
  cl_mem map_table, rows;
  cl_mem starts;                /* array of guint16: first pixel of the run */
  cl_mem labels;                /* array of gint: index of the first run of the component */
  cl_mem parents;               /* array of gint, valid for the first run of a component: label of
                                 * the component's parent */
  cl_mem cracks, areas;         /* arrays of gint, valid for the first run of a component: number of
                                 * cracks, and area */
  cl_mem places;                /* array of gint, valid for the first run of a component: index of
                                 * the component in the list, or COMPONENTS_NONE */
  cl_mem list;                  /* array of Component, in the order of labels */
  cl_mem state;                 /* array of gint: see COMPONENTS_LISTED */
} MgpuComponentsResult;

/* Returns: whether the device can allocate the memory that maps of this size need */
gboolean mgpu_components_check_size (const MgpuComponents * self, GError ** error);

/* Enqueues the kernels that label, measure and list the components of the maps in @bits, which the
 * job reads. Errors stay in @job. */
void mgpu_components_enqueue (MgpuComponents * self, GstMgpuJob * job, const MgpuComponentsParams * params,
    cl_mem bits, MgpuComponentsResult * result);

/* Returns: (transfer full): an array of Component: the list of the last call of
 * mgpu_components_enqueue(); NULL after an error, which is in @job. Waits for the device. @dropped:
 * set to the number of components that did not fit into the list; the smallest components are
 * dropped first; of components of equal size, either all or none are dropped */
GArray *mgpu_components_get (MgpuComponents * self, GstMgpuJob * job, guint * dropped);

G_END_DECLS

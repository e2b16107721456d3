/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

#include "rows.h"

G_BEGIN_DECLS

/* Up to this many bins a histogram is small: there can be several for each
 * work-item, and one fits into the local memory of every GPU. */
#define MGPU_BINS_SMALL 4096

/* Some samples of each pixel of a packed frame or of a plane, which are
 * counted and looked up: see kernels/base/bins.h. */
typedef struct
{
  gint bytes;                   /* of a sample */
  gint samples;                 /* of a pixel, next to each other */
  guint mask;                   /* bit i: sample i of a pixel is equalized */
  guint n_components;           /* bits of mask; each has its own histogram */
  guint n_bins;                 /* of each histogram */
  guint n_counters;             /* n_components * n_bins */
  guint shift;                  /* value: word >> shift */

  gboolean is_cpu;
  gsize group;                  /* work-items that make a table together */
  const gchar *count;           /* what they count in: COUNT of bins.cl */
  guint n_own;                  /* on a CPU: histograms taken by turns */
  MgpuRows rows;
} MgpuBins;

/* For the first n components of frames like info, which lie in their first
 * plane. */
void mgpu_bins_init (MgpuBins * bins, GstMgpuContext * context, const GstVideoInfo * info, guint n);

/* How many units of a row the kernels may use: UNIT in bins.cl. layout: offsets
 * and strides of all frames in play, or-ed together. */
gint mgpu_bins_count_units (const MgpuBins * bins, gint width, guint layout);

/* Pixels of a row in memory: two of YUY2 and UYVY share their chroma, which is
 * there for a last single one too. */
gint mgpu_bins_count_pixels (const MgpuBins * bins, const GstVideoInfo * info);

/* Builds a kernel file with these definitions and gets kernels from it. */
typedef struct
{
  const gchar *name;
  cl_kernel *kernel;
} MgpuBinsKernel;

gboolean mgpu_bins_build (const MgpuBins * bins, GstMgpuContext * context, const gchar * file,
    const gchar * more_options, const MgpuBinsKernel * kernels, guint n_kernels, GError ** error);

/* Makes *memory one of at least size bytes. FALSE after an error, which is in
 * job. is_new, which may be NULL: whether it was allocated now. */
gboolean mgpu_bins_ensure_memory (GstMgpuJob * job, GstMemory ** memory, gsize size, gboolean * is_new);

/* Announces that job writes it; what is in it stays. */
cl_mem mgpu_bins_write (GstMgpuJob * job, GstMemory * memory);

G_END_DECLS

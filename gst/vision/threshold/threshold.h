/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/threshold/threshold-shared.h>

G_BEGIN_DECLS

#define MGPU_THRESHOLD_MAX_PICTURES 3
#define MGPU_THRESHOLD_MAX_MAPS 4

/* Parameters of an object: the params of mgpu_object_new() */
typedef struct
{
  guint n_pictures, n_maps;
  struct
  {
    gint halvings;              /* how often the frame is halved: not less than in the picture
                                 * before */
    gint tile;                  /* width and height of a tile in pixels, 2 or 4 */
  } pictures[MGPU_THRESHOLD_MAX_PICTURES];
  struct
  {
    guint picture;
    gboolean is_mean;           /* FALSE: the threshold is in the middle of the range of values of
                                 * 3x3 tiles; TRUE: it is their mean */
  } maps[MGPU_THRESHOLD_MAX_MAPS];
} MgpuThresholdSetup;

typedef struct _MgpuThreshold MgpuThreshold;

/* Describes the algorithm that compares the pixels of a frame with the threshold of their tile. A
 * tile where the values of 3x3 tiles differ less than by a contrast takes the threshold of a larger
 * tile. An object of mgpu_object_new() is a MgpuThreshold; its params are a MgpuThresholdSetup. */
extern const MgpuAlgorithm mgpu_threshold;

/* The results for the frame that was last given to mgpu_threshold_enqueue(), for kernels of a
 * job */
typedef struct
{
  const ThresholdPicture *pictures;
  const ThresholdMap *maps;
  cl_mem frame;                 /* memory with the pixels of the frame, 8 bits each, and offset of
                                 * the first one and stride */
  gint offset, stride;
  cl_mem halves;                /* halved pictures; the frame without one */
  cl_mem picture_table, map_table;      /* @pictures and @maps */
  cl_mem thresholds, bits;
} MgpuThresholdResult;

/* Returns: the pictures and the maps, for frames of this size. @n_maps: set to their number */
const ThresholdMap *mgpu_threshold_get_maps (const MgpuThreshold * self, guint * n_maps);
const ThresholdPicture *mgpu_threshold_get_pictures (const MgpuThreshold * self);

/* Returns: the size of the memory with the bits of all maps, in words of 4 bytes */
gsize mgpu_threshold_count_words (const MgpuThreshold * self);

/* Takes the first component of the frame @in, and enqueues the kernels that find the thresholds and
 * the bits of all maps. @contrast: the minimum range of values that a threshold divides, in 8-bit
 * steps of the frame, up to 255. Errors stay in @job. */
void mgpu_threshold_enqueue (MgpuThreshold * self, GstMgpuJob * job, const MgpuImage * in, gint contrast,
    MgpuThresholdResult * result);

G_END_DECLS

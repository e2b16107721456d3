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

/* Parameters of an object, for the argument @params of mgpu_object_new() */
typedef struct
{
  guint n_pictures, n_maps;
  struct
  {
    gint halvings;              /* number of times that the frame is halved for this image; at least
                                 * the number for the previous image */
    gint tile;                  /* width and height of a tile in pixels, 2 or 4 */
  } pictures[MGPU_THRESHOLD_MAX_PICTURES];
  struct
  {
    guint picture;
    gboolean is_mean;           /* whether the threshold is the mean of the values in 3x3 tiles;
                                 * otherwise, it is the middle of the range of these values */
  } maps[MGPU_THRESHOLD_MAX_MAPS];
} MgpuThresholdSetup;

typedef struct _MgpuThreshold MgpuThreshold;

/* Describes the algorithm that compares the pixels of a frame with the threshold of their tile. If
 * the values in the 3x3 tiles around a tile differ by less than a minimum contrast, the tile uses
 * the threshold of a larger tile. An object of mgpu_object_new() is a MgpuThreshold; its params are
 * a MgpuThresholdSetup. */
extern const MgpuAlgorithm mgpu_threshold;

/* The results for the frame that was passed to mgpu_threshold_enqueue() last, for kernels of a
 * job */
typedef struct
{
  const ThresholdPicture *pictures;
  const ThresholdMap *maps;
  cl_mem frame;                 /* memory with the pixels of the frame, 8 bits each; offset of the
                                 * first pixel, and stride */
  gint offset, stride;
  cl_mem halves;                /* memory with the halved copies; the memory of the frame if there
                                 * are none */
  cl_mem picture_table, map_table;      /* device memories with the content of @pictures and of
                                         * @maps */
  cl_mem thresholds, bits;
} MgpuThresholdResult;

/* Return the maps, and the pictures (halved copies) from which they are made, of frames of this
 * size. @n_maps: set to the number of maps */
const ThresholdMap *mgpu_threshold_get_maps (const MgpuThreshold * self, guint * n_maps);
const ThresholdPicture *mgpu_threshold_get_pictures (const MgpuThreshold * self);

/* Returns: the size of the memory with the bits of all maps, in words of 4 bytes */
gsize mgpu_threshold_count_words (const MgpuThreshold * self);

/* Enqueues the kernels that find the thresholds and the bits of all maps, from the first component
 * of the frame @in. @contrast: the minimum range of values that a threshold divides, in 8-bit steps
 * of the frame, up to 255. Errors stay in @job. */
void mgpu_threshold_enqueue (MgpuThreshold * self, GstMgpuJob * job, const MgpuImage * in, gint contrast,
    MgpuThresholdResult * result);

G_END_DECLS

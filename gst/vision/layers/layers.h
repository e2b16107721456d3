/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/layers/layers-shared.h>

G_BEGIN_DECLS

/* Margin of the part of the frames that is remembered around a mask, in pixels */
#define MGPU_LAYERS_MARGIN 96

/* Maximum size of the frames that are remembered, in MiB */
#define MGPU_LAYERS_MAX_MIB 512

/**
 * MgpuLayersParams:
 * @part: part of the frames that is remembered, of mgpu_layers_find_part() or the whole frame. Every
 *   mask has to lie in it.
 * @later: maximum number of later frames that mgpu_layers_add() has got when a frame is filled
 * @camera_moves: whether the camera moves: no background is remembered, and all pixels count as
 *   moving
 */
typedef struct
{
  MgpuRect part;
  guint later;
  gboolean camera_moves;
} MgpuLayersParams;

typedef struct _MgpuLayers MgpuLayers;

/* Describes the algorithm that fills masks of videos with two layers: one for the background, and
 * one for the moving objects in front of it. The pixels are taken from other frames. An object of
 * mgpu_object_new() is a MgpuLayers, for frames of the format and size of the parameter @in, and
 * has no parameters. Its function forget() drops all frames. */
extern const MgpuAlgorithm mgpu_layers;

/* Returns: the part of frames of the format @info around the mask @unknown, with a margin of @margin
 * pixels or more; it is empty if the mask is empty.
 * @unknown: a byte for each pixel of the frame, not 0 for pixels to be filled */
MgpuRect mgpu_layers_find_part (const GstVideoInfo * info, const guint8 * unknown, gint margin);

/* Forgets all frames, and sets the parameters for the next frames. Must be called before the first
 * frame. Returns: FALSE with @error set on failure */
gboolean mgpu_layers_begin (MgpuLayers * self, const MgpuLayersParams * params, GError ** error);

/* Returns: the number of earlier frames from which pixels are taken, at most LAYERS_FRAMES; 0 if
 * there is no memory for LAYERS_MIN_FRAMES frames, so that masks are filled without earlier
 * frames */
guint mgpu_layers_get_n_frames (const MgpuLayers * self);

/* Remembers the frame @in with the mask @unknown. Nothing is read back from the device. Errors stay
 * in @job. */
void mgpu_layers_add (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * in, const guint8 * unknown);

/* Fills the mask @unknown of the frame @in, and writes the frame to @out. The frame must be the
 * oldest frame that was passed to mgpu_layers_add() and not yet to this function. Nothing is read
 * back from the device. Errors stay in @job.
 * @unknown: (nullable): NULL: nothing is filled
 * @before: (nullable): LAYERS_N_COUNTS counts of type guint64, or NULL for zeros
 * @counts: written: @before plus the counts of this frame */
void mgpu_layers_fill (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    const guint8 * unknown, GstMgpuMemory * before, GstMgpuMemory * counts);

G_END_DECLS

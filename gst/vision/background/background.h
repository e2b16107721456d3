/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/inpaint/inpaint.h>

G_BEGIN_DECLS

/* Inpaints frames. Pixels behind objects get the colors that were seen there in earlier
 * frames; where none were seen, patches of other pixels are copied. The camera is expected to
 * stand still unless mgpu_inpaint_background_set_camera() was called with TRUE. */
typedef struct _MgpuInpaintBackground MgpuInpaintBackground;

/* Describes the algorithm that remembers the background and inpaints with it. mgpu_object_new()
 * creates a MgpuInpaintBackground from it, for frames with the format and size of the parameter
 * @in. */
extern const MgpuAlgorithm mgpu_inpaint_background;

/* Sets the mask of the pixels to fill in the next frames; see mgpu_inpaint_set_mask() for the
 * parameters. */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* Builds the kernels that objects in front of the background need, which are otherwise built for the
 * first frame that needs them. */
gboolean mgpu_inpaint_background_build_passing (MgpuInpaintBackground * self, GError ** error);

/* Sets whether moving objects stay visible when they pass behind a mask that does not move.
 * They are drawn as they looked when they were last seen whole. The initial value is FALSE:
 * moving objects disappear behind the mask. */
void mgpu_inpaint_background_set_passing (MgpuInpaintBackground * self, gboolean passing);

/* Sets whether the camera moves. If it does, the remembered background is shifted with the
 * camera by whole pixels. Pixels that patches filled are then also remembered, until the
 * background is visible there. The initial value is FALSE. A change of the value makes the
 * object forget the background. mgpu_inpaint_background_look() may only be called while the
 * value is FALSE. */
void mgpu_inpaint_background_set_camera (MgpuInpaintBackground * self, gboolean moves);

/* The illumination of a frame, as mgpumotion measures it: logarithms of brightness in units of
 * 1/2048 octave, modulo 65536 */
typedef struct
{
  GstMgpuMemory *memory;        /* array of guint16: the value of column x and row y is at @offset +
                                 * y * @stride + x; NULL: unknown */
  guint offset, stride;
  guint number;                 /* number of the background; the illumination of two frames can only
                                 * be compared if their numbers are equal */
  const gint *columns, *rows;   /* for each column and row of the frame, the column and row of
                                 * @memory, or -1 */
} MgpuBackgroundLight;

/* Finds whether the frame @in, with the mask @unknown, belongs to a scene other than that of the
 * remembered background. If it does, the caller has to do three things, in this order: fill the
 * frames given to mgpu_inpaint_background_look() so far; forget the background; pass this frame to
 * mgpu_inpaint_background_look(). Adapts the remembered background to @light (nullable), the
 * illumination of this frame. The illumination is unknown for frames for which this function is not
 * called. A change of illumination does not begin a new scene, unless patches filled pixels of the
 * last frame, because patches have the illumination of the frame in which they were found. Waits
 * for the device. Returns: whether a new scene begins; FALSE also after an error, which is in
 * @job */
gboolean mgpu_inpaint_background_is_cut (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuBackgroundLight * light, const guint8 * unknown);

/* Remembers the pixels that are visible in the frame @in, with the mask @unknown. For
 * look-ahead: call this function for some later frames before the frame is filled. Errors stay
 * in @job. */
void mgpu_inpaint_background_look (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * unknown);

/* Forgets the background of earlier frames. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* Fills the hidden pixels of the frame @in, and writes the frame to @out; see
 * mgpu_inpaint_enqueue(). The object @inpaint fills, with patches, the hidden pixels that were
 * never visible.
 * @was_seen: whether mgpu_inpaint_background_look() was called for this frame. FALSE: this
 * function first remembers what is visible in the frame.
 * @is_new: set to whether new patches are searched for, or no pixel is left for patches.
 * @result: set to how @inpaint fills the pixels.
 * Returns: FALSE when @progress stopped the work; errors stay in @job */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, gboolean was_seen, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

/* Counts the hidden pixels of the last frame. Sets:
 * *n_passing to the number of those that show a moving object;
 * *n_seen to the number of the others that got the color seen there in earlier frames;
 * *n_unseen to the number of those that were filled with patches or in another manner. */
void mgpu_inpaint_background_count (const MgpuInpaintBackground * self, guint * n_seen, guint * n_unseen,
    guint * n_passing);

G_END_DECLS

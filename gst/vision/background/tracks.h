/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* Maximum number of tracks, which are moving objects that are followed at the same time */
#define MGPU_INPAINT_TRACKS 16

/* Follows the objects that move around and behind a mask of hidden pixels. The mask is the same
 * in all frames; it is given to mgpu_inpaint_tracks_new(). A track is a moving object that is
 * followed. It has a template: the pixels of the object in one frame in which the object was
 * seen. See docs/algorithms/inpaint-passing.md. */
typedef struct _MgpuInpaintTracks MgpuInpaintTracks;

/* Creates an object that follows moving objects in a part of the frames; the part has @width x
 * @height pixels. The array @hidden has a byte for each pixel: other than 0 if a mask covers
 * the pixel.
 * Returns: (transfer full): the object */
MgpuInpaintTracks * mgpu_inpaint_tracks_new (const guint8 * hidden, gint width, gint height);

void mgpu_inpaint_tracks_free (MgpuInpaintTracks * self);

/* Forgets all tracks (moving objects that are followed). */
void mgpu_inpaint_tracks_forget (MgpuInpaintTracks * self);

/* Finds all tracks (moving objects) in the next frame, and begins new tracks.
 * @luma: the first color component of each pixel, in 8 bits.
 * @differs: 1 for a visible pixel that differs from the background, otherwise 0.
 * Returns: the tracks whose template was replaced by their pixels in this frame: bit i is set for
 * track i */
guint mgpu_inpaint_tracks_add (MgpuInpaintTracks * self, const guint8 * luma, const guint8 * differs);

/* Gets the position of track @i (a moving object).
 * @box: set to the box around the track's pixels in the frame from which its template was
 * taken.
 * @dx, @dy: set to how far the track has moved since that frame, in pixels. */
void mgpu_inpaint_tracks_get (const MgpuInpaintTracks * self, guint i, MgpuBox * box, gint * dx, gint * dy);

/* Decides which track (moving object) is to be shown at each hidden pixel. Sets the pixel's
 * byte in @owners to 1 + the index of the track, or to 0 if no track is shown there.
 * Returns: the tracks that are to be shown at hidden pixels: bit i is set for track i */
guint mgpu_inpaint_tracks_show (const MgpuInpaintTracks * self, guint8 * owners);

G_END_DECLS

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* Largest number of tracks: moving objects that are followed at the same time */
#define MGPU_INPAINT_TRACKS 16

/* Follows the objects that move around and behind a mask of hidden pixels, which is the
 * same in all frames since mgpu_inpaint_tracks_new(): see
 * docs/algorithms/inpaint-passing.md. A track is a moving object that is followed. It has
 * a template: the pixels of the object in one frame in which the object was seen. */
typedef struct _MgpuInpaintTracks MgpuInpaintTracks;

/* Makes an object that follows moving objects in a part of the frames, @width x @height
 * pixels large. The array @hidden has a byte for each pixel, other than 0 for pixels that a
 * mask covers.
 * Returns: (transfer full): the object */
MgpuInpaintTracks * mgpu_inpaint_tracks_new (const guint8 * hidden, gint width, gint height);

void mgpu_inpaint_tracks_free (MgpuInpaintTracks * self);

/* Forgets all tracks (moving objects that were followed). */
void mgpu_inpaint_tracks_forget (MgpuInpaintTracks * self);

/* Finds all tracks (moving objects) in the next frame, and begins new tracks. The array
 * @luma has the first colour component of each pixel, in 8 bits; @differs is 1 for
 * visible pixels that differ from the background, otherwise 0.
 * Returns: the tracks whose template was taken anew from this frame: bit i is set for
 * track i */
guint mgpu_inpaint_tracks_add (MgpuInpaintTracks * self, const guint8 * luma, const guint8 * differs);

/* Sets *box to the box around the pixels of track @i (a moving object) in the frame from
 * which its template was taken, and *dx and *dy to how far the track has moved since, in
 * pixels. */
void mgpu_inpaint_tracks_get (const MgpuInpaintTracks * self, guint i, MgpuBox * box, gint * dx, gint * dy);

/* Tells which track (moving object) is to be shown at each hidden pixel: the pixel's byte
 * in @owners becomes 1 + the index of the track, or 0 for none.
 * Returns: the tracks that are to be shown at hidden pixels: bit i is set for track i */
guint mgpu_inpaint_tracks_show (const MgpuInpaintTracks * self, guint8 * owners);

G_END_DECLS

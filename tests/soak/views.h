/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Turns views of mgpuremap at random while they play. */
#pragma once

#include <gst/gst.h>

gboolean is_view (GstElement * element);

/* Appends mgpuremap to @launch, with the name f@i: a view of a sphere, of a fisheye lens, or of a
 * lens with a calibration file, which frames have to fit. The file is written to @calibration,
 * unless @calibration names a file already. */
void view_append (GString * launch, guint i, gchar ** calibration);

/* Turns the view @element, zooms, changes its projection or points at it: by a property at once, by
 * a controller from frame to frame, or by a navigation event of the sinks of @pipeline. The view
 * may then show no pixel of the frame. */
void view_turn (GstElement * element, GstElement * pipeline);

/* Ends the time in which views are turned, at the end of a pipeline. */
void view_forget (void);

/* Prints how often views were turned. */
void view_print (void);

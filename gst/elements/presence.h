/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Decides when something that is looked for in each frame has appeared and disappeared. Zero the
 * struct before its first use. */
typedef struct
{
  guint n_found, n_missed;      /* numbers of the last frames in a row in which it was found, or
                                 * not found */
  gboolean is_present;          /* whether it has appeared and not disappeared */
} GstMgpuPresence;

/* Counts a frame. @is_found: whether the thing was found in it. The thing appears when it was found in
 * @appear successive frames, and disappears when it was missing in @disappear of them. Returns: "appeared" or
 * "disappeared" if it does so with this frame; NULL otherwise */
const gchar * gst_mgpu_presence_note   (GstMgpuPresence * self, gboolean is_found, guint appear, guint disappear);

/* Starts again. Returns: "disappeared" if it was present; NULL otherwise */
const gchar * gst_mgpu_presence_forget (GstMgpuPresence * self);

G_END_DECLS

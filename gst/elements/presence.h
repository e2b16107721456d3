/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Decides when an object that is searched for in each frame has appeared and disappeared. Zero the
 * struct before its first use. */
typedef struct
{
  guint n_found, n_missed;      /* number of successive frames, up to the last one, in which the
                                 * object was found (@found), or was missing (@missing) */
  gboolean is_present;          /* whether the object has appeared and has not disappeared since */
} GstMgpuPresence;

/* Counts a frame. @is_found: whether the object was found in this frame. The object appears when it
 * was found in @appear successive frames, and disappears when it was missing in @disappear
 * successive frames. Returns: "appeared" or "disappeared" if this frame has that effect; NULL
 * otherwise */
const gchar * gst_mgpu_presence_note   (GstMgpuPresence * self, gboolean is_found, guint appear, guint disappear);

/* Resets @self. Returns: "disappeared" if the object was present; NULL otherwise */
const gchar * gst_mgpu_presence_forget (GstMgpuPresence * self);

G_END_DECLS

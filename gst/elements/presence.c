/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decides when objects appear and disappear, for messages. */
#include "presence.h"

const gchar *
gst_mgpu_presence_note (GstMgpuPresence * self, gboolean is_found,
    guint appear, guint disappear)
{
  self->n_found = is_found ? self->n_found + 1 : 0;
  self->n_missed = is_found ? 0 : self->n_missed + 1;
  if (!self->is_present && self->n_found >= appear) {
    self->is_present = TRUE;
    return "appeared";
  }
  return self->is_present && self->n_missed >= disappear
      ? gst_mgpu_presence_forget (self) : NULL;
}

const gchar *
gst_mgpu_presence_forget (GstMgpuPresence * self)
{
  gboolean was_present = self->is_present;

  *self = (GstMgpuPresence) {
  0, 0, FALSE};
  return was_present ? "disappeared" : NULL;
}

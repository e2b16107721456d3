/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Exchanges the peers of two source pads while both streams play. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  GMutex lock;
  GCond cond;
  GstPad *first;                /* the pad whose stream stopped first; the pointer is only
                                 * compared */
  gboolean both;                /* whether the other stream has stopped as well */
} RelinkStop;

static inline void
relink_stop_free (gpointer stop)
{
  RelinkStop *self = stop;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
}

static inline void
relink_stop_unref (gpointer stop)
{
  g_atomic_rc_box_release_full (stop, relink_stop_free);
}

/* Records that the stream of @pad has stopped. A buffer or event that waits at the pad may be
 * offered again. */
static inline GstPadProbeReturn
relink_note (GstPad * pad, GstPadProbeInfo * info, gpointer stop)
{
  RelinkStop *self = stop;

  g_mutex_lock (&self->lock);
  if (self->first == NULL)
    self->first = pad;
  self->both |= pad != self->first;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* Stops the stream at @pad. Returns: the id of the probe that stops it */
static inline gulong
relink_block (GstPad * pad, RelinkStop * stop)
{
  return gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
      relink_note, g_atomic_rc_box_acquire (stop), relink_stop_unref);
}

/* Waits until both streams have stopped. Returns: FALSE if one of them continues for @patience */
static inline gboolean
relink_wait (RelinkStop * stop, GstClockTime patience)
{
  gint64 until = g_get_monotonic_time () + patience / GST_USECOND;
  gboolean ok = TRUE;

  g_mutex_lock (&stop->lock);
  while (ok && !stop->both)
    ok = g_cond_wait_until (&stop->cond, &stop->lock, until);
  g_mutex_unlock (&stop->lock);
  return ok;
}

/* Returns: whether the peers of the pads, which are linked, can be exchanged */
static inline gboolean
relink_exchange (GstPad * a, GstPad * b)
{
  g_autoptr (GstPad) peer_a = gst_pad_get_peer (a);
  g_autoptr (GstPad) peer_b = gst_pad_get_peer (b);

  return gst_pad_unlink (a, peer_a) && gst_pad_unlink (b, peer_b)
      && gst_pad_link (a, peer_b) == GST_PAD_LINK_OK
      && gst_pad_link (b, peer_a) == GST_PAD_LINK_OK;
}

/* Links the source pad of the element @a with the peer of the source pad of the element @b, and
 * vice versa, while both play. Returns: FALSE if one of them pushes nothing for @patience, or
 * cannot be linked */
static inline gboolean
relink_swap (GstElement * a, GstElement * b, GstClockTime patience)
{
  g_autoptr (GstPad) pad_a = gst_element_get_static_pad (a, "src");
  g_autoptr (GstPad) pad_b = gst_element_get_static_pad (b, "src");
  RelinkStop *stop = g_atomic_rc_box_new0 (RelinkStop);
  gulong probe_a, probe_b;
  gboolean ok;

  g_mutex_init (&stop->lock);
  g_cond_init (&stop->cond);
  probe_a = relink_block (pad_a, stop);
  probe_b = relink_block (pad_b, stop);
  ok = relink_wait (stop, patience) && relink_exchange (pad_a, pad_b);
  gst_pad_remove_probe (pad_a, probe_a);
  gst_pad_remove_probe (pad_b, probe_b);
  relink_stop_unref (stop);
  return ok;
}

/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decides when motion starts and stops, and when the camera is tampered with. */
#include "gstmgpumotionactivity.h"

/* Thresholds in units of 1/1024. If the fraction of the background's edges that the frame shows
 * falls below LOST, the camera was tampered with; above BACK, it is restored. The ratio of the
 * gradient energies tells the kind of tampering: below COVERED the camera is covered, below BLURRED
 * it is blurred. */
#define LOST 614
#define BACK 768
#define COVERED 256
#define BLURRED 512
/* Mean luma, from 0 to 255, below which a frame counts as dark */
#define DARK 16
/* Divisor for the minimum number of strong edges: the background must have at least 1 / MIN_STRONG
 * of all pixels at strong edges. */
#define MIN_STRONG 256

GstMgpuMotionEvent
gst_mgpu_motion_activity_update (GstMgpuMotionActivity * self,
    GstClockTime time, gboolean moves, GstClockTime delay)
{
  gboolean was_active = self->active;

  if (moves) {
    self->active = TRUE;
    self->last = time;
    return was_active ? GST_MGPU_MOTION_NO_EVENT : GST_MGPU_MOTION_STARTED;
  }
  if (!was_active || time - self->last < delay)
    return GST_MGPU_MOTION_NO_EVENT;
  return gst_mgpu_motion_activity_end (self);
}

GstMgpuMotionEvent
gst_mgpu_motion_activity_end (GstMgpuMotionActivity * self)
{
  gboolean was_active = self->active;

  self->active = FALSE;
  return was_active ? GST_MGPU_MOTION_STOPPED : GST_MGPU_MOTION_NO_EVENT;
}

const gchar *
gst_mgpu_tamper_get_name (GstMgpuTamper tamper)
{
  static const gchar *const names[] = {
    [GST_MGPU_TAMPER_DARK] = "dark",
    [GST_MGPU_TAMPER_COVERED] = "covered",
    [GST_MGPU_TAMPER_BLURRED] = "blurred",
    [GST_MGPU_TAMPER_MOVED] = "moved",
    [GST_MGPU_TAMPER_RESTORED] = "restored",
    [GST_MGPU_TAMPER_LEARNED] = "learned"
  };

  return names[tamper];
}

gboolean
gst_mgpu_tamper_has_faded (const GstMgpuTamperState * self,
    const GstMgpuTamperSums * sums)
{
  return self->since != GST_CLOCK_TIME_NONE
      && sums->n_strong < self->n_strong / 2;
}

guint
gst_mgpu_tamper_get_survive (const GstMgpuTamperState * self,
    const GstMgpuTamperSums * sums)
{
  if (gst_mgpu_tamper_has_faded (self, sums))
    return 0;
  if (sums->n_strong == 0
      || (guint64) sums->n_strong * MIN_STRONG < sums->n_pixels)
    return 1024;
  return (guint64) sums->n_survive * 1024 / sums->n_strong;
}

guint
gst_mgpu_tamper_get_energy (const GstMgpuTamperState * self,
    const GstMgpuTamperSums * sums)
{
  guint64 background = self->since != GST_CLOCK_TIME_NONE ? self->energy
      : sums->background_energy;

  return MIN (sums->frame_energy * 1024 / MAX (background, 1), 65535);
}

/* Returns: the kind of tampering for a frame that does not show the edges of the background */
static GstMgpuTamper
classify (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums)
{
  guint energy = gst_mgpu_tamper_get_energy (self, sums);

  if (sums->luma < (guint64) sums->n_pixels * DARK)
    return GST_MGPU_TAMPER_DARK;
  if (energy < COVERED)
    return GST_MGPU_TAMPER_COVERED;
  return energy < BLURRED ? GST_MGPU_TAMPER_BLURRED : GST_MGPU_TAMPER_MOVED;
}

void
gst_mgpu_tamper_state_init (GstMgpuTamperState * self)
{
  self->tampered = GST_MGPU_TAMPER_NONE;
  self->since = GST_CLOCK_TIME_NONE;
}

/* Returns: whether the frame shows more than the fraction @least of the background's edges. If the
 * background has faded, decides by the gradient energy of the frame. */
static gboolean
sees_edges (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums,
    guint least)
{
  if (gst_mgpu_tamper_has_faded (self, sums))
    return gst_mgpu_tamper_get_energy (self, sums) >= BACK;
  return gst_mgpu_tamper_get_survive (self, sums) >= least;
}

GstMgpuTamper
gst_mgpu_tamper_state_update (GstMgpuTamperState * self,
    const GstMgpuTamperSums * sums, GstClockTime time, GstClockTime after,
    GstClockTime learn)
{
  if (self->tampered != GST_MGPU_TAMPER_NONE) {
    gboolean is_back = sees_edges (self, sums, BACK);

    if (!is_back && (learn == GST_CLOCK_TIME_NONE
            || time - self->since < learn))
      return GST_MGPU_TAMPER_NONE;
    gst_mgpu_tamper_state_init (self);
    return is_back ? GST_MGPU_TAMPER_RESTORED : GST_MGPU_TAMPER_LEARNED;
  }
  if (sees_edges (self, sums, LOST)) {
    self->since = GST_CLOCK_TIME_NONE;
    return GST_MGPU_TAMPER_NONE;
  }
  if (self->since == GST_CLOCK_TIME_NONE) {
    self->since = time;
    self->n_strong = sums->n_strong;
    self->energy = sums->background_energy;
  }
  if (time - self->since < after)
    return GST_MGPU_TAMPER_NONE;
  self->tampered = classify (self, sums);
  self->since = time;
  return self->tampered;
}
